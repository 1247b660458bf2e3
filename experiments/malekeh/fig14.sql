WITH h AS (SELECT r.workload, r.mechs, 100.0 * h.value / n.value AS hit FROM asked JOIN result r USING (point)
    JOIN counter h ON h.run = r.run AND h.name = 'sm.l1_read_hits' JOIN counter n ON n.run = r.run AND n.name = 'sm.l1_reads' AND n.value > 0)
SELECT workload, avg(CASE mechs WHEN 'base' THEN hit END) AS base, avg(CASE mechs WHEN 'malekeh' THEN hit END) AS malekeh,
    avg(CASE mechs WHEN 'bow' THEN hit END) AS bow, avg(CASE mechs WHEN 'malekeh-pr' THEN hit END) AS 'malekeh-pr'
FROM h GROUP BY workload ORDER BY workload;
