WITH n AS (SELECT r.workload, substr(c.name, 9) AS name, c.value FROM asked JOIN result r USING (point) JOIN counter c ON c.run = r.run
    AND c.name LIKE 'regless.%'
), p AS (SELECT workload, value AS all_of FROM n WHERE name = 'preloads')
SELECT workload, 100.0 * max(CASE name WHEN 'from_osu' THEN value END) / all_of AS 'staging unit',
    100.0 * max(CASE name WHEN 'from_comp' THEN value END) / all_of AS compressor, 100.0 * max(CASE name WHEN 'from_l1' THEN value END) / all_of AS L1,
    100.0 * max(CASE name WHEN 'from_below' THEN value END) / all_of AS 'L2 or DRAM', 100.0 * max(CASE name WHEN 'from_absent' THEN value END) / all_of AS nowhere
FROM n JOIN p USING (workload) GROUP BY workload ORDER BY workload;

SELECT 'regless.fig4_17.l1' AS claim, avg(100.0 * l.value / nullif(p.value, 0)) AS value FROM asked JOIN result r USING (point)
    JOIN counter l ON l.run = r.run AND l.name = 'regless.from_l1' JOIN counter p ON p.run = r.run AND p.name = 'regless.preloads';
