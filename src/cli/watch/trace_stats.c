/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/watch/trace_stats.h"
#include "cli/progress.h"

enum { BANKS = 32, WORD_B = 4, MAX_ACCESS_B = 16, MAX_WORDS = TR_LANES * MAX_ACCESS_B / WORD_B };

const char *const trace_value_names[TV_COUNT] = {
    [TV_OTHER] = "other",     [TV_CONST] = "const", [TV_STRIDE1] = "stride1",
    [TV_STRIDE4] = "stride4", [TV_HALF1] = "half1", [TV_HALF4] = "half4",
};

const char *trace_space_name(unsigned space)
{
    static const char *const names[STAT_SPACES] = {"mixed", "global", "shared", "local", "const"};
    return space < STAT_SPACES ? names[space] : "?";
}

/* A set of numbers of one request; most requests ask for neighbours, so the last one is tried first. The others are found by
 * hash: there are more places than numbers. */
enum { FEW_PLACES = 2 * MAX_WORDS };
struct few {
    unsigned n;
    uint8_t place[FEW_PLACES]; /* 1 + where it is in `at`; 0: none */
    uint64_t at[MAX_WORDS];
};

static void few_clear(struct few *f)
{
    f->n = 0;
    memset(f->place, 0, sizeof f->place);
}

static bool few_add(struct few *f, uint64_t v)
{
    _Static_assert(MAX_WORDS < UINT8_MAX && FEW_PLACES == 1 << 8, "a hash of 8 bits, and numbers of as many");
    if (f->n && f->at[f->n - 1] == v)
        return false;
    uint32_t h = (uint32_t)(v * 0x9e3779b97f4a7c15ull >> 56);
    for (; f->place[h]; h = (h + 1) % FEW_PLACES) {
        if (f->at[f->place[h] - 1] == v)
            return false;
    }
    if (f->n < MAX_WORDS) {
        f->at[f->n++] = v;
        f->place[h] = (uint8_t)f->n;
    }
    return true;
}

/* The words of one bank are kept apart, or a row of 32 would be compared with itself. */
static unsigned bank_passes(const uint64_t *addr, uint32_t mask, unsigned width)
{
    uint64_t word[BANKS][TR_LANES];
    uint8_t n[BANKS] = {0};
    unsigned most = 0;
    for (uint32_t m = mask; m; m &= m - 1) {
        uint64_t a = addr[__builtin_ctz(m)];
        for (uint64_t w = a / WORD_B; w <= (a + width - 1) / WORD_B; w++) {
            unsigned b = (unsigned)(w % BANKS), k = 0;
            while (k < n[b] && word[b][k] != w)
                k++;
            if (k == n[b] && k < TR_LANES)
                word[b][n[b]++] = w;
            most = n[b] > most ? n[b] : most;
        }
    }
    return most;
}

/* What a request touches: how many sectors and passes, and which lines, relative to the first address's. Requests of one
 * instruction mostly repeat a shape at another place, so the last shape is kept with its answer. */
struct shape {
    struct tr_addr addr; /* base: its place within a line; list NULL */
    uint32_t mask;
    uint16_t sectors, passes;
    uint8_t known, nlines;
    int64_t lines[TR_LANES + 1];
};

/* What is known of an instruction of the code: its last accesses, and the operations of a lane, or of a warp on tensor cores. */
struct known {
    struct shape shapes[2];
    double flops;
    enum light_kind kind;
    uint32_t data; /* the first instruction from this one on whose executions have addresses or parameters */
};

static void find_flat(struct shape *s, const uint64_t *addr, uint64_t base, unsigned width)
{
    struct few sectors, lines;
    few_clear(&sectors);
    few_clear(&lines);
    for (uint32_t m = s->mask; m; m &= m - 1) {
        uint64_t a = addr[__builtin_ctz(m)];
        for (uint64_t k = a / SECTOR_B; k <= (a + width - 1) / SECTOR_B; k++) {
            if (few_add(&sectors, k))
                few_add(&lines, k / (LINE_B / SECTOR_B));
        }
    }
    s->sectors = (uint16_t)sectors.n;
    s->nlines = (uint8_t)(lines.n > TR_LANES + 1 ? TR_LANES + 1 : lines.n);
    for (unsigned k = 0; k < s->nlines; k++)
        s->lines[k] = (int64_t)(lines.at[k] - base / LINE_B);
}

