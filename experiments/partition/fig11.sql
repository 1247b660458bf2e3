SELECT workload,
    max(CASE mechs WHEN 'rba' THEN speedup END) AS 'rba',
    max(CASE mechs WHEN 'subcore-rba-empty' THEN speedup END) AS 'subcore-rba-empty',
    max(CASE mechs WHEN 'subcore-fc' THEN speedup END) AS 'subcore-fc',
    max(CASE mechs WHEN 'subcore-fc,rba' THEN speedup END) AS 'subcore-fc,rba',
    max(CASE mechs WHEN 'subcore-fc,subcore-rba-empty' THEN speedup END) AS 'subcore-fc,subcore-rba-empty'
FROM asked JOIN speedup USING (point) GROUP BY workload ORDER BY max(CASE mechs WHEN 'subcore-fc' THEN speedup END), workload;

SELECT mechs, count(*) AS workloads, geomean(speedup) AS geomean, avg(speedup) AS mean FROM asked JOIN speedup USING (point) GROUP BY mechs ORDER BY geomean;

SELECT 'partition.fig11.fc' AS claim, 100 * (geomean(speedup) - 1) AS value
FROM asked JOIN speedup USING (point) WHERE mechs = 'subcore-fc'
UNION ALL
SELECT 'partition.fig11.fc_rba', 100 * (geomean(speedup) - 1)
FROM asked JOIN speedup USING (point) WHERE mechs = 'subcore-fc,subcore-rba-empty';
