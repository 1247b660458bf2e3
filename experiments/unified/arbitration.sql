WITH n AS (SELECT r.workload, r.mechs, r.options, CAST(r.kernel_cycles AS REAL) AS t, r.warp_insts,
        (SELECT value FROM counter c WHERE c.run = r.run AND c.name = 'sm.arbitration_wait') AS waits FROM asked JOIN result r USING (point)),
    x AS (SELECT n.*, b.t / n.t AS speedup FROM n JOIN n b ON b.workload = n.workload AND b.options = n.options AND b.mechs = 'base')
SELECT workload, max(CASE WHEN mechs = 'unified' AND options LIKE '%insn' THEN speedup END) AS 'unified, insn', max(CASE WHEN mechs = 'unified-multi' AND options LIKE '%insn' THEN speedup END) AS 'multi, insn',
    max(CASE WHEN mechs = 'unified' AND options LIKE '%cycle' THEN speedup END) AS 'unified, cycle', max(CASE WHEN mechs = 'unified-multi' AND options LIKE '%cycle' THEN speedup END) AS 'multi, cycle',
    max(CASE WHEN mechs = 'unified' AND options LIKE '%cycle' THEN 100.0 * waits / warp_insts END) AS 'waits in 100 instructions'
FROM x GROUP BY workload
UNION ALL SELECT 'average', avg(CASE WHEN mechs = 'unified' AND options LIKE '%insn' THEN speedup END), avg(CASE WHEN mechs = 'unified-multi' AND options LIKE '%insn' THEN speedup END),
    avg(CASE WHEN mechs = 'unified' AND options LIKE '%cycle' THEN speedup END), avg(CASE WHEN mechs = 'unified-multi' AND options LIKE '%cycle' THEN speedup END),
    avg(CASE WHEN mechs = 'unified' AND options LIKE '%cycle' THEN 100.0 * waits / warp_insts END) FROM x;
