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
    /* By unit: the slots with an instruction, four bits each with 1 + its number, the oldest in the lowest; how many. */
    uint32_t order[LATCH_UNITS];
    uint8_t n[LATCH_UNITS];
    uint8_t free[LATCH_UNITS]; /* by unit: slots without an instruction, by bit */
    uint8_t own[LATCH_SLOTS];  /* by scheduler: slots that its instructions may take, by bit */
    /* By isolated scheduler, else in the first: units that have no slot left for it, by bit */
    uint16_t taken[LATCH_SLOTS];
    uint16_t units; /* with an instruction, by bit */
    bool isolated;
};

/* As many of each unit as there are schedulers; or as `by_unit` says, unless that is NULL. */
void latch_init(struct latches *l, uint32_t schedulers, bool isolated, const uint32_t *by_unit, uint32_t n,
                struct arena *a);

static inline uint32_t latch_taken(const struct latches *l, uint32_t scheduler)
{
    return l->taken[l->isolated ? scheduler : 0];
}
static inline bool latch_free(const struct latches *l, uint32_t unit, uint32_t scheduler)
{
    return l->free[unit] & l->own[scheduler];
}

/* One must be free. Its place in the order is found from behind: most are younger than all others. */
static inline void latch_put(struct latches *l, uint32_t unit, uint32_t scheduler, struct latched what)
{
    uint32_t slot = l->isolated ? scheduler : (uint32_t)__builtin_ctz(l->free[unit]);
    uint32_t order = l->order[unit], at = 4u * l->n[unit]++;
    if (!at || l->at[unit][(order >> (at - 4)) - 1].age < what.age) {
        l->order[unit] = order | (slot + 1) << at;
    } else {
        for (at -= 4; at && l->at[unit][(order >> (at - 4) & 15) - 1].age > what.age;)
            at -= 4;
        uint32_t younger = order >> at << at;
        l->order[unit] = (order ^ younger) | (slot + 1) << at | younger << 4;
    }
    l->at[unit][slot] = what;
    l->free[unit] = (uint8_t)(l->free[unit] ^ 1u << slot);
    l->units |= (uint16_t)(1u << unit);
    if (l->isolated || !l->free[unit])
        l->taken[l->isolated ? slot : 0] |= (uint16_t)(1u << unit);
}

static inline void latch_clear(struct latches *l, uint32_t unit, uint32_t slot)
{
    uint32_t order = l->order[unit], at = 0;
    while ((order >> at & 15) != slot + 1)
        at += 4;
    uint32_t older = order & ((1u << at) - 1);
    l->order[unit] = at ? older | (order >> at >> 4) << at : order >> 4;
    l->free[unit] = (uint8_t)(l->free[unit] ^ 1u << slot);
    l->taken[l->isolated ? slot : 0] &= (uint16_t) ~(1u << unit);
    if (!--l->n[unit])
        l->units &= (uint16_t) ~(1u << unit);
}

#endif
