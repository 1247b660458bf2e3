WITH e AS (SELECT r.workload, r.mechs, sum(e.pj) AS pj FROM asked JOIN result r USING (point)
    JOIN energy e ON e.run = r.run AND e.name IN ('rf_banks', 'rf_crossbar', 'rf_arbiter', 'collectors', 'rf_cache', 'osu_tags', 'compressor', 'leak_rf') GROUP BY r.workload, r.mechs)
SELECT e.workload, max(CASE e.mechs WHEN 'rfv' THEN e.pj / b.pj END) AS rfv, max(CASE e.mechs WHEN 'rfh' THEN e.pj / b.pj END) AS rfh,
    max(CASE e.mechs WHEN 'regless' THEN e.pj / b.pj END) AS regless
FROM e JOIN e b ON b.workload = e.workload AND b.mechs = 'base' GROUP BY e.workload ORDER BY e.workload;

WITH e AS (SELECT r.workload, r.mechs, sum(e.pj) AS pj FROM asked JOIN result r USING (point)
    JOIN energy e ON e.run = r.run AND e.name IN ('rf_banks', 'rf_crossbar', 'rf_arbiter', 'collectors', 'rf_cache', 'osu_tags', 'compressor', 'leak_rf') GROUP BY r.workload, r.mechs
), x AS (SELECT e.mechs, 100 * (1 - avg(e.pj / b.pj)) AS saved FROM e JOIN e b ON b.workload = e.workload AND b.mechs = 'base' GROUP BY e.mechs)
SELECT 'regless.fig4_14' AS claim, saved AS value FROM x WHERE mechs = 'regless'
UNION ALL SELECT 'regless.fig4_14.rfv', saved FROM x WHERE mechs = 'rfv'
UNION ALL SELECT 'regless.fig4_14.rfh', saved FROM x WHERE mechs = 'rfh';
