SELECT workload,
    max(CASE WHEN mechs = 'banks8' THEN other END) AS 'between instructions', max(CASE WHEN mechs = 'banks8' THEN within END) AS 'within one',
    max(CASE WHEN mechs <> 'banks8' THEN other END) AS 'between, stealing', max(CASE WHEN mechs <> 'banks8' THEN within END) AS 'within, stealing'
FROM (SELECT r.workload, r.mechs, (w.value - s.value) * 1.0 / n.value AS other, s.value * 1.0 / n.value AS within
    FROM asked JOIN result r USING (point)
        JOIN counter n ON n.run = r.run AND n.name = 'sm.reg_reads' AND n.value > 0
        JOIN counter w ON w.run = r.run AND w.name = 'sm.reg_read_wait'
        JOIN counter s ON s.run = r.run AND s.name = 'sm.reg_read_self')
GROUP BY workload ORDER BY workload;

-- All waiting: the paper's figure has both kinds, and stealing removes some of each.
SELECT 'stealing.fig10' AS claim,
    100 * (1 - avg(CASE WHEN mechs <> 'banks8' THEN wait END) / avg(CASE WHEN mechs = 'banks8' THEN wait END)) AS value
FROM (SELECT r.mechs, w.value * 1.0 / n.value AS wait
    FROM asked JOIN result r USING (point)
        JOIN counter n ON n.run = r.run AND n.name = 'sm.reg_reads' AND n.value > 0
        JOIN counter w ON w.run = r.run AND w.name = 'sm.reg_read_wait');
