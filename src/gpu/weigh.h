/* SPDX-License-Identifier: Apache-2.0 */
/* A run that stands for a longer one, all counters and cycles alike, so that what adds up in a run adds up here.
 *
 * Where warps jump over parts of their streams (sm_source) what happens in a stretch of time counts as often as the instructions
 * that were executed in it stand for others. Where the launch has fewer waves of CTAs than it should what happens in the time of
 * one wave is repeated for those that are missing: from the end of some CTA to the end of the one that is a wave behind it, in
 * the order of their ends. SMs are full in all that time, and whatever the rhythm in which CTAs end, it has one period of it.
 * There are many such times, which are averaged. */
#ifndef GPU_WEIGH_H
#define GPU_WEIGH_H

#include "gpu/tell.h"

struct weigh {
    const struct gpu_conf *c;
    struct sm **sms;
    struct memsys *mem;
    const struct spans *spans;
    uint64_t wave; /* CTAs; 0: warps jump */
    uint64_t over; /* CTAs of the excerpt beyond two waves */
    uint64_t executed;
    double stands_for, weight;
    struct gpu_sample last;
    uint64_t last_kernel_cycles;
    double cycles, kernel_cycles, sm[SM_STATS], mem_sums[MS_COUNT];
};

/* Warps do not jump: of an excerpt of so many CTAs the time counts in which a wave ends, while others take its place. */
void weigh_waves(struct weigh *w, uint64_t wave, uint64_t ctas);
/* At the end of each window. L2 gets what was jumped over. */
void weigh_window(struct weigh *w, uint64_t until);
/* `out` is counted; of `insts` instructions of the trace. It becomes what they would have taken. */
void weigh_result(struct weigh *w, uint64_t insts, struct gpu_result *out);

#endif
