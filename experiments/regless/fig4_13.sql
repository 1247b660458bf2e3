WITH e AS (SELECT r.point, r.workload, r.mechs, r.cycles, sum(e.pj) AS pj, o.value AS regs FROM asked JOIN result r USING (point)
    JOIN energy e ON e.run = r.run JOIN run u ON u.id = r.run JOIN option o ON o.machine = u.machine AND o.name = 'regless.regs' GROUP BY r.point)
SELECT CAST(e.regs AS INTEGER) AS registers, exp(avg(ln(1.0 * e.cycles / b.cycles))) AS 'run time', exp(avg(ln(e.pj / b.pj))) AS energy
FROM e JOIN e b ON b.workload = e.workload AND b.mechs = 'base' WHERE e.mechs = 'regless' GROUP BY e.regs ORDER BY registers;
