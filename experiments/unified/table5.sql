WITH n AS (SELECT r.workload, r.mechs, json_extract(d.list, '$[0]') AS one, json_extract(d.list, '$[1]') AS two,
        json_extract(d.list, '$[2]') AS three, json_extract(d.list, '$[3]') AS four, json_extract(d.list, '$[4]') AS more, CAST(r.warp_insts AS REAL) AS all_of
        FROM asked JOIN result r USING (point) JOIN distribution d ON d.run = r.run AND d.name = 'sm.bank_max')
SELECT CASE mechs WHEN 'base' THEN 'partitioned' ELSE mechs END AS design, avg(100 * one / all_of) AS 'at most 1', avg(100 * two / all_of) AS '2',
    avg(100 * three / all_of) AS '3', avg(100 * four / all_of) AS '4', avg(100 * more / all_of) AS 'more' FROM n GROUP BY mechs ORDER BY mechs;

WITH n AS (SELECT r.workload, r.mechs, json_extract(d.list, '$[0]') AS one, json_extract(d.list, '$[1]') AS two,
        json_extract(d.list, '$[2]') AS three, json_extract(d.list, '$[3]') AS four, json_extract(d.list, '$[4]') AS more, CAST(r.warp_insts AS REAL) AS all_of
        FROM asked JOIN result r USING (point) JOIN distribution d ON d.run = r.run AND d.name = 'sm.bank_max')
SELECT workload, max(CASE mechs WHEN 'base' THEN 100 * one / all_of END) AS 'partitioned, at most 1', max(CASE mechs WHEN 'base' THEN 100 * more / all_of END) AS 'more than 4',
    max(CASE mechs WHEN 'unified' THEN 100 * one / all_of END) AS 'unified, at most 1', max(CASE mechs WHEN 'unified' THEN 100 * more / all_of END) AS 'more than 4 '
FROM n GROUP BY workload ORDER BY workload;

WITH n AS (SELECT r.workload, r.mechs, json_extract(d.list, '$[0]') AS one, json_extract(d.list, '$[1]') AS two,
        json_extract(d.list, '$[2]') AS three, json_extract(d.list, '$[3]') AS four, json_extract(d.list, '$[4]') AS more, CAST(r.warp_insts AS REAL) AS all_of
        FROM asked JOIN result r USING (point) JOIN distribution d ON d.run = r.run AND d.name = 'sm.bank_max')
SELECT 'unified.table5.partitioned' AS claim, avg(100 * one / all_of) AS value FROM n WHERE mechs = 'base'
UNION ALL SELECT 'unified.table5.unified', avg(100 * one / all_of) FROM n WHERE mechs = 'unified';
