-- One row a workload. regs and shared_b: the most that a launched kernel has; classes: shares of the warp instructions; simd: lanes
-- that work; split: conditional branches that only a part of the lanes takes; bytes: of the sectors that a warp instruction touches
-- in global and local memory.
WITH subject AS (
    SELECT workload, trace, max(CASE gpu WHEN 'volta' THEN ipc END) AS ipc_volta, max(CASE gpu WHEN 'fermi' THEN ipc END) AS ipc_fermi
    FROM asked JOIN result USING (point) GROUP BY workload, trace
), static AS (
    SELECT l.trace, max(k.regs) AS regs, max(l.shared_b) AS shared_b, max(l.threads) AS threads, count(*) AS launches
    FROM trace_launch l JOIN trace_kernel k ON k.trace = l.trace AND k.kernel = l.kernel GROUP BY l.trace
), fact AS (
    SELECT trace,
        sum(CASE WHEN name IN ('class.FP32', 'class.FCMP') THEN value END) AS fp32,
        sum(CASE WHEN name IN ('class.INT', 'class.IMUL', 'class.BITS', 'class.PRED', 'class.UNIFORM') THEN value END) AS integer,
        sum(CASE WHEN name IN ('class.FP64', 'class.DMMA') THEN value END) AS fp64,
        sum(CASE WHEN name IN ('class.HALF', 'class.HMMA', 'class.IMMA', 'class.BMMA', 'class.GMMA') THEN value END) AS tensor,
        sum(CASE WHEN name IN ('class.SFU', 'class.CONV') THEN value END) AS sfu,
        sum(CASE WHEN name IN ('class.LDG', 'class.STG', 'class.ATOMG', 'class.REDG', 'class.LDGSTS', 'class.TEX', 'class.SURF', 'class.LDL', 'class.STL') THEN value END) AS memory,
        sum(CASE WHEN name IN ('class.LDS', 'class.STS', 'class.ATOMS', 'class.LDSM', 'class.STSM') THEN value END) AS shared,
        sum(CASE WHEN name IN ('class.BRANCH', 'class.CONVERGE', 'class.EXIT', 'class.BAR', 'class.WARPSYNC', 'class.SYSCALL') THEN value END) AS control,
        sum(CASE WHEN name IN ('space.global.sectors', 'space.local.sectors') THEN 32 * value END) AS sector_b,
        max(CASE name WHEN 'branch.conditional' THEN value END) AS branches,
        max(CASE name WHEN 'branch.split' THEN value END) AS split
    FROM trace_fact GROUP BY trace
)
SELECT s.workload, family, round(t.warp_insts / 1e6, 3) AS Mwinst, launches, threads, regs, x.shared_b,
    round(100.0 * coalesce(fp32, 0) / t.warp_insts, 1) AS 'fp32 %', round(100.0 * coalesce(integer, 0) / t.warp_insts, 1) AS 'int %',
    round(100.0 * coalesce(fp64, 0) / t.warp_insts, 1) AS 'fp64 %', round(100.0 * coalesce(tensor, 0) / t.warp_insts, 1) AS 'half and tensor %',
    round(100.0 * coalesce(sfu, 0) / t.warp_insts, 1) AS 'sfu %', round(100.0 * coalesce(memory, 0) / t.warp_insts, 1) AS 'memory %',
    round(100.0 * coalesce(shared, 0) / t.warp_insts, 1) AS 'shared %', round(100.0 * coalesce(control, 0) / t.warp_insts, 1) AS 'control %',
    round(100.0 - 100.0 * (coalesce(fp32, 0) + coalesce(integer, 0) + coalesce(fp64, 0) + coalesce(tensor, 0) + coalesce(sfu, 0)
        + coalesce(memory, 0) + coalesce(shared, 0) + coalesce(control, 0)) / t.warp_insts, 1) AS 'other %',
    round(100.0 * t.thread_insts / 32 / t.warp_insts, 1) AS 'simd %', round(100.0 * split / nullif(branches, 0), 1) AS 'split %',
    round(1.0 * coalesce(sector_b, 0) / t.warp_insts, 2) AS 'bytes/inst', round(ipc_volta, 2) AS 'IPC volta', round(ipc_fermi, 2) AS 'IPC fermi'
FROM subject s JOIN trace t ON t.id = s.trace JOIN static x ON x.trace = s.trace LEFT JOIN fact f ON f.trace = s.trace
    LEFT JOIN family USING (workload)
ORDER BY family, s.workload;
