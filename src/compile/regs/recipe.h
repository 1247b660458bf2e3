/* SPDX-License-Identifier: Apache-2.0 */
/* How a word can be made again: for remat.c, which decides where. */
#ifndef COMPILE_RECIPE_H
#define COMPILE_RECIPE_H

#include "compile/opt/defs.h"

enum { RECIPE_STEPS = 4 };

/* Registers among the sources of a step are the results of earlier ones, by number; the last one makes the word. */
struct recipe {
    struct ir_insn step[RECIPE_STEPS];
    uint32_t n, price; /* the price in instructions */
};

struct recipe_insns {
    struct ir_insn *at;
    uint32_t n, cap;
};

/* Of one register word, as read at (block, at). False: it needs more than that. */
bool recipe_find(struct recipe *r, const struct defs *d, struct ir_opnd word, uint32_t block, uint32_t at);
/* Its instructions, with the word in `result`. */
void recipe_follow(const struct recipe *r, struct ir_fn *fn, struct ir_opnd result, struct recipe_insns *out,
                   uint32_t line);

#endif