/* Word w of lane l is word 32 w + l of the warp's memory, as the hardware lays it out. */
static void touch_local(struct space_stats *st, const uint64_t *addr, uint32_t mask, unsigned width,
                        bool lines)
{
    struct few sectors;
    few_clear(&sectors);
    for (uint32_t m = mask; m; m &= m - 1) {
        unsigned lane = (unsigned)__builtin_ctz(m);
        uint64_t a = addr[lane];
        for (uint64_t w = a / WORD_B; w <= (a + width - 1) / WORD_B; w++) {
            few_add(&sectors, (w * TR_LANES + lane) * WORD_B / SECTOR_B);
            if (lines)
                distinct_add(&st->lines, w);
        }
    }
    st->sectors += sectors.n;
}

static bool same_shape(const struct shape *s, const struct tr_addr *a, uint32_t mask)
{
    return s->known && a->form != TF_LIST && s->mask == mask && s->addr.form == a->form &&
           s->addr.space == a->space && s->addr.base == a->base % LINE_B && s->addr.stride == a->stride &&
           s->addr.log2 == a->log2 && s->addr.jump == a->jump;
}

static void touch_flat(struct space_stats *st, struct shape *s, const struct tr_addr *a, const uint64_t *addr,
                       uint32_t mask, unsigned width, bool lines)
{
    if (!same_shape(s, a, mask)) {
        *s = (struct shape){.addr = *a, .mask = mask, .known = 1};
        s->addr.base %= LINE_B;
        s->addr.list = NULL;
        find_flat(s, addr, a->base, width);
        if (a->space == SPACE_SHARED)
            s->passes = (uint16_t)bank_passes(addr, mask, width);
    }
    st->sectors += s->sectors;
    st->passes += s->passes;
    for (unsigned k = 0; lines && k < s->nlines; k++)
        distinct_add(&st->lines, a->base / LINE_B + (uint64_t)s->lines[k]);
}

/* Texture fetches outside the texture touch nothing; their address is 0. */
static uint32_t lanes_that_touch(const struct tr_insn *i, const uint64_t *addr, uint32_t mask)
{
    if (i->cls != TC_TEX && i->cls != TC_SURF)
        return mask;
    for (uint32_t m = mask; m; m &= m - 1) {
        if (addr[__builtin_ctz(m)] == 0)
            mask &= ~(m & -m);
    }
    return mask;
}

/* What its access has added to the sums of its space. */
static void count_insn(struct insn_stats *to, const struct space_stats *now, const struct space_stats *before,
                       unsigned space, unsigned bytes)
{
    to->requests++;
    to->bytes += bytes;
    if (space == SPACE_SHARED) {
        to->passes += now->passes - before->passes;
        to->passes_needed += (bytes + BANKS * WORD_B - 1) / (BANKS * WORD_B);
    } else {
        to->sectors += now->sectors - before->sectors;
        to->needed += (bytes + SECTOR_B - 1) / SECTOR_B;
    }
}

static void count_access(struct trace_stats *s, const struct tr_insn *i, const struct tr_step *t,
                         struct shape *shape, unsigned set)
{
    uint64_t addr[TR_LANES];
    const struct tr_addr *a = &t->addr[set];
    unsigned width = i->width_b == 0 ? 1 : i->width_b > MAX_ACCESS_B ? MAX_ACCESS_B : i->width_b;
    bool tex = i->cls == TC_TEX || i->cls == TC_SURF;
    if (tex || a->space == SPACE_LOCAL || !same_shape(shape, a, t->mask))
        tr_expand(a, t->mask, addr);
    uint32_t mask = lanes_that_touch(i, addr, t->mask);
    if (!mask)
        return;
    struct space_stats *st = &s->space[a->space < STAT_SPACES ? a->space : SPACE_CONST];
    unsigned n = (unsigned)__builtin_popcount(mask);
    bool copy = i->naddr > 1 && i->cls != TC_MBAR; /* reads the first set, writes the second */
    st->requests++;
    st->lanes += n;
    st->bytes += (uint64_t)n * width;
    if (i->mem & TM_ATOMIC)
        st->atomics++;
    else if (copy ? set == 0 : i->mem & TM_LOAD)
        st->loads++;
    else
        st->stores++;
    struct space_stats before = {.sectors = st->sectors, .passes = st->passes};
    if (a->space == SPACE_LOCAL)
        touch_local(st, addr, mask, width, !s->sums_only);
    else
        touch_flat(st, shape, a, addr, mask, width, !s->sums_only);
    if (s->insns && set == 0)
        count_insn(&s->insns[t->at], st, &before, a->space, n * width);
}

