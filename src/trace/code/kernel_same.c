/* SPDX-License-Identifier: Apache-2.0 */
/* Are two kernels the same code? Programs load a module again and again; the trace keeps it once. */
#include "trace/code/kernel.h"

static bool same_opnd(const struct tr_opnd *a, const struct tr_opnd *b)
{
    return a->kind == b->kind && a->n == b->n && a->bank == b->bank && a->neg == b->neg && a->val == b->val;
}

static bool same_insn(const struct tr_insn *a, const struct tr_insn *b)
{
    bool same = a->cls == b->cls && a->ndst == b->ndst && a->nsrc == b->nsrc && a->mem == b->mem &&
                a->space == b->space && a->width_b == b->width_b && a->naddr == b->naddr &&
                a->nparam == b->nparam && a->bypass == b->bypass && a->target == b->target &&
                a->imm == b->imm && a->ctl == b->ctl && a->count == b->count && a->line == b->line &&
                a->pc == b->pc && same_opnd(&a->guard, &b->guard);
    for (unsigned k = 0; same && k < a->ndst; k++)
        same = same_opnd(&a->dst[k], &b->dst[k]);
    for (unsigned k = 0; same && k < a->nsrc; k++)
        same = same_opnd(&a->src[k], &b->src[k]);
    return same && strcmp(a->text, b->text) == 0;
}

static bool same_block(const struct tr_block *a, const struct tr_block *b)
{
    return a->start == b->start && a->n == b->n && a->ipdom == b->ipdom && a->nsucc == b->nsucc &&
           (!a->nsucc || memcmp(a->succ, b->succ, sizeof *a->succ * a->nsucc) == 0);
}

bool tr_kernel_same(const struct tr_kernel *a, const struct tr_kernel *b)
{
    bool same = a->n == b->n && a->nblocks == b->nblocks && a->regs == b->regs &&
                a->shared_b == b->shared_b && a->local_b == b->local_b && a->arch == b->arch &&
                a->coded == b->coded && a->spill_insns == b->spill_insns && strcmp(a->name, b->name) == 0 &&
                strcmp(a->file, b->file) == 0;
    for (uint32_t i = 0; same && i < a->n; i++)
        same = same_insn(&a->insns[i], &b->insns[i]);
    for (uint32_t i = 0; same && i < a->nblocks; i++)
        same = same_block(&a->blocks[i], &b->blocks[i]);
    return same;
}
