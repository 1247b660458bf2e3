/* SPDX-License-Identifier: Apache-2.0 */
/* Excerpts one after the other, and what cannot be sampled. */
#include "gpu/sample/sample.h"

/* Warp instructions for each SM that a thinned launch has at least, both sizes together. */
enum { LEAST_OF_SM = 25000 };
/* Programs of which more would be simulated are simulated whole. */
static const double most_sampled = 0.5;

static bool is_served(const struct gpu_conf *c, const struct gpu_tenant *tenants, uint32_t n,
                      const struct gpu_opts *o, struct diag *d)
{
    uint32_t before = d->errors;
    if (n != 1)
        diag_plain(d, "gpu.sample estimates one program, not %u that have the GPU together", n);
    if (c->gpu.insts || c->gpu.most_cyc)
        diag_plain(
            d,
            "gpu.sample estimates a whole program: not with gpu.insts or gpu.most_cyc, which end it early");
    if (o->watch)
        diag_plain(d, "gpu.sample estimates sums: there is no timeline, no interval and no profile of what "
                      "was not simulated");
    for (uint32_t i = 0; n == 1 && i < tr_nlaunches(tenants[0].trace) && d->errors == before; i++)
        if (tr_cluster(&tr_launch(tenants[0].trace, i)->l) > 1)
            diag_plain(d, "gpu.sample takes CTAs out of launches, and launch %u has them in clusters", i);
    for (uint32_t i = 1; n == 1 && i < tr_nlaunches(tenants[0].trace) && d->errors == before; i++) {
        const struct tr_launch *l = &tr_launch(tenants[0].trace, i)->l;
        bool after = false;
        for (uint32_t k = 0; k < l->nafter; k++)
            after |= l->after[k] == i - 1;
        if (!after)
            diag_plain(d, "gpu.sample estimates launches one by one, and launches %u and %u may run together",
                       i - 1, i);
    }
    return d->errors == before;
}

struct progress {
    const struct gpu_opts *o;
    uint64_t before, of;
};

static void tell(void *ctx, uint64_t done, uint64_t of)
{
    const struct progress *p = ctx;
    (void)of;
    p->o->progress(p->o->ctx, p->before + done, p->of);
}

static enum gpu_status measure(const struct gpu_conf *c, struct tr_reader *t, struct sample_launch *l,
                               const uint8_t *has_code, const struct sample_pick *p, const struct gpu_opts *o,
                               struct progress *far, struct sample_measured *m, struct diag *d)
{
    enum gpu_status s =
        p->how != SAMPLE_WAVES || sample_find_longest(t, p->launch, l, d) ? GPU_OK : GPU_REFUSED;
    sample_ranges ctas = {0};
    uint32_t n = p->how == SAMPLE_STREAMS ? 2 : 1;
    for (; m->n < n && s == GPU_OK; m->n++) {
        struct gpu_excerpt e = {.launch = p->launch, .share = 1, .has_code = has_code};
        struct gpu_opts mine = *o;
        if (p->how == SAMPLE_WAVES) {
            sample_waves(l, p->waves, &ctas);
            e.wave = l->wave;
        }
        if (p->how == SAMPLE_STREAMS)
            e.share = p->share[m->n];
        if (p->how == SAMPLE_JUMPS)
            e.jumps = &p->jumps;
        e.ctas = ctas.at;
        e.n = ctas.n;
        if (o->progress) {
            mine.progress = tell;
            mine.ctx = far;
        }
        s = gpu_replay(c, &(struct gpu_tenant){.trace = t, .only = &e}, 1, &mine, &m->r[m->n], d);
        far->before += sample_insts(&m->r[m->n]);
    }
    vec_free(&ctas);
    return s;
}

/* Nothing is estimated: the interval is no wider than a point. */
static enum gpu_status replay_all(const struct gpu_conf *c, const struct gpu_tenant *tenants,
                                  const struct gpu_opts *o, struct gpu_result *out, struct diag *d)
{
    enum gpu_status s = gpu_replay(c, tenants, 1, o, out, d);
    out->sample[SAM_insts] = out->sm[SS_warp_insts];
    out->sample[SAM_launches] = out->sample[SAM_strata] = tr_nlaunches(tenants[0].trace);
    return s;
}

enum gpu_status sample_run(const struct gpu_conf *c, const struct gpu_tenant *tenants, uint32_t n,
                           const struct gpu_opts *o, struct gpu_result *out, struct diag *d)
{
    memset(out, 0, sizeof *out);
    if (!is_served(c, tenants, n, o, d))
        return GPU_REFUSED;
    double t0 = gpu_seconds();
    struct tr_reader *t = tenants[0].trace;
    uint32_t nl = tr_nlaunches(t);
    struct sample_launch *l = xcalloc(nl ? nl : 1, sizeof *l);
    struct sample_plan p = {0};
    struct sample_budget b = {.share = c->gpu.sample, .least = (uint64_t)LEAST_OF_SM * c->gpu.sms};
    struct sample_measured *m = NULL;
    struct progress far = {.o = o};
    uint8_t *has_code = xcalloc(c->gpu.sms, 1);
    bool whole = false;
    enum gpu_status s = sample_sign(t, c, l, d) ? GPU_OK : GPU_REFUSED;
    if (s == GPU_OK) {
        sample_plan_make(l, nl, &b, &p);
        whole = p.share > most_sampled;
    }
    if (s == GPU_OK && !whole) {
        m = xcalloc(p.picks.n ? p.picks.n : 1, sizeof *m);
        for (uint32_t i = 0; i < nl; i++)
            far.of += l[i].insts;
        far.of = (uint64_t)(p.share * (double)far.of);
    }
    for (uint32_t i = 0; i < p.picks.n && s == GPU_OK && !whole; i++) {
        sample_code(l, p.picks.at[i].launch, c->gpu.sms, has_code);
        s = measure(c, t, &l[p.picks.at[i].launch], has_code, &p.picks.at[i], o, &far, &m[i], d);
        out->threads = m[i].r[0].threads;
        out->shared += m[i].r[0].shared;
    }
    if (s == GPU_OK && whole)
        s = replay_all(c, tenants, o, out, d);
    else if (s == GPU_OK)
        sample_estimate(c, l, nl, &p, m, out);
    for (uint32_t i = 0; m && i < p.picks.n; i++)
        for (uint32_t k = 0; k < m[i].n; k++)
            gpu_result_free(&m[i].r[k]);
    free(m);
    free(has_code);
    free(l);
    sample_plan_free(&p);
    out->seconds = gpu_seconds() - t0;
    return s;
}
