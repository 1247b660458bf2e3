/* SPDX-License-Identifier: Apache-2.0 */
/* Simultaneous multi-kernel with equal shares (thesis, Fig. 5.3): on every SM each program has the same part of the warp slots,
 * registers and shared memory. One whose CTA alone needs more has one of them where there is room. */
#include "gpu/gpu.h"
#include "gpu/share/share.h"

struct smk {
    const struct sm_cfg *cfg;
    uint32_t n;
    uint32_t next[MEM_TENANTS];
};

static void init(void *st, const struct gpu_conf *c, uint32_t ntenants)
{
    struct smk *s = st;
    s->cfg = &c->sm;
    s->n = ntenants ? ntenants : 1;
}

struct asking {
    const struct smk *s;
    uint32_t tenant;
    const struct sm_need *need;
    struct sm *const *sms;
};

static bool may(const void *ctx, uint32_t sm)
{
    const struct asking *a = ctx;
    const struct sm_cfg *c = a->s->cfg;
    struct sm_cta_info all[SM_CTAS_MOST];
    uint64_t warps = a->need->warps, regs = warps * a->need->regs, shared_b = a->need->shared_b;
    bool any = false;
    for (uint32_t n = sm_ctas(a->sms[sm], all, SM_CTAS_MOST), i = 0; i < n; i++) {
        if (all[i].id.tenant != a->tenant)
            continue;
        any = true;
        warps += all[i].need.warps;
        regs += (uint64_t)all[i].need.warps * all[i].need.regs;
        shared_b += all[i].need.shared_b;
    }
    return !any || (warps * a->s->n <= c->partitions * c->warps && regs * a->s->n <= c->registers &&
                    shared_b * a->s->n <= 1024ull * c->shared_kb);
}

static uint32_t place(void *st, uint32_t tenant, const struct sm_need *need, struct sm *const *sms,
                      uint32_t nsm)
{
    struct smk *s = st;
    return share_next(&s->next[tenant], NULL, need, sms, nsm, may, &(struct asking){s, tenant, need, sms});
}

const struct share_ops share_smk = {.name = "smk",
                                    .help = "the same part of every SM's warps, registers and shared memory "
                                            "for each program",
                                    .state_b = sizeof(struct smk),
                                    .init = init,
                                    .place = place};
