/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of a trace: what its index and its static code tell, and sums over its streams. */
#include "db/key.h"
#include "db/stmt.h"
#include "trace/trace.h"

static void sums(struct tr_reader *t, uint64_t *warp, uint64_t *thread)
{
    *warp = *thread = 0;
    for (uint32_t i = 0; i < tr_nlaunches(t); i++) {
        *warp += tr_launch(t, i)->warp_insts;
        *thread += tr_launch(t, i)->thread_insts;
    }
}

static int64_t find_trace(struct db *db, uint64_t identity, struct diag *d)
{
    struct stmt s = stmt_of(db, "SELECT id FROM trace WHERE identity = ?");
    stmt_text(&s, db_identity(identity).text);
    int64_t id = stmt_row(&s) ? sqlite3_column_int64(s.s, 0) : 0;
    return stmt_end(&s, d) ? id : -1;
}

static bool put_kernels(struct db *db, int64_t id, struct tr_reader *t, struct diag *d)
{
    struct stmt s = stmt_of(db, "INSERT INTO trace_kernel VALUES (?,?,?,?,?,?,?,?)");
    for (uint32_t i = 0; i < tr_nkernels(t); i++) {
        const struct tr_kernel *k = tr_kernel(t, i);
        stmt_int(&s, id);
        stmt_int(&s, i);
        stmt_text(&s, k->name);
        stmt_int(&s, k->regs);
        stmt_int(&s, k->shared_b);
        stmt_int(&s, k->local_b);
        stmt_int(&s, k->n);
        stmt_int(&s, k->spill_insns);
        stmt_run(&s);
    }
    return stmt_end(&s, d);
}

static bool put_launches(struct db *db, int64_t id, struct tr_reader *t, struct diag *d)
{
    struct stmt s = stmt_of(db, "INSERT INTO trace_launch VALUES (?,?,?,?,?,?,?,?)");
    for (uint32_t i = 0; i < tr_nlaunches(t); i++) {
        const struct tr_launch_info *l = tr_launch(t, i);
        stmt_int(&s, id);
        stmt_int(&s, i);
        stmt_int(&s, l->l.kernel);
        stmt_int(&s, (int64_t)l->nctas);
        stmt_int(&s, (int64_t)l->l.block[0] * l->l.block[1] * l->l.block[2]);
        stmt_int(&s, (int64_t)tr_kernel(t, l->l.kernel)->shared_b + l->l.dyn_shared_b);
        stmt_int(&s, (int64_t)l->warp_insts);
        stmt_int(&s, (int64_t)l->thread_insts);
        stmt_run(&s);
    }
    return stmt_end(&s, d);
}

int64_t db_trace_row(struct db *db, struct tr_reader *t, struct diag *d)
{
    int64_t id = find_trace(db, tr_identity(t), d);
    if (id)
        return id < 0 ? 0 : id;
    uint64_t warp, thread;
    sums(t, &warp, &thread);
    struct stmt s = stmt_of(db, "INSERT INTO trace VALUES (NULL,?,?,?,?,?,?,?)");
    stmt_text(&s, db_identity(tr_identity(t)).text);
    stmt_text(&s, tr_info(t)->program);
    stmt_text(&s, tr_info(t)->maker);
    stmt_int(&s, tr_partial(t));
    stmt_int(&s, (int64_t)tr_file_bytes(t));
    stmt_int(&s, (int64_t)warp);
    stmt_int(&s, (int64_t)thread);
    stmt_run(&s);
    if (!stmt_end(&s, d))
        return 0;
    id = sqlite3_last_insert_rowid(db->sql);
    return put_kernels(db, id, t, d) && put_launches(db, id, t, d) ? id : 0;
}

bool db_has_facts(struct db *db, uint64_t trace, bool *has, struct diag *d)
{
    struct stmt s =
        stmt_of(db, "SELECT 1 FROM trace t JOIN trace_fact f ON f.trace = t.id WHERE t.identity = ? LIMIT 1");
    stmt_text(&s, db_identity(trace).text);
    *has = stmt_row(&s);
    return stmt_end(&s, d);
}

static bool put_facts(struct db *db, struct tr_reader *trace, const struct db_fact *facts, uint32_t n,
                      struct diag *d)
{
    int64_t id = db_trace_row(db, trace, d);
    if (!id)
        return false;
    struct stmt s = stmt_of(db, "INSERT OR IGNORE INTO trace_fact VALUES (?,?,?)");
    for (uint32_t i = 0; i < n; i++) {
        stmt_int(&s, id);
        stmt_text(&s, facts[i].name);
        stmt_int(&s, (int64_t)facts[i].value);
        stmt_run(&s);
    }
    return stmt_end(&s, d);
}

bool db_put_facts(struct db *db, struct tr_reader *trace, const struct db_fact *facts, uint32_t n,
                  struct diag *d)
{
    return db_start(db, d) && db_finish(db, put_facts(db, trace, facts, n, d), d);
}
