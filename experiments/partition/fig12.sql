-- Speedup over two collector units, by application.
SELECT workload,
    max(CASE mechs WHEN 'subcore-cu4' THEN speedup END) AS cu4,
    max(CASE mechs WHEN 'subcore-cu8' THEN speedup END) AS cu8,
    max(CASE mechs WHEN 'subcore-cu16' THEN speedup END) AS cu16
FROM asked JOIN speedup USING (point) GROUP BY workload ORDER BY cu8 DESC, workload;

SELECT 'partition.fig12.cu4' AS claim, 100 * (avg(speedup) - 1) AS value FROM asked JOIN speedup USING (point) WHERE mechs = 'subcore-cu4'
UNION ALL
SELECT 'partition.fig12.cu8', 100 * (avg(speedup) - 1) FROM asked JOIN speedup USING (point) WHERE mechs = 'subcore-cu8'
UNION ALL
SELECT 'partition.fig12.cu16', 100 * (avg(speedup) - 1) FROM asked JOIN speedup USING (point) WHERE mechs = 'subcore-cu16';
