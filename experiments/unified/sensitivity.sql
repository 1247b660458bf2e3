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
        FROM r JOIN r b ON b.workload = r.workload AND b.ord = r.ord AND b.mechs = 'base'
            AND b.options = CASE r.options WHEN 'sm.onchip_scope=kernel' THEN '' ELSE r.options END)
SELECT workload, max(CASE WHEN ord = 'ptx' AND options = '' THEN speedup END) AS 'claims', max(CASE WHEN ord = 'scheduled' THEN speedup END) AS 'scheduled',
    max(CASE WHEN options = 'sm.conflicts=cycle' THEN speedup END) AS 'cycle', max(CASE WHEN options = 'sm.l1_store_alloc=0' THEN speedup END) AS 'no stores in L1',
    max(CASE WHEN options = 'sm.l1_store_alloc=2' THEN speedup END) AS 'all stores in L1', max(CASE WHEN options = 'sm.onchip_scope=kernel' THEN speedup END) AS 'by kernel',
    max(CASE WHEN ord = 'ptx' AND options = '' THEN energy END) AS 'energy', max(CASE WHEN ord = 'ptx' AND options = '' THEN energy_237 END) AS 'energy, 2.37 mW',
    max(CASE WHEN ord = 'ptx' AND options = '' THEN by_insn END) AS 'energy by instruction'
FROM n WHERE mechs = 'unified' GROUP BY workload ORDER BY workload;
