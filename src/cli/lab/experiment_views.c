/* SPDX-License-Identifier: Apache-2.0 */
/* Views that the queries of a paper have in common, for as long as one experiment is asked. */
#include "cli/lab/experiment.h"

#include <sqlite3.h>

/* A view is all that may be made, and it is temporary: SQLite notes it in a table of its own. */
static int only_views(void *ctx, int action, const char *a, const char *b, const char *in, const char *from)
{
    (void)ctx, (void)b, (void)in, (void)from;
    switch (action) {
    case SQLITE_CREATE_TEMP_VIEW:
    case SQLITE_SELECT:
    case SQLITE_READ:
    case SQLITE_FUNCTION: return SQLITE_OK;
    case SQLITE_INSERT:
    case SQLITE_UPDATE: return a && strcmp(a, "sqlite_temp_master") == 0 ? SQLITE_OK : SQLITE_DENY;
    default: return SQLITE_DENY;
    }
}

static bool make(struct db *db, const struct experiment *x, struct diag *d)
{
    for (const char *at = x->views, *rest; at && *at; at = rest) {
        sqlite3_stmt *s = NULL;
        if (sqlite3_prepare_v2(db_sql(db), at, -1, &s, &rest) != SQLITE_OK)
            return experiment_complain(db, x->views_shown, x->views, at, d);
        if (!s) /* blanks and comments at the end */
            return true;
        bool done = sqlite3_stmt_readonly(s) || sqlite3_step(s) == SQLITE_DONE;
        if (!done)
            experiment_complain(db, x->views_shown, x->views, at, d);
        sqlite3_finalize(s);
        if (!done)
            return false;
    }
    return true;
}

bool experiment_views(struct db *db, const struct experiment *x, struct diag *d)
{
    sqlite3_set_authorizer(db_sql(db), only_views, NULL);
    bool ok = make(db, x, d);
    sqlite3_set_authorizer(db_sql(db), NULL, NULL);
    return ok;
}

void experiment_drop_views(struct db *db)
{
    sqlite3_stmt *s = NULL;
    struct arena a = {0};
    const char *drop = "";
    if (sqlite3_prepare_v2(db_sql(db), "SELECT name FROM sqlite_temp_master WHERE type = 'view'", -1, &s,
                           NULL) != SQLITE_OK)
        return;
    while (sqlite3_step(s) == SQLITE_ROW) {
        char *one = sqlite3_mprintf("DROP VIEW temp.\"%w\";", sqlite3_column_text(s, 0));
        drop = arena_printf(&a, "%s%s", drop, one ? one : "");
        sqlite3_free(one);
    }
    sqlite3_finalize(s);
    sqlite3_exec(db_sql(db), drop, NULL, NULL, NULL);
    arena_free(&a);
}
