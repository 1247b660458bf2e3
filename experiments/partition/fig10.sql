-- Speedup over the base; the mean of three seeds where lots are drawn.
WITH b AS (SELECT workload, kernel_cycles AS k FROM asked JOIN result USING (point) WHERE mechs = 'base' AND gpu = 'volta20-accelsim'),
s AS (SELECT r.workload, r.mechs, avg(CAST(b.k AS REAL) / r.kernel_cycles) AS speedup, min(CAST(b.k AS REAL) / r.kernel_cycles) AS lowest,
        max(CAST(b.k AS REAL) / r.kernel_cycles) AS highest
    FROM asked JOIN result r USING (point) JOIN b USING (workload) WHERE r.mechs <> 'base' AND r.gpu = 'volta20-accelsim' GROUP BY r.workload, r.mechs)
SELECT workload,
    max(CASE mechs WHEN 'rba' THEN speedup END) AS 'rba',
    max(CASE mechs WHEN 'subcore-rba-empty' THEN speedup END) AS 'subcore-rba-empty',
    max(CASE mechs WHEN 'random' THEN speedup END) AS 'random',
    max(CASE mechs WHEN 'srr' THEN speedup END) AS 'srr',
    max(CASE mechs WHEN 'shuffle' THEN speedup END) AS 'shuffle',
    max(CASE mechs WHEN 'shuffle,subcore-rba-empty' THEN speedup END) AS 'shuffle,subcore-rba-empty',
    max(CASE mechs WHEN 'subcore-fc' THEN speedup END) AS 'subcore-fc'
FROM s GROUP BY workload ORDER BY workload;

WITH b AS (SELECT workload, kernel_cycles AS k FROM asked JOIN result USING (point) WHERE mechs = 'base' AND gpu = 'volta20-accelsim'),
s AS (SELECT r.workload, r.mechs, avg(CAST(b.k AS REAL) / r.kernel_cycles) AS speedup, min(CAST(b.k AS REAL) / r.kernel_cycles) AS lowest,
        max(CAST(b.k AS REAL) / r.kernel_cycles) AS highest
    FROM asked JOIN result r USING (point) JOIN b USING (workload) WHERE r.mechs <> 'base' AND r.gpu = 'volta20-accelsim' GROUP BY r.workload, r.mechs)
SELECT mechs, class, count(*) AS workloads, avg(speedup) AS mean, avg(lowest) AS 'lowest seeds', avg(highest) AS 'highest seeds', geomean(speedup) AS geomean
FROM s JOIN uses USING (workload) WHERE paper = 'partition' GROUP BY mechs, class ORDER BY mechs, class;

WITH b AS (SELECT workload, kernel_cycles AS k FROM asked JOIN result USING (point) WHERE mechs = 'base' AND gpu = 'volta20-accelsim'),
s AS (SELECT r.workload, r.mechs, avg(CAST(b.k AS REAL) / r.kernel_cycles) AS speedup, min(CAST(b.k AS REAL) / r.kernel_cycles) AS lowest,
        max(CAST(b.k AS REAL) / r.kernel_cycles) AS highest
    FROM asked JOIN result r USING (point) JOIN b USING (workload) WHERE r.mechs <> 'base' AND r.gpu = 'volta20-accelsim' GROUP BY r.workload, r.mechs),
mean AS (SELECT mechs, 100 * (avg(speedup) - 1) AS gain FROM s GROUP BY mechs),
steal AS (SELECT 100 * (avg(CAST(b.kernel_cycles AS REAL) / m.kernel_cycles) - 1) AS gain FROM (SELECT * FROM asked JOIN result USING (point)
    WHERE gpu = 'volta20' AND mechs = 'steal') m JOIN (SELECT * FROM asked JOIN result USING (point) WHERE gpu = 'volta20' AND mechs = 'base') b USING (workload))
SELECT 'partition.fig10.rba' AS claim, (SELECT gain FROM mean WHERE mechs = 'subcore-rba-empty') AS value
UNION ALL SELECT 'partition.fig10.sensitive', (SELECT gain FROM mean WHERE mechs = 'shuffle,subcore-rba-empty')
UNION ALL SELECT 'partition.fig10.steal', (SELECT gain FROM steal);
