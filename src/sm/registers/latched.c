/* SPDX-License-Identifier: Apache-2.0 */
/* What is asked of the latches before and behind the collectors (stages/latched.h moves what is in them). */
#include "sm/core.h"

/* Collectors of a scheduler that are empty when an instruction that issues now comes there: their own leave for latches first. */
static uint32_t about_to_leave(const struct part *p, uint32_t n, uint32_t kind)
{
    const struct collect *c = &p->collect;
    uint32_t k = 0;
    for (uint64_t m = p->sm->cfg->unit_latch ? c->full & c->own[n] & c->of[kind] : 0; m; m &= m - 1) {
        const struct flight *l = &p->flights[c->units[__builtin_ctzll(m)].flight];
        k += latch_free(&c->back, l->i.k->latch, part_scheduler(p, l->warp), c->back.isolated);
    }
    return k;
}

bool collect_spare(const struct part *p, uint32_t n, uint32_t kind)
{
    const struct collect *c = &p->collect;
    uint32_t wait = 0;
    for (uint32_t units = c->front.units; units; units &= units - 1) {
        uint32_t unit = (uint32_t)__builtin_ctz(units);
        if (c->of[unit] != c->of[kind])
            continue;
        for (uint32_t i = 0; i < c->front.n[unit]; i++) {
            latched it = c->front.at[unit][i];
            bool comes = !c->front.isolated || latched_slot(it) == n;
            wait += comes && p->flights[latched_flight(it)].unit == COLLECT_ANY;
        }
    }
    return (uint32_t)__builtin_popcountll(collect_units_of(c, n, kind)) + about_to_leave(p, n, kind) > wait;
}
