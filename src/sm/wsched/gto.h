/* SPDX-License-Identifier: Apache-2.0 */
/* Greedy then oldest, for those who pick without a call (wsched_ops.greedy). struct gto is what the state of all begins with that
 * stay with the warp that issued last (wsched_ops.sticks). */
#ifndef SM_WSCHED_GTO_H
#define SM_WSCHED_GTO_H

#include "sm/wsched/wsched.h"

struct gto {
    uint32_t last; /* the slot that issued last, noted by the SM; 64: none */
};

/* The slot has issued. */
static inline void wsched_issued(const struct wsched_ops *o, void *st, uint32_t slot)
{
    if (o->sticks)
        ((struct gto *)st)->last = slot;
    else if (o->issued)
        o->issued(st, slot);
}

static inline uint32_t gto_choose(const struct gto *g, uint64_t ready, const uint64_t *age)
{
    return g->last < 64 && ready >> g->last & 1 ? g->last : wsched_oldest(ready, age);
}

#endif
