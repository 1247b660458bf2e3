/* SPDX-License-Identifier: Apache-2.0 */
/* S2R: the special registers. Clocks count executed instructions, the warp's own for %clock, the launch's for
 * %globaltimer; a waiting loop that reads one will end some day, so it is no deadlock. */
#include "exec/run.h"

static void set_row(uint32_t *dst, uint32_t mask, const uint32_t *row)
{
    if (mask == ~0u) {
        memcpy(dst, row, ROW_B);
        return;
    }
    lanes_each (mask, l)
        dst[l] = row[l];
}

static uint32_t per_lane(enum ir_sreg s, uint32_t lane)
{
    uint32_t bit = 1u << lane;
    switch (s) {
    case SR_LANEID: return lane;
    case SR_LM_EQ: return bit;
    case SR_LM_LT: return bit - 1;
    case SR_LM_LE: return bit | (bit - 1);
    case SR_LM_GE: return ~(bit - 1);
    default: return ~(bit | (bit - 1)); /* SR_LM_GT */
    }
}

enum { WARP_SLOTS = 64 }; /* of an SM, compute capability 9.0 */

static uint32_t per_warp(struct run *r, struct warp *w, enum ir_sreg s)
{
    const struct cta *c = w->cta;
    uint64_t clock = w->clock - w->left, timer = r->now - w->left;
    switch (s) {
    case SR_CTAID_X: return c->idx[0];
    case SR_CTAID_Y: return c->idx[1];
    case SR_CTAID_Z: return c->idx[2];
    case SR_WARPID: return w->id;
    case SR_NWARPID: return WARP_SLOTS;
    case SR_VIRTID: return w->id << 8;
    case SR_VIRTCFG: return WARP_SLOTS << 8;
    case SR_SMID: return (uint32_t)(c->index % r->dev->cfg.nsm);
    case SR_NSMID: return r->dev->cfg.nsm;
    case SR_GRIDID: return (uint32_t)r->dev->launches;
    case SR_GRIDID_HI: return (uint32_t)(r->dev->launches >> 32);
    case SR_CLOCK: r->fruitless = 0; return (uint32_t)clock;
    case SR_CLOCK_HI: return (uint32_t)(clock >> 32);
    case SR_TIMER: r->fruitless = 0; return (uint32_t)timer;
    case SR_TIMER_HI: return (uint32_t)(timer >> 32);
    case SR_DYN_SMEM: return r->l->dyn_shared_b;
    case SR_TOTAL_SMEM: return r->shared_b;
    /* cooperative_groups takes envreg1:envreg2 for the 64-bit address of the grid's workspace. */
    case SR_ENVREG1: return (uint32_t)(r->workspace >> 32);
    case SR_ENVREG2: return (uint32_t)r->workspace;
    case SR_CLUSTERID_X: return c->idx[0] / r->cluster[0];
    case SR_CLUSTERID_Y: return c->idx[1] / r->cluster[1];
    case SR_CLUSTERID_Z: return c->idx[2] / r->cluster[2];
    case SR_CLUSTER_CTAID_X: return c->idx[0] % r->cluster[0];
    case SR_CLUSTER_CTAID_Y: return c->idx[1] % r->cluster[1];
    case SR_CLUSTER_CTAID_Z: return c->idx[2] % r->cluster[2];
    case SR_CLUSTER_RANK: return c->rank;
    default: return 0;
    }
}

bool core_s2r(struct run *r, struct warp *w, struct dop *d, uint32_t mask)
{
    enum ir_sreg s = d->x.insn->sub;
    uint32_t *dst = x_dst(&w->x, &d->x, 0), row[LANES];
    if (s <= SR_TID_Z) {
        set_row(dst, mask, w->tid[s - SR_TID_X]);
        return true;
    }
    bool lanes = s == SR_LANEID || (s >= SR_LM_EQ && s <= SR_LM_GT);
    uint32_t v = lanes ? 0 : per_warp(r, w, s);
    for (uint32_t l = 0; l < LANES; l++)
        row[l] = lanes ? per_lane(s, l) : v;
    set_row(dst, mask, row);
    return true;
}

bool core_s2r_wide(struct run *r, struct warp *w, struct dop *d, uint32_t mask)
{
    enum ir_sreg s = d->x.insn->sub;
    uint32_t *dst = x_dst(&w->x, &d->x, 0);
    uint32_t v[2] = {per_warp(r, w, s), per_warp(r, w, s == SR_CLOCK ? SR_CLOCK_HI : SR_TIMER_HI)};
    lanes_each (mask, l) {
        dst[l] = v[0];
        dst[LANES + l] = v[1];
    }
    return true;
}

bool core_nop(struct run *r, struct warp *w, struct dop *d, uint32_t mask)
{
    (void)r, (void)w, (void)d, (void)mask;
    return true;
}
