-- The mean of three seeds where lots are drawn.
WITH h AS (SELECT r.workload, r.mechs, r.options, 100.0 * h.value / n.value AS hit FROM asked JOIN result r USING (point)
    JOIN counter h ON h.run = r.run AND h.name = 'sm.cache_hits' JOIN counter n ON n.run = r.run AND n.name = 'sm.cache_reads' AND n.value > 0)
SELECT workload, avg(CASE mechs WHEN 'malekeh' THEN hit END) AS malekeh, avg(CASE mechs WHEN 'bow' THEN hit END) AS bow,
    avg(CASE mechs WHEN 'malekeh-pr' THEN hit END) AS 'malekeh-pr', avg(CASE mechs WHEN 'ccu-lru' THEN hit END) AS 'ccu-lru'
FROM h GROUP BY workload ORDER BY workload;

WITH h AS (SELECT r.workload, r.mechs, r.options, 100.0 * h.value / n.value AS hit FROM asked JOIN result r USING (point)
    JOIN counter h ON h.run = r.run AND h.name = 'sm.cache_hits' JOIN counter n ON n.run = r.run AND n.name = 'sm.cache_reads' AND n.value > 0), n AS (SELECT workload, count(DISTINCT options) AS seeds FROM h WHERE mechs = 'malekeh' GROUP BY workload),
m AS (SELECT mechs, options, avg(hit) AS hit FROM h JOIN n USING (workload) WHERE seeds = 3 GROUP BY mechs, options)
SELECT mechs, avg(hit) AS 'mean %', min(hit) AS 'lowest seed %', max(hit) AS 'highest seed %' FROM m GROUP BY mechs ORDER BY mechs;

WITH h AS (SELECT r.workload, r.mechs, r.options, 100.0 * h.value / n.value AS hit FROM asked JOIN result r USING (point)
    JOIN counter h ON h.run = r.run AND h.name = 'sm.cache_hits' JOIN counter n ON n.run = r.run AND n.name = 'sm.cache_reads' AND n.value > 0),
m AS (SELECT workload, mechs, avg(hit) AS hit FROM h GROUP BY workload, mechs)
SELECT 'malekeh.fig13' AS claim, avg(hit) AS value FROM m WHERE mechs = 'malekeh'
UNION ALL SELECT 'malekeh.fig13.pr_over_bow', avg(CASE mechs WHEN 'malekeh-pr' THEN hit END) - avg(CASE mechs WHEN 'bow' THEN hit END) FROM m
UNION ALL SELECT 'malekeh.fig17', avg(hit) FROM m WHERE mechs = 'ccu-lru';
