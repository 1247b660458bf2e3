/* SPDX-License-Identifier: Apache-2.0 */
/* Register-file virtualisation (Jeon et al., MICRO 2015), as the thesis compares it (section 4.6.1): a register file of half
 * the size, whose registers are given to results when these are issued and taken back when the code says that no lane wants the
 * value any more. The table of names and the code's metadata cost nothing.
 *
 * A register stays in the bank of its name. Warps of all CTAs but the oldest in the partition get one only while the rest would
 * do for everything that the oldest one's code names, so that one can always end. Where even that is not enough, warps are
 * spilled until the oldest one that is at no barrier can go on: those at a barrier first, then the youngest, with registers and
 * nothing on its way. Its registers are free at once, and it waits until there is room beside what older warps may yet take, and
 * then for as long as L1 takes and a cycle for each. What that moves is not sent through L1. */
#include "sm/operands/rfv/rfv.h"

#define STAGE_POLICY operands_rfv
#include "sm/stages/tick.h"

#include <assert.h>

CONF_TABLE(rfv_options, "rfv", rfv_cfg, RFV_OPTIONS);
STAT_TABLE(rfv_stats, "rfv", RFV_STATS);

static const struct rfv_cfg *options(const struct sm_cfg *cfg) { return policy_options(cfg, &rfv_options); }
static uint32_t lines_of(const struct sm_cfg *cfg)
{
    return options(cfg)->regs / cfg->partitions / cfg->banks;
}
static uint32_t rfv_file(const struct sm_cfg *cfg) { return options(cfg)->regs; }

static const char *rfv_fits(const struct sm_cfg *cfg, struct arena *a)
{
    if (cfg->warp_limit)
        return "sm.warp_limit would hold back warps that have registers, and the others have none then";
    if (options(cfg)->regs % (cfg->partitions * cfg->banks))
        return arena_printf(a, "rfv.regs = %u does not divide into the %u banks of %u partitions",
                            options(cfg)->regs, cfg->banks, cfg->partitions);
    return NULL;
}

/* ---- code ---- */

static void *rfv_annotate(struct sm_kernel *k, const struct sm_cfg *cfg)
{
    struct rfv_note *n = xcalloc(1, sizeof *n);
    regset all = {{0}};
    n->r = regions_new(k->tr, &(struct region_limits){.banks = banks_group(cfg), .lines = 256, .most = 256});
    for (uint32_t i = 0; i < k->tr->n; i++) {
        for (uint32_t j = 0; j < k->insns[i].nwrite; j++)
            regset_add(&all, k->insns[i].write[j]);
    }
    while (!regset_empty(&all))
        n->named[regset_take(&all) % banks_group(cfg)]++;
    return n;
}

static void rfv_forget(void *note)
{
    regions_free(((struct rfv_note *)note)->r);
    free(note);
}

static bool rfv_profile(struct sm_kernel *k, struct tr_reader *trace, const struct sm_cfg *cfg,
                        struct diag *d)
{
    const struct rfv_note *n = k->note[SEAM_OPERANDS];
    uint32_t lines = lines_of(cfg), most = 0;
    (void)trace;
    for (uint32_t b = 0; b < banks_group(cfg); b++)
        most = n->named[b] > most ? n->named[b] : most;
    if (most <= lines)
        return true;
    diag_plain(d,
               "sm.operands = rfv: kernel '%s' names %u registers of a bank, more than the %u that "
               "rfv.regs = %u leave it",
               k->tr->name, most, lines, options(cfg)->regs);
    return false;
}

static const struct rfv_note *note_of(const struct rfv *s, uint32_t warp)
{
    return s->p->sm->ctas.at[s->p->warps[warp].cta].k->note[SEAM_OPERANDS];
}

static uint32_t bank_for(const struct rfv *s, uint32_t warp, uint32_t reg)
{
    return bank_of(s->p, reg % s->p->banks.group, s->p->warps[warp].bank0);
}

/* ---- life ---- */

