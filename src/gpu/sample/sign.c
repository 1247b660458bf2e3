/* SPDX-License-Identifier: Apache-2.0 */
/* Signatures of launches: what the index tells, and the basic blocks of a few CTAs spread over the grid. */
#include "gpu/sample/sample.h"

#include <math.h>

enum { SIGN_CTAS = 3, SIGN_FEW = 32 /* CTAs of a launch, up to which one is looked at */ };

/* A warp that has so many times the instructions of the average one may be what a launch waits for. */
static const double long_times = 8;

/* CTAs that together use so many times the memory that they use are taken to wait for the same data. */
static const double shared_times = 8;

double sample_distance(const struct sample_blocks *a, const struct sample_blocks *b)
{
    double sum = 0;
    for (uint32_t i = 0; i < SAMPLE_DIMS; i++)
        sum += fabs((double)a->at[i] - (double)b->at[i]);
    return sum / 2;
}

struct counts {
    uint64_t at[SAMPLE_DIMS], n;
    uint64_t insts, bars; /* barriers that warps pass */
    uint64_t between;     /* ... and instructions between them, the most of a warp */
    bool apart;           /* as in struct sample_launch */
    bool uneven; /* warps of a CTA pass different numbers of barriers, or are of very different lengths */
    uint64_t sectors;   /* that a CTA uses, of all CTAs looked at */
    uint64_t low, high; /* sectors between which they lie */
    uint64_t *used;
};

static void shares(const struct counts *c, struct sample_blocks *to)
{
    for (uint32_t i = 0; i < SAMPLE_DIMS; i++)
        to->at[i] = c->n ? (float)((double)c->at[i] / (double)c->n) : 0;
}

/* ---- how much an instruction is ---- */

enum { BANKS = 32 };

/* Words of one bank that lanes want, the most of any bank; of atomics lanes that meet in a word count one by one. */
static uint32_t shared_passes(const uint64_t *at, uint32_t mask, bool atomic)
{
    uint8_t n[BANKS] = {0};
    uint32_t most = 1;
    for (uint32_t m = mask; m; m &= m - 1) {
        uint64_t word = at[__builtin_ctz(m)] / 4;
        bool seen = false;
        for (uint32_t k = mask & ~m; k && !seen && !atomic; k &= k - 1)
            seen = at[__builtin_ctz(k)] / 4 == word;
        n[word % BANKS] += !seen;
        most = n[word % BANKS] > most ? n[word % BANKS] : most;
    }
    return most;
}

/* Sectors that a warp, or a CTA, has used, as good as a few bits tell. */
enum { WARP_LOG2 = 16, CTA_LOG2 = 20 };

static bool use(uint64_t *bits, uint32_t log2, uint64_t sector)
{
    uint64_t bit = sector * 0x9e3779b97f4a7c15ull >> (64 - log2), was = bits[bit / 64] >> bit % 64 & 1;
    bits[bit / 64] |= 1ull << bit % 64;
    return was;
}

/* Lines' worth of sectors, those of neighbouring lanes counted once; one that the warp has not used before comes from afar, and
 * counts as a line. */
static uint32_t global_passes(struct counts *c, uint64_t *used, const uint64_t *at, uint32_t mask)
{
    uint64_t last = UINT64_MAX;
    uint32_t n = 0;
    for (uint32_t m = mask; m; m &= m - 1) {
        uint64_t sector = at[__builtin_ctz(m)] / SECTOR_B;
        if (sector == last)
            continue;
        bool was = use(used, WARP_LOG2, sector);
        n += was ? 1 : LINE_SECTORS;
        if (!was && !use(c->used, CTA_LOG2, sector)) {
            c->sectors++;
            c->low = sector < c->low ? sector : c->low;
            c->high = sector > c->high ? sector : c->high;
        }
        last = sector;
    }
    return (n + LINE_SECTORS - 1) / LINE_SECTORS;
}

/* 1, or how often memory is asked for it: blocks that execute the same may take very different times. */
static uint32_t passes(struct counts *c, uint64_t *used, const struct tr_insn *i, const struct tr_step *s)
{
    uint64_t at[TR_LANES];
    if (!s->mask || !i->naddr)
        return 1;
    tr_expand(&s->addr[0], s->mask, at);
    if (s->addr[0].space == SPACE_SHARED)
        return shared_passes(at, s->mask, i->mem & TM_ATOMIC);
    return s->addr[0].space == SPACE_GLOBAL ? global_passes(c, used, at, s->mask) : 1;
}

/* ---- CTAs ---- */

/* Of one warp, in order: by instruction, its block's dimension and its passes. */
struct piece {
    uint8_t dim, passes;
    bool barrier; /* it is passed with it */
};
typedef VEC(struct piece) pieces;

