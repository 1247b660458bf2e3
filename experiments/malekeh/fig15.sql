-- The mean of three seeds where lots are drawn.
WITH e AS (SELECT r.workload, r.mechs, r.run, sum(e.pj) AS pj FROM asked JOIN result r USING (point)
    JOIN energy e ON e.run = r.run AND e.name IN ('rf_banks', 'rf_crossbar', 'rf_arbiter', 'collectors', 'rf_cache') GROUP BY r.workload, r.mechs, r.run),
x AS (SELECT e.workload, e.mechs, avg(e.pj / b.pj) AS ratio FROM e JOIN e b ON b.workload = e.workload AND b.mechs = 'base' GROUP BY e.workload, e.mechs)
SELECT workload, max(CASE mechs WHEN 'malekeh' THEN ratio END) AS malekeh, max(CASE mechs WHEN 'bow' THEN ratio END) AS bow,
    max(CASE mechs WHEN 'malekeh-pr' THEN ratio END) AS 'malekeh-pr' FROM x WHERE mechs <> 'base' GROUP BY workload ORDER BY workload;

WITH e AS (SELECT r.workload, r.mechs, r.run, sum(e.pj) AS pj FROM asked JOIN result r USING (point)
    JOIN energy e ON e.run = r.run AND e.name IN ('rf_banks', 'rf_crossbar', 'rf_arbiter', 'collectors', 'rf_cache') GROUP BY r.workload, r.mechs, r.run),
x AS (SELECT e.workload, e.mechs, avg(e.pj / b.pj) AS ratio FROM e JOIN e b ON b.workload = e.workload AND b.mechs = 'base' GROUP BY e.workload, e.mechs)
SELECT 'malekeh.fig15' AS claim, 100 * (1 - avg(ratio)) AS value FROM x WHERE mechs = 'malekeh'
UNION ALL SELECT 'malekeh.fig15.bow', avg(ratio) FROM x WHERE mechs = 'bow';
