-- Performance over area and over energy, means over the workloads; all over 16 banks without stealing.
WITH file AS ( -- banks, crossbar and arbiter: the collectors are the same in all
    SELECT point, sum(mm2) AS mm2 FROM asked JOIN result USING (point) JOIN area USING (machine) WHERE name GLOB 'rf_*' GROUP BY point
), r AS (
    SELECT s.workload, s.mechs, s.machine, s.speedup, s.energy_ratio, f.mm2 FROM asked JOIN speedup s USING (point) JOIN file f USING (point)
)
SELECT banks.value || CASE WHEN m.mechs LIKE '%idle' THEN '*' WHEN m.mechs LIKE '%steal' THEN '+' ELSE '' END AS design,
    avg(m.speedup) AS performance, avg(m.mm2 / b.mm2) AS area, avg(m.energy_ratio) AS energy,
    avg(m.speedup / (m.mm2 / b.mm2)) AS 'area efficiency', avg(m.speedup / m.energy_ratio) AS 'energy efficiency'
FROM r m JOIN r b ON b.workload = m.workload AND b.mechs = 'base'
    JOIN option banks ON banks.machine = m.machine AND banks.name = 'sm.banks'
GROUP BY m.mechs ORDER BY CAST(banks.value AS INTEGER), m.mechs LIKE '%steal', m.mechs LIKE '%idle';
