/* SPDX-License-Identifier: Apache-2.0 */
#include "sm/tenant/tenant.h"

#include "sm/core.h"

#include <assert.h>

void tenants_init(struct sm *s, const struct tenant_ops *ops, uint32_t n)
{
    struct tenants *x = &s->tenants;
    *x = (struct tenants){.ops = ops, .n = n, .cyc = ops->interval ? ops->interval(s->cfg) : 0};
    assert(!ops->interval == !ops->decide && x->cyc <= TENANT_MOST_CYC);
    x->st = policy_state(&ops->is);
    if (ops->init)
        ops->init(x->st, s->cfg, s->id);
    x->limits = xcalloc(n, sizeof *x->limits);
    x->seen = xcalloc(n, sizeof *x->seen);
    x->stats = n > 1 || x->cyc ? xcalloc(n, sizeof *x->stats) : NULL;
    x->pcs = x->cyc ? xcalloc(TENANT_PCS, sizeof *x->pcs) : NULL;
    if (ops->is.stats && ops->count)
        ops->count(x->st, s->stats + policy_stats_at(&ops->is));
    for (uint32_t i = 0; i < n; i++) {
        x->limits[i] = (struct tenant_limit){.warps = TENANT_ALL, .requests = TENANT_ALL};
        x->seen[i] =
            (struct tenant_seen){.stats = x->stats ? x->stats[i] : NULL, .pcs = i ? NULL : x->pcs, .sm = s};
    }
    s->trust.places = s->trust.watch || x->stats;
}

void tenants_free(struct sm *s)
{
    if (s->tenants.ops->free)
        s->tenants.ops->free(s->tenants.st);
    free(s->tenants.st);
    free(s->tenants.pcs);
    free(s->tenants.limits);
    free(s->tenants.seen);
    free(s->tenants.stats);
}

static uint32_t tenant_of(const struct part *p, uint32_t warp)
{
    return p->sm->ctas.at[p->warps[warp].cta].k->id.tenant;
}

/* ---- who may issue ---- */

uint8_t tenant_limits(const struct sm *s, uint32_t tenant)
{
    const struct tenant_limit *l = &s->tenants.limits[tenant];
    return (uint8_t)((l->warps == TENANT_ALL ? 0 : LIMIT_WARPS) |
                     (l->requests == TENANT_ALL && !l->together ? 0 : LIMIT_REQUESTS));
}

static bool asks_memory(const struct ientry *e)
{
    return e->mask && e->k->route == ROUTE_MEMORY && ientry_has_lines(e);
}

/* Has the tenant, or have all together, as many requests as it may see? */
static bool is_full(const struct tenants *x, uint32_t tenant)
{
    const struct tenant_limit *l = &x->limits[tenant];
    return x->seen[tenant].requests >= l->requests || (l->together && x->requests >= l->together);
}

bool tenant_stops(const struct part *p, uint32_t i)
{
    const struct sm_warp *w = &p->warps[i];
    if (w->limits & (LIMIT_MOVES | LIMIT_WARPS))
        return true;
    const struct tenants *x = &p->sm->tenants;
    return fetch_sees_lines(p, i) && is_full(x, tenant_of(p, i));
}

/* Warps of a tenant with limits look again: those that could issue, and those that were kept from it. */
static void look_again(struct sm *s, uint32_t tenant)
{
    for (uint32_t i = 0; i < s->cfg->partitions; i++) {
        struct part *p = &s->parts[i];
        uint64_t before = p->blocked[BLOCK_NOT];
        for (uint64_t m = p->blocked[BLOCK_NOT] | p->blocked[BLOCK_TENANT]; m; m &= m - 1) {
            uint32_t w = (uint32_t)__builtin_ctzll(m);
            if (tenant_of(p, w) == tenant)
                sm_warp_refresh(p, w);
        }
        if (p->blocked[BLOCK_NOT] != before)
            part_wake(p, s->clock.now);
    }
}

/* The integrals, up to cycle t. */
static void add_up(struct tenants *x, uint64_t t)
{
    uint64_t cycles = t > x->at ? t - x->at : 0;
    for (uint32_t i = 0; cycles && i < x->n; i++) {
        x->seen[i].request_cyc += cycles * x->seen[i].requests;
        x->seen[i].stalled_request_cyc += x->stalled ? cycles * x->seen[i].requests : 0;
    }
    x->lsu_stalled += x->stalled ? cycles : 0;
    x->at += cycles;
}

