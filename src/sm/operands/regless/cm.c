/* SPDX-License-Identifier: Apache-2.0 */
/* The capacity manager (section 4.5.1). Warps that wait for a region are in a stack, the last to have issued on top. In every
 * cycle the top is looked at: if each bank has as many lines unreserved as its region needs, they are reserved, and preloads and
 * invalidations are queued at the banks. When all are answered the warp may issue, from the next cycle on. When it has issued
 * the region's last instruction only what is read or written yet stays reserved; when that is done the warp goes back to the
 * stack, as soon as its next instruction is known and it is at no barrier.
 *
 *   last result written in cycle w   pushed
 *   w+1                              chosen: lines reserved, lookups queued
 *   w+2 and on                       lookups, one in a bank and cycle
 *   the cycle after the last answer  may issue */
#include "sm/operands/regless/regless.h"

#include <assert.h>

static const struct regions *regions_of(const struct regless *s, uint32_t warp)
{
    return rl_note(s, warp)->r;
}

static void set_block(struct regless *s, uint32_t warp, uint32_t block)
{
    struct sm_warp *w = &s->p->warps[warp];
    if (w->inactive == block)
        return;
    w->inactive = (uint8_t)block;
    sm_warp_refresh(s->p, warp);
}

static void set_state(struct regless *s, uint32_t warp, enum rl_state to, uint64_t t)
{
    const struct sm_observer *o = s->p->sm->trust.watch;
    struct rl_warp *w = &s->warps[warp];
    if (o && o->warp_state && w->state != RL_OUTSIDE && w->since < t) {
        static const char *const names[] = {[RL_INACTIVE] = "inactive",
                                            [RL_PRELOADING] = "preloading",
                                            [RL_ACTIVE] = "active",
                                            [RL_DRAINING] = "draining"};
        o->warp_state(o->ctx, s->p->id, warp, w->since, t, names[w->state]);
    }
    w->state = (uint8_t)to;
    w->since = t;
}

void cm_begin(struct regless *s, uint32_t warp)
{
    struct rl_warp *w = &s->warps[warp];
    const struct sm_kernel *k = s->p->sm->ctas.at[s->p->warps[warp].cta].k;
    uint32_t era = w->era + 1;
    *w = (struct rl_warp){.note = k->note[SEAM_OPERANDS], .here = true, .fresh = true, .era = era};
    s->poll |= 1ull << warp;
    s->again = true;
    s->modest &= ~(1ull << warp);
    s->p->warps[warp].inactive = BLOCK_CAPACITY;
}

/* ---- the stack ---- */

/* Those of a new CTA lie with the first warp on top, whichever of them was fetched first. */
static void push(struct regless *s, uint32_t warp, uint64_t t)
{
    const struct sm_warp *all = s->p->warps;
    uint32_t at = s->nstack;
    while (s->warps[warp].fresh && at && s->warps[s->stack[at - 1]].fresh &&
           all[s->stack[at - 1]].cta == all[warp].cta && all[s->stack[at - 1]].index < all[warp].index)
        at--;
    memmove(s->stack + at + 1, s->stack + at, s->nstack - at);
    s->stack[at] = (uint8_t)warp;
    s->nstack++;
    s->poll &= ~(1ull << warp);
    s->look = true;
    set_state(s, warp, RL_INACTIVE, t);
    set_block(s, warp, BLOCK_CAPACITY);
}

static void remove_from_stack(struct regless *s, uint32_t warp)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < s->nstack; i++)
        if (s->stack[i] != warp)
            s->stack[n++] = s->stack[i];
    s->nstack = n;
    s->look = true;
}

static bool fits(const struct regless *s, uint32_t warp, const struct region *g)
{
    const struct part *p = s->p;
    for (uint32_t b = 0; b < p->banks.group; b++)
        if (g->need[b] && s->banks[bank_of(p, b, p->warps[warp].bank0)].reserved + g->need[b] > s->nlines)
            return false;
    return true;
}

/* All is answered: from the next cycle on. */
static void may_start(struct regless *s, uint32_t warp, uint64_t t)
{
    s->warps[warp].ready_at = t + 1;
    s->starting |= 1ull << warp;
}

