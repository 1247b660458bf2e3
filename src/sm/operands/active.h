/* What the caches have in common whose entries belong to active warps and may hold what no bank has: rfc, swrfc, ltrf. */
#ifndef SM_OPERANDS_ACTIVE_H
#define SM_OPERANDS_ACTIVE_H

#include <stdint.h>

struct sm_cfg;

const char *active_fits(const struct sm_cfg *cfg); /* see operands_ops.fits */
int64_t active_slots(const struct sm_cfg *cfg);    /* warps of the SM that have entries at a time */

#endif
