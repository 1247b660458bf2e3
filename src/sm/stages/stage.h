/* SPDX-License-Identifier: Apache-2.0 */
/* The stages of a partition, as templates over what a machine may have (sm/features.h): the last parameter, `on`, is always a
 * constant. They are read in this order: fetch.h, issue.h, need.h and collect.h (operands), flight.h (units and results), warp.h
 * (who can issue); run.c walks them back to front in each cycle. */
#ifndef SM_STAGES_STAGE_H
#define SM_STAGES_STAGE_H

#include "sm/core.h"

#define STAGE static inline __attribute__((always_inline))

/* The operands' policy; where the stage is for machines without one, a table of nothing. */
STAGE const struct operands_ops *stage_ops(const struct sm *s, features on)
{
    static const struct operands_ops none;
    return on & F_POLICY ? s->operands.ops : &none;
}

/* Has this SM one of these features? For those that no option or pointer tells of. */
STAGE bool stage_has(const struct sm *s, features which, features on)
{
    return on & which && s->features & which;
}

#endif
