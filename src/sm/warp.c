/* A warp's scoreboard, and whether it can issue. */
#include "sm/core.h"

enum { REG_WORDS = 15 }; /* those of a scoreboard that registers have, by bit */

/* Do the two have a bit in common? `words`: those of a that are not 0, seldom more than two. */
static bool meets(const uint64_t *a, unsigned words, const uint64_t *b)
{
    for (; words; words &= words - 1) {
        unsigned i = (unsigned)__builtin_ctz(words);
        if (a[i] & b[i])
            return true;
    }
    return false;
}

bool sm_warp_reads(const struct part *p, uint32_t i, const uint64_t *regs, unsigned words)
{
    for (uint32_t f = p->warps[i].collected; f; f = p->flights[f - 1].collected)
        if (meets(regs, words & REG_WORDS, p->flights[f - 1].i.k->use))
            return true;
    return false;
}

bool sm_warp_uses(const struct part *p, uint32_t i, uint32_t reg)
{
    uint64_t regs[4] = {0};
    regs[reg / 64] = 1ull << reg % 64;
    return p->warps[i].pend[reg / 64] & regs[reg / 64] || sm_warp_reads(p, i, regs, 1u << reg / 64);
}

/* The first of several producers. Only a scheduler that idles asks, so issuing does not pay for it. */
uint8_t sm_warp_blame(const struct part *p, uint32_t n)
{
    const struct sm_warp *w = &p->warps[n];
    const struct ientry *e = &w->ibuf[w->head];
    const uint64_t *a = e->mask || p->sm->cfg->all_collect ? e->k->any : e->k->use;
    if (w->overwrites)
        return SS_stall_read;
    for (unsigned i = 0; i < SB_WORDS; i++)
        if (a[i] & w->pend[i])
            return p->producer[n][i * 64 + (unsigned)__builtin_ctzll(a[i] & w->pend[i])];
    return SS_stall_alu;
}

/* Would the instruction overtake what its warp has on the way to L1? A barrier or fence promises that all of it is there. */
static bool must_wait(const struct sm_warp *w, const struct ientry *e)
{
    if (e->k->route == ROUTE_MEMORY)
        return w->lsu_hold & (is_load(e->k) ? HOLD_LOADS : HOLD_STORES) && ientry_has_lines(e);
    return e->k->route == ROUTE_BARRIER || e->k->cls == TC_MEMBAR;
}

static bool expects_memory(const struct sm_warp *w)
{
    uint64_t any = 0;
    for (uint32_t i = 0; i < SB_WORDS; i++)
        any |= w->pend_mem[i];
    return any != 0;
}

static enum block why_blocked(const struct part *p, uint32_t i)
{
    const struct sm_cfg *cfg = p->sm->cfg;
    struct sm_warp *w = &p->warps[i];
    if (w->at_barrier || w->async.wait || w->at_object)
        return BLOCK_BARRIER;
    if (w->held)
        return (enum block)w->held;
    if (!w->n)
        return w->ended ? BLOCK_DRAINED : BLOCK_FETCH;
    if (w->inactive)
        return (enum block)w->inactive;
    const struct ientry *e = &w->ibuf[w->head];
    if (e->k->marks & KM_WAITS && expects_memory(w))
        return BLOCK_MEMORY;
    if (e->mask || cfg->all_collect) {
        const struct kinsn *k = e->k;
        if (meets(k->any, k->any_words, w->pend))
            return meets(k->any, k->any_words, w->pend_mem) ? BLOCK_MEMORY : BLOCK_ALU;
        if (k->guards & w->late)
            return BLOCK_ALU;
        /* A result must not overtake a read of the old value that still waits in a collector. */
        if (w->collected && cfg->read_lock && sm_warp_reads(p, i, k->def, k->def_words)) {
            w->overwrites = true;
            return BLOCK_ALU;
        }
        if (w->lsu_hold && must_wait(w, e))
            return BLOCK_ORDER;
    } else if (e->k->guards & w->late || meets(e->k->use, e->k->use_words, w->pend)) {
        return BLOCK_ALU; /* switched off by its guard: that must be known */
    }
    return w->limits && tenant_stops(p, i) ? BLOCK_TENANT : BLOCK_NOT;
}

