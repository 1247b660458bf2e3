/* SPDX-License-Identifier: Apache-2.0 */
/* A warp's scoreboard, and whether it can issue. */
#ifndef SM_STAGES_WARP_H
#define SM_STAGES_WARP_H

#include "sm/stages/event.h"

enum { REG_WORDS = 15 }; /* those of a scoreboard that registers have, by bit */

/* Do the two have a bit in common? `words`: those of a that are not 0. Seldom others than the first. */
STAGE bool meets(const uint64_t *a, unsigned words, const uint64_t *b)
{
    if (a[0] & b[0])
        return true;
    for (words &= ~1u; RARE(words); words &= words - 1) {
        unsigned i = (unsigned)__builtin_ctz(words);
        if (a[i] & b[i])
            return true;
    }
    return false;
}

/* As sm_warp_reads. */
STAGE bool has_to_read(const struct part *p, const struct sm_warp *w, const uint64_t *regs, unsigned words)
{
    for (uint32_t f = w->collected; f; f = p->flights[f - 1].collected)
        if (meets(regs, words & REG_WORDS, p->flights[f - 1].i.k->use))
            return true;
    return false;
}

/* warp.c: of instructions with marks, and behind what its warp has on the way to L1. */
SELDOM bool warp_expects_memory(const struct sm_warp *w);
ASIDE bool warp_must_wait(const struct part *p, uint32_t i);
ASIDE void warp_delay_guards(struct part *p, uint32_t i, uint64_t preds);
ASIDE void warp_delay_crossing(struct part *p, uint32_t i, const struct kinsn *k);

/* A barrier of the control codes counts one more, or one fewer; true: it counts nothing any more. */
STAGE void bar_count(struct sm_warp *w, uint32_t b, bool memory)
{
    w->bar_count[b]++;
    w->bars |= (uint8_t)(1u << b);
    w->bars_mem = (uint8_t)(memory ? w->bars_mem | 1u << b : w->bars_mem & ~(1u << b));
}
STAGE bool bar_release(struct sm_warp *w, uint32_t b)
{
    if (--w->bar_count[b])
        return false;
    w->bars &= (uint8_t) ~(1u << b);
    return true;
}

/* Why the warp w, in slot i, cannot issue. */
STAGE enum block warp_blocked(const struct part *p, struct sm_warp *w, uint32_t i, features on)
{
    bool halts = RARE(w->halts);
    if (RARE(halts)) {
        if (w->at_barrier || w->at_object || w->at_groups)
            return BLOCK_BARRIER;
        if (w->held)
            return (enum block)w->held;
    }
    if (!w->n)
        return w->ended ? BLOCK_DRAINED : BLOCK_FETCH;
    if (on & F_POLICY && w->inactive)
        return (enum block)w->inactive;
    const struct kinsn *k = w->next.k;
    if (on & F_CHOICE && k->marks & KM_WAITS && warp_expects_memory(w))
        return BLOCK_MEMORY;
    if (on & F_CODES && k->wait & w->bars)
        return k->wait & w->bars & w->bars_mem ? BLOCK_MEMORY : BLOCK_ALU;
    if (w->next.mask || has_all_collect(p->sm, on)) {
        if (meets(k->any, k->any_words, w->pend))
            return meets(k->any, k->any_words, w->pend_mem) ? BLOCK_MEMORY : BLOCK_ALU;
        if (on & F_DELAYS && k->guards & w->late)
            return BLOCK_ALU;
        /* A result must not overtake a read of the old value that still waits in a collector. */
        if (locks_registers(p->sm, on) && w->collected_use & k->def_regs &&
            has_to_read(p, w, k->def, k->writes_words)) {
            w->overwrites = true;
            return BLOCK_ALU;
        }
        if (on & F_HOLDS && w->lsu_hold && warp_must_wait(p, i))
            return BLOCK_ORDER;
    } else if ((on & F_DELAYS && k->guards & w->late) || meets(k->reads, k->reads_words, w->pend)) {
        return BLOCK_ALU; /* switched off by its guard: that must be known */
    }
    return RARE(halts) && w->limits && tenant_stops(p, i) ? BLOCK_TENANT : BLOCK_NOT;
}

/* Is it kept which kinds of instructions ready warps have next (collect.wants)? */
STAGE bool keeps_wants(const struct part *p, features on)
{
    return on & F_LATCHES || stage_ops(p->sm, on)->reserve;
}

/* The warp is ready: the kind of its next instruction is noted. */
STAGE void warp_wants(struct part *p, const struct sm_warp *w, uint32_t i)
{
    struct collect *c = &p->collect;
    uint32_t kind = w->next.k->kind, was = c->kind[i];
    if (kind == was)
        return;
    c->wants[was] &= ~(1ull << i);
    c->wants[kind] |= 1ull << i;
    c->kind[i] = (uint8_t)kind;
}

