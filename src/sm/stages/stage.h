/* SPDX-License-Identifier: Apache-2.0 */
/* The stages of a partition, as templates over what a machine may have (sm/features.h): the last parameter, `on`, is always a
 * constant. They are read in this order: fetch.h, issue.h, need.h and collect.h (operands), flight.h (units and results), warp.h
 * (who can issue); run.c walks them back to front in each cycle. */
#ifndef SM_STAGES_STAGE_H
#define SM_STAGES_STAGE_H

#include "sm/core.h"

#define STAGE static inline __attribute__((always_inline))

/* A policy whose file instantiates the stages (STAGES in tick.h) names its table before it includes them: they call its functions
 * without a pointer, and ask for none that it lacks. */
#ifdef STAGE_POLICY
extern const struct operands_ops STAGE_POLICY;
#define STAGE_OPS(s) ((void)(s), &STAGE_POLICY)
#else
#define STAGE_OPS(s) ((s)->operands.ops)
#endif

/* The operands' policy; where the stage is for machines without one, a table of nothing. */
STAGE const struct operands_ops *stage_ops(const struct sm *s, features on)
{
    static const struct operands_ops none;
    return on & F_POLICY ? STAGE_OPS(s) : &none;
}

/* Does this SM have the feature that `option` of it tells of? */
#define HAS(feature, option, on) ((on) & (feature) && ((on) >> 32 & (feature) || (option)))
STAGE bool has_issue_latch(const struct sm *s, features on)
{
    return HAS(F_ISSUE_LATCH, s->cfg->issue_latch, on);
}
STAGE bool has_unit_latch(const struct sm *s, features on)
{
    return HAS(F_UNIT_LATCH, s->cfg->unit_latch, on);
}
STAGE bool has_all_collect(const struct sm *s, features on)
{
    return HAS(F_ALL_COLLECT, s->cfg->all_collect, on);
}
STAGE bool locks_registers(const struct sm *s, features on)
{
    return !HAS(F_UNLOCKED, !s->cfg->read_lock, on);
}
STAGE bool is_isolated(const struct sm *s, features on) { return HAS(F_ISOLATED, s->cfg->isolated, on); }

/* Has this SM one of these features? For those that no option or pointer tells of. */
STAGE bool stage_has(const struct sm *s, features which, features on)
{
    return on & which && s->features & which;
}

#endif
