/* SPDX-License-Identifier: Apache-2.0 */
/* Register-bank-aware (partition paper, section IV-A): the warp whose next instruction reads the banks with the fewest reads
 * queued, the older of two that score alike. */
#include "sm/wsched/wsched.h"

#define RBA_OPTIONS(T, OPT, NAME)                                                                            \
    OPT(T, score_cyc, U32, 0, 0, 20, "age of the queue lengths that scores are made of")
CONF_STRUCT(rba_cfg, RBA_OPTIONS);
CONF_TABLE(rba_options, "rba", rba_cfg, RBA_OPTIONS);

static int rba_pick(void *st, const struct wsched_view *v)
{
    (void)st;
    uint32_t best = (uint32_t)__builtin_ctzll(v->ready);
    for (uint64_t m = v->ready & (v->ready - 1); m; m &= m - 1) {
        uint32_t i = (uint32_t)__builtin_ctzll(m);
        if (v->score[i] < v->score[best] || (v->score[i] == v->score[best] && v->age[i] < v->age[best]))
            best = i;
    }
    return (int)best;
}

static uint32_t rba_late(const struct sm_cfg *cfg)
{
    return ((const struct rba_cfg *)policy_options(cfg, &rba_options))->score_cyc;
}

const struct wsched_ops wsched_rba = {
    .is = {.name = "rba",
           .help = "fewest reads queued at the operands' banks, then oldest",
           .options = {&rba_options}},
    .score_late = rba_late,
    .pick = rba_pick};
