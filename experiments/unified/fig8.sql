WITH k AS (SELECT trace, max(regs) AS regs FROM trace_kernel GROUP BY trace),
    n AS (SELECT r.workload, k.regs, max(CASE c.name WHEN 'sm.split_reg_b' THEN c.value END) / 1024.0 AS registers,
        max(CASE c.name WHEN 'sm.split_shared_b' THEN c.value END) / 1024.0 AS shared,
        max(CASE c.name WHEN 'sm.split_cache_b' THEN c.value END) / 1024.0 AS cache,
        max(CASE c.name WHEN 'sm.split_threads' THEN c.value END) AS threads
        FROM asked JOIN result r USING (point) JOIN counter c USING (run) JOIN k ON k.trace = r.trace GROUP BY r.run)
SELECT workload, registers AS 'registers KB', shared AS 'shared memory KB', cache AS 'cache KB', threads, regs AS 'registers a thread' FROM n ORDER BY workload;
