-- A bank delivers a warp's row of 32 registers of 4 bytes: one access is 32 reads.
SELECT workload, mechs, 32 * reg_reads_per_cycle AS reads_per_cycle, 100 * bank_utilisation AS 'banks busy %'
FROM asked JOIN ratio USING (point) ORDER BY workload, mechs;

-- Share of the SMs' kernel cycles in which a number of rows was read. Outside of them none is.
SELECT workload || ' ' || mechs AS run, key AS rows,
    100.0 * (json_each.value - (key = 0) * (cycles - kernel_cycles) * sms.value) / (kernel_cycles * sms.value) AS 'cycles %'
FROM asked JOIN result USING (point) JOIN option sms USING (machine) JOIN distribution d USING (run), json_each(d.list)
WHERE sms.name = 'gpu.sms' AND d.name = 'sm.reads_per_cycle' ORDER BY run, rows;

SELECT 'partition.fig14.srad_base' AS claim, (SELECT 32 * reg_reads_per_cycle FROM asked JOIN ratio USING (point)
    WHERE workload = 'srad_v1' AND mechs = 'base') AS value
UNION ALL
SELECT 'partition.fig14.srad_rba', (SELECT m.reg_reads_per_cycle / nullif(b.reg_reads_per_cycle, 0)
    FROM asked JOIN ratio m USING (point) JOIN ratio b USING (workload, size, max_regs, code_order, gpu, options)
    WHERE workload = 'srad_v1' AND m.mechs = 'subcore-rba-empty' AND b.mechs = 'base');
