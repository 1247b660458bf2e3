SELECT workload, max(CASE mechs WHEN 'unified' THEN speedup END) AS performance, max(CASE mechs WHEN 'unified' THEN energy END) AS energy,
    max(CASE mechs WHEN 'unified' THEN energy_237 END) AS 'energy, 2.37 mW', max(CASE mechs WHEN 'unified' THEN by_insn END) AS 'energy by instruction',
    max(CASE mechs WHEN 'unified' THEN less_dram END) AS 'DRAM saved',
    max(CASE mechs WHEN 'unified-256' THEN speedup END) AS '256 KB', max(CASE mechs WHEN 'unified-128' THEN speedup END) AS '128 KB'
FROM beside GROUP BY workload
UNION ALL SELECT 'average', avg(CASE mechs WHEN 'unified' THEN speedup END), avg(CASE mechs WHEN 'unified' THEN energy END),
    avg(CASE mechs WHEN 'unified' THEN energy_237 END), avg(CASE mechs WHEN 'unified' THEN by_insn END), avg(CASE mechs WHEN 'unified' THEN less_dram END),
    avg(CASE mechs WHEN 'unified-256' THEN speedup END), avg(CASE mechs WHEN 'unified-128' THEN speedup END) FROM beside;

SELECT mechs, avg(energy) AS energy, avg(energy_237) AS 'energy, 2.37 mW', avg(by_insn) AS 'energy by instruction'
FROM beside WHERE mechs <> 'base' GROUP BY mechs ORDER BY kb;

SELECT 'unified.fig7.perf' AS claim, avg(speedup) AS value FROM beside WHERE mechs = 'unified'
UNION ALL SELECT 'unified.fig7.energy', avg(energy) FROM beside WHERE mechs = 'unified';
