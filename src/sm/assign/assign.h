/* SPDX-License-Identifier: Apache-2.0 */
/* The seam `assign`: the partition of a new warp, or its scheduler. A policy proposes; where the proposed partition has no slot
 * or registers left, the next one that has takes the warp. One state per SM. */
#ifndef SM_ASSIGN_ASSIGN_H
#define SM_ASSIGN_ASSIGN_H

#include "sm/policy.h"

struct assign_ops {
    struct policy is;
    bool shares; /* where schedulers are isolated it picks one of these: partition * schedulers + scheduler */
    bool skips;  /* nth leaves out one number after a CTA whose warps were a multiple of the partitions */
    void (*init)(void *st, const struct sm_cfg *cfg, uint32_t sm); /* may be NULL */
    /* nth: warps that this SM has been given before, ever, and what was skipped. */
    uint32_t (*pick)(void *st, uint64_t nth);
};

extern const struct assign_ops *const assign_list[]; /* NULL-terminated */
const struct assign_ops *assign_find(const char *name);

#endif
