/* SPDX-License-Identifier: Apache-2.0 */
/* Where the partitions of an SM meet: shuffles go through one path, one in sm.shfl_cyc cycles. One that issues waits there for
 * those before it, of whichever partition, and issues only while no more of them wait than memory instructions may.
 *
 * Hand count (shfl_cyc 1): of partitions that start one each in one cycle each has its result a cycle after the one before. */
#ifndef SM_ACROSS_H
#define SM_ACROSS_H

#include "sm/core.h"

/* From when on there is room for another one. */
static inline uint64_t across_opens(const struct sm *s, const struct kinsn *k)
{
    if (!k->across_cyc)
        return 0;
    uint64_t most = (uint64_t)s->cfg->lsu_queue * k->across_cyc, free = s->operands.across_free;
    return free > most ? free - most : 0;
}

/* One starts in cycle t; returns how long it waits for its turn. */
static inline uint32_t across_take(struct sm *s, const struct kinsn *k, uint64_t t)
{
    uint64_t at = s->operands.across_free > t ? s->operands.across_free : t;
    s->operands.across_free = at + k->across_cyc;
    return (uint32_t)(at - t);
}

#endif
