WITH n AS (SELECT r.workload, r.cycles, max(CASE c.name WHEN 'regless.l1_reads' THEN c.value END) AS reads,
        max(CASE c.name WHEN 'regless.l1_writes' THEN c.value END) AS writes
    FROM asked JOIN result r USING (point) JOIN counter c USING (run) GROUP BY r.run)
SELECT workload, 1.0 * reads / cycles / 16 AS reads, 1.0 * writes / cycles / 16 AS writes FROM n ORDER BY workload;

SELECT 'regless.fig4_18' AS claim, avg(1.0 * (a.value + b.value) / r.cycles / 16) AS value FROM asked JOIN result r USING (point)
    JOIN counter a ON a.run = r.run AND a.name = 'regless.l1_reads' JOIN counter b ON b.run = r.run AND b.name = 'regless.l1_writes';
