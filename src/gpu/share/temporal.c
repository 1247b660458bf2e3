/* SPDX-License-Identifier: Apache-2.0 */
/* Slices of time: each program has the whole GPU once in every share.slice_cyc cycles, the first for its target of them, the
 * others for equal parts of the rest. CTAs of the others are parked meanwhile; on each SM the next program begins when the last
 * one's are gone. A slice whose program has nothing there is the next one's. Slices end with windows. */
#include "gpu/gpu.h"
#include "gpu/share/share.h"
#include "sm/tenant/share.h"

struct temporal {
    const struct share_cfg *cfg;
    uint32_t whose;
    uint32_t next; /* SM */
};

static void init(void *st, const struct gpu_conf *c, uint32_t ntenants)
{
    (void)ntenants;
    ((struct temporal *)st)->cfg = share_cfg_of(&c->sm);
}

static uint32_t owner(const struct temporal *x, const struct share_view *v)
{
    uint64_t at = v->now % x->cfg->slice_cyc;
    double first = x->cfg->target * x->cfg->slice_cyc;
    if (v->n < 2 || (double)at < first)
        return 0;
    uint32_t i = 1 + (uint32_t)(((double)at - first) / (x->cfg->slice_cyc - first) * (v->n - 1));
    return i < v->n ? i : v->n - 1;
}

/* Are CTAs of other programs there, or on their way out? */
static bool has_others(const struct sm *sm, uint32_t whose)
{
    struct sm_cta_info all[SM_CTAS_MOST];
    for (uint32_t n = sm_ctas(sm, all, SM_CTAS_MOST), k = 0; k < n; k++)
        if (all[k].id.tenant != whose && all[k].state < SM_CTA_PARKED)
            return true;
    return false;
}

static void turn(void *st, const struct share_view *v)
{
    struct temporal *x = st;
    struct sm_cta_info all[SM_CTAS_MOST];
    x->whose = owner(x, v);
    for (uint32_t i = 0; i < v->n && !v->tenants[x->whose].runs; i++)
        x->whose = x->whose + 1 < v->n ? x->whose + 1 : 0;
    for (uint32_t i = 0; i < v->nsm; i++) {
        sm_settle(v->sms[i], v->now);
        bool others = has_others(v->sms[i], x->whose);
        for (uint32_t n = sm_ctas(v->sms[i], all, SM_CTAS_MOST), k = 0; k < n; k++)
            if (all[k].id.tenant == x->whose && (all[k].state == SM_CTA_LEAVES || !others))
                sm_resume(v->sms[i], v->now, all[k].id);
            else if (all[k].id.tenant != x->whose && all[k].state == SM_CTA_RUNS)
                sm_park(v->sms[i], v->now, all[k].id);
    }
}

struct asking {
    const struct temporal *x;
    struct sm *const *sms;
};

static bool may(const void *ctx, uint32_t sm)
{
    const struct asking *a = ctx;
    return !has_others(a->sms[sm], a->x->whose);
}

static uint32_t place(void *st, uint32_t tenant, const struct sm_need *need, struct sm *const *sms,
                      uint32_t nsm)
{
    struct temporal *x = st;
    return tenant == x->whose ? share_next(&x->next, NULL, need, sms, nsm, may, &(struct asking){x, sms})
                              : SHARE_NOWHERE;
}

const struct share_ops share_temporal = {
    .name = "temporal",
    .help = "the whole GPU for one program after the other, the first its target of the time",
    .state_b = sizeof(struct temporal),
    .init = init,
    .place = place,
    .turn = turn};
