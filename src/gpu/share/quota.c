/* SPDX-License-Identifier: Apache-2.0 */
/* As many CTAs of each program as each SM's own policy (sm.tenant) wants: those beyond are parked, the youngest first; those that
 * are parked come back, before new ones start, when they are wanted and there is room. */
#include "gpu/gpu.h"
#include "gpu/share/share.h"
#include "sm/tenant/tenant.h"

struct quota {
    uint32_t n;               /* programs */
    struct tenant_ctas *ctas; /* by SM, and in it by program */
    uint32_t next[MEM_TENANTS];
};

static void init(void *st, const struct gpu_conf *c, uint32_t ntenants)
{
    struct quota *q = st;
    q->n = ntenants;
    q->ctas = xcalloc((size_t)c->gpu.sms * ntenants + 1, sizeof *q->ctas);
}

static void done(void *st) { free(((struct quota *)st)->ctas); }

/* The youngest that runs; NULL: none does. */
static struct sm_cta_info *youngest(struct sm_cta_info *all, uint32_t n, uint32_t tenant)
{
    struct sm_cta_info *y = NULL;
    for (uint32_t i = 0; i < n; i++)
        if (all[i].id.tenant == tenant && all[i].state == SM_CTA_RUNS && (!y || all[i].age > y->age))
            y = &all[i];
    return y;
}

/* One that is parked comes back if there is room; the first to have left. */
static bool bring_one(struct sm *sm, uint64_t now, struct sm_cta_info *all, uint32_t n, uint32_t tenant)
{
    for (uint32_t i = 0; i < n; i++) {
        if (all[i].id.tenant != tenant || all[i].state != SM_CTA_PARKED)
            continue;
        if (!sm_has_room(sm, &all[i].need))
            return false;
        sm_resume(sm, now, all[i].id);
        sm_settle(sm, now);
        return true;
    }
    return false;
}

/* One that is about to leave stays. */
static bool keep_one(struct sm *sm, uint64_t now, struct sm_cta_info *all, uint32_t n, uint32_t tenant)
{
    for (uint32_t i = 0; i < n; i++)
        if (all[i].id.tenant == tenant && all[i].state == SM_CTA_LEAVES)
            return sm_resume(sm, now, all[i].id);
    return false;
}

static void adjust(struct sm *sm, uint64_t now, struct tenant_ctas *c, uint32_t tenant)
{
    struct sm_cta_info all[SM_CTAS_MOST];
    uint32_t n = sm_ctas(sm, all, SM_CTAS_MOST), stay = 0, leave = 0;
    for (uint32_t i = 0; i < n; i++) {
        stay += all[i].id.tenant == tenant && all[i].state < SM_CTA_LEAVES;
        leave += all[i].id.tenant == tenant && all[i].state == SM_CTA_LEAVES;
    }
    for (; stay > c->want; stay--) {
        struct sm_cta_info *y = youngest(all, n, tenant);
        if (!y || !sm_park(sm, now, y->id))
            break;
        y->state = SM_CTA_LEAVES;
    }
    while (stay < c->want && leave && keep_one(sm, now, all, n, tenant)) {
        n = sm_ctas(sm, all, SM_CTAS_MOST);
        stay++;
        leave--;
    }
    while (stay + leave < c->want && c->parked && bring_one(sm, now, all, n, tenant)) {
        n = sm_ctas(sm, all, SM_CTAS_MOST);
        stay++;
        c->here++;
        c->parked--;
    }
}

static void turn(void *st, const struct share_view *v)
{
    struct quota *q = st;
    for (uint32_t i = 0; i < v->nsm; i++) {
        struct tenant_ctas *c = &q->ctas[i * q->n];
        for (uint32_t k = 0; k < q->n; k++) {
            c[k].waits = v->tenants[k].waits;
            c[k].need = v->tenants[k].need;
        }
        sm_settle(v->sms[i], v->now);
        sm_want_ctas(v->sms[i], v->now, q->n, c);
        for (uint32_t k = 0; k < q->n; k++)
            adjust(v->sms[i], v->now, &c[k], k);
    }
}

struct asking {
    const struct quota *q;
    uint32_t tenant;
};

static bool may(const void *ctx, uint32_t sm)
{
    const struct asking *a = ctx;
    const struct tenant_ctas *c = &a->q->ctas[sm * a->q->n + a->tenant];
    return c->here < c->want && !c->parked;
}

static uint32_t place(void *st, uint32_t tenant, const struct sm_need *need, struct sm *const *sms,
                      uint32_t nsm)
{
    struct quota *q = st;
    uint32_t sm = share_next(&q->next[tenant], NULL, need, sms, nsm, may, &(struct asking){q, tenant});
    if (sm != SHARE_NOWHERE)
        q->ctas[sm * q->n + tenant].here++;
    return sm;
}

const struct share_ops share_quota = {
    .name = "quota",
    .help = "as many CTAs of each program as every SM's own policy wants (sm.tenant)",
    .state_b = sizeof(struct quota),
    .init = init,
    .free = done,
    .place = place,
    .turn = turn,
    .obeys = true};
