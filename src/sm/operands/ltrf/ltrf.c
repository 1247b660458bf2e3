/* SPDX-License-Identifier: Apache-2.0 */
/* LTRF (Sadrosadati et al., ASPLOS 2018): every active warp has a partition of a register cache that holds the working set of the
 * interval it is in (annotate/intervals.h). A warp that enters another interval waits until the registers it does not have yet
 * were read from the banks; inside, operands are found in the cache and results go there.
 *
 *   entering      takes the scheduler a cycle, as an instruction that names the set would. What the new set does not keep goes to
 *   its
 *                 bank if it was written; then what is missing is read. Banks write before they read, so the order is right.
 *   active set    a warp that leaves it leaves its working set in the same way, and gets that of its next instruction when it
 *   comes back.
 *   dead values   (ltrf.live: the paper's LTRF+) are neither read nor written back. Liveness is about one thread, so it counts
 *   only where
 *                 all lanes of the warp are at the same instruction; else other lanes may be anywhere.
 *   some lanes    of a register that was not read because it was dead: it is read before they are written, for the other lanes'
 *   sake.
 *   in flight     a whole result on its way to a register of the new set is not read but awaited by who needs it. A result whose
 *   register
 *                 has no place any more, or whose warp is not active, goes to its bank.
 *
 * Operands that an instruction names beyond the limit have no place: they are read from and written to the banks like a plain
 * collector's. A warp enters the interval of whatever instruction comes next, so streams that go other ways than the code are
 * served as well. */
#include "sm/operands/ltrf/ltrf.h"

#include "sm/operands/active.h"

#define STAGE_POLICY operands_ltrf
#include "sm/stages/tick.h"

#include <assert.h>

CONF_TABLE(ltrf_options, "ltrf", ltrf_cfg, LTRF_OPTIONS);
STAT_TABLE(ltrf_stats, "ltrf", LTRF_STATS);

static const struct ltrf_cfg *options(const struct sm_cfg *cfg) { return policy_options(cfg, &ltrf_options); }

static void *ltrf_annotate(struct sm_kernel *k, const struct sm_cfg *cfg)
{
    return intervals_new(k->tr, options(cfg)->regs);
}

static void ltrf_forget(void *note) { intervals_free(note); }

static const regset all_regs = {{~0ull, ~0ull, ~0ull, ~0ull}};

static void ltrf_init(void *st, struct part *p)
{
    const struct sm_cfg *cfg = p->sm->cfg;
    struct ltrf *r = st;
    r->p = p;
    r->cfg = options(cfg);
    r->count = p->sm->stats + policy_stats_at(&operands_ltrf.is);
    r->warps = xcalloc(cfg->warps, sizeof *r->warps);
    r->cap = cfg->warps * r->cfg->regs;
    r->banks = xcalloc(cfg->banks, sizeof *r->banks);
    for (uint32_t b = 0; b < cfg->banks; b++)
        r->banks[b].q = xcalloc(r->cap, sizeof *r->banks[b].q);
    r->values = p->check ? xcalloc(cfg->warps, sizeof *r->values) : NULL;
    r->gone = p->check ? xcalloc(cfg->warps, sizeof *r->gone) : NULL;
    r->active = p->sm->sched->active ? 0 : ~0ull;
}

static uint32_t ltrf_late(const struct sm_cfg *cfg) { return options(cfg)->main_cyc; }

static void ltrf_free(void *st)
{
    struct ltrf *r = st;
    for (uint32_t b = 0; b < r->p->sm->cfg->banks; b++)
        free(r->banks[b].q);
    free(r->banks);
    free(r->warps);
    free(r->values);
    free(r->gone);
}

static struct ltrf_warp *state_of(struct ltrf *r, uint32_t warp)
{
    struct ltrf_warp *w = &r->warps[warp];
    if (w->owner != r->p->age[warp] + 1) {
        assert(!w->left);
        *w = (struct ltrf_warp){.owner = r->p->age[warp] + 1};
        if (r->gone)
            memset(r->gone[warp], 0xff, sizeof r->gone[warp]);
    }
    return w;
}

/* ---- working sets ---- */

