/* SPDX-License-Identifier: Apache-2.0 */
/* Any warp that is ready, by lot: what a scheduler with scores gains if they mean nothing. */
#include "base/rng.h"
#include "sm/sm.h"
#include "sm/wsched/wsched.h"

static void random_init(void *st, const struct sm_cfg *cfg) { *(struct rng *)st = (struct rng){cfg->seed}; }

static int random_pick(void *st, const struct wsched_view *v)
{
    uint64_t m = v->ready;
    for (uint32_t n = rng_below(st, (uint32_t)__builtin_popcountll(m)); n; n--)
        m &= m - 1;
    return __builtin_ctzll(m);
}

const struct wsched_ops wsched_random = {.is = {.name = "random",
                                                .help = "any that is ready, by lot",
                                                .state_b = sizeof(struct rng),
                                                .draws = true},
                                         .init = random_init,
                                         .pick = random_pick};
