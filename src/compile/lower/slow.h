/* SPDX-License-Identifier: Apache-2.0 */
/* The slow paths of f32 division and square root as subroutines, one of each for all their uses in a kernel, as NVIDIA's
 * assembler has them. They keep to no calling convention: a subroutine gets the registers that nothing lives in at any of its
 * calls, which is known once the kernel has its registers. compile.c calls these in order; what cannot be done (device
 * functions, too few registers) stays the one instruction SLOWF. */
#ifndef COMPILE_SLOW_H
#define COMPILE_SLOW_H

#include "compile/reach.h"
#include "ir/ir.h"

enum slow { SLOW_DIV, SLOW_SQRT, SLOW_COUNT }; /* by SLOWF's sub */
enum {
    SLOW_REGS = 16, /* what a subroutine is compiled for */
    SLOW_A = 4,     /* its operands until slow_bind; the result is where the first was */
    SLOW_B = 5,
};

/* Is it an instruction that becomes a call? */
bool slow_is(const struct ir_insn *i, enum slow kind);
bool slow_used(const struct ir_fn *fn, enum slow kind);
/* The subroutine in virtual registers; fn comes initialised. False: errors were reported. */
bool slow_lower(struct reach *u, enum slow kind, struct ir_fn *fn);
/* Gives the compiled subroutine its registers, at most up to `limit`, and makes the kernel call it. False: there are not
 * enough, and nothing has changed. */
bool slow_bind(struct ir_fn *kernel, struct ir_fn *sub, enum slow kind, uint32_t limit);

#endif
