-- IPC over the baseline, the mean of three seeds where lots are drawn.
WITH b AS (SELECT workload, kernel_cycles AS k FROM asked JOIN result USING (point) WHERE mechs = 'base'),
s AS (SELECT workload, r.mechs, r.options, CAST(b.k AS REAL) / r.kernel_cycles AS speedup
    FROM asked JOIN result r USING (point) JOIN b USING (workload) WHERE r.mechs <> 'base')
SELECT workload, avg(CASE mechs WHEN 'malekeh' THEN speedup END) AS malekeh, avg(CASE mechs WHEN 'bow' THEN speedup END) AS bow,
    avg(CASE mechs WHEN 'malekeh-pr' THEN speedup END) AS 'malekeh-pr'
FROM s GROUP BY workload ORDER BY workload;

-- By seed: the mean over the programs that were run with all three.
WITH b AS (SELECT workload, kernel_cycles AS k FROM asked JOIN result USING (point) WHERE mechs = 'base'),
s AS (SELECT workload, r.mechs, r.options, CAST(b.k AS REAL) / r.kernel_cycles AS speedup
    FROM asked JOIN result r USING (point) JOIN b USING (workload) WHERE r.mechs <> 'base'), n AS (SELECT workload, count(DISTINCT options) AS seeds FROM s WHERE mechs = 'malekeh' GROUP BY workload),
m AS (SELECT mechs, options, 100 * (avg(speedup) - 1) AS gain FROM s JOIN n USING (workload) WHERE seeds = 3 GROUP BY mechs, options)
SELECT mechs, avg(gain) AS 'mean %', min(gain) AS 'lowest seed %', max(gain) AS 'highest seed %' FROM m GROUP BY mechs ORDER BY mechs;

WITH b AS (SELECT workload, kernel_cycles AS k FROM asked JOIN result USING (point) WHERE mechs = 'base'),
s AS (SELECT workload, r.mechs, r.options, CAST(b.k AS REAL) / r.kernel_cycles AS speedup
    FROM asked JOIN result r USING (point) JOIN b USING (workload) WHERE r.mechs <> 'base'), m AS (SELECT workload, avg(CASE mechs WHEN 'malekeh' THEN speedup END) AS malekeh, avg(CASE mechs WHEN 'bow' THEN speedup END) AS bow,
    avg(CASE mechs WHEN 'malekeh-pr' THEN speedup END) AS pr FROM s GROUP BY workload)
SELECT 'malekeh.fig12' AS claim, 100 * (avg(malekeh) - 1) AS value FROM m
UNION ALL SELECT 'malekeh.fig12.worst', 100 * (min(malekeh) - 1) FROM m
UNION ALL SELECT 'malekeh.fig12.bow', 100 * (avg(bow / malekeh) - 1) FROM m
UNION ALL SELECT 'malekeh.fig12.pr_over_bow', 100 * (avg(pr / bow) - 1) FROM m;
