-- IPC over the baseline.
SELECT workload, max(CASE mechs WHEN 'malekeh' THEN speedup END) AS malekeh, max(CASE mechs WHEN 'bow' THEN speedup END) AS bow,
    max(CASE mechs WHEN 'malekeh-pr' THEN speedup END) AS 'malekeh-pr'
FROM asked JOIN speedup USING (point) GROUP BY workload ORDER BY workload;

-- Fig. 13 and 17: hit ratio of the register cache, %.
WITH h AS (SELECT r.workload, r.mechs, 100.0 * h.value / n.value AS hit FROM asked JOIN result r USING (point)
    JOIN counter h ON h.run = r.run AND h.name = 'sm.cache_hits' JOIN counter n ON n.run = r.run AND n.name = 'sm.cache_reads' AND n.value > 0)
SELECT workload, max(CASE mechs WHEN 'malekeh' THEN hit END) AS malekeh, max(CASE mechs WHEN 'bow' THEN hit END) AS bow,
    max(CASE mechs WHEN 'malekeh-pr' THEN hit END) AS 'malekeh-pr', max(CASE mechs WHEN 'ccu-lru' THEN hit END) AS 'ccu-lru'
FROM h GROUP BY workload ORDER BY workload;

-- Fig. 14: hit ratio of L1, %.
WITH h AS (SELECT r.workload, r.mechs, 100.0 * h.value / n.value AS hit FROM asked JOIN result r USING (point)
    JOIN counter h ON h.run = r.run AND h.name = 'sm.l1_read_hits' JOIN counter n ON n.run = r.run AND n.name = 'sm.l1_reads' AND n.value > 0)
SELECT workload, max(CASE mechs WHEN 'base' THEN hit END) AS base, max(CASE mechs WHEN 'malekeh' THEN hit END) AS malekeh,
    max(CASE mechs WHEN 'bow' THEN hit END) AS bow, max(CASE mechs WHEN 'malekeh-pr' THEN hit END) AS 'malekeh-pr'
FROM h GROUP BY workload ORDER BY workload;

-- Fig. 15: energy of the register file without leakage, over the baseline.
WITH e AS (SELECT r.workload, r.mechs, sum(e.pj) AS pj FROM asked JOIN result r USING (point)
    JOIN energy e ON e.run = r.run AND e.name IN ('rf_banks', 'rf_crossbar', 'rf_arbiter', 'collectors', 'rf_cache') GROUP BY r.workload, r.mechs)
SELECT e.workload, max(CASE e.mechs WHEN 'malekeh' THEN e.pj / b.pj END) AS malekeh, max(CASE e.mechs WHEN 'bow' THEN e.pj / b.pj END) AS bow,
    max(CASE e.mechs WHEN 'malekeh-pr' THEN e.pj / b.pj END) AS 'malekeh-pr'
FROM e JOIN e b ON b.workload = e.workload AND b.mechs = 'base' GROUP BY e.workload ORDER BY e.workload;

-- Fig. 16: results written into the cache, % of all.
WITH h AS (SELECT r.workload, r.mechs, 100.0 * h.value / n.value AS share FROM asked JOIN result r USING (point)
    JOIN counter h ON h.run = r.run AND h.name = 'sm.cache_writes' JOIN counter n ON n.run = r.run AND n.name = 'sm.reg_writes' AND n.value > 0)
SELECT workload, max(CASE mechs WHEN 'malekeh' THEN share END) AS malekeh, max(CASE mechs WHEN 'bow' THEN share END) AS bow,
    max(CASE mechs WHEN 'malekeh-pr' THEN share END) AS 'malekeh-pr'
FROM h GROUP BY workload ORDER BY workload;

WITH s AS (SELECT workload, mechs, speedup FROM asked JOIN speedup USING (point)
), m AS (SELECT workload, max(CASE mechs WHEN 'malekeh' THEN speedup END) AS malekeh, max(CASE mechs WHEN 'bow' THEN speedup END) AS bow,
    max(CASE mechs WHEN 'malekeh-pr' THEN speedup END) AS pr FROM s GROUP BY workload
), h AS (SELECT r.workload, r.mechs, 100.0 * h.value / n.value AS hit FROM asked JOIN result r USING (point)
    JOIN counter h ON h.run = r.run AND h.name = 'sm.cache_hits' JOIN counter n ON n.run = r.run AND n.name = 'sm.cache_reads' AND n.value > 0
), e AS (SELECT r.workload, r.mechs, sum(e.pj) AS pj FROM asked JOIN result r USING (point)
    JOIN energy e ON e.run = r.run AND e.name IN ('rf_banks', 'rf_crossbar', 'rf_arbiter', 'collectors', 'rf_cache') GROUP BY r.workload, r.mechs
), x AS (SELECT e.mechs, avg(e.pj / b.pj) AS ratio FROM e JOIN e b ON b.workload = e.workload AND b.mechs = 'base' GROUP BY e.mechs)
SELECT 'malekeh.fig12' AS claim, 100 * (avg(malekeh) - 1) AS value FROM m
UNION ALL SELECT 'malekeh.fig12.worst', 100 * (min(malekeh) - 1) FROM m
UNION ALL SELECT 'malekeh.fig12.bow', 100 * (avg(bow / malekeh) - 1) FROM m
UNION ALL SELECT 'malekeh.fig12.pr_over_bow', 100 * (avg(pr / bow) - 1) FROM m
UNION ALL SELECT 'malekeh.fig13', avg(hit) FROM h WHERE mechs = 'malekeh'
UNION ALL SELECT 'malekeh.fig13.pr_over_bow', avg(CASE mechs WHEN 'malekeh-pr' THEN hit END) - avg(CASE mechs WHEN 'bow' THEN hit END) FROM h
UNION ALL SELECT 'malekeh.fig15', 100 * (1 - ratio) FROM x WHERE mechs = 'malekeh'
UNION ALL SELECT 'malekeh.fig15.bow', ratio FROM x WHERE mechs = 'bow'
UNION ALL SELECT 'malekeh.fig17', avg(hit) FROM h WHERE mechs = 'ccu-lru';
