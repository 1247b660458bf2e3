WITH k AS (SELECT trace, max(regs) AS regs FROM trace_kernel GROUP BY trace),
    i AS (SELECT r.workload, r.max_regs AS lim, CAST(r.warp_insts AS REAL) AS insts, k.regs
        FROM asked JOIN result r USING (point) JOIN k ON k.trace = r.trace WHERE r.size = 'small' AND r.options = ''),
    d AS (SELECT r.workload, r.options, sum(c.value) AS traffic FROM asked JOIN result r USING (point)
        JOIN counter c ON c.run = r.run AND c.name IN ('mem.dram_reads', 'mem.dram_writes') WHERE r.options LIKE '%l1_kb%' GROUP BY r.run),
    m AS (SELECT workload, max(CASE WHEN options LIKE '%l1_kb=0%' THEN traffic END) AS c0, max(CASE WHEN options LIKE '%l1_kb=64%' THEN traffic END) AS c64,
        max(CASE WHEN options LIKE '%l1_kb=256%' THEN traffic END) AS c256 FROM d GROUP BY workload),
    s AS (SELECT r.workload, max(1.0 * l.shared_b / l.threads) AS shared
        FROM asked JOIN result r USING (point) JOIN trace_launch l ON l.trace = r.trace
        WHERE r.options LIKE '%l1_kb=64%' GROUP BY r.workload)
SELECT i.workload, max(CASE lim WHEN 0 THEN regs END) AS registers,
    max(CASE lim WHEN 18 THEN insts END) / max(CASE lim WHEN 0 THEN insts END) AS '18', max(CASE lim WHEN 24 THEN insts END) / max(CASE lim WHEN 0 THEN insts END) AS '24',
    max(CASE lim WHEN 32 THEN insts END) / max(CASE lim WHEN 0 THEN insts END) AS '32', max(CASE lim WHEN 40 THEN insts END) / max(CASE lim WHEN 0 THEN insts END) AS '40',
    max(CASE lim WHEN 64 THEN insts END) / max(CASE lim WHEN 0 THEN insts END) AS '64', max(CASE lim WHEN 0 THEN regs END) * 4 AS 'RF KB',
    max(s.shared) AS 'shared B a thread', 1.0 * max(m.c0) / max(m.c256) AS 'DRAM, no cache', 1.0 * max(m.c64) / max(m.c256) AS '64 KB', 1.0 AS '256 KB'
FROM i LEFT JOIN m ON m.workload = i.workload LEFT JOIN s ON s.workload = i.workload GROUP BY i.workload ORDER BY i.workload;

WITH i AS (SELECT r.workload, r.max_regs AS lim, CAST(r.warp_insts AS REAL) AS insts FROM asked JOIN result r USING (point) WHERE r.size = 'default' AND r.options = '')
SELECT 'unified.table1.' || workload || '18' AS claim, max(CASE lim WHEN 18 THEN insts END) / max(CASE lim WHEN 0 THEN insts END) AS value
FROM i WHERE workload IN ('dgemm', 'pcr', 'bfs') GROUP BY workload;
