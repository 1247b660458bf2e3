/* SPDX-License-Identifier: Apache-2.0 */
/* A run as a whole: what it consists of is built, goes through its windows, is counted and taken down. */
#include "gpu/state.h"

#include "gpu/sample/sample.h"
#include "sm/tenant/tenant.h"

#include <assert.h>
#include <time.h>

struct building {
    struct gpu *g;
    const struct gpu_opts *o;
};

static void build_sm(void *ctx, uint32_t i)
{
    struct gpu *g = ((struct building *)ctx)->g;
    const struct gpu_opts *o = ((struct building *)ctx)->o;
    g->sms[i] = sm_new(&g->c->sm, &g->timing, i, o->check);
    sm_tenants(g->sms[i], g->ntenants, o->tenant);
    if (g->planned)
        sm_plan(g->sms[i], &g->plan);
}

static void build_channel(void *ctx, uint32_t i) { memsys_add(((struct building *)ctx)->g->mem, i); }

static void free_sm(void *ctx, uint32_t i) { sm_free(((struct gpu *)ctx)->sms[i]); }

static void each(struct gpu *g, uint32_t n, void (*f)(void *ctx, uint32_t i), void *ctx)
{
    team_run(g->team, &(struct team_list){f, n, NULL}, 1, team_threads(g->team), ctx);
}

static void build(struct gpu *g, const struct gpu_opts *o)
{
    const struct gpu_conf *c = g->c;
    g->team = team_new(windows_threads(g->nsm, o->threads));
    g->mem = memsys_without(&c->mem, c->gpu.core_mhz, g->nsm);
    g->sms = xcalloc(g->nsm, sizeof *g->sms);
    each(g, memsys_nparts(g->mem), build_channel, &(struct building){g, o});
    each(g, g->nsm, build_sm, &(struct building){g, o});
    gpcs_init(&g->gpcs, &c->gpu);
    memsys_groups(g->mem, g->gpcs.of);
    windows_init(&g->windows, g->sms, g->nsm, g->mem, g->team);
    g->share_state = xcalloc(1, g->share->state_b + 1); /* it may ask for none */
    if (g->share->init)
        g->share->init(g->share_state, c, g->ntenants);
    g->seen = xcalloc(g->ntenants + 1, sizeof *g->seen);
    g->progress_at = GPU_PROGRESS_CYC;
    control_init(&g->control, &c->sm, memsys_lookahead(g->mem));
    g->tell = (struct tell){.watch = o->watch,
                            .c = c,
                            .sms = g->sms,
                            .mem = g->mem,
                            .spans = &g->ledger.spans,
                            .ntenants = g->ntenants};
    if (o->watch)
        tell_start(&g->tell);
    g->weigh = (struct weigh){.c = c, .sms = g->sms, .mem = g->mem, .spans = &g->ledger.spans, .weight = 1};
    if (g->weighs && g->tenants[0].only->wave)
        weigh_waves(&g->weigh, g->tenants[0].only->wave,
                    excerpt_ctas(g->tenants[0].only, g->tenants[0].trace));
}

/* An excerpt finds its caches as the rest of the program would leave them. */
static bool warm(struct gpu *g)
{
    bool ok = true;
    for (uint32_t i = 0; i < g->ntenants && ok; i++) {
        struct launches *q = &g->tenants[i];
        ok = launches_warm(q, g->c, g->mem, g->d);
        for (uint32_t k = 0; q->only && q->only->has_code && k < g->nsm; k++)
            if (q->only->has_code[k])
                sm_warm_code(g->sms[k], q->at[q->only->launch].kernel);
    }
    return ok;
}

static void count_arrays(struct gpu *g, uint32_t sm)
{
    for (uint32_t a = 0; a < SA_COUNT; a++) {
        uint32_t n = sm_array_n(&g->c->sm, (enum sm_array)a);
        bool by_sm = sm_arrays.rows[a].by_sm;
        uint64_t **v = &g->ledger.out->arrays[a];
        if (!*v)
            *v = xcalloc((size_t)n * (by_sm ? g->nsm : 1), sizeof **v);
        sm_count_array(g->sms[sm], (enum sm_array)a, *v + (by_sm ? (size_t)sm * n : 0));
    }
}