static void count_values(struct trace_stats *s, const struct tr_insn *i, const struct tr_step *t)
{
    unsigned words = 0;
    for (unsigned d = 0; d < i->ndst; d++)
        words += i->dst[d].kind == TO_REG ? i->dst[d].n : 0;
    for (unsigned w = 0; w < words && w < sizeof t->values; w++)
        s->values[t->values[w] < TV_COUNT ? t->values[w] : TV_OTHER]++;
}

/* An instruction with a lane. */
static void count_accesses(struct trace_stats *s, const struct tr_insn *i, const struct tr_step *t,
                           struct known *known)
{
    unsigned sets = i->cls == TC_MBAR && i->naddr ? 1 : i->naddr; /* its second set is no addresses */
    for (unsigned k = 0; k < sets && k < 2; k++)
        count_access(s, i, t, &known->shapes[k], k);
}

/* reached: the lanes that came along, as far as the instructions without a guard tell. */
static void count_step(struct trace_stats *s, const struct tr_insn *i, const struct tr_step *t,
                       struct known *known, uint32_t *reached)
{
    unsigned n = (unsigned)__builtin_popcount(t->mask);
    s->warp_insts++;
    s->thread_insts += n;
    s->by_class[i->cls]++;
    s->threads_by_class[i->cls] += n;
    s->by_active[n == 0 ? 0 : n <= 16 ? 1 : n < 32 ? 2 : 3]++;
    if (i->guard.kind == TO_NONE) {
        *reached = t->mask;
    } else if ((i->cls == TC_BRANCH || i->cls == TC_EXIT) && *reached) {
        s->branches++;
        s->split += t->mask && (*reached & ~t->mask);
    }
    if (!t->mask)
        return;
    s->flops[known->kind] += known->flops * (known->kind == LIGHT_TENSOR ? 1 : n);
    count_values(s, i, t);
    count_accesses(s, i, t, known);
}

static enum tr_status count_steps(struct trace_stats *s, struct tr_cta *c, uint32_t warp,
                                  const struct tr_kernel *k, struct known *known)
{
    enum tr_status st;
    struct tr_step t;
    uint32_t reached = 0;
    while ((st = tr_next(c, warp, &t)) == TR_STEP)
        count_step(s, &k->insns[t.at], &t, &known[t.at], &reached);
    return st;
}

/* A run of instructions with some lanes. Its issues are noted at its ends: the first has one more than what is before it, what is
 * behind it one fewer (add_up). */
static void note_run(struct trace_stats *s, uint32_t at, uint32_t n, uint32_t lanes)
{
    s->insns[at].issues++;
    s->insns[at].lanes += lanes;
    s->insns[at + n].issues--;
    s->insns[at + n].lanes -= lanes;
}

static void add_up(struct insn_stats *rows, uint32_t n)
{
    for (uint32_t i = 1; i <= n; i++) {
        rows[i].issues += rows[i - 1].issues;
        rows[i].lanes += rows[i - 1].lanes;
    }
}

