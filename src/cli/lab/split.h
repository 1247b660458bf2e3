/* SPDX-License-Identifier: Apache-2.0 */
/* The runs that a plan asks for and a database does not have, dealt to tasks so that these end together: the most expensive
 * first, each to the task that has least to do. Points that share a run stay in one task. */
#ifndef CLI_LAB_SPLIT_H
#define CLI_LAB_SPLIT_H

#include "cli/lab/plan.h"

struct split {
    uint32_t *task; /* by job of the plan: 1 to tasks; 0: the database has it */
    double *cost_s; /* by job: host seconds, as far as can be told; 0 where an earlier job has the same run */
    uint32_t tasks; /* that got something to do */
    uint32_t runs;  /* that are missing */
    double longest_s, total_s;
    bool is_measured; /* seconds come from runs that are in the database, not from a guess */
};

/* Of a plan that is prepared. db: path; it need not exist. False after reporting. split_free in either case. */
bool split_plan(const struct plan *p, const char *db, uint32_t tasks, struct split *out, struct diag *d);
void split_free(struct split *s);

#endif
