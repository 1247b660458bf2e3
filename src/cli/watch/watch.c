/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/watch/watch.h"

enum { MOST = GPU_TENANTS + 4 }; /* a profile of each program, and the others */

struct watch_sm {
    struct sm_observer o;
    const struct sm_observer *to[MOST];
    uint32_t n;
};

struct watch {
    struct gpu_observer o;
    const struct gpu_observer *to[MOST];
    uint32_t n, sms;
    struct watch_sm *sm;
};

static void on_cycles(void *ctx, uint32_t scheduler, uint64_t from, uint64_t to, enum sm_stat cause)
{
    const struct watch_sm *s = ctx;
    for (uint32_t i = 0; i < s->n; i++)
        if (s->to[i]->cycles)
            s->to[i]->cycles(s->to[i]->ctx, scheduler, from, to, cause);
}

static void on_cta_begin(void *ctx, uint32_t slot, uint64_t at, uint32_t tenant, uint32_t launch,
                         uint32_t cta)
{
    const struct watch_sm *s = ctx;
    for (uint32_t i = 0; i < s->n; i++)
        s->to[i]->cta_begin(s->to[i]->ctx, slot, at, tenant, launch, cta);
}

static void on_cta_end(void *ctx, uint32_t slot, uint64_t at)
{
    const struct watch_sm *s = ctx;
    for (uint32_t i = 0; i < s->n; i++)
        s->to[i]->cta_end(s->to[i]->ctx, slot, at);
}

static void on_load(void *ctx, const struct sm_load *l)
{
    const struct watch_sm *s = ctx;
    for (uint32_t i = 0; i < s->n; i++)
        s->to[i]->load(s->to[i]->ctx, l);
}

static void on_warp_state(void *ctx, uint32_t part, uint32_t slot, uint64_t from, uint64_t to,
                          const char *name)
{
    const struct watch_sm *s = ctx;
    for (uint32_t i = 0; i < s->n; i++)
        if (s->to[i]->warp_state)
            s->to[i]->warp_state(s->to[i]->ctx, part, slot, from, to, name);
}

static void on_charged(void *ctx, const struct sm_charged *sum, const struct sm_place *at)
{
    const struct watch_sm *s = ctx;
    for (uint32_t i = 0; i < s->n; i++)
        if (s->to[i]->charged)
            s->to[i]->charged(s->to[i]->ctx, sum, at);
}

static void on_step(void *ctx, const struct sm_step *step)
{
    const struct watch_sm *s = ctx;
    for (uint32_t i = 0; i < s->n; i++)
        if (s->to[i]->step)
            s->to[i]->step(s->to[i]->ctx, step);
}

static const struct sm_observer *on_sm(void *ctx, uint32_t sm)
{
    struct watch *w = ctx;
    struct watch_sm *s = &w->sm[sm];
    bool steps = false;
    for (uint32_t i = 0; i < w->n; i++) {
        const struct sm_observer *o = w->to[i]->sm(w->to[i]->ctx, sm);
        if (o)
            s->to[s->n++] = o;
        steps |= o && o->step;
    }
    s->o = (struct sm_observer){.ctx = s,
                                .cycles = on_cycles,
                                .cta_begin = on_cta_begin,
                                .cta_end = on_cta_end,
                                .load = on_load,
                                .warp_state = on_warp_state,
                                .charged = on_charged,
                                .step = steps ? on_step : NULL};
    return s->n > 1 ? &s->o : s->to[0];
}

static void on_kernel(void *ctx, const struct gpu_kernel_result *k)
{
    const struct watch *w = ctx;
    for (uint32_t i = 0; i < w->n; i++)
        w->to[i]->kernel(w->to[i]->ctx, k);
}

static void on_window(void *ctx, uint64_t until)
{
    const struct watch *w = ctx;
    for (uint32_t i = 0; i < w->n; i++)
        w->to[i]->window(w->to[i]->ctx, until);
}

static void on_sample(void *ctx, const struct gpu_sample *s)
{
    const struct watch *w = ctx;
    for (uint32_t i = 0; i < w->n; i++)
        w->to[i]->sample(w->to[i]->ctx, s);
}

struct watch *watch_new(uint32_t sms)
{
    struct watch *w = xcalloc(1, sizeof *w);
    w->sm = xcalloc(sms, sizeof *w->sm);
    w->o = (struct gpu_observer){.ctx = w,
                                 .any_order = true,
                                 .sample_cyc = UINT32_MAX,
                                 .sm = on_sm,
                                 .kernel = on_kernel,
                                 .window = on_window,
                                 .sample = on_sample};
    return w;
}

void watch_add(struct watch *w, const struct gpu_observer *o)
{
    if (!o)
        return;
    w->to[w->n++] = o;
    w->o.any_order &= o->any_order;
    w->o.sample_cyc = o->sample_cyc < w->o.sample_cyc ? o->sample_cyc : w->o.sample_cyc;
}

const struct gpu_observer *watch_observer(struct watch *w) { return w->n ? &w->o : NULL; }

void watch_free(struct watch *w)
{
    if (w)
        free(w->sm);
    free(w);
}
