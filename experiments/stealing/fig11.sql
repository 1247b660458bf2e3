-- Power is energy over time, both of the whole program; efficiency is performance over energy; all over 16 banks without stealing.
SELECT workload,
    max(CASE mechs WHEN 'banks8' THEN energy_ratio * program_speedup END) AS 'power, 8', max(CASE mechs WHEN 'banks8,steal-idle' THEN energy_ratio * program_speedup END) AS 'power, 8 stealing',
    max(CASE mechs WHEN 'banks8' THEN energy_ratio END) AS 'energy, 8', max(CASE mechs WHEN 'banks8,steal-idle' THEN energy_ratio END) AS 'energy, 8 stealing',
    max(CASE mechs WHEN 'banks8' THEN speedup / energy_ratio END) AS 'efficiency, 8', max(CASE mechs WHEN 'banks8,steal-idle' THEN speedup / energy_ratio END) AS 'efficiency, 8 stealing'
FROM asked JOIN speedup USING (point) GROUP BY workload ORDER BY workload;

-- Where the energy of the three goes, in percent of that of 16 banks.
SELECT e.name AS part,
    100 * avg(CASE mechs WHEN 'base' THEN e.pj / b.energy_pj END) AS '16', 100 * avg(CASE mechs WHEN 'banks8' THEN e.pj / b.energy_pj END) AS '8',
    100 * avg(CASE mechs WHEN 'banks8,steal-idle' THEN e.pj / b.energy_pj END) AS '8, stealing'
FROM asked JOIN speedup s USING (point) JOIN energy e ON e.run = s.run
    JOIN (SELECT workload, size, energy_pj FROM asked JOIN result USING (point) WHERE mechs = 'base') b USING (workload, size)
GROUP BY e.name ORDER BY 2 DESC;

SELECT 'stealing.fig11' AS claim, 100 * (avg(speedup / energy_ratio) - 1) AS value
FROM asked JOIN speedup USING (point) WHERE mechs = 'banks8,steal-idle';
