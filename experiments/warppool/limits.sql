SELECT workload, max(CASE mechs WHEN 'warppool' THEN speedup END) AS warppool, max(CASE mechs WHEN 'swl' THEN speedup END) AS swl,
    max(CASE mechs WHEN 'warppool,swl' THEN speedup END) AS 'warppool,swl'
FROM asked JOIN speedup USING (point) WHERE options = '' GROUP BY workload ORDER BY workload;

-- Instruction queues of 16 entries beside those of 8.
SELECT m.workload, CAST(b.kernel_cycles AS REAL) / m.kernel_cycles AS speedup
FROM asked JOIN result m USING (point) JOIN result b ON b.workload = m.workload AND b.size = m.size AND b.gpu = m.gpu
    AND b.mechs = 'warppool' AND b.options = '' AND b.trace = m.trace AND b.model = m.model
WHERE m.options <> '' ORDER BY m.workload;
