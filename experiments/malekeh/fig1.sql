-- Shares of the reads of a value that was accessed before, by distance; unused values are not among them.
WITH f AS (
    SELECT workload, class, f.value, CASE substr(f.name, 7) WHEN 'more' THEN 33 ELSE CAST(substr(f.name, 7) AS INTEGER) END AS dist
    FROM asked JOIN result USING (point) JOIN uses USING (workload) JOIN trace_fact f USING (trace)
    WHERE paper = 'malekeh' AND f.name LIKE 'reuse.%' AND f.name <> 'reuse.unused'
)
SELECT workload, 100.0 * sum(value * (dist = 1)) / sum(value) AS '1', 100.0 * sum(value * (dist = 2)) / sum(value) AS '2',
    100.0 * sum(value * (dist = 3)) / sum(value) AS '3', 100.0 * sum(value * (dist BETWEEN 4 AND 10)) / sum(value) AS '4 to 10',
    100.0 * sum(value * (dist > 10)) / sum(value) AS 'more'
FROM f GROUP BY workload ORDER BY class, workload;

WITH f AS (
    SELECT class, f.value, CASE substr(f.name, 7) WHEN 'more' THEN 33 ELSE CAST(substr(f.name, 7) AS INTEGER) END AS dist
    FROM asked JOIN result USING (point) JOIN uses USING (workload) JOIN trace_fact f USING (trace)
    WHERE paper = 'malekeh' AND f.name LIKE 'reuse.%' AND f.name <> 'reuse.unused'
)
SELECT CASE class WHEN 'deep' THEN 'malekeh.fig1.deep' ELSE 'malekeh.fig1.rodinia' END AS claim,
    100.0 * sum(value * (dist > 3)) / sum(value) AS value FROM f GROUP BY class = 'deep';
