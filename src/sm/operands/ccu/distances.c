/* SPDX-License-Identifier: Apache-2.0 */
/* Reuse distances for caching collectors: a bit for every operand of the static code, or for every access. */
#include "annotate/reuse.h"
#include "sm/operands/ccu/ccu.h"

CONF_TABLE(reuse_options, "reuse", reuse_cfg, REUSE_OPTIONS);

static const struct reuse_cfg *options(const struct sm_cfg *cfg)
{
    return policy_options(cfg, &reuse_options);
}

uint32_t ccu_near(const struct sm_cfg *cfg) { return options(cfg)->exact ? options(cfg)->near : 0; }

/* Is the register near in one of the operands that name it? */
static bool near_in(const struct tr_opnd *o, const struct reuse_opnd *u, uint32_t n, uint32_t reg)
{
    for (uint32_t j = 0; j < n; j++)
        if (kernel_names(&o[j], reg) && reuse_is_near(&u[j]))
            return true;
    return false;
}

static void mark(struct sm_kernel *k, const struct reuse *u)
{
    for (uint32_t n = 0; n < k->tr->n && n < u->n; n++) {
        const struct tr_insn *i = &k->tr->insns[n];
        struct kinsn *o = &k->insns[n];
        o->mark_read = o->mark_write = 0;
        for (uint32_t j = 0; j < o->nread; j++)
            o->mark_read |= (uint16_t)(near_in(i->src, u->insns[n].src, i->nsrc, o->read[j]) << j);
        for (uint32_t j = 0; j < o->nwrite; j++)
            o->mark_write |= (uint16_t)(near_in(i->dst, u->insns[n].dst, i->ndst, o->write[j]) << j);
    }
}

bool ccu_profile(struct sm_kernel *k, struct tr_reader *trace, const struct sm_cfg *cfg, struct diag *d)
{
    struct reuse u;
    if (options(cfg)->exact)
        return true;
    bool ok = reuse_profile(trace, k->id.index, options(cfg)->share, options(cfg)->near, &u, d);
    mark(k, &u);
    reuse_free(&u);
    return ok;
}
