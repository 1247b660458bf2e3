/* SPDX-License-Identifier: Apache-2.0 */
/* The queries of an experiment, over the points that it asked for. */
#include "cli/lab/experiment.h"
#include "cli/lab/manifest.h"

#include <math.h>
#include <sqlite3.h>

bool experiment_complain(struct db *db, const char *shown, const char *text, const char *at, struct diag *d)
{
    int off = sqlite3_error_offset(db_sql(db));
    uint32_t line = 1;
    const char *to = at ? at + (off > 0 ? (size_t)off : strspn(at, " \t\n")) : NULL;
    for (const char *p = text; to && p < to; p++)
        line += *p == '\n';
    diag_error(d, shown, NULL, 0, at ? line : 0, 0, "%s", sqlite3_errmsg(db_sql(db)));
    return false;
}

static bool complain(struct db *db, const struct experiment *x, const char *at, struct diag *d)
{
    return experiment_complain(db, x->shown, x->text, at, d);
}

static bool exec(struct db *db, const struct experiment *x, const char *text, struct diag *d)
{
    return sqlite3_exec(db_sql(db), text, NULL, NULL, NULL) == SQLITE_OK || complain(db, x, NULL, d);
}

static void add_words(sqlite3_stmt *s, const char *const *words, int n)
{
    for (int i = 0; i < n; i++)
        sqlite3_bind_text(s, i + 1, words[i], -1, SQLITE_TRANSIENT);
    sqlite3_step(s);
    sqlite3_reset(s);
}

/* uses: "partition:suite malekeh:rodinia" becomes two rows. */
static bool fill_manifest(struct db *db, struct diag *d)
{
    struct manifest m = {0};
    bool ok = manifest_load(&m, d);
    sqlite3_stmt *family = NULL, *uses = NULL;
    ok = ok &&
         sqlite3_prepare_v2(db_sql(db), "INSERT INTO temp.family VALUES (?,?)", -1, &family, NULL) ==
             SQLITE_OK &&
         sqlite3_prepare_v2(db_sql(db), "INSERT INTO temp.uses VALUES (?,?,?)", -1, &uses, NULL) == SQLITE_OK;
    vec_each (&m.rows, r) {
        if (!ok)
            break;
        add_words(family, (const char *const[]){r->name, r->family}, 2);
        for (const char *p = r->uses + strspn(r->uses, " "); *p; p += strspn(p, " ")) {
            size_t n = strcspn(p, " "), colon = strcspn(p, ": ");
            const char *cls = colon < n ? arena_strndup(&m.arena, p + colon + 1, n - colon - 1) : "";
            add_words(uses, (const char *const[]){r->name, arena_strndup(&m.arena, p, colon), cls}, 3);
            p += n;
        }
    }
    sqlite3_finalize(family);
    sqlite3_finalize(uses);
    manifest_free(&m);
    return ok;
}

static bool fill_asked(struct db *db, const struct experiment *x, const struct plan *p, struct diag *d)
{
    sqlite3_stmt *s = NULL;
    if (sqlite3_prepare_v2(
            db_sql(db),
            "INSERT OR IGNORE INTO temp.asked SELECT id FROM point WHERE workload = ? AND size = ? AND "
            "gpu = ? AND mechs = ? AND options = ? AND code_order = ? AND max_regs = ?",
            -1, &s, NULL) != SQLITE_OK)
        return complain(db, x, NULL, d);
    for (uint32_t i = 0; i < x->njobs; i++) {
        const struct plan_job *j = &p->jobs.at[x->first_job + i];
        if (j->answer.status == DB_MISSING)
            continue;
        sqlite3_bind_int64(s, 7, j->point.max_regs);
        add_words(s,
                  (const char *const[]){j->point.workload, j->point.size, j->point.gpu, j->point.mechs,
                                        j->point.options, db_code_order(&j->point)},
                  6);
    }
    sqlite3_finalize(s);
    return true;
}

