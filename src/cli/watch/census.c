/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/watch/census.h"

/* The launch's rows become its kernel's. */
static void fold(struct insn_stats *to, const struct insn_stats *from, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        to[i].issues += from[i].issues;
        to[i].lanes += from[i].lanes;
        to[i].requests += from[i].requests;
        to[i].bytes += from[i].bytes;
        to[i].sectors += from[i].sectors;
        to[i].needed += from[i].needed;
        to[i].passes += from[i].passes;
        to[i].passes_needed += from[i].passes_needed;
    }
}

static bool count(struct census *s, const struct gpu_conf *c, uint32_t launch, struct diag *d)
{
    uint32_t kernel = tr_launch(s->trace, launch)->l.kernel;
    const struct tr_kernel *k = tr_kernel(s->trace, kernel);
    struct insn_stats *rows = xcalloc(k->n + 1u, sizeof *rows);
    bool ok = trace_stats_insns(rows, s->trace, launch, d);
    for (uint32_t i = 0; ok && i < k->n; i++) {
        light_add(&s->launches[launch], c, &k->insns[i], rows[i].issues, rows[i].lanes);
        light_add(&s->all, c, &k->insns[i], rows[i].issues, rows[i].lanes);
    }
    fold(s->rows[kernel], rows, k->n);
    free(rows);
    return ok;
}

struct census *census_new(struct tr_reader *t, const struct gpu_conf *c, const struct gpu_result *r,
                          struct diag *d)
{
    struct census *s = xcalloc(1, sizeof *s);
    uint32_t kernels = tr_nkernels(t), launches = tr_nlaunches(t);
    s->trace = t;
    s->rows = xcalloc(kernels + 1u, sizeof *s->rows);
    s->launches = xcalloc(launches + 1u, sizeof *s->launches);
    for (uint32_t i = 0; i < kernels; i++)
        s->rows[i] = xcalloc(tr_kernel(t, i)->n + 1u, sizeof **s->rows);
    bool ok = true;
    vec_each (&r->kernels, k)
        ok = ok && count(s, c, k->launch, d);
    if (ok)
        return s;
    census_free(s);
    return NULL;
}

void census_free(struct census *s)
{
    for (uint32_t i = 0; s && i < tr_nkernels(s->trace); i++)
        free(s->rows[i]);
    if (s) {
        free(s->rows);
        free(s->launches);
    }
    free(s);
}
