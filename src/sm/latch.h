/* SPDX-License-Identifier: Apache-2.0 */
/* Latches of the pipeline: between issue and the collectors (sm.issue_latch), and between these and the units (sm.unit_latch).
 * There is one for each kind of unit and scheduler, or as many as there are units of the kind (sm.latch_by_unit). Where
 * schedulers are isolated each has its own; else an instruction takes any free one of its unit. */
#ifndef SM_LATCH_H
#define SM_LATCH_H

#include <stdbool.h>
#include <stdint.h>

struct arena;

enum { LATCH_UNITS = 16, LATCH_SLOTS = 8 }; /* kinds of units, schedulers */

struct latched {
    uint64_t age; /* order of issue */
    uint32_t flight;
};

struct latches {
    struct latched (*at)[LATCH_SLOTS]; /* by unit */
    /* By unit: the slots with an instruction, four bits each with 1 + its number, the oldest in the lowest. */
    uint32_t order[LATCH_UNITS];
    uint8_t used[LATCH_UNITS]; /* the same slots, by bit */
    uint16_t units;            /* with an instruction, by bit */
    uint8_t mask[LATCH_UNITS]; /* slots that there are */
    /* By scheduler: units with a free slot for its instructions, by bit. */
    uint16_t room[LATCH_SLOTS];
    /* By scheduler: warps whose next instruction found no slot free, since one of the scheduler's was cleared last. */
    uint64_t turned_away[LATCH_SLOTS];
    bool isolated;
};

/* As many of each unit as there are schedulers; or as `by_unit` says, unless that is NULL. */
void latch_init(struct latches *l, uint32_t schedulers, bool isolated, const uint32_t *by_unit, uint32_t n,
                struct arena *a);
/* latch.c: what `room` has of a unit, after its slots have changed. */
void latch_see_room(struct latches *l, uint32_t unit);

static inline bool latch_free(const struct latches *l, uint32_t unit, uint32_t scheduler)
{
    return l->room[scheduler] >> unit & 1;
}

/* The slot has changed: as latch_see_room, where each scheduler has its own. */
static inline void latch_see_slot(struct latches *l, uint32_t unit, uint32_t slot)
{
    if (l->isolated)
        l->room[slot] ^= (uint16_t)(1u << unit);
    else
        latch_see_room(l, unit);
}

/* One must be free. Its place in the order is found from behind: most are younger than all others. */
static inline void latch_put(struct latches *l, uint32_t unit, uint32_t scheduler, struct latched what)
{
    uint32_t used = l->used[unit], order = l->order[unit], at = 4 * (uint32_t)__builtin_popcount(used);
    uint32_t slot = l->isolated ? scheduler : (uint32_t)__builtin_ctz(l->mask[unit] & ~used);
    while (at && l->at[unit][(order >> (at - 4) & 15) - 1].age > what.age)
        at -= 4;
    uint32_t older = order & ((1u << at) - 1);
    l->order[unit] = older | (slot + 1) << at | (order ^ older) << 4;
    l->at[unit][slot] = what;
    l->used[unit] = (uint8_t)(used | 1u << slot);
    l->units |= (uint16_t)(1u << unit);
    latch_see_slot(l, unit, slot);
}

static inline void latch_clear(struct latches *l, uint32_t unit, uint32_t slot)
{
    uint32_t order = l->order[unit], at = 0;
    while ((order >> at & 15) != slot + 1)
        at += 4;
    uint32_t older = order & ((1u << at) - 1);
    l->order[unit] = older | (order >> at >> 4) << at;
    l->used[unit] &= (uint8_t) ~(1u << slot);
    if (!l->used[unit])
        l->units &= (uint16_t) ~(1u << unit);
    latch_see_slot(l, unit, slot);
    for (uint32_t n = l->isolated ? slot : 0; n < (l->isolated ? slot + 1 : LATCH_SLOTS); n++)
        l->turned_away[n] = 0;
}

#endif
