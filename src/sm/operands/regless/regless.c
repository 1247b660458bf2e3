/* SPDX-License-Identifier: Apache-2.0 */
/* The seam. */
#include "sm/operands/regless/regless.h"

#define STAGE_POLICY operands_regless
#include "sm/stages/tick.h"

CONF_TABLE(regless_options, "regless", regless_cfg, REGLESS_OPTIONS);
STAT_TABLE(regless_stats, "regless", REGLESS_STATS);

static const struct regless_cfg *options(const struct sm_cfg *cfg)
{
    return policy_options(cfg, &regless_options);
}

static uint32_t lines_of(const struct sm_cfg *cfg)
{
    return options(cfg)->regs / cfg->partitions / cfg->banks;
}

static const char *regless_fits(const struct sm_cfg *cfg, struct arena *a)
{
    if (cfg->warp_limit)
        return "sm.warp_limit would hold back warps that registers are staged for, and the others have no "
               "room then";
    if (options(cfg)->regs % (cfg->partitions * cfg->banks))
        return arena_printf(a, "regless.regs = %u does not divide into the %u banks of %u partitions",
                            options(cfg)->regs, cfg->banks, cfg->partitions);
    return NULL;
}

/* ---- code ---- */

/* A register's class stands where its destination does in the trace; the timing model has registers by number. */
static void find_words(const struct sm_kernel *k, struct regless_note *n)
{
    enum { WORDS = TR_DSTS * 4 };
    for (uint32_t at = 0; at < k->tr->n; at++) {
        const struct tr_insn *i = &k->tr->insns[at];
        memset(n->insns[at].word, WORDS, sizeof n->insns[at].word);
        for (uint32_t j = 0, word = 0; j < i->ndst; j++)
            for (uint32_t r = 0; i->dst[j].kind == TO_REG && r < (i->dst[j].n ? i->dst[j].n : 1u);
                 r++, word++)
                for (uint32_t w = 0; w < k->insns[at].nwrite && word < WORDS; w++)
                    if (k->insns[at].write[w] == ((i->dst[j].val + r) & 255))
                        n->insns[at].word[w] = (uint8_t)word;
    }
}

static bool writes(const struct kinsn *k, uint8_t reg) { return k->def[reg / 64] >> reg % 64 & 1; }

/* Of a register that is read and written the write is the last access. */
static void find_last(const struct sm_kernel *k, struct regless_note *n)
{
    for (uint32_t at = 0; at < k->tr->n; at++) {
        const struct kinsn *i = &k->insns[at];
        const regset *last = &n->r->insns[at].last;
        for (uint32_t j = 0; j < i->nread; j++)
            if (regset_has(last, i->read[j]) && !writes(i, i->read[j]))
                n->insns[at].last_read |= (uint16_t)(1u << j);
        for (uint32_t j = 0; j < i->nwrite; j++)
            if (regset_has(last, i->write[j]))
                n->insns[at].last_write |= (uint16_t)(1u << j);
    }
}

static void *regless_annotate(struct sm_kernel *k, const struct sm_cfg *cfg)
{
    struct regless_note *n = xcalloc(1, sizeof *n);
    struct region_limits l = {
        .banks = banks_group(cfg), .lines = lines_of(cfg), .most = options(cfg)->region};
    n->r = regions_new(k->tr, &l);
    n->dead = xcalloc(n->r->n + 1, sizeof *n->dead);
    for (uint32_t i = 0; i < k->tr->n; i++)
        if (n->r->of[i] != REGION_NONE)
            n->dead[n->r->of[i]] = regset_or(&n->dead[n->r->of[i]], &n->r->insns[i].dead);
    n->insns = xcalloc(k->tr->n + 1, sizeof *n->insns);
    find_words(k, n);
    find_last(k, n);
    if (options(cfg)->meta) {
        n->words = xcalloc(k->tr->n + 1, sizeof *n->words);
        for (uint32_t i = 0, word = 0; i < k->tr->n; i++) {
            uint32_t of = n->r->of[i];
            bool opens = of != REGION_NONE && n->r->at[of].start == i;
            n->insns[i].opens = opens ? n->r->at[of].words : 0;
            word += n->insns[i].opens;
            n->words[i] = word++;
        }
        k->words = n->words;
    }
    return n;
}

