/* SPDX-License-Identifier: Apache-2.0 */
/* Greedy, then oldest; a warp that stops for a result of fixed latency goes behind all others. NVIDIA's assembler marks such
 * places in code (yield). */
#include "sm/wsched/wsched.h"

struct yield {
    uint32_t last;    /* 64: none; noted by the SM */
    uint64_t yields;  /* how often any did */
    uint64_t at[64];  /* by slot: which of them was the last of its warp */
    uint64_t age[64]; /* ... and of which warp */
};

static void yield_init(void *st, const struct sm_cfg *cfg)
{
    (void)cfg;
    ((struct yield *)st)->last = 64;
}

static bool behind(const struct yield *y, const struct wsched_view *v, uint32_t a, uint32_t b)
{
    uint64_t at = y->age[a] == v->age[a] ? y->at[a] : 0, bt = y->age[b] == v->age[b] ? y->at[b] : 0;
    return at != bt ? at > bt : v->age[a] > v->age[b];
}

static int yield_pick(void *st, const struct wsched_view *v)
{
    struct yield *y = st;
    if (y->last < 64) {
        if (v->ready >> y->last & 1)
            return (int)y->last;
        if (v->computing) {
            y->at[y->last] = ++y->yields;
            y->age[y->last] = v->age[y->last];
        }
    }
    uint32_t best = (uint32_t)__builtin_ctzll(v->ready);
    for (uint64_t m = v->ready & (v->ready - 1); m; m &= m - 1) {
        uint32_t i = (uint32_t)__builtin_ctzll(m);
        best = behind(y, v, best, i) ? i : best;
    }
    return (int)best;
}

const struct wsched_ops wsched_yield = {
    .is = {.name = "yield",
           .help = "greedy, then oldest; a warp that waits for a result goes behind the others",
           .state_b = sizeof(struct yield)},
    .sticks = true,
    .asks = true,
    .init = yield_init,
    .pick = yield_pick};