static void rfv_init(void *st, struct part *p)
{
    struct rfv *s = st;
    const struct sm_cfg *cfg = p->sm->cfg;
    s->p = p;
    s->count = p->sm->stats + policy_stats_at(&operands_rfv.is);
    s->lines = lines_of(cfg);
    s->starve_cyc = options(cfg)->starve_cyc;
    s->warps = xcalloc(cfg->warps, sizeof *s->warps);
    s->free = xcalloc(cfg->banks, sizeof *s->free);
    for (uint32_t b = 0; b < cfg->banks; b++)
        s->free[b] = s->lines;
}

static void rfv_free(void *st)
{
    struct rfv *s = st;
    free(s->warps);
    free(s->free);
}

/* Who has registers is another matter now: others may have to wait, or to wait no longer. */
static void changed(struct rfv *s)
{
    s->look = true;
    s->oldest.known = false;
}

static void give_back(struct rfv *s, uint32_t warp, uint32_t reg)
{
    struct rfv_warp *w = &s->warps[warp];
    uint32_t b = bank_for(s, warp, reg);
    if (!regset_has(&w->mapped, reg))
        return;
    regset_drop(&w->mapped, reg);
    w->n[b]--;
    s->free[b]++;
    changed(s);
}

static void take(struct rfv *s, uint32_t warp, uint32_t reg)
{
    struct rfv_warp *w = &s->warps[warp];
    uint32_t b = bank_for(s, warp, reg);
    if (regset_has(&w->mapped, reg))
        return;
    assert(s->free[b]);
    regset_add(&w->mapped, reg);
    w->n[b]++;
    s->free[b]--;
    changed(s);
}

static void rfv_end(void *st, uint32_t warp)
{
    struct rfv *s = st;
    while (!regset_empty(&s->warps[warp].mapped)) {
        regset left = s->warps[warp].mapped;
        give_back(s, warp, regset_take(&left));
    }
    s->warps[warp] = (struct rfv_warp){.ready_at = 0};
    s->spilled &= ~(1ull << warp);
    s->coming &= ~(1ull << warp);
    s->denied &= ~(1ull << warp);
    s->here &= ~(1ull << warp);
    changed(s);
    part_wake(s->p, s->p->sm->clock.now);
}

static void rfv_begin(void *st, uint32_t warp, bool again)
{
    struct rfv *s = st;
    (void)
        again; /* what it had has been saved by whoever parked it, and is not counted until it is written again */
    rfv_end(s, warp);
    s->here |= 1ull << warp;
    s->oldest.known = false;
    s->p->warps[warp].inactive = 0;
}

static void rfv_park(void *st, uint32_t warp)
{
    struct rfv *s = st;
    struct lanes lanes = s->warps[warp].lanes;
    rfv_begin(s, warp, true);
    s->warps[warp].lanes = lanes;
    sm_warp_refresh(s->p, warp);
}

/* ---- values die ---- */

static bool wanted(const struct rfv *s, uint32_t warp, uint32_t reg, uint32_t mask)
{
    return lanes_want(&s->warps[warp].lanes, s->p->warps[warp].live & ~mask, note_of(s, warp)->r->live, reg);
}

/* The code gives the register up. */
static void die(struct rfv *s, uint32_t warp, uint32_t reg, uint32_t mask)
{
    struct rfv_warp *w = &s->warps[warp];
    if (!regset_has(&w->mapped, reg))
        return;
    if (wanted(s, warp, reg, mask) || sm_warp_uses(s->p, warp, reg)) {
        regset_add(&w->deferred, reg);
        return;
    }
    regset_drop(&w->deferred, reg);
    give_back(s, warp, reg);
    s->count[RFV_freed]++;
    if (s->p->check) {
        s->p->check->regs[warp][reg].bank = CHECK_GONE;
        s->p->check->regs[warp][reg].lanes = 0;
    }
}

/* The warp issues k: what its lanes gave up before is free now, but for what k reads. */
ASIDE static void end_deferred(struct rfv *s, uint32_t warp, const struct kinsn *k)
{
    struct rfv_warp *w = &s->warps[warp];
    for (uint32_t i = 0; i < k->nread; i++) {
        s->count[RFV_kept] += regset_has(&w->deferred, k->read[i]);
        regset_drop(&w->deferred, k->read[i]);
    }
    for (regset left = w->deferred; !regset_empty(&left);)
        die(s, warp, regset_take(&left), 0);
}

