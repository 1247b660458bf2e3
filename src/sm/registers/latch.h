/* SPDX-License-Identifier: Apache-2.0 */
/* Latches of the pipeline: between issue and the collectors (sm.issue_latch), and between these and the units (sm.unit_latch).
 * There is one for each kind of unit and scheduler, or as many as there are units of the kind (sm.latch_by_unit). Where
 * schedulers are isolated each has its own; else an instruction takes any free one of its unit. */
#ifndef SM_LATCH_H
#define SM_LATCH_H

#include "base/hint.h"

#include <stdbool.h>
#include <stdint.h>

struct arena;

enum { LATCH_UNITS = 16, LATCH_SLOTS = 8 }; /* kinds of units, schedulers */

/* An instruction in a latch: its order of issue, then the slot that it is in, then its flight. */
typedef uint64_t latched;
enum { LATCHED_SLOT = 24, LATCHED_AGE = 27 }; /* bits of the flight; of flight and slot */
static inline uint32_t latched_flight(latched i) { return (uint32_t)i & ((1u << LATCHED_SLOT) - 1); }
static inline uint32_t latched_slot(latched i) { return (uint32_t)i >> LATCHED_SLOT & (LATCH_SLOTS - 1); }

struct latches {
    latched (*at)[LATCH_SLOTS]; /* by unit: its instructions, the oldest first */
    uint8_t n[LATCH_UNITS];     /* by unit: how many */
    /* By unit: slots without an instruction, by bit; kept where schedulers share them */
    uint8_t free[LATCH_UNITS];
    /* By isolated scheduler, else in the first: units that have no slot left for it, by bit */
    uint16_t taken[LATCH_SLOTS];
    uint16_t units; /* with an instruction, by bit */
    bool isolated;  /* a slot is for the scheduler of the same number */
};

/* As many of each unit as there are schedulers; or as `by_unit` says, unless that is NULL. */
void latch_init(struct latches *l, uint32_t schedulers, bool isolated, const uint32_t *by_unit, uint32_t n,
                struct arena *a);

/* Units whose latches the scheduler finds taken, by bit. `isolated`: as in `l`. */
INTO uint32_t latch_taken(const struct latches *l, uint32_t scheduler, bool isolated)
{
    return l->taken[isolated ? scheduler : 0];
}
INTO bool latch_free(const struct latches *l, uint32_t unit, uint32_t scheduler, bool isolated)
{
    return !(latch_taken(l, scheduler, isolated) >> unit & 1);
}

/* An instruction, whose slot is still to be chosen, goes into a latch; one must be free. Its place in the order is found from
 * behind: most are younger than all others. */
INTO void latch_put(struct latches *l, uint32_t unit, uint32_t scheduler, latched what, bool isolated)
{
    uint32_t slot = isolated ? scheduler : (uint32_t)__builtin_ctz(l->free[unit]), i = l->n[unit]++;
    latched *at = l->at[unit];
    for (; i && RARE(at[i - 1] > what); i--)
        at[i] = at[i - 1];
    at[i] = what | slot << LATCHED_SLOT;
    l->units |= (uint16_t)(1u << unit);
    if (!isolated && (l->free[unit] &= (uint8_t) ~(1u << slot)))
        return;
    l->taken[isolated ? slot : 0] |= (uint16_t)(1u << unit);
}

/* The unit's instruction i leaves its latch. */
INTO void latch_clear(struct latches *l, uint32_t unit, uint32_t i, bool isolated)
{
    latched *at = l->at[unit];
    uint32_t slot = latched_slot(at[i]), n = --l->n[unit];
    uint16_t others = (uint16_t) ~(1u << unit);
    for (; i < n; i++)
        at[i] = at[i + 1];
    l->taken[isolated ? slot : 0] &= others;
    if (!isolated)
        l->free[unit] |= (uint8_t)(1u << slot);
    if (!n)
        l->units &= others;
}

#endif