static void add_requests(struct sm *s, uint32_t tenant, int32_t n)
{
    struct tenants *x = &s->tenants;
    uint64_t before = 0;
    add_up(x, s->clock.now);
    for (uint32_t i = 0; i < x->n && i < 64; i++)
        before |= (uint64_t)is_full(x, i) << i;
    x->seen[tenant].requests += (uint32_t)n;
    x->requests += (uint32_t)n;
    for (uint32_t i = 0; i < x->n; i++)
        if (i >= 64 || (before >> i & 1) != is_full(x, i))
            look_again(s, i);
}

void tenant_asks(struct part *p, uint32_t f)
{
    const struct flight *l = &p->flights[f];
    struct tenants *x = &p->sm->tenants;
    if (!asks_memory(&l->i))
        return;
    uint32_t tenant = tenant_of(p, l->warp);
    x->seen[tenant].accesses++;
    x->seen[tenant].lines += l->i.lines.n;
    add_requests(p->sm, tenant, l->i.lines.n);
}

void tenant_served(struct part *p, uint32_t f)
{
    const struct flight *l = &p->flights[f];
    if (!asks_memory(&l->i))
        return;
    add_requests(p->sm, tenant_of(p, l->warp), l->acks - (int32_t)l->i.lines.n);
}

void tenant_acked(struct sm *s, uint32_t tenant) { add_requests(s, tenant, -1); }

ASIDE void tenants_stalled(struct sm *s, uint64_t t, bool stalled)
{
    add_up(&s->tenants, t);
    s->tenants.stalled = stalled;
}

/* ---- decisions ---- */

struct candidate {
    uint64_t age;
    struct sm_warp *w;
};

/* The oldest `n` of a tenant's warps may issue. Those at a barrier do not count, since they may wait for younger ones, nor
 * those that are about to be parked. */
static void let_issue(struct sm *s, uint32_t tenant, uint32_t n)
{
    struct candidate all[ONCHIP_PARTS * 64];
    uint32_t left = 0;
    for (uint32_t i = 0; i < s->cfg->partitions; i++) {
        struct part *p = &s->parts[i];
        for (uint64_t m = p->used & ~p->blocked[BLOCK_DRAINED] & ~p->blocked[BLOCK_BARRIER]; m; m &= m - 1) {
            uint32_t w = (uint32_t)__builtin_ctzll(m);
            if (tenant_of(p, w) == tenant && !(p->warps[w].limits & LIMIT_MOVES))
                all[left++] = (struct candidate){.age = p->age[w], .w = &p->warps[w]};
        }
    }
    for (; n && left; n--) {
        struct candidate *first = all;
        for (uint32_t i = 1; i < left; i++)
            first = all[i].age < first->age ? &all[i] : first;
        first->w->limits &= (uint8_t)~LIMIT_WARPS;
        *first = all[--left];
    }
}

static void apply(struct sm *s)
{
    struct tenants *x = &s->tenants;
    for (uint32_t i = 0; i < s->cfg->partitions; i++) {
        struct part *p = &s->parts[i];
        for (uint64_t m = p->used; m; m &= m - 1) {
            uint32_t w = (uint32_t)__builtin_ctzll(m);
            p->warps[w].limits =
                (uint8_t)((p->warps[w].limits & LIMIT_MOVES) | tenant_limits(s, tenant_of(p, w)));
        }
    }
    for (uint32_t i = 0; i < x->n; i++)
        if (x->limits[i].warps != TENANT_ALL)
            let_issue(s, i, x->limits[i].warps);
    for (uint32_t i = 0; i < x->n; i++)
        look_again(s, i);
}

