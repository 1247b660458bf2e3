/* The stages of a partition are compiled for four ways of running a machine: any; plain, where nothing but banks, collectors and
 * the scheduler's order decides and nobody watches; plain, but checked; and plain, but watched (and perhaps checked). What a way
 * lacks is known to the compiler then, and costs nothing. A stage is one text all the same: its last parameter says which way it is compiled for, always a constant
 * (run.c). tests/gpu/test_plain.c: all have the same counters. */
#ifndef SM_STAGES_STAGE_H
#define SM_STAGES_STAGE_H

#include "sm/core.h"

#define STAGE static inline __attribute__((always_inline))

/* The operands' policy: that of a plain machine has no opinion. */
STAGE const struct operands_ops *stage_ops(const struct sm *s, enum way way)
{
    static const struct operands_ops none;
    return way != ANY ? &none : s->ops;
}

#endif
