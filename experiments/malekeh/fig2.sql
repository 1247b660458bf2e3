SELECT workload,
    max(CASE WHEN mechs = 'rfc-sched' AND options NOT LIKE '%sm.schedulers=1%' THEN speedup END) AS partitions,
    max(CASE WHEN mechs = 'rfc-sched' AND options LIKE '%sm.schedulers=1%' THEN speedup END) AS undivided,
    max(CASE WHEN mechs = 'swrfc-sched' AND options NOT LIKE '%sm.schedulers=1%' THEN speedup END) AS 'software RFC, partitions',
    max(CASE WHEN mechs = 'swrfc-sched' AND options LIKE '%sm.schedulers=1%' THEN speedup END) AS 'software RFC, undivided'
FROM asked JOIN speedup USING (point) GROUP BY workload ORDER BY workload;

SELECT 'malekeh.fig2.rfc' AS claim, 100 * (1 - avg(speedup)) AS value FROM asked JOIN speedup USING (point) WHERE mechs = 'rfc-sched' AND options NOT LIKE '%sm.schedulers=1%'
UNION ALL
SELECT 'malekeh.fig2.swrfc', 100 * (1 - avg(speedup)) FROM asked JOIN speedup USING (point) WHERE mechs = 'swrfc-sched' AND options NOT LIKE '%sm.schedulers=1%'
UNION ALL
SELECT 'malekeh.fig2.rfc_mono', 100 * (1 - avg(speedup)) FROM asked JOIN speedup USING (point) WHERE mechs = 'rfc-sched' AND options LIKE '%sm.schedulers=1%';
