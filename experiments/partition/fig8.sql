-- Time over round robin's.
SELECT CAST(substr(workload, 8) AS INTEGER) AS imbalance,
    max(CASE mechs WHEN 'srr' THEN 1 / speedup END) AS srr,
    max(CASE mechs WHEN 'shuffle' THEN 1 / speedup END) AS shuffle
FROM asked JOIN speedup USING (point) GROUP BY workload ORDER BY imbalance;

WITH time AS (SELECT mechs, 1 / speedup AS ratio FROM asked JOIN speedup USING (point) WHERE workload = 'fma_div32')
SELECT 'partition.fig8.srr' AS claim, (SELECT ratio FROM time WHERE mechs = 'srr') AS value
UNION ALL
SELECT 'partition.fig8.shuffle', (SELECT ratio FROM time WHERE mechs = 'shuffle') / (SELECT nullif(ratio, 0) FROM time WHERE mechs = 'srr');
