/* SPDX-License-Identifier: Apache-2.0 */
/* Probes: those who are told what happens in the stages. A moment is a function here, and its text lists who hears of it: the
 * pipeline view (step.h), --check (part.h), profiles (blame.h, tally.h), windows of registers (window.h), rows of the banks
 * (onchip/rows.h), tenants (tenant/tenant.h). Stages call one function for a moment and name no listener; a listener more is a
 * line here for each moment that it wants. Who listens only under a feature that the machine does not have costs nothing: the
 * condition is a constant.
 *
 * Probes change nothing of the cycle they are told of. Rows and tenants answer later: by a flight's delay, by limits of warps. */
#ifndef SM_STAGES_PROBE_H
#define SM_STAGES_PROBE_H

#include "sm/stages/stage.h"
#include "sm/watch/tally.h"

/* Does somebody follow single instructions; does --check; is every cycle charged to an instruction; does a policy decide about
 * tenants, and does it look at every issue? */
STAGE bool probe_steps(const struct part *p, features on) { return on & F_STEPS && RARE(p->sm->trust.steps); }
STAGE bool probe_checks(const struct part *p, features on) { return on & F_CHECKED && p->check; }
STAGE bool probe_places(const struct part *p, features on) { return on & F_WATCHED && p->sm->trust.places; }
STAGE bool probe_tenants(const struct part *p, features on) { return on & F_TENANTS && p->sm->tenants.cyc; }
STAGE bool probe_looks(const struct part *p, features on) { return on & F_TENANTS && p->sm->tenants.pcs; }

/* ---- CTAs ---- */

/* A CTA has come to a slot of the SM, and has its warps: a new one, or one that was parked. */
STAGE void probe_cta_came(struct sm *s, uint32_t slot)
{
    const struct sm_cta *c = &s->ctas.at[slot];
    const struct sm_observer *o = s->trust.watch;
    if (s->operands.window.touched)
        window_begin(s);
    if (o)
        o->cta_begin(o->ctx, slot, s->clock.now, c->k->id.tenant, c->launch, c->cta);
    tenants_begin(s);
}

/* The CTA of the slot has left the SM, at the beginning of cycle t, to end or to be parked. */
STAGE void probe_cta_left(struct sm *s, uint32_t slot, uint64_t t)
{
    const struct sm_observer *o = s->trust.watch;
    if (s->operands.window.touched && !s->ctas.n)
        window_end(s);
    if (o)
        o->cta_end(o->ctx, slot, t);
}

/* ---- fetch ---- */

/* The warp asks for the code behind the newest instruction in its buffer. */
STAGE void probe_asked(const struct part *p, uint32_t warp, uint64_t t, features on)
{
    if (probe_steps(p, on))
        step_asked(p, warp, t);
}

/* n instructions more are in the warp's buffer. */
STAGE void probe_fetched(const struct part *p, uint32_t warp, uint32_t n, features on)
{
    if (probe_steps(p, on))
        step_fetched(p, warp, n);
}

/* ---- issue ---- */

/* The schedulers of the partition are about to choose; they have chosen. */
STAGE void probe_choosing(struct part *p, features on)
{
    if (probe_looks(p, on))
        tenant_look(p);
}
STAGE void probe_chosen(struct part *p, uint64_t t, features on)
{
    if (probe_looks(p, on))
        tenant_issued(p, t);
}

/* The cycle of scheduler n begins: no instruction is to blame for it yet. */
STAGE void probe_cycle(struct part *p, uint32_t n, features on)
{
    if (on & F_WATCHED)
        p->blamed[n].kernel = NULL;
}

/* Scheduler n has chosen the warp. `issues`: the warp's instruction issues; else it lacks something. */
STAGE void probe_picked(struct part *p, uint32_t n, uint32_t warp, bool issues, features on)
{
    if (on & (issues ? F_TENANTS : F_WATCHED) && p->sm->trust.places)
        blame_warp(p, n, warp);
}

/* Scheduler n issues the warp's instruction k, with so many lanes. */
STAGE void probe_issued(struct part *p, uint32_t n, uint32_t warp, const struct kinsn *k, uint32_t lanes,
                        uint64_t t, features on)
{
    const struct sm *s = p->sm;
    if (!probe_places(p, on))
        return;
    const struct sm_observer *o = s->trust.watch;
    if (o && o->cycles)
        o->cycles(o->ctx, p->id * s->cfg->schedulers + n, t, t + 1, SS_issued);
    if (s->trust.tally)
        tally_issue(s->trust.tally, s->ctas.at[p->warps[warp].cta].k, k, lanes, o);
    if (RARE(s->tenants.stats))
        blame_tenant(p, warp, lanes);
}