/* How long the last stores of a launch are on their way when it has ended. */
static uint64_t drain(struct gpu *g)
{
    uint64_t next, end = g->ledger.out->cycles;
    g->windows.ahead = false;
    memsys_end(g->mem);
    while ((next = windows_next(&g->windows)) != UINT64_MAX) {
        gpu_go_to(g, next);
        g->until = g->now + memsys_lookahead(g->mem);
        if (!windows_step(&g->windows, g->now, g->until))
            break;
    }
    return g->until > end ? g->until - end : 0;
}

static bool is_followed(const struct launches *q)
{
    return q->only && q->only->launch + 1 < tr_nlaunches(q->trace);
}

static void count(struct gpu *g, enum gpu_status status)
{
    struct gpu_result *out = g->ledger.out;
    vec_each (&out->kernels, k)
        out->cycles = k->end > out->cycles ? k->end : out->cycles;
    for (uint32_t i = 0; i < g->ntenants; i++)
        out->tenants.at[i].passes = g->tenants[i].pass;
    for (uint32_t i = 0; i < g->nsm; i++) {
        sm_count(g->sms[i], out->cycles, out->sm);
        for (uint32_t k = 0; k < g->ntenants; k++)
            sm_count_tenant(g->sms[i], k, out->tenants.at[k].sm);
        count_arrays(g, i);
        sm_count_checked(g->sms[i], &out->checked);
    }
    if (status == GPU_OK) {
        out->kernel_cycles = g->ledger.spans.cycles;
        split_no_warp(g->c, out->cycles, out->kernel_cycles, out->sm);
    }
    uint64_t raw = out->kernel_cycles;
    uint64_t behind = status == GPU_OK && g->ntenants && is_followed(&g->tenants[0]) ? drain(g) : 0;
    memsys_count(g->mem, out->mem);
    if (status == GPU_OK)
        passes_keep_last(&g->passes, g, out);
    if (status == GPU_OK && g->weighs)
        weigh_result(&g->weigh, g->tenants[0].at[g->tenants[0].only->launch].info->warp_insts, out);
    /* The next launch waits for memory behind them, beyond the time between two launches. An excerpt finds memory idle, so it
     * has at its end what the launch before it would have left. Where warps jump they were so many times more. */
    double times = g->weighs && !g->weigh.wave && raw ? (double)out->kernel_cycles / (double)raw : 1;
    behind = (uint64_t)(times * (double)behind);
    behind = behind > g->c->gpu.launch_cyc ? behind - g->c->gpu.launch_cyc : 0;
    out->cycles += behind;
    out->kernel_cycles += behind;
    if (status == GPU_OK)
        gpu_tenant_cycles(out);
    out->threads = team_threads(g->team);
    out->shared = team_shared(g->team);
}

static void tear_down(struct gpu *g)
{
    windows_free(&g->windows);
    each(g, g->nsm, free_sm, g);
    team_free(g->team);
    memsys_free(g->mem);
    control_free(&g->control);
    gpcs_free(&g->gpcs);
    if (g->share->free)
        g->share->free(g->share_state);
    free(g->share_state);
    free(g->seen);
    free(g->sms);
    passes_free(&g->passes);
}

double gpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* All that will run, for policies that divide the SMs' memory once. */
static bool plan(struct gpu *g)
{
    struct arena a = {0};
    VEC(struct onchip_use) uses = {0};
    for (uint32_t i = 0; i < g->ntenants; i++)
        for (uint32_t k = 0; k < g->tenants[i].n; k++) {
            const struct launch *l = &g->tenants[i].at[k];
            vec_push(&uses, (struct onchip_use){.need = l->need,
                                                .kernel = sm_kernel_number(l->kernel),
                                                .insts = l->info->warp_insts});
        }
    const char *why = onchip_plan(&g->c->sm, uses.at, uses.n, &g->plan, &g->planned, &a);
    if (why)
        diag_plain(g->d, "%s", why);
    vec_free(&uses);
    arena_free(&a);
    return !why;
}

