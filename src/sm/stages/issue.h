/* SPDX-License-Identifier: Apache-2.0 */
/* Issue: each scheduler picks a warp that can, if the operands' policy has room. Every scheduler cycle is charged to one
 * cause: to issuing, to what kept a ready warp back, or to the shortest wait among the warps (enum block's order). */
#ifndef SM_STAGES_ISSUE_H
#define SM_STAGES_ISSUE_H

#include "sm/stages/collect.h"
#include "sm/stages/fetch.h"
#include "sm/wsched/gto.h"

extern const uint8_t issue_blame[BLOCK_COUNT]; /* enum sm_stat, by enum block */

/* issue.c. An instruction without unit of execution has its effect. */
ASIDE void issue_effect(struct part *p, uint32_t i, struct inext e, uint64_t t);
ASIDE void issue_branch(struct part *p, uint32_t i, struct inext e, uint64_t t); /* kinsn.branches */
ASIDE void issue_odd(struct part *p, struct flight *l);                          /* kinsn.odd */
/* As constant_ready, not the warp's last one */
ASIDE bool issue_constant(struct part *p, uint32_t i, uint64_t t);
/* A policy's mistake ends the run, with its name. */
SELDOM int issue_wrong_pick(struct sm *s, const struct part *p, uint32_t n, int w);
/* What schedulers with an active set, a limit of warps or questions of their own see; what the loser of a selection tree is. */
ASIDE uint64_t issue_limited(const struct part *p, uint64_t mine);
ASIDE void issue_see(struct part *p, uint32_t n, struct wsched_view *v);
ASIDE uint64_t issue_between_strands(const struct part *p, uint64_t waiting);
ASIDE int issue_runner_up(struct part *p, uint32_t n, struct wsched_view *v, uint32_t winner);

#define ALL_SLOTS (~0ull) /* those of a partition's only scheduler */

/* The nearest reason that one of these warps is blocked for; BLOCK_COUNT: none. */
STAGE uint32_t nearest_block(struct part *p, uint64_t mine)
{
    for (uint32_t left = p->reasons & ~(1u << BLOCK_NOT | 1u << BLOCK_TENANT); left; left &= left - 1) {
        uint32_t b = (uint32_t)__builtin_ctz(left);
        if (p->blocked[b] & mine)
            return b;
        if (!p->blocked[b])
            p->reasons &= ~(1u << b);
    }
    return BLOCK_COUNT;
}

/* As sm_warp_blame: mostly for what an ALU has on its way to the first word. */
STAGE uint8_t warp_blame(const struct part *p, uint32_t n)
{
    const struct sm_warp *w = &p->warps[n];
    uint64_t m = w->next.k->any[0] & w->pend[0];
    if (RARE(!m || !w->next.mask || w->overwrites || m & -m & w->pend_mem[0]))
        return sm_warp_blame(p, n);
    return p->producer[n][__builtin_ctzll(m)];
}

/* What a cycle is charged to in which none of a scheduler's warps could issue. */
STAGE uint8_t idle_cause(struct part *p, uint64_t mine)
{
    if (!(p->used & mine))
        return SS_stall_no_warp;
    if ((p->blocked[BLOCK_NOT] | p->blocked[BLOCK_TENANT]) & mine)
        /* Ready ones, in a pool: other schedulers have issued all of them. */
        return p->blocked[BLOCK_NOT] & mine ? SS_stall_no_warp : issue_blame[BLOCK_TENANT];
    uint32_t b = nearest_block(p, mine);
    if (b == BLOCK_ALU)
        return warp_blame(p, (uint32_t)__builtin_ctzll(p->blocked[b] & mine));
    return b < BLOCK_COUNT ? issue_blame[b] : SS_stall_no_warp;
}

/* What is known of an access when it issues; of others, nothing. */
STAGE void take_data(struct part *p, uint32_t i, struct flight *l, bool memory, features on)
{
    const struct kinsn *k = l->i.k;
    if (memory && (!(on & F_ALL_COLLECT) || l->i.mask)) {
        fetch_data(p, i, &l->i);
    } else {
        /* Not one, or switched off by its guard, and it takes its unit all the same (sm.all_collect). */
        l->i.space = k->space;
        l->i.passes = 0;
        l->i.lines.n = 0;
        l->i.rows = NONE16;
    }
    l->lines_left = l->next_line = l->acks = 0;
}

