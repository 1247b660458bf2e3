/* SPDX-License-Identifier: Apache-2.0 */
/* The whole program from what was measured. Every number of a result is a sum with the same weights, so that what adds up in a
 * run adds up in an estimate: causes to cycles, hits and misses to accesses, instructions to those of the program. */
#include "gpu/sample/sample.h"

#include <math.h>

/* What the line through two sizes may be off by: this part of what the start of a launch, which it takes out, would have made,
 * and this part of what was not simulated. Chosen, with the next one, so that nine in ten of an earlier set of programs lay
 * within (docs/sampling.md). */
static const double start_doubt = 0.25, rest_doubt = 0.06;
/* And a launch that was simulated without those before it, by this part of its cycles. */
static const double warm_doubt = 0.035;
static const double normal_95 = 1.96;

struct sum {
    double cycles, kernel_cycles, sm[SM_STATS], tenant[SM_STATS], mem[MS_COUNT];
    double *arrays[SA_COUNT];
};

static size_t array_n(const struct gpu_conf *c, uint32_t a)
{
    return (size_t)sm_array_n(&c->sm, (enum sm_array)a) * (sm_arrays.rows[a].by_sm ? c->gpu.sms : 1);
}

static void add(const struct gpu_conf *c, struct sum *to, const struct gpu_result *r, double weight)
{
    to->cycles += weight * (double)r->cycles;
    to->kernel_cycles += weight * (double)r->kernel_cycles;
    for (uint32_t i = 0; i < SM_STATS; i++) {
        to->sm[i] += weight * (double)r->sm[i];
        to->tenant[i] += weight * (double)r->tenants.at[0].sm[i];
    }
    for (uint32_t i = 0; i < MS_COUNT; i++)
        to->mem[i] += weight * (double)r->mem[i];
    for (uint32_t a = 0; a < SA_COUNT; a++)
        for (size_t i = 0; i < array_n(c, a); i++)
            to->arrays[a][i] += weight * (double)r->arrays[a][i];
}

/* A counter of a line through two sizes may come out below nothing. */
static uint64_t rounded(double v) { return v > 0 ? (uint64_t)(v + 0.5) : 0; }

/* How the larger and the smaller size of a launch make the whole of it: larger + k * (larger - smaller). */
static double line(const struct sample_launch *l, const struct sample_measured *m)
{
    double small = (double)m->r[0].sm[SS_warp_insts], large = (double)m->r[1].sm[SS_warp_insts];
    return large > small ? ((double)l->insts - large) / (large - small) : 0;
}

/* Kernel cycles of a picked launch, and how far they may be off. */
static double cycles_of(const struct sample_launch *l, const struct sample_pick *p,
                        const struct sample_measured *m, double *doubt)
{
    double large = (double)m->r[m->n - 1].kernel_cycles, k;
    *doubt = m->r[0].kernels.at[0].launch ? warm_doubt * large : 0;
    if (p->how == SAMPLE_JUMPS || p->how == SAMPLE_WAVES)
        *doubt += rest_doubt * large * (1 - (double)sample_insts(&m->r[0]) / (double)l->insts);
    if (m->n == 1)
        return large;
    k = line(l, m);
    double insts = (double)m->r[1].sm[SS_warp_insts],
           all = large + k * (large - (double)m->r[0].kernel_cycles);
    double plain = insts > 0 ? large * (double)l->insts / insts : all;
    *doubt += start_doubt * fabs(plain - all) + rest_doubt * fabs(all - large);
    return all;
}

/* Cycles of a stratum go with instructions: its members are nearly, not quite, equally long. */
static double weight(const struct sample_launch *l, const struct sample_plan *p,
                     const struct sample_stratum *h)
{
    uint64_t insts = 0;
    for (uint32_t i = 0; i < h->npicks; i++)
        insts += l[p->picks.at[h->first + i].launch].insts;
    return insts ? (double)h->insts / (double)insts : (double)h->n / h->npicks;
}

/* Variance of the stratum's kernel cycles: of its picks around their common cycles per instruction. What each of them may be off
 * by itself is added to `doubts`: what is wrong with one line, or with the caches of one launch, is wrong with others too. */
static double variance(const struct sample_launch *l, const struct sample_plan *p,
                       const struct sample_stratum *h, const struct sample_measured *m, double *doubts)
{
    double cycles = 0, insts = 0, square = 0, n = h->npicks, w = weight(l, p, h);
    for (uint32_t i = h->first; i < h->first + h->npicks; i++) {
        double doubt;
        cycles += cycles_of(&l[p->picks.at[i].launch], &p->picks.at[i], &m[i], &doubt);
        insts += (double)l[p->picks.at[i].launch].insts;
        *doubts += w * doubt;
    }
    for (uint32_t i = h->first; i < h->first + h->npicks && insts > 0; i++) {
        const struct sample_launch *one = &l[p->picks.at[i].launch];
        double doubt,
            off = cycles_of(one, &p->picks.at[i], &m[i], &doubt) - cycles / insts * (double)one->insts;
        square += off * off;
    }
    if (h->differ && h->npicks == 1) /* the other one of two */
        *doubts += rest_doubt * (w - 1) * cycles;
    return n > 1 ? (double)h->n * h->n * (1 - n / h->n) * square / (n - 1) / n : 0;
}

