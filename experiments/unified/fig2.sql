WITH n AS (SELECT workload, max_regs AS regs, CAST(replace(substr(options, instr(options, 'sm.warps=') + 9, 2), ' ', '') AS INTEGER) * 32 AS threads,
        CAST(kernel_cycles AS REAL) AS t FROM asked JOIN result USING (point))
SELECT n.workload || ' ' || n.regs AS line, n.threads, n.regs * n.threads * 4 / 1024.0 AS 'KB', b.t / n.t AS performance
FROM n JOIN n b ON b.workload = n.workload AND b.regs = 64 AND b.threads = 1024 ORDER BY n.workload, n.regs, n.threads;
