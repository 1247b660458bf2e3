# SPDX-License-Identifier: Apache-2.0
# dump DB: everything in a database but times and row numbers.
dump() {
    sqlite3 "$1" "
SELECT 'trace', identity, program, partial, file_b, warp_insts, thread_insts FROM trace ORDER BY identity;
SELECT 'trace_kernel', identity, kernel, name, regs, shared_b, local_b, insns FROM trace_kernel k JOIN trace t ON t.id = k.trace ORDER BY 2, 3;
SELECT 'trace_launch', identity, launch, kernel, ctas, threads, l.shared_b, l.warp_insts FROM trace_launch l JOIN trace t ON t.id = l.trace ORDER BY 2, 3;
SELECT 'fact', identity, name, value FROM trace_fact f JOIN trace t ON t.id = f.trace ORDER BY 2, 3;
SELECT 'option', digest, name, value FROM option o JOIN machine m ON m.id = o.machine ORDER BY 2, 3;
SELECT 'run', key, identity, digest, version, model, status, reason, cycles, r.warp_insts, r.thread_insts, issue_cov
    FROM run r JOIN trace t ON t.id = r.trace JOIN machine m ON m.id = r.machine ORDER BY key;
SELECT 'counter', key, name, value FROM counter c JOIN run r ON r.id = c.run ORDER BY 2, 3;
SELECT 'distribution', key, name, list FROM distribution c JOIN run r ON r.id = c.run ORDER BY 2, 3;
SELECT 'kernel', key, launch, start, k.cycles FROM kernel k JOIN run r ON r.id = k.run ORDER BY 2, 3;
SELECT 'point', p.workload, p.size, p.max_regs, p.code_order, p.gpu, p.mechs, p.options, key FROM point p JOIN run r ON r.id = p.run ORDER BY 2, 3, 4, 5, 6, 7, 8"
}
