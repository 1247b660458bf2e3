-- Cycles of each kernel on an H200 (silicon/suite-h200.csv) and on the model, by collector units. The profiler's cycles have the
-- launch in them, so these are the program's and not kernel cycles.
WITH silicon(workload, cycles) AS (VALUES ('bank1', 28646), ('bank2', 59831), ('bank3', 28348), ('bank4', 43703), ('bank5', 28226),
    ('bank6', 43314), ('bank7', 59194))
SELECT workload, s.cycles AS silicon,
    max(CASE r.options WHEN 'sm.collectors=1' THEN r.cycles END) AS 'one unit', max(CASE r.options WHEN 'sm.collectors=2' THEN r.cycles END) AS two,
    max(CASE r.options WHEN 'sm.collectors=3' THEN r.cycles END) AS three, max(CASE r.options WHEN 'sm.collectors=4' THEN r.cycles END) AS four
FROM asked JOIN result r USING (point) JOIN silicon s USING (workload) GROUP BY workload ORDER BY workload;

-- Mean absolute error: the paper finds 16.2% with two units on a V100, the least, and 43% at worst.
WITH silicon(workload, cycles) AS (VALUES ('bank1', 28646), ('bank2', 59831), ('bank3', 28348), ('bank4', 43703), ('bank5', 28226),
    ('bank6', 43314), ('bank7', 59194))
SELECT r.options, 100 * avg(abs(r.cycles - s.cycles) / CAST(s.cycles AS REAL)) AS 'mean absolute error %'
FROM asked JOIN result r USING (point) JOIN silicon s USING (workload) GROUP BY r.options ORDER BY r.options;
