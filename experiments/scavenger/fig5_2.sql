-- Percent of SM cycles in which a unit got an instruction, and in which the load-store unit could not go on. `class` is Table 5.4's;
-- `half` is what the thesis' rule makes of it here: compute-bound if units get an instruction in more than half of the cycles.
WITH n AS (
    SELECT r.workload, r.kernel_cycles * CAST(o.value AS REAL) AS cycles,
        max(CASE c.name WHEN 'scavenger.compute_cycles' THEN c.value END) AS compute,
        max(CASE c.name WHEN 'scavenger.lsu_stalled' THEN c.value END) AS stalled
    FROM asked JOIN result r USING (point) JOIN counter c USING (run) JOIN option o ON o.machine = r.machine AND o.name = 'gpu.sms'
    GROUP BY r.run)
SELECT n.workload, 100 * compute / cycles AS compute, 100 * stalled / cycles AS 'load-store unit stalled',
    CASE u.class WHEN 'compute' THEN 'COM' ELSE 'MEM' END AS class, CASE WHEN compute > cycles / 2 THEN 'COM' ELSE 'MEM' END AS half
FROM n JOIN uses u ON u.workload = n.workload AND u.paper = 'scavenger' ORDER BY compute DESC;