/* Barriers are passed when all lanes have come that have not exited. */
static bool read_warp(struct tr_cta *c, uint32_t warp, uint32_t lanes, const struct tr_kernel *k,
                      const uint8_t *dim_of, struct counts *all, pieces *to)
{
    struct tr_step s;
    enum tr_status st;
    uint64_t used[(1u << WARP_LOG2) / 64] = {0};
    uint32_t came = 0;
    vec_clear(to);
    while ((st = tr_next(c, warp, &s)) == TR_STEP) {
        const struct tr_insn *i = &k->insns[s.at];
        lanes &= i->cls == TC_EXIT ? ~s.mask : ~0u;
        came |= i->cls == TC_BAR ? s.mask : 0;
        bool passed = came && !(lanes & ~came);
        came = passed ? 0 : came;
        vec_push(to, (struct piece){dim_of[s.at], (uint8_t)passes(all, used, i, &s), passed});
    }
    return st == TR_END;
}

/* What warps of a CTA have, the least and the most: instructions, barriers, and those in the early part. */
struct range {
    uint64_t least, most;
};

static void widen(struct range *r, uint64_t v)
{
    r->least = v < r->least ? v : r->least;
    r->most = v > r->most ? v : r->most;
}

static bool count_cta(struct tr_cta *c, const struct tr_launch_info *l, const struct tr_kernel *k,
                      const uint8_t *dim_of, struct counts *all, struct counts *early)
{
    uint32_t threads = l->l.block[0] * l->l.block[1] * l->l.block[2];
    struct range insts = {UINT64_MAX, 0}, bars = insts, soon = insts;
    pieces p = {0};
    bool ok = true;
    memset(all->used, 0, (1u << CTA_LOG2) / 8);
    for (uint32_t w = 0; w < l->nwarps && ok; w++) {
        uint32_t left = threads - w * TR_LANES;
        uint64_t nbars = 0, nsoon = 0;
        ok = read_warp(c, w, left >= TR_LANES ? ~0u : (1u << left) - 1, k, dim_of, all, &p);
        for (uint32_t i = 0; i < p.n; i++) {
            uint32_t n = p.at[i].passes, is_early = i >= p.n / (3 * SAMPLE_EARLY) && i < p.n / SAMPLE_EARLY;
            all->at[p.at[i].dim] += n;
            all->n += n;
            early->at[p.at[i].dim] += n * is_early;
            early->n += n * is_early;
            nbars += p.at[i].barrier;
            nsoon += p.at[i].barrier && i < p.n / SAMPLE_EARLY;
        }
        widen(&insts, p.n);
        widen(&bars, nbars);
        widen(&soon, nsoon);
        all->insts += p.n;
        all->bars += nbars;
        uint64_t between = nbars ? p.n / nbars : p.n;
        all->between = between > all->between ? between : all->between;
    }
    bool lengths = insts.most / 3 * 2 > insts.least;
    all->uneven |= lengths || bars.most != bars.least;
    all->apart |= l->nwarps && (lengths || soon.most - soon.least > 1 + soon.most / 8);
    vec_free(&p);
    return ok;
}

/* By instruction, its block's dimension. */
static uint8_t *dims_of(const struct tr_kernel *k)
{
    uint8_t *to = xcalloc(k->n ? k->n : 1, 1);
    for (uint32_t b = 0; b < k->nblocks; b++)
        for (uint32_t i = 0; i < k->blocks[b].n; i++)
            to[k->blocks[b].start + i] = (uint8_t)(b % SAMPLE_DIMS);
    return to;
}

static bool sign_blocks(struct tr_reader *t, uint32_t launch, const uint8_t *dim_of, uint64_t l2_b,
                        struct sample_launch *to, struct diag *d)
{
    const struct tr_launch_info *l = tr_launch(t, launch);
    uint32_t n = l->recorded <= SIGN_FEW ? 1 : SIGN_CTAS, cta;
    struct counts all = {.low = UINT64_MAX, .used = xcalloc((1u << CTA_LOG2) / 64, 8)};
    struct counts early = {0};
    uint32_t looked = 0;
    bool ok = true;
    for (uint32_t i = 0; i < n && ok; i++) {
        if (!tr_cta_from(t, launch, (uint32_t)(l->nctas * (2 * i + 1) / (2 * n)), &cta))
            break;
        struct tr_cta *c = tr_open_cta(t, launch, cta, d);
        looked++;
        ok = c && count_cta(c, l, tr_kernel(t, l->l.kernel), dim_of, &all, &early);
        if (c && !ok)
            diag_plain(d, "%s", tr_cta_error(c));
        tr_close_cta(c);
    }
    shares(&all, &to->all);
    free(all.used);
    double of_all = looked ? (double)all.sectors / looked * (double)l->nctas : 0;
    double span = all.sectors ? (double)(all.high - all.low + 1) : 0;
    to->shares = all.sectors && of_all > shared_times * span;
    to->misses |= !to->shares && of_all * SECTOR_B > (double)l2_b / 2;
    shares(&early, &to->early);
    to->apart = all.apart;
    to->per_bar = all.bars && !all.uneven ? (double)all.insts / (double)all.bars : 0;
    to->between = all.between;
    return ok;
}

