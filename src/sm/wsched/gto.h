/* SPDX-License-Identifier: Apache-2.0 */
/* Greedy then oldest, for those who pick without a call (wsched_ops.greedy). */
#ifndef SM_WSCHED_GTO_H
#define SM_WSCHED_GTO_H

#include "sm/wsched/wsched.h"

struct gto {
    uint32_t last; /* 64: none */
};

static inline uint32_t gto_choose(const struct gto *g, uint64_t ready, const uint64_t *age)
{
    return g->last < 64 && ready >> g->last & 1 ? g->last : wsched_oldest(ready, age);
}

#endif
