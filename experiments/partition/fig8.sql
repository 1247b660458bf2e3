-- Time over round robin's; shuffle is the mean of three seeds, between the luckiest and the unluckiest.
WITH b AS (SELECT workload, kernel_cycles AS k FROM asked JOIN result USING (point) WHERE mechs = 'base' AND gpu = 'volta'),
s AS (SELECT r.workload, r.mechs, avg(CAST(b.k AS REAL) / r.kernel_cycles) AS speedup, min(CAST(b.k AS REAL) / r.kernel_cycles) AS lowest,
        max(CAST(b.k AS REAL) / r.kernel_cycles) AS highest
    FROM asked JOIN result r USING (point) JOIN b USING (workload) WHERE r.mechs <> 'base' AND r.gpu = 'volta' GROUP BY r.workload, r.mechs)
SELECT CAST(substr(workload, 8) AS INTEGER) AS imbalance,
    max(CASE mechs WHEN 'srr' THEN 1 / speedup END) AS srr,
    max(CASE mechs WHEN 'shuffle' THEN 1 / speedup END) AS shuffle,
    max(CASE mechs WHEN 'shuffle' THEN 1 / highest END) AS 'luckiest seed',
    max(CASE mechs WHEN 'shuffle' THEN 1 / lowest END) AS 'unluckiest seed'
FROM s GROUP BY workload ORDER BY imbalance;

WITH b AS (SELECT workload, kernel_cycles AS k FROM asked JOIN result USING (point) WHERE mechs = 'base' AND gpu = 'volta'),
s AS (SELECT r.workload, r.mechs, avg(CAST(b.k AS REAL) / r.kernel_cycles) AS speedup, min(CAST(b.k AS REAL) / r.kernel_cycles) AS lowest,
        max(CAST(b.k AS REAL) / r.kernel_cycles) AS highest
    FROM asked JOIN result r USING (point) JOIN b USING (workload) WHERE r.mechs <> 'base' AND r.gpu = 'volta' GROUP BY r.workload, r.mechs),
time AS (SELECT mechs, 1 / speedup AS ratio FROM s WHERE workload = 'fma_div32')
SELECT 'partition.fig8.srr' AS claim, (SELECT ratio FROM time WHERE mechs = 'srr') AS value
UNION ALL
SELECT 'partition.fig8.shuffle', (SELECT ratio FROM time WHERE mechs = 'shuffle') / (SELECT nullif(ratio, 0) FROM time WHERE mechs = 'srr');
