-- Means over the programs, in percent: what 8 banks lose against 16, what stealing gains on 8, and 8 with stealing over 16.
WITH r AS (
    SELECT workload, gpu, mechs, options, CAST(kernel_cycles AS REAL) AS cycles,
        gpu || CASE options WHEN '' THEN '' ELSE ' ' || options END AS machine FROM asked JOIN result USING (point)
), b AS ( -- a point with stealing and the two without, which know nothing of stealing's options
    SELECT s.machine, s.mechs, s.workload, s.cycles, p.cycles AS straight8, q.cycles AS straight16
    FROM r s JOIN r p ON p.workload = s.workload AND p.gpu = s.gpu AND p.mechs = 'banks8' AND p.options = CASE WHEN s.options LIKE 'stealing.%' THEN '' ELSE s.options END
        JOIN r q ON q.workload = s.workload AND q.gpu = s.gpu AND q.mechs = 'base' AND q.options = p.options
    WHERE s.mechs LIKE '%steal%')
SELECT machine, CASE WHEN mechs LIKE '%idle' THEN 'idle' ELSE 'conflict' END AS rule, 100 * (avg(straight16 / straight8) - 1) AS '8 against 16 %',
    100 * (avg(straight8 / cycles) - 1) AS 'stealing on 8 %', 100 * (avg(straight16 / cycles) - 1) AS '8 stealing against 16 %'
FROM b GROUP BY machine, rule ORDER BY machine, rule;
