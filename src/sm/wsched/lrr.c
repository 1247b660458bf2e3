/* SPDX-License-Identifier: Apache-2.0 */
/* Loose round robin: the next ready slot after the last one that issued. */
#include "sm/wsched/wsched.h"

struct lrr {
    uint32_t last;
};

static void lrr_init(void *st, const struct sm_cfg *cfg)
{
    (void)cfg;
    ((struct lrr *)st)->last = 63;
}

static int lrr_pick(void *st, const struct wsched_view *v)
{
    uint32_t last = ((struct lrr *)st)->last;
    uint64_t after = last == 63 ? 0 : v->ready & ~0ull << (last + 1);
    return __builtin_ctzll(after ? after : v->ready);
}

static void lrr_issued(void *st, uint32_t slot) { ((struct lrr *)st)->last = slot; }

const struct wsched_ops wsched_lrr = {
    .is = {.name = "lrr", .help = "loose round robin", .state_b = sizeof(struct lrr)},
    .init = lrr_init,
    .pick = lrr_pick,
    .issued = lrr_issued};
