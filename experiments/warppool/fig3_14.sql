SELECT r.workload, max(CASE r.mechs WHEN 'base' THEN CAST(r.kernel_cycles AS REAL) / b.kernel_cycles END) AS base,
    max(CASE r.mechs WHEN 'warppool' THEN CAST(r.kernel_cycles AS REAL) / b.kernel_cycles END) AS warppool
FROM asked JOIN result r USING (point)
    JOIN (SELECT workload, kernel_cycles FROM asked JOIN result USING (point) WHERE workload LIKE '%naive%' AND mechs = 'base') b
    ON substr(r.workload, -5) = substr(b.workload, -5)
GROUP BY r.workload ORDER BY substr(r.workload, -5), base DESC;

WITH r AS (SELECT workload, mechs, CAST(kernel_cycles AS REAL) AS cycles FROM asked JOIN result USING (point)),
    b AS (SELECT cycles FROM r WHERE workload = 'transpose_naive_2048' AND mechs = 'base')
SELECT 'warppool.fig3_14' AS claim,
    (SELECT r.cycles / b.cycles FROM r, b WHERE workload = 'transpose_naive_2048' AND mechs = 'warppool') AS value
UNION ALL SELECT 'warppool.fig3_14.shared',
    (SELECT r.cycles / b.cycles FROM r, b WHERE workload = 'transpose_padded_2048' AND mechs = 'base');
