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
    for (uint32_t i = 0; i < n; i++) {
        x->limits[i] = (struct tenant_limit){.warps = TENANT_ALL, .requests = TENANT_ALL};
        x->seen[i].stats = x->stats ? x->stats[i] : NULL;
    }
    s->places = s->watch || x->stats;
}

void tenants_free(struct sm *s)
{
    free(s->tenants.st);
    free(s->tenants.limits);
    free(s->tenants.seen);
    free(s->tenants.stats);
}

static uint32_t tenant_of(const struct part *p, uint32_t warp)
{
    return p->sm->ctas[p->warps[warp].cta].k->id.tenant;
}

/* ---- who may issue ---- */

uint8_t tenant_limits(const struct sm *s, uint32_t tenant)
{
    const struct tenant_limit *l = &s->tenants.limits[tenant];
    return (uint8_t)((l->warps == TENANT_ALL ? 0 : LIMIT_WARPS) |
                     (l->requests == TENANT_ALL ? 0 : LIMIT_REQUESTS));
}

static bool asks_memory(const struct ientry *e)
{
    return e->mask && e->k->route == ROUTE_MEMORY && e->lines.n && e->space != SPACE_CONST;
}

bool tenant_stops(const struct part *p, uint32_t i)
{
    const struct sm_warp *w = &p->warps[i];
    if (w->limits & (LIMIT_LEAVES | LIMIT_WARPS))
        return true;
    const struct tenants *x = &p->sm->tenants;
    uint32_t tenant = tenant_of(p, i);
    return asks_memory(&w->ibuf[w->head]) && x->seen[tenant].requests >= x->limits[tenant].requests;
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
            part_wake(p, s->now);
    }
}

void tenant_asks(struct part *p, uint32_t f)
{
    const struct flight *l = &p->flights[f];
    struct tenants *x = &p->sm->tenants;
    if (!asks_memory(&l->i))
        return;
    uint32_t tenant = tenant_of(p, l->warp), before = x->seen[tenant].requests;
    x->seen[tenant].requests += l->i.lines.n;
    if (before < x->limits[tenant].requests && x->seen[tenant].requests >= x->limits[tenant].requests)
        look_again(p->sm, tenant);
}

void tenant_served(struct part *p, uint32_t f)
{
    const struct flight *l = &p->flights[f];
    struct tenants *x = &p->sm->tenants;
    if (!asks_memory(&l->i))
        return;
    uint32_t tenant = tenant_of(p, l->warp), before = x->seen[tenant].requests;
    x->seen[tenant].requests -= l->i.lines.n;
    if (before >= x->limits[tenant].requests && x->seen[tenant].requests < x->limits[tenant].requests)
        look_again(p->sm, tenant);
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
            if (tenant_of(p, w) == tenant && !(p->warps[w].limits & LIMIT_LEAVES))
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
                (uint8_t)((p->warps[w].limits & LIMIT_LEAVES) | tenant_limits(s, tenant_of(p, w)));
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
    x->asked = s->nctas != 0;
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
    x->ops->decide(x->st, t, x->n, x->seen, x->limits);
    apply(s);
    event_at(s, t - t % x->cyc + x->cyc, EV_DECIDE, 0, 0);
}

void tenants_begin(struct sm *s)
{
    if (s->tenants.cyc && !s->tenants.asked)
        tenants_decide(s, s->now);
}

void sm_count_tenant(const struct sm *s, uint32_t tenant, uint64_t sum[SM_STATS])
{
    static const enum sm_stat rows[] = {SS_warp_insts, SS_thread_insts, SS_ctas};
    const uint64_t *from = s->tenants.stats ? s->tenants.stats[tenant] : s->stats;
    for (uint32_t i = SS_issued; i <= SS_stall_drained; i++)
        if (i != SS_stall_no_warp && i != SS_stall_launch)
            sum[i] += from[i];
    for (uint32_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        sum[rows[i]] += from[rows[i]];
}
