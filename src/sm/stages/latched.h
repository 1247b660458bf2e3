/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions in the latches before and behind the collectors. */
#ifndef SM_STAGES_LATCHED_H
#define SM_STAGES_LATCHED_H

#include "sm/stages/collect.h"

/* Free units go to the kinds of instructions in this order: GPGPU-Sim's ports serve them so. */
static const uint8_t latched_order[] = {UNIT_FP32, UNIT_HALF, UNIT_SFU,    UNIT_LSU, UNIT_FP64,
                                        UNIT_INT,  UNIT_MISC, UNIT_BRANCH, UNIT_TEX, UNIT_TENSOR};
_Static_assert(sizeof latched_order == UNIT_COUNT && sizeof latched_order <= LATCH_UNITS, "every unit once");

/* The collectors that an instruction in a slot of the latches may take: the one that is reserved for it, or what is free for its
 * scheduler. */
STAGE uint64_t collectors_for(const struct part *p, const struct flight *l, uint32_t kind, uint32_t slot,
                              features on)
{
    if (on & F_POLICY && l->unit != COLLECT_ANY)
        return 1ull << l->unit;
    uint32_t n = is_isolated(p->sm, on) ? slot : part_scheduler(p, l->warp);
    return collect_units_of(&p->collect, n, kind);
}

/* One instruction of a unit takes a collector: the oldest, or the oldest that finds one. */
STAGE bool admit_one(struct part *p, uint32_t unit, uint64_t t, features on)
{
    struct latches *l = &p->collect.front;
    for (uint32_t i = 0; i < l->n[unit]; i++) {
        latched it = l->at[unit][i];
        uint32_t f = latched_flight(it);
        const struct flight *flight = &p->flights[f];
        uint64_t units = collectors_for(p, flight, unit, latched_slot(it), on);
        if (units) {
            enter_unit(p, f, flight->i.k, flight->bank0, (uint32_t)__builtin_ctzll(units), t, false, on);
            latch_clear(l, unit, i, is_isolated(p->sm, on));
            return true;
        }
        if (p->sm->cfg->latch_order)
            return false;
    }
    return false;
}

/* One of each unit, then a second one of each, and so on. Whose instructions find no collector will find none in this cycle. */
STAGE void latches_admit(struct part *p, uint64_t t, features on)
{
    const struct latches *l = &p->collect.front;
    for (uint32_t units = l->units; units; units &= l->units) {
        uint32_t left = units;
        for (uint32_t i = 0; left; i++) {
            uint32_t unit = left & (left - 1) ? latched_order[i] : (uint32_t)__builtin_ctz(left),
                     bit = 1u << unit;
            if (left & bit && !admit_one(p, unit, t, on))
                units ^= bit;
            left &= ~bit;
        }
    }
    p->collect.crowded = l->units;
}

/* Instructions leave the latches behind the collectors for their units, the oldest first. */
STAGE void latches_to_units(struct part *p, uint64_t t, features on)
{
    struct collect *c = &p->collect;
    struct latches *b = &c->back;
    for (uint32_t units = b->units; units; units &= units - 1) {
        uint32_t unit = (uint32_t)__builtin_ctz(units);
        for (uint32_t i = 0; i < b->n[unit];) {
            latched it = b->at[unit][i];
            uint32_t slot = latched_slot(it), f = latched_flight(it);
            const struct flight *l = &p->flights[f];
            bool memory = l->i.k->route == ROUTE_MEMORY;
            if ((memory && !latched_taken(p, slot, f)) || !start_flight(p, l, f, t, t, memory, on)) {
                i++;
                continue;
            }
            latch_clear(b, unit, i, is_isolated(p->sm, on));
            c->refused &= is_isolated(p->sm, on) ? ~c->own[slot] : 0;
        }
    }
}

#endif
