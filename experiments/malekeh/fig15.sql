WITH e AS (SELECT r.workload, r.mechs, sum(e.pj) AS pj FROM asked JOIN result r USING (point)
    JOIN energy e ON e.run = r.run AND e.name IN ('rf_banks', 'rf_crossbar', 'rf_arbiter', 'collectors', 'rf_cache') GROUP BY r.workload, r.mechs)
SELECT e.workload, max(CASE e.mechs WHEN 'malekeh' THEN e.pj / b.pj END) AS malekeh, max(CASE e.mechs WHEN 'bow' THEN e.pj / b.pj END) AS bow,
    max(CASE e.mechs WHEN 'malekeh-pr' THEN e.pj / b.pj END) AS 'malekeh-pr'
FROM e JOIN e b ON b.workload = e.workload AND b.mechs = 'base' GROUP BY e.workload ORDER BY e.workload;

WITH e AS (SELECT r.workload, r.mechs, sum(e.pj) AS pj FROM asked JOIN result r USING (point)
    JOIN energy e ON e.run = r.run AND e.name IN ('rf_banks', 'rf_crossbar', 'rf_arbiter', 'collectors', 'rf_cache') GROUP BY r.workload, r.mechs
), x AS (SELECT e.mechs, avg(e.pj / b.pj) AS ratio FROM e JOIN e b ON b.workload = e.workload AND b.mechs = 'base' GROUP BY e.mechs)
SELECT 'malekeh.fig15' AS claim, 100 * (1 - ratio) AS value FROM x WHERE mechs = 'malekeh'
UNION ALL SELECT 'malekeh.fig15.bow', ratio FROM x WHERE mechs = 'bow';
