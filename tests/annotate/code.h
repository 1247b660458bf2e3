/* SPDX-License-Identifier: Apache-2.0 */
/* Small graphs of blocks for the passes over static code. */
#ifndef TESTS_ANNOTATE_CODE_H
#define TESTS_ANNOTATE_CODE_H

#include "trace/code/kernel.h"

enum { CODE_INSNS = 3000, CODE_BLOCKS = 24 };

struct code {
    struct tr_insn insns[CODE_INSNS];
    struct tr_block blocks[CODE_BLOCKS];
    uint32_t succ[CODE_BLOCKS][2];
    struct tr_kernel k;
    struct strands *s; /* test_strands.c: what was made of it */
};

static inline struct tr_opnd code_reg(int r, uint32_t n)
{
    return (struct tr_opnd){.kind = TO_REG, .n = (uint8_t)n, .val = (uint32_t)r};
}

/* d = cls(a, b); -1: none. */
static inline struct tr_insn *code_op(struct code *c, enum tr_class cls, int d, int a, int b)
{
    struct tr_insn *i = &c->insns[c->k.n++];
    int src[2] = {a, b};
    *i = (struct tr_insn){.cls = (uint8_t)cls, .target = TR_NO_TARGET};
    for (uint32_t s = 0; s < 2; s++)
        if (src[s] >= 0)
            i->src[i->nsrc++] = code_reg(src[s], 1);
    if (d >= 0)
        i->dst[i->ndst++] = code_reg(d, 1);
    return i;
}

/* Ends a block: its successors, -1: none. */
static inline void code_end(struct code *c, int a, int b)
{
    struct tr_block *x = &c->blocks[c->k.nblocks];
    uint32_t *succ = c->succ[c->k.nblocks];
    uint32_t start = c->k.nblocks ? x[-1].start + x[-1].n : 0;
    *x = (struct tr_block){.start = start, .n = c->k.n - start, .succ = succ, .ipdom = UINT32_MAX};
    if (a >= 0)
        succ[x->nsucc++] = (uint32_t)a;
    if (b >= 0)
        succ[x->nsucc++] = (uint32_t)b;
    c->k.nblocks++;
    c->k.insns = c->insns;
    c->k.blocks = c->blocks;
}

#endif
