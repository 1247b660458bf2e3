SELECT c.first, c.second, c.speed, c.second_speed, c.met FROM asked JOIN corun c USING (point) ORDER BY c.first, c.second;

SELECT 'scavenger.fig5_14.t95' AS claim, 100.0 * avg(met) AS value FROM asked JOIN corun c USING (point);
