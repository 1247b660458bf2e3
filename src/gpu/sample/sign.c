/* Signatures of launches: what the index tells, and the basic blocks of a few CTAs spread over the grid. */
#include "gpu/sample/sample.h"

#include <math.h>

enum { SIGN_CTAS = 3, SIGN_FEW = 32 /* CTAs of a launch, up to which one is looked at */ };

double sample_distance(const struct sample_blocks *a, const struct sample_blocks *b)
{
    double sum = 0;
    for (uint32_t i = 0; i < SAMPLE_DIMS; i++)
        sum += fabs((double)a->at[i] - (double)b->at[i]);
    return sum / 2;
}

struct counts {
    uint64_t at[SAMPLE_DIMS], n;
    bool apart; /* warps of a CTA have very different lengths, or barriers at different shares of them */
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

/* Sectors that a warp has used, as good as a few bits tell. */
struct used {
    uint64_t bits[1024];
};

/* Lines' worth of sectors, those of neighbouring lanes counted once; one that the warp has not used before comes from afar, and
 * counts as a line. */
static uint32_t global_passes(struct used *u, const uint64_t *at, uint32_t mask)
{
    uint64_t last = UINT64_MAX;
    uint32_t n = 0;
    for (uint32_t m = mask; m; m &= m - 1) {
        uint64_t sector = at[__builtin_ctz(m)] / SECTOR_B, bit = sector * 0x9e3779b97f4a7c15ull >> 48;
        if (sector == last)
            continue;
        n += u->bits[bit / 64] >> bit % 64 & 1 ? 1 : LINE_SECTORS;
        u->bits[bit / 64] |= 1ull << bit % 64;
        last = sector;
    }
    return (n + LINE_SECTORS - 1) / LINE_SECTORS;
}

/* 1, or how often memory is asked for it: blocks that execute the same may take very different times. */
static uint32_t passes(struct used *u, const struct tr_insn *i, const struct tr_step *s)
{
    uint64_t at[TR_LANES];
    if (!s->mask || !i->naddr)
        return 1;
    tr_expand(&s->addr[0], s->mask, at);
    if (s->addr[0].space == SPACE_SHARED)
        return shared_passes(at, s->mask, i->mem & TM_ATOMIC);
    return s->addr[0].space == SPACE_GLOBAL ? global_passes(u, at, s->mask) : 1;
}

/* ---- CTAs ---- */

/* Of one warp, in order: by instruction, its block's dimension and its passes. */
struct piece {
    uint8_t dim, passes;
    bool barrier;
};
typedef VEC(struct piece) pieces;

static bool read_warp(struct tr_cta *c, uint32_t warp, const struct tr_kernel *k, const uint8_t *dim_of,
                      pieces *to)
{
    struct tr_step s;
    enum tr_status st;
    struct used u = {0};
    vec_clear(to);
    while ((st = tr_next(c, warp, &s)) == TR_STEP)
        vec_push(to, (struct piece){dim_of[s.at], (uint8_t)passes(&u, &k->insns[s.at], &s),
                                    k->insns[s.at].cls == TC_BAR});
    return st == TR_END;
}

static bool count_cta(struct tr_cta *c, uint32_t nwarps, const struct tr_kernel *k, const uint8_t *dim_of,
                      struct counts *all, struct counts *early)
{
    pieces p = {0};
    bool ok = true;
    uint32_t fewest = UINT32_MAX, most = 0; /* barriers of a warp by then */
    uint32_t shortest = UINT32_MAX, longest = 0;
    for (uint32_t w = 0; w < nwarps && ok; w++) {
        uint32_t barriers = 0;
        ok = read_warp(c, w, k, dim_of, &p);
        for (uint32_t i = 0; i < p.n; i++) {
            uint32_t n = p.at[i].passes, is_early = i >= p.n / (3 * SAMPLE_EARLY) && i < p.n / SAMPLE_EARLY;
            all->at[p.at[i].dim] += n;
            all->n += n;
            early->at[p.at[i].dim] += n * is_early;
            early->n += n * is_early;
            barriers += p.at[i].barrier && i < p.n / SAMPLE_EARLY;
        }
        fewest = barriers < fewest ? barriers : fewest;
        most = barriers > most ? barriers : most;
        shortest = p.n < shortest ? p.n : shortest;
        longest = p.n > longest ? p.n : longest;
    }
    early->apart |= nwarps && (most - fewest > 1 + most / 8 || longest / 3 * 2 > shortest);
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

static bool sign_blocks(struct tr_reader *t, uint32_t launch, const uint8_t *dim_of, struct sample_launch *to,
                        struct diag *d)
{
    const struct tr_launch_info *l = tr_launch(t, launch);
    uint32_t n = l->recorded <= SIGN_FEW ? 1 : SIGN_CTAS, cta;
    struct counts all = {0}, early = {0};
    bool ok = true;
    for (uint32_t i = 0; i < n && ok; i++) {
        if (!tr_cta_from(t, launch, (uint32_t)(l->nctas * (2 * i + 1) / (2 * n)), &cta))
            break;
        struct tr_cta *c = tr_open_cta(t, launch, cta, d);
        ok = c && count_cta(c, l->nwarps, tr_kernel(t, l->l.kernel), dim_of, &all, &early);
        if (c && !ok)
            diag_plain(d, "%s", tr_cta_error(c));
        tr_close_cta(c);
    }
    shares(&all, &to->all);
    shares(&early, &to->early);
    to->apart = early.apart;
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

/* CTAs of which some warps may wait for what others, which were thinned, never do. */
static bool may_hang(const struct tr_kernel *k)
{
    for (uint32_t i = 0; i < k->n; i++)
        if (k->insns[i].cls == TC_MBAR || k->insns[i].cls == TC_TMA || k->insns[i].cls == TC_GMMA ||
            (k->insns[i].cls == TC_BAR && (k->insns[i].count || k->insns[i].imm & (TB_ARRIVE | TB_CLUSTER))))
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
                                       .misses = has_much(t, i, c),
                                       .whole_only =
                                           l->recorded != l->nctas || tr_cluster(&l->l) > 1 || may_hang(k)};
        ok = sign_blocks(t, i, dim_of[l->l.kernel], &to[i], d);
    }
    for (uint32_t i = 0; i < nk; i++)
        free(dim_of[i]);
    free(dim_of);
    return ok;
}
