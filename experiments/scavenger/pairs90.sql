SELECT c.first, c.second, c.speed, c.second_speed, c.met FROM asked JOIN corun c USING (point) ORDER BY c.first, c.second;

SELECT 'scavenger.fig5_10' AS claim, geomean(nullif(second_speed, 0) / 0.1) AS value FROM asked JOIN corun c USING (point) WHERE met
UNION ALL SELECT 'scavenger.fig5_12', geomean(speed + second_speed) FROM asked JOIN corun c USING (point) WHERE met
UNION ALL SELECT 'scavenger.fig5_14.t90', 100.0 * avg(met) FROM asked JOIN corun c USING (point);
