/* SPDX-License-Identifier: Apache-2.0 */
/* Dispatch to the units, and results. */
#ifndef SM_STAGES_FLIGHT_H
#define SM_STAGES_FLIGHT_H

#include "sm/across.h"
#include "sm/lsu/steps.h"
#include "sm/stages/warp.h"

SELDOM void flight_more(struct part *p); /* places for flights */
/* A branch, which a flight without results stands for, does not hold its warp any more. */
ASIDE void flight_unhold(struct part *p, uint32_t f);

/* As flight_new. */
STAGE uint32_t take_flight(struct part *p)
{
    if (RARE(p->free_flight == UINT32_MAX))
        flight_more(p);
    uint32_t f = p->free_flight;
    p->free_flight = p->flights[f].next;
    return f;
}

STAGE void give_flight(struct part *p, struct flight *l, uint32_t f)
{
    l->next = p->free_flight;
    p->free_flight = f;
}

/* Nothing of it is left: it is free again. */
STAGE void flight_ends(struct part *p, struct flight *l, uint32_t f)
{
    uint32_t warp = l->warp;
    struct sm_warp *w = &p->warps[warp];
    give_flight(p, l, f);
    if (--w->in_flight == 0 && RARE(sm_warp_over(w))) {
        p->stirred = true;
        sm_cta_warp_ended(p, warp, p->sm->clock.now);
    }
}

/* All of its results are where they belong. */
STAGE void flight_over(struct part *p, struct flight *l, uint32_t f, features on)
{
    uint32_t warp = l->warp;
    struct sm_warp *w = &p->warps[warp];
    probe_moved(p, f, SM_STEP_OVER, p->sm->clock.now, on);
    if (on & F_DELAYS && RARE(l->i.k->holds))
        warp_operands_read(p, w, f, on);
    warp_result(p, w, warp, l->i.k, on);
    if (RARE(l->i.lines.n)) {
        probe_served(p, f, on);
        lines_free(p->sm, &l->i.lines);
    }
    if (on & F_DELAYS && RARE(l->reads == READS_LAST))
        l->reads = READS_ALONE;
    else
        flight_ends(p, l, f);
}

/* EV_READ: what the flight has read may be written. */
STAGE void flight_read(struct part *p, uint32_t f, features on)
{
    struct flight *l = &p->flights[f];
    bool alone = l->reads == READS_ALONE;
    l->reads = READS_OVER;
    warp_operands_read(p, &p->warps[l->warp], f, on);
    if (alone)
        flight_ends(p, l, f);
}

/* What has held the warp is over. */
STAGE void unhold_warp(struct part *p, uint32_t i, features on)
{
    struct sm_warp *w = &p->warps[i];
    p->stirred = true;
    w->held = 0;
    if (RARE(sm_warp_over(w)))
        sm_cta_warp_ended(p, i, p->sm->clock.now);
    else
        warp_look(p, w, i, on);
}

/* A memory instruction leaves after those that its warp has issued before, so that a store whose data is there early does not
 * overtake a load. */
STAGE bool has_turn(const struct part *p, const struct flight *l)
{
    return l->turn == p->warps[l->warp].mem_left;
}

/* ... and the load-store unit must have room for it. */
STAGE bool memory_takes(const struct part *p, uint32_t f)
{
    return p->sm->lsu.ops->room(p->sm->lsu.st, p->id, f);
}

/* The units that may run an instruction, the first of n that lie MAX_UNITS apart: an isolated scheduler has its share of them.
 * What there are fewer of than schedulers they have in common. */
STAGE uint64_t *units_for(struct part *p, const struct flight *l, const struct kinsn *k, uint32_t *n,
                          features on)
{
    uint32_t own = on & F_SCHEDULERS ? p->sm->operands.own_units[k->unit] : 0;
    uint32_t from = on & F_DELAYS ? k->from_unit : 0;
    *n = own ? own : p->sm->operands.units[k->unit] - from;
    return &p->unit_free[part_scheduler(p, l->warp) * own + from][k->unit];
}