static void regless_forget(void *note)
{
    struct regless_note *n = note;
    regions_free(n->r);
    free(n->dead);
    free(n->words);
    free(n->insns);
    free(n);
}

/* Do results of the trace have classes at all? A program's first instructions leave some. */
static bool has_classes(struct tr_reader *t, struct diag *d)
{
    enum { ENOUGH = 200000 };
    uint32_t looked = 0;
    for (uint32_t l = 0; l < tr_nlaunches(t); l++) {
        const struct tr_launch_info *info = tr_launch(t, l);
        const struct tr_kernel *k = tr_kernel(t, info->l.kernel);
        for (uint32_t cta = 0; looked < ENOUGH && tr_cta_from(t, l, cta, &cta); cta++) {
            struct tr_cta *c = tr_open_cta(t, l, cta, d);
            bool found = !c; /* it was said why */
            struct tr_step s;
            for (uint32_t w = 0; !found && w < info->nwarps; w++)
                while (!found && tr_next(c, w, &s) == TR_STEP) {
                    uint32_t words = 0;
                    for (uint32_t j = 0; j < k->insns[s.at].ndst; j++)
                        words += k->insns[s.at].dst[j].kind == TO_REG ? k->insns[s.at].dst[j].n : 0;
                    for (uint32_t j = 0; s.mask && j < words && j < TR_DSTS * 4; j++)
                        found |= s.values[j] != TV_OTHER;
                    looked += words;
                }
            if (c)
                tr_close_cta(c);
            if (found)
                return true;
        }
    }
    return !looked;
}

static bool regless_profile(struct sm_kernel *k, struct tr_reader *trace, const struct sm_cfg *cfg,
                            struct diag *d)
{
    const struct regless_note *n = k->note[SEAM_OPERANDS];
    uint32_t lines = lines_of(cfg), bad = regions_too_large(n->r, lines);
    if (bad != REGION_NONE) {
        diag_plain(d,
                   "sm.operands = %s: kernel '%s', pc 0x%x (%s) needs more registers of a bank than the %u "
                   "lines that regless.regs = %u leave it",
                   cfg->operands, k->tr->name, k->tr->insns[bad].pc, k->tr->insns[bad].text, lines,
                   options(cfg)->regs);
        return false;
    }
    if (options(cfg)->comp && !has_classes(trace, d)) {
        diag_plain(d,
                   "regless.comp = true: the trace does not say which patterns registers hold (traces that "
                   "were imported do not), so there is nothing to compress; regless.comp=false does without");
        return false;
    }
    return true;
}

/* ---- life ---- */

static void regless_init(void *st, struct part *p)
{
    struct regless *s = st;
    s->p = p;
    s->cfg = options(p->sm->cfg);
    s->count = p->sm->stats + policy_stats_at(&operands_regless.is);
    s->nlines = lines_of(p->sm->cfg);
    s->warps = xcalloc(p->sm->cfg->warps, sizeof *s->warps);
    s->free_read = UINT32_MAX;
    s->due_next = NEVER;
    osu_init(s);
    comp_init(s);
}

static void regless_free(void *st)
{
    struct regless *s = st;
    osu_free(s);
    comp_free(s);
    below_free(s);
    vec_free(&s->values);
    free(s->warps);
}