/* What is not in `keep` leaves. */
static void leave(struct ltrf *r, uint32_t warp, const regset *keep, const regset *live)
{
    struct part *p = r->p;
    struct ltrf_warp *w = &r->warps[warp];
    regset out = regset_without(&w->dirty, keep), alive = regset_without(live, &w->expected);
    regset back = regset_and(&out, &alive);
    assert(!w->left);
    p->sm->stats[SS_cache_dead] += regset_count(&out) - regset_count(&back);
    p->sm->stats[SS_cache_writebacks] += regset_count(&back);
    while (!regset_empty(&back)) {
        uint8_t reg = regset_take(&back);
        banks_queue_register(p, warp, reg, r->values ? r->values[warp][reg].version : 0);
        if (r->values)
            r->gone[warp][reg] = r->values[warp][reg];
    }
    w->regs = *keep;
    w->valid = regset_and(&w->valid, keep);
    w->dirty = regset_and(&w->dirty, keep);
}

/* Registers of the set are read from the banks, and the warp waits for them. */
static void fetch(struct ltrf *r, uint32_t warp, regset need, uint64_t t)
{
    struct part *p = r->p;
    struct ltrf_warp *w = &r->warps[warp];
    if (regset_empty(&need))
        return;
    w->coming = need;
    w->left = regset_count(&need);
    p->sm->stats[SS_cache_prefetches] += w->left;
    while (!regset_empty(&need)) {
        uint8_t reg = regset_take(&need);
        uint32_t b = bank_of(p, reg % p->banks.group, p->warps[warp].bank0);
        struct ltrf_queue *q = &r->banks[b];
        uint32_t at = q->head + q->n++;
        q->q[at < r->cap ? at : at - r->cap] =
            (struct ltrf_read){.warp = (uint8_t)warp, .reg = reg, .since = (uint32_t)t + 1};
        r->waiting |= 1ull << b;
    }
    p->warps[warp].held = BLOCK_PREFETCH;
    sm_warp_refresh(p, warp);
}

static const struct intervals *intervals_of(const struct part *p, uint32_t warp)
{
    return p->sm->ctas.at[p->warps[warp].cta].k->note[SEAM_OPERANDS];
}

/* What may be read after this point, by any lane of the warp. Without an instruction (NULL): nobody knows. */
static regset live_at(const struct ltrf *r, uint32_t warp, const struct inext *e)
{
    const struct part *p = r->p;
    bool known = r->cfg->live && e && sm_warp_is_whole(p, warp, e->mask);
    return known ? intervals_of(p, warp)->live[e->k->at] : all_regs;
}

/* The warp gets the working set of its next instruction. */
static void enter(struct ltrf *r, uint32_t warp, const struct inext *e, uint64_t t)
{
    struct ltrf_warp *w = &r->warps[warp];
    const struct intervals *v = intervals_of(r->p, warp);
    regset live = live_at(r, warp, e);
    leave(r, warp, &v->at[v->of[e->k->at]].regs, &live);
    w->interval = v->of[e->k->at] + 1;
    regset need = regset_and(&w->regs, &live);
    need = regset_without(&need, &w->valid);
    need = regset_without(&need, &w->expected);
    r->count[LTRF_prefetches]++;
    fetch(r, warp, need, t);
}

/* Of the set, what the instruction needs and is not there: sources that were thought dead, old values of lanes that it does not
 * write. */
static regset missing(const struct part *p, uint32_t warp, const struct ltrf_warp *w, const struct inext *e)
{
    regset need = {{0}};
    for (uint32_t i = 0; i < e->k->nread; i++)
        regset_add(&need, e->k->read[i]);
    for (uint32_t i = 0; i < e->k->nwrite && !sm_warp_is_whole(p, warp, e->mask); i++)
        regset_add(&need, e->k->write[i]);
    need = regset_and(&need, &w->regs);
    return regset_without(&need, &w->valid);
}

INTO bool ltrf_prepare(void *st, uint32_t warp, uint64_t t)
{
    struct ltrf *r = st;
    struct part *p = r->p;
    const struct inext *e = &p->warps[warp].next;
    struct ltrf_warp *w = state_of(r, warp);
    if (w->left)
        return false; /* it has become active in this cycle */
    if (!e->mask)
        return true; /* switched off by its guard: it needs nothing */
    if (w->interval != intervals_of(p, warp)->of[e->k->at] + 1) {
        enter(r, warp, e, t);
        return false;
    }
    if (e->k->route != ROUTE_UNIT && e->k->route != ROUTE_MEMORY)
        return true;
    fetch(r, warp, missing(p, warp, w, e), t);
    return !w->left;
}

/* A warp that is put aside leaves its working set. */
static void put_aside(struct ltrf *r, uint32_t warp)
{
    const struct sm_warp *x = &r->p->warps[warp];
    struct ltrf_warp *w = state_of(r, warp);
    regset live = live_at(r, warp, x->n ? &x->next : NULL), none = {{0}};
    r->p->sm->stats[SS_cache_flushes] += !regset_empty(&w->valid);
    leave(r, warp, &none, &live);
    w->interval = 0;
}

