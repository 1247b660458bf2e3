SELECT workload,
    max(CASE options WHEN 'sm.banks=8' THEN speedup END) AS 'two banks',
    max(CASE options WHEN 'sm.banks=16' THEN speedup END) AS 'four banks'
FROM asked JOIN speedup USING (point) WHERE mechs = 'subcore-rba-empty' GROUP BY workload ORDER BY 2 DESC, workload;

WITH gain AS (SELECT options, avg(speedup) - 1 AS gain FROM asked JOIN speedup USING (point) WHERE mechs = 'subcore-rba-empty' GROUP BY options)
SELECT 'partition.banks4' AS claim,
    (SELECT gain FROM gain WHERE options = 'sm.banks=16') / (SELECT nullif(gain, 0) FROM gain WHERE options = 'sm.banks=8') AS value;
