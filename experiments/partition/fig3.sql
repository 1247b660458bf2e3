-- Time over that of the layout without empty warps, on the same GPU.
SELECT gpu, max(CASE workload WHEN 'fma_balanced' THEN ratio END) AS balanced, max(CASE workload WHEN 'fma_unbalanced' THEN ratio END) AS unbalanced
FROM (SELECT m.gpu, m.workload, CAST(m.kernel_cycles AS REAL) / b.kernel_cycles AS ratio FROM asked JOIN result m USING (point)
    JOIN result b ON b.workload = 'fma_baseline' AND b.size = m.size AND b.gpu = m.gpu AND b.mechs = 'base' AND b.options = '' AND b.model = m.model)
GROUP BY gpu ORDER BY gpu;

WITH time AS (
    SELECT m.gpu, m.workload, CAST(m.kernel_cycles AS REAL) / b.kernel_cycles AS ratio FROM asked JOIN result m USING (point)
    JOIN result b ON b.workload = 'fma_baseline' AND b.size = m.size AND b.gpu = m.gpu AND b.mechs = 'base' AND b.options = '' AND b.model = m.model
)
SELECT 'partition.fig3.unbalanced' AS claim, (SELECT ratio FROM time WHERE gpu = 'volta' AND workload = 'fma_unbalanced') AS value
UNION ALL SELECT 'partition.fig3.balanced', (SELECT ratio FROM time WHERE gpu = 'volta' AND workload = 'fma_balanced')
UNION ALL SELECT 'partition.fig3.monolithic', (SELECT ratio FROM time WHERE gpu = 'volta-fc' AND workload = 'fma_unbalanced');