/* Every launch has cycles in proportion to those of its stratum. They follow each other. */
static void list_launches(const struct gpu_conf *c, const struct sample_launch *l, uint32_t n,
                          const struct sample_plan *p, const struct sample_measured *m,
                          struct gpu_result *out)
{
    double now = 0;
    for (uint32_t i = 0; i < n; i++) {
        const struct sample_stratum *h = &p->strata.at[p->of[i]];
        double cycles = 0, doubt, part = h->insts ? (double)l[i].insts / (double)h->insts : 1.0 / h->n;
        for (uint32_t k = h->first; k < h->first + h->npicks; k++)
            cycles += cycles_of(&l[p->picks.at[k].launch], &p->picks.at[k], &m[k], &doubt);
        cycles *= weight(l, p, h) * part;
        double begin = now + c->gpu.launch_cyc;
        vec_push(&out->kernels, (struct gpu_kernel_result){.launch = i,
                                                           .start = rounded(now),
                                                           .begin = rounded(begin),
                                                           .end = rounded(begin + cycles)});
        now = begin + cycles;
    }
}

static void fill(const struct gpu_conf *c, const struct sum *s, struct gpu_result *out)
{
    out->cycles = rounded(s->cycles);
    out->kernel_cycles = rounded(s->kernel_cycles);
    vec_push(&out->tenants, (struct gpu_tenant_result){
                                .cycles = out->cycles, .kernel_cycles = out->kernel_cycles, .passes = 1});
    for (uint32_t i = 0; i < SM_STATS; i++) {
        out->sm[i] = rounded(s->sm[i]);
        out->tenants.at[0].sm[i] = rounded(s->tenant[i]);
    }
    for (uint32_t i = 0; i < MS_COUNT; i++)
        out->mem[i] = rounded(s->mem[i]);
    for (uint32_t a = 0; a < SA_COUNT; a++) {
        out->arrays[a] = xcalloc(array_n(c, a), sizeof *out->arrays[a]);
        for (size_t i = 0; i < array_n(c, a); i++)
            out->arrays[a][i] = rounded(s->arrays[a][i]);
    }
}

/* Sizes, not events: as the last launch that was simulated left them. */
static void keep_sizes(const struct gpu_result *last, struct gpu_result *out)
{
    static const uint32_t sizes[] = {SS_split_reg_b, SS_split_shared_b, SS_split_cache_b, SS_split_threads};
    for (uint32_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        out->sm[sizes[i]] = last->sm[sizes[i]];
}

void sample_estimate(const struct gpu_conf *c, const struct sample_launch *l, uint32_t n,
                     const struct sample_plan *p, const struct sample_measured *m, struct gpu_result *out)
{
    struct sum s = {0};
    double var = 0, doubts = 0;
    for (uint32_t a = 0; a < SA_COUNT; a++)
        s.arrays[a] = xcalloc(array_n(c, a), sizeof *s.arrays[a]);
    for (uint32_t k = 0; k < p->strata.n; k++) {
        const struct sample_stratum *h = &p->strata.at[k];
        double w = weight(l, p, h);
        var += variance(l, p, h, m, &doubts);
        for (uint32_t i = h->first; i < h->first + h->npicks; i++) {
            double over = m[i].n == 2 ? line(&l[p->picks.at[i].launch], &m[i]) : 0;
            if (m[i].n == 2)
                add(c, &s, &m[i].r[0], -w * over);
            add(c, &s, &m[i].r[m[i].n - 1], w * (1 + over));
            for (uint32_t r = 0; r < m[i].n; r++) {
                out->sample[SAM_insts] += sample_insts(&m[i].r[r]);
                out->checked.operands += m[i].r[r].checked.operands;
                out->checked.lines += m[i].r[r].checked.lines;
            }
        }
    }
    out->sample[SAM_launches] = p->picks.n;
    out->sample[SAM_strata] = p->strata.n;
    out->sample[SAM_cycles_pm] = rounded(sqrt(normal_95 * normal_95 * var + doubts * doubts));
    fill(c, &s, out);
    list_launches(c, l, n, p, m, out);
    if (p->picks.n)
        keep_sizes(&m[p->picks.n - 1].r[m[p->picks.n - 1].n - 1], out);
    for (uint32_t a = 0; a < SA_COUNT; a++)
        free(s.arrays[a]);
}