/* One that comes back has been saved by whoever parked it: its registers are below. */
static void regless_begin(void *st, uint32_t warp, bool again)
{
    struct regless *s = st;
    cm_begin(s, warp);
    for (uint32_t r = 0; r < 256; r++) {
        s->stored[warp][r] = again ? RL_PLAIN : RL_ABSENT;
        if (!s->saved)
            continue;
        struct check *c = s->p->check;
        s->saved[warp][r] = (struct rl_value){c->regs[warp][r].bank, c->regs[warp][r].lanes};
        c->regs[warp][r].bank = CHECK_GONE;
        c->regs[warp][r].lanes = 0;
    }
}

static void regless_end(void *st, uint32_t warp) { cm_end(st, warp); }

/* It may stay after all: then everything is brought again. */
static void regless_park(void *st, uint32_t warp)
{
    struct regless *s = st;
    struct lanes lanes = s->warps[warp].lanes;
    for (uint32_t r = 0; s->saved && r < 256; r++) {
        struct check *c = s->p->check;
        if (!osu_line(s, warp, r) || osu_line(s, warp, r)->coming) {
            c->regs[warp][r].bank = s->saved[warp][r].version;
            c->regs[warp][r].lanes = s->saved[warp][r].lanes;
        }
        s->saved[warp][r] = (struct rl_value){c->regs[warp][r].bank, c->regs[warp][r].lanes};
    }
    cm_end(s, warp);
    cm_begin(s, warp);
    memset(s->stored[warp], RL_PLAIN, sizeof s->stored[warp]);
    s->warps[warp].lanes = lanes;
    sm_warp_refresh(s->p, warp);
}

/* ---- instructions ---- */

static void regless_fetched(void *st, uint32_t warp, uint32_t at, const struct tr_step *step)
{
    struct regless *s = st;
    const struct rl_insn *x = &rl_note(s, warp)->insns[step->at];
    uint64_t values = 0;
    s->count[RL_meta_insts] += x->opens;
    /* It may be all that the warp has: nothing else would wake the partition. */
    s->again |= s->poll >> warp & 1;
    for (uint32_t i = 0, n = step->mask ? s->p->warps[warp].insns[step->at].nwrite : 0; i < n; i++)
        if (x->word[i] < TR_DSTS * 4)
            values |= (uint64_t)step->values[x->word[i]] << 4 * i;
    s->warps[warp].values[at] = values;
}

INTO uint64_t regless_may(void *st, uint64_t ready, uint64_t t, uint64_t *holding)
{
    struct regless *s = st;
    uint64_t may = ready & osu_have_room(s);
    uint32_t full = UINT32_MAX;
    (void)t;
    *holding = 0;
    if (!collect_free_units(&s->p->collect))
        return 0;
    for (uint64_t m = ready & ~may; m; m &= m - 1) {
        uint32_t warp = (uint32_t)__builtin_ctzll(m);
        const struct inext *e = &s->p->warps[warp].next;
        if (!inext_flies(s->p, e) || osu_room(s, warp, e, &full))
            may |= m & -m;
    }
    if (!may && full != UINT32_MAX && osu_make_room(s, full))
        s->again = true; /* there is room in the next cycle */
    return may;
}

/* Some lanes of a register are about to be written, and others want theirs, which are not here. */
INTO bool regless_prepare(void *st, uint32_t warp, uint64_t t)
{
    struct regless *s = st;
    const struct sm_warp *w = &s->p->warps[warp];
    const struct inext *e = &w->next;
    struct rl_warp *x = &s->warps[warp];
    uint32_t full;
    bool brought = false;
    if (!inext_flies(s->p, e) || sm_warp_is_whole(s->p, warp, e->mask))
        return true;
    for (uint32_t i = 0; i < e->k->nwrite; i++) {
        uint8_t reg = e->k->write[i];
        if (osu_line(s, warp, reg) || !rl_wanted(s, warp, reg, e->mask))
            continue;
        if (s->stored[warp][reg] == RL_ABSENT && !osu_is_leaving(s, warp, reg))
            continue;
        x->left++;
        if (!osu_bring(s, warp, reg, false, t)) {
            x->left--;
            return false;
        }
        s->count[RL_demand]++;
        brought = true;
    }
    if (!x->left)
        return !brought || osu_room(s, warp, e, &full);
    cm_wait_for(s, warp, t);
    return false;
}

