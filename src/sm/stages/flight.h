/* Dispatch to the units, and results. */
#ifndef SM_STAGES_FLIGHT_H
#define SM_STAGES_FLIGHT_H

#include "sm/lsu/steps.h"
#include "sm/stages/warp.h"

SELDOM void flight_more(struct part *p); /* places for flights */
/* Plain machines: a branch, which a flight without results stands for, does not hold its warp any more. */
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

/* All of its results are where they belong: it is free again. */
STAGE void flight_over(struct part *p, struct flight *l, uint32_t f, enum way way)
{
    uint32_t warp = l->warp;
    struct sm_warp *w = &p->warps[warp];
    if (way == ANY && RARE(p->sm->steps))
        step_at(p, f, SM_STEP_OVER, p->sm->now);
    warp_result(p, w, warp, l->i.k, way);
    if (RARE(l->i.lines.n)) {
        if (way == ANY && p->sm->tenants.cyc)
            tenant_served(p, f);
        lines_free(p->sm, &l->i.lines);
    }
    give_flight(p, l, f);
    if (--w->in_flight == 0 && RARE(sm_warp_over(w))) {
        p->stirred = true;
        sm_cta_warp_ended(p, warp, p->sm->now);
    }
}

/* What has held the warp is over. */
STAGE void unhold_warp(struct part *p, uint32_t i, enum way way)
{
    struct sm_warp *w = &p->warps[i];
    p->stirred = true;
    w->held = 0;
    if (RARE(sm_warp_over(w)))
        sm_cta_warp_ended(p, i, p->sm->now);
    else
        warp_look(p, w, i, way);
}

/* A memory instruction leaves after those that its warp has issued before, so that a store whose data is there early does not
 * overtake a load. And the load-store unit must have room for it. */
STAGE bool memory_takes(const struct part *p, const struct flight *l, uint32_t f)
{
    return l->turn == p->warps[l->warp].mem_left && p->sm->lsu_ops->room(p->sm->lsu, p->id, f);
}

/* The units that may run an instruction, the first of n that lie MAX_UNITS apart: an isolated scheduler has its share of them.
 * What there are fewer of than schedulers they have in common. */
STAGE uint64_t *units_for(struct part *p, const struct flight *l, const struct kinsn *k, uint32_t *n,
                          enum way way)
{
    const struct sm_cfg *c = p->sm->cfg;
    *n = p->sm->units[k->unit];
    if (way != ANY || !c->isolated || *n < c->schedulers)
        return &p->unit_free[0][k->unit];
    *n /= c->schedulers;
    return &p->unit_free[part_scheduler(p, l->warp) * *n][k->unit];
}

/* The earliest cycle in which dispatch_flight could succeed; NEVER: the load-store unit is full, or others come first. */
STAGE uint64_t earliest_start(struct part *p, uint32_t f, enum way way)
{
    const struct flight *l = &p->flights[f];
    const struct kinsn *k = l->i.k;
    uint64_t t = NEVER;
    uint32_t n;
    const uint64_t *unit = units_for(p, l, k, &n, way);
    if (k->route == ROUTE_MEMORY && !memory_takes(p, l, f))
        return NEVER; /* lsu_freed wakes the partition, or the one before it leaves */
    for (uint32_t i = 0; i < n; i++, unit += MAX_UNITS)
        t = *unit < t ? *unit : t;
    return t;
}

/* A result of a plain machine comes in `cyc` cycles. Most do soon, and wait in lists of their flights by cycle; but behind what
 * the wheel has for the same cycle, since all of a cycle comes in the order in which it was made. */
STAGE void put_due(struct part *p, uint32_t f, uint64_t t, uint32_t cyc)
{
    struct sm *s = p->sm;
    uint64_t at = t + cyc;
    uint32_t slot = at % DUE;
    uint64_t bit = 1ull << slot;
    if (RARE(cyc >= DUE || event_any(s, at))) {
        put_event(s, at, EV_RESULT, p->id, f);
        return;
    }
    uint32_t who = lsu_pack(p->id, f);
    if (s->due.bits & bit)
        lsu_at(s, s->due.last[slot])->next = who;
    else
        s->due.first[slot] = who;
    s->due.last[slot] = who;
    s->due.bits |= bit;
}