/* By instruction (trace_stats.insns): runs of them are read, and one by one only what has addresses. */
static enum tr_status count_runs(struct trace_stats *s, struct tr_cta *c, uint32_t warp,
                                 const struct tr_kernel *k, struct known *known)
{
    enum { RUNS = 32 };
    struct tr_run runs[RUNS];
    struct tr_step t;
    for (;;) {
        uint32_t n = tr_next_runs(c, warp, RUNS, runs);
        if (!n) { /* a new piece of the stream, or its end */
            enum tr_status st = tr_next(c, warp, &t);
            if (st != TR_STEP)
                return st;
            s->warp_insts++;
            if (!t.mask)
                continue;
            note_run(s, t.at, 1, (uint32_t)__builtin_popcount(t.mask));
            count_accesses(s, &k->insns[t.at], &t, &known[t.at]);
        }
        for (uint32_t i = 0; i < n; i++) {
            struct tr_run r = runs[i];
            s->warp_insts += r.n;
            if (!r.mask)
                continue;
            note_run(s, r.at, r.n, r.lanes);
            for (uint32_t at = known[r.at].data; at < r.at + r.n; at = known[at + 1].data) {
                if (!tr_next_data(c, warp, at, r.mask, &t))
                    return TR_BAD;
                count_accesses(s, &k->insns[at], &t, &known[at]);
            }
        }
    }
}

static bool count_cta(struct trace_stats *s, struct tr_reader *r, uint32_t launch, uint32_t cta,
                      struct known *known, struct diag *d)
{
    const struct tr_launch_info *l = tr_launch(r, launch);
    const struct tr_kernel *k = tr_kernel(r, l->l.kernel);
    struct tr_cta *c = tr_open_cta(r, launch, cta, d);
    if (!c)
        return false;
    enum tr_status st = TR_END;
    if (s->insns)
        tr_drop_values(c);
    for (uint32_t w = 0; w < l->nwarps && st != TR_BAD; w++)
        st = s->insns ? count_runs(s, c, w, k, known) : count_steps(s, c, w, k, known);
    if (st == TR_BAD)
        diag_plain(d, "launch %u, CTA %u: %s", launch, cta, tr_cta_error(c));
    tr_close_cta(c);
    return st != TR_BAD;
}

static bool count_launch(struct trace_stats *s, struct tr_reader *r, uint32_t launch, struct progress *bar,
                         uint64_t total, struct diag *d)
{
    const struct tr_kernel *k = tr_kernel(r, tr_launch(r, launch)->l.kernel);
    struct known *known = xcalloc(k->n + 1u, sizeof *known);
    known[k->n].data = k->n;
    for (uint32_t i = k->n; i-- > 0;) {
        known[i].flops = light_flops(&k->insns[i], 1, &known[i].kind);
        known[i].data = k->insns[i].naddr || k->insns[i].nparam ? i : known[i + 1].data;
    }
    bool ok = true;
    uint32_t cta = 0;
    while (ok && tr_cta_from(r, launch, cta, &cta)) {
        ok = count_cta(s, r, launch, cta, known, d);
        progress_show(bar, s->warp_insts, total);
        if (cta++ == UINT32_MAX)
            break;
    }
    free(known);
    return ok;
}

bool trace_stats_get(struct trace_stats *s, struct tr_reader *r, uint32_t launch, struct diag *d)
{
    struct progress bar = {.what = "reading the trace"};
    uint64_t total = 0;
    bool ok = true;
    memset(s, 0, sizeof *s);
    for (uint32_t l = 0; l < tr_nlaunches(r); l++)
        total += launch == UINT32_MAX || launch == l ? tr_launch(r, l)->warp_insts : 0;
    for (uint32_t l = 0; ok && l < tr_nlaunches(r); l++) {
        if (launch == UINT32_MAX || launch == l)
            ok = count_launch(s, r, l, &bar, total, d);
    }
    progress_end(&bar);
    return ok;
}

bool trace_stats_insns(struct insn_stats *rows, struct tr_reader *r, uint32_t launch, struct diag *d)
{
    struct progress bar = {.what = "reading the trace"};
    struct trace_stats s = {.insns = rows, .sums_only = true};
    bool ok = count_launch(&s, r, launch, &bar, tr_launch(r, launch)->warp_insts, d);
    progress_end(&bar);
    add_up(rows, tr_kernel(r, tr_launch(r, launch)->l.kernel)->n);
    return ok;
}

void trace_stats_free(struct trace_stats *s)
{
    for (unsigned k = 0; k < STAT_SPACES; k++)
        distinct_free(&s->space[k].lines);
}
