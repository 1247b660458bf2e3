-- By class of pair and target: secondary throughput over temporal partitioning (Fig. 5.10), the primary's (Fig. 5.11), both together over
-- temporal partitioning (Fig. 5.12), pairs that reach the target and by how many percent the others miss it (Fig. 5.14), revenue (Fig. 5.15).
WITH p AS (
    SELECT c.*, CASE a.class WHEN 'compute' THEN 'COM' ELSE 'MEM' END || ' x ' || CASE b.class WHEN 'compute' THEN 'COM' ELSE 'MEM' END AS class
    FROM asked JOIN corun c USING (point) JOIN uses a ON a.workload = c.first AND a.paper = 'scavenger'
        JOIN uses b ON b.workload = c.second AND b.paper = 'scavenger')
SELECT class || ' ' || round(100 * target) || '%' AS pairs, count(*) AS n,
    geomean(CASE WHEN met THEN nullif(second_speed, 0) / (1 - target) END) AS secondary,
    geomean(speed) AS 'primary', geomean(CASE WHEN met THEN speed + second_speed END) AS total, 100.0 * avg(met) AS reached,
    100 * avg(CASE WHEN NOT met THEN target - speed END) AS missed_by, avg(target + second_speed - 1) AS revenue
FROM p GROUP BY class, target ORDER BY target, class;

-- All pairs.
SELECT c.first, c.second, c.target, c.speed, c.second_speed, c.met, c.parked, c.switch_b
FROM asked JOIN corun c USING (point) ORDER BY c.target, c.first, c.second;

WITH p AS (
    SELECT c.*, a.class || b.class AS class
    FROM asked JOIN corun c USING (point) JOIN uses a ON a.workload = c.first AND a.paper = 'scavenger'
        JOIN uses b ON b.workload = c.second AND b.paper = 'scavenger')
SELECT 'scavenger.fig5_15' AS claim, max(revenue) AS value FROM (SELECT avg(target + second_speed - 1) AS revenue FROM p GROUP BY class, target);
