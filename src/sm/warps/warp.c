/* SPDX-License-Identifier: Apache-2.0 */
/* A warp's scoreboard, and whether it can issue. */
#include "sm/stages/warp.h"

bool sm_warp_reads(const struct part *p, uint32_t i, const uint64_t *regs, unsigned words)
{
    return has_to_read(p, &p->warps[i], regs, words);
}

bool sm_warp_uses(const struct part *p, uint32_t i, uint32_t reg)
{
    uint64_t regs[4] = {0};
    regs[reg / 64] = 1ull << reg % 64;
    return p->warps[i].pend[reg / 64] & regs[reg / 64] || sm_warp_reads(p, i, regs, 1u << reg / 64);
}

bool sm_warp_has_regs(const struct part *p, uint32_t i, const uint64_t *bits)
{
    const uint64_t *regs = p->sm->ctas.at[p->warps[i].cta].k->regs;
    uint64_t any = 0;
    for (uint32_t j = 0; j < 4; j++)
        any |= bits[j] & regs[j];
    return any != 0;
}

/* The first of several producers. Only a scheduler that idles asks, so issuing does not pay for it. */
uint8_t sm_warp_blame(const struct part *p, uint32_t n)
{
    const struct sm_warp *w = &p->warps[n];
    const struct inext *e = &w->next;
    bool all = e->mask || p->sm->cfg->all_collect;
    const uint64_t *a = all ? e->k->any : e->k->reads;
    if (w->overwrites)
        return SS_stall_read;
    for (unsigned words = all ? e->k->any_words : e->k->reads_words; words; words &= words - 1) {
        unsigned i = (unsigned)__builtin_ctz(words);
        uint64_t m = a[i] & w->pend[i];
        if (m & -m & w->pend_mem[i])
            return SS_stall_memory;
        if (m)
            return p->producer[n][i * 64 + (unsigned)__builtin_ctzll(m)];
    }
    return SS_stall_alu;
}

/* Would the instruction overtake what its warp has on the way to L1? A barrier or fence promises that all of it is there. */
bool warp_must_wait(const struct part *p, uint32_t i)
{
    const struct sm_warp *w = &p->warps[i];
    const struct kinsn *k = w->next.k;
    if (k->route == ROUTE_MEMORY)
        return w->lsu_hold & (is_load(k) ? HOLD_LOADS : HOLD_STORES) && fetch_sees_lines(p, i);
    return k->route == ROUTE_BARRIER || k->cls == TC_MEMBAR;
}

bool warp_expects_memory(const struct sm_warp *w)
{
    uint64_t any = 0;
    for (uint32_t i = 0; i < SB_WORDS; i++)
        any |= w->pend_mem[i];
    return any != 0;
}

void sm_warp_refresh(struct part *p, uint32_t i)
{
    p->stirred = true;
    warp_look(p, &p->warps[i], i, FEATURES_ALL);
}

/* A load may follow a load: their order is not seen. Everything else waits for what is before it (thesis, section 3.3.8: a
 * counter and a flag by warp). */
void lsu_issued(struct part *p, uint32_t f)
{
    const struct flight *l = &p->flights[f];
    struct sm_warp *w = &p->warps[l->warp];
    if (!ientry_has_lines(&l->i))
        return;
    w->mem_before++;
    w->lsu_hold = p->sm->lsu.ops->holds != LSU_HOLDS_ALL ? HOLD_FENCES
                  : is_load(l->i.k)                      ? HOLD_FENCES | HOLD_STORES
                                                         : HOLD_FENCES | HOLD_STORES | HOLD_LOADS;
}

ASIDE void lsu_reached(struct part *p, uint32_t f, uint64_t t)
{
    uint32_t i = p->flights[f].warp;
    struct sm_warp *w = &p->warps[i];
    if (--w->mem_before)
        return;
    w->lsu_hold = 0;
    if (w->block == BLOCK_ORDER) {
        sm_warp_refresh(p, i);
        part_wake(p, t + 1);
    }
}

/* Predicates have been written: those that guard wait for `guard_cyc` more. */
void warp_delay_guards(struct part *p, uint32_t i, uint64_t preds)
{
    struct sm_warp *w = &p->warps[i];
    uint64_t t = p->sm->clock.now + p->sm->cfg->guard_cyc;
    w->late |= (uint16_t)preds;
    for (; preds; preds &= preds - 1)
        w->late_until[__builtin_ctzll(preds)] = t;
    event_at(p->sm, t, EV_GUARD, p->id, i);
}

/* The next instruction, which is another unit's, waits `cross_cyc` more for a result. */
void warp_delay_crossing(struct part *p, uint32_t i, const struct kinsn *k)
{
    struct sm_warp *w = &p->warps[i];
    const struct kinsn *next = w->next.k;
    if (w->held || k->route != ROUTE_UNIT || !meets(next->use, REG_WORDS, k->def))
        return;
    w->held = BLOCK_ALU;
    event_at(p->sm, p->sm->clock.now + p->sm->cfg->cross_cyc, EV_UNHOLD, p->id, i);
}
