/* SPDX-License-Identifier: Apache-2.0 */
/* Small loops that count are unrolled by four once more. NVIDIA's assembler does that with loops whose counter goes by a
 * constant to zero or to a bound, unless the compiler forbids it (.pragma "nounroll", which it gives the remainders of loops
 * that it has unrolled itself): read off code of nvcc 13 for sm_90, where loops of 15 instructions are unrolled and loops of 27
 * are not.
 *     check:  more than three rounds left? else go to loop
 *     big:    four rounds; more than three left? go to big
 *             none left? leave
 *     loop:   as it was
 * The four rounds need no test between them: with more than three left, none of the first three is the last. */
#include "base/bitset.h"
#include "compile/passes.h"

enum { TIMES = 4, LARGEST = 20 };

/* A loop of one block that ends with "counter += step; p = counter CMP bound; @p BRA itself". */
struct loop {
    uint32_t block;
    uint32_t add, test; /* instructions */
    struct ir_opnd counter, bound;
    int32_t step;
    bool until_equal; /* until it is the bound; else up, while it is less than that */
};

static bool writes(const struct ir_insn *i, const struct ir_opnd *o)
{
    for (unsigned k = 0; k < 2; k++) {
        const struct ir_opnd *d = &i->dst[k];
        if (d->kind == o->kind && d->val == o->val &&
            (d->kind == OPND_PRED || (d->sub < o->sub + o->n && o->sub < d->sub + d->n)))
            return true;
    }
    return false;
}

static bool reads(const struct ir_insn *i, const struct ir_opnd *o)
{
    bool found = i->guard.kind == o->kind && i->guard.val == o->val;
    for (unsigned k = 0; k < 6; k++)
        found |= i->src[k].kind == o->kind && i->src[k].val == o->val;
    return found;
}

/* The only instruction of the block that writes o; UINT32_MAX: none, or several. */
static uint32_t only_writer(const struct ir_block *b, const struct ir_opnd *o)
{
    uint32_t found = UINT32_MAX;
    for (uint32_t k = 0; k < b->insns.n; k++)
        if (writes(&b->insns.at[k], o)) {
            if (found != UINT32_MAX)
                return UINT32_MAX;
            found = k;
        }
    return found;
}

static bool may_be_copied(const struct ir_fn *fn, const struct ir_insn *i)
{
    if (ir_ops[i->op].flags & (OPF_CTL | OPF_SYNC) || ir_ops[i->op].unit == UNIT_TENSOR || i->op == OP_SLOWF)
        return false;
    for (unsigned k = 0; k < 2; k++)
        if (i->dst[k].kind == OPND_REG &&
            (fn->vregs.at[i->dst[k].val].acc || fn->vregs.at[i->dst[k].val].fixed))
            return false;
    return true;
}

static bool read_counter(const struct ir_block *b, struct loop *l)
{
    const struct ir_insn *bra = &b->insns.at[b->insns.n - 1];
    l->test = only_writer(b, &bra->guard);
    const struct ir_insn *t = l->test != UINT32_MAX ? &b->insns.at[l->test] : NULL;
    if (!t || t->op != OP_ISETP || t->guard.kind || t->flags & IRF_X || t->dst[1].kind || t->src[2].kind ||
        t->src[0].kind != OPND_REG || t->src[0].n != 1 || t->src[0].neg || t->dst[0].kind != OPND_PRED)
        return false;
    l->counter = t->src[0];
    l->bound = t->src[1];
    l->add = only_writer(b, &l->counter);
    const struct ir_insn *a = l->add < l->test ? &b->insns.at[l->add] : NULL;
    if (!a || a->op != OP_IADD3 || a->guard.kind || a->flags || a->dst[1].kind || !reads(a, &l->counter) ||
        a->src[0].kind != OPND_REG || a->src[0].neg || a->src[0].val != l->counter.val ||
        a->src[0].sub != l->counter.sub || a->src[1].kind != OPND_IMM || !opnd_is_zero(&a->src[2]))
        return false;
    l->step = (int32_t)a->src[1].val;
    bool neg = bra->guard.neg;
    bool up = t->type == T_S32 && t->cmp == (neg ? CMP_GE : CMP_LT) && l->step > 0;
    l->until_equal = t->cmp == (neg ? CMP_EQ : CMP_NE) && l->step;
    if (l->bound.kind == OPND_REG ? l->bound.n != 1 || l->bound.neg
                                  : l->bound.kind != OPND_IMM && l->bound.kind != OPND_CONST)
        return false;
    for (uint32_t k = 0; k < b->insns.n; k++)
        if (writes(&b->insns.at[k], &l->bound))
            return false;
    return (l->until_equal || up) && l->step > -0x10000 && l->step < 0x10000;
}

