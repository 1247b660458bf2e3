/* SPDX-License-Identifier: Apache-2.0 */
/* Skewed round robin: (W + W / N) mod N for the W-th warp of the SM and N partitions (partition paper, equation 1), so that every
 * N-th warp, where databases have their long ones, moves on by one partition. Repeats after N * N warps, which divides 16: four
 * entries of the table hold it whole. */
#include "sm/assign/assign.h"
#include "sm/assign/hash.h"

CONF_TABLE(hash_options, "hash", hash_cfg, HASH_OPTIONS);

static void srr_init(void *st, const struct sm_cfg *cfg, uint32_t sm)
{
    struct hash *h = st;
    uint32_t n = hash_places(cfg);
    (void)sm;
    h->n = ((const struct hash_cfg *)policy_options(cfg, &hash_options))->entries;
    for (uint32_t w = 0; w < h->n * HASH_PER_ENTRY; w++)
        hash_put(h, w, (w + w / n) % n);
}

static uint32_t srr_pick(void *st, uint64_t nth) { return hash_get(st, nth); }

const struct assign_ops assign_srr = {.is = {.name = "srr",
                                             .help = "skewed round robin",
                                             .state_b = sizeof(struct hash),
                                             .options = {&hash_options},
                                             .fits = hash_fits},
                                      .shares = true,
                                      .init = srr_init,
                                      .pick = srr_pick};
