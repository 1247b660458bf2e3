/* SPDX-License-Identifier: Apache-2.0 */
/* One kind of tensor instruction, shared by mma and wmma. */
#ifndef COMPILE_LOWER_MMA_H
#define COMPILE_LOWER_MMA_H

#include "compile/lower/lower.h"

struct mma {
    enum ir_type acc, ab;
    unsigned rows;    /* blocks of 8 rows: 1 or 2 */
    unsigned kregs;   /* registers of B, and of A per block of rows (doubles: pairs) */
    unsigned accregs; /* accumulator registers of a block of rows (doubles: pairs) */
    uint8_t signs, and_popc;
    bool sat;
};

unsigned mma_per_reg(enum ir_type ab);
/* d = a * b + c for 8 columns; operands in the order of ops.def, d gets fresh temporaries. */
void mma_emit(struct lower *L, const struct mma *m, const opnd *a, const opnd *b, const opnd *c, opnd *d);

/* wmma: is the shape one for elements of this type (or reported)? Are the matrices transposed and change places? */
bool wmma_shape_ok(struct lower *L, const struct ptx_insn *i, enum ir_type ab);
bool wmma_swapped(const struct ptx_insn *i);
bool lower_wmma_load(struct lower *L, const struct ptx_insn *i, bool is_b);
bool lower_wmma_acc(struct lower *L, const struct ptx_insn *i, const struct ptx_opnd *frag,
                    const struct ptx_opnd *addr, const struct ptx_opnd *stride, bool is_store);

#endif
