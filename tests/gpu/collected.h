/* SPDX-License-Identifier: Apache-2.0 */
/* Is an instruction in a collector? Its warp has a list of those that are. */
#ifndef TESTS_GPU_COLLECTED_H
#define TESTS_GPU_COLLECTED_H

#include "sm/core.h"

static inline bool in_collector(const struct part *p, uint32_t f)
{
    uint32_t k = p->warps[p->flights[f].warp].collected;
    while (k && k != f + 1)
        k = p->flights[k - 1].collected;
    return k;
}

#endif
