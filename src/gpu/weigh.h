/* A run whose warps jump over parts of their streams (sm_source), as if they did not: what happens in a stretch of time counts
 * as often as the instructions that were executed in it stand for others. All counters and cycles alike, so that what adds up in
 * a run adds up here. */
#ifndef GPU_WEIGH_H
#define GPU_WEIGH_H

#include "gpu/tell.h"

struct weigh {
    const struct gpu_conf *c;
    struct sm **sms;
    struct memsys *mem;
    const struct spans *spans;
    uint64_t executed;
    double stands_for, weight;
    struct gpu_sample last;
    uint64_t last_kernel_cycles;
    double cycles, kernel_cycles, sm[SM_STATS], mem_sums[MS_COUNT];
};

/* At the end of each window. L2 gets what was jumped over. */
void weigh_window(struct weigh *w, uint64_t until);
/* `out` is counted; of `insts` instructions of the trace. It becomes what they would have taken. */
void weigh_result(struct weigh *w, uint64_t insts, struct gpu_result *out);

#endif