static void regless_issued(void *st, uint32_t warp, const struct inext *e, uint64_t t)
{
    cm_issued(st, warp, e, t);
}

INTO uint32_t regless_find(void *st, uint32_t f, uint32_t unit)
{
    struct regless *s = st;
    const struct rl_warp *w = &s->warps[s->p->flights[f].warp];
    (void)unit;
    if (s->values.n < 2 * s->p->nflights)
        vec_resize(&s->values, 2 * s->p->nflights);
    s->values.at[2 * f] = (uint32_t)w->now;
    s->values.at[2 * f + 1] = (uint32_t)(w->now >> 32);
    return 0;
}

static void regless_left(void *st, uint32_t f, uint32_t unit)
{
    struct regless *s = st;
    const struct flight *l = &s->p->flights[f];
    const struct regless_note *n = rl_note(s, l->warp);
    (void)unit;
    for (uint32_t m = n->insns[l->i.k->at].last_read; m; m &= m - 1) {
        uint8_t reg = l->i.k->read[__builtin_ctz(m)];
        osu_release(s, l->warp, reg, regset_has(&n->r->insns[l->i.k->at].dead, reg));
    }
}

static void regless_write(void *st, uint32_t f, uint32_t i, uint64_t t)
{
    struct regless *s = st;
    const struct flight *l = &s->p->flights[f];
    const struct regless_note *n = rl_note(s, l->warp);
    uint8_t reg = l->i.k->write[i];
    struct rl_line *line = osu_line(s, l->warp, reg);
    (void)t;
    if (!line || line->list != RL_PINNED) {
        rl_fail(s, l->warp, reg, "was written and had no line");
        return;
    }
    line->dirty = true;
    line->cls = s->values.at[2 * f + i / 8] >> 4 * (i % 8) & 15;
    if (n->insns[l->i.k->at].last_write >> i & 1)
        osu_release(s, l->warp, reg, regset_has(&n->r->insns[l->i.k->at].dead, reg));
}

/* ---- time ---- */

static void regless_idle(void *st, uint64_t t)
{
    struct regless *s = st;
    if (s->due_next <= t)
        below_tick(s, t);
    if (s->lookups)
        osu_serve(s, t);
    if (s->nout || s->queries.n)
        comp_tick(s, t);
    cm_tick(s, t);
    if (s->saved)
        osu_check(s);
}

static uint64_t regless_next(const void *st, uint64_t t)
{
    const struct regless *s = st;
    if (s->lookups || s->again || (s->look && s->nstack) || s->starting || !comp_idle(s))
        return t + 1;
    return s->due_next;
}

/* With units free, nobody but the policy can have kept a ready warp back. */
static unsigned regless_why(const void *st, uint64_t t)
{
    const struct regless *s = st;
    (void)t;
    return collect_free_units(&s->p->collect) ? SS_stall_policy : 0;
}

/* ---- storage ---- */

/* Section 4.5: lines with tags of warp and register and a dirty bit; three lists, linked; a queue of lookups as long as the
 * lines; counters and a stack of warps; the compressor's lines, each with the patterns of its 15 registers in it, and a bit for
 * every register that a warp can have (4.5.3). What leaves a bank for L1 is not stored elsewhere. */
enum { STAGED_ROW = 1 };

