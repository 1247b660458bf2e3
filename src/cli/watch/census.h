/* SPDX-License-Identifier: Apache-2.0 */
/* What a trace's launches executed, instruction by instruction: how often, with how many lanes, and what their accesses touched.
 * One pass over the streams, before or after a run; it has no part in the run's time. */
#ifndef CLI_WATCH_CENSUS_H
#define CLI_WATCH_CENSUS_H

#include "cli/watch/trace_stats.h"
#include "gpu/light.h"

struct census {
    struct tr_reader *trace;
    struct insn_stats **rows;    /* by kernel and instruction */
    struct light_work *launches; /* by launch */
    struct light_work all;
};

/* Of the launches that a run had. NULL after reporting: the trace is damaged. */
struct census *census_new(struct tr_reader *t, const struct gpu_conf *c, const struct gpu_result *r,
                          struct diag *d);
void census_free(struct census *s);

#endif