INTO void rfv_issued(void *st, uint32_t warp, const struct inext *e, uint64_t t)
{
    struct rfv *s = st;
    struct rfv_warp *w = &s->warps[warp];
    const struct regions *r = note_of(s, warp)->r;
    const struct region_insn *x = &r->insns[e->k->at];
    bool flies = inext_flies(s->p, e);
    uint32_t of = r->of[e->k->at];
    if (of != REGION_NONE && r->at[of].start == e->k->at)
        for (regset left = r->at[of].invalidate; !regset_empty(&left);)
            die(s, warp, regset_take(&left), e->mask);
    lanes_move(&w->lanes, e->k->at, e->mask);
    s->issued_at = t;
    s->looked &= ~(1ull << warp);
    if (RARE(!regset_empty(&w->deferred)))
        end_deferred(s, warp, e->k);
    for (uint32_t i = 0; flies && i < e->k->nwrite; i++) {
        uint8_t reg = e->k->write[i];
        s->count[RFV_taken] += !regset_has(&w->mapped, reg);
        take(s, warp, reg);
        regset_drop(&w->deferred, reg);
    }
    for (regset left = x->dead; !flies && !regset_empty(&left);)
        die(s, warp, regset_take(&left), 0);
}

INTO uint32_t rfv_find(void *st, uint32_t f, uint32_t unit)
{
    (void)st;
    (void)f;
    (void)unit;
    return 0;
}

INTO void rfv_left(void *st, uint32_t f, uint32_t unit)
{
    struct rfv *s = st;
    const struct flight *l = &s->p->flights[f];
    const struct region_insn *x = &note_of(s, l->warp)->r->insns[l->i.k->at];
    (void)unit;
    for (uint32_t i = 0; i < l->i.k->nread; i++) {
        uint8_t reg = l->i.k->read[i];
        if (regset_has(&x->dead, reg) && !(l->i.k->def[reg / 64] >> reg % 64 & 1))
            die(s, l->warp, reg, 0);
    }
}

/* The scoreboard still has the result: it is free when the warp issues next. */
INTO void rfv_write(void *st, uint32_t f, uint32_t i, uint64_t t)
{
    struct rfv *s = st;
    const struct flight *l = &s->p->flights[f];
    const struct region_insn *x = &note_of(s, l->warp)->r->insns[l->i.k->at];
    (void)t;
    if (regset_has(&x->dead, l->i.k->write[i]))
        regset_add(&s->warps[l->warp].deferred, l->i.k->write[i]);
}

/* ---- who gets registers ---- */

/* Warps that have not ended. One that was parked after its end comes to a slot without a word, whoever was there before. */
static uint64_t present(const struct rfv *s)
{
    const struct part *p = s->p;
    uint64_t all = p->used & s->here;
    for (uint64_t m = all & p->blocked[BLOCK_DRAINED]; m; m &= m - 1)
        if (sm_warp_over(&p->warps[__builtin_ctzll(m)]))
            all &= ~(m & -m);
    return all;
}

static uint32_t oldest_cta(const struct rfv *s)
{
    const struct part *p = s->p;
    uint64_t left = present(s);
    return left ? p->warps[wsched_oldest(left, p->age)].cta : UINT32_MAX;
}

/* By bank: what these warps may yet take. */
static void add_need(const struct rfv *s, uint64_t warps, uint32_t *need)
{
    const struct part *p = s->p;
    for (uint64_t m = warps; m; m &= m - 1) {
        uint32_t i = (uint32_t)__builtin_ctzll(m);
        const struct rfv_note *n = note_of(s, i);
        for (uint32_t b = 0; b < p->banks.group; b++) {
            uint32_t at = bank_of(p, b, p->warps[i].bank0);
            need[at] += n->named[b] > s->warps[i].n[at] ? n->named[b] - s->warps[i].n[at] : 0;
        }
    }
}

