WITH n AS (SELECT r.workload, max(CASE c.name WHEN 'regless.regions' THEN c.value END) AS regions,
        max(CASE c.name WHEN 'regless.region_cycles' THEN c.value END) AS cycles, max(CASE c.name WHEN 'regless.region_insts' THEN c.value END) AS insts,
        max(CASE c.name WHEN 'regless.kept' THEN c.value END) AS kept, max(CASE c.name WHEN 'regless.demand' THEN c.value END) AS demand
    FROM asked JOIN result r USING (point) JOIN counter c USING (run) GROUP BY r.run)
SELECT workload, 1.0 * insts / regions AS instructions, 1.0 * cycles / regions AS cycles, kept, demand FROM n ORDER BY workload;
