/* One kind of tensor step, shared by mma and wmma. */
#ifndef COMPILE_LOWER_MMA_H
#define COMPILE_LOWER_MMA_H

#include "compile/lower.h"

struct mma {
    enum ir_type acc, ab;
    unsigned kregs;   /* registers of A per 8 rows (doubles: pairs) */
    unsigned accregs; /* accumulator registers of an 8x8 tile (doubles: pairs) */
    uint8_t signs, and_popc;
    bool sat;
};

unsigned mma_per_reg(enum ir_type ab);
/* d = a * b + c for one 8x8 tile; d gets fresh temporaries. */
void mma_step(struct lower *L, const struct mma *m, const opnd *a, const opnd *b, const opnd *c, opnd *d);

#endif
