/* SPDX-License-Identifier: Apache-2.0 */
/* Greedy then oldest: the warp that issued last as long as it can, else the oldest by launch order. */
#include "sm/wsched/gto.h"

static void gto_init(void *st, const struct sm_cfg *cfg)
{
    (void)cfg;
    ((struct gto *)st)->last = 64;
}

static int gto_pick(void *st, const struct wsched_view *v) { return (int)gto_choose(st, v->ready, v->age); }

const struct wsched_ops wsched_gto = {
    .is = {.name = "gto", .help = "greedy, then oldest", .state_b = sizeof(struct gto)},
    .greedy = true,
    .sticks = true,
    .init = gto_init,
    .pick = gto_pick};
