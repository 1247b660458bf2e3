WITH h AS (SELECT r.workload, r.mechs, 100.0 * h.value / n.value AS share FROM asked JOIN result r USING (point)
    JOIN counter h ON h.run = r.run AND h.name = 'sm.cache_writes' JOIN counter n ON n.run = r.run AND n.name = 'sm.reg_writes' AND n.value > 0)
SELECT workload, avg(CASE mechs WHEN 'malekeh' THEN share END) AS malekeh, avg(CASE mechs WHEN 'bow' THEN share END) AS bow,
    avg(CASE mechs WHEN 'malekeh-pr' THEN share END) AS 'malekeh-pr'
FROM h GROUP BY workload ORDER BY workload;
