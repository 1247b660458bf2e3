/* SPDX-License-Identifier: Apache-2.0 */
/* What every user of a kernel may rely on. */
#include "trace/code/kernel.h"

#include "trace/code/kernel_io.h"

void tr_kernel_free(struct tr_kernel *k)
{
    if (!k)
        return;
    struct arena a = k->arena; /* the kernel's own memory may be in it one day */
    free(k);
    arena_free(&a);
}

enum {
    REGS_MAX = 255,  /* R0 to R254 */
    UREGS_MAX = 255, /* as many as any generation has */
    PREDS_MAX = 7,
    BANKS_MAX = 32,
    REGS_COUNT_MAX = 257, /* the assembler's count includes two that Volta keeps */
};

static const char *check_opnd(const struct tr_opnd *o)
{
    unsigned limit = 0;
    switch ((enum tr_opnd_kind)o->kind) {
    case TO_NONE: return o->n || o->bank || o->neg || o->val ? "an absent operand that is not empty" : NULL;
    case TO_IMM: return NULL;
    case TO_CONST: return o->bank < BANKS_MAX ? NULL : "a constant bank that does not exist";
    case TO_REG: limit = REGS_MAX; break;
    case TO_UREG: limit = UREGS_MAX; break;
    case TO_PRED:
    case TO_UPRED: limit = PREDS_MAX; break;
    }
    if (!limit)
        return "an operand of unknown kind";
    return o->n && o->val < limit && o->n <= limit - o->val ? NULL : "a register out of range";
}

static const char *check_opnds(const struct tr_insn *in)
{
    const char *wrong = check_opnd(&in->guard);
    if (wrong)
        return wrong;
    if (in->guard.kind != TO_NONE && in->guard.kind != TO_PRED && in->guard.kind != TO_UPRED)
        return "a guard that is no predicate";
    for (unsigned i = 0; i < TR_DSTS; i++) {
        if ((wrong = check_opnd(&in->dst[i])))
            return wrong;
        if (in->dst[i].kind == TO_IMM || in->dst[i].kind == TO_CONST)
            return "a destination that cannot be written";
        if (i >= in->ndst && in->dst[i].kind != TO_NONE)
            return "more destinations than it says";
    }
    for (unsigned i = 0; i < TR_SRCS; i++) {
        if ((wrong = check_opnd(&in->src[i])))
            return wrong;
        if (i >= in->nsrc && in->src[i].kind != TO_NONE)
            return "more sources than it says";
    }
    return NULL;
}

static const char *check_insn(const struct tr_insn *in, uint32_t n)
{
    if (in->cls >= TC_COUNT)
        return "an unknown class";
    if (in->ndst > TR_DSTS || in->nsrc > TR_SRCS)
        return "too many operands";
    if (in->mem & ~(TM_LOAD | TM_STORE | TM_ATOMIC) || in->space > SPACE_PARAM || in->naddr > 2 ||
        in->bypass > 1)
        return "memory behaviour out of range";
    if (in->nparam > TR_PARAMS || (in->nparam && (in->naddr || in->mem)))
        return "parameters out of range, or beside addresses";
    if (in->naddr && !in->mem)
        return "addresses without an access";
    if (in->target != TR_NO_TARGET && in->target >= n)
        return "a target outside the code";
    if (!in->text)
        return "no text";
    return check_opnds(in);
}

static const char *check_block(const struct tr_kernel *k, const struct tr_block *b, uint32_t start)
{
    if (b->start != start || !b->n || b->n > k->n - start)
        return "does not follow the one before it, or leaves the code";
    if (b->ipdom != UINT32_MAX && b->ipdom >= k->nblocks)
        return "has a post-dominator that does not exist";
    for (uint32_t s = 0; s < b->nsucc; s++)
        if (b->succ[s] >= k->nblocks)
            return "has a successor that does not exist";
    return NULL;
}

const char *tr_kernel_check(struct tr_kernel *k)
{
    const char *wrong = NULL;
    if (!k->name || !k->file)
        return "no name or no file";
    if (!k->n || k->n > KERNEL_MAX_INSNS)
        return "no code, or too much";
    if (k->regs > REGS_COUNT_MAX || k->spill_insns > k->n)
        return "register or spill counts out of range";
    for (uint32_t i = 0; i < k->n; i++)
        if ((wrong = check_insn(&k->insns[i], k->n)))
            return arena_printf(&k->arena, "instruction %u: %s", i, wrong);
    uint32_t start = 0;
    uint64_t nsucc = 0;
    for (uint32_t i = 0; i < k->nblocks; start += k->blocks[i++].n) {
        if ((wrong = check_block(k, &k->blocks[i], start)))
            return arena_printf(&k->arena, "block %u %s", i, wrong);
        nsucc += k->blocks[i].nsucc;
    }
    if (nsucc > (uint64_t)k->n * KERNEL_MAX_SUCCS)
        return "too many successors";
    return start == k->n ? NULL : "the blocks do not cover the code";
}
