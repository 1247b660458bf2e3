/* SPDX-License-Identifier: Apache-2.0 */
/* Definitions and uses by word, for the optimisations: a word that is written once, without a guard, has one value
 * wherever that write dominates. */
#ifndef COMPILE_DEFS_H
#define COMPILE_DEFS_H

#include "compile/passes.h"

struct def {
    uint32_t block, at; /* of the only definition */
    uint32_t ndefs, nuses;
    bool guarded;
};

struct defs {
    struct arena arena;
    struct ir_fn *fn;
    struct ir_cfg *c;
    uint32_t *first; /* by virtual register: its first word in words */
    uint32_t nwords;
    struct def *words, *preds;
};

void defs_build(struct defs *d, struct ir_fn *fn);
void defs_free(struct defs *d);

/* The instruction that gives word o (one register word, or a predicate) its only value, if it dominates (block, at). */
struct ir_insn *defs_of(const struct defs *d, const struct ir_opnd *o, uint32_t block, uint32_t at);
/* Has o (words, a predicate, an immediate or a constant), as read by the instruction at (block, at), one definition that
 * dominates that reader? Then it has the same value wherever the reader dominates. */
bool defs_stable(const struct defs *d, const struct ir_opnd *o, uint32_t block, uint32_t at);
/* Follows copies of one word, as read at (block, at), to where it comes from: a constant, or the last register that may stand for
 * it. */
struct ir_opnd defs_origin(const struct defs *d, struct ir_opnd o, uint32_t block, uint32_t at);
struct def *defs_info(const struct defs *d, const struct ir_opnd *o);

#endif
