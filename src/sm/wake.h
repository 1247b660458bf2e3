/* SPDX-License-Identifier: Apache-2.0 */
/* When a partition has something to look at. For core.h, which has the SM. */
#ifndef SM_WAKE_H
#define SM_WAKE_H

/* Which turn of a cycle the partition has. */
static inline uint32_t part_turn(const struct sm *s, uint32_t part)
{
    uint32_t first = s->clock.first;
    return part >= first ? part - first : part + s->cfg->partitions - first;
}

/* Partitions tick in this cycle, and this one's turn is still to come. */
static inline bool part_waits(const struct sm *s, uint32_t part)
{
    uint32_t ticking = (uint32_t)s->clock.ticking;
    return ticking < s->cfg->partitions && part_turn(s, part) > part_turn(s, ticking);
}

/* The partition has something to look at in cycle t, which is the current one or later: if its turn in this cycle is over, in
 * the next one. */
static inline void part_wake(struct part *p, uint64_t t)
{
    struct sm *s = p->sm;
    uint32_t bit = 1u << p->id;
    bool ticks = s->clock.ticking >= 0;
    p->stirred = true;
    if (t <= s->clock.now && part_waits(s, p->id)) {
        s->clock.turns |= bit;
        s->clock.again |= bit;
    } else if (t <= s->clock.now + ticks) {
        s->clock.awake |= bit;
    } else {
        s->clock.wakes[p->id] = t < s->clock.wakes[p->id] ? t : s->clock.wakes[p->id];
        s->clock.wake = t < s->clock.wake ? t : s->clock.wake;
    }
}

/* A slot has a new warp. */
static inline void part_take_slot(struct part *p, uint32_t slot, uint32_t tenant)
{
    p->first = (p->first & ~(1ull << slot)) | (uint64_t)!tenant << slot;
    p->issued_at[slot] = 0;
    p->oldest_of = 0;
}

#endif
