/* SPDX-License-Identifier: Apache-2.0 */
/* Scheduling, internal to sched*.c. */
#ifndef COMPILE_SCHED_H
#define COMPILE_SCHED_H

#include "compile/sched/dag.h"

struct sched_want {
    int32_t words, preds; /* live at a time at most, if it can be done */
    uint32_t far;         /* no latency counts for more than this */
};

/* Nodes that may be placed next, in the program's order. */
struct sched_ready {
    uint32_t *at, n;
};

static inline void sched_ready_add(struct sched_ready *r, uint32_t node)
{
    uint32_t p = r->n++;
    for (; p && r->at[p - 1] > node; p--)
        r->at[p] = r->at[p - 1];
    r->at[p] = node;
}

static inline uint32_t sched_ready_take(struct sched_ready *r, uint32_t at)
{
    uint32_t node = r->at[at];
    memmove(r->at + at, r->at + at + 1, (--r->n - at) * sizeof *r->at);
    return node;
}

/* sched_up.c, sched_down.c: an order of the block's instructions, made from its end or from its start. Returns whether it would
 * be the same with more words. */
typedef bool sched_way(const struct dag *d, const struct ir_live *l, uint32_t block,
                       const struct sched_want *want, uint32_t *order, struct arena *a);
sched_way sched_up, sched_down;
/* Of an order (NULL: the program's): the most words alive, and the cycles that one warp alone takes for it. */
int32_t sched_pressure(const struct dag *d, const struct ir_live *l, const uint64_t *out,
                       const uint32_t *order, struct arena *a);
uint32_t sched_length(const struct dag *d, const uint32_t *order, struct arena *a);

#endif
