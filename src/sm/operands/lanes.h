/* SPDX-License-Identifier: Apache-2.0 */
/* Where the lanes of a warp were last seen, for policies that give up registers when the code says that no lane wants them. The
 * code says so for lanes that have parted as branches let them (annotate/apart.h); a warp also changes between its lanes after
 * many branches back, and then some are where nobody thought. So nothing is given up on the code's word alone: a lane that was
 * last seen where a register was live may want it. What is kept for it goes as soon as no lane does. A real machine would have
 * a compiler that forbids such interleaving; the policies count how rare it is. */
#ifndef SM_OPERANDS_LANES_H
#define SM_OPERANDS_LANES_H

#include "annotate/regset.h"
#include "trace/trace.h"

struct lanes {
    uint32_t n;
    struct lanes_at {
        uint32_t mask, at;
    } groups[TR_LANES + 1];
};

/* These lanes have executed an instruction. */
void lanes_move(struct lanes *l, uint32_t at, uint32_t mask);
/* May one of these lanes want the register? `live`: by instruction, after it. */
bool lanes_want(const struct lanes *l, uint32_t lanes, const regset *live, uint32_t reg);

#endif
