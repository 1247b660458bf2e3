/* SPDX-License-Identifier: Apache-2.0 */
#include "sm/watch/step.h"

#include "sm/core.h"

static void tell(const struct part *p, struct sm_step s, uint32_t warp)
{
    const struct sm_observer *o = p->sm->trust.steps;
    s.part = (uint8_t)p->id;
    s.slot = (uint8_t)warp;
    s.age = p->age[warp];
    o->step(o->ctx, &s);
}

/* One of an instruction in flight. */
static void tell_flight(const struct part *p, struct sm_step s, uint32_t flight)
{
    s.flight = flight;
    tell(p, s, p->flights[flight].warp);
}

void step_asked(const struct part *p, uint32_t warp, uint64_t t)
{
    tell(p, (struct sm_step){.kind = SM_STEP_ASKED, .at = t, .flight = SM_STEP_NONE}, warp);
}

void step_fetched(const struct part *p, uint32_t warp, uint32_t n)
{
    /* What arrives among the events of a cycle may issue in it; what the stage of fetch brings, in the next one. */
    uint64_t t = p->sm->clock.now + (p->sm->clock.ticking >= 0);
    tell(p, (struct sm_step){.kind = SM_STEP_FETCHED, .at = t, .flight = SM_STEP_NONE, .n = n}, warp);
}

void step_issued(const struct part *p, uint32_t warp, const struct inext *e, uint32_t flight, uint64_t t)
{
    const struct sm_warp *w = &p->warps[warp];
    const struct sm_cta *c = &p->sm->ctas.at[w->cta];
    struct sm_step s = {.kind = SM_STEP_ISSUED,
                        .at = t,
                        .flight = flight,
                        .place = {c->k->id.tenant, c->k->id.index, e->k->at},
                        .launch = c->launch,
                        .cta = c->cta,
                        .warp = w->index,
                        .mask = e->mask,
                        .unit = flight != SM_STEP_NONE ? unit_name(e->k->unit) : NULL};
    tell(p, s, warp);
}

void step_collects(const struct part *p, uint32_t flight, uint32_t unit, uint64_t t)
{
    tell_flight(p, (struct sm_step){.kind = SM_STEP_COLLECTS, .at = t, .n = unit}, flight);
}

void step_found(const struct part *p, uint32_t flight, uint32_t operands, uint64_t t)
{
    const char *from = p->sm->operands.ops->found;
    for (; operands; operands &= operands - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(operands);
        tell_flight(p,
                    (struct sm_step){.kind = SM_STEP_READ,
                                     .at = t,
                                     .bank = SM_STEP_NONE,
                                     .from = from ? from : "cache",
                                     .reg = p->flights[flight].i.k->read[i]},
                    flight);
    }
}

void step_read(const struct part *p, uint32_t flight, uint32_t i, uint32_t bank, uint64_t t, uint32_t waited)
{
    tell_flight(p,
                (struct sm_step){.kind = SM_STEP_READ,
                                 .at = t,
                                 .bank = bank,
                                 .waited = waited,
                                 .reg = p->flights[flight].i.k->read[i]},
                flight);
}

void step_written(const struct part *p, uint32_t flight, uint32_t i, bool banked)
{
    const struct flight *l = &p->flights[flight];
    const struct kinsn *k = l->i.k;
    tell_flight(p,
                (struct sm_step){.kind = SM_STEP_WRITTEN,
                                 .at = p->sm->clock.now,
                                 .bank = banked ? bank_of(p, k->write_bank[i], l->bank0) : SM_STEP_NONE,
                                 .reg = k->write[i]},
                flight);
}

void step_at(const struct part *p, uint32_t flight, enum sm_step_kind kind, uint64_t t)
{
    const struct ientry *e = &p->flights[flight].i;
    struct sm_step s = {.kind = (uint8_t)kind, .at = t};
    if (kind == SM_STEP_STARTED && e->k->route == ROUTE_MEMORY && e->mask) {
        s.lines = ientry_has_lines(e) ? e->lines.n : 0;
        s.passes = e->passes;
    }
    tell_flight(p, s, flight);
}