/* An instruction goes to the collectors. `simple`: it is known to be (kinsn.simple). */
STAGE void to_operands(struct part *p, struct sm_warp *w, uint32_t i, const struct inext *e,
                       struct near_bits near, uint64_t t, bool simple, features on)
{
    const struct kinsn *k = e->k;
    uint32_t f = take_flight(p);
    struct flight *l = &p->flights[f];
    bool memory = !simple && k->route == ROUTE_MEMORY;
    l->i.k = k;
    l->i.mask = e->mask;
    if (memory || on & F_FOLLOWED)
        take_data(p, i, l, memory, on);
    if (memory || on & F_POLICY)
        l->issued = t;
    if (stage_ops(p->sm, on)->near)
        l->i.near = near;
    l->warp = (uint8_t)i;
    l->bank0 = w->bank0;
    if (!simple && RARE(k->odd))
        issue_odd(p, l);
    w->in_flight++;
    if (locks_registers(p->sm, on)) {
        l->collected = w->collected;
        w->collected = f + 1;
        w->collected_use |= k->use_regs;
    }
    warp_issued(p, w, i, k, simple);
    if (on & F_CODES && k->write_bar < TR_CTL_BARRIERS)
        bar_count(w, k->write_bar, k->from_memory);
    if (on & F_CODES && k->read_bar < TR_CTL_BARRIERS)
        bar_count(w, k->read_bar, false);
    if (memory) {
        l->turn = w->mem_issued++;
        if (on & F_HOLDS && p->sm->lsu.ops->holds)
            lsu_issued(p, f);
    }
    probe_flies(p, i, e, f, memory, t, on);
    to_collector(p, l, f, t, simple, on);
}

/* Scheduler n takes the next instruction of the warp w, in slot i. */
STAGE void issue_warp(struct part *p, struct sm_warp *w, uint32_t i, uint32_t n, uint64_t t, features on)
{
    struct sm *s = p->sm;
    const struct operands_ops *o = stage_ops(s, on);
    struct inext e = w->next;
    uint32_t mask = e.mask;
    bool all = has_all_collect(s, on);
    if (o->issued)
        o->issued(p->operands, i, &w->next, t);
    s->stats[SS_warp_insts]++;
    s->stats[SS_thread_insts] += w->lanes;
    s->stats[e.k->work] += w->lanes * e.k->weight;
    probe_issued(p, n, i, e.k, w->lanes, t, on);
    p->issued_insts++;
    w->last = e.k->at;
    struct near_bits near = {0};
    if (o->near || o->fetched)
        near = w->near[w->given++ % IBUF_MAX];
    bool fetched = fetch_at_hand(p, w, i, on);
    ibuf_pop(w, fetched);
    if (!fetched && !w->no_fetch && w->n < s->code.fetch_below)
        p->want_fetch |= 1ull << i;
    if (mask && e.k->simple) {
        to_operands(p, w, i, &e, near, t, true, on);
        if (on & F_CODES && e.k->stall > 1)
            sm_warp_hold(p, i, BLOCK_ALU, e.k->stall, t);
        warp_look_from(p, w, i, BLOCK_NOT, on);
    } else {
        /* What has an effect of its own at issue, and a collector all the same. */
        bool computes = e.k->route == ROUTE_UNIT || e.k->route == ROUTE_MEMORY;
        if (all || (mask && computes))
            to_operands(p, w, i, &e, near, t, false, on);
        else
            probe_stays(p, i, &e, t, on);
        if (!all && e.k->branches)
            issue_branch(p, i, e, t);
        else if (!computes)
            issue_effect(p, i, e, t);
        if (on & F_CODES && e.k->stall > 1 && !w->held)
            sm_warp_hold(p, i, BLOCK_ALU, e.k->stall, t);
        if (RARE(sm_warp_over(w)))
            sm_cta_warp_ended(p, i, t);
        else
            warp_look(p, w, i, on);
    }
}

/* Is the constant operand of the warp's next instruction there? If not it is fetched, and the warp waits. */
STAGE bool constant_ready(struct part *p, const struct sm_warp *w, uint32_t i, uint64_t t)
{
    uint32_t line = w->next.k->konst;
    return !line || line == w->konst || issue_constant(p, i, t);
}

/* Of the ready warps of scheduler n: those whose next instruction finds the latch that it takes free, or takes none. */
STAGE uint64_t room_in_latches(const struct part *p, uint32_t n, uint64_t ready, features on)
{
    const struct collect *c = &p->collect;
    for (uint32_t taken = latch_taken(&c->front, n, is_isolated(p->sm, on)); taken; taken &= taken - 1)
        ready &= ~c->wants[__builtin_ctz(taken)];
    return ready;
}