static void start(struct regless *s, uint32_t warp, const struct inext *e, uint64_t t)
{
    const struct regless_note *note = rl_note(s, warp);
    const struct sm_kernel *k = s->p->sm->ctas.at[s->p->warps[warp].cta].k;
    struct rl_warp *w = &s->warps[warp];
    w->region = note->r->of[e->k->at];
    w->at = e->k->at - 1;
    w->fresh = false;
    const struct region *g = &note->r->at[w->region];
    bool whole = e->k->at == g->start;
    regset in = whole ? g->preload : regions_preload_at(note->r, k->tr, e->k->at), out = g->invalidate;
    for (uint32_t b = 0; b < s->p->banks.group; b++) {
        uint32_t at = bank_of(s->p, b, s->p->warps[warp].bank0);
        w->reserved[at] = (uint16_t)g->need[b];
        s->banks[at].reserved += g->need[b];
    }
    s->changed = true;
    s->count[RL_regions]++;
    set_state(s, warp, RL_PRELOADING, t);
    set_block(s, warp, BLOCK_PREFETCH);
    w->left = regset_count(&in) + (whole ? regset_count(&out) : 0);
    while (!regset_empty(&in)) {
        uint8_t reg = regset_take(&in);
        osu_lookup(s, warp, reg, false, regset_has(&note->dead[w->region], reg), t);
    }
    while (whole && !regset_empty(&out))
        osu_lookup(s, warp, regset_take(&out), true, false, t);
    if (!w->left)
        may_start(s, warp, t);
}

static void choose(struct regless *s, uint64_t t)
{
    if (!s->look || !s->nstack)
        return;
    uint32_t top = s->stack[s->nstack - 1];
    const struct sm_warp *w = &s->p->warps[top];
    const struct inext *e = &w->next;
    if (s->warps[top].since >= t)
        return; /* it has come in this cycle */
    s->look = false;
    if (!fits(s, top, &regions_of(s, top)->at[regions_of(s, top)->of[e->k->at]]))
        return;
    s->nstack--;
    s->look = true;
    start(s, top, e, t);
}

void cm_answered(struct regless *s, uint32_t warp, uint64_t t)
{
    struct rl_warp *w = &s->warps[warp];
    if (!w->left)
        rl_fail(s, warp, 0, "or another register was answered twice");
    else if (!--w->left)
        may_start(s, warp, t);
}

void cm_wait_for(struct regless *s, uint32_t warp, uint64_t t)
{
    (void)t;
    set_block(s, warp, BLOCK_PREFETCH);
}

/* ---- regions end ---- */

static bool has_drained(const struct part *p, uint32_t warp)
{
    const struct sm_warp *w = &p->warps[warp];
    return !w->collected && !sm_warp_has_regs(p, warp, w->pend);
}

static void end_region(struct regless *s, uint32_t warp, uint64_t t)
{
    struct rl_warp *w = &s->warps[warp];
    s->count[RL_region_cycles] += t + 1 - w->since;
    set_state(s, warp, RL_DRAINING, t + 1);
    w->under_way = UINT64_MAX;
    for (uint32_t b = 0; b < s->p->sm->cfg->banks; b++) {
        s->banks[b].reserved -= (uint32_t)(w->reserved[b] - w->pinned[b]);
        w->reserved[b] = w->pinned[b];
    }
    s->poll |= 1ull << warp;
    s->modest &= ~(1ull << warp);
    s->look = s->again = s->changed = true;
}

/* An instruction that takes no collector is done with its registers at once. */
static void release_last(struct regless *s, uint32_t warp, const struct region_insn *x)
{
    for (regset last = x->last; !regset_empty(&last);) {
        uint8_t reg = regset_take(&last);
        if (!sm_warp_uses(s->p, warp, reg)) {
            osu_release(s, warp, reg, regset_has(&x->dead, reg));
            continue;
        }
        regset_add(&s->warps[warp].late, reg);
        s->poll |= 1ull << warp;
        if (regset_has(&x->dead, reg))
            regset_add(&s->warps[warp].late_dead, reg);
    }
}

/* What a result carries, or a read that is done, was noted when the instruction issued. */
static void note_accesses(struct regless *s, uint32_t warp, const struct inext *e)
{
    if (!inext_flies(s->p, e)) {
        release_last(s, warp, &regions_of(s, warp)->insns[e->k->at]);
        return;
    }
    for (uint32_t i = 0; i < e->k->nwrite; i++)
        osu_claim(s, warp, e->k->write[i]);
}

/* Does the next instruction go on with the region? -1: nobody knows yet. */
static int goes_on(const struct regless *s, uint32_t warp, uint32_t ahead)
{
    struct sm_warp *w = &s->p->warps[warp];
    const struct rl_warp *x = &s->warps[warp];
    const struct region *g = &regions_of(s, warp)->at[x->region];
    if (x->at + 1 == g->start + g->n)
        return false;
    return w->n > ahead ? (ahead ? ibuf_second(w) : w->next.k->at) == x->at + 1 : -1;
}

void cm_issued(struct regless *s, uint32_t warp, const struct inext *e, uint64_t t)
{
    struct rl_warp *w = &s->warps[warp];
    s->modest &= ~(1ull << warp);
    lanes_move(&w->lanes, e->k->at, e->mask);
    if (!regset_empty(&w->deferred))
        osu_give_up_deferred(s, warp);
    w->now = w->values[s->p->warps[warp].given % IBUF_MAX];
    if (w->state == RL_OUTSIDE) {
        s->p->warps[warp].inactive = BLOCK_CAPACITY;
        s->again = true;
        return;
    }
    assert(w->state == RL_ACTIVE);
    s->count[RL_region_insts]++;
    w->at = e->k->at;
    note_accesses(s, warp, e);
    int on = goes_on(s, warp, 1);
    if (on < 0) {
        s->poll |= 1ull << warp;
    } else if (!on) {
        s->p->warps[warp].inactive = BLOCK_ALU;
        end_region(s, warp, t);
    }
}

