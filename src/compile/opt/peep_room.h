/* SPDX-License-Identifier: Apache-2.0 */
/* The rooms of the peephole (peep.c): what each may ask about the instruction that is looked at, and their rules. A rule says
 * whether it changed something; the counts of uses are those of the start, so one instruction has one rewrite a round. */
#ifndef COMPILE_PEEP_ROOM_H
#define COMPILE_PEEP_ROOM_H

#include "compile/opt/defs.h"

struct peep {
    struct defs d;
    uint32_t block, at;
    bool *inverted; /* by virtual predicate: it got the opposite value, its readers are still to be told */
    bool changed;
};

static inline struct ir_insn *peep_def(const struct peep *p, const struct ir_opnd *o)
{
    return defs_of(&p->d, o, p->block, p->at);
}

static inline bool peep_one_use(const struct peep *p, const struct ir_opnd *o)
{
    return defs_info(&p->d, o)->nuses == 1;
}

static inline bool peep_plain(const struct ir_opnd *o) { return !o->neg && !o->abs; }

/* Do the sources of i, the definition of some word or predicate, still have their values wherever it is used? */
bool peep_stable_src(const struct peep *p, const struct ir_insn *i, const struct ir_opnd *o);
bool peep_stable_srcs(const struct peep *p, const struct ir_insn *i);
/* Do the sources of i still have their values here: because they never change, or i stands a little above in this block and
 * nothing between has written them? */
bool peep_sources_kept(const struct peep *p, const struct ir_block *b, const struct ir_insn *i);

/* A sum of s and c: may it take in what made s? Of its sources the sum then keeps c, which stands where no constant fits. */
static inline bool peep_takes_in(const struct ir_opnd *s, const struct ir_opnd *c)
{
    return s->kind == OPND_REG && peep_plain(s) && peep_plain(c) && c->kind != OPND_IMM;
}

static inline bool peep_same(const struct ir_opnd *a, const struct ir_opnd *b)
{
    return a->kind == b->kind && a->val == b->val && a->sub == b->sub;
}

/* a + b alone: no carry in or out, no guard. */
static inline bool peep_is_add2(const struct ir_insn *i)
{
    return i->op == OP_IADD3 && !i->flags && !i->dst[1].kind && !i->guard.kind && opnd_is_zero(&i->src[2]);
}

/* peep_sum.c: sums and products. */
bool peep_sum(struct peep *p, struct ir_block *b);

/* peep_known.c: what is known without being computed: choices between equals, logic with nothing to decide, carries that
 * cannot be. */
bool peep_known(struct peep *p, struct ir_insn *i);

/* peep_logic.c: logic of logic, of comparisons, and what only changes a sign or a predicate's sense. */
bool peep_logic(struct peep *p, const struct ir_block *b, struct ir_insn *i);
bool peep_fold_pred(struct peep *p, struct ir_opnd *o);
bool peep_fold_sign(struct peep *p, struct ir_insn *i, unsigned k);
/* Predicates that got the opposite value are read the other way round. */
void peep_tell_readers(const struct peep *p, struct ir_fn *fn);

#endif