/* The warp, which `was` blocked and waits for no read, is looked at. */
STAGE void warp_look_from(struct part *p, struct sm_warp *w, uint32_t i, uint32_t was, features on)
{
    enum block why = warp_blocked(p, w, i, on);
    if (why == BLOCK_NOT && keeps_wants(p, on))
        warp_wants(p, w, i);
    if (why == was)
        return;
    p->blocked[was] &= ~(1ull << i);
    w->block = (uint8_t)why;
    p->blocked[why] |= 1ull << i;
    p->reasons |= 1u << why;
}

/* As sm_warp_refresh. */
STAGE void warp_look(struct part *p, struct sm_warp *w, uint32_t i, features on)
{
    w->overwrites = false;
    warp_look_from(p, w, i, w->block, on);
}

/* What is kept of results that do not come from an ALU, as they begin and end. */
STAGE void warp_charge(struct part *p, struct sm_warp *w, uint32_t n, const struct kinsn *k, bool begins)
{
    uint8_t *producer = p->producer[n], blame = begins ? k->blame : SS_stall_alu;
    for (unsigned left = k->writes_words; left; left &= left - 1) {
        unsigned i = (unsigned)__builtin_ctz(left);
        if (k->from_memory)
            w->pend_mem[i] = begins ? w->pend_mem[i] | k->writes[i] : w->pend_mem[i] & ~k->writes[i];
        for (uint64_t m = k->from_memory ? 0 : k->writes[i]; m; m &= m - 1)
            producer[i * 64 + (unsigned)__builtin_ctzll(m)] = blame;
    }
}

/* Guards of the warp see predicates for which they have waited long enough (warp_delay_guards). */
STAGE void warp_guards(struct part *p, uint32_t i, uint64_t t, features on)
{
    struct sm_warp *w = &p->warps[i];
    for (uint32_t m = w->late; m; m &= m - 1)
        if (w->late_until[__builtin_ctz(m)] <= t)
            w->late &= (uint16_t) ~(m & -m);
    p->stirred = true;
    if (w->block == BLOCK_ALU)
        warp_look(p, w, i, on);
}

/* An instruction's effects on the scoreboard begin. */
STAGE void warp_issued(struct part *p, struct sm_warp *w, uint32_t n, const struct kinsn *k, bool simple)
{
    w->pend[0] |= k->writes[0];
    if (simple)
        return;
    for (unsigned left = k->writes_words & ~1u; RARE(left); left &= left - 1) {
        unsigned i = (unsigned)__builtin_ctz(left);
        w->pend[i] |= k->writes[i];
    }
    if (k->blame != SS_stall_alu)
        warp_charge(p, w, n, k, true);
}

/* ... and end. */
STAGE void warp_result(struct part *p, struct sm_warp *w, uint32_t i, const struct kinsn *k, features on)
{
    bool freed = on & F_CODES && k->write_bar < TR_CTL_BARRIERS && bar_release(w, k->write_bar);
    if (on & F_DELAYS && k->def_preds && p->sm->cfg->guard_cyc && !(on & F_CODES && k->coded))
        warp_delay_guards(p, i, k->def_preds);
    w->pend[0] &= ~k->writes[0];
    for (unsigned left = k->writes_words & ~1u; RARE(left); left &= left - 1) {
        unsigned j = (unsigned)__builtin_ctz(left);
        w->pend[j] &= ~k->writes[j];
    }
    if (k->blame != SS_stall_alu)
        warp_charge(p, w, i, k, false);
    /* Only if the next instruction waits for one of these. */
    if (w->block == BLOCK_ALU || w->block == BLOCK_MEMORY) {
        const struct kinsn *next = w->next.k;
        /* A unit has its own results at once. */
        if (on & F_DELAYS && next->unit != k->unit && p->sm->cfg->cross_cyc && !(on & F_CODES && k->coded))
            warp_delay_crossing(p, i, k);
        if (freed || (on & F_CHOICE && next->marks & KM_WAITS) ||
            meets(next->any, next->any_words & k->writes_words, k->writes)) {
            p->stirred = true;
            warp_look(p, w, i, on);
        }
    }
}

/* The flight f, which has kept its registers from being overwritten, leaves the collectors. */
STAGE void warp_unlocks(const struct part *p, struct sm_warp *w, uint32_t f)
{
    struct flight *all = p->flights;
    uint32_t last = w->collected, before = all[f].collected;
    if (last == f + 1) {
        w->collected = before;
    } else {
        while (all[last - 1].collected != f + 1)
            last = all[last - 1].collected;
        all[last - 1].collected = before;
    }
    if (!w->collected)
        w->collected_use = 0;
}

/* The warp's flight f leaves the collectors. */
STAGE void warp_operands_read(struct part *p, struct sm_warp *w, uint32_t f, features on)
{
    const struct flight *l = &p->flights[f];
    if (locks_registers(p->sm, on))
        warp_unlocks(p, w, f);
    uint32_t bar = l->i.k->read_bar;
    bool freed = on & F_CODES && bar < TR_CTL_BARRIERS && bar_release(w, bar) &&
                 (w->block == BLOCK_ALU || w->block == BLOCK_MEMORY);
    if (freed || (locks_registers(p->sm, on) && w->block == BLOCK_ALU && w->overwrites)) {
        p->stirred = true;
        warp_look(p, w, l->warp, on);
    }
}

#endif
