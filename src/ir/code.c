/* SPDX-License-Identifier: Apache-2.0 */
/* Linked code: its life and its listing. */
#include "ir/code.h"

void code_free(struct code *c)
{
    if (!c)
        return;
    arena_free(&c->arena);
    free(c);
}

static void print_block_head(FILE *to, const struct code *c, uint32_t b)
{
    const struct code_block *bl = &c->blocks[b];

    fprintf(to, "B%u: // ->", b);
    for (uint32_t k = 0; k < bl->nsucc; k++)
        fprintf(to, " B%u", bl->succ[k]);
    if (!bl->nsucc)
        fputs(" exit", to);
    fputc('\n', to);
}

void code_print(FILE *to, const struct code *c)
{
    fprintf(
        to,
        "kernel %s: %u instructions, %u registers, %u B shared, %u B local, %u B spill, %u B parameters\n",
        c->name, c->n, c->regs, c->shared_b, c->local_b, c->spill_b, c->param_b);
    for (uint32_t p = 0; p < c->nparams; p++)
        fprintf(to, "  param %s: c[0x0][0x%x], %u B\n", c->params[p].name ? c->params[p].name : "-",
                CB_PARAM + c->params[p].off_b, c->params[p].size_b);
    for (uint32_t f = 0; f < c->nfuncs; f++) {
        const struct code_func *fn = &c->funcs[f];
        fprintf(to, "%s %s: at %u, %u registers, frame %u B\n", f ? "func" : "entry",
                fn->name ? fn->name : "-", fn->entry, fn->regs, fn->frame_b);
        for (uint32_t b = fn->nblocks0; b < fn->nblocks0 + fn->nblocks && b < c->nblocks; b++) {
            print_block_head(to, c, b);
            for (uint32_t i = c->blocks[b].start; i < c->blocks[b].start + c->blocks[b].n && i < c->n; i++) {
                fprintf(to, "  /*%u*/ ", i);
                ir_print_insn(to, NULL, &c->insns[i]);
                fputc('\n', to);
            }
        }
    }
}
