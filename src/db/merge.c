/* SPDX-License-Identifier: Apache-2.0 */
/* Taking over another database's rows. Row numbers differ, identities do not: every reference is followed by its text. */
#include "db/db.h"
#include "db/stmt.h"

#include <sys/stat.h>

static const char *const steps[] = {
    "INSERT OR IGNORE INTO trace (identity, program, maker, partial, file_b, warp_insts, thread_insts) "
    "SELECT identity, program, maker, partial, file_b, warp_insts, thread_insts FROM other.trace ORDER BY id",
    "CREATE TEMP TABLE trace_map AS SELECT o.id AS theirs, m.id AS ours FROM other.trace o JOIN main.trace m "
    "USING (identity)",
    "INSERT OR IGNORE INTO trace_kernel SELECT ours, kernel, name, regs, shared_b, local_b, insns, "
    "spill_insns "
    "FROM other.trace_kernel JOIN trace_map ON theirs = trace",
    "INSERT OR IGNORE INTO trace_launch SELECT ours, launch, kernel, ctas, threads, shared_b, warp_insts, "
    "thread_insts "
    "FROM other.trace_launch JOIN trace_map ON theirs = trace",
    "INSERT OR IGNORE INTO trace_fact SELECT ours, name, value FROM other.trace_fact JOIN trace_map ON "
    "theirs = trace",

    "CREATE TEMP TABLE machine_new AS SELECT id, digest FROM other.machine "
    "WHERE digest NOT IN (SELECT digest FROM main.machine)",
    "INSERT INTO machine (digest) SELECT digest FROM machine_new ORDER BY id",
    "CREATE TEMP TABLE machine_map AS SELECT o.id AS theirs, m.id AS ours FROM other.machine o JOIN "
    "main.machine m USING (digest)",
    "INSERT INTO option SELECT ours, name, value, layer, source FROM other.option JOIN machine_map ON theirs "
    "= machine "
    "WHERE machine IN (SELECT id FROM machine_new)",
    "INSERT INTO area SELECT ours, name, mm2 FROM other.area JOIN machine_map ON theirs = machine "
    "WHERE machine IN (SELECT id FROM machine_new)",

    "CREATE TEMP TABLE run_new AS SELECT id, key FROM other.run WHERE key NOT IN (SELECT key FROM main.run)",
    "INSERT INTO run (key, trace, machine, workload, size, max_regs, code_order, gpu, mechs, options, "
    "version, model, "
    "status, reason, "
    "cycles, kernel_cycles, warp_insts, thread_insts, issue_cov, seconds, finished) "
    "SELECT key, t.ours, m.ours, workload, size, max_regs, code_order, gpu, mechs, options, version, model, "
    "status, "
    "reason, "
    "cycles, kernel_cycles, warp_insts, thread_insts, issue_cov, seconds, finished FROM other.run r "
    "JOIN trace_map t ON t.theirs = r.trace JOIN machine_map m ON m.theirs = r.machine "
    "WHERE r.id IN (SELECT id FROM run_new) ORDER BY r.id",
    "CREATE TEMP TABLE run_map AS SELECT o.id AS theirs, m.id AS ours, o.id IN (SELECT id FROM run_new) AS "
    "new "
    "FROM other.run o JOIN main.run m USING (key)",
    "INSERT INTO counter SELECT ours, name, value FROM other.counter JOIN run_map ON theirs = run WHERE new",
    "INSERT INTO distribution SELECT ours, name, list FROM other.distribution JOIN run_map ON theirs = run "
    "WHERE new",
    "INSERT INTO advice SELECT ours, at, kernel, line, rule, gain, what, hint FROM other.advice JOIN run_map "
    "ON "
    "theirs = run WHERE new",
    "INSERT INTO kernel SELECT ours, launch, start, cycles, kernel_cycles FROM other.kernel JOIN run_map ON "
    "theirs = run WHERE new",
    "INSERT INTO tenant SELECT m.ours, tenant, t.ours, cycles, warp_insts, thread_insts, passes, ctas, "
    "parked, "
    "switch_b, limited, progress FROM other.tenant JOIN run_map m ON m.theirs = run AND m.new "
    "JOIN trace_map t ON t.theirs = trace",
    "INSERT INTO energy SELECT ours, name, pj FROM other.energy JOIN run_map ON theirs = run WHERE new",
    "CREATE TEMP TABLE profile_new AS SELECT DISTINCT theirs, ours FROM other.profile JOIN run_map ON theirs "
    "= run "
    "WHERE ours NOT IN (SELECT run FROM main.profile)",
    "INSERT INTO profile SELECT ours, kernel, insn, line, text, source, lanes, bank_conflicts, read_wait, "
    "shared_conflicts FROM other.profile JOIN profile_new ON theirs = run",
    "INSERT INTO profile_stall SELECT ours, kernel, insn, cause, cycles FROM other.profile_stall JOIN "
    "profile_new ON theirs = run",
    "CREATE TEMP TABLE interval_new AS SELECT theirs, ours FROM other.interval JOIN run_map ON theirs = run "
    "WHERE ours NOT IN (SELECT run FROM main.interval)",
    "INSERT INTO interval SELECT ours, every_cyc, ends FROM other.interval JOIN interval_new ON theirs = run",
    "INSERT INTO interval_counter SELECT ours, name, list FROM other.interval_counter JOIN interval_new ON "
    "theirs = run",
    "INSERT OR REPLACE INTO claim SELECT * FROM other.claim",
    "INSERT OR REPLACE INTO carried SELECT * FROM other.carried",
    "INSERT INTO point (workload, size, max_regs, code_order, gpu, mechs, options, run) "
    "SELECT workload, size, max_regs, code_order, gpu, mechs, options, ours FROM other.point JOIN run_map ON "
    "theirs = "
    "run WHERE true "
    "ON CONFLICT (workload, size, max_regs, code_order, gpu, mechs, options) DO UPDATE SET run = "
    "excluded.run",
    "DROP TABLE trace_map; DROP TABLE machine_new; DROP TABLE machine_map; DROP TABLE run_new; DROP TABLE "
    "run_map; DROP TABLE profile_new; DROP TABLE interval_new",
};

static bool attach(struct db *db, const char *path, bool frozen, struct diag *d)
{
    struct stmt s = stmt_of(db, "ATTACH ? AS other");
    char *address = db_address(path, frozen);
    stmt_text(&s, address);
    stmt_run(&s);
    free(address);
    return stmt_end(&s, d);
}

static bool is_same_file(const char *a, const char *b)
{
    struct stat x, y;
    return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

bool db_merge(struct db *db, const char *path, struct diag *d)
{
    if (is_same_file(db->path, path)) { /* it would wait for itself */
        diag_plain(d, "%s cannot be merged into itself", path);
        return false;
    }
    struct db *other = db_open(path, DB_READ, d); /* looks whether it is what it should be */
    if (!other)
        return false;
    bool frozen = other->frozen;
    db_close(other);
    if (!attach(db, path, frozen, d))
        return false;
    bool ok = db_start(db, d);
    if (ok) {
        for (size_t i = 0; ok && i < sizeof steps / sizeof *steps; i++)
            ok = db_exec(db, steps[i], d);
        ok = db_finish(db, ok, d);
    }
    sqlite3_exec(db->sql, "DETACH other", NULL, NULL, NULL);
    return ok;
}
