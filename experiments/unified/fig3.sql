WITH n AS (SELECT r.workload, CAST(replace(substr(r.options, instr(r.options, 'sm.warps=') + 9, 2), ' ', '') AS INTEGER) * 32 AS threads, CAST(r.kernel_cycles AS REAL) AS t,
        (SELECT max(1.0 * l.shared_b / l.threads) FROM trace_launch l WHERE l.trace = r.trace) AS per_thread FROM asked JOIN result r USING (point))
SELECT n.workload, n.threads, n.threads * n.per_thread / 1024 AS 'KB', b.t / n.t AS performance
FROM n JOIN n b ON b.workload = n.workload AND b.threads = 1024 ORDER BY n.workload, n.threads;
