/* SPDX-License-Identifier: Apache-2.0 */
/* What the program's author may do, as rows of the results database. */
#ifndef CLI_VIEW_ADVICE_ROWS_H
#define CLI_VIEW_ADVICE_ROWS_H

#include "cli/lab/plan.h"

/* Of a run without mechanisms, since advice is to the program's author and costs a pass over the trace: how many, the most costly
 * first; texts are in the arena. For plan_opts.advise. */
uint32_t advice_rows(const struct machine_opts *m, struct gpu_conf *c, struct tr_reader *t,
                     const struct gpu_result *r, struct arena *a, const struct db_advice **out);

#endif
