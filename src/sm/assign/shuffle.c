/* SPDX-License-Identifier: Apache-2.0 */
/* Random, but balanced: each round over the partitions gives every one of them one warp, in random order, so that their counts
 * never differ by more than one (partition paper, section IV-B2). Each SM draws its own table; with the same seed it is the same
 * table. */
#include "base/rng.h"
#include "sm/assign/assign.h"
#include "sm/assign/hash.h"

static void shuffle_init(void *st, const struct sm_cfg *cfg, uint32_t sm)
{
    struct hash *h = st;
    struct rng rng = {(uint64_t)cfg->seed << 32 | sm};
    uint32_t round[HASH_PER_ENTRY], n = hash_places(cfg);
    h->n = ((const struct hash_cfg *)policy_options(cfg, &hash_options))->entries;
    for (uint32_t w = 0; w < h->n * HASH_PER_ENTRY; w++) {
        uint32_t k = w % n;
        for (uint32_t i = 0; k == 0 && i < n; i++)
            round[i] = i;
        uint32_t other = k + rng_below(&rng, n - k), take = round[other];
        round[other] = round[k];
        round[k] = take;
        hash_put(h, w, take);
    }
}

static uint32_t shuffle_pick(void *st, uint64_t nth) { return hash_get(st, nth); }

const struct assign_ops assign_shuffle = {.is = {.name = "shuffle",
                                                 .help = "random, counts differ by one at most",
                                                 .state_b = sizeof(struct hash),
                                                 .options = {&hash_options},
                                                 .draws = true,
                                                 .fits = hash_fits},
                                          .shares = true,
                                          .init = shuffle_init,
                                          .pick = shuffle_pick};