/* The earliest cycle in which dispatch_flight could succeed, as far as the units go. */
STAGE uint64_t earliest_start(struct part *p, uint32_t f, features on)
{
    const struct flight *l = &p->flights[f];
    const struct kinsn *k = l->i.k;
    uint64_t t = NEVER;
    uint32_t n;
    const uint64_t *unit = units_for(p, l, k, &n, on);
    for (uint32_t i = 0; i < n; i++, unit += MAX_UNITS)
        t = *unit < t ? *unit : t;
    uint64_t across = on & F_DELAYS ? across_opens(p->sm, k) : 0;
    return across > t ? across : t;
}

/* In cycle t: a result comes in cycle `at`. Most do soon, and wait in lists of their flights by cycle; but behind what the wheel
 * has for the same cycle, since all of a cycle comes in the order in which it was made. */
STAGE void put_due(struct part *p, uint32_t f, uint64_t t, uint64_t at)
{
    struct sm *s = p->sm;
    uint32_t slot = at % DUE;
    uint64_t bit = 1ull << slot;
    if (RARE(at - t >= DUE || event_any(s, at))) {
        put_event(s, at, EV_RESULT, p->id, f);
        return;
    }
    uint32_t who = lsu_pack(p->id, f);
    if (s->calendar.due.bits & bit)
        lsu_at(s, s->calendar.due.last[slot])->next = who;
    else
        s->calendar.due.first[slot] = who;
    s->calendar.due.last[slot] = who;
    s->calendar.due.bits |= bit;
}

/* Cycles from the start of a flight until its unit takes another one. */
STAGE uint32_t unit_taken(const struct part *p, const struct flight *l, features on)
{
    const struct kinsn *k = l->i.k;
    uint32_t passes = on & F_DELAYS && k->ported ? p->sm->cfg->port_cyc * l->i.passes : 0;
    return passes > k->ii ? passes : k->ii;
}

/* The flight has left its collector, or what stands for it, for its unit in cycle t: its registers are read, now or later. */
STAGE void operands_left(struct part *p, struct flight *l, uint32_t f, uint64_t t, features on)
{
    const struct kinsn *k = l->i.k;
    if (!(on & F_DELAYS) || !RARE(k->free_cyc)) {
        warp_operands_read(p, &p->warps[l->warp], f, on);
    } else if (!k->holds) {
        l->reads = READS_LAST;
        put_event(p->sm, t + k->ii + k->free_cyc, EV_READ, p->id, f);
    }
}

/* A flight goes to its unit in cycle t, and to the load-store unit if it needs that; false: no unit is free. `now`: the cycle,
 * which may be before t. */
STAGE bool start_flight(struct part *p, const struct flight *l, uint32_t f, uint64_t t, uint64_t now,
                        bool memory, features on)
{
    const struct kinsn *k = l->i.k;
    uint64_t *unit = &p->unit_free[on & F_DELAYS ? k->from_unit : 0][k->unit];
    if (on & F_DELAYS && RARE(k->across_cyc) && across_opens(p->sm, k) > t)
        return false;
    if ((on & F_SCHEDULERS) || RARE(*unit > t)) {
        uint32_t n;
        for (unit = units_for(p, l, k, &n, on); *unit > t; unit += MAX_UNITS)
            if (!--n)
                return false;
    }
    *unit = t + unit_taken(p, l, on);
    probe_moved(p, f, SM_STEP_STARTED, t, on);
    if (!memory) {
        uint32_t wait = on & F_DELAYS && RARE(k->across_cyc) ? across_take(p->sm, k, t) : 0;
        put_due(p, f, now, t + k->exec_cyc + wait + (on & F_FOLLOWED ? l->late : 0));
        return true;
    }
    p->sm->lsu.last = p->id;
    p->sm->lsu.ops->push(p->sm->lsu.st, p->id, f);
    p->sm->l1.due = 0;
    return true;
}

/* Into the latch before its unit. False: that is taken. */
STAGE bool latch_flight(struct part *p, const struct flight *l, features on)
{
    struct latches *b = &p->collect.back;
    uint32_t n = part_scheduler(p, l->warp), kind = l->i.k->latch;
    bool isolated = is_isolated(p->sm, on);
    if (!latch_free(b, kind, n, isolated))
        return false;
    latch_put(b, kind, n, l->latched, isolated);
    return true;
}

/* A flight whose operands are complete leaves its collector, for its unit or the latch before that. False: that is busy. If it
 * goes to memory, and there is no latch, memory takes it. */
