/* If-conversion: a branch around a few instructions costs more than the instructions, and a divergent one two more to meet
 * again. Where block X ends in "@p BRA Y" and falls into T, which has no other way in and leads to Y, the instructions of T
 * get the guard !p instead, as NVIDIA's assembler does for bodies of about this size. */
#include "compile/passes.h"

enum { MAX_BODY = 7 };

static bool convertible(const struct ir_insn *i, const struct ir_opnd *p)
{
    if (i->guard.kind || i->op == OP_CALL || i->op == OP_SYSCALL || i->op == OP_TRAP || i->op == OP_BSSY ||
        i->op == OP_BAR)
        return false;
    uint8_t f = ir_ops[i->op].flags;
    if (f & (OPF_CTL | OPF_SYNC))
        return false;
    for (int k = 0; k < 2; k++)
        if (i->dst[k].kind == OPND_PRED && i->dst[k].val == p->val)
            return false;
    return true;
}

static bool convert(struct ir_fn *fn, uint32_t x)
{
    if (x + 2 >= fn->blocks.n)
        return false;
    struct ir_block *bx = &fn->blocks.at[x], *bt = bx + 1;
    if (!bx->insns.n)
        return false;
    struct ir_insn *br = &bx->insns.at[bx->insns.n - 1];
    if (br->op != OP_BRA || br->guard.kind == OPND_NONE || br->target != x + 2 || bt->pred.n != 1 ||
        bt->pred.at[0] != x || bt->insns.n > MAX_BODY)
        return false;
    struct ir_opnd p = br->guard;
    vec_each (&bt->insns, i)
        if (!convertible(i, &p))
            return false;
    p.neg ^= 1;
    bx->insns.n--;
    vec_each (&bt->insns, i) {
        i->guard = p;
        vec_push(&bx->insns, *i);
    }
    bt->insns.n = 0;
    return true;
}

void pass_ifconv(struct ir_fn *fn)
{
    bool any = false;
    ir_cfg_link(fn);
    for (uint32_t x = fn->blocks.n; x-- > 0;)
        any |= convert(fn, x);
    if (any)
        pass_cleanup(fn);
}
