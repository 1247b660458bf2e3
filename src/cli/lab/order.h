/* SPDX-License-Identifier: Apache-2.0 */
/* Which experiments come first where time is limited: those whose missing runs take the fewest host seconds for each claim that
 * they answer. A run that several ask for counts for the first of them. Experiments without a claim come last. */
#ifndef CLI_LAB_ORDER_H
#define CLI_LAB_ORDER_H

#include "cli/lab/experiment.h"
#include "cli/lab/plan.h"

/* Sets the rank of the plan's jobs, which is prepared; says on stderr how long the missing runs are thought to take. db: path;
 * it need not exist. False after reporting. */
bool order_plan(const struct experiments *e, const struct claims *c, struct plan *p, const char *db,
                struct diag *d);

#endif
