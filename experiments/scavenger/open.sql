-- By changed option: pairs that reach the target, the primary's speed, the secondary's over temporal partitioning where it was reached, and the
-- most that either speed of a pair is away from what it is without the change.
WITH p AS (
    SELECT c.*, trim(replace(replace(replace(c.options, 'gpu.insts=500000000', ''), 'gpu.most_cyc=4000000', ''), 'share.target=0.9', ''))
        AS changed
    FROM asked JOIN corun c USING (point))
SELECT CASE changed WHEN '' THEN 'as it is' ELSE replace(changed, 'share.', '') END AS option, count(*) AS n,
    100.0 * avg(p.met) AS reached, geomean(p.speed) AS 'primary',
    geomean(CASE WHEN p.met THEN nullif(p.second_speed, 0) / 0.1 END) AS secondary,
    max(abs(p.speed - b.speed)) AS 'primary moves by', max(abs(p.second_speed - b.second_speed)) AS 'secondary moves by'
FROM p JOIN (SELECT first, second, speed, second_speed FROM p WHERE changed = '') b USING (first, second)
GROUP BY changed ORDER BY changed <> '', changed;
