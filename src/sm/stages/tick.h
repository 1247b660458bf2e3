/* SPDX-License-Identifier: Apache-2.0 */
/* A cycle of an SM: events, then its partitions one after the other. Whoever instantiates the stages (STAGES) includes this. */
#ifndef SM_STAGES_TICK_H
#define SM_STAGES_TICK_H

#include "sm/l1/replies.h"
#include "sm/stages/fetch.h"
#include "sm/stages/issue.h"
#include "sm/stages/latched.h"

/* run.c: the sleeping partitions whose cycle has come, by bit; it is noted when the next of the others wakes. */
ASIDE uint32_t timed(struct sm *s, uint64_t t);
/* The next cycle after which something may have changed; before that, replies of which nothing comes are taken. */
ASIDE uint64_t go_on(struct sm *s);
/* Sets clock.until after cycle t: requests that the SM has sent since, and CTAs that have ended, limit how far it may run on. */
ASIDE void run_on_until(struct sm *s, uint64_t t);

/* Takes the results that are due in cycle t (struct due); they come before the events of the wheel. */
STAGE void run_due(struct sm *s, uint64_t t, features on)
{
    uint32_t slot = t % DUE;
    if (!(s->calendar.due.bits >> slot & 1))
        return;
    s->calendar.due.bits &= ~(1ull << slot);
    uint32_t awake = 0;
    for (uint32_t who = s->calendar.due.first[slot], last = s->calendar.due.last[slot];;) {
        uint32_t part = lsu_part(who), f = lsu_flight(who);
        struct part *p = &s->parts[part];
        uint32_t next = p->flights[f].next;
        take_result(p, f, on);
        awake |= 1u << part;
        if (who == last)
            break;
        who = next;
    }
    s->clock.awake |= awake;
}

/* Takes an event of the wheel. Most are of these kinds. */
STAGE void take_event(struct sm *s, const struct event *e, uint64_t t, features on)
{
    struct part *p = &s->parts[e->part];
    if (e->kind == EV_RESULT) {
        take_result(p, e->arg, on);
    } else if (e->kind == EV_UNHOLD) {
        unhold_warp(p, e->arg, on);
    } else if (on & F_DELAYS && e->kind == EV_GUARD) {
        warp_guards(p, e->arg, t, on);
    } else if (on & F_DELAYS && e->kind == EV_READ) {
        flight_read(p, e->arg, on);
    } else {
        event_one(s, e, t);
        return;
    }
    s->clock.awake |= 1u << e->part;
}

/* Takes the wheel's events of cycle t. */
STAGE void run_wheel(struct sm *s, uint64_t t, features on)
{
    uint32_t slot = t % WHEEL;
    uint64_t *bits = &s->calendar.bits[slot / 64];
    *bits &= ~(1ull << slot % 64);
    if (!*bits)
        s->calendar.words &= ~(1u << slot / 64);
    for (uint32_t i = s->calendar.first[slot]; i != UINT32_MAX;) {
        struct event e = s->calendar.events.at[i];
        s->calendar.events.at[i].next = s->calendar.free_event;
        s->calendar.free_event = i;
        take_event(s, &e, t, on);
        i = e.next;
    }
}

/* run_wheel for the set of features of the stages that call it: a function, since it is called seldom enough. */
typedef void take_wheel(struct sm *s, uint64_t t);

/* Takes all events of cycle t. */
STAGE void run_events(struct sm *s, uint64_t t, take_wheel *wheel, features on)
{
    run_due(s, t, on);
    if (event_any(s, t))
        wheel(s, t);
}

/* Can a ready warp issue in the next cycle? A stuck one waits for what only a tick can bring. */
STAGE bool may_issue_next(const struct part *p, features on)
{
    bool mixed = on & (F_POLICY | F_LATCHES);
    uint64_t ready = p->blocked[BLOCK_NOT] & ~(mixed ? p->stuck : 0);
    return ready && ((mixed && p->collect.each) || collect_free_units(&p->collect));
}