/* ---- every cycle ---- */

static void poll_outside(struct regless *s, uint32_t warp, uint64_t t)
{
    const struct sm_warp *w = &s->p->warps[warp];
    if (!w->n || w->held || w->at_barrier || w->async.wait || w->limits & LIMIT_LEAVES)
        return;
    if (regions_of(s, warp)->of[w->next.k->at] != REGION_NONE)
        push(s, warp, t);
    else
        set_block(s, warp, 0);
}

static void release_late(struct regless *s, uint32_t warp)
{
    struct rl_warp *x = &s->warps[warp];
    for (regset left = x->late; !regset_empty(&left);) {
        uint8_t reg = regset_take(&left);
        if (sm_warp_uses(s->p, warp, reg))
            continue;
        osu_release(s, warp, reg, regset_has(&x->late_dead, reg));
        regset_drop(&x->late, reg);
        regset_drop(&x->late_dead, reg);
    }
}

static void poll_one(struct regless *s, uint32_t warp, uint64_t t)
{
    struct rl_warp *x = &s->warps[warp];
    const struct sm_warp *w = &s->p->warps[warp];
    if (!regset_empty(&x->late))
        release_late(s, warp);
    if (x->state == RL_ACTIVE) {
        int on = goes_on(s, warp, 0);
        if (on > 0 && regset_empty(&x->late))
            s->poll &= ~(1ull << warp);
        if (!on)
            end_region(s, warp, t - 1);
    }
    if (x->state == RL_DRAINING) {
        /* Results come and operands are read by instructions that are under way: nothing has changed if as many are. */
        uint64_t under_way = (uint64_t)w->in_flight << 32 | w->collected;
        if (x->under_way == under_way)
            return;
        x->under_way = under_way;
        if (!has_drained(s->p, warp)) {
            bool far = sm_warp_has_regs(s->p, warp, w->pend_mem);
            set_block(s, warp, far ? BLOCK_MEMORY : BLOCK_ALU);
            return;
        }
        osu_release_all(s, warp);
        set_state(s, warp, RL_OUTSIDE, t);
        set_block(s, warp, BLOCK_CAPACITY);
    }
    if (x->state == RL_OUTSIDE)
        poll_outside(s, warp, t);
}

void cm_tick(struct regless *s, uint64_t t)
{
    s->again = false;
    for (uint64_t m = s->starting; m; m &= m - 1) {
        uint32_t warp = (uint32_t)__builtin_ctzll(m);
        if (s->warps[warp].ready_at > t)
            continue;
        s->starting &= ~(m & -m);
        if (s->warps[warp].state == RL_PRELOADING)
            set_state(s, warp, RL_ACTIVE, t);
        set_block(s, warp, 0);
    }
    for (uint64_t m = s->poll; m; m &= m - 1)
        poll_one(s, (uint32_t)__builtin_ctzll(m), t);
    choose(s, t);
}

/* ---- warps end ---- */

static void purge(struct regless *s, uint32_t warp)
{
    for (uint32_t b = 0; b < s->p->sm->cfg->banks; b++) {
        struct rl_bank *k = &s->banks[b];
        uint32_t n = 0;
        for (uint32_t i = k->head; i < k->q.n; i++)
            if (k->q.at[i].warp != warp)
                k->q.at[n++] = k->q.at[i];
        k->q.n = n;
        k->head = 0;
        if (!n)
            s->lookups &= ~(1ull << b);
    }
}

void cm_end(struct regless *s, uint32_t warp)
{
    struct rl_warp *w = &s->warps[warp];
    uint64_t t = s->p->sm->clock.now;
    set_state(s, warp, RL_OUTSIDE, t > w->since ? t : w->since);
    remove_from_stack(s, warp);
    purge(s, warp);
    w->era++;
    w->left = 0;
    for (uint32_t r = 0; r < 256; r++)
        if (s->where[warp][r] || s->stored[warp][r] != RL_ABSENT || s->nout)
            osu_vacate(s, warp, (uint8_t)r);
    for (uint32_t b = 0; b < s->p->sm->cfg->banks; b++) {
        s->banks[b].reserved -= w->reserved[b];
        w->reserved[b] = 0;
    }
    w->deferred = (regset){{0}};
    w->here = false;
    s->poll &= ~(1ull << warp);
    s->starting &= ~(1ull << warp);
    s->look = s->again = s->changed = true;
}
