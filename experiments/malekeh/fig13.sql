WITH h AS (SELECT r.workload, r.mechs, 100.0 * h.value / n.value AS hit FROM asked JOIN result r USING (point)
    JOIN counter h ON h.run = r.run AND h.name = 'sm.cache_hits' JOIN counter n ON n.run = r.run AND n.name = 'sm.cache_reads' AND n.value > 0)
SELECT workload, max(CASE mechs WHEN 'malekeh' THEN hit END) AS malekeh, max(CASE mechs WHEN 'bow' THEN hit END) AS bow,
    max(CASE mechs WHEN 'malekeh-pr' THEN hit END) AS 'malekeh-pr', max(CASE mechs WHEN 'ccu-lru' THEN hit END) AS 'ccu-lru'
FROM h GROUP BY workload ORDER BY workload;

WITH h AS (SELECT r.workload, r.mechs, 100.0 * h.value / n.value AS hit FROM asked JOIN result r USING (point)
    JOIN counter h ON h.run = r.run AND h.name = 'sm.cache_hits' JOIN counter n ON n.run = r.run AND n.name = 'sm.cache_reads' AND n.value > 0)
SELECT 'malekeh.fig13' AS claim, avg(hit) AS value FROM h WHERE mechs = 'malekeh'
UNION ALL SELECT 'malekeh.fig13.pr_over_bow', avg(CASE mechs WHEN 'malekeh-pr' THEN hit END) - avg(CASE mechs WHEN 'bow' THEN hit END) FROM h
UNION ALL SELECT 'malekeh.fig17', avg(hit) FROM h WHERE mechs = 'ccu-lru';