static uint32_t regless_storage(const struct sm_cfg *cfg, struct storage_row rows[STORAGE_MAX])
{
    const struct regless_cfg *o = options(cfg);
    uint64_t warps = cfg->warps, names = 256, kinds = 3;
    int64_t lines = o->regs, slots = (int64_t)(cfg->partitions * warps);
    uint32_t n = 0;
    uint64_t tag = storage_bits(warps) + storage_bits(names) + 1, link = storage_bits(lines_of(cfg));
    rows[n++] = (struct storage_row){"registers of a plain file", -(int64_t)(cfg->registers / TR_LANES),
                                     STORAGE_REG_BITS};
    rows[STAGED_ROW] = (struct storage_row){"staged registers", lines, STORAGE_REG_BITS};
    n++;
    rows[n++] =
        (struct storage_row){"tags, lists and lookups", lines, 2 * tag + link + storage_bits(kinds + 1)};
    rows[n++] = (struct storage_row){"states, stack and reservations", slots,
                                     2 + storage_bits(warps) + cfg->banks * storage_bits(lines_of(cfg) + 1)};
    if (o->comp) {
        rows[n++] = (struct storage_row){"compressed lines", (int64_t)(cfg->partitions * o->comp_lines),
                                         STORAGE_REG_BITS + storage_bits(warps * names / 15 + 1) + 1};
        rows[n++] = (struct storage_row){"which registers are compressed", slots * (int64_t)names, 1};
    }
    return n;
}

/* Everything of the above but the staged registers themselves is flip-flops. */
static double regless_latches(const struct sm_cfg *cfg)
{
    struct storage_row rows[STORAGE_MAX];
    double bits = 0;
    for (uint32_t n = regless_storage(cfg, rows), i = STAGED_ROW + 1; i < n; i++)
        bits += (double)rows[i].n * (double)rows[i].bits;
    return bits;
}

/* An access compares the tags of its bank's lines; preloaded registers are written to the banks and dirty ones read from them; a
 * register that passes the compressor is matched, which is taken to cost what latching it does, and so is one that it keeps. */
static double regless_price(const struct sm_cfg *cfg, const uint64_t *n, const struct price *p)
{
    const uint64_t *own = n + policy_stats_at(&operands_regless.is);
    double tag = (double)(storage_bits(cfg->warps) + storage_bits(256));
    double accesses = (double)(n[SS_reg_reads] + n[SS_reg_writes] + own[RL_preloads]);
    double brought = (double)(own[RL_from_comp] + own[RL_from_l1] + own[RL_from_below]);
    double out = (double)own[RL_evicted_dirty];
    *p->tags += accesses * lines_of(cfg) * tag * p->compare_pj;
    if (options(cfg)->comp)
        *p->compressor += (out + (double)(own[RL_compressed] + own[RL_from_comp])) * p->latch_pj;
    *p->instruction += (double)own[RL_meta_insts] * p->fetch_pj;
    return brought * p->bank_write_pj + out * p->bank_read_pj;
}

static uint32_t regless_file(const struct sm_cfg *cfg) { return options(cfg)->regs; }

STAGES(regless, F_POLICY | F_CHOICE | F_WRITES);

const struct operands_ops operands_regless = {
    .is = {.name = "regless",
           .help = "a staging unit for the registers of code regions; cold registers live in L1",
           .state_b = sizeof(struct regless),
           .options = {&regless_options},
           .stats = &regless_stats,
           .fits = regless_fits,
           .annotate = regless_annotate,
           .forget = regless_forget,
           .profile = regless_profile,
           .file = regless_file,
           .storage = regless_storage,
           .price = regless_price,
           .latches = regless_latches},
    .shared_b = 64,
    .init = regless_init,
    .free = regless_free,
    .attach = below_attach,
    .warp_begin = regless_begin,
    .warp_end = regless_end,
    .fetched = regless_fetched,
    .may = regless_may,
    .stays = true,
    .prepare = regless_prepare,
    .issued = regless_issued,
    .find = regless_find,
    .left = regless_left,
    .write = regless_write,
    .park = regless_park,
    .idle = regless_idle,
    .next = regless_next,
    .why = regless_why,
    .stages = &regless_stages};
