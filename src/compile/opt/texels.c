/* SPDX-License-Identifier: Apache-2.0 */
/* A texture instruction writes the channels that are used: four in PTX, where most programs read one. Only leading channels, so
 * that the ones that stay keep their places. */
#include "compile/passes.h"

/* How many words of each virtual register are read, counted from its first. */
static void count_words(const struct ir_fn *fn, uint8_t *words)
{
    vec_each (&fn->blocks, b)
        vec_each (&b->insns, i)
            for (unsigned k = 0; k < 6; k++) {
                const struct ir_opnd *o = &i->src[k];
                unsigned end = o->sub + o->n;
                if (o->kind == OPND_REG && words[o->val] < end)
                    words[o->val] = (uint8_t)end;
            }
}

/* Registers that something else writes as well keep their size. */
static void count_writers(const struct ir_fn *fn, uint8_t *words)
{
    vec_each (&fn->blocks, b)
        vec_each (&b->insns, i)
            for (unsigned k = 0; k < 2; k++)
                if (i->dst[k].kind == OPND_REG && !(i->op == OP_TEX && k == 0))
                    words[i->dst[k].val] = UINT8_MAX;
}

void pass_texels(struct ir_fn *fn)
{
    uint8_t *words = xcalloc(fn->vregs.n + 1, 1);
    count_words(fn, words);
    count_writers(fn, words);
    vec_each (&fn->blocks, b)
        vec_each (&b->insns, i) {
            struct ir_opnd *d = &i->dst[0];
            if (i->op != OP_TEX || d->kind != OPND_REG || d->sub || fn->vregs.at[d->val].fixed)
                continue;
            uint8_t used = words[d->val];
            if (used && used < d->n && d->n == fn->vregs.at[d->val].n) {
                d->n = used;
                fn->vregs.at[d->val].n = used;
            }
        }
    free(words);
}
