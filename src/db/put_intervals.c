/* SPDX-License-Identifier: Apache-2.0 */
/* Counters over time: a list for each. */
#include "db/key.h"
#include "db/stmt.h"

#include <inttypes.h>

bool db_has_intervals(struct db *db, const struct db_key *key, uint32_t every_cyc, bool *has, struct diag *d)
{
    struct stmt s = stmt_of(
        db, "SELECT 1 FROM interval WHERE run = (SELECT id FROM run WHERE key = ?) AND every_cyc = ?");
    stmt_text(&s, key->text);
    stmt_int(&s, every_cyc);
    *has = stmt_row(&s);
    return stmt_end(&s, d);
}

/* The entries first, first + step, ... as JSON, to be freed. NULL: all are 0. */
static char *list_of(const int64_t *first, uint32_t step, uint32_t n)
{
    char *text = NULL;
    size_t size = 0;
    bool any = false;
    FILE *f = open_memstream(&text, &size);
    if (!f)
        return NULL;
    for (uint32_t i = 0; i < n; i++) {
        fprintf(f, "%c%" PRId64, i ? ',' : '[', first[(size_t)i * step]);
        any |= first[(size_t)i * step] != 0;
    }
    fputs(n ? "]" : "[]", f);
    fclose(f);
    if (any)
        return text;
    free(text);
    return NULL;
}

static bool put(struct db *db, const struct db_key *key, const struct db_intervals *v, struct diag *d)
{
    static const char *const old[] = {"DELETE FROM interval WHERE run = ?",
                                      "DELETE FROM interval_counter WHERE run = ?", NULL};
    int64_t run;
    if (!db_renew(db, key, old, &run, d))
        return false;
    char *ends = list_of((const int64_t *)v->ends, 1, v->n);
    struct stmt s = stmt_of(db, "INSERT INTO interval VALUES (?,?,?)");
    stmt_int(&s, run);
    stmt_int(&s, v->every_cyc);
    stmt_text(&s, ends ? ends : "[]");
    stmt_run(&s);
    free(ends);
    struct stmt c = stmt_of(db, "INSERT INTO interval_counter VALUES (?,?,?)");
    for (uint32_t i = 0; i < v->ncounters; i++) {
        char *list = list_of(v->values + i, v->ncounters, v->n);
        if (!list)
            continue;
        stmt_int(&c, run);
        stmt_text(&c, v->names[i]);
        stmt_text(&c, list);
        stmt_run(&c);
        free(list);
    }
    bool ok = stmt_end(&s, d);
    return stmt_end(&c, d) && ok;
}

bool db_put_intervals(struct db *db, const struct db_key *key, const struct db_intervals *v, struct diag *d)
{
    return db_start(db, d) && db_finish(db, put(db, key, v, d), d);
}