/* The next cycle in which the partition can do anything without being woken. */
STAGE uint64_t part_next(struct part *p, uint64_t t, features on)
{
    if (p->banks.pending | p->want_fetch || p->collect.nreading ||
        (on & F_AWAKE && !p->sm->cfg->sleep && p->used) || may_issue_next(p, on))
        return t + 1;
    return collect_next(p, t, on);
}

/* What comes before issue: results come to their banks, instructions leave the collectors, operands come to these. Returns
 * whether there were reads: an instruction that has all its operands leaves in the next cycle, the others read on then. */
STAGE bool move_operands(struct part *p, uint64_t t, features on)
{
    const struct operands_ops *o = stage_ops(p->sm, on);
    if (RARE(p->banks.pending))
        write_banks(p, on);
    else
        rest_banks(&p->banks, on);
    if (on & F_LATCHES && p->collect.back.units)
        latches_to_units(p, t, on);
    if (p->collect.full)
        dispatch_units(p, t, on);
    bool reads = p->collect.nreading;
    if (reads)
        read_banks(p, t, on);
    if (o->idle)
        o->idle(p->operands, t);
    if (on & F_LATCHES && p->collect.front.units && !p->collect.crowded)
        latches_admit(p, t, on);
    return reads;
}

/* Notes the cause that later cycles are charged to as long as nothing happens to the warps. `waits`: all warps waited in this
 * cycle and nothing has happened to them, so the cause of this cycle stays. */
STAGE void note_cause(struct part *p, uint64_t t, bool waits, features on)
{
    const struct sm *s = p->sm;
    probe_sleeps(p, on);
    if (waits)
        return;
    for (uint32_t n = 0, all = on & F_SCHEDULERS ? s->cfg->schedulers : 1; n < all; n++) {
        uint64_t mine = on & F_SCHEDULERS ? p->sched_mask[n] : ALL_SLOTS;
        p->cause[n] = p->blocked[BLOCK_NOT] & mine ? (uint8_t)why_no_unit(p, t + 1, on) : idle_cause(p, mine);
        if (on & F_CHOICE && s->sched->active)
            note_pending(p, n, mine);
        probe_waits(p, n, p->cause[n], on);
    }
}

/* The partition sleeps until that cycle, unless somebody wakes it before. */
STAGE void part_sleep(const struct part *p, uint64_t until)
{
    struct sm *s = p->sm;
    s->clock.again &= ~(1u << p->id);
    s->clock.wakes[p->id] = until;
    s->clock.wake = until < s->clock.wake ? until : s->clock.wake;
}

/* Cycles that the partition has slept through, or in which it has only moved operands, are charged. */
STAGE void charge_slept(struct part *p, uint64_t t, features on)
{
    if (on & (F_SCHEDULERS | F_TENANTS | F_WATCHED)) {
        part_charge(p, t);
        return;
    }
    p->sm->stats[*p->cause] += t - p->counted;
    if (on & F_CHOICE && p->pending_ready)
        p->sm->stats[SS_pending_ready] += t - p->counted;
}

/* Warps have changed: they are looked at, and one may issue. Returns the next cycle in which something can happen. If the warps
 * wait then, and nothing has happened to them, the cause of the wait is known, and the ticks that follow move operands alone. */
STAGE uint64_t look_at_warps(struct part *p, uint64_t t, features on)
{
    if (p->counted < t)
        charge_slept(p, t, on);
    p->counted = t + 1;
    bool waits = !p->blocked[BLOCK_NOT]; /* all of them */
    issue_stage(p, t, on);
    if (p->want_fetch) {
        waits = false;
        fetch_stage(p, t, on);
    } else if (on & F_SCHEDULERS && p->at_hand) {
        fetch_stage(p, t, on);
    }
    uint64_t next = part_next(p, t, on);
    bool quiet =
        !(p->blocked[BLOCK_NOT] | p->want_fetch) && !stage_has(p->sm, F_AWAKE | F_TENANTS | F_FOLLOWED, on);
    if (quiet || next != t + 1)
        note_cause(p, t, waits, on);
    if (quiet)
        p->stirred = false;
    return next;
}

