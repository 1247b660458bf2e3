/* SPDX-License-Identifier: Apache-2.0 */
/* CTAs start where SMs have room, a launch after the other or several together; those that have ended are noted. */
#include "gpu/state.h"

static struct sm_source source_of(const struct launches *q)
{
    return (struct sm_source){.trace = q->trace,
                              .pass = q->pass,
                              .share = q->only ? q->only->share : 1,
                              .jumps = q->only ? q->only->jumps : NULL};
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
        if (l->first && g->share->first)
            g->share->first(g->share_state);
        l->flush = l->first = false;
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

void gpu_start(struct gpu *g)
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

void gpu_collect_done(struct gpu *g)
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
