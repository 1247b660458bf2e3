SELECT workload,
    max(CASE mechs WHEN 'rba' THEN speedup END) AS rba,
    max(CASE mechs WHEN 'fullyconnected' THEN speedup END) AS fullyconnected,
    max(CASE mechs WHEN 'fullyconnected,rba' THEN speedup END) AS 'fullyconnected,rba'
FROM asked JOIN speedup USING (point) GROUP BY workload ORDER BY fullyconnected, workload;

SELECT 'partition.fig11.fc' AS claim, 100 * (geomean(speedup) - 1) AS value
FROM asked JOIN speedup USING (point) WHERE mechs = 'fullyconnected'
UNION ALL
SELECT 'partition.fig11.fc_rba', 100 * (geomean(speedup) - 1)
FROM asked JOIN speedup USING (point) WHERE mechs = 'fullyconnected,rba';