static void ltrf_park(void *st, uint32_t warp) { put_aside(st, warp); }

INTO void ltrf_active(void *st, uint64_t active, uint64_t mine)
{
    struct ltrf *r = st;
    struct part *p = r->p;
    /* A warp that has ended leaves nothing. */
    uint64_t running = p->used & ~p->blocked[BLOCK_DRAINED];
    uint64_t changed = (r->active ^ active) & mine & running;
    r->active = (r->active & ~mine) | active;
    for (; changed; changed &= changed - 1) {
        uint32_t warp = (uint32_t)__builtin_ctzll(changed);
        const struct sm_warp *x = &p->warps[warp];
        const struct inext *e = x->n ? &x->next : NULL;
        state_of(r, warp);
        if (!(active >> warp & 1))
            put_aside(r, warp);
        else if (e && e->mask &&
                 p->blocked[BLOCK_NOT] >> warp & 1) /* one that waits yet (active.turn) leaves again first */
            enter(r, warp, e, p->sm->clock.now);
    }
}

/* ---- values ---- */

/* A register has come from its bank. Results of some lanes may have come before it. */
static void arrived(struct ltrf *r, uint32_t warp, uint8_t reg, uint64_t t)
{
    struct part *p = r->p;
    struct ltrf_warp *w = &r->warps[warp];
    assert(regset_has(&w->coming, reg));
    regset_drop(&w->coming, reg);
    regset_add(&w->valid, reg);
    if (r->values) {
        /* A value that was dead has not come to the bank: what is read there is good for no lane. */
        struct ltrf_value *v = &r->values[warp][reg], *old = &r->gone[warp][reg];
        uint32_t version = check_bank(p, warp, reg), now = p->check->regs[warp][reg].issued;
        bool merged = regset_has(&w->dirty, reg), pending = p->warps[warp].pend[reg / 64] >> reg % 64 & 1;
        bool latest = version == now || (version + 1 == now && (merged || pending));
        uint32_t lanes =
            latest ? p->check->regs[warp][reg].lanes & (version == old->version ? old->lanes : ~0u) : 0;
        *v = merged ? (struct ltrf_value){v->version, v->lanes | lanes} : (struct ltrf_value){version, lanes};
    }
    if (!--w->left)
        event_at(p->sm, t + 1 + r->cfg->main_cyc, EV_UNHOLD, p->id, warp);
}

static void serve(struct ltrf *r, uint32_t b, uint64_t t)
{
    struct part *p = r->p;
    struct ltrf_queue *q = &r->banks[b];
    for (uint32_t ports = p->banks.reads; ports && q->n; ports--) {
        struct ltrf_read x = q->q[q->head];
        uint32_t waited = (uint32_t)t - x.since;
        q->head = q->head + 1 < r->cap ? q->head + 1 : 0;
        q->n--;
        banks_read(p, b, waited);
        if (p->sm->trust.watch && waited)
            blame_warp_reads(p, x.warp, 1, waited);
        arrived(r, x.warp, x.reg, t);
    }
    if (!q->n)
        r->waiting &= ~(1ull << b);
}

/* Operands of instructions go before prefetches. */
INTO void ltrf_idle(void *st, uint64_t t)
{
    struct ltrf *r = st;
    for (uint64_t m = r->waiting & banks_idle(&r->p->banks); m; m &= m - 1)
        serve(r, (uint32_t)__builtin_ctzll(m), t);
}

static void check_value(struct ltrf *r, uint32_t f, uint32_t i)
{
    struct part *p = r->p;
    const struct flight *l = &p->flights[f];
    uint8_t reg = l->i.k->read[i];
    const struct ltrf_value *v = &r->values[l->warp][reg];
    struct sm *s = p->sm;
    check_read(p, f, i, v->version);
    if (l->i.mask & ~v->lanes && !s->error[0])
        snprintf(s->error, sizeof s->error,
                 "cycle %llu, partition %u, warp %u: R%u in the register cache lacks lanes %08x",
                 (unsigned long long)s->clock.now, p->id, l->warp, reg, l->i.mask & ~v->lanes);
}

