WITH e AS (SELECT r.workload, r.mechs, sum(e.pj) AS pj, sum(CASE WHEN e.name IN ('rf_banks', 'rf_crossbar', 'rf_arbiter', 'collectors', 'rf_cache', 'osu_tags', 'compressor', 'leak_rf') THEN e.pj ELSE 0 END) AS rf
    FROM asked JOIN result r USING (point) JOIN energy e ON e.run = r.run GROUP BY r.workload, r.mechs)
SELECT e.workload, max(CASE e.mechs WHEN 'rfv' THEN e.pj / b.pj END) AS rfv, max(CASE e.mechs WHEN 'rfh' THEN e.pj / b.pj END) AS rfh,
    max(CASE e.mechs WHEN 'regless' THEN e.pj / b.pj END) AS regless, 1 - max(CASE e.mechs WHEN 'base' THEN e.rf / e.pj END) AS 'no RF'
FROM e JOIN e b ON b.workload = e.workload AND b.mechs = 'base' GROUP BY e.workload ORDER BY e.workload;

WITH e AS (SELECT r.workload, r.mechs, sum(e.pj) AS pj, sum(CASE WHEN e.name IN ('rf_banks', 'rf_crossbar', 'rf_arbiter', 'collectors', 'rf_cache', 'osu_tags', 'compressor', 'leak_rf') THEN e.pj ELSE 0 END) AS rf
    FROM asked JOIN result r USING (point) JOIN energy e ON e.run = r.run GROUP BY r.workload, r.mechs)
SELECT 'regless.fig4_15' AS claim, 100 * (1 - avg(e.pj / b.pj)) AS value FROM e JOIN e b ON b.workload = e.workload AND b.mechs = 'base'
WHERE e.mechs = 'regless'
UNION ALL SELECT 'regless.fig4_15.bound', 100 * avg(rf / pj) FROM e WHERE mechs = 'base';
