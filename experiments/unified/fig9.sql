SELECT workload, speedup AS performance, energy, less_dram AS 'DRAM saved', energy_237 AS 'energy, 2.37 mW', by_insn AS 'energy by instruction' FROM beside WHERE mechs = 'unified'
UNION ALL SELECT 'average', avg(speedup), avg(energy), avg(less_dram), avg(energy_237), avg(by_insn) FROM beside WHERE mechs = 'unified';

SELECT 'unified.fig9.perf' AS claim, 100 * (avg(speedup) - 1) AS value FROM beside WHERE mechs = 'unified'
UNION ALL SELECT 'unified.fig9.max', 100 * (max(speedup) - 1) FROM beside WHERE mechs = 'unified' AND workload = 'needle32'
UNION ALL SELECT 'unified.fig9.energy', avg(energy) FROM beside WHERE mechs = 'unified'
UNION ALL SELECT 'unified.fig9.dram', 100 * max(less_dram) FROM beside WHERE mechs = 'unified';
