WITH w AS (SELECT r.workload, r.mechs, 100.0 * n.value / nullif(w.value, 0) / 2048 AS share FROM asked JOIN result r USING (point)
    JOIN counter n ON n.run = r.run AND n.name = 'sm.window_regs' JOIN counter w ON w.run = r.run AND w.name = 'sm.windows')
SELECT workload, max(CASE mechs WHEN 'base' THEN share END) AS gto, max(CASE mechs WHEN 'rfc-sched' THEN share END) AS 'two-level'
FROM w GROUP BY workload ORDER BY workload;

SELECT 'regless.fig4_2' AS claim, avg(100.0 * n.value / nullif(w.value, 0) / 2048) AS value FROM asked JOIN result r USING (point)
    JOIN counter n ON n.run = r.run AND n.name = 'sm.window_regs' JOIN counter w ON w.run = r.run AND w.name = 'sm.windows'
WHERE r.mechs = 'base';