static bool find_loop(const struct ir_fn *fn, uint32_t k, struct loop *l)
{
    const struct ir_block *b = &fn->blocks.at[k];
    const struct ir_insn *bra = b->insns.n ? &b->insns.at[b->insns.n - 1] : NULL;
    *l = (struct loop){.block = k};
    if (!bra || b->keep_rolled || b->insns.n > LARGEST || bra->op != OP_BRA || bra->target != k ||
        bra->guard.kind != OPND_PRED || bra->guard.val < VPRED0 || k == 0 || k + 1 >= fn->blocks.n ||
        b->pred.n != 2)
        return false;
    for (uint32_t i = 0; i + 1 < b->insns.n; i++)
        if (!may_be_copied(fn, &b->insns.at[i]) || reads(&b->insns.at[i], &bra->guard))
            return false;
    return read_counter(b, l);
}

/* Makes room for n blocks in front of block k. Branches to it lead to the first of them, but for its own. */
static void insert_blocks(struct ir_fn *fn, uint32_t k, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        ir_block_new(fn, NULL, fn->blocks.at[k].line);
    for (uint32_t b = fn->blocks.n; b-- > k + n;)
        fn->blocks.at[b] = fn->blocks.at[b - n];
    for (uint32_t b = 0; b < n; b++)
        fn->blocks.at[k + b] = (struct ir_block){.line = fn->blocks.at[k + n].line};
    vec_each (&fn->blocks, b) {
        vec_each (&b->insns, i)
            if (i->op == OP_BRA && i->target > k)
                i->target += n;
        vec_each (&b->succ, s)
            *s += *s > k ? n : 0;
    }
    struct ir_block *loop = &fn->blocks.at[k + n];
    loop->insns.at[loop->insns.n - 1].target = k + n;
    vec_each (&loop->succ, s)
        *s += *s == k ? n : 0;
}

/* p = more than three rounds are left, for the counter as it stands in front of a round. What is left to the bound is computed
 * as a signed number: where that overflows it is negative, and the loop stays as it was. */
static void put_check(struct ir_fn *fn, struct ir_block *to, const struct loop *l, struct ir_opnd p,
                      uint32_t line)
{
    bool down = l->step < 0;
    int32_t most = (TIMES - 1) * (down ? -l->step : l->step);
    struct ir_opnd left = l->counter, from = down ? l->counter : l->bound,
                   minus = down ? l->bound : l->counter;
    if (!down || !opnd_is_zero(&l->bound)) {
        struct ir_insn sub = {.op = OP_IADD3, .type = T_U32, .line = line};
        sub.dst[0] = left = ir_reg(ir_vreg(fn, 1, NULL), 0, 1);
        if (minus.kind == OPND_IMM)
            minus.val = -minus.val;
        else
            minus.neg ^= 1;
        sub.src[0] = down ? from : minus; /* a register */
        sub.src[1] = down ? minus : from;
        sub.src[2] = ir_imm(0);
        vec_push(&to->insns, sub);
    }
    struct ir_insn more = {
        .op = OP_ISETP, .type = T_S32, .cmp = CMP_GT, .bop = BOP_AND, .dst = {p}, .line = line};
    more.src[0] = left;
    more.src[1] = ir_imm((uint32_t)most);
    if (!l->until_equal) { /* a first round that begins beyond the bound is the last one */
        struct ir_insn below = more;
        below.cmp = CMP_LT;
        below.src[0] = l->counter;
        below.src[1] = l->bound;
        below.dst[0] = more.src[2] = ir_pred(ir_vpred(fn), false);
        vec_push(&to->insns, below);
    }
    vec_push(&to->insns, more);
}