STAGE bool dispatch_flight(struct part *p, uint32_t f, uint64_t t, bool memory, features on)
{
    struct flight *l = &p->flights[f];
    struct sm_warp *w = &p->warps[l->warp];
    if (has_unit_latch(p->sm, on)) {
        if (!latch_flight(p, l, on))
            return false;
    } else if (!start_flight(p, l, f, t, t, memory, on)) {
        return false;
    }
    operands_left(p, l, f, t, on);
    probe_moved(p, f, SM_STEP_LEFT, t, on);
    if (memory)
        w->mem_left++;
    return true;
}

/* Destination i of it has come to its bank. */
STAGE void register_written(struct part *p, uint32_t f, uint32_t i, features on)
{
    const struct operands_ops *o = stage_ops(p->sm, on);
    probe_written(p, f, i, on);
    if (o->write)
        o->write(p->operands, f, i, p->sm->clock.now);
}

/* ... from the queue before that. */
STAGE void write_result(struct part *p, uint32_t f, uint32_t i, features on)
{
    struct flight *l = &p->flights[f];
    register_written(p, f, i, on);
    if (--l->writes_left == 0)
        flight_over(p, l, f, on);
}

/* Can nothing else that happens to the warp in this cycle change what a result does to it? */
STAGE bool warp_settled(const struct sm_warp *w)
{
    return w->block == BLOCK_NOT || ((w->block == BLOCK_ALU || w->block == BLOCK_MEMORY) && !w->held);
}

/* Nothing is before one register or two at their banks, which the tick of this cycle finds written. But a warp does not end
 * before that, whatever else of it comes in this cycle. */
STAGE bool write_at_once(struct part *p, const struct flight *l, uint32_t n, features on)
{
    struct banks *b = &p->banks;
    const struct sm_warp *w = &p->warps[l->warp];
    const uint8_t *to = l->i.k->write_bank;
    uint32_t first = bank_of(p, to[0], l->bank0), second = n > 1 ? bank_of(p, to[1], l->bank0) : first;
    uint64_t bits = 1ull << first | 1ull << second;
    bool queues = !(on & F_WRITES) || b->write_queue;
    /* A warp that is let go on in this cycle comes first. */
    if ((stage_ops(p->sm, on)->write || (on & F_DELAYS && p->sm->cfg->cross_cyc)) && !warp_settled(w))
        return false;
    if (RARE((queues && (b->pending | b->written) & bits) || w->ended))
        return false;
    if (n > 1) {
        if (queues && RARE(first == second))
            return false;
        b->count[second].writes++;
    }
    b->written |= bits;
    b->count[first].writes++;
    return true;
}

/* Does a flight of this instruction only hold its warp (issue_branch)? */
STAGE bool flight_holds(const struct part *p, const struct kinsn *k, features on)
{
    return k->branches && !(has_all_collect(p->sm, on));
}

/* The result is there: its registers queue for their banks, unless a policy keeps them; predicates have ports of their own.
 * Policies that look at writes see those of a cycle in the order of the banks. */
STAGE void take_result(struct part *p, uint32_t f, features on)
{
    const struct operands_ops *o = stage_ops(p->sm, on);
    struct flight *l = &p->flights[f];
    const struct kinsn *k = l->i.k;
    uint32_t n = k->nwrite;
    probe_result(p, f, flight_holds(p, k, on), on);
    if (n - 1 < 2 && !o->result && (!o->write || o->any_order) && write_at_once(p, l, n, on)) {
        for (uint32_t i = 0; (o->write || on & (F_CHECKED | F_STEPS)) && i < n; i++)
            register_written(p, f, i, on);
        flight_over(p, l, f, on);
        return;
    }
    l->writes_left = (uint8_t)n;
    for (uint32_t i = 0; i < n; i++) {
        if (o->result && o->result(p->operands, f, i)) {
            l->writes_left--;
            probe_kept(p, f, i, on);
        } else {
            banks_queue(&p->banks, bank_of(p, k->write_bank[i], l->bank0), (uint64_t)f << 4 | i);
        }
    }
    if (RARE(!l->writes_left)) {
        if (flight_holds(p, k, on))
            flight_unhold(p, f);
        else
            flight_over(p, l, f, on);
    }
}

#endif
