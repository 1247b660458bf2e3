-- Cycles for each operand: for other instructions' operands and results, and for its own instruction's.
SELECT r.workload, (w.value - s.value) * 1.0 / n.value AS 'between instructions', s.value * 1.0 / n.value AS 'within one'
FROM asked JOIN result r USING (point)
    JOIN counter n ON n.run = r.run AND n.name = 'sm.reg_reads' AND n.value > 0
    JOIN counter w ON w.run = r.run AND w.name = 'sm.reg_read_wait'
    JOIN counter s ON s.run = r.run AND s.name = 'sm.reg_read_self'
ORDER BY r.workload;

SELECT 'stealing.fig3' AS claim, avg((w.value - s.value) * 1.0 / n.value) AS value
FROM asked JOIN result r USING (point)
    JOIN counter n ON n.run = r.run AND n.name = 'sm.reg_reads' AND n.value > 0
    JOIN counter w ON w.run = r.run AND w.name = 'sm.reg_read_wait'
    JOIN counter s ON s.run = r.run AND s.name = 'sm.reg_read_self';
