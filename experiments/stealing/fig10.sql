WITH n AS (
    SELECT r.workload, r.mechs, (w.value - s.value) * 1.0 / n.value AS other, s.value * 1.0 / n.value AS within, w.value * 1.0 / n.value AS wait
    FROM asked JOIN result r USING (point)
        JOIN counter n ON n.run = r.run AND n.name = 'sm.reg_reads' AND n.value > 0
        JOIN counter w ON w.run = r.run AND w.name = 'sm.reg_read_wait'
        JOIN counter s ON s.run = r.run AND s.name = 'sm.reg_read_self')
SELECT workload,
    max(CASE mechs WHEN 'banks8' THEN other END) AS 'between instructions', max(CASE mechs WHEN 'banks8' THEN within END) AS 'within one',
    max(CASE mechs WHEN 'banks8,steal-idle' THEN other END) AS 'between, idle', max(CASE mechs WHEN 'banks8,steal-idle' THEN within END) AS 'within, idle',
    max(CASE mechs WHEN 'banks8,steal' THEN other END) AS 'between, conflict', max(CASE mechs WHEN 'banks8,steal' THEN within END) AS 'within, conflict'
FROM n GROUP BY workload ORDER BY workload;

-- How many operands are read ahead, and what that takes from the waiting.
SELECT CASE r.mechs WHEN 'banks8,steal' THEN 'conflict' ELSE 'idle' END AS rule, 100 * avg(a.value * 1.0 / n.value) AS 'read ahead %',
    100 * (1 - avg((w.value - s.value) * 1.0 / n.value) / avg((bw.value - bs.value) * 1.0 / bn.value)) AS 'less between instructions %',
    100 * (1 - avg(s.value * 1.0 / n.value) / avg(bs.value * 1.0 / bn.value)) AS 'less within one %'
FROM asked JOIN result r USING (point) JOIN counter n ON n.run = r.run AND n.name = 'sm.reg_reads' AND n.value > 0
    JOIN counter w ON w.run = r.run AND w.name = 'sm.reg_read_wait' JOIN counter s ON s.run = r.run AND s.name = 'sm.reg_read_self'
    JOIN counter a ON a.run = r.run AND a.name = 'stealing.reads_ahead'
    JOIN (SELECT q.workload, q.run FROM asked JOIN result q USING (point) WHERE q.mechs = 'banks8') b ON b.workload = r.workload
    JOIN counter bn ON bn.run = b.run AND bn.name = 'sm.reg_reads' JOIN counter bw ON bw.run = b.run AND bw.name = 'sm.reg_read_wait'
    JOIN counter bs ON bs.run = b.run AND bs.name = 'sm.reg_read_self'
WHERE r.mechs <> 'banks8' GROUP BY r.mechs ORDER BY 1;

-- All waiting: the paper's figure has both kinds, and stealing removes some of each.
SELECT 'stealing.fig10' AS claim,
    100 * (1 - avg(CASE mechs WHEN 'banks8,steal-idle' THEN wait END) / avg(CASE mechs WHEN 'banks8' THEN wait END)) AS value
FROM (SELECT r.mechs, w.value * 1.0 / n.value AS wait
    FROM asked JOIN result r USING (point)
        JOIN counter n ON n.run = r.run AND n.name = 'sm.reg_reads' AND n.value > 0
        JOIN counter w ON w.run = r.run AND w.name = 'sm.reg_read_wait');
