WITH n AS (
    SELECT r.workload,
        max(CASE c.name WHEN 'scavenger.off' THEN c.value END) AS off, max(CASE c.name WHEN 'scavenger.actual' THEN c.value END) AS actual,
        max(CASE c.name WHEN 'scavenger.profile_cycles' THEN c.value END) AS profile,
        sum(CASE WHEN c.name IN ('scavenger.profile_cycles', 'scavenger.run_cycles', 'scavenger.alone_cycles', 'scavenger.idle_cycles')
            THEN c.value END) AS time
    FROM asked JOIN result r USING (point) JOIN counter c USING (run)
        JOIN option o ON o.machine = r.machine AND o.name = 'share.tolerance' AND CAST(o.value AS REAL) = 0.075 GROUP BY r.run)
SELECT workload, 100.0 * off / nullif(actual, 0) AS error, 100.0 * profile / nullif(time, 0) AS profiling FROM n ORDER BY workload;

WITH n AS (
    SELECT r.workload,
        max(CASE c.name WHEN 'scavenger.off' THEN c.value END) AS off, max(CASE c.name WHEN 'scavenger.actual' THEN c.value END) AS actual,
        max(CASE c.name WHEN 'scavenger.profile_cycles' THEN c.value END) AS profile,
        sum(CASE WHEN c.name IN ('scavenger.profile_cycles', 'scavenger.run_cycles', 'scavenger.alone_cycles', 'scavenger.idle_cycles')
            THEN c.value END) AS time
    FROM asked JOIN result r USING (point) JOIN counter c USING (run)
        JOIN option o ON o.machine = r.machine AND o.name = 'share.tolerance' AND CAST(o.value AS REAL) = 0.075 GROUP BY r.run)
SELECT 'scavenger.fig5_13.error' AS claim, avg(100.0 * off / nullif(actual, 0)) AS value FROM n
UNION ALL SELECT 'scavenger.fig5_13.time', avg(100.0 * profile / nullif(time, 0)) FROM n;