static void put_branch(struct ir_block *to, struct ir_opnd p, bool neg, uint32_t target, uint32_t line)
{
    p.neg = neg;
    vec_push(&to->insns, (struct ir_insn){.op = OP_BRA, .guard = p, .target = target, .line = line});
}

/* Words that live in this block only have a register of their own in every copy. */
static uint32_t *local_registers(struct ir_fn *fn, const struct ir_live *live, uint32_t k, struct arena *a)
{
    uint32_t *fresh = ARENA_ARRAY(a, uint32_t, fn->vregs.n + 1); /* 0: not one of them, else itself + 1 */
    const struct ir_block *b = &fn->blocks.at[k];
    vec_each (&b->insns, i)
        ir_each_dst (i, d) {
            if (d->kind != OPND_REG)
                continue;
            bool local = true;
            for (unsigned w = 0; w < fn->vregs.at[d->val].n; w++)
                local &= !bit_get(live->in[k], live->first[d->val] + w) &&
                         !bit_get(live->out[k], live->first[d->val] + w);
            fresh[d->val] = local ? d->val + 1 : 0;
        }
    return fresh;
}

static void rename_operand(struct ir_opnd *o, const uint32_t *fresh, uint32_t known)
{
    if (o->kind == OPND_REG && o->val < known && fresh[o->val])
        o->val = fresh[o->val] - 1;
}

static void copy_rounds(struct ir_fn *fn, struct ir_block *big, const struct ir_block *from,
                        const struct loop *l, uint32_t *fresh, uint32_t known)
{
    bool counts_only = true;
    for (uint32_t k = 0; k + 1 < from->insns.n; k++)
        counts_only &= k == l->add || k == l->test || !reads(&from->insns.at[k], &l->counter);
    for (uint32_t round = 0; round < TIMES; round++) {
        for (uint32_t v = 0; v < known && round; v++)
            if (fresh[v])
                fresh[v] = ir_vreg(fn, fn->vregs.at[v].n, fn->vregs.at[v].name) + 1;
        for (uint32_t k = 0; k + 1 < from->insns.n; k++) {
            struct ir_insn i = from->insns.at[k];
            if (k == l->test || (k == l->add && counts_only && round))
                continue;
            if (k == l->add && counts_only)
                i.src[1].val = (uint32_t)(l->step * TIMES);
            ir_each_dst (&i, d)
                rename_operand(d, fresh, known);
            ir_each_src (&i, s)
                rename_operand(s, fresh, known);
            vec_push(&big->insns, i);
        }
    }
}

static void unroll(struct ir_fn *fn, struct loop l, const struct ir_live *live, struct arena *a)
{
    uint32_t k = l.block, known = fn->vregs.n, *fresh = local_registers(fn, live, k, a);
    insert_blocks(fn, k, 3);
    struct ir_opnd p = ir_pred(ir_vpred(fn), false), q = ir_pred(ir_vpred(fn), false),
                   r = ir_pred(ir_vpred(fn), false);
    struct ir_block *check = &fn->blocks.at[k], *big = check + 1, *rest = check + 2, *loop = check + 3;
    const struct ir_insn *test = &loop->insns.at[l.test];
    uint32_t line = test->line;
    put_check(fn, check, &l, p, line);
    put_branch(check, p, true, k + 3, line);
    copy_rounds(fn, big, loop, &l, fresh, known);
    put_check(fn, big, &l, q, line);
    put_branch(big, q, false, k + 1, line);
    /* Whether a round is left: as the loop itself asks. */
    struct ir_insn again = *test;
    bool neg = loop->insns.at[loop->insns.n - 1].guard.neg;
    again.dst[0] = r;
    vec_push(&rest->insns, again);
    put_branch(rest, r, !neg, k + 4, line);
    loop->keep_rolled = true;
}

void pass_unroll(struct ir_fn *fn)
{
    bool more = true;
    for (uint32_t from = 0; more;) {
        struct arena a = {0};
        struct ir_cfg *c = ir_cfg_build(fn, &a);
        struct loop l;
        more = false;
        for (uint32_t k = from; k < fn->blocks.n && !more; k++)
            more = c->loop[k] == k && find_loop(fn, k, &l);
        if (more) {
            unroll(fn, l, ir_live_build(fn, c, &a), &a);
            from = l.block + 4;
        }
        arena_free(&a);
    }
    ir_cfg_link(fn);
}
