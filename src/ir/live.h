/* SPDX-License-Identifier: Apache-2.0 */
/* Liveness without SSA, by words: every 32-bit word of every virtual register and every predicate is one bit.
 * A guarded write does not kill, unless it is marked with IRF_KILL0/1. */
#ifndef IR_LIVE_H
#define IR_LIVE_H

#include "ir/cfg.h"

struct ir_live {
    uint32_t nwords;      /* register words */
    uint32_t nbits;       /* words, then predicates */
    size_t set_words;     /* 64-bit words of a set */
    uint32_t *first;      /* by virtual register: its first bit */
    uint64_t **in, **out; /* by block */
};

/* Does destination d end the life of what its registers held? */
static inline bool ir_kills(const struct ir_insn *i, int d)
{
    return i->guard.kind == OPND_NONE || (i->flags & (d ? IRF_KILL1 : IRF_KILL0));
}
/* guard.c: sets IRF_KILL0/1 on the guarded writes after which no lane can see the old value, and clears it elsewhere.
 * Worth a call before liveness wherever pressure matters; wrong once guards or the order of instructions change
 * (reordering that respects dependences keeps it right). */
void ir_mark_kills(struct ir_fn *fn, const struct ir_cfg *c);

struct ir_live *ir_live_build(const struct ir_fn *fn, const struct ir_cfg *c, struct arena *a);
/* Only the numbers of bits: no set of any block. */
struct ir_live *ir_live_number(const struct ir_fn *fn, struct arena *a);
/* Steps backwards over one instruction: `set` is what lives after it, and becomes what lives before it. */
void ir_live_step(const struct ir_live *l, const struct ir_insn *i, uint64_t *set);
static inline uint32_t ir_live_pred_bit(const struct ir_live *l, uint32_t vpred)
{
    return l->nwords + vpred - VPRED0;
}
/* Highest number of register words live at one point: of a block behind which `out` lives (set: room for such a set), of all. */
uint32_t ir_live_block_pressure(const struct ir_live *l, const struct ir_block *bl, const uint64_t *out,
                                uint64_t *set);
uint32_t ir_live_pressure(const struct ir_fn *fn, const struct ir_live *l);
void ir_live_print(FILE *to, const struct ir_fn *fn, const struct ir_live *l);

#endif
