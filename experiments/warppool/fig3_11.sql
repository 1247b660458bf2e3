SELECT workload,
    max(CASE mechs WHEN 'warppool' THEN speedup END) AS warppool,
    max(CASE mechs WHEN 'mrpb-flush' THEN speedup END) AS 'mrpb, flushed',
    max(CASE mechs WHEN 'mrpb' THEN speedup END) AS 'mrpb, in order',
    max(CASE mechs WHEN 'banked-l1' THEN speedup END) AS 'banked-l1'
FROM asked JOIN speedup USING (point) GROUP BY workload ORDER BY warppool DESC, workload;

-- Launches one by one: programs have kernels of different kinds.
SELECT m.workload, k.launch, n.name AS kernel,
    max(CASE m.mechs WHEN 'warppool' THEN CAST(b.kernel_cycles AS REAL) / k.kernel_cycles END) AS warppool,
    max(CASE m.mechs WHEN 'mrpb-flush' THEN CAST(b.kernel_cycles AS REAL) / k.kernel_cycles END) AS 'mrpb, flushed',
    max(CASE m.mechs WHEN 'mrpb' THEN CAST(b.kernel_cycles AS REAL) / k.kernel_cycles END) AS 'mrpb, in order',
    max(CASE m.mechs WHEN 'banked-l1' THEN CAST(b.kernel_cycles AS REAL) / k.kernel_cycles END) AS 'banked-l1'
FROM asked JOIN result m USING (point) JOIN kernel k ON k.run = m.run
    JOIN result r ON r.workload = m.workload AND r.size = m.size AND r.gpu = m.gpu AND r.options = m.options AND r.mechs = 'base'
        AND r.trace = m.trace AND r.model = m.model
    JOIN kernel b ON b.run = r.run AND b.launch = k.launch
    JOIN trace_launch l ON l.trace = m.trace AND l.launch = k.launch
    JOIN trace_kernel n ON n.trace = m.trace AND n.kernel = l.kernel
GROUP BY m.workload, k.launch ORDER BY m.workload, k.launch;

SELECT mechs, class, count(*) AS workloads, geomean(speedup) AS geomean, min(speedup) AS lowest, max(speedup) AS highest
FROM asked JOIN speedup USING (point) JOIN uses USING (workload) WHERE paper = 'warppool' GROUP BY mechs, class ORDER BY mechs, class;

-- The kernels that the thesis names, by their number in the order of execution ("the kernel number is its sequence in the kernel execution order"); 0: a
-- benchmark that it names without one, all launches. MRPB flushes its queues before a store, as section 3.3.8 says of it.
WITH named (workload, number) AS (VALUES ('atax_4096_all', 1), ('bicg_4096_all', 2), ('corr_2048', 3), ('gemm_512_all', 0), ('kmeans', 2), ('mm2_2048', 1),
    ('mm3_512', 1), ('mvt_4096_all', 1), ('spmv', 0), ('particlefilter_float_1024', 1), ('streamcluster_rolled', 0), ('syr2k_2048_1024', 0), ('syrk_1024_all', 0)),
took AS (
    SELECT r.workload, r.mechs, r.trace, r.model, sum(k.kernel_cycles) AS cycles
    FROM asked JOIN result r USING (point) JOIN kernel k ON k.run = r.run JOIN named n ON n.workload = r.workload AND n.number IN (0, k.launch + 1)
    GROUP BY r.run),
gain AS (
    SELECT m.workload, m.mechs, CAST(b.cycles AS REAL) / m.cycles AS speedup
    FROM took m JOIN took b ON b.workload = m.workload AND b.mechs = 'base' AND b.trace = m.trace AND b.model = m.model)
SELECT 'warppool.fig3_11' AS claim, geomean(speedup) AS value FROM gain WHERE mechs = 'warppool'
UNION ALL SELECT 'warppool.fig3_11.mrpb', geomean(speedup) FROM gain WHERE mechs = 'mrpb-flush'
UNION ALL SELECT 'warppool.fig3_11.banked', geomean(speedup) FROM gain WHERE mechs = 'banked-l1';
