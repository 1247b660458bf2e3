SELECT workload,
    max(CASE WHEN mechs = 'rfc-sched' AND options = '' THEN speedup END) AS partitions,
    max(CASE WHEN mechs = 'rfc-sched' AND options <> '' THEN speedup END) AS undivided,
    max(CASE WHEN mechs = 'rfc' THEN speedup END) AS 'with the cache',
    max(CASE WHEN mechs = 'swrfc-sched' AND options = '' THEN speedup END) AS 'software RFC, partitions',
    max(CASE WHEN mechs = 'swrfc-sched' AND options <> '' THEN speedup END) AS 'software RFC, undivided',
    max(CASE WHEN mechs = 'swrfc' THEN speedup END) AS 'software RFC, with the files'
FROM asked JOIN speedup USING (point) GROUP BY workload ORDER BY workload;

-- Fig. 10: cycles that issued, that issued nothing although a warp outside the active set was ready, and the rest.
SELECT r.mechs, r.workload, 100.0 * i.value / c.value AS issued, 100.0 * p.value / c.value AS 'pending warp ready',
    100.0 - 100.0 * (i.value + p.value) / c.value AS 'none ready'
FROM asked JOIN result r USING (point)
    JOIN counter c ON c.run = r.run AND c.name = 'sm.cycles' JOIN counter i ON i.run = r.run AND i.name = 'sm.issued'
    JOIN counter p ON p.run = r.run AND p.name = 'sm.stall_policy'
WHERE r.mechs IN ('rfc-sched', 'swrfc-sched') AND r.options = '' ORDER BY r.mechs, r.workload;

SELECT 'malekeh.fig2.rfc' AS claim, 100 * (1 - avg(speedup)) AS value FROM asked JOIN speedup USING (point) WHERE mechs = 'rfc-sched' AND options = ''
UNION ALL
SELECT 'malekeh.fig2.swrfc', 100 * (1 - avg(speedup)) FROM asked JOIN speedup USING (point) WHERE mechs = 'swrfc-sched' AND options = ''
UNION ALL
SELECT 'malekeh.fig2.rfc_mono', 100 * (1 - avg(speedup)) FROM asked JOIN speedup USING (point) WHERE mechs = 'rfc-sched' AND options <> ''
UNION ALL
SELECT 'malekeh.fig10.rfc', avg(100.0 * p.value / c.value)
FROM asked JOIN result r USING (point) JOIN counter c ON c.run = r.run AND c.name = 'sm.cycles'
    JOIN counter p ON p.run = r.run AND p.name = 'sm.stall_policy'
WHERE r.mechs = 'rfc-sched' AND r.options = ''
UNION ALL
SELECT 'malekeh.fig10.swrfc', avg(100.0 * p.value / c.value)
FROM asked JOIN result r USING (point) JOIN counter c ON c.run = r.run AND c.name = 'sm.cycles'
    JOIN counter p ON p.run = r.run AND p.name = 'sm.stall_policy'
WHERE r.mechs = 'swrfc-sched' AND r.options = '';
