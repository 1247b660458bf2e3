WITH n AS (SELECT r.mechs, r.cycles, max(CASE c.name WHEN 'sm.reg_reads' THEN c.value END) + max(CASE c.name WHEN 'sm.reg_writes' THEN c.value END) AS banks,
        max(CASE c.name WHEN 'regless.l1_reads' THEN c.value END) + max(CASE c.name WHEN 'regless.l1_writes' THEN c.value END) AS l1
    FROM asked JOIN result r USING (point) JOIN counter c USING (run) GROUP BY r.run)
SELECT mechs AS design, 100.0 * (CASE mechs WHEN 'regless' THEN l1 ELSE banks END) / cycles / 16 AS accesses FROM n ORDER BY accesses DESC;
