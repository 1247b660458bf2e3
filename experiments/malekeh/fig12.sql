-- IPC over the baseline.
SELECT workload, max(CASE mechs WHEN 'malekeh' THEN speedup END) AS malekeh, max(CASE mechs WHEN 'bow' THEN speedup END) AS bow,
    max(CASE mechs WHEN 'malekeh-pr' THEN speedup END) AS 'malekeh-pr'
FROM asked JOIN speedup USING (point) GROUP BY workload ORDER BY workload;

WITH m AS (SELECT workload, max(CASE mechs WHEN 'malekeh' THEN speedup END) AS malekeh, max(CASE mechs WHEN 'bow' THEN speedup END) AS bow,
    max(CASE mechs WHEN 'malekeh-pr' THEN speedup END) AS pr FROM asked JOIN speedup USING (point) GROUP BY workload)
SELECT 'malekeh.fig12' AS claim, 100 * (avg(malekeh) - 1) AS value FROM m
UNION ALL SELECT 'malekeh.fig12.worst', 100 * (min(malekeh) - 1) FROM m
UNION ALL SELECT 'malekeh.fig12.bow', 100 * (avg(bow / malekeh) - 1) FROM m
UNION ALL SELECT 'malekeh.fig12.pr_over_bow', 100 * (avg(pr / bow) - 1) FROM m;
