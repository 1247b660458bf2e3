WITH e AS (SELECT r.workload, r.mechs, sum(e.pj) AS pj, sum(CASE WHEN e.name IN ('rf_banks', 'rf_crossbar', 'rf_arbiter', 'collectors', 'rf_cache', 'osu_tags', 'compressor', 'leak_rf') THEN e.pj ELSE 0 END) AS rf
    FROM asked JOIN result r USING (point) JOIN energy e ON e.run = r.run GROUP BY r.workload, r.mechs)
SELECT e.mechs AS design, 100 * (1 - avg(e.rf / b.rf)) AS 'registers saved %', 100 * (1 - avg(e.pj / b.pj)) AS 'GPU saved %',
    100 * avg(b.rf / b.pj) AS 'registers of base %'
FROM e JOIN e b ON b.workload = e.workload AND b.mechs = 'base' GROUP BY e.mechs ORDER BY e.mechs;
