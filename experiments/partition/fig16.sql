SELECT workload,
    max(CASE mechs WHEN 'srr' THEN speedup END) AS srr,
    max(CASE mechs WHEN 'shuffle' THEN speedup END) AS shuffle,
    max(CASE mechs WHEN 'rba' THEN speedup END) AS rba,
    max(CASE mechs WHEN 'shuffle,rba' THEN speedup END) AS 'shuffle,rba',
    max(CASE mechs WHEN 'fullyconnected' THEN speedup END) AS fullyconnected
FROM asked JOIN speedup USING (point) GROUP BY workload ORDER BY workload;

SELECT 'partition.fig16.srr' AS claim, 100 * (avg(speedup) - 1) AS value FROM asked JOIN speedup USING (point) WHERE mechs = 'srr'
UNION ALL
SELECT 'partition.fig16.shuffle', 100 * (avg(speedup) - 1) FROM asked JOIN speedup USING (point) WHERE mechs = 'shuffle';
