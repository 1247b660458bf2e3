/* SPDX-License-Identifier: Apache-2.0 */
/* Round robin: a counter modulo the number of partitions, as in current GPUs (partition paper, section III-B). An H200 lets the
 * counter skip one after a CTA whose warps have filled whole rounds, so that warp 0 of such CTAs is in each partition in turn
 * (`turn`; measured with %warpid and pairs of warps that do and do not slow each other down, for CTAs of 1 to 32 warps). */
#include "sm/assign/assign.h"

#include "sm/sm.h"

struct rr {
    uint32_t n;
};

static void rr_init(void *st, const struct sm_cfg *cfg, uint32_t sm)
{
    (void)sm;
    ((struct rr *)st)->n = cfg->partitions;
}

static uint32_t rr_pick(void *st, uint64_t nth) { return (uint32_t)(nth % ((struct rr *)st)->n); }

const struct assign_ops assign_rr = {
    .is = {.name = "rr", .help = "round robin", .state_b = sizeof(struct rr)},
    .init = rr_init,
    .pick = rr_pick};

const struct assign_ops assign_turn = {
    .is = {.name = "turn",
           .help = "round robin; CTAs of whole rounds start one partition further each",
           .state_b = sizeof(struct rr)},
    .skips = true,
    .init = rr_init,
    .pick = rr_pick};
