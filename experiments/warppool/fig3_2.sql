-- Lanes' accesses, then lines behind the coalescer, L1 and L2, each in percent of the first. Loads and stores both; L1 writes through.
WITH n AS (
    SELECT max(CASE f.name WHEN 'space.global.lanes' THEN f.value END) AS lanes,
        (SELECT value FROM counter c WHERE c.run = r.run AND name = 'sm.mem_lines') AS lines,
        (SELECT sum(value) FROM counter c WHERE c.run = r.run AND name IN ('sm.mshr_uses', 'sm.bypass_uses')) AS l1,
        (SELECT value FROM counter c WHERE c.run = r.run AND name = 'mem.dram_reads') / 4.0 AS l2
    FROM asked JOIN result r USING (point) JOIN trace_fact f USING (trace))
SELECT 'lanes' AS level, 100.0 AS percent FROM n
UNION ALL SELECT 'coalescer', 100.0 * lines / lanes FROM n
UNION ALL SELECT 'L1', 100.0 * l1 / lanes FROM n
UNION ALL SELECT 'L2', 100.0 * l2 / lanes FROM n;

SELECT 'warppool.fig3_2.coalescer' AS claim, 100 * (1 - CAST(c.value AS REAL) / f.value) AS value
FROM asked JOIN result r USING (point) JOIN trace_fact f USING (trace) JOIN counter c USING (run)
WHERE f.name = 'space.global.lanes' AND c.name = 'sm.mem_lines';
