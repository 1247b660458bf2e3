WITH e AS (SELECT r.point, r.workload, r.mechs, r.cycles, sum(e.pj) AS pj, o.value AS regs FROM asked JOIN result r USING (point)
    JOIN energy e ON e.run = r.run JOIN run u ON u.id = r.run JOIN option o ON o.machine = u.machine AND o.name = 'regless.regs' GROUP BY r.point
), x AS (SELECT CAST(e.regs AS INTEGER) AS regs, exp(avg(ln(1.0 * e.cycles / b.cycles))) AS time, exp(avg(ln(e.pj / b.pj))) AS pj
    FROM e JOIN e b ON b.workload = e.workload AND b.mechs = 'base' WHERE e.mechs = 'regless' GROUP BY e.regs)
SELECT regs AS registers, time AS 'run time', pj AS energy,
    CASE WHEN EXISTS (SELECT 1 FROM x y WHERE y.time <= x.time AND y.pj <= x.pj AND y.regs <> x.regs) THEN NULL ELSE pj END AS 'on the front'
FROM x ORDER BY time;
