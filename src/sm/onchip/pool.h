/* SPDX-License-Identifier: Apache-2.0 */
/* One pool of SRAM for registers, shared memory and cache, in 32 banks: `sm.banks` of them in each of `sm.clusters`, with rows of
 * 128 / clusters bytes (unified paper, section 4.2). For the policies that divide it, and for tests. */
#ifndef SM_ONCHIP_POOL_H
#define SM_ONCHIP_POOL_H

#include "sm/onchip/onchip.h"

enum { POOL_BANKS = 32 };

/* CTAs of a launch that the pool has room for, beside the other limits of the SM. */
uint64_t pool_ctas(const struct sm_cfg *cfg, const struct sm_need *n);
const char *pool_fits(const struct sm_cfg *cfg, struct arena *a);
const char *pool_cta_fits(const struct sm_cfg *cfg, const struct sm_need *n, struct arena *a);
struct onchip_split pool_split(const struct sm_cfg *cfg, const struct sm_need *n);
const char *pool_plan(const struct sm_cfg *cfg, const struct onchip_use *uses, uint32_t n,
                      struct onchip_split *to, struct arena *a);

#endif