/* Of the ready warps of scheduler n: those whose next instruction finds a unit, or a latch before it. */
STAGE uint64_t with_room(struct part *p, uint32_t n, uint64_t ready, features on)
{
    if (on & F_LATCHES && p->collect.by_latch)
        return room_in_latches(p, n, ready, on);
    if (stage_ops(p->sm, on)->reserve)
        return collect_free_units(&p->collect) ? ready : ready & ~p->collect.wants[KIND_MEMORY];
    if (on & (F_LATCHES | F_SCHEDULERS))
        return !p->collect.each && collect_units_of(&p->collect, n, 0) ? ready : collect_room(p, n, ready);
    return collect_free_units(&p->collect) ? ready : 0;
}

/* The state of scheduler n, if it is greedy, then oldest: it picks without a call. */
STAGE struct gto *greedy_of(const struct part *p, uint32_t n, features on)
{
    if (on & F_SCHEDULERS)
        return p->greedy ? p->sched[n] : NULL;
    return p->greedy;
}

/* A scheduler that stays with the warp that issued last takes that one if it is ready and finds room, whatever the others are:
 * they need not be asked (sm_operands.last_first). -1: they do. */
STAGE int stay(struct part *p, uint32_t n, uint64_t ready, uint64_t t, features on)
{
    const struct operands_ops *o = stage_ops(p->sm, on);
    uint64_t holding;
    if (!(on & (F_POLICY | F_LATCHES | F_SCHEDULERS)) || !p->sm->operands.last_first)
        return WSCHED_NONE;
    uint32_t last = ((const struct gto *)p->sched[n])->last;
    uint64_t one = last < 64 ? ready & 1ull << last : 0;
    if (one && o->may)
        one = o->may(p->operands, one, t, &holding);
    return one && with_room(p, n, one, on) ? (int)last : WSCHED_NONE;
}

/* Why scheduler n finds no room. Where instructions issue into latches all of a partition find the same. */
STAGE uint8_t why_no_room(struct part *p, uint64_t t, features on)
{
    struct collect *c = &p->collect;
    if (!has_issue_latch(p->sm, on) || stage_ops(p->sm, on)->why)
        return (uint8_t)why_no_unit(p, t, on);
    if (c->why_of != t + 1)
        c->why = (uint8_t)why_no_unit(p, t, on);
    c->why_of = t + 1;
    return c->why;
}

/* For a policy with an active set. A warp beyond the limit waits for older ones to end; in an active set it would take their
 * places. One whose registers are on their way is not put aside before they are there. */
STAGE void see_waiting(const struct part *p, uint64_t mine, uint64_t limited, struct wsched_view *v)
{
    uint64_t waiting = p->blocked[BLOCK_MEMORY] | p->blocked[BLOCK_BARRIER] | p->blocked[BLOCK_ORDER] |
                       p->blocked[BLOCK_TENANT] | p->blocked[BLOCK_CAPACITY];
    v->waiting = waiting & mine;
    if (p->sm->sched->strands)
        v->waiting = issue_between_strands(p, v->waiting);
    /* Within a strand or not: those that may issue want its place. */
    v->waiting |= mine & ~limited & ~p->blocked[BLOCK_PREFETCH];
    v->resident = p->used & mine & ~p->blocked[BLOCK_DRAINED];
    v->slots = mine;
}

/* Sets the scheduler's bit of p->pending_ready, after its cause. For schedulers with an active set. */
STAGE void note_pending(struct part *p, uint32_t n, uint64_t mine)
{
    uint64_t out = ~wsched_active_slots(p->sched[n]);
    bool waits = p->cause[n] != SS_issued && p->blocked[BLOCK_NOT] & mine & out;
    uint32_t others = p->pending_ready & ~(1u << n);
    p->pending_ready = (uint8_t)(others | (uint32_t)waits << n);
}

/* The warp that scheduler n takes in cycle t, of those that are ready; or -1, and the cause. */
STAGE int choose_warp(struct part *p, uint32_t n, const struct gto *greedy, uint64_t mine, uint64_t ready,
                      uint64_t t, uint8_t *cause, struct wsched_view *v, features on)
{
    struct sm *s = p->sm;
    const struct operands_ops *o = stage_ops(s, on);
    const struct wsched_ops *sched = s->sched;
    uint64_t holding = 0, limited = mine;
    int w = stay(p, n, ready, t, on);
    bool forced = false;
    if (w >= 0)
        return w;
    if (o->forced) {
        w = o->forced(p->operands, n);
        forced = w >= 0 && ready >> w & 1 && (!s->cfg->issue_latch || with_room(p, n, 1ull << w, on));
    }
    uint64_t all = ready;
    if (o->may)
        ready = o->may(p->operands, ready, t, &holding);
    bool admitted = ready == all;
    if (ready && !forced)
        ready = with_room(p, n, ready, on);
    if (!ready) {
        if (on & (F_POLICY | F_LATCHES) && (admitted || o->stays))
            p->stuck |= all;
        *cause = why_no_room(p, t, on);
        return WSCHED_NONE;
    }
    *cause = SS_stall_policy;
    if (on & F_CHOICE && s->cfg->warp_limit)
        limited = issue_limited(p, mine);
    if (!forced && !(ready &= limited))
        return WSCHED_NONE;
    if (RARE(!greedy || o->runner_up)) {
        *v = (struct wsched_view){.ready = ready, .holding = holding, .age = p->age};
        if (on & F_CHOICE && sched->active)
            see_waiting(p, mine, limited, v);
        if (on & F_CHOICE && (sched->asks || p->score))
            issue_see(p, n, v);
    }
    if (!forced && !RARE(!greedy)) {
        w = (int)gto_choose(greedy, ready, p->age);
    } else if (!forced) {
        w = sched->pick(p->sched[n], v);
        if (w >= 0 && (w >= 64 || !(ready >> w & 1)))
            return issue_wrong_pick(s, p, n, w);
    }
    if (on & F_CHOICE && o->active && sched->active)
        o->active(p->operands, wsched_active_slots(p->sched[n]), mine);
    return w;
}