/* Finds the oldest CTA anew, and what its warps may yet take. */
ASIDE static void find_oldest(struct rfv *s)
{
    const struct part *p = s->p;
    struct rfv_oldest *o = &s->oldest;
    uint64_t its = 0;
    *o = (struct rfv_oldest){
        .known = true, .used = p->used, .drained = p->blocked[BLOCK_DRAINED], .cta = oldest_cta(s)};
    for (uint64_t m = present(s); m; m &= m - 1)
        its |= p->warps[__builtin_ctzll(m)].cta == o->cta ? m & -m : 0;
    add_need(s, its, o->need);
    o->leaves_room = !s->spilled;
    for (uint32_t b = 0; b < p->banks.n; b++)
        o->leaves_room &= s->free[b] >= o->need[b] + MAX_OPERANDS;
}

/* The oldest CTA is known until a warp comes or ends, or a register is taken or given back. */
static inline const struct rfv_oldest *see_oldest(struct rfv *s)
{
    const struct rfv_oldest *o = &s->oldest;
    if (RARE(!o->known || o->used != s->p->used || o->drained != s->p->blocked[BLOCK_DRAINED]))
        find_oldest(s);
    return o;
}

/* `need`: what must be left; NULL: nothing. */
static bool has_room(const struct rfv *s, const uint16_t *more, const uint32_t *need)
{
    for (uint32_t b = 0; b < s->p->banks.n; b++)
        if (more[b] && more[b] + (need ? need[b] : 0) > s->free[b])
            return false;
    return true;
}

/* By bank: what a warp takes with its next instruction, or must have back before it. */
static void next_need(const struct rfv *s, uint32_t warp, uint16_t more[REGION_BANKS])
{
    const struct sm_warp *w = &s->p->warps[warp];
    const struct kinsn *k = w->next.k;
    memset(more, 0, sizeof(uint16_t) * REGION_BANKS);
    if (s->spilled >> warp & 1) {
        for (regset left = s->warps[warp].spilled; !regset_empty(&left);)
            more[bank_for(s, warp, regset_take(&left))]++;
        return;
    }
    for (uint32_t i = 0; i < k->nwrite; i++)
        more[bank_for(s, warp, k->write[i])] += !regset_has(&s->warps[warp].mapped, k->write[i]);
}

/* As has_room(next_need) of a warp that is not spilled, without counting every bank: most results are one register, which the
 * warp has already. */
static bool results_fit(const struct rfv *s, uint32_t warp, const uint32_t *need)
{
    const struct kinsn *k = s->p->warps[warp].next.k;
    uint16_t more[MAX_OPERANDS];
    for (uint32_t i = 0; i < k->nwrite; i++) {
        uint32_t b = bank_for(s, warp, k->write[i]), n = 0;
        bool lacks = !regset_has(&s->warps[warp].mapped, k->write[i]);
        more[i] = lacks ? (uint16_t)b : UINT16_MAX;
        for (uint32_t j = 0; lacks && j <= i; j++)
            n += more[j] == b;
        if (lacks && n + (need ? need[b] : 0) > s->free[b])
            return false;
    }
    return true;
}

static bool may_issue(const struct rfv *s, uint32_t warp, const struct rfv_oldest *oldest)
{
    const struct sm_warp *w = &s->p->warps[warp];
    const uint32_t *need = w->cta != oldest->cta ? oldest->need : NULL;
    uint16_t more[REGION_BANKS];
    if (!inext_flies(s->p, &w->next))
        return true;
    if (!(s->spilled >> warp & 1))
        return results_fit(s, warp, need);
    next_need(s, warp, more);
    return has_room(s, more, need);
}

/* Between two schedulers of a cycle another one may have taken the last. */
INTO uint64_t rfv_may(void *st, uint64_t ready, uint64_t t, uint64_t *holding)
{
    struct rfv *s = st;
    uint64_t may = 0;
    *holding = 0;
    (void)t;
    if (!collect_free_units(&s->p->collect))
        return 0;
    const struct rfv_oldest *oldest = see_oldest(s);
    if (oldest->leaves_room)
        return ready;
    for (uint64_t m = ready; m; m &= m - 1)
        if (may_issue(s, (uint32_t)__builtin_ctzll(m), oldest))
            may |= m & -m;
    return may;
}

