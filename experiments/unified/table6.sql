SELECT workload, max(CASE kb WHEN 128 THEN speedup END) AS '128 KB', max(CASE kb WHEN 256 THEN speedup END) AS '256 KB', max(CASE kb WHEN 384 THEN speedup END) AS '384 KB',
    max(CASE kb WHEN 128 THEN energy END) AS 'energy 128 KB', max(CASE kb WHEN 256 THEN energy END) AS 'energy 256 KB', max(CASE kb WHEN 384 THEN energy END) AS 'energy 384 KB'
FROM beside WHERE mechs <> 'base' GROUP BY workload
UNION ALL SELECT 'average', avg(CASE kb WHEN 128 THEN speedup END), avg(CASE kb WHEN 256 THEN speedup END), avg(CASE kb WHEN 384 THEN speedup END),
    avg(CASE kb WHEN 128 THEN energy END), avg(CASE kb WHEN 256 THEN energy END), avg(CASE kb WHEN 384 THEN energy END) FROM beside WHERE mechs <> 'base';

SELECT 'unified.table6.128' AS claim, avg(speedup) AS value FROM beside WHERE mechs = 'unified-128'
UNION ALL SELECT 'unified.table6.256', avg(speedup) FROM beside WHERE mechs = 'unified-256';
