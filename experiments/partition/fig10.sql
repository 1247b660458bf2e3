SELECT workload,
    max(CASE mechs WHEN 'rba' THEN speedup END) AS rba,
    max(CASE mechs WHEN 'shuffle' THEN speedup END) AS shuffle,
    max(CASE mechs WHEN 'shuffle,rba' THEN speedup END) AS 'shuffle,rba',
    max(CASE mechs WHEN 'steal' THEN speedup END) AS steal,
    max(CASE mechs WHEN 'fullyconnected' THEN speedup END) AS fullyconnected
FROM asked JOIN speedup USING (point) GROUP BY workload ORDER BY workload;

SELECT mechs, class, count(*) AS workloads, avg(speedup) AS mean, geomean(speedup) AS geomean
FROM asked JOIN speedup USING (point) JOIN uses USING (workload) WHERE paper = 'partition' GROUP BY mechs, class ORDER BY mechs, class;

WITH mean AS (SELECT mechs, 100 * (avg(speedup) - 1) AS gain FROM asked JOIN speedup USING (point) GROUP BY mechs)
SELECT 'partition.fig10.rba' AS claim, (SELECT gain FROM mean WHERE mechs = 'rba') AS value
UNION ALL SELECT 'partition.fig10.sensitive', (SELECT gain FROM mean WHERE mechs = 'shuffle,rba')
UNION ALL SELECT 'partition.fig10.steal', (SELECT gain FROM mean WHERE mechs = 'steal');