/* Warps that could issue but for a register wait for it as for room, so that a scheduler puts others in their places. */
static void look_after_ready(struct rfv *s)
{
    struct part *p = s->p;
    const struct rfv_oldest *oldest = see_oldest(s);
    uint64_t now = p->blocked[BLOCK_NOT], before = s->denied & p->used;
    s->denied = 0;
    s->looked = now | before;
    if (oldest->leaves_room && !before)
        return;
    for (uint64_t m = now | before; m; m &= m - 1) {
        uint32_t i = (uint32_t)__builtin_ctzll(m);
        bool may = !p->warps[i].n || may_issue(s, i, oldest);
        s->denied |= may ? 0 : m & -m;
        if (may == !p->warps[i].inactive)
            continue;
        p->warps[i].inactive = may ? 0 : BLOCK_CAPACITY;
        sm_warp_refresh(p, i);
    }
}

static unsigned rfv_why(const void *st, uint64_t t)
{
    const struct rfv *s = st;
    (void)t;
    return collect_free_units(&s->p->collect) ? SS_stall_policy : 0;
}

/* ---- spilling ---- */

/* Warps that have not ended and are at no barrier. */
static uint64_t going(const struct rfv *s)
{
    const struct part *p = s->p;
    return present(s) & ~p->blocked[BLOCK_BARRIER];
}

/* Has the warp registers in a bank that lacks some? */
static bool would_help(const struct rfv *s, uint32_t warp, const uint16_t *more, const uint32_t *need)
{
    for (uint32_t b = 0; b < s->p->banks.n; b++)
        if (more[b] && more[b] + need[b] > s->free[b] && s->warps[warp].n[b])
            return true;
    return false;
}

/* Who makes room for the oldest warp that is to go on: the youngest of those at a barrier, or of the others, that has what it
 * lacks and nothing on its way. WSCHED_NONE: nobody. */
static int victim(struct rfv *s)
{
    static const uint32_t none[REGION_BANKS];
    const struct part *p = s->p;
    const struct rfv_oldest *oldest = see_oldest(s);
    uint64_t go = going(s), wants = go & (s->denied | s->spilled);
    uint16_t more[REGION_BANKS];
    int best = WSCHED_NONE;
    if (!wants)
        return best;
    uint32_t who = wsched_oldest(wants, p->age);
    next_need(s, who, more);
    const uint32_t *need = p->warps[who].cta != oldest->cta ? oldest->need : none;
    for (uint64_t m = present(s) & ~s->spilled & ~(1ull << who); m; m &= m - 1) {
        int i = __builtin_ctzll(m);
        if (p->warps[i].in_flight || !would_help(s, (uint32_t)i, more, need))
            continue;
        bool goes = go >> i & 1, best_goes = best >= 0 && go >> best & 1;
        if (best < 0 || (goes != best_goes ? best_goes : p->age[i] > p->age[best]))
            best = i;
    }
    return best;
}

static void spill(struct rfv *s, uint32_t warp)
{
    struct rfv_warp *w = &s->warps[warp];
    s->count[RFV_spills] += regset_count(&w->mapped);
    w->spilled = w->mapped;
    for (regset left = w->spilled; !regset_empty(&left);)
        give_back(s, warp, regset_take(&left));
    s->spilled |= 1ull << warp;
    s->denied &= ~(1ull << warp);
    s->p->warps[warp].inactive = BLOCK_CAPACITY;
    sm_warp_refresh(s->p, warp);
}

static void restore(struct rfv *s, uint32_t warp, uint64_t t)
{
    struct rfv_warp *w = &s->warps[warp];
    w->ready_at = t + s->p->sm->cfg->l1_cyc + regset_count(&w->spilled);
    while (!regset_empty(&w->spilled))
        take(s, warp, regset_take(&w->spilled));
    s->coming |= 1ull << warp;
    s->p->warps[warp].inactive = BLOCK_PREFETCH;
    sm_warp_refresh(s->p, warp);
}

