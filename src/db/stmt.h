/* SPDX-License-Identifier: Apache-2.0 */
/* Statements with less ceremony: bind in order, step, and one place where an error becomes a message. */
#ifndef DB_STMT_H
#define DB_STMT_H

#include "base/diag.h"

#include <sqlite3.h>

struct db {
    sqlite3 *sql;
    char *path;
    bool frozen; /* nobody writes it: its folder does not let anybody */
};

struct stmt {
    struct db *db;
    sqlite3_stmt *s;
    int next; /* parameter to bind */
    int rc;   /* the first error, or the last step's */
};

struct stmt stmt_of(struct db *db, const char *text);
void stmt_int(struct stmt *s, int64_t v);
void stmt_real(struct stmt *s, double v);
void stmt_text(struct stmt *s, const char *v); /* NULL: ''; bytes that are no UTF-8 become '?' */
/* True: a row is there. */
bool stmt_row(struct stmt *s);
/* Runs it to its end and makes it ready to be bound again. */
void stmt_run(struct stmt *s);
/* False after reporting what went wrong on the way. */
bool stmt_end(struct stmt *s, struct diag *d);
/* Text of a column, never NULL; until the next step. */
const char *stmt_column(struct stmt *s, int column);

/* How SQLite is told of a file: a name that it cannot take for anything else (":memory:", "file:..."). Its own copy. */
char *db_address(const char *path, bool frozen);
bool db_exec(struct db *db, const char *text, struct diag *d);
void db_complain(struct db *db, int rc, struct diag *d);

#endif
