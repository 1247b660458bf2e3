-- What the paper prices a run with (5.2). Bank energy, and that of the rest of the SM: 1.9 W less the baseline's banks, for the time of the
-- run; leakage; DRAM.
CREATE TEMP VIEW priced AS
WITH
    e AS (SELECT run, sum(CASE WHEN name IN ('rf_banks', 'shared', 'l1', 'onchip_wire') THEN pj END) AS bank,
        sum(CASE name WHEN 'dram' THEN pj END) AS dram, sum(pj) AS all_pj FROM energy GROUP BY run),
    c AS (SELECT run, sum(value) AS traffic FROM counter WHERE name IN ('mem.dram_reads', 'mem.dram_writes') GROUP BY run)
SELECT r.workload, r.code_order AS ord, r.mechs, r.options, CAST(r.kernel_cycles AS REAL) AS t, e.bank, e.dram, e.all_pj, c.traffic,
    CASE r.mechs WHEN 'unified-256' THEN 256 WHEN 'unified-128' THEN 128 ELSE 384 END AS kb
FROM asked JOIN result r USING (point) JOIN e USING (run) JOIN c USING (run);

-- Each run beside that of the partitioned machine with the same code and options.
CREATE TEMP VIEW beside AS
SELECT r.*, b.t / r.t AS speedup, 1 - r.traffic * 1.0 / nullif(b.traffic, 0) AS less_dram, r.all_pj / b.all_pj AS by_insn,
    ((1900 - b.bank / b.t) * r.t + r.bank + (700 + 0.52 * r.kb) * r.t + r.dram)
        / ((1900 + 700 + 0.52 * 384) * b.t + b.dram) AS energy,
    ((1900 - b.bank / b.t) * r.t + r.bank + (900 + 2.37 * (r.kb - 384)) * r.t + r.dram)
        / ((1900 + 900) * b.t + b.dram) AS energy_237
FROM priced r JOIN priced b ON b.workload = r.workload AND b.ord = r.ord AND b.mechs = 'base'
    AND b.options = CASE r.options WHEN 'sm.onchip_scope=kernel' THEN '' ELSE r.options END;
