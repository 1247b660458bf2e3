WITH e AS (SELECT r.point, r.workload, r.mechs, r.cycles, sum(e.pj) / r.cycles AS pj, o.value AS regs FROM asked JOIN result r USING (point)
    JOIN energy e ON e.run = r.run AND e.name IN ('rf_banks', 'rf_crossbar', 'rf_arbiter', 'collectors', 'rf_cache', 'osu_tags', 'compressor', 'leak_rf')
    JOIN run u ON u.id = r.run JOIN option o ON o.machine = u.machine AND o.name = 'regless.regs' GROUP BY r.point)
SELECT CAST(e.regs AS INTEGER) AS registers, avg(e.pj / b.pj) AS power
FROM e JOIN e b ON b.workload = e.workload AND b.mechs = 'base' WHERE e.mechs = 'regless' GROUP BY e.regs ORDER BY registers;
