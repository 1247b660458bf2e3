/* The stages of a partition are compiled for five ways of running a machine: any; plain, where nothing but banks, collectors and
 * the scheduler's order decides and nobody watches; plain, but checked; plain, but watched; and plain, but both. What a way
 * lacks is known to the compiler then, and costs nothing. A stage is one text all the same: its last parameter says which way it
 * is compiled for, always a constant (run.c). tests/gpu/test_plain.c: all have the same counters. */
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

/* Plain machines: is what they do checked, and does somebody watch? */
STAGE bool plain_checked(enum way way) { return way == CHECKED || way == WATCHED_CHECKED; }
STAGE bool plain_watched(enum way way) { return way == WATCHED || way == WATCHED_CHECKED; }

#endif
