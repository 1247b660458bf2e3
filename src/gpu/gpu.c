/* A run: windows, what SMs and memory exchange between them, deadlocks, the result. */
#include "gpu/gpu.h"

#include "gpu/cluster.h"
#include "gpu/control.h"
#include "gpu/launch.h"
#include "gpu/sample/sample.h"
#include "gpu/share/share.h"
#include "gpu/tell.h"
#include "gpu/weigh.h"
#include "gpu/windows.h"
#include "sm/onchip/onchip.h"
#include "sm/tenant/tenant.h"

#include <assert.h>
#include <time.h>

struct gpu {
    const struct gpu_conf *c;
    struct sm_timing timing;
    struct sm **sms;
    uint32_t nsm;
    struct memsys *mem;
    struct team *team;
    struct windows windows;
    struct launches *tenants;
    uint32_t ntenants;
    struct ledger ledger;
    struct gpcs gpcs;
    const struct share_ops *share;
    void *share_state;
    struct share_tenant *seen; /* by tenant, for its turn */
    uint64_t now, until;
    uint64_t progress_at; /* cycle of the next note of how far the tenants are */
    bool
        room; /* another CTA may find a place: one has ended in this window, or as many as may have started */
    uint64_t insts, issued_at; /* warp instructions issued; the last window in which one was */
    struct diag *d;
    struct tell tell;
    struct control control;
    bool planned; /* how the SMs' memory is divided for the whole run */
    struct onchip_split plan;
    bool ahead;  /* SMs may run ahead of their window: nobody looks at them, or changes them, in between */
    bool weighs; /* what it does stands for more than itself */
    struct weigh weigh;
};

/* ---- CTAs ---- */

static struct sm_source source_of(const struct launches *q)
{
    return (struct sm_source){
        .trace = q->trace, .share = q->only ? q->only->share : 1, .jumps = q->only ? q->only->jumps : NULL};
}

/* SMs for the next CTA of a launch, or for those of its next cluster. */
static bool find_places(struct gpu *g, const struct launches *q, const struct launch *l, uint32_t *to)
{
    if (l->cluster > 1)
        return cluster_place(&g->gpcs, &l->need, l->cluster, g->sms, g->nsm, to);
    *to = g->share->place(g->share_state, q->tenant, &l->need, g->sms, g->nsm);
    return *to != SHARE_NOWHERE;
}

/* CTAs of the one launch that runs, by threads that share the SMs: as many as have room, as below. */
static void dispatch_known(struct gpu *g, struct launches *q, uint32_t launch, uint32_t *n, uint32_t most)
{
    const struct launch *l = &q->at[launch];
    windows_need(&g->windows, &l->need);
    for (uint32_t to; *n < most && launch_has_cta(q, launch) &&
                      (to = g->share->place_known(g->share_state, g->windows.room, g->nsm)) != SHARE_NOWHERE;
         ++*n) {
        uint64_t at = g->now + (uint64_t)(*n / g->c->gpu.dispatch);
        windows_start(&g->windows, to,
                      &(struct cta_start){.at = at,
                                          .kernel = l->kernel,
                                          .need = &l->need,
                                          .launch = launch,
                                          .cta = launch_take_cta(q, launch, 0, &g->ledger, at),
                                          .from = source_of(q)});
    }
}

/* CTAs of one launch, as many as have room; *n: started in this window so far, of at most `most`. Those of a cluster appear in
 * the same cycle. */
static void dispatch_launch(struct gpu *g, struct launches *q, uint32_t launch, uint32_t *n, uint32_t most)
{
    struct launch *l = &q->at[launch];
    uint32_t to[TR_CLUSTER_MAX], size = l->cluster;
    const struct sm_source from = source_of(q);
    if (!g->windows.alone && g->share->place_known && g->ledger.running == 1 && size == 1 &&
        !g->windows.clusters) {
        dispatch_known(g, q, launch, n, most);
        return;
    }
    windows_need(&g->windows, NULL);
    while (*n < most && launch_has_cta(q, launch) && find_places(g, q, l, to)) {
        uint64_t at = g->now + (uint64_t)(*n / g->c->gpu.dispatch);
        struct far_cta all[TR_CLUSTER_MAX];
        for (uint32_t r = 0; r < size; r++, ++*n) {
            struct sm *s = g->sms[to[r]];
            uint32_t cta = launch_take_cta(q, launch, r, &g->ledger, at);
            uint32_t slot = sm_start_cta(s, g->now, at, l->kernel, &l->need, launch, cta, &from);
            all[r] = sm_far_cta(s, slot);
            windows_look(&g->windows, to[r]);
        }
        for (uint32_t r = 0; r < size && size > 1; r++)
            sm_far_join(g->sms[to[r]], r, all, size);
        g->windows.clusters |= size > 1;
    }
}

