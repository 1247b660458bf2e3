/* SPDX-License-Identifier: Apache-2.0 */
/* Malekeh (section IV-B1): the warp that issued last as long as it can, then warps with registers in a collector, then the
 * others; the older first in both. Where no collector keeps registers it is greedy, then oldest. */
#include "sm/wsched/wsched.h"

struct malekeh {
    uint32_t last; /* 64: none; noted by the SM */
};

static void malekeh_init(void *st, const struct sm_cfg *cfg)
{
    (void)cfg;
    ((struct malekeh *)st)->last = 64;
}

static int malekeh_pick(void *st, const struct wsched_view *v)
{
    uint32_t last = ((struct malekeh *)st)->last;
    uint64_t holding = v->ready & v->holding;
    if (last < 64 && v->ready >> last & 1)
        return (int)last;
    return (int)wsched_oldest(holding ? holding : v->ready, v->age);
}

const struct wsched_ops wsched_malekeh = {
    .is = {.name = "malekeh",
           .help = "greedy, then oldest with registers in a collector, then oldest",
           .state_b = sizeof(struct malekeh)},
    .sticks = true,
    .init = malekeh_init,
    .pick = malekeh_pick};
