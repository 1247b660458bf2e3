/* SPDX-License-Identifier: Apache-2.0 */
#include "sm/operands/lanes.h"

void lanes_move(struct lanes *l, uint32_t at, uint32_t mask)
{
    uint32_t n = 0;
    if (!mask)
        return;
    for (uint32_t i = 0; i < l->n; i++) {
        struct lanes_at g = l->groups[i];
        g.mask &= ~mask;
        if (g.mask)
            l->groups[n++] = g;
    }
    l->groups[n] = (struct lanes_at){mask, at};
    l->n = n + 1;
}

/* A lane that was not seen yet may come from anywhere. */
bool lanes_want(const struct lanes *l, uint32_t lanes, const regset *live, uint32_t reg)
{
    for (uint32_t i = 0; i < l->n; i++) {
        if (l->groups[i].mask & lanes && regset_has(&live[l->groups[i].at], reg))
            return true;
        lanes &= ~l->groups[i].mask;
    }
    return lanes != 0;
}
