/* SPDX-License-Identifier: Apache-2.0 */
/* When a partition has something to look at. For core.h, which has the SM. */
#ifndef SM_WAKE_H
#define SM_WAKE_H

/* Which turn of a cycle the partition has. */
static inline uint32_t part_turn(const struct part *p)
{
    uint32_t first = p->sm->clock.first;
    return p->id >= first ? p->id - first : p->id + p->sm->cfg->partitions - first;
}

/* The partition has something to look at in cycle t, which is the current one or later: if its turn in this cycle is over, in
 * the next one. */
static inline void part_wake(struct part *p, uint64_t t)
{
    struct sm *s = p->sm;
    uint32_t bit = 1u << p->id;
    bool ticks = s->clock.ticking >= 0;
    p->stirred = true;
    if (ticks && t <= s->clock.now && (int32_t)part_turn(p) > s->clock.ticking) {
        s->clock.turns |= 1u << part_turn(p);
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
