/* SPDX-License-Identifier: Apache-2.0 */
/* SMs as a whole: the first program has its target of them, rounded up, the others the rest in turn. Each has one at least. */
#include "gpu/gpu.h"
#include "gpu/share/share.h"
#include "sm/tenant/share.h"

#include <math.h>

struct spatial {
    uint32_t first, n; /* SMs of the first program; programs */
    uint32_t next[MEM_TENANTS];
};

static void init(void *st, const struct gpu_conf *c, uint32_t ntenants)
{
    struct spatial *s = st;
    uint32_t others = ntenants - (ntenants > 0), sms = c->gpu.sms;
    s->n = ntenants;
    s->first = (uint32_t)ceil(share_cfg_of(&c->sm)->target * sms);
    if (!others)
        s->first = sms;
    else if (s->first + others > sms)
        s->first = sms - others;
}

struct asking {
    const struct spatial *s;
    uint32_t tenant;
};

static bool may(const void *ctx, uint32_t sm)
{
    const struct asking *a = ctx;
    const struct spatial *s = a->s;
    return !a->tenant ? sm < s->first : sm >= s->first && (sm - s->first) % (s->n - 1) == a->tenant - 1;
}

static uint32_t place(void *st, uint32_t tenant, const struct sm_need *need, struct sm *const *sms,
                      uint32_t nsm)
{
    struct spatial *s = st;
    return share_next(&s->next[tenant], NULL, need, sms, nsm, may, &(struct asking){s, tenant});
}

const struct share_ops share_spatial = {.name = "spatial",
                                        .help =
                                            "each program has SMs of its own, the first its target of them",
                                        .state_b = sizeof(struct spatial),
                                        .by_sm = true,
                                        .init = init,
                                        .place = place};
