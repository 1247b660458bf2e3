-- The instructions are the same, so misses are. A line that was on its way already is none.
WITH n AS (
    SELECT r.workload, r.mechs,
        max(CASE c.name WHEN 'sm.l1_reads' THEN c.value END) - max(CASE c.name WHEN 'sm.l1_read_hits' THEN c.value END)
            - max(CASE c.name WHEN 'sm.l1_read_merged' THEN c.value END) AS misses
    FROM asked JOIN result r USING (point) JOIN counter c USING (run) GROUP BY r.run)
SELECT m.workload, max(CASE m.mechs WHEN 'warppool' THEN CAST(m.misses AS REAL) / nullif(b.misses, 0) END) AS warppool,
    max(CASE m.mechs WHEN 'mrpb-flush' THEN CAST(m.misses AS REAL) / nullif(b.misses, 0) END) AS 'mrpb, flushed',
    max(CASE m.mechs WHEN 'mrpb' THEN CAST(m.misses AS REAL) / nullif(b.misses, 0) END) AS 'mrpb, in order'
FROM n m JOIN n b ON b.workload = m.workload AND b.mechs = 'base' GROUP BY m.workload ORDER BY warppool, m.workload;

WITH n AS (
    SELECT r.workload, r.mechs,
        max(CASE c.name WHEN 'sm.l1_reads' THEN c.value END) - max(CASE c.name WHEN 'sm.l1_read_hits' THEN c.value END)
            - max(CASE c.name WHEN 'sm.l1_read_merged' THEN c.value END) AS misses
    FROM asked JOIN result r USING (point) JOIN counter c USING (run) GROUP BY r.run)
SELECT 'warppool.fig3_13' AS claim, geomean(CAST(m.misses AS REAL) / nullif(b.misses, 0)) AS value
FROM n m JOIN n b ON b.workload = m.workload AND b.mechs = 'base' WHERE m.mechs = 'warppool';