/* The partition ticks in the next cycle too, or sleeps. */
STAGE void part_tick(struct part *p, uint64_t t, features on)
{
    uint64_t next;
    bool reads = move_operands(p, t, on);
    if (on & F_CHOICE && p->score)
        score_sample(p, t);
    if (p->stirred)
        next = look_at_warps(p, t, on);
    else
        next = reads || p->banks.pending ? t + 1 : collect_next(p, t, on);
    if (next != t + 1)
        part_sleep(p, next);
}

/* Ticks the partitions in `turns`, of which `first` has the first turn. */
STAGE void tick_some(struct sm *s, uint32_t turns, uint32_t first, uint64_t t, features on)
{
    for (; turns; turns = s->clock.turns) {
        uint32_t after = on & F_TURNS ? turns >> first << first : 0;
        uint32_t i = (uint32_t)__builtin_ctz(after ? after : turns);
        s->clock.turns = turns & ~(1u << i);
        s->clock.ticking = (int32_t)i;
        part_tick(&s->parts[i], t, on);
    }
}

/* What partitions do in cycle t: those with an event in it, and those that were to do something. */
STAGE void tick_parts(struct sm *s, uint64_t t, take_wheel *wheel, features on)
{
    run_events(s, t, wheel, on);
    uint32_t these = s->clock.awake;
    if (!these && s->clock.wake > t)
        return;
    s->clock.awake = 0;
    if (s->clock.wake <= t)
        these |= timed(s, t);
    s->clock.again = these;
    uint32_t first = 0;
    if (on & F_TURNS && s->cfg->part_turns)
        s->clock.first = first = s->lsu.last + 1 < s->cfg->partitions ? s->lsu.last + 1 : 0;
    tick_some(s, these, first, t, on);
    s->clock.awake |= s->clock.again;
    /* clock.wake may be the cycle of a partition that has ticked before it: find the next one that stands. */
    if (!s->clock.awake && s->clock.wake != NEVER)
        (void)timed(s, t);
}

STAGE void run(struct sm *s, take_wheel *wheel, features on)
{
    s->clock.ticking = -1;
    uint64_t t = go_on(s);
    while (t < s->clock.until) {
        s->clock.now = t;
        if (reply_next(s) <= t)
            replies_take(s, t);
        tick_parts(s, t, wheel, on);
        if (s->l1.due <= t) {
            /* L1 goes through the lines of an access in one call: not beyond the place of a CTA that has just ended. */
            if (s->clock.until != s->clock.must && s->ctas.done.n)
                run_on_until(s, t);
            s->clock.ticking = (int32_t)s->cfg->partitions;
            l1_tick(s, t);
            t = s->clock.now;
        }
        if (s->operands.reads_now) {
            s->operands
                .reads_per_cycle[s->operands.reads_now < s->operands.reads_most ? s->operands.reads_now
                                                                                : s->operands.reads_most]++;
            s->operands.reads_now = 0;
        }
        if (s->clock.until != s->clock.must && (s->port.out_seen != s->port.out.n || s->ctas.done.n))
            run_on_until(s, t);
        s->clock.now = t + 1;
        s->clock.ticking = -1;
        t = s->clock.awake ? t + 1 : go_on(s);
    }
    s->clock.next = t;
    s->stats[SS_issued] = s->stats[SS_warp_insts]; /* each of them took a scheduler's cycle */
    if (s->clock.now < s->clock.until)
        s->clock.now = s->clock.until;
}

/* The stages, instantiated for a set of features. */
#define STAGES(name, set)                                                                                    \
    ASIDE static void wheel_##name(struct sm *s, uint64_t t) { run_wheel(s, t, set); }                       \
    static void run_##name(struct sm *s) { run(s, wheel_##name, set); }                                      \
    static void take_##name(struct part *p, uint32_t f) { take_result(p, f, set); }                          \
    static const struct stages name##_stages = {set, run_##name, take_##name}

#endif
