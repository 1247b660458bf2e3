-- Speedup over the base; the mean of three seeds where lots are drawn.
WITH b AS (SELECT workload, kernel_cycles AS k FROM asked JOIN result USING (point) WHERE mechs = 'base' AND gpu = 'volta20-accelsim'),
s AS (SELECT r.workload, r.mechs, avg(CAST(b.k AS REAL) / r.kernel_cycles) AS speedup, min(CAST(b.k AS REAL) / r.kernel_cycles) AS lowest,
        max(CAST(b.k AS REAL) / r.kernel_cycles) AS highest
    FROM asked JOIN result r USING (point) JOIN b USING (workload) WHERE r.mechs <> 'base' AND r.gpu = 'volta20-accelsim' GROUP BY r.workload, r.mechs)
SELECT workload,
    max(CASE mechs WHEN 'rba' THEN speedup END) AS 'rba',
    max(CASE mechs WHEN 'subcore-rba-empty' THEN speedup END) AS 'subcore-rba-empty',
    max(CASE mechs WHEN 'srr,subcore-rba-empty' THEN speedup END) AS 'srr,subcore-rba-empty',
    max(CASE mechs WHEN 'shuffle,subcore-rba-empty' THEN speedup END) AS 'shuffle,subcore-rba-empty',
    max(CASE mechs WHEN 'subcore-fc' THEN speedup END) AS 'subcore-fc'
FROM s GROUP BY workload ORDER BY max(CASE mechs WHEN 'subcore-fc' THEN speedup END), workload;

WITH b AS (SELECT workload, kernel_cycles AS k FROM asked JOIN result USING (point) WHERE mechs = 'base' AND gpu = 'volta20-accelsim'),
s AS (SELECT r.workload, r.mechs, avg(CAST(b.k AS REAL) / r.kernel_cycles) AS speedup, min(CAST(b.k AS REAL) / r.kernel_cycles) AS lowest,
        max(CAST(b.k AS REAL) / r.kernel_cycles) AS highest
    FROM asked JOIN result r USING (point) JOIN b USING (workload) WHERE r.mechs <> 'base' AND r.gpu = 'volta20-accelsim' GROUP BY r.workload, r.mechs)
SELECT mechs, count(*) AS workloads, avg(speedup) AS mean, avg(lowest) AS 'lowest seeds', avg(highest) AS 'highest seeds', geomean(speedup) AS geomean
FROM s GROUP BY mechs ORDER BY mean;

WITH b AS (SELECT workload, kernel_cycles AS k FROM asked JOIN result USING (point) WHERE mechs = 'base' AND gpu = 'volta20-accelsim'),
s AS (SELECT r.workload, r.mechs, avg(CAST(b.k AS REAL) / r.kernel_cycles) AS speedup, min(CAST(b.k AS REAL) / r.kernel_cycles) AS lowest,
        max(CAST(b.k AS REAL) / r.kernel_cycles) AS highest
    FROM asked JOIN result r USING (point) JOIN b USING (workload) WHERE r.mechs <> 'base' AND r.gpu = 'volta20-accelsim' GROUP BY r.workload, r.mechs),
mean AS (SELECT mechs, avg(speedup) - 1 AS gain FROM s GROUP BY mechs)
SELECT 'partition.fig1' AS claim, (SELECT 100 * gain FROM mean WHERE mechs = 'subcore-fc') AS value
UNION ALL
SELECT 'partition.fig9.shuffle_rba', (SELECT 100 * gain FROM mean WHERE mechs = 'shuffle,subcore-rba-empty')
UNION ALL
SELECT 'partition.fig9.captured',
    100 * (SELECT gain FROM mean WHERE mechs = 'shuffle,subcore-rba-empty') / (SELECT nullif(gain, 0) FROM mean WHERE mechs = 'subcore-fc');
