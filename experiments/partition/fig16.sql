-- Speedup over the base; the mean of three seeds where lots are drawn.
WITH b AS (SELECT workload, kernel_cycles AS k FROM asked JOIN result USING (point) WHERE mechs = 'base' AND gpu = 'volta20'),
s AS (SELECT r.workload, r.mechs, avg(CAST(b.k AS REAL) / r.kernel_cycles) AS speedup, min(CAST(b.k AS REAL) / r.kernel_cycles) AS lowest,
        max(CAST(b.k AS REAL) / r.kernel_cycles) AS highest
    FROM asked JOIN result r USING (point) JOIN b USING (workload) WHERE r.mechs <> 'base' AND r.gpu = 'volta20' GROUP BY r.workload, r.mechs)
SELECT workload,
    max(CASE mechs WHEN 'srr' THEN speedup END) AS 'srr',
    max(CASE mechs WHEN 'shuffle' THEN speedup END) AS 'shuffle',
    max(CASE mechs WHEN 'rba' THEN speedup END) AS 'rba',
    max(CASE mechs WHEN 'shuffle,rba' THEN speedup END) AS 'shuffle,rba',
    max(CASE mechs WHEN 'fullyconnected' THEN speedup END) AS 'fullyconnected'
FROM s GROUP BY workload ORDER BY workload;

WITH b AS (SELECT workload, kernel_cycles AS k FROM asked JOIN result USING (point) WHERE mechs = 'base' AND gpu = 'volta20'),
s AS (SELECT r.workload, r.mechs, avg(CAST(b.k AS REAL) / r.kernel_cycles) AS speedup, min(CAST(b.k AS REAL) / r.kernel_cycles) AS lowest,
        max(CAST(b.k AS REAL) / r.kernel_cycles) AS highest
    FROM asked JOIN result r USING (point) JOIN b USING (workload) WHERE r.mechs <> 'base' AND r.gpu = 'volta20' GROUP BY r.workload, r.mechs)
SELECT mechs, avg(speedup) AS mean, avg(lowest) AS 'lowest seeds', avg(highest) AS 'highest seeds' FROM s GROUP BY mechs ORDER BY mean;

WITH b AS (SELECT workload, kernel_cycles AS k FROM asked JOIN result USING (point) WHERE mechs = 'base' AND gpu = 'volta20'),
s AS (SELECT r.workload, r.mechs, avg(CAST(b.k AS REAL) / r.kernel_cycles) AS speedup, min(CAST(b.k AS REAL) / r.kernel_cycles) AS lowest,
        max(CAST(b.k AS REAL) / r.kernel_cycles) AS highest
    FROM asked JOIN result r USING (point) JOIN b USING (workload) WHERE r.mechs <> 'base' AND r.gpu = 'volta20' GROUP BY r.workload, r.mechs)
SELECT 'partition.fig16.srr' AS claim, 100 * (avg(speedup) - 1) AS value FROM s WHERE mechs = 'srr'
UNION ALL
SELECT 'partition.fig16.shuffle', 100 * (avg(speedup) - 1) FROM s WHERE mechs = 'shuffle';