void tenants_decide(struct sm *s, uint64_t t)
{
    struct tenants *x = &s->tenants;
    x->asked = s->ctas.n != 0;
    if (!x->asked)
        return; /* tenants_begin starts it again */
    for (uint32_t i = 0; i < x->n; i++)
        x->seen[i].warps = 0;
    for (uint32_t i = 0; i < s->cfg->partitions; i++) {
        struct part *p = &s->parts[i];
        part_charge(p, t); /* the counters that it sees are those of all cycles before */
        for (uint64_t m = p->used & ~p->blocked[BLOCK_DRAINED]; m; m &= m - 1)
            x->seen[tenant_of(p, (uint32_t)__builtin_ctzll(m))].warps++;
    }
    add_up(x, t);
    x->ops->decide(x->st, t, x->n, x->seen, x->limits);
    apply(s);
    event_at(s, x->ops->next ? x->ops->next(x->st, t) : t - t % x->cyc + x->cyc, EV_DECIDE, 0, 0);
}

void tenants_begin(struct sm *s)
{
    if (s->tenants.cyc && !s->tenants.asked)
        tenants_decide(s, s->clock.now);
}

/* ---- what a policy sees of issue ---- */

static uint32_t first_ready(const struct part *p)
{
    return (uint32_t)__builtin_popcountll(p->blocked[BLOCK_NOT] & p->first);
}

void tenant_look(struct part *p) { p->sm->tenants.seen[0].ready_cyc += first_ready(p); }
void tenant_sleeps(struct part *p) { p->asleep = first_ready(p); }
void tenant_slept(struct part *p, uint64_t cycles) { p->sm->tenants.seen[0].ready_cyc += cycles * p->asleep; }

void tenant_issued(struct part *p, uint64_t t)
{
    struct tenants *x = &p->sm->tenants;
    bool computes = false;
    for (uint64_t m = p->issued_now; m; m &= m - 1)
        p->issued_at[__builtin_ctzll(m)] = t + 1;
    for (uint32_t i = 0; i < p->sm->cfg->schedulers; i++) {
        const struct blamed *at = &p->blamed[i];
        if (p->cause[i] != SS_issued)
            continue;
        if (!at->kernel->id.tenant)
            x->pcs[(at->kernel->id.first + at->k->at) % TENANT_PCS]++;
        computes |= at->k->route == ROUTE_UNIT;
    }
    if (computes && x->computed_at != t + 1) {
        x->computed_at = t + 1;
        x->computed++;
    }
}

uint32_t tenant_idle(const struct tenant_seen *seen, uint32_t tenant, uint64_t since)
{
    uint32_t idle = 0;
    for (uint32_t i = 0; i < seen->sm->cfg->partitions; i++) {
        const struct part *p = &seen->sm->parts[i];
        for (uint64_t m = p->used; m; m &= m - 1) {
            uint32_t w = (uint32_t)__builtin_ctzll(m);
            idle += tenant_of(p, w) == tenant && p->issued_at[w] <= since;
        }
    }
    return idle;
}

uint64_t tenant_lsu_stalled(const struct tenant_seen *seen) { return seen->sm->tenants.lsu_stalled; }
uint64_t tenant_computed(const struct tenant_seen *seen) { return seen->sm->tenants.computed; }

/* ---- CTAs ---- */

void sm_want_ctas(struct sm *s, uint64_t now, uint32_t n, struct tenant_ctas *c)
{
    struct sm_cta_info all[SM_CTAS_MOST];
    for (uint32_t i = 0; i < n; i++)
        c[i].here = c[i].parked = 0;
    for (uint32_t m = sm_ctas(s, all, SM_CTAS_MOST), i = 0; i < m; i++) {
        struct tenant_ctas *of = &c[all[i].id.tenant];
        if (all[i].state >= SM_CTA_PARKED)
            of->parked++;
        else
            of->here++;
    }
    s->tenants.ops->ctas(s->tenants.st, now, n, c);
}

uint64_t sm_tenant_threads(const struct sm *s, uint32_t tenant)
{
    return (s->tenants.stats ? s->tenants.stats[tenant] : s->stats)[SS_thread_insts];
}

void sm_count_tenant(const struct sm *s, uint32_t tenant, uint64_t sum[SM_STATS])
{
    static const enum sm_stat rows[] = {SS_warp_insts, SS_thread_insts, SS_ctas, SS_ctas_parked, SS_switch_b};
    const uint64_t *from = s->tenants.stats ? s->tenants.stats[tenant] : s->stats;
    for (uint32_t i = SS_issued; i <= SS_stall_drained; i++)
        if (i != SS_stall_no_warp && i != SS_stall_launch)
            sum[i] += from[i];
    for (uint32_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        sum[rows[i]] += from[rows[i]];
}
