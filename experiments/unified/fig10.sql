WITH best AS (SELECT *, row_number() OVER (PARTITION BY workload ORDER BY speedup DESC, mechs) AS nth FROM beside WHERE mechs LIKE 'fermi-%')
SELECT workload, speedup AS performance, energy, less_dram AS 'DRAM saved', mechs AS split FROM best WHERE nth = 1
UNION ALL SELECT 'average', avg(speedup), avg(energy), avg(less_dram), '' FROM best WHERE nth = 1;

SELECT workload, max(CASE mechs WHEN 'fermi-shared' THEN speedup END) AS '96 KB shared', max(CASE mechs WHEN 'fermi-cache' THEN speedup END) AS '96 KB cache'
FROM beside GROUP BY workload ORDER BY workload;

SELECT 'unified.fig10.max' AS claim, 100 * (max(speedup) - 1) AS value FROM beside WHERE mechs LIKE 'fermi-%';