void sm_warp_refresh(struct part *p, uint32_t i)
{
    struct sm_warp *w = &p->warps[i];
    w->overwrites = false;
    enum block why = why_blocked(p, i);
    if (why == w->block)
        return;
    p->blocked[w->block] &= ~(1ull << i);
    part_block(p, i, why);
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
    w->lsu_hold = p->sm->lsu_ops->holds != LSU_HOLDS_ALL ? HOLD_FENCES
                  : is_load(l->i.k)                      ? HOLD_FENCES | HOLD_STORES
                                                         : HOLD_FENCES | HOLD_STORES | HOLD_LOADS;
}

void lsu_reached(struct part *p, uint32_t f, uint64_t t)
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

void sm_warp_issued(struct part *p, uint32_t n, const struct kinsn *k)
{
    struct sm_warp *w = &p->warps[n];
    uint8_t *producer = p->producer[n];
    for (unsigned i = 0; i < k->nwrite; i++)
        producer[k->write[i]] = k->blame;
    for (unsigned left = k->def_words; left; left &= left - 1) {
        unsigned i = (unsigned)__builtin_ctz(left);
        w->pend[i] |= k->def[i];
        if (k->from_memory)
            w->pend_mem[i] |= k->def[i];
        for (uint64_t m = i < 4 ? 0 : k->def[i]; m; m &= m - 1)
            producer[i * 64 + (unsigned)__builtin_ctzll(m)] = k->blame;
    }
}

/* Predicates have been written: those that guard wait for `guard_cyc` more. */
static void delay_guards(struct part *p, uint32_t i, uint64_t preds)
{
    struct sm_warp *w = &p->warps[i];
    uint64_t t = p->sm->now + p->sm->cfg->guard_cyc;
    w->late |= (uint16_t)preds;
    for (; preds; preds &= preds - 1)
        w->late_until[__builtin_ctzll(preds)] = t;
    event_at(p->sm, t, EV_GUARD, p->id, i);
}

void sm_warp_guards(struct part *p, uint32_t i, uint64_t t)
{
    struct sm_warp *w = &p->warps[i];
    for (uint32_t m = w->late; m; m &= m - 1)
        if (w->late_until[__builtin_ctz(m)] <= t)
            w->late &= (uint16_t) ~(m & -m);
    if (w->block == BLOCK_ALU)
        sm_warp_refresh(p, i);
}

/* A unit has its own results at once; for another one the next instruction waits `cross_cyc` more. */
static void delay_crossing(struct part *p, uint32_t i, const struct kinsn *k)
{
    struct sm_warp *w = &p->warps[i];
    const struct kinsn *next = w->ibuf[w->head].k;
    if (w->held || next->unit == k->unit || k->route != ROUTE_UNIT ||
        !meets(next->use, next->use_words & k->def_words & REG_WORDS, k->def))
        return;
    w->held = BLOCK_ALU;
    event_at(p->sm, p->sm->now + p->sm->cfg->cross_cyc, EV_UNHOLD, p->id, i);
}

void sm_warp_result(struct part *p, uint32_t i, const struct kinsn *k)
{
    struct sm_warp *w = &p->warps[i];
    if (k->def[SB_PREDS] && p->sm->cfg->guard_cyc)
        delay_guards(p, i, k->def[SB_PREDS]);
    for (unsigned left = k->def_words; left; left &= left - 1) {
        unsigned j = (unsigned)__builtin_ctz(left);
        w->pend[j] &= ~k->def[j];
        w->pend_mem[j] &= ~k->def[j];
    }
    /* Only if the next instruction waits for one of these. */
    if (w->block == BLOCK_ALU || w->block == BLOCK_MEMORY) {
        const struct kinsn *next = w->ibuf[w->head].k;
        if (p->sm->cfg->cross_cyc)
            delay_crossing(p, i, k);
        if (next->marks & KM_WAITS || meets(next->any, next->any_words & k->def_words, k->def))
            sm_warp_refresh(p, i);
    }
}

void sm_warp_operands_read(struct part *p, uint32_t i, uint32_t flight)
{
    struct sm_warp *w = &p->warps[i];
    uint32_t *link = &w->collected;
    while (*link != flight + 1)
        link = &p->flights[*link - 1].collected;
    *link = p->flights[flight].collected;
    if (w->block == BLOCK_ALU && w->overwrites)
        sm_warp_refresh(p, i);
}
