/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/tell.h"

#include <assert.h>

void split_no_warp(const struct gpu_conf *c, uint64_t at, uint64_t kernel_cycles, uint64_t sm[SS_COUNT])
{
    uint64_t schedulers = (uint64_t)c->gpu.sms * c->sm.partitions * c->sm.schedulers;
    uint64_t outside = (at - kernel_cycles) * schedulers;
    assert(outside <= sm[SS_stall_no_warp]);
    sm[SS_stall_no_warp] -= outside;
    sm[SS_stall_launch] += outside;
}

void tell_start(struct tell *t)
{
    t->sample_at = t->watch->any_order ? UINT64_MAX : t->watch->sample_cyc;
    for (uint32_t i = 0; i < t->c->gpu.sms; i++)
        sm_observe(t->sms[i], t->watch->sm(t->watch->ctx, i));
}

void tell_peek(const struct gpu_conf *c, struct sm **sms, struct memsys *mem, const struct spans *spans,
               uint64_t at, struct gpu_sample *s)
{
    s->at = at;
    for (uint32_t i = 0; i < c->gpu.sms; i++)
        sm_peek(sms[i], at, s->sm);
    split_no_warp(c, at, spans_upto(spans, at), s->sm);
    memsys_count(mem, s->mem);
}

static void sample(struct tell *t, uint64_t at)
{
    const struct gpu_observer *o = t->watch;
    struct gpu_sample s = {0};
    tell_peek(t->c, t->sms, t->mem, t->spans, at, &s);
    for (uint32_t i = 0; i < t->c->gpu.sms; i++)
        for (uint32_t k = 0; k < t->ntenants && k < GPU_TENANTS; k++)
            s.thread_insts[k] += sm_tenant_threads(t->sms[i], k);
    o->sample(o->ctx, &s);
    t->sample_at = at - at % o->sample_cyc + o->sample_cyc;
}

void tell_window(struct tell *t, uint64_t until)
{
    t->watch->window(t->watch->ctx, until);
    if (until >= t->sample_at)
        sample(t, until);
}

void tell_gap(struct tell *t, uint64_t now)
{
    while (t->sample_at <= now)
        sample(t, t->sample_at);
}

void tell_unfinished(struct tell *t, const struct launches *tenants, const struct gpu_result *r,
                     uint64_t until)
{
    vec_each (&r->kernels, k) {
        struct gpu_kernel_result cut = *k;
        const struct launch *l = &tenants[k->tenant].at[k->launch];
        if (l->state != LAUNCH_RUNS || &r->kernels.at[l->result] != k)
            continue;
        cut.begin = k->begin < until ? k->begin : until;
        cut.end = until;
        t->watch->kernel(t->watch->ctx, &cut);
    }
}
