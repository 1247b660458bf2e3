/* SPDX-License-Identifier: Apache-2.0 */
/* repro --stored and --limit: an experiment answered from what a database has, or not at all. */
#ifndef CLI_LAB_STORED_H
#define CLI_LAB_STORED_H

#include "cli/lab/experiment.h"
#include "cli/lab/plan.h"

/* Sets the answers of the experiment's points: missing where the database has none, or one of another model than this program's
 * whose results were not carried over to it.
 * Notes how many are. True: it has them all. False with an error in d: the database cannot be asked. */
bool stored_find(struct experiment *x, struct plan *p, struct db *db, struct diag *d);

/* Leaves out the jobs of the plan whose results the database has of another model, carried over to this one. How many in *n;
 * false after reporting. */
bool stored_leave_out(struct plan *p, const char *db, uint32_t *n, struct diag *d);

/* Sentences about the models whose results the database says hold for this one; "" where there are none. */
const char *stored_carried(struct db *db, struct arena *a);

#endif
