/* Register-bank-aware (partition paper, section IV-A): the warp whose next instruction reads the banks with the fewest reads
 * queued, the older of two that score alike. */
#include "sm/wsched/wsched.h"

static void rba_init(void *st, const struct sm_cfg *cfg)
{
    (void)st;
    (void)cfg;
}

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

static void rba_issued(void *st, uint32_t slot)
{
    (void)st;
    (void)slot;
}

const struct wsched_ops wsched_rba = {.name = "rba",
                                      .help = "fewest reads queued at the operands' banks, then oldest",
                                      .state_b = 1,
                                      .scores = true,
                                      .init = rba_init,
                                      .pick = rba_pick,
                                      .issued = rba_issued};