/* Every tenant's launches; all are there to be freed, whatever is refused. */
static bool prepare(struct gpu *g, const struct gpu_tenant *tenants)
{
    uint32_t id = 0;
    bool ok = true;
    for (uint32_t i = 0; i < g->ntenants && ok; i++)
        ok = launches_init(&g->tenants[i], &g->ledger, i, &tenants[i], &id, g->c, g->share, &g->timing, g->d);
    return ok && plan(g);
}

static bool serves(const struct gpu_conf *c, const struct tenant_ops *t, const struct share_ops *s,
                   uint32_t n, struct diag *d)
{
    uint32_t before = d->errors;
    if (t->most && n > t->most)
        diag_plain(d, "sm.tenant = %s shares an SM among %u programs, not %u", t->is.name, t->most, n);
    if (c->gpu.passes > 1 && n > 1)
        diag_plain(d, "gpu.passes: programs that share a GPU repeat by themselves");
    if (s->by_sm && n > c->gpu.sms)
        diag_plain(d, "gpu.share = %s: %u programs need an SM each, and gpu.sms = %u", s->name, n,
                   c->gpu.sms);
    return d->errors == before;
}

/* Whoever watches a run is told of all of it. */
static bool is_watched(const struct gpu_conf *c, const struct gpu_opts *o, struct diag *d)
{
    if (c->gpu.passes == 1 || !o->watch)
        return false;
    diag_plain(d, "gpu.passes: counters are of the last pass; profiles, intervals, timelines and pipelines "
                  "are not made of one");
    return true;
}

enum gpu_status gpu_replay(const struct gpu_conf *c, const struct gpu_tenant *tenants, uint32_t n,
                           const struct gpu_opts *o, struct gpu_result *out, struct diag *d)
{
    double t0 = gpu_seconds();
    struct gpu g = {.c = c,
                    .nsm = c->gpu.sms,
                    .ntenants = n,
                    .d = d,
                    .ledger = {.out = out, .watch = o->watch, .ended = 1}};
    g.timing = (struct sm_timing){.lat = &c->lat, .ii = &c->ii, .unit = &c->unit, .count = &c->count};
    memset(out, 0, sizeof *out);
    assert(n <= MEM_TENANTS);
    g.share = o->share ? o->share : share_find(c->gpu.share);
    if (!gpu_conf_check(c, d) ||
        !serves(c, o->tenant ? o->tenant : tenant_find(c->sm.tenant), g.share, n, d) || is_watched(c, o, d))
        return GPU_REFUSED;
    enum gpu_status status = GPU_REFUSED;
    g.tenants = xcalloc(n ? n : 1, sizeof *g.tenants);
    if (prepare(&g, tenants)) {
        g.weighs = tenants[0].only && (tenants[0].only->jumps || tenants[0].only->wave);
        build(&g, o);
        for (uint32_t i = 0; i < n; i++)
            vec_push(&out->tenants, (struct gpu_tenant_result){0});
        status = warm(&g) ? gpu_loop(&g, o) : GPU_REFUSED;
        if (o->watch)
            tell_unfinished(&g.tell, g.tenants, out, g.until);
        for (uint32_t i = 0; i < n && status == GPU_OK; i++)
            launches_cut(&g.tenants[i], &g.ledger, g.until);
        count(&g, status);
        tear_down(&g);
    }
    for (uint32_t i = 0; i < n; i++)
        launches_free(&g.tenants[i]);
    free(g.tenants);
    spans_free(&g.ledger.spans);
    out->seconds = gpu_seconds() - t0;
    return status;
}

enum gpu_status gpu_corun(const struct gpu_conf *c, const struct gpu_tenant *tenants, uint32_t n,
                          const struct gpu_opts *o, struct gpu_result *out, struct diag *d)
{
    return c->gpu.sample > 0 ? sample_run(c, tenants, n, o, out, d) : gpu_replay(c, tenants, n, o, out, d);
}

enum gpu_status gpu_run(const struct gpu_conf *c, struct tr_reader *trace, const struct gpu_opts *o,
                        struct gpu_result *out, struct diag *d)
{
    return gpu_corun(c, &(struct gpu_tenant){.trace = trace}, 1, o, out, d);
}
