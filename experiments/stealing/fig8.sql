-- All over 16 banks without stealing.
SELECT workload,
    max(CASE mechs WHEN 'banks4' THEN speedup END) AS '4', max(CASE mechs WHEN 'banks4,steal' THEN speedup END) AS '4, stealing',
    max(CASE mechs WHEN 'banks8' THEN speedup END) AS '8', max(CASE mechs WHEN 'banks8,steal' THEN speedup END) AS '8, stealing',
    max(CASE mechs WHEN 'steal' THEN speedup END) AS '16, stealing',
    max(CASE mechs WHEN 'banks32' THEN speedup END) AS '32', max(CASE mechs WHEN 'banks32,steal' THEN speedup END) AS '32, stealing'
FROM asked JOIN speedup USING (point) GROUP BY workload ORDER BY workload;

WITH r AS (SELECT workload, mechs, speedup FROM asked JOIN speedup USING (point)
), pair AS ( -- with over without, at the same number of banks
    SELECT s.mechs, s.speedup / p.speedup AS gain FROM r s JOIN r p
    ON p.workload = s.workload AND s.mechs = CASE p.mechs WHEN 'base' THEN 'steal' ELSE p.mechs || ',steal' END
)
SELECT 'stealing.fig8.gain' AS claim, 100 * (avg(mean) - 1) AS value FROM (SELECT avg(gain) AS mean FROM pair GROUP BY mechs)
UNION ALL SELECT 'stealing.fig8.8sv16', 100 * (avg(speedup) - 1) FROM r WHERE mechs = 'banks8,steal'
UNION ALL SELECT 'stealing.fig9', 100 * (avg(gain) - 1) FROM pair WHERE mechs = 'banks8,steal';
