SELECT workload,
    max(CASE options WHEN 'sm.banks=2' THEN speedup END) AS 'two banks',
    max(CASE options WHEN 'sm.banks=4' THEN speedup END) AS 'four banks'
FROM asked JOIN speedup USING (point) WHERE mechs = 'rba' GROUP BY workload ORDER BY 2 DESC, workload;

WITH gain AS (SELECT options, avg(speedup) - 1 AS gain FROM asked JOIN speedup USING (point) WHERE mechs = 'rba' GROUP BY options)
SELECT 'partition.banks4' AS claim,
    (SELECT gain FROM gain WHERE options = 'sm.banks=4') / (SELECT nullif(gain, 0) FROM gain WHERE options = 'sm.banks=2') AS value;
