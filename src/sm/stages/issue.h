/* Issue: each scheduler picks a warp that can, if the operands' policy has room. Every scheduler cycle is charged to one
 * cause: to issuing, to what kept a ready warp back, or to the shortest wait among the warps (enum block's order). */
#ifndef SM_STAGES_ISSUE_H
#define SM_STAGES_ISSUE_H

#include "sm/stages/collect.h"
#include "sm/stages/fetch.h"
#include "sm/tally.h"
#include "sm/wsched/gto.h"

extern const uint8_t issue_blame[BLOCK_COUNT]; /* enum sm_stat, by enum block */

/* issue.c. An instruction without unit of execution has its effect. */
ASIDE void issue_effect(struct part *p, uint32_t i, struct inext e, uint64_t t);
ASIDE void issue_branch(struct part *p, uint32_t i, struct inext e, uint64_t t); /* kinsn.branches */
ASIDE void issue_odd(struct part *p, struct flight *l);                          /* kinsn.odd */
ASIDE bool issue_constant(struct part *p, uint32_t i,
                          uint64_t t); /* as constant_ready, not the warp's last one */
/* A policy's mistake ends the run, with its name. */
SELDOM uint8_t issue_wrong_pick(struct sm *s, const struct part *p, uint32_t n, int w);
/* One cycle of all schedulers, where more than their order decides. */
ASIDE void issue_all(struct part *p, uint64_t t);

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

