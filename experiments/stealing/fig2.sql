-- Performance over 16 banks, which the preset has.
SELECT workload,
    max(CASE mechs WHEN 'banks4' THEN speedup END) AS '4 banks',
    max(CASE mechs WHEN 'banks8' THEN speedup END) AS '8 banks',
    max(CASE mechs WHEN 'banks32' THEN speedup END) AS '32 banks'
FROM asked JOIN speedup USING (point) GROUP BY workload ORDER BY workload;

SELECT 'stealing.fig2.8v16' AS claim, 100 * (1 - avg(speedup)) AS value FROM asked JOIN speedup USING (point) WHERE mechs = 'banks8'
UNION ALL
SELECT 'stealing.fig2.32v16', 100 * (avg(speedup) - 1) FROM asked JOIN speedup USING (point) WHERE mechs = 'banks32';
