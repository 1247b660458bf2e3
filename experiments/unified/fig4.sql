WITH n AS (SELECT workload, CAST(replace(substr(options, instr(options, 'sm.warps=') + 9, 2), ' ', '') AS INTEGER) * 32 AS threads,
        CAST(substr(options, instr(options, 'sm.l1_kb=') + 9, 3) AS INTEGER) AS kb, CAST(kernel_cycles AS REAL) AS t FROM asked JOIN result USING (point))
SELECT n.workload || ' ' || n.threads AS line, n.kb, b.t / n.t AS performance
FROM n JOIN n b ON b.workload = n.workload AND b.threads = 1024 AND b.kb = 512 ORDER BY n.workload, n.threads, n.kb;
