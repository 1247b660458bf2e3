/* SPDX-License-Identifier: Apache-2.0 */
/* If-conversion: a branch around a few instructions costs more than the instructions, and a divergent one two more to meet
 * again. Where block X ends in "@p BRA Y" and falls into T, which has no other way in and leads to Y (the next block, or by
 * a branch: clang puts bodies of loops so), the instructions of T get the guard !p instead. Where T leads past Y, to where Y
 * leads as well, and Y has no other way in, Y's get the guard p. NVIDIA's assembler does both: nvcc 13's for sm_90 up to
 * seven stores in T alone, up to seven instructions in each of two. */
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

/* Where the block goes, if it goes to one place. */
static uint32_t only_way(const struct ir_block *b, uint32_t next)
{
    const struct ir_insn *last = b->insns.n ? &b->insns.at[b->insns.n - 1] : NULL;
    if (last && last->op == OP_BRA)
        return last->guard.kind == OPND_NONE ? last->target : UINT32_MAX;
    return last && (last->op == OP_BRX || ir_is_terminator(last)) ? UINT32_MAX : next;
}

static bool all_convertible(const struct ir_block *b, uint32_t n, const struct ir_opnd *p)
{
    for (uint32_t k = 0; k < n; k++)
        if (!convertible(&b->insns.at[k], p))
            return false;
    return true;
}

/* Instructions that a body has in the end: copies to where both ways meet mostly vanish. */
static uint32_t real_insns(const struct ir_block *b, uint32_t n)
{
    uint32_t real = 0;
    for (uint32_t k = 0; k < n; k++)
        real += b->insns.at[k].op != OP_MOV || b->insns.at[k].src[0].kind != OPND_REG;
    return real;
}

/* The first n instructions of a block, under a guard, and what is behind them as it is. */
static void take(struct ir_block *to, struct ir_block *from, uint32_t n, struct ir_opnd guard)
{
    for (uint32_t k = 0; k < from->insns.n; k++) {
        if (k < n)
            from->insns.at[k].guard = guard;
        vec_push(&to->insns, from->insns.at[k]);
    }
    from->insns.n = 0;
}

static bool enters_from(const struct ir_block *b, uint32_t x) { return b->pred.n == 1 && b->pred.at[0] == x; }

static bool convert_both(struct ir_fn *fn, uint32_t x, struct ir_opnd p, uint32_t y)
{
    struct ir_block *bx = &fn->blocks.at[x], *bt = bx + 1, *by = &fn->blocks.at[y];
    uint32_t meet = only_way(bt, x + 2), line;
    if (y <= x + 1 || !enters_from(by, x) || meet == UINT32_MAX || meet == y || only_way(by, y + 1) != meet)
        return false;
    uint32_t nt = body_of(bt, x + 2, meet), ny = body_of(by, y + 1, meet);
    if (nt > 2 * MAX_BODY || ny > 2 * MAX_BODY || real_insns(bt, nt) > MAX_BODY ||
        real_insns(by, ny) > MAX_BODY)
        return false;
    if (!all_convertible(bt, nt, &p) || !all_convertible(by, ny, &p))
        return false;
    line = bx->insns.at[bx->insns.n - 1].line;
    bx->insns.n--;
    bt->insns.n = nt;
    by->insns.n = ny;
    struct ir_opnd other = p;
    other.neg ^= 1;
    take(bx, bt, nt, other);
    take(bx, by, ny, p);
    vec_push(&bx->insns, (struct ir_insn){.op = OP_BRA, .target = meet, .line = line});
    return true;
}

static bool convert(struct ir_fn *fn, uint32_t x)
{
    if (x + 1 >= fn->blocks.n)
        return false;
    struct ir_block *bx = &fn->blocks.at[x], *bt = bx + 1;
    if (!bx->insns.n)
        return false;
    const struct ir_insn *br = &bx->insns.at[bx->insns.n - 1];
    if (br->op != OP_BRA || br->guard.kind == OPND_NONE || !enters_from(bt, x))
        return false;
    struct ir_opnd p = br->guard;
    uint32_t n = body_of(bt, x + 2, br->target);
    if (n == UINT32_MAX)
        return convert_both(fn, x, p, br->target);
    if (n > MAX_BODY || !all_convertible(bt, n, &p))
        return false;
    p.neg ^= 1;
    bx->insns.n--;
    take(bx, bt, n, p);
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
