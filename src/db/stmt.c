/* SPDX-License-Identifier: Apache-2.0 */
#include "db/stmt.h"

#include "db/db.h"

#include <stdlib.h>

void db_complain(struct db *db, int rc, struct diag *d)
{
    const char *why = db->sql ? sqlite3_errmsg(db->sql) : sqlite3_errstr(rc);
    switch (rc & 0xff) {
    case SQLITE_NOTADB: diag_plain(d, "%s is no results database", db->path); break;
    case SQLITE_CORRUPT: diag_plain(d, "%s is damaged: %s", db->path, why); break;
    case SQLITE_FULL: diag_plain(d, "%s: no room left", db->path); break;
    case SQLITE_CANTOPEN: diag_plain(d, "cannot open %s", db->path); break;
    default: diag_plain(d, "%s: %s", db->path, why); break;
    }
}

struct stmt stmt_of(struct db *db, const char *text)
{
    struct stmt s = {.db = db, .next = 1};
    s.rc = sqlite3_prepare_v2(db->sql, text, -1, &s.s, NULL);
    return s;
}

static bool is_error(int rc) { return rc != SQLITE_OK && rc != SQLITE_ROW && rc != SQLITE_DONE; }

static void note(struct stmt *s, int rc)
{
    if (!is_error(s->rc))
        s->rc = rc;
}

void stmt_int(struct stmt *s, int64_t v) { note(s, sqlite3_bind_int64(s->s, s->next++, v)); }
void stmt_real(struct stmt *s, double v) { note(s, sqlite3_bind_double(s->s, s->next++, v)); }

static bool is_utf8(const unsigned char *p)
{
    while (*p) {
        unsigned n = *p < 0x80                 ? 0
                     : *p >= 0xc2 && *p < 0xe0 ? 1
                     : *p >= 0xe0 && *p < 0xf0 ? 2
                     : *p >= 0xf0 && *p < 0xf5 ? 3
                                               : 4;
        if (n == 4)
            return false;
        for (p++; n; n--, p++)
            if ((*p & 0xc0) != 0x80)
                return false;
    }
    return true;
}

void stmt_text(struct stmt *s, const char *v)
{
    if (!v)
        v = "";
    if (is_utf8((const unsigned char *)v)) {
        note(s, sqlite3_bind_text(s->s, s->next++, v, -1, SQLITE_TRANSIENT));
        return;
    }
    char *clean = xstrdup(v);
    for (char *p = clean; *p; p++)
        *p = (unsigned char)*p < 0x80 ? *p : '?';
    note(s, sqlite3_bind_text(s->s, s->next++, clean, -1, SQLITE_TRANSIENT));
    free(clean);
}

bool stmt_row(struct stmt *s)
{
    if (is_error(s->rc))
        return false;
    s->rc = sqlite3_step(s->s);
    return s->rc == SQLITE_ROW;
}

void stmt_run(struct stmt *s)
{
    while (stmt_row(s))
        continue;
    if (!is_error(s->rc)) {
        sqlite3_reset(s->s);
        s->next = 1;
    }
}

bool stmt_end(struct stmt *s, struct diag *d)
{
    bool ok = !is_error(s->rc);
    if (!ok)
        db_complain(s->db, s->rc, d);
    sqlite3_finalize(s->s);
    return ok;
}

const char *stmt_column(struct stmt *s, int column)
{
    const char *text = (const char *)sqlite3_column_text(s->s, column);
    return text ? text : "";
}

bool db_exec(struct db *db, const char *text, struct diag *d)
{
    int rc = sqlite3_exec(db->sql, text, NULL, NULL, NULL);
    if (rc != SQLITE_OK)
        db_complain(db, rc, d);
    return rc == SQLITE_OK;
}

bool db_start(struct db *db, struct diag *d) { return db_exec(db, "BEGIN IMMEDIATE", d); }

bool db_finish(struct db *db, bool ok, struct diag *d)
{
    ok = ok && db_exec(db, "COMMIT", d);
    if (!ok && !sqlite3_get_autocommit(db->sql))
        sqlite3_exec(db->sql, "ROLLBACK", NULL, NULL, NULL);
    return ok;
}
