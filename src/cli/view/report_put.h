/* SPDX-License-Identifier: Apache-2.0 */
/* What the page's data are written with: values and tables of a database as JSON that is safe inside of a script. */
#ifndef CLI_VIEW_REPORT_PUT_H
#define CLI_VIEW_REPORT_PUT_H

#include "db/db.h"
#include "db/stmt.h"

/* A string that is safe inside a script element whatever the bytes: markup and what is no letter becomes an escape. */
void put_text(FILE *to, const char *s);
void put_column(FILE *to, struct stmt *s, int i);
/* {"columns": [...], "rows": [[...], ...]}. These return false after reporting. */
bool put_rows(FILE *to, struct db *db, const char *query, struct diag *d);
/* {"names": [...], "rows": [[key, [value by name]], ...]}: of rows (key, name, value) in the order of key and name. */
bool put_pivot(FILE *to, struct db *db, const char *names_query, const char *query, struct diag *d);
/* {"names": [...], "rows": [[key, [[index, value], ...]], ...]}: of rows (key, index of the name, value), where few names have a
 * value of a key's own. */
bool put_sparse(FILE *to, struct db *db, const char *names_query, const char *query, struct diag *d);

/* report_silicon.c: rows of workloads that the database has on that GPU. */
struct report_silicon;
bool report_put_silicon(FILE *to, struct db *db, const struct report_silicon *of, struct diag *d);

/* report_light.c: how near runs came to what the machine can do, and their occupancy. */
bool report_put_light(FILE *to, struct db *db, struct diag *d);

/* report_pipeline.c: a list of what the files hold. */
bool report_put_pipelines(FILE *to, const char *const *paths, uint32_t n, struct diag *d);

#endif
