WITH n AS (
    SELECT r.workload, r.run, r.kernel_cycles AS cycles, w.sched_cycles,
        max(CASE c.name WHEN 'sm.mem_lines' THEN c.value END) AS lines,
        sum(CASE WHEN c.name IN ('sm.global_loads', 'sm.global_stores', 'sm.local_accesses', 'sm.atomics') THEN c.value END) AS accesses,
        max(CASE c.name WHEN 'sm.stall_lsu' THEN c.value END) AS lsu,
        max(CASE c.name WHEN 'sm.l1_stall' THEN c.value END) AS full,
        max(CASE c.name WHEN 'sm.mshr_cycles' THEN c.value END) AS misses
    FROM asked JOIN result r USING (point) JOIN wide w USING (run) JOIN counter c USING (run) GROUP BY r.run)
SELECT n.workload, CAST(lines AS REAL) / nullif(accesses, 0) AS lines_per_access,
    100.0 * lsu / sched_cycles AS 'ready, held back by the load-store unit (%)',
    100.0 * full / (cycles * 15) AS 'L1 out of miss entries (%)',
    CAST(misses AS REAL) / (cycles * 15) AS misses_in_flight
FROM n ORDER BY lines_per_access DESC, workload;
