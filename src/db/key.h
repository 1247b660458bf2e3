/* SPDX-License-Identifier: Apache-2.0 */
/* Digests as text, within this module. */
#ifndef DB_KEY_H
#define DB_KEY_H

#include "db/db.h"

struct db_identity {
    char text[17];
};
struct db_identity db_identity(uint64_t trace);

/* The row of a trace, written if it is not there, with its kernels and launches; 0 after reporting. */
int64_t db_trace_row(struct db *db, struct tr_reader *t, struct diag *d);

/* The row of a run that has to be there, without what these statements delete of it (NULL after the last). False after
 * reporting. */
bool db_renew(struct db *db, const struct db_key *key, const char *const *deletes, int64_t *run,
              struct diag *d);

#endif
