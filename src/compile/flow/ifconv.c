/* If-conversion: a branch around a few instructions costs more than the instructions, and a divergent one two more to meet
 * again. Where block X ends in "@p BRA Y" and falls into T, which has no other way in and leads to Y (the next block, or by a
 * branch: clang puts bodies of loops so), the instructions of T get the guard !p instead, as NVIDIA's assembler does for bodies
 * of about this size. */
#include "compile/lower/slow.h"
#include "compile/passes.h"

enum { MAX_BODY = 7 };

static bool convertible(const struct ir_insn *i, const struct ir_opnd *p)
{
    if (slow_is(i, SLOW_DIV) || slow_is(i, SLOW_SQRT)) /* becomes a call */
        return false;
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

/* How many instructions of T must be guarded for both ways to lead to y; UINT32_MAX: they do not. */
static uint32_t body_of(const struct ir_block *t, uint32_t next, uint32_t y)
{
    const struct ir_insn *last = t->insns.n ? &t->insns.at[t->insns.n - 1] : NULL;
    if (last && last->op == OP_BRA && last->guard.kind == OPND_NONE)
        return last->target == y ? t->insns.n - 1 : UINT32_MAX;
    return next == y ? t->insns.n : UINT32_MAX;
}

static bool convert(struct ir_fn *fn, uint32_t x)
{
    if (x + 1 >= fn->blocks.n)
        return false;
    struct ir_block *bx = &fn->blocks.at[x], *bt = bx + 1;
    if (!bx->insns.n)
        return false;
    const struct ir_insn *br = &bx->insns.at[bx->insns.n - 1];
    if (br->op != OP_BRA || br->guard.kind == OPND_NONE || bt->pred.n != 1 || bt->pred.at[0] != x)
        return false;
    struct ir_opnd p = br->guard;
    uint32_t n = body_of(bt, x + 2, br->target);
    if (n > MAX_BODY)
        return false;
    for (uint32_t k = 0; k < n; k++)
        if (!convertible(&bt->insns.at[k], &p))
            return false;
    p.neg ^= 1;
    bx->insns.n--;
    for (uint32_t k = 0; k < bt->insns.n; k++) {
        if (k < n)
            bt->insns.at[k].guard = p;
        vec_push(&bx->insns, bt->insns.at[k]);
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
