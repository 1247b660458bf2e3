-- Cycles that issued, that issued nothing although a warp outside the active set was ready (whatever kept the others), and the rest:
-- means, then each.
SELECT r.mechs, avg(100.0 * issued / sched_cycles) AS issued, avg(100.0 * p.value / sched_cycles) AS 'pending warp ready',
    100.0 - avg(100.0 * (issued + p.value) / sched_cycles) AS 'none ready'
FROM asked JOIN result r USING (point) JOIN wide USING (run)
    JOIN counter p ON p.run = r.run AND p.name = 'sm.pending_ready'
GROUP BY r.mechs ORDER BY r.mechs;

SELECT r.workload, r.mechs, 100.0 * issued / sched_cycles AS issued, 100.0 * p.value / sched_cycles AS 'pending warp ready',
    100.0 - 100.0 * (issued + p.value) / sched_cycles AS 'none ready'
FROM asked JOIN result r USING (point) JOIN wide USING (run)
    JOIN counter p ON p.run = r.run AND p.name = 'sm.pending_ready'
ORDER BY r.workload, r.mechs;

WITH p AS (SELECT r.mechs, avg(100.0 * p.value / sched_cycles) AS ready FROM asked JOIN result r USING (point)
    JOIN wide USING (run) JOIN counter p ON p.run = r.run AND p.name = 'sm.pending_ready' GROUP BY r.mechs)
SELECT 'malekeh.fig10.rfc' AS claim, ready AS value FROM p WHERE mechs = 'rfc-sched'
UNION ALL SELECT 'malekeh.fig10.swrfc', ready FROM p WHERE mechs = 'swrfc-sched';
