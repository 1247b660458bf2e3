/* SPDX-License-Identifier: Apache-2.0 */
#include "sm/core.h"

/* An option that is not at its default. */
static features of_options(const struct sm_cfg *c)
{
    features f = 0;
#define OPT(...)
#define NAME(...)
#define OPT_OF(feature, name, type, def, ...) f |= c->name != (def) ? F_##feature : 0;
#define NAME_OF(feature, name, def, ...) f |= strcmp(c->name, def) != 0 ? F_##feature : 0;
#include "sm/sm.def"
#undef OPT
#undef NAME
    return f;
}

/* Has the table anything but what every policy declares, and what no stage asks for? */
static bool has_functions(const struct operands_ops *o)
{
    static const struct operands_ops none;
    struct operands_ops rest;
    memcpy(&rest, o, sizeof rest);
    memset(&rest.is, 0, sizeof rest.is);
    rest.latched = rest.sets = false;
    rest.past = NULL;
    rest.stages = NULL;
    /* NOLINTNEXTLINE(bugprone-suspicious-memory-comparison): both are copies of constant tables, whose padding is zero */
    return memcmp(&rest, &none, sizeof rest) != 0;
}

static features of_policies(const struct sm *s)
{
    const struct wsched_ops *w = s->sched;
    return (has_functions(s->operands.ops) ? F_POLICY : 0) |
           (w->score_late || w->asks || w->active || w->strands ? F_CHOICE : 0) |
           (s->lsu.ops->holds ? F_HOLDS : 0) | (s->onchip.follows ? F_FOLLOWED : 0);
}

/* Options of banks may differ from their defaults and make no difference to the stages. */
static features of_banks(const struct sm *s)
{
    const struct banks *b = &s->parts->banks;
    bool plain = b->n <= NEED_BANKS && b->reads == 1 && !s->parts->collect.limited;
    return (plain ? 0 : F_BANKS) | (b->write_port || !b->write_queue ? F_WRITES : 0);
}

/* Stages ask for these under what they are a kind of, too. */
static features with_wider(features f)
{
    return f | (f & (F_ISSUE_LATCH | F_UNIT_LATCH) ? F_LATCHES : 0) | (f & F_ISOLATED ? F_SCHEDULERS : 0);
}

features features_of(const struct sm *s)
{
    return (with_wider(of_options(s->cfg)) & ~(features)(F_BANKS | F_WRITES)) | of_banks(s) | of_policies(s) |
           (s->tenants.stats || s->tenants.cyc ? F_TENANTS : 0) | (s->trust.check ? F_CHECKED : 0) |
           (s->trust.places ? F_WATCHED : 0) | (s->trust.steps ? F_STEPS : 0);
}