static bool has_much(const struct tr_reader *t, uint32_t launch, const struct gpu_conf *c)
{
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < tr_ncopies(t) && tr_copy(t, i)->before <= launch; i++) {
        const struct tr_copy *k = tr_copy(t, i);
        bytes += k->kind == TRC_TO_DEVICE || k->kind == TRC_SET ? k->bytes : 0;
    }
    return bytes > (uint64_t)c->mem.l2_kb * 1024 / 2;
}

/* Warps might wait for ever for what others have jumped over. */
static bool may_hang(const struct tr_kernel *k)
{
    for (uint32_t i = 0; i < k->n; i++)
        if (k->insns[i].cls == TC_MBAR || k->insns[i].cls == TC_TMA || k->insns[i].cls == TC_GMMA)
            return true;
    return false;
}

static bool has_odd_barriers(const struct tr_kernel *k)
{
    for (uint32_t i = 0; i < k->n; i++)
        if (k->insns[i].cls == TC_BAR && (k->insns[i].count || k->insns[i].imm & (TB_ARRIVE | TB_CLUSTER)))
            return true;
    return false;
}

/* CTAs go to the SMs in turn, and the next launch goes on where the last one stopped. */
void sample_code(const struct sample_launch *l, uint32_t launch, uint32_t nsm, uint8_t *has)
{
    uint64_t at = 0, first = 0;
    memset(has, 0, nsm);
    for (uint32_t i = 0; i < launch; i++)
        first += l[i].ctas;
    for (uint32_t i = 0; i < launch; at += l[i++].ctas)
        for (uint64_t k = 0; l[i].kernel == l[launch].kernel && k < l[i].ctas && k < nsm; k++)
            has[(at + k + nsm - first % nsm) % nsm] = 1;
}

bool sample_find_longest(struct tr_reader *t, uint32_t launch, struct sample_launch *to, struct diag *d)
{
    const struct tr_launch_info *l = tr_launch(t, launch);
    double most = long_times * (double)l->warp_insts / ((double)l->nctas * l->nwarps);
    to->longest = UINT64_MAX;
    for (uint64_t i = 0; i < l->nctas && i < UINT32_MAX; i++) {
        uint64_t insts[TR_WARPS] = {0};
        struct tr_cta *c = tr_open_cta(t, launch, (uint32_t)i, d);
        bool counted = c && tr_count_cta(c, insts);
        tr_close_cta(c);
        if (!c)
            return false;
        for (uint32_t w = 0; w < l->nwarps && counted; w++)
            if ((double)insts[w] > most) {
                most = (double)insts[w];
                to->longest = i;
            }
    }
    return true;
}

bool sample_sign(struct tr_reader *t, const struct gpu_conf *c, struct sample_launch *to, struct diag *d)
{
    uint32_t nk = tr_nkernels(t);
    uint8_t **dim_of = xcalloc(nk ? nk : 1, sizeof *dim_of);
    bool ok = true;
    for (uint32_t i = 0; i < nk; i++)
        dim_of[i] = dims_of(tr_kernel(t, i));
    for (uint32_t i = 0; i < tr_nlaunches(t) && ok; i++) {
        const struct tr_launch_info *l = tr_launch(t, i);
        const struct tr_kernel *k = tr_kernel(t, l->l.kernel);
        to[i] = (struct sample_launch){.kernel = l->l.kernel,
                                       .threads = l->l.block[0] * l->l.block[1] * l->l.block[2],
                                       .shared_b = k->shared_b + l->l.dyn_shared_b,
                                       .nwarps = l->nwarps,
                                       .ctas = l->nctas,
                                       .insts = l->warp_insts,
                                       .wave = gpu_wave(t, i, c),
                                       .no_jumps = may_hang(k),
                                       .no_cut = may_hang(k) || has_odd_barriers(k),
                                       .misses = has_much(t, i, c),
                                       .longest = UINT64_MAX,
                                       .whole_only = l->recorded != l->nctas || tr_cluster(&l->l) > 1};
        ok = sign_blocks(t, i, dim_of[l->l.kernel], (uint64_t)c->mem.l2_kb * 1024, &to[i], d);
        to[i].per_bar = has_odd_barriers(k) ? 0 : to[i].per_bar;
    }
    for (uint32_t i = 0; i < nk; i++)
        free(dim_of[i]);
    free(dim_of);
    return ok;
}
