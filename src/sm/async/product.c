/* SPDX-License-Identifier: Apache-2.0 */
/* Products of a warp group (wgmma): the four warps of a group issue one each, in their partitions; a tensor core multiplies
 * 16 of the 64 rows. What it takes from shared memory comes at 128 bytes a cycle for the group: 64 rows of A, unless they
 * are in registers, and the columns of B, 32 bytes each. Accumulators stay in registers, and are read and written while it
 * multiplies.
 *
 * Hand count: of n columns a product takes max(n / 2, 16 + n / 4) cycles, or max(n / 2, n / 4) with A in registers
 * (silicon/async.cu), from sm.product_way_cyc after its issue or the end of the one before, and is done sm.product_cyc after
 * that. */
#include "sm/async/inside.h"

enum { A_CYC = 16, COLUMN_B = 32, SHARED_B = 128 };

/* As long as the wheel goes: a queue of more does not arise with the figures of any GPU. */
static void hold_until(struct part *p, uint32_t w, uint64_t until, uint64_t t)
{
    uint64_t cyc = until > t ? until - t : 0;
    sm_warp_hold(p, w, BLOCK_TENSOR, (uint32_t)(cyc < WHEEL ? cyc : WHEEL - 1), t);
}

static void commit(struct async_warp *x)
{
    if (x->ngroups == PRODUCT_GROUPS) { /* more than are told apart: the two oldest become one */
        memmove(x->group, x->group + 1, sizeof x->group - sizeof x->group[0]);
        x->ngroups--;
    }
    x->group[x->ngroups++] = x->last;
}

static void wait(struct part *p, uint32_t w, struct async_warp *x, uint32_t stay, uint64_t t)
{
    uint64_t until = x->ngroups > stay ? x->group[x->ngroups - stay - 1u] : 0;
    uint32_t gone = 0;
    while (gone < x->ngroups && x->group[gone] <= (until > t ? until : t))
        gone++;
    memmove(x->group, x->group + gone, sizeof x->group[0] * (x->ngroups - gone));
    x->ngroups = (uint8_t)(x->ngroups - gone);
    hold_until(p, w, until, t);
}

static void multiply(struct part *p, uint32_t w, struct async_warp *x, const struct kinsn *k, uint64_t t)
{
    struct sm *s = p->sm;
    uint64_t *unit = &p->unit_free[0][UNIT_TENSOR];
    uint32_t n = k->imm & TG_COLUMNS, feed = (k->count ? 0 : A_CYC) + n * COLUMN_B / SHARED_B;
    uint32_t ii = n / 2 > feed ? n / 2 : feed;
    uint64_t start = t + s->cfg->product_way_cyc > *unit ? t + s->cfg->product_way_cyc : *unit;
    *unit = start + ii;
    x->last = start + ii + s->cfg->product_cyc;
    if (s->operands.ops->past)
        s->operands.ops->past(p->operands, w, k);
    if (p->check && !s->cfg->all_collect) /* there the instruction has a collector, too */
        check_past(p, w, k);
    s->stats[SS_products]++;
    s->stats[SS_product_cycles] += ii;
    s->stats[SS_product_work] += n / 2;
    s->stats[SS_product_regs] += k->nacc;
    s->stats[SS_product_a_regs] += k->count;
    /* A warp's share of what the group reads. */
    s->stats[SS_product_shared_b] += ((k->count ? 0 : A_CYC * SHARED_B) + n * COLUMN_B) / 4;
    uint64_t ahead = (uint64_t)s->cfg->product_queue * ii;
    hold_until(p, w, start > ahead ? start - ahead : 0, t);
}

void product_issue(struct part *p, uint32_t w, const struct ientry *e, uint64_t t)
{
    struct async_warp *x = async_warp(async_of(p->sm), p, w);
    uint32_t what = e->k->imm;
    if (what & TG_WAIT) {
        wait(p, w, x, what & TG_COLUMNS, t);
        return;
    }
    if (what & TG_COLUMNS)
        multiply(p, w, x, e->k, t);
    if (what & TG_COMMIT)
        commit(x);
}
