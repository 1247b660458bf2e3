SELECT workload,
    max(CASE WHEN mechs = 'rfc-sched' AND options = '' THEN speedup END) AS partitions,
    max(CASE WHEN mechs = 'rfc-sched' AND options <> '' THEN speedup END) AS undivided,
    max(CASE WHEN mechs = 'rfc' THEN speedup END) AS 'with the cache',
    max(CASE WHEN mechs = 'swrfc-sched' AND options = '' THEN speedup END) AS 'software RFC, partitions',
    max(CASE WHEN mechs = 'swrfc-sched' AND options <> '' THEN speedup END) AS 'software RFC, undivided',
    max(CASE WHEN mechs = 'swrfc' THEN speedup END) AS 'software RFC, with the files'
FROM asked JOIN speedup USING (point) GROUP BY workload ORDER BY workload;

SELECT 'malekeh.fig2.rfc' AS claim, 100 * (1 - avg(speedup)) AS value FROM asked JOIN speedup USING (point) WHERE mechs = 'rfc-sched' AND options = ''
UNION ALL
SELECT 'malekeh.fig2.swrfc', 100 * (1 - avg(speedup)) FROM asked JOIN speedup USING (point) WHERE mechs = 'swrfc-sched' AND options = ''
UNION ALL
SELECT 'malekeh.fig2.rfc_mono', 100 * (1 - avg(speedup)) FROM asked JOIN speedup USING (point) WHERE mechs = 'rfc-sched' AND options <> '';