/* CTAs of the launches of one priority, the first launch first. */
static void dispatch_equals(struct gpu *g, struct launches *q, uint32_t priority, uint32_t *n, uint32_t most)
{
    for (uint32_t i = q->first; i < q->upto; i++) {
        struct launch *l = &q->at[i];
        if (l->state != LAUNCH_RUNS || l->ready > g->now || tr_priority(&l->info->l) != priority)
            continue;
        /* Not at its start: the last stores of the launch before it are on their way then. */
        if (l->flush)
            memsys_flush(g->mem);
        l->flush = false;
        dispatch_launch(g, q, i, n, most);
    }
}

/* Streams of higher priority before others. What is on an SM stays there. */
static void dispatch(struct gpu *g, struct launches *q, uint32_t *n, uint32_t most)
{
    for (uint32_t left = q->priorities; left;) {
        uint32_t top = 31u - (uint32_t)__builtin_clz(left);
        dispatch_equals(g, q, top, n, most);
        left &= ~(1u << top);
    }
}

/* CTAs that are parked, and those that come back. */
static void move_ctas(struct gpu *g)
{
    if (!g->share->turn)
        return;
    for (uint32_t i = 0; i < g->ntenants; i++)
        launches_view(&g->tenants[i], &g->seen[i]);
    g->share->turn(g->share_state,
                   &(struct share_view){
                       .now = g->now, .sms = g->sms, .nsm = g->nsm, .tenants = g->seen, .n = g->ntenants});
    for (uint32_t i = 0; i < g->nsm; i++)
        sm_settle(g->sms[i], g->now);
    windows_look_all(&g->windows);
}

/* Launches have their turns, CTAs start. */
static void start(struct gpu *g)
{
    double most_of = g->c->gpu.dispatch * (double)(g->until - g->now);
    uint32_t n = 0, most = most_of < 1 ? 1 : (uint32_t)most_of;
    for (uint32_t i = 0; i < g->ntenants; i++)
        launches_start(&g->tenants[i], &g->ledger, &g->c->gpu, g->mem, g->now);
    move_ctas(g);
    for (uint32_t i = 0; i < g->ntenants; i++)
        dispatch(g, &g->tenants[i], &n, most);
    g->room = n == most;
}

static void collect_done(struct gpu *g)
{
    for (uint32_t i = 0; i < g->nsm; i++) {
        if (!g->windows.seen[i].ended)
            continue;
        g->windows.seen[i].ended = false;
        g->room = true;
        vec_each (sm_finished(g->sms[i]), e)
            launch_cta_ended(&g->tenants[e->tenant], e->launch, &g->ledger, e->at);
        vec_clear(sm_finished(g->sms[i]));
        windows_heard(&g->windows, i);
    }
}

/* ---- windows ---- */

static bool ctas_wait(const struct gpu *g)
{
    for (uint32_t i = 0; i < g->ntenants; i++)
        if (launches_wait(&g->tenants[i]))
            return true;
    return false;
}

static void read_ahead(void *trace) { tr_read_ahead(trace); }

static bool window(struct gpu *g)
{
    g->until = g->now + memsys_lookahead(g->mem);
    start(g);
    for (uint32_t i = 0; i < g->ntenants; i++)
        if (tr_wants_ahead(g->tenants[i].trace))
            team_offer(g->team, read_ahead, g->tenants[i].trace);
    /* Of the one launch that runs no CTA can start before another has ended. */
    g->windows.ahead =
        g->ahead && g->ledger.running == 1 && !g->windows.clusters && !(g->room && ctas_wait(g));
    if (!windows_step(&g->windows, g->now, g->until)) {
        for (uint32_t i = 0; i < g->nsm; i++)
            if (sm_error(g->sms[i])[0]) {
                diag_plain(g->d, "SM %u: %s", i, sm_error(g->sms[i]));
                return false;
            }
    }
    collect_done(g);
    spans_settle(&g->ledger.spans, g->until);
    if (g->weighs)
        weigh_window(&g->weigh, g->until);
    return true;
}

/* The next cycle at which anything happens; windows in which nothing does are skipped. */
static uint64_t next_cycle(struct gpu *g)
{
    if (g->room && ctas_wait(g))
        return g->until; /* however long the others sleep */
    uint64_t t = windows_next(&g->windows);
    for (uint32_t i = 0; i < g->ntenants; i++) {
        uint64_t u = launches_next(&g->tenants[i], &g->ledger, g->now, g->until);
        t = u < t ? u : t;
    }
    return t;
}

/* To the window of that cycle, if it lies ahead. Windows lie on a fixed grid, so that skipping idle ones changes nothing. */
static void go_to(struct gpu *g, uint64_t next)
{
    next -= next % memsys_lookahead(g->mem);
    g->now = next > g->until ? next : g->until;
}

