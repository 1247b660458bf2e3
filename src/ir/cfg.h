/* SPDX-License-Identifier: Apache-2.0 */
/* Control flow of one function: order, dominators, post-dominators, loops. Computed afresh by whoever needs it. */
#ifndef IR_CFG_H
#define IR_CFG_H

#include "ir/ir.h"

enum { CFG_NONE = UINT32_MAX };

struct ir_cfg {
    uint32_t n;    /* blocks */
    uint32_t *rpo; /* reachable blocks in reverse post-order */
    uint32_t nrpo;
    uint32_t *rpo_of;             /* position in rpo, CFG_NONE: unreachable */
    uint32_t *idom;               /* immediate dominator; entry: itself; unreachable: CFG_NONE */
    uint32_t *dom_pre, *dom_size; /* of the dominator tree: pre-order number, nodes in the subtree */
    uint32_t *ipdom;       /* immediate post-dominator; CFG_NONE: the virtual exit (or no path to an exit) */
    uint32_t *loop;        /* header of the innermost natural loop around the block, CFG_NONE: none */
    uint32_t *depth;       /* loop depth */
    uint32_t *loop_parent; /* by header: the header of the enclosing loop */
};

/* Fills succ and pred of every block from the closing instructions (BRX targets are kept), then the analyses. */
void ir_cfg_link(struct ir_fn *fn);
struct ir_cfg *ir_cfg_build(struct ir_fn *fn, struct arena *a);
bool ir_dominates(const struct ir_cfg *c, uint32_t a, uint32_t b);
bool ir_postdominates(const struct ir_cfg *c, uint32_t a, uint32_t b);
void ir_cfg_print(FILE *to, const struct ir_fn *fn, const struct ir_cfg *c);

#endif
