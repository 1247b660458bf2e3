-- All over 16 banks without stealing; * steals from idle banks whatever comes next, + only where that saves a conflict.
SELECT workload,
    max(CASE mechs WHEN 'banks4' THEN speedup END) AS '4', max(CASE mechs WHEN 'banks4,steal-idle' THEN speedup END) AS '4*',
    max(CASE mechs WHEN 'banks4,steal' THEN speedup END) AS '4+',
    max(CASE mechs WHEN 'banks8' THEN speedup END) AS '8', max(CASE mechs WHEN 'banks8,steal-idle' THEN speedup END) AS '8*',
    max(CASE mechs WHEN 'banks8,steal' THEN speedup END) AS '8+',
    max(CASE mechs WHEN 'steal-idle' THEN speedup END) AS '16*', max(CASE mechs WHEN 'steal' THEN speedup END) AS '16+',
    max(CASE mechs WHEN 'banks32' THEN speedup END) AS '32', max(CASE mechs WHEN 'banks32,steal-idle' THEN speedup END) AS '32*',
    max(CASE mechs WHEN 'banks32,steal' THEN speedup END) AS '32+'
FROM asked JOIN speedup USING (point) GROUP BY workload ORDER BY workload;

-- Gains at equal numbers of banks, in percent, by both rules.
WITH r AS (SELECT workload, mechs, speedup, replace(replace(mechs, 'steal-idle', ''), 'steal', '') AS rest FROM asked JOIN speedup USING (point)
), pair AS (
    SELECT s.workload, CASE s.rest WHEN '' THEN 'banks16' ELSE rtrim(s.rest, ',') END AS banks, s.mechs LIKE '%idle' AS idle,
        s.speedup / p.speedup AS gain, s.speedup AS over16
    FROM r s JOIN r p ON p.workload = s.workload AND s.mechs LIKE '%steal%' AND p.mechs = CASE s.rest WHEN '' THEN 'base' ELSE rtrim(s.rest, ',') END
)
SELECT CASE idle WHEN 1 THEN 'idle' ELSE 'conflict' END AS rule, banks, 100 * (avg(gain) - 1) AS 'gain %', 100 * (min(gain) - 1) AS 'lowest %',
    100 * (max(gain) - 1) AS 'highest %', 100 * (avg(over16) - 1) AS 'over 16 banks %'
FROM pair GROUP BY idle, banks ORDER BY idle DESC, CAST(substr(banks, 6) AS INTEGER);

WITH r AS (SELECT workload, mechs, speedup FROM asked JOIN speedup USING (point)
), pair AS ( -- with over without, at the same number of banks
    SELECT s.mechs, s.speedup / p.speedup AS gain FROM r s JOIN r p
    ON p.workload = s.workload AND s.mechs = CASE p.mechs WHEN 'base' THEN 'steal-idle' ELSE p.mechs || ',steal-idle' END
)
SELECT 'stealing.fig8.gain' AS claim, 100 * (avg(mean) - 1) AS value FROM (SELECT avg(gain) AS mean FROM pair GROUP BY mechs)
UNION ALL SELECT 'stealing.fig8.8sv16', 100 * (avg(speedup) - 1) FROM r WHERE mechs = 'banks8,steal-idle'
UNION ALL SELECT 'stealing.fig9', 100 * (avg(gain) - 1) FROM pair WHERE mechs = 'banks8,steal-idle';
