SELECT workload,
    max(CASE mechs WHEN 'rba' THEN speedup END) AS rba,
    max(CASE mechs WHEN 'srr,rba' THEN speedup END) AS 'srr,rba',
    max(CASE mechs WHEN 'shuffle,rba' THEN speedup END) AS 'shuffle,rba',
    max(CASE mechs WHEN 'fullyconnected' THEN speedup END) AS fullyconnected
FROM asked JOIN speedup USING (point) GROUP BY workload ORDER BY fullyconnected, workload;

SELECT mechs, count(*) AS workloads, avg(speedup) AS mean, geomean(speedup) AS geomean
FROM asked JOIN speedup USING (point) GROUP BY mechs ORDER BY mean;

WITH mean AS (SELECT mechs, avg(speedup) - 1 AS gain FROM asked JOIN speedup USING (point) GROUP BY mechs)
SELECT 'partition.fig1' AS claim, (SELECT 100 * gain FROM mean WHERE mechs = 'fullyconnected') AS value
UNION ALL
SELECT 'partition.fig9.shuffle_rba', (SELECT 100 * gain FROM mean WHERE mechs = 'shuffle,rba')
UNION ALL
SELECT 'partition.fig9.captured',
    100 * (SELECT gain FROM mean WHERE mechs = 'shuffle,rba') / (SELECT nullif(gain, 0) FROM mean WHERE mechs = 'fullyconnected');
