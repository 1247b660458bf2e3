WITH n AS (SELECT workload, mechs, CAST(replace(options, 'sm.onchip_kb=', '') AS INTEGER) AS kb, CAST(kernel_cycles AS REAL) AS t FROM asked JOIN result USING (point))
SELECT n.workload, n.kb AS 'KB', b.t / n.t AS performance FROM n JOIN n b ON b.workload = n.workload AND b.mechs = 'base'
WHERE n.mechs = 'unified' ORDER BY n.workload, n.kb;
