/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/passes.h"

#include "gpu/state.h"

static size_t array_n(const struct gpu *g, enum sm_array a)
{
    return (size_t)sm_array_n(&g->c->sm, a) * (sm_arrays.rows[a].by_sm ? g->nsm : 1);
}

static void note_array(struct passes *p, const struct gpu *g, enum sm_array a)
{
    size_t n = array_n(g, a), row = sm_array_n(&g->c->sm, a);
    uint64_t *to = p->arrays[a] = xcalloc(n, sizeof *to), busy = 0;
    for (uint32_t i = 0; i < g->nsm; i++)
        sm_count_array(g->sms[i], a, to + (sm_arrays.rows[a].by_sm ? i * row : 0));
    if (a != SA_reads_per_cycle)
        return;
    /* Cycles without a read are only known when a run has ended: those that had none up to here. */
    for (size_t i = 1; i < n; i++)
        busy += to[i];
    to[0] = p->before.at * g->nsm - busy;
}

void passes_look(struct passes *p, struct gpu *g)
{
    uint32_t passes = g->c->gpu.passes;
    if (passes == 1 || p->before.at || g->tenants[0].pass + 1 < passes)
        return;
    tell_peek(g->c, g->sms, g->mem, &g->ledger.spans, g->until, &p->before);
    p->kernel_cycles = spans_upto(&g->ledger.spans, g->until);
    for (uint32_t i = 0; i < g->nsm; i++)
        sm_count_tenant(g->sms[i], 0, p->tenant);
    for (uint32_t a = 0; a < SA_COUNT; a++)
        note_array(p, g, (enum sm_array)a);
}

static void take_off(uint64_t *from, const uint64_t *what, size_t n)
{
    for (size_t i = 0; i < n; i++)
        from[i] -= what[i];
}

void passes_keep_last(const struct passes *p, const struct gpu *g, struct gpu_result *out)
{
    uint64_t at = p->before.at;
    uint32_t kept = 0;
    if (!at)
        return;
    out->cycles -= at;
    out->kernel_cycles -= p->kernel_cycles;
    take_off(out->sm, p->before.sm, SM_STATS);
    take_off(out->mem, p->before.mem, MS_COUNT);
    take_off(out->tenants.at[0].sm, p->tenant, SM_STATS);
    for (uint32_t a = 0; a < SA_COUNT; a++)
        take_off(out->arrays[a], p->arrays[a], array_n(g, (enum sm_array)a));
    vec_each (&out->kernels, k) {
        if (k->pass + 1 < g->c->gpu.passes)
            continue;
        struct gpu_kernel_result last = *k;
        last.start -= at;
        last.begin -= at;
        last.end -= at;
        last.last -= last.ctas ? at : 0;
        out->kernels.at[kept++] = last;
    }
    out->kernels.n = kept;
}

void passes_free(struct passes *p)
{
    for (uint32_t a = 0; a < SA_COUNT; a++)
        free(p->arrays[a]);
}
