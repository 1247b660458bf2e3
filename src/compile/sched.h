/* Scheduling, internal to sched*.c. */
#ifndef COMPILE_SCHED_H
#define COMPILE_SCHED_H

#include "compile/dag.h"

struct sched_want {
    int32_t words, preds; /* live at a time at most, if it can be done */
    uint32_t far;         /* no latency counts for more than this */
};

/* sched_list.c: an order of the block's instructions. `out`: what is live behind the block. */
void sched_list(const struct dag *d, const struct ir_live *l, const uint64_t *out,
                const struct sched_want *want, uint32_t *order, struct arena *a);
/* Of an order (NULL: the program's): the most words alive, and the cycles that one warp alone takes for it. */
int32_t sched_pressure(const struct dag *d, const struct ir_live *l, const uint64_t *out,
                       const uint32_t *order, struct arena *a);
uint32_t sched_length(const struct dag *d, const uint32_t *order, struct arena *a);

#endif
