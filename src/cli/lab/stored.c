/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/lab/stored.h"

#include "db/db.h"
#include "db/functions.h"

#include <sqlite3.h>

struct found {
    /* A result that counts; one of another model, which counts where it was carried over */
    bool there, by_another;
};

static struct found look_up(sqlite3_stmt *s, const struct db_point *q)
{
    const char *const words[] = {q->workload, q->size, q->gpu, q->mechs, q->options, db_code_order(q)};
    struct found f = {0};
    for (int i = 0; i < 6; i++)
        sqlite3_bind_text(s, i + 1, words[i], -1, SQLITE_TRANSIENT);
    sqlite3_bind_int64(s, 7, q->max_regs);
    sqlite3_bind_text(s, 8, db_model(), -1, SQLITE_STATIC);
    if (sqlite3_step(s) == SQLITE_ROW)
        f = (struct found){sqlite3_column_int(s, 0), sqlite3_column_int(s, 1)};
    sqlite3_reset(s);
    return f;
}

/* Of a plan that was prepared: are the facts of the job's traces there? */
static bool has_facts(const struct plan *p, const struct plan_job *j, struct db *db, struct diag *d)
{
    bool ok = true, has = true;
    for (uint32_t i = 0; ok && has && i <= j->nothers; i++) {
        uint64_t identity = p->traces.at[i ? j->others[i - 1] : j->trace].identity;
        ok = !identity || db_has_facts(db, identity, &has, d);
    }
    return ok && has;
}

static sqlite3_stmt *prepare(struct db *db, struct diag *d)
{
    sqlite3_stmt *s = NULL;
    if (sqlite3_prepare_v2(
            db_sql(db),
            "SELECT r.model = ?8 OR EXISTS (SELECT 1 FROM carried c WHERE c.model = r.model AND c.to_model = "
            "?8 AND c.gpu = r.gpu AND c.mechs = r.mechs AND c.code_order = r.code_order), r.model <> ?8 "
            "FROM point q JOIN run r ON r.id = q.run WHERE q.workload = ?1 AND q.size = ?2 AND q.gpu = ?3 "
            "AND q.mechs = ?4 AND q.options = ?5 AND q.code_order = ?6 AND q.max_regs = ?7",
            -1, &s, NULL) != SQLITE_OK)
        diag_plain(d, "points: %s", sqlite3_errmsg(db_sql(db)));
    return s;
}

bool stored_find(struct experiment *x, struct plan *p, struct db *db, struct diag *d)
{
    sqlite3_stmt *s = prepare(db, d);
    uint32_t missing = 0, others = 0;
    if (!s)
        return false;
    for (uint32_t i = 0; i < x->njobs; i++) {
        struct plan_job *j = &p->jobs.at[x->first_job + i];
        struct found f = look_up(s, &j->point);
        j->answer.status = f.there ? DB_OK : DB_MISSING;
        if (j->answer.status == DB_OK && !has_facts(p, j, db, d))
            j->answer.status = DB_MISSING;
        missing += j->answer.status == DB_MISSING;
        others += f.by_another && !f.there;
    }
    sqlite3_finalize(s);
    if (missing)
        vec_push(&x->missing.texts, arena_printf(&p->arena, "%u of %u points (%u measured by another model)",
                                                 missing, x->njobs, others));
    return missing == 0;
}

bool stored_leave_out(struct plan *p, const char *path, uint32_t *n, struct diag *d)
{
    struct db *db = db_open(path, DB_WRITE, d);
    sqlite3_stmt *s = db ? prepare(db, d) : NULL;
    *n = 0;
    vec_each (&p->jobs, j) {
        struct found f = s ? look_up(s, &j->point) : (struct found){0};
        j->left_out = f.there && f.by_another;
        *n += j->left_out;
    }
    sqlite3_finalize(s);
    db_close(db);
    return s;
}

const char *stored_carried(struct db *db, struct arena *a)
{
    const char *text = "";
    sqlite3_stmt *s = NULL;
    if (sqlite3_prepare_v2(db_sql(db),
                           "SELECT model, sum(sampled), sum(runs), count(*) FROM carried WHERE to_model = ? "
                           "GROUP BY model ORDER BY model",
                           -1, &s, NULL) != SQLITE_OK)
        return text;
    sqlite3_bind_text(s, 1, db_model(), -1, SQLITE_STATIC);
    while (sqlite3_step(s) == SQLITE_ROW)
        text = arena_printf(
            a,
            "%sWhat it has not measured itself is measured by the model `%s`: of %d runs of that, on %d "
            "presets\nwith mechanisms, it gives equal cycles, counters and energies on all %d that were run "
            "again (`tools/repro-model`).\n",
            text, (const char *)sqlite3_column_text(s, 0), sqlite3_column_int(s, 2), sqlite3_column_int(s, 3),
            sqlite3_column_int(s, 1));
    sqlite3_finalize(s);
    return text;
}
