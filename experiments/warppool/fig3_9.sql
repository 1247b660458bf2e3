-- Percent of the lines that loads ask for.
WITH n AS (
    SELECT r.workload,
        max(CASE c.name WHEN 'warppool.consecutive' THEN c.value END) AS consecutive,
        max(CASE c.name WHEN 'warppool.broadcast' THEN c.value END) AS broadcast,
        max(CASE c.name WHEN 'warppool.single' THEN c.value END) AS single,
        max(CASE c.name WHEN 'warppool.range' THEN c.value END) AS range,
        max(CASE c.name WHEN 'warppool.other' THEN c.value END) AS other,
        nullif(sum(CASE WHEN c.name IN ('warppool.consecutive', 'warppool.broadcast', 'warppool.single', 'warppool.range', 'warppool.other')
            THEN c.value END), 0) / 100.0 AS percent
    FROM asked JOIN result r USING (point) JOIN counter c USING (run) GROUP BY r.run)
SELECT workload, consecutive / percent AS consecutive, broadcast / percent AS broadcast, single / percent AS single,
    range / percent AS range, other / percent AS other FROM n ORDER BY workload;