static bool prepare(struct db *db, const struct experiment *x, const struct plan *p, struct diag *d)
{
    return exec(db, x,
                "DROP TABLE IF EXISTS temp.asked; DROP TABLE IF EXISTS temp.uses; DROP TABLE IF EXISTS "
                "temp.family;"
                "CREATE TEMP TABLE asked (point INTEGER PRIMARY KEY);"
                "CREATE TEMP TABLE uses (workload TEXT, paper TEXT, class TEXT);"
                "CREATE TEMP TABLE family (workload TEXT, family TEXT)",
                d) &&
           fill_asked(db, x, p, d) && fill_manifest(db, d);
}

static bool take_claim(const struct experiment *x, sqlite3_stmt *s, struct claims *c, struct diag *d)
{
    const char *id = (const char *)sqlite3_column_text(s, 0);
    struct claim *claim = id ? claims_find(c, id) : NULL;
    if (!claim) {
        diag_error(d, x->shown, NULL, 0, 0, 0, "there is no claim '%s'", id ? id : "NULL");
        return false;
    }
    double v = sqlite3_column_double(s, 1);
    if (sqlite3_column_count(s) > 1 && sqlite3_column_type(s, 1) != SQLITE_NULL && isfinite(v)) {
        claim->has_measured = true;
        claim->measured = v;
    }
    return true;
}

/* Numbers with what they tell, not with what a double can hold. */
static const char *cell(struct arena *a, sqlite3_stmt *s, int i)
{
    if (sqlite3_column_type(s, i) == SQLITE_NULL)
        return NULL;
    if (sqlite3_column_type(s, i) == SQLITE_FLOAT)
        return arena_printf(a, "%.6g", sqlite3_column_double(s, i));
    const char *text = (const char *)sqlite3_column_text(s, i);
    return arena_strndup(a, text ? text : "", text ? strlen(text) : 0);
}

static bool take_rows(struct experiments *e, struct experiment *x, sqlite3_stmt *s, struct claims *c,
                      struct diag *d, int *rc)
{
    bool is_claims = sqlite3_column_count(s) > 0 && strcmp(sqlite3_column_name(s, 0), "claim") == 0,
         ok = true;
    struct table t = {0};
    for (int i = 0; !is_claims && i < sqlite3_column_count(s); i++) {
        const char *name = sqlite3_column_name(s, i);
        vec_push(&t.names, arena_strndup(&e->arena, name, strlen(name)));
    }
    while (ok && (*rc = sqlite3_step(s)) == SQLITE_ROW) {
        if (is_claims)
            ok = take_claim(x, s, c, d);
        for (int i = 0; !is_claims && i < sqlite3_column_count(s); i++)
            vec_push(&t.cells, cell(&e->arena, s, i));
    }
    if (t.names.n)
        vec_push(&x->tables, t);
    return ok;
}

bool experiment_query(struct experiments *e, struct experiment *x, const struct plan *p, struct db *db,
                      struct claims *c, struct diag *d)
{
    bool ok = prepare(db, x, p, d) && experiment_views(db, x, d);
    if (!ok || !exec(db, x, "PRAGMA query_only = ON", d)) {
        experiment_drop_views(db);
        return false;
    }
    for (const char *at = x->text, *rest; ok && *at; at = rest) {
        sqlite3_stmt *s = NULL;
        int rc = sqlite3_prepare_v2(db_sql(db), at, -1, &s, &rest);
        if (rc != SQLITE_OK) {
            ok = complain(db, x, at, d);
            break;
        }
        if (!s) /* blanks and comments at the end */
            break;
        rc = SQLITE_DONE;
        ok = take_rows(e, x, s, c, d, &rc);
        if (ok && rc != SQLITE_DONE)
            ok = complain(db, x, at, d);
        sqlite3_finalize(s);
    }
    ok = exec(db, x, "PRAGMA query_only = OFF", d) && ok;
    experiment_drop_views(db);
    return ok;
}
