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
};

static void shares(const struct counts *c, struct sample_blocks *to)
{
    for (uint32_t i = 0; i < SAMPLE_DIMS; i++)
        to->at[i] = c->n ? (float)((double)c->at[i] / (double)c->n) : 0;
}

/* Instructions by block of one warp, in order. */
typedef VEC(uint8_t) dims;

static bool read_warp(struct tr_cta *c, uint32_t warp, const uint8_t *dim_of, dims *to)
{
    struct tr_step s;
    enum tr_status st;
    vec_clear(to);
    while ((st = tr_next(c, warp, &s)) == TR_STEP)
        vec_push(to, dim_of[s.at]);
    return st == TR_END;
}

static bool count_cta(struct tr_cta *c, uint32_t nwarps, const uint8_t *dim_of, struct counts *all,
                      struct counts *early)
{
    dims d = {0};
    bool ok = true;
    for (uint32_t w = 0; w < nwarps && ok; w++) {
        ok = read_warp(c, w, dim_of, &d);
        for (uint32_t i = 0; i < d.n; i++) {
            all->at[d.at[i]]++;
            bool is_early = i >= d.n / (3 * SAMPLE_EARLY) && i < d.n / SAMPLE_EARLY;
            early->at[d.at[i]] += is_early;
            early->n += is_early;
        }
        all->n += d.n;
    }
    vec_free(&d);
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
        ok = c && count_cta(c, l->nwarps, dim_of, &all, &early);
        if (c && !ok)
            diag_plain(d, "%s", tr_cta_error(c));
        tr_close_cta(c);
    }
    shares(&all, &to->all);
    shares(&early, &to->early);
    return ok;
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
                                       .whole_only = l->recorded != l->nctas || may_hang(k)};
        ok = sign_blocks(t, i, dim_of[l->l.kernel], &to[i], d);
    }
    for (uint32_t i = 0; i < nk; i++)
        free(dim_of[i]);
    free(dim_of);
    return ok;
}
