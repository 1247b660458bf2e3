-- Gain over the base of turing-accelsim with the same code, in percent.
WITH b AS (SELECT workload, code_order, kernel_cycles AS k FROM asked JOIN result USING (point) WHERE mechs = 'base' AND options = ''),
s AS (SELECT workload, CASE WHEN r.code_order = 'scheduled' THEN 'our compiler''s code: ' || r.mechs
        WHEN options = 'sm.seed=1' THEN 'as claimed'
        WHEN options IN ('sm.issue_latch=0', 'sm.issue_latch=false') THEN 'base, collectors chosen at issue'
        ELSE options END AS reading, 100.0 * (CAST(b.k AS REAL) / r.kernel_cycles - 1) AS gain
    FROM asked JOIN result r USING (point) JOIN b USING (workload, code_order) WHERE r.mechs <> 'base' OR r.options <> '')
SELECT reading, count(*) AS workloads, avg(gain) AS 'mean %', min(gain) AS 'worst %', max(gain) AS 'best %' FROM s GROUP BY reading ORDER BY reading;
