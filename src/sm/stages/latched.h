/* Instructions in the latches before and behind the collectors. */
#ifndef SM_STAGES_LATCHED_H
#define SM_STAGES_LATCHED_H

#include "sm/stages/collect.h"

/* Free units go to the kinds of instructions in this order: GPGPU-Sim's ports serve them so. */
static const uint8_t latched_order[] = {UNIT_FP32, UNIT_HALF, UNIT_SFU,    UNIT_LSU, UNIT_FP64,
                                        UNIT_INT,  UNIT_MISC, UNIT_BRANCH, UNIT_TEX, UNIT_TENSOR};
_Static_assert(sizeof latched_order == UNIT_COUNT && sizeof latched_order <= LATCH_UNITS, "every unit once");

/* The collectors that an instruction may take: the one that is reserved for it, or what is free for its scheduler. */
STAGE uint64_t collectors_for(const struct part *p, const struct latched *l, uint32_t kind)
{
    const struct flight *f = &p->flights[l->flight];
    uint32_t own = f->unit;
    return own != COLLECT_ANY ? 1ull << own : collect_units_of(&p->collect, part_scheduler(p, f->warp), kind);
}

/* Of the slots of a unit: those that find a collector. */
STAGE uint32_t latched_lucky(const struct part *p, uint32_t unit)
{
    const struct collect *c = &p->collect;
    uint32_t can = 0;
    for (uint32_t m = c->front.used[unit]; m; m &= m - 1) {
        const struct latched *l = &c->front.at[unit][__builtin_ctz(m)];
        can |= collectors_for(p, l, unit) ? m & -m : 0;
    }
    return can;
}

/* One instruction of a unit takes a collector: the oldest, or the oldest that finds one. */
STAGE bool admit_one(struct part *p, uint32_t unit, uint64_t t, features on)
{
    struct collect *c = &p->collect;
    uint32_t can = p->sm->cfg->latch_order ? c->front.used[unit] : latched_lucky(p, unit);
    if (!can)
        return false;
    uint32_t slot = latch_oldest(&c->front, unit, can);
    const struct latched *l = &c->front.at[unit][slot];
    uint64_t units = collectors_for(p, l, unit);
    if (!units)
        return false;
    const struct flight *f = &p->flights[l->flight];
    enter_unit(p, l->flight, f->i.k, f->bank0, (uint32_t)__builtin_ctzll(units), t, false, on);
    latch_clear(&c->front, unit, slot);
    return true;
}

/* One of each unit, then a second one of each, and so on. */
STAGE void latches_admit(struct part *p, uint64_t t, features on)
{
    const struct latches *l = &p->collect.front;
    for (bool any = true; any && l->units;) {
        any = false;
        uint32_t left = l->units;
        for (uint32_t i = 0; left; i++) {
            uint32_t unit = latched_order[i];
            if (!(left >> unit & 1))
                continue;
            left &= ~(1u << unit);
            any |= admit_one(p, unit, t, on);
        }
    }
    p->collect.crowded = l->units;
}

/* Instructions leave the latches behind the collectors for their units, the oldest first. */
STAGE void latches_to_units(struct part *p, uint64_t t, features on)
{
    struct collect *c = &p->collect;
    struct latches *b = &c->back;
    c->held_up = false;
    for (uint32_t units = b->units; units; units &= units - 1) {
        uint32_t unit = (uint32_t)__builtin_ctz(units);
        for (uint32_t left = b->used[unit]; left;) {
            uint32_t slot = latch_oldest(b, unit, left), f = b->at[unit][slot].flight;
            const struct flight *l = &p->flights[f];
            bool memory = l->i.k->route == ROUTE_MEMORY;
            left &= ~(1u << slot);
            if (memory && !memory_takes(p, f)) {
                c->held_up = true;
            } else if (start_flight(p, l, f, t, t, memory, on)) {
                latch_clear(b, unit, slot);
                c->refused &= b->isolated ? ~c->own[slot] : 0;
            }
        }
    }
}

#endif
