WITH n AS (
    SELECT r.workload, r.mechs,
        max(CASE c.name WHEN 'sm.lsu_served' THEN c.value END) AS served,
        max(CASE c.name WHEN 'sm.lsu_requests' THEN c.value END) AS requests,
        max(CASE c.name WHEN 'sm.lsu_cycles' THEN c.value END) AS cycles
    FROM asked JOIN result r USING (point) JOIN counter c USING (run) GROUP BY r.run)
SELECT workload, max(CASE mechs WHEN 'warppool' THEN CAST(served AS REAL) / nullif(requests, 0) END) AS warppool,
    max(CASE mechs WHEN 'banked-l1' THEN CAST(served AS REAL) / nullif(cycles, 0) END) AS 'banked-l1'
FROM n GROUP BY workload ORDER BY warppool DESC, workload;

SELECT 'warppool.fig3_12' AS claim, avg(CAST(s.value AS REAL) / nullif(q.value, 0)) AS value
FROM asked JOIN result r USING (point) JOIN counter s ON s.run = r.run AND s.name = 'sm.lsu_served'
    JOIN counter q ON q.run = r.run AND q.name = 'sm.lsu_requests'
WHERE r.mechs = 'warppool';
