WITH n AS (
    SELECT r.workload, CAST(o.value AS REAL) AS tolerance,
        max(CASE c.name WHEN 'scavenger.off' THEN c.value END) AS off, max(CASE c.name WHEN 'scavenger.actual' THEN c.value END) AS actual,
        max(CASE c.name WHEN 'scavenger.profile_cycles' THEN c.value END) AS profile,
        sum(CASE WHEN c.name IN ('scavenger.profile_cycles', 'scavenger.run_cycles', 'scavenger.alone_cycles', 'scavenger.idle_cycles')
            THEN c.value END) AS time
    FROM asked JOIN result r USING (point) JOIN counter c USING (run)
        JOIN option o ON o.machine = r.machine AND o.name = 'share.tolerance' GROUP BY r.run)
SELECT 100 * tolerance AS tolerance, avg(100.0 * off / nullif(actual, 0)) AS error, avg(100.0 * profile / nullif(time, 0)) AS profiling,
    sum(actual > 0) AS 'programs with run intervals'
FROM n GROUP BY tolerance ORDER BY tolerance;
