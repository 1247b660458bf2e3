/* The stages of a partition are compiled twice: for every machine, and for plain ones (sm.plain), where nothing but banks,
 * collectors and the scheduler's order decides and nobody watches. What a plain machine lacks is then known to the compiler, and
 * costs nothing. A stage is one text all the same: its last parameter says for whom it is compiled, always a constant
 * (run.c). tests/gpu/test_plain.c: both have the same counters. */
#ifndef SM_STAGES_STAGE_H
#define SM_STAGES_STAGE_H

#include "sm/core.h"

#define STAGE static inline __attribute__((always_inline))

/* The operands' policy: that of a plain machine has no opinion. */
STAGE const struct operands_ops *stage_ops(const struct sm *s, bool plain)
{
    static const struct operands_ops none;
    return plain ? &none : s->ops;
}

#endif
