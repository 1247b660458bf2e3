/* SPDX-License-Identifier: Apache-2.0 */
/* What rfc, swrfc and ltrf have in common: caches whose entries belong to the active warps, and may hold values that are in no
 * bank. */
#ifndef SM_OPERANDS_ACTIVE_H
#define SM_OPERANDS_ACTIVE_H

#include "sm/policy.h"
#include "sm/wsched/active.h"

const char *active_fits(const struct sm_cfg *cfg, struct arena *a); /* see policy.fits */
int64_t active_slots(const struct sm_cfg *cfg); /* warps of the SM that have entries at a time */

uint32_t active_warps(const struct sm_cfg *cfg); /* of a scheduler with an active set */
/* See policy.price: an SRAM with a row for each of `entries` of every active warp; what is found there goes to the collector. */
double active_price(const struct sm_cfg *cfg, uint32_t entries, const uint64_t *stats, const struct price *p);

#endif
