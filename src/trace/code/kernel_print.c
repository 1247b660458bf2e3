/* SPDX-License-Identifier: Apache-2.0 */
/* Static code of a trace as text: one line per instruction, with what the timing model goes by in braces. */
#include "trace/code/kernel.h"

#include <inttypes.h>

static void print_regs(FILE *to, const char *prefix, const struct tr_opnd *o)
{
    fprintf(to, "%s%u", prefix, o->val);
    if (o->n > 1)
        fprintf(to, "-%u", o->val + o->n - 1u);
}

static void print_opnd(FILE *to, const struct tr_opnd *o)
{
    if (o->neg)
        fputc('!', to);
    switch ((enum tr_opnd_kind)o->kind) {
    case TO_NONE: fputs("--", to); break;
    case TO_REG: print_regs(to, "R", o); break;
    case TO_PRED: print_regs(to, "P", o); break;
    case TO_UREG: print_regs(to, "UR", o); break;
    case TO_UPRED: print_regs(to, "UP", o); break;
    case TO_IMM: fprintf(to, "0x%x", o->val); break;
    case TO_CONST: fprintf(to, "c[0x%x][0x%x]", o->bank, o->val); break;
    }
}

static void print_memory(FILE *to, const struct tr_insn *i)
{
    static const char *const spaces[] = {"generic", "global", "shared", "local", "const", "param", "reg"};
    if (!i->mem)
        return;
    fprintf(to, " %s%s%s %u B", i->mem & TM_ATOMIC ? "atomic " : "",
            i->mem & TM_LOAD ? (i->mem & TM_STORE ? "load store " : "load ") : "store ",
            i->space < sizeof spaces / sizeof *spaces ? spaces[i->space] : "?", i->width_b);
    if (i->bypass)
        fputs(" bypass", to);
}

void tr_insn_print(FILE *to, const struct tr_insn *i)
{
    const char *sep = " ";
    if (i->guard.kind != TO_NONE) {
        fputc('@', to);
        print_opnd(to, &i->guard);
        fputc(' ', to);
    }
    fputs(i->text ? i->text : "", to);
    for (unsigned k = 0; k < i->ndst && k < TR_DSTS; k++, sep = ", ") {
        fputs(sep, to);
        print_opnd(to, &i->dst[k]);
    }
    if (i->ndst && i->nsrc)
        sep = " <- ";
    for (unsigned k = 0; k < i->nsrc && k < TR_SRCS; k++, sep = ", ") {
        fputs(sep, to);
        print_opnd(to, &i->src[k]);
    }
    if (i->target != TR_NO_TARGET && i->cls == TC_BRANCH)
        fprintf(to, " -> %u", i->target);
}

static void print_block(FILE *to, const struct tr_kernel *k, uint32_t b, const uint64_t *counts)
{
    const struct tr_block *bl = &k->blocks[b];
    fprintf(to, "B%u:", b);
    for (uint32_t s = 0; s < bl->nsucc; s++)
        fprintf(to, "%s B%u", s ? "" : " // ->", bl->succ[s]);
    if (bl->ipdom != UINT32_MAX)
        fprintf(to, "%s meets at B%u", bl->nsucc ? "," : " //", bl->ipdom);
    fputc('\n', to);
    for (uint32_t at = bl->start; at < bl->start + bl->n; at++) {
        const struct tr_insn *i = &k->insns[at];
        fprintf(to, "  /*%04x*/ ", i->pc);
        if (counts)
            fprintf(to, "%10" PRIu64 "  ", counts[at]);
        tr_insn_print(to, i);
        fprintf(to, "  {%s", i->cls < TC_COUNT ? tr_classes[i->cls].name : "?");
        print_memory(to, i);
        fputc('}', to);
        if (i->line)
            fprintf(to, " // line %u", i->line);
        fputc('\n', to);
    }
}

void tr_kernel_print(FILE *to, const struct tr_kernel *k, const uint64_t *counts)
{
    fprintf(to, "kernel %s: %u instructions, %u registers, shared %u B, local %u B, %u spill instructions\n",
            k->name, k->n, k->regs, k->shared_b, k->local_b, k->spill_insns);
    for (uint32_t b = 0; b < k->nblocks; b++)
        print_block(to, k, b, counts);
}