/* The oldest of those that wait, and are at no barrier. */
static void look_after_spilled(struct rfv *s, uint64_t t)
{
    uint32_t need[REGION_BANKS] = {0};
    uint16_t more[REGION_BANKS];
    for (uint64_t m = s->coming; m; m &= m - 1) {
        uint32_t i = (uint32_t)__builtin_ctzll(m);
        if (s->warps[i].ready_at > t)
            continue;
        s->coming &= ~(m & -m);
        s->spilled &= ~(m & -m);
        s->p->warps[i].inactive = 0;
        sm_warp_refresh(s->p, i);
    }
    uint64_t go = going(s), waiting = go & s->spilled & ~s->coming, older = 0;
    if (!waiting)
        return;
    uint32_t i = (uint32_t)wsched_oldest(waiting, s->p->age);
    next_need(s, i, more);
    const struct rfv_oldest *oldest = see_oldest(s);
    bool its = s->p->warps[i].cta == oldest->cta;
    if (its) {
        /* Of its own CTA those that are before it must be able to go on with it there. */
        for (uint64_t m = go & ~s->spilled; m; m &= m - 1)
            older |= s->p->age[__builtin_ctzll(m)] < s->p->age[i] ? m & -m : 0;
        add_need(s, older, need);
    }
    if (has_room(s, more, its ? need : oldest->need))
        restore(s, i, t);
}

/* Nothing is on its way that could free a register, and nobody can go on. */
static bool starves(const struct rfv *s)
{
    const struct part *p = s->p;
    if (p->blocked[BLOCK_NOT] || s->coming || !(s->denied | s->spilled))
        return false;
    for (uint64_t m = p->used; m; m &= m - 1)
        if (p->warps[__builtin_ctzll(m)].in_flight)
            return false;
    return true;
}

/* For a long time nothing has issued. */
ASIDE static void look_after_starving(struct rfv *s, uint64_t t)
{
    if (!starves(s) || victim(s) < 0)
        return;
    spill(s, (uint32_t)victim(s));
    s->issued_at = t;
}

INTO void rfv_idle(void *st, uint64_t t)
{
    struct rfv *s = st;
    s->look = false;
    if (s->p->blocked[BLOCK_NOT] | s->denied)
        look_after_ready(s);
    if (s->spilled)
        look_after_spilled(s, t);
    if (RARE(t - s->issued_at >= s->starve_cyc))
        look_after_starving(s, t);
}

static uint64_t rfv_next(const void *st, uint64_t t)
{
    const struct rfv *s = st;
    if (s->look || s->spilled || s->p->blocked[BLOCK_NOT] & ~s->looked)
        return t + 1;
    uint64_t at = s->issued_at + s->starve_cyc;
    return !s->denied ? NEVER : at > t ? at : t + 1;
}

static uint32_t rfv_storage(const struct sm_cfg *cfg, struct storage_row rows[STORAGE_MAX])
{
    uint64_t names = 256;
    rows[0] = (struct storage_row){"registers of a plain file", -(int64_t)(cfg->registers / TR_LANES),
                                   STORAGE_REG_BITS};
    rows[1] = (struct storage_row){"physical registers", options(cfg)->regs, STORAGE_REG_BITS};
    rows[2] = (struct storage_row){"table of names", (int64_t)(cfg->partitions * cfg->warps * names),
                                   storage_bits(lines_of(cfg)) + 1};
    rows[3] = (struct storage_row){"free registers", options(cfg)->regs, 1};
    return 4;
}

STAGES(rfv, F_POLICY | F_CHOICE | F_WRITES);

const struct operands_ops operands_rfv = {
    .is = {.name = "rfv",
           .help = "a small register file whose registers are renamed, and free when their values are dead",
           .state_b = sizeof(struct rfv),
           .options = {&rfv_options},
           .stats = &rfv_stats,
           .fits = rfv_fits,
           .annotate = rfv_annotate,
           .forget = rfv_forget,
           .profile = rfv_profile,
           .file = rfv_file,
           .storage = rfv_storage},
    .init = rfv_init,
    .free = rfv_free,
    .warp_begin = rfv_begin,
    .warp_end = rfv_end,
    .may = rfv_may,
    .issued = rfv_issued,
    .find = rfv_find,
    .left = rfv_left,
    .write = rfv_write,
    .park = rfv_park,
    .idle = rfv_idle,
    .next = rfv_next,
    .why = rfv_why,
    .stages = &rfv_stages};
