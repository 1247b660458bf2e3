/* SPDX-License-Identifier: Apache-2.0 */
/* The unified memory of Gebhart et al. (MICRO 2012): one pool. An access takes one bank of each cluster in a cycle, or, in the
 * paper's aggressive design, as many as it has rows in, of which a cluster sends no more than one row's bytes. */
#include "sm/onchip/pool.h"
#include "sm/sm.h"

/* A 4:1 multiplexer and longer wires to other clusters: 10% of an access to shared memory or cache (section 5.2). */
static struct onchip_arrays arrays(const struct sm_cfg *c)
{
    return (struct onchip_arrays){.banks = POOL_BANKS,
                                  .shared_kb = c->onchip_kb,
                                  .cache_kb = c->onchip_kb,
                                  .register_kb = c->onchip_kb,
                                  .wire = 0.1};
}

/* Tags for a cache as large as the pool, of 19 bits a line, where a cache of 64 KB has 18 (section 4.1: 7.125 and 1.125 KB). */
static uint32_t storage(const struct sm_cfg *c, struct storage_row rows[STORAGE_MAX])
{
    enum { FIXED_KB = 64 };
    rows[0] = (struct storage_row){"tags of L1", c->onchip_kb * 1024 / LINE_B, 19};
    rows[1] = (struct storage_row){"tags of an L1 of 64 KB", -(FIXED_KB * 1024 / LINE_B), 18};
    return 2;
}

static const struct policy_unread unread[] = {{"sm.registers", ""},     {"sm.shared_kb", ""},
                                              {"sm.shared_cta_kb", ""}, {"sm.l1_kb", ""},
                                              {"sm.shared_banks", ""},  {0}};

const struct onchip_ops onchip_unified = {
    .is = {.name = "unified",
           .help = "registers, shared memory and L1 are regions of one pool, divided for each program",
           .unread = unread,
           .fits = pool_fits,
           .storage = storage},
    .cta_fits = pool_cta_fits,
    .split = pool_split,
    .plan = pool_plan,
    .arrays = arrays,
    .pool = true,
};

const struct onchip_ops onchip_unified_multi = {
    .is = {.name = "unified-multi",
           .help = "as unified; an access may take several banks of a cluster at once",
           .unread = unread,
           .fits = pool_fits,
           .storage = storage},
    .cta_fits = pool_cta_fits,
    .split = pool_split,
    .plan = pool_plan,
    .arrays = arrays,
    .pool = true,
    .many = true,
};
