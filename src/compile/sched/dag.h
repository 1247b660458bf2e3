/* SPDX-License-Identifier: Apache-2.0 */
/* The dependences of a block's instructions: what must stay before what, and by how many cycles. */
#ifndef COMPILE_DAG_H
#define COMPILE_DAG_H

#include "base/bitset.h"
#include "compile/passes.h"

struct dag_edge {
    uint32_t from, to;
    uint32_t next_succ, next_pred; /* the next edge with the same `from`, and with the same `to`; 0: last */
    uint32_t lat;
};

struct dag_node {
    uint32_t succ, pred; /* first edges, 0: none */
    uint32_t nsucc;
    uint32_t depth; /* cycles from the start of the block to its issue on the longest path */
    /* First of the instruction's registers in bits: defined ones, of which those come first whose old value ends here, then read
     * ones, each once, and of those the ones first whose old value ends here as well. */
    uint32_t bits0;
    uint16_t nkills, ndefs, nagain, nbits; /* nagain: the end of those read ones */
    uint8_t busy;                          /* cycles for which it has the tensor core for itself */
};

struct dag {
    uint32_t n;
    struct dag_node *nodes;
    VEC(struct dag_edge) edges; /* entry 0 is not used */
    uint32_t *bits;             /* liveness bits of all nodes */
    uint32_t longest;           /* latency of an edge */
};

struct dag *dag_build(const struct ir_fn *fn, const struct ir_live *l, const struct ir_block *b,
                      struct arena *a);
void dag_free(struct dag *d);

#endif