static enum gpu_status deadlock(struct gpu *g, const char *why)
{
    enum { ROWS = 8 };
    diag_plain(g->d, "deadlock at cycle %llu: %s", (unsigned long long)g->now, why);
    uint32_t shown = 0, busy = 0;
    for (uint32_t i = 0; i < g->nsm; i++) {
        if (sm_idle(g->sms[i]))
            continue;
        busy++;
        if (shown++ < ROWS)
            sm_print_waiting(g->sms[i], stderr);
    }
    if (busy > ROWS)
        fprintf(stderr, "  ... and %u more SMs\n", busy - ROWS);
    return GPU_DEADLOCK;
}

/* Thread instructions of a tenant so far. */
static uint64_t thread_insts(const struct gpu *g, uint32_t tenant)
{
    uint64_t n = 0;
    for (uint32_t i = 0; i < g->nsm; i++)
        n += sm_tenant_threads(g->sms[i], tenant);
    return n;
}

/* At the end of a window: is the run to end here, before its time? */
static bool is_cut(struct gpu *g)
{
    const struct gpu_cfg *c = &g->c->gpu;
    while (c->most_cyc && g->progress_at <= g->until) {
        for (uint32_t i = 0; i < g->ntenants; i++)
            vec_push(&g->ledger.out->tenants.at[i].progress, thread_insts(g, i));
        g->progress_at += GPU_PROGRESS_CYC;
    }
    return (c->most_cyc && g->until >= c->most_cyc) ||
           (c->insts && g->ntenants && thread_insts(g, 0) >= c->insts);
}

static bool has_clusters(const struct gpu *g)
{
    for (uint32_t i = 0; i < g->ntenants; i++)
        for (uint32_t k = 0; k < g->tenants[i].n; k++)
            if (g->tenants[i].at[k].cluster > 1)
                return true;
    return false;
}

static enum gpu_status run(struct gpu *g, const struct gpu_opts *o)
{
    uint64_t total = 0;
    for (uint32_t i = 0; i < g->ntenants; i++)
        total += launches_insts(&g->tenants[i]);
    g->ahead = g->ntenants == 1 && !g->share->turn && (!o->watch || o->watch->any_order) && !g->weighs &&
               !g->control.ops && !g->c->gpu.most_cyc && !g->c->gpu.insts && !has_clusters(g);
    while (g->ledger.left) {
        uint32_t left = g->ledger.left;
        if (!window(g))
            return GPU_REFUSED;
        if (o->watch)
            tell_window(&g->tell, g->until);
        uint64_t before = g->insts;
        g->insts = windows_issued(&g->windows);
        if (g->insts != before)
            g->issued_at = g->until;
        if ((g->c->gpu.most_cyc || g->c->gpu.insts) && is_cut(g)) {
            g->ledger.out->cut = g->ledger.left;
            break;
        }
        uint64_t next = g->share->turn ? g->until : next_cycle(g);
        if (next == UINT64_MAX && g->ledger.left) {
            if (!ctas_wait(g))
                return deadlock(g, "no warp can ever issue again");
            next = g->until;
        }
        go_to(g, next);
        if (o->watch && g->ledger.left)
            tell_gap(&g->tell, g->now);
        if (g->ledger.left < left)
            control_launch_ended(&g->control, g->insts, g->sms, g->nsm);
        if (g->ledger.left)
            control_pass(&g->control, g->until, g->now, g->insts, g->sms, g->nsm);
        if (g->control.ops) /* it may have changed them */
            windows_look_all(&g->windows);
        if (g->now - g->issued_at > g->c->gpu.stuck_cyc && g->ledger.running)
            return deadlock(g, "nothing was issued for gpu.stuck_cyc cycles");
        if (o->progress)
            o->progress(o->ctx, g->insts, total);
    }
    return GPU_OK;
}

/* ---- the whole of it ---- */

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
        go_to(g, next);
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
    if (s->by_sm && n > c->gpu.sms)
        diag_plain(d, "gpu.share = %s: %u programs need an SM each, and gpu.sms = %u", s->name, n,
                   c->gpu.sms);
    return d->errors == before;
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
    if (!gpu_conf_check(c, d) || !serves(c, o->tenant ? o->tenant : tenant_find(c->sm.tenant), g.share, n, d))
        return GPU_REFUSED;
    enum gpu_status status = GPU_REFUSED;
    g.tenants = xcalloc(n ? n : 1, sizeof *g.tenants);
    if (prepare(&g, tenants)) {
        g.weighs = tenants[0].only && (tenants[0].only->jumps || tenants[0].only->wave);
        build(&g, o);
        for (uint32_t i = 0; i < n; i++)
            vec_push(&out->tenants, (struct gpu_tenant_result){0});
        status = warm(&g) ? run(&g, o) : GPU_REFUSED;
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