/* The issued instruction has its flight, and goes to the collectors; or it needs none. */
STAGE void probe_flies(struct part *p, uint32_t warp, const struct inext *e, uint32_t f, bool memory,
                       uint64_t t, features on)
{
    if (memory && probe_tenants(p, on))
        tenant_asks(p, f);
    if (probe_steps(p, on))
        step_issued(p, warp, e, f, t);
    if (probe_checks(p, on))
        check_issue(p, f);
    if (on & F_FOLLOWED && p->sm->operands.window.touched)
        window_touch(p, warp, e->k);
}
STAGE void probe_stays(struct part *p, uint32_t warp, const struct inext *e, uint64_t t, features on)
{
    if (probe_steps(p, on))
        step_issued(p, warp, e, SM_STEP_NONE, t);
}

/* Scheduler n does not issue in cycle t, which is charged to `cause`. */
STAGE void probe_stalled(struct part *p, uint32_t n, uint8_t cause, uint64_t t, features on)
{
    if (probe_places(p, on))
        blame_cycle(p, n, (enum sm_stat)cause, t);
}

/* ---- sleep ---- */

/* The partition falls asleep. */
STAGE void probe_sleeps(struct part *p, features on)
{
    if (probe_looks(p, on))
        tenant_sleeps(p);
}

/* Cycles of scheduler n will be charged to `cause` while the partition sleeps. */
STAGE void probe_waits(struct part *p, uint32_t n, uint8_t cause, features on)
{
    if (probe_places(p, on))
        blame_wait(p, n, (enum sm_stat)cause, 0);
}

/* The partition has slept from cycle `from` to before cycle `until`; what scheduler n is charged for that. */
STAGE void probe_slept(struct part *p, uint64_t from, uint64_t until)
{
    if (p->sm->trust.places && p->sm->tenants.pcs)
        tenant_slept(p, until - from);
}
STAGE void probe_charged(const struct part *p, uint32_t n, uint64_t from, uint64_t until)
{
    const struct sm *s = p->sm;
    const struct sm_observer *o = s->trust.watch;
    if (!s->trust.places)
        return;
    if (o && o->cycles)
        o->cycles(o->ctx, p->id * s->cfg->schedulers + n, from, until, (enum sm_stat)p->cause[n]);
    blame_tell(p, n, (enum sm_stat)p->cause[n], until - from);
}

/* ---- operands ---- */

/* The flight takes collector `unit`; operands in `found` need not be read from their banks. */
STAGE void probe_collects(struct part *p, uint32_t f, uint32_t unit, uint32_t found, uint64_t t, features on)
{
    if (probe_steps(p, on)) {
        step_collects(p, f, unit, t);
        step_found(p, f, found, t);
    }
    if (on & F_FOLLOWED && p->sm->onchip.follows)
        rows_issued(p, f, found);
}

/* collect.c: what a unit gets from the banks, operand by operand. */
SELDOM void need_tell(const struct part *p, uint32_t unit, const uint64_t *got, uint64_t t, uint32_t waited);

/* Banks give collector `unit` so many registers each (`got`, stages/need.h), which its needs still have. */
STAGE void probe_read(struct part *p, uint32_t unit, const uint64_t *got, uint64_t t, uint32_t waited,
                      features on)
{
    if (probe_checks(p, on) && RARE(p->check->exact))
        check_read_banks(p, unit, got);
    if (probe_steps(p, on))
        need_tell(p, unit, got, t, waited);
}

/* n registers have come to the flight that had waited, `waited` cycles together. */
STAGE void probe_late(const struct part *p, uint32_t f, uint32_t n, uint64_t waited, features on)
{
    if (on & F_WATCHED && n && p->sm->trust.watch)
        blame_reads(p, f, n, waited);
}

/* ---- units and results ---- */

/* The flight has a moment of the pipeline view (enum sm_step_kind) in cycle t. */
STAGE void probe_moved(const struct part *p, uint32_t f, enum sm_step_kind what, uint64_t t, features on)
{
    if (probe_steps(p, on))
        step_at(p, f, what, t);
}

/* The result of the flight is there. `holds`: it is no instruction, but stands for a branch that holds its warp. */
STAGE void probe_result(struct part *p, uint32_t f, bool holds, features on)
{
    if (!holds)
        probe_moved(p, f, SM_STEP_RESULT, p->sm->clock.now, on);
    if (on & F_CHECKED && p->flights[f].i.k->route == ROUTE_MEMORY && p->check)
        order_done(p, f);
}

/* Destination i of the flight has come to its bank; or a policy keeps it. */
STAGE void probe_written(struct part *p, uint32_t f, uint32_t i, features on)
{
    if (probe_checks(p, on))
        check_write(p, f, i);
    if (probe_steps(p, on))
        step_written(p, f, i, true);
}
STAGE void probe_kept(const struct part *p, uint32_t f, uint32_t i, features on)
{
    if (probe_steps(p, on))
        step_written(p, f, i, false);
}

/* All lines of the flight, an access, were served. */
STAGE void probe_served(struct part *p, uint32_t f, features on)
{
    if (probe_tenants(p, on))
        tenant_served(p, f);
}

#endif