/* As flight_start, for one that the load-store unit takes if it needs it. */
STAGE bool start_flight(struct part *p, const struct flight *l, uint32_t f, uint64_t t, bool memory,
                        enum way way)
{
    const struct kinsn *k = l->i.k;
    uint64_t *unit = &p->unit_free[0][k->unit];
    if (way == ANY || RARE(*unit > t)) {
        uint32_t n;
        for (unit = units_for(p, l, k, &n, way); *unit > t; unit += MAX_UNITS)
            if (!--n)
                return false;
    }
    *unit = t + k->ii;
    if (way == ANY && RARE(p->sm->steps))
        step_at(p, f, SM_STEP_STARTED, t);
    if (!memory) {
        if (way != ANY)
            put_due(p, f, t, k->exec_cyc);
        else
            put_event(p->sm, t + k->exec_cyc + l->late, EV_RESULT, p->id, f);
        return true;
    }
    p->sm->lsu_last = p->id;
    p->sm->lsu_ops->push(p->sm->lsu, p->id, f);
    p->sm->l1_due = 0;
    return true;
}

/* A flight whose operands are complete leaves its collector, for its unit or the latch before that. False: that is busy. Plain
 * machines: if it goes to memory, that takes it. */
STAGE bool dispatch_flight(struct part *p, uint32_t f, uint64_t t, bool memory, enum way way)
{
    const struct flight *l = &p->flights[f];
    struct sm_warp *w = &p->warps[l->warp];
    if (way == ANY && p->sm->cfg->unit_latch) {
        if ((memory && l->turn != w->mem_left) || !collect_latch(p, f))
            return false;
    } else if ((way == ANY && memory && !memory_takes(p, l, f)) || !start_flight(p, l, f, t, memory, way)) {
        return false;
    }
    warp_operands_read(p, w, f, way);
    if (way == ANY && RARE(p->sm->steps))
        step_at(p, f, SM_STEP_LEFT, t);
    if (memory)
        w->mem_left++;
    return true;
}

/* Destination i of it has come to its bank. */
STAGE void write_result(struct part *p, uint32_t f, uint32_t i, enum way way)
{
    const struct operands_ops *o = stage_ops(p->sm, way);
    struct flight *l = &p->flights[f];
    if (way == ANY && p->check)
        check_write(p, f, i);
    if (plain_checked(way))
        check_write_plain(p, f, i);
    if (way == ANY && RARE(p->sm->steps))
        step_written(p, f, i, true);
    if (o->write)
        o->write(p->operands, f, i, p->sm->now);
    if (--l->writes_left == 0)
        flight_over(p, l, f, way);
}

/* Nothing is before one register or two at their banks, which the tick of this cycle finds written. But a warp does not end
 * before that, whatever else of it comes in this cycle. */
STAGE bool write_at_once(struct part *p, const struct flight *l, uint32_t n)
{
    struct banks *b = &p->banks;
    const uint8_t *to = l->i.k->write_bank;
    uint32_t first = bank_of(p, to[0], l->bank0), second = n > 1 ? bank_of(p, to[1], l->bank0) : first;
    uint64_t bits = 1ull << first | 1ull << second;
    if (RARE((b->pending | b->written) & bits || p->warps[l->warp].ended))
        return false;
    if (n > 1) {
        if (RARE(first == second))
            return false;
        b->count[second].writes++;
    }
    b->written |= bits;
    b->count[first].writes++;
    return true;
}

/* The result is there: its registers queue for their banks, unless a policy keeps them; predicates have ports of their own. */
STAGE void take_result(struct part *p, uint32_t f, enum way way)
{
    const struct operands_ops *o = stage_ops(p->sm, way);
    struct flight *l = &p->flights[f];
    const struct kinsn *k = l->i.k;
    uint32_t n = k->nwrite;
    if (way == ANY && RARE(p->sm->steps))
        step_at(p, f, SM_STEP_RESULT, p->sm->now);
    if (k->route == ROUTE_MEMORY && (plain_checked(way) || (way == ANY && p->check)))
        order_done(p, f);
    if (way != ANY && n - 1 < 2 && write_at_once(p, l, n)) {
        for (uint32_t i = 0; i < n && plain_checked(way); i++)
            check_write_plain(p, f, i);
        flight_over(p, l, f, way);
        return;
    }
    l->writes_left = (uint8_t)n;
    for (uint32_t i = 0; i < n; i++) {
        if (o->result && o->result(p->operands, f, i)) {
            l->writes_left--;
            if (RARE(p->sm->steps))
                step_written(p, f, i, false);
        } else {
            banks_queue(&p->banks, bank_of(p, k->write_bank[i], l->bank0), (uint64_t)f << 4 | i);
        }
    }
    if (RARE(way != ANY ? !n : !l->writes_left)) {
        if (way != ANY && k->route == ROUTE_HOLD)
            flight_unhold(p, f);
        else
            flight_over(p, l, f, way);
    }
}

#endif
