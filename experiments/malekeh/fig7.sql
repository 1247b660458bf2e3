-- By STHLD: IPC over that without waiting, and hit ratio, of the three with the steepest, middle and flattest curve.
WITH r AS (
    SELECT r.workload, CAST(o.value AS INTEGER) AS sthld, r.ipc, 100.0 * h.value / n.value AS hit
    FROM asked JOIN result r USING (point) JOIN run ON run.id = r.run
        JOIN option o ON o.machine = run.machine AND o.name = 'ccu.sthld'
        JOIN counter h ON h.run = r.run AND h.name = 'sm.cache_hits' JOIN counter n ON n.run = r.run AND n.name = 'sm.cache_reads'
), rel AS (SELECT r.workload, r.sthld, r.ipc / z.ipc AS ipc, r.hit FROM r JOIN r z ON z.workload = r.workload AND z.sthld = 0
), last AS (SELECT workload, ipc, row_number() OVER (ORDER BY ipc) AS place, count(*) OVER () AS n FROM rel WHERE sthld = 64)
SELECT sthld, max(CASE WHEN place = 1 THEN rel.ipc END) AS 'steep', max(CASE WHEN place = (n + 1) / 2 THEN rel.ipc END) AS 'middle',
    max(CASE WHEN place = n THEN rel.ipc END) AS 'flat', avg(rel.ipc) AS mean, avg(hit) AS 'hit ratio'
FROM rel JOIN last USING (workload) GROUP BY sthld ORDER BY sthld;

WITH r AS (
    SELECT r.workload, CAST(o.value AS INTEGER) AS sthld, 100.0 * h.value / n.value AS hit, r.ipc
    FROM asked JOIN result r USING (point) JOIN run ON run.id = r.run
        JOIN option o ON o.machine = run.machine AND o.name = 'ccu.sthld'
        JOIN counter h ON h.run = r.run AND h.name = 'sm.cache_hits' JOIN counter n ON n.run = r.run AND n.name = 'sm.cache_reads'
)
SELECT workload, max(CASE sthld WHEN 0 THEN hit END) AS 'hit 0', max(CASE sthld WHEN 8 THEN hit END) AS 'hit 8',
    max(CASE sthld WHEN 64 THEN hit END) AS 'hit 64', max(CASE sthld WHEN 8 THEN ipc END) / max(CASE sthld WHEN 0 THEN ipc END) AS 'ipc 8',
    max(CASE sthld WHEN 64 THEN ipc END) / max(CASE sthld WHEN 0 THEN ipc END) AS 'ipc 64'
FROM r GROUP BY workload ORDER BY workload;
