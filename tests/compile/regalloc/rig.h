/* SPDX-License-Identifier: Apache-2.0 */
/* A plain interpreter of machine code, virtual or physical, and a generator of random functions: allocation must not
 * change what a function does. One lane; every opcode without a meaning of its own here mixes its sources into a hash,
 * so that any wrong register shows. */
#ifndef TEST_REGALLOC_RIG_H
#define TEST_REGALLOC_RIG_H

#include "base/rng.h"
#include "compile/passes.h"
#include "compile/regs/regalloc.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { RIG_STACK_B = 1 << 18, RIG_STACK_TOP = 0xc000, RIG_LINK = 0x7777 };

struct rig_result {
    VEC(uint64_t) log; /* every effect: stores, and how it ended */
    uint32_t steps;
    const char *error; /* NULL: ran to an end */
};

/* Runs the function; `framed` code sets up its own R1. Callees are opaque: they trash what a callee may. */
struct rig_result rig_run(const struct ir_fn *fn, bool framed, uint32_t max_steps);
void rig_free(struct rig_result *r);
bool rig_same(const struct rig_result *a, const struct rig_result *b);

struct gen_opts {
    uint32_t insns;  /* roughly */
    uint32_t values; /* how many values to keep alive */
    uint32_t preds;
    bool loops, calls, device;
};
void gen_function(struct ir_fn *fn, struct arena *a, struct rng *r, const struct gen_opts *o);

/* A deep copy, so that one function can be allocated many times. */
void rig_clone(struct ir_fn *to, const struct ir_fn *from, struct arena *a);
uint32_t rig_count(const struct ir_fn *fn, enum ir_op op);

/* Building by hand: appends to the last block. */
struct ir_insn *rig_emit(struct ir_fn *fn, enum ir_op op, struct ir_opnd d, struct ir_opnd a,
                         struct ir_opnd b, struct ir_opnd c);

#endif
