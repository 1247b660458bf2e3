SELECT t.workload, max(CASE t.mechs WHEN 'regless' THEN 1.0 * t.cycles / b.cycles END) AS regless,
    max(CASE t.mechs WHEN 'regless-nocomp' THEN 1.0 * t.cycles / b.cycles END) AS 'no compressor',
    max(CASE t.mechs WHEN 'rfv' THEN 1.0 * t.cycles / b.cycles END) AS rfv, max(CASE t.mechs WHEN 'rfh' THEN 1.0 * t.cycles / b.cycles END) AS rfh
FROM (SELECT r.* FROM asked JOIN result r USING (point)) t JOIN (SELECT r.* FROM asked JOIN result r USING (point)) b
    ON b.workload = t.workload AND b.mechs = 'base' GROUP BY t.workload ORDER BY t.workload;

WITH t AS (SELECT r.workload, r.mechs, r.cycles FROM asked JOIN result r USING (point)
), x AS (SELECT t.mechs, exp(avg(ln(1.0 * t.cycles / b.cycles))) AS ratio FROM t JOIN t b ON b.workload = t.workload AND b.mechs = 'base' GROUP BY t.mechs)
SELECT 'regless.fig4_16' AS claim, ratio AS value FROM x WHERE mechs = 'regless'
UNION ALL SELECT 'regless.fig4_16.nocomp', ratio FROM x WHERE mechs = 'regless-nocomp';