/* A cycle of scheduler n. Returns the cause that it is charged to. */
STAGE uint8_t schedule(struct part *p, uint32_t n, uint64_t t, features on)
{
    struct sm *s = p->sm;
    const struct operands_ops *o = stage_ops(s, on);
    uint64_t mine = on & F_SCHEDULERS ? p->sched_mask[n] : ALL_SLOTS;
    uint64_t ready = p->blocked[BLOCK_NOT] & mine & ~(on & F_SCHEDULERS ? p->issued_now : 0);
    struct wsched_view v;
    uint8_t cause;
    if (!ready)
        return idle_cause(p, mine);
    struct gto *greedy = greedy_of(p, n, on);
    int w = choose_warp(p, n, greedy, mine, ready, t, &cause, &v, on);
    if (RARE(w < 0))
        return cause;
    uint32_t i = (uint32_t)w;
    struct sm_warp *warp = &p->warps[i];
    if (o->prepare && !o->prepare(p->operands, i, t)) {
        probe_picked(p, n, i, false, on);
        p->issued_now |= 1ull << i;
        return SS_stall_prefetch;
    }
    if (RARE(!constant_ready(p, warp, i, t))) {
        probe_picked(p, n, i, false, on);
        return SS_stall_constant;
    }
    if (on & (F_SCHEDULERS | F_TENANTS))
        p->issued_now |= 1ull << i;
    probe_picked(p, n, i, true, on);
    issue_warp(p, warp, i, n, t, on);
    if (!RARE(!greedy))
        greedy->last = i;
    else
        wsched_issued(s->sched, p->sched[n], i);
    if (o->runner_up)
        o->runner_up(p->operands, n, issue_runner_up(p, n, &v, i), t);
    return SS_issued;
}

/* A scheduler's cycle is charged. */
STAGE void charge_cycle(struct part *p, uint32_t n, uint8_t cause, uint64_t t, features on)
{
    struct sm *s = p->sm;
    if (on & (F_CHOICE | F_TENANTS)) /* these ask whether it has issued */
        p->cause[n] = cause;
    /* These are counted, and told, with the instructions. Asleep, nothing issues: a cycle after an issue is charged when it
     * comes. */
    if (cause == SS_issued) {
        if (on & F_CHOICE)
            p->pending_ready &= (uint8_t) ~(1u << n);
        return;
    }
    p->cause[n] = cause;
    if (on & F_CHOICE && s->sched->active) {
        note_pending(p, n, on & F_SCHEDULERS ? p->sched_mask[n] : ALL_SLOTS);
        s->stats[SS_pending_ready] += p->pending_ready >> n & 1;
    }
    s->stats[cause]++;
    probe_stalled(p, n, cause, t, on);
}

STAGE void issue_stage(struct part *p, uint64_t t, features on)
{
    const struct sm *s = p->sm;
    if (on & (F_SCHEDULERS | F_POLICY | F_TENANTS | F_WATCHED))
        p->issued_now = 0;
    if (on & (F_POLICY | F_LATCHES))
        p->stuck = 0;
    probe_choosing(p, on);
    uint32_t schedulers = on & F_SCHEDULERS ? s->cfg->schedulers : 1;
    /* Who is first matters to the order in the latches. */
    uint32_t first = on & F_SCHEDULERS && has_issue_latch(s, on) ? (uint32_t)(t % schedulers) : 0;
    uint32_t n = first;
    do {
        probe_cycle(p, n, on);
        charge_cycle(p, n, schedule(p, n, t, on), t, on);
        n = n + 1 < schedulers ? n + 1 : 0;
    } while (n != first);
    probe_chosen(p, t, on);
}

#endif
