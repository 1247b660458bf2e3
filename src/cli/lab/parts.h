/* SPDX-License-Identifier: Apache-2.0 */
/* What a sweep on a cluster has beside its database: a folder for each submission, DB.parts/1, DB.parts/2 and so on, with
 *
 *   tasks   which task does which point, and how many seconds that is thought to take
 *   jobs    the numbers that Slurm gave, one a line
 *   K.db    results of task K        K.log  what it printed
 *
 * Nodes share files but not SQLite's locks: no file is written by two tasks, and two submissions share none. Once they are
 * merged only the logs are left, if there are any. */
#ifndef CLI_LAB_PARTS_H
#define CLI_LAB_PARTS_H

#include "cli/lab/split.h"

/* A new folder; NULL after a message. */
const char *parts_new(struct arena *a, const char *db);
/* Removes it, unless a job works in it. */
void parts_drop(const char *dir);
/* False after a message. */
bool parts_write_tasks(const char *dir, const struct plan *p, const struct split *s);
bool parts_add_job(const char *dir, const char *id);
/* Keeps what the folder's list gives to that task. False after reporting, also if the specification was changed since. */
bool parts_keep(const char *dir, struct plan *p, uint32_t task, struct diag *d);
/* Takes over the results of all tasks, then removes everything but logs. False after reporting; nothing is lost then. */
bool parts_merge(const char *dir, const char *db, struct diag *d);

/* Of all folders beside the database that have results still to be merged, or had no end: calls `each` until it says false. */
bool parts_pending(const char *db, bool (*each)(void *ctx, const char *dir, const char *jobs), void *ctx);

#endif
