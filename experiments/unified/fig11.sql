-- A CTA of a block of 16 has half a warp, and takes a whole slot.
WITH n AS (SELECT r.workload, CAST(replace(substr(r.options, instr(r.options, 'sm.warps=') + 9, 2), ' ', '') AS INTEGER) AS warps, CAST(r.kernel_cycles AS REAL) AS t,
        (SELECT max(l.shared_b) FROM trace_launch l WHERE l.trace = r.trace) AS cta_b,
        (SELECT max((l.threads + 31) / 32) FROM trace_launch l WHERE l.trace = r.trace) AS cta_warps FROM asked JOIN result r USING (point))
SELECT n.workload, n.warps, n.warps / n.cta_warps * n.cta_b / 1024.0 AS 'KB', b.t / n.t AS performance
FROM n JOIN n b ON b.workload = 'needle64' AND b.warps = 32 WHERE n.warps >= n.cta_warps ORDER BY n.workload, n.warps;
