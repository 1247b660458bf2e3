SELECT workload, max(CASE WHEN ord = 'ptx-sm1x' AND options = '' THEN speedup END) AS 'claims', max(CASE WHEN ord = 'ptx' THEN speedup END) AS 'addresses of two', max(CASE WHEN ord = 'sm1x' THEN speedup END) AS 'scheduled',
    max(CASE WHEN options = 'sm.conflicts=cycle' THEN speedup END) AS 'cycle', max(CASE WHEN options = 'sm.l1_store_alloc=0' THEN speedup END) AS 'no stores in L1',
    max(CASE WHEN options = 'sm.l1_store_alloc=2' THEN speedup END) AS 'all stores in L1', max(CASE WHEN options = 'sm.onchip_scope=kernel' THEN speedup END) AS 'by kernel',
    max(CASE WHEN ord = 'ptx-sm1x' AND options = '' THEN energy END) AS 'energy', max(CASE WHEN ord = 'ptx-sm1x' AND options = '' THEN energy_237 END) AS 'energy, 2.37 mW',
    max(CASE WHEN ord = 'ptx-sm1x' AND options = '' THEN by_insn END) AS 'energy by instruction'
FROM beside WHERE mechs = 'unified' GROUP BY workload ORDER BY workload;
