WITH
    -- Bank energy, then that of the SM by the paper's 5.2: 1.9 W less the baseline's banks, for the time of the run; banks; leakage; DRAM.
    e AS (SELECT run, sum(CASE WHEN name IN ('rf_banks', 'shared', 'l1', 'onchip_wire') THEN pj END) AS bank,
        sum(CASE name WHEN 'dram' THEN pj END) AS dram, sum(pj) AS all_pj FROM energy GROUP BY run),
    c AS (SELECT run, sum(value) AS traffic FROM counter WHERE name IN ('mem.dram_reads', 'mem.dram_writes') GROUP BY run),
    r AS (SELECT r.workload, r.code_order AS ord, r.mechs, r.options, CAST(r.kernel_cycles AS REAL) AS t, e.bank, e.dram, e.all_pj, c.traffic,
        CASE r.mechs WHEN 'unified-256' THEN 256 WHEN 'unified-128' THEN 128 ELSE 384 END AS kb
        FROM asked JOIN result r USING (point) JOIN e USING (run) JOIN c USING (run)),
    n AS (SELECT r.*, b.t / r.t AS speedup, 1 - r.traffic * 1.0 / nullif(b.traffic, 0) AS less_dram, r.all_pj / b.all_pj AS by_insn,
        ((1900 - b.bank / b.t) * r.t + r.bank + (700 + 0.52 * r.kb) * r.t + r.dram)
            / ((1900 + 700 + 0.52 * 384) * b.t + b.dram) AS energy,
        ((1900 - b.bank / b.t) * r.t + r.bank + (900 + 2.37 * (r.kb - 384)) * r.t + r.dram)
            / ((1900 + 900) * b.t + b.dram) AS energy_237
        FROM r JOIN r b ON b.workload = r.workload AND b.ord = r.ord AND b.options = r.options AND b.mechs = 'base')
SELECT workload, max(CASE mechs WHEN 'unified' THEN speedup END) AS performance, max(CASE mechs WHEN 'unified' THEN energy END) AS energy,
    max(CASE mechs WHEN 'unified' THEN energy_237 END) AS 'energy, 2.37 mW', max(CASE mechs WHEN 'unified' THEN by_insn END) AS 'energy by instruction',
    max(CASE mechs WHEN 'unified' THEN less_dram END) AS 'DRAM saved',
    max(CASE mechs WHEN 'unified-256' THEN speedup END) AS '256 KB', max(CASE mechs WHEN 'unified-128' THEN speedup END) AS '128 KB'
FROM n GROUP BY workload
UNION ALL SELECT 'average', avg(CASE mechs WHEN 'unified' THEN speedup END), avg(CASE mechs WHEN 'unified' THEN energy END),
    avg(CASE mechs WHEN 'unified' THEN energy_237 END), avg(CASE mechs WHEN 'unified' THEN by_insn END), avg(CASE mechs WHEN 'unified' THEN less_dram END),
    avg(CASE mechs WHEN 'unified-256' THEN speedup END), avg(CASE mechs WHEN 'unified-128' THEN speedup END) FROM n;

WITH
    -- Bank energy, then that of the SM by the paper's 5.2: 1.9 W less the baseline's banks, for the time of the run; banks; leakage; DRAM.
    e AS (SELECT run, sum(CASE WHEN name IN ('rf_banks', 'shared', 'l1', 'onchip_wire') THEN pj END) AS bank,
        sum(CASE name WHEN 'dram' THEN pj END) AS dram, sum(pj) AS all_pj FROM energy GROUP BY run),
    c AS (SELECT run, sum(value) AS traffic FROM counter WHERE name IN ('mem.dram_reads', 'mem.dram_writes') GROUP BY run),
    r AS (SELECT r.workload, r.code_order AS ord, r.mechs, r.options, CAST(r.kernel_cycles AS REAL) AS t, e.bank, e.dram, e.all_pj, c.traffic,
        CASE r.mechs WHEN 'unified-256' THEN 256 WHEN 'unified-128' THEN 128 ELSE 384 END AS kb
        FROM asked JOIN result r USING (point) JOIN e USING (run) JOIN c USING (run)),
    n AS (SELECT r.*, b.t / r.t AS speedup, 1 - r.traffic * 1.0 / nullif(b.traffic, 0) AS less_dram, r.all_pj / b.all_pj AS by_insn,
        ((1900 - b.bank / b.t) * r.t + r.bank + (700 + 0.52 * r.kb) * r.t + r.dram)
            / ((1900 + 700 + 0.52 * 384) * b.t + b.dram) AS energy,
        ((1900 - b.bank / b.t) * r.t + r.bank + (900 + 2.37 * (r.kb - 384)) * r.t + r.dram)
            / ((1900 + 900) * b.t + b.dram) AS energy_237
        FROM r JOIN r b ON b.workload = r.workload AND b.ord = r.ord AND b.options = r.options AND b.mechs = 'base')
SELECT mechs, avg(energy) AS energy, avg(energy_237) AS 'energy, 2.37 mW', avg(by_insn) AS 'energy by instruction'
FROM n WHERE mechs <> 'base' GROUP BY mechs ORDER BY kb;

WITH
    -- Bank energy, then that of the SM by the paper's 5.2: 1.9 W less the baseline's banks, for the time of the run; banks; leakage; DRAM.
    e AS (SELECT run, sum(CASE WHEN name IN ('rf_banks', 'shared', 'l1', 'onchip_wire') THEN pj END) AS bank,
        sum(CASE name WHEN 'dram' THEN pj END) AS dram, sum(pj) AS all_pj FROM energy GROUP BY run),
    c AS (SELECT run, sum(value) AS traffic FROM counter WHERE name IN ('mem.dram_reads', 'mem.dram_writes') GROUP BY run),
    r AS (SELECT r.workload, r.code_order AS ord, r.mechs, r.options, CAST(r.kernel_cycles AS REAL) AS t, e.bank, e.dram, e.all_pj, c.traffic,
        CASE r.mechs WHEN 'unified-256' THEN 256 WHEN 'unified-128' THEN 128 ELSE 384 END AS kb
        FROM asked JOIN result r USING (point) JOIN e USING (run) JOIN c USING (run)),
    n AS (SELECT r.*, b.t / r.t AS speedup, 1 - r.traffic * 1.0 / nullif(b.traffic, 0) AS less_dram, r.all_pj / b.all_pj AS by_insn,
        ((1900 - b.bank / b.t) * r.t + r.bank + (700 + 0.52 * r.kb) * r.t + r.dram)
            / ((1900 + 700 + 0.52 * 384) * b.t + b.dram) AS energy,
        ((1900 - b.bank / b.t) * r.t + r.bank + (900 + 2.37 * (r.kb - 384)) * r.t + r.dram)
            / ((1900 + 900) * b.t + b.dram) AS energy_237
        FROM r JOIN r b ON b.workload = r.workload AND b.ord = r.ord AND b.options = r.options AND b.mechs = 'base')
SELECT 'unified.fig7.perf' AS claim, avg(speedup) AS value FROM n WHERE mechs = 'unified'
UNION ALL SELECT 'unified.fig7.energy', avg(energy) FROM n WHERE mechs = 'unified';
