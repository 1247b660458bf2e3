/* SPDX-License-Identifier: Apache-2.0 */
/* A run, window by window: windows in which nothing happens are skipped; deadlocks, and where it is cut short. */
#include "gpu/state.h"

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
    gpu_start(g);
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
    gpu_collect_done(g);
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

void gpu_go_to(struct gpu *g, uint64_t next)
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

enum gpu_status gpu_loop(struct gpu *g, const struct gpu_opts *o)
{
    uint64_t total = 0;
    for (uint32_t i = 0; i < g->ntenants; i++)
        total += launches_insts(&g->tenants[i]) * g->c->gpu.passes;
    g->ahead = g->ntenants == 1 && !g->share->turn && (!o->watch || o->watch->any_order) && !g->weighs &&
               !g->control.ops && !g->c->gpu.most_cyc && !g->c->gpu.insts && !has_clusters(g);
    while (g->ledger.left) {
        uint32_t left = g->ledger.left;
        if (!window(g))
            return GPU_REFUSED;
        passes_look(&g->passes, g);
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
        gpu_go_to(g, next);
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