INTO uint32_t ltrf_find(void *st, uint32_t f, uint32_t unit)
{
    struct ltrf *r = st;
    struct part *p = r->p;
    const struct flight *l = &p->flights[f];
    struct ltrf_warp *w = state_of(r, l->warp);
    uint32_t found = 0;
    (void)unit;
    for (uint32_t i = 0; i < l->i.k->nread; i++) {
        if (!regset_has(&w->valid, l->i.k->read[i]))
            continue;
        if (r->values)
            check_value(r, f, i);
        found |= 1u << i;
    }
    for (uint32_t i = 0; i < l->i.k->nwrite && sm_warp_is_whole(p, l->warp, l->i.mask); i++)
        regset_add(&w->expected, l->i.k->write[i]);
    return found;
}

INTO bool ltrf_result(void *st, uint32_t f, uint32_t i)
{
    struct ltrf *r = st;
    struct part *p = r->p;
    const struct flight *l = &p->flights[f];
    struct ltrf_warp *w = state_of(r, l->warp);
    uint8_t reg = l->i.k->write[i];
    bool coming = regset_has(&w->coming, reg), had = coming || regset_has(&w->valid, reg);
    regset_drop(&w->expected, reg);
    if (!regset_has(&w->regs, reg) || (!had && !sm_warp_is_whole(p, l->warp, l->i.mask))) {
        p->sm->stats[SS_cache_lost]++;
        return false;
    }
    if (r->values) {
        struct ltrf_value *v = &r->values[l->warp][reg];
        uint32_t version = p->check->writes[f][i];
        bool merged = had && !coming && v->version + 1 == version;
        *v = (struct ltrf_value){
            version, sm_warp_is_whole(p, l->warp, l->i.mask) ? ~0u : l->i.mask | (merged ? v->lanes : 0)};
    }
    regset_add(&w->dirty, reg);
    if (!coming)
        regset_add(&w->valid, reg);
    p->sm->stats[SS_cache_writes]++;
    return true;
}

/* ---- the seam ---- */

static uint64_t ltrf_next(const void *st, uint64_t t)
{
    const struct ltrf *r = st;
    return r->waiting ? t + 1 : NEVER;
}

static void ltrf_queued(const void *st, uint8_t *by_bank)
{
    const struct ltrf *r = st;
    for (uint64_t m = r->waiting; m; m &= m - 1) {
        uint32_t b = (uint32_t)__builtin_ctzll(m), n = by_bank[b] + r->banks[b].n;
        by_bank[b] = (uint8_t)(n < UINT8_MAX ? n : UINT8_MAX);
    }
}

/* Beside the registers, for each of 256 names where it is and whether it is there; sets and liveness of warps that wait as
 * well. */
static uint32_t ltrf_storage(const struct sm_cfg *cfg, struct storage_row rows[STORAGE_MAX])
{
    enum { NAMES = 256 };
    int64_t n = active_slots(cfg);
    rows[0] = (struct storage_row){"registers kept", n * options(cfg)->regs, STORAGE_REG_BITS};
    rows[1] = (struct storage_row){"places of names", n * NAMES, storage_bits(options(cfg)->regs) + 1};
    rows[2] = (struct storage_row){"written", n * options(cfg)->regs, 1};
    rows[3] =
        (struct storage_row){"working sets and liveness", (int64_t)cfg->partitions * cfg->warps, 2 * NAMES};
    return 4;
}

static double ltrf_price(const struct sm_cfg *cfg, const uint64_t *stats, const struct price *p)
{
    return active_price(cfg, options(cfg)->regs, stats, p);
}

/* It reads the banks itself, ahead of its instructions. */
static const char *ltrf_fits(const struct sm_cfg *cfg, struct arena *a)
{
    if (cfg->bank_write_port)
        return "what leaves the cache must be in its bank before it is read there, and sm.bank_write_port "
               "lets reads pass";
    return active_fits(cfg, a);
}

STAGES(ltrf, F_POLICY | F_CHOICE | F_WRITES);

const struct operands_ops operands_ltrf = {
    .is = {.name = "ltrf",
           .help = "a cache with the working set of each active warp's register interval, prefetched when it "
                   "is entered",
           .state_b = sizeof(struct ltrf),
           .options = {&ltrf_options, &active_options},
           .stats = &ltrf_stats,
           .fits = ltrf_fits,
           .annotate = ltrf_annotate,
           .forget = ltrf_forget,
           .storage = ltrf_storage,
           .price = ltrf_price},
    .caches = true,
    .late = ltrf_late,
    .init = ltrf_init,
    .free = ltrf_free,
    .prepare = ltrf_prepare,
    .find = ltrf_find,
    .result = ltrf_result,
    .park = ltrf_park,
    .active = ltrf_active,
    .idle = ltrf_idle,
    .next = ltrf_next,
    .queued = ltrf_queued,
    .stages = &ltrf_stages};