/* What is known of an access when it issues. */
STAGE void take_data(struct part *p, uint32_t i, struct flight *l, enum way way)
{
    const struct kinsn *k = l->i.k;
    if (way != ANY || (l->i.mask && k->route == ROUTE_MEMORY)) {
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
                       struct near_bits near, uint64_t t, bool simple, enum way way)
{
    const struct kinsn *k = e->k;
    uint32_t f = take_flight(p), bank0 = w->bank0;
    struct flight *l = &p->flights[f];
    bool memory = !simple && k->route == ROUTE_MEMORY;
    l->i.k = k;
    l->i.mask = e->mask;
    if (way == ANY || memory) {
        take_data(p, i, l, way);
        l->issued = t;
    }
    if (way == ANY)
        l->i.near = near;
    l->warp = (uint8_t)i;
    l->bank0 = (uint8_t)bank0;
    if (!simple && RARE(k->odd))
        issue_odd(p, l);
    w->in_flight++;
    l->collected = w->collected;
    w->collected = f + 1;
    w->collected_use |= k->use_regs;
    warp_issued(p, w, i, k, simple);
    if (memory) {
        l->turn = w->mem_issued++;
        if (way == ANY && p->sm->lsu_ops->holds)
            lsu_issued(p, f);
        if (way == ANY && p->sm->tenants.cyc)
            tenant_asks(p, f);
    }
    if (way == ANY && RARE(p->sm->steps))
        step_issued(p, i, e, f, t);
    if (way == ANY && p->check)
        check_issue(p, f);
    if (plain_checked(way))
        check_issue_plain(p, f);
    if (way != ANY) {
        need_begin(p, f, k, bank0, t, simple);
        return;
    }
    if (p->sm->window.touched)
        window_touch(p, i, k);
    collect_issue(p, f, t);
}

/* Those who watch are told. */
STAGE void tell_issue(struct part *p, const struct sm_warp *w, const struct inext *e, uint32_t lanes,
                      uint64_t t)
{
    const struct sm *s = p->sm;
    const struct sm_observer *o = s->watch;
    if (o->cycles)
        o->cycles(o->ctx, p->id, t, t + 1, SS_issued);
    if (s->tally)
        tally_issue(s->tally, s->ctas[w->cta].k, e->k, lanes, o);
}

/* Takes the warp's next instruction. */
STAGE void issue_warp(struct part *p, struct sm_warp *w, uint32_t i, uint64_t t, enum way way)
{
    struct sm *s = p->sm;
    const struct operands_ops *o = stage_ops(s, way);
    struct inext e = w->next;
    uint32_t mask = e.mask;
    if (o->issued)
        o->issued(p->operands, i, &w->next, t);
    s->stats[SS_warp_insts]++;
    s->stats[SS_thread_insts] += w->lanes;
    if (plain_watched(way))
        tell_issue(p, w, &e, w->lanes, t);
    p->issued_insts++;
    w->last = e.k->at;
    struct near_bits near = {0};
    if (way == ANY)
        near = w->near[w->given++ % IBUF_MAX];
    bool fetched = way != ANY && fetch_at_hand(p, w, i);
    ibuf_pop(w, fetched);
    if (!fetched && !w->no_fetch && w->n < s->fetch_below)
        p->want_fetch |= 1ull << i;
    if (way != ANY && mask && e.k->simple) {
        to_operands(p, w, i, &e, near, t, true, way);
        warp_look_from(p, w, i, BLOCK_NOT, way);
    } else {
        /* What has an effect of its own at issue, and a collector all the same. */
        bool computes = e.k->route == ROUTE_UNIT || e.k->route == ROUTE_MEMORY;
        if ((way == ANY && s->cfg->all_collect) || (mask && computes))
            to_operands(p, w, i, &e, near, t, false, way);
        else if (way == ANY && RARE(s->steps))
            step_issued(p, i, &e, SM_STEP_NONE, t);
        if (way != ANY && e.k->branches)
            issue_branch(p, i, e, t);
        else if (!computes)
            issue_effect(p, i, e, t);
        if (RARE(sm_warp_over(w)))
            sm_cta_warp_ended(p, i, t);
        else
            warp_look(p, w, i, way);
    }
}

/* Is the constant operand of the warp's next instruction there? If not it is fetched, and the warp waits. */
STAGE bool constant_ready(struct part *p, const struct sm_warp *w, uint32_t i, uint64_t t)
{
    uint32_t line = w->next.k->konst;
    return !line || line == w->konst || issue_constant(p, i, t);
}

/* A scheduler's cycle where nothing but its order decides. Returns the cause that the cycle is charged to. */
STAGE uint8_t issue_in_order(struct part *p, uint64_t t, enum way way)
{
    uint64_t ready = p->blocked[BLOCK_NOT];
    if (!ready)
        return idle_cause(p, ALL_SLOTS);
    if (!collect_free_units(&p->collect))
        return (uint8_t)why_no_unit(p, t, way);
    struct gto *gto = p->gto;
    int w;
    if (RARE(!gto)) {
        w = p->sm->sched->pick(*p->sched, &(struct wsched_view){.ready = ready, .age = p->age});
        if (w < 0)
            return SS_stall_policy;
        if (w >= 64 || !(ready >> w & 1))
            return issue_wrong_pick(p->sm, p, 0, w);
    } else {
        w = (int)gto_choose(gto, ready, p->age);
    }
    struct sm_warp *warp = &p->warps[w];
    if (RARE(!constant_ready(p, warp, (uint32_t)w, t))) {
        if (plain_watched(way))
            p->constant = (uint8_t)(w + 1);
        return SS_stall_constant;
    }
    if (gto)
        gto->last = (uint32_t)w;
    issue_warp(p, warp, (uint32_t)w, t, way);
    if (RARE(!gto) && p->sm->sched->issued)
        p->sm->sched->issued(*p->sched, (uint32_t)w);
    return SS_issued;
}

STAGE void issue_stage(struct part *p, uint64_t t, enum way way)
{
    if (way == ANY && !p->sm->in_order) {
        issue_all(p, t);
        return;
    }
    uint8_t c = issue_in_order(p, t, way);
    if (c == SS_issued)
        return;
    p->sm->stats[c]++;
    *p->cause = c;
    if (plain_watched(way))
        blame_plain(p, (enum sm_stat)c, t);
}

#endif
