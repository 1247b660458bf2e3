/* SPDX-License-Identifier: Apache-2.0 */
/* The reciprocal of an integer divisor that does not change in a loop is made once, in front of it: I2F, MUFU.RCP, F2I and the
 * Newton step behind them, and of a signed divisor the absolute value. nvcc 13 does so for sm_90, and leaves reciprocals of
 * floats and doubles where they are. */
#include "compile/opt/defs.h"
#include "compile/opt/peep.h"

enum { DEEPEST = 12 };

struct divisors {
    struct defs d;
    uint32_t front, header; /* the block in front of the loop that is looked at, and the loop */
    bool changed;
};

static bool in_loop(const struct ir_cfg *c, uint32_t block, uint32_t header)
{
    for (uint32_t h = c->loop[block]; h != CFG_NONE; h = c->loop_parent[h])
        if (h == header)
            return true;
    return false;
}

static bool may_move(const struct ir_insn *i)
{
    const struct ir_op_info *op = &ir_ops[i->op];
    return !i->guard.kind && !i->dst[1].kind && i->dst[0].kind == OPND_REG && !i->flags &&
           !(op->flags & (OPF_CTL | OPF_MEM | OPF_SYNC | OPF_SIDE)) && op->unit != UNIT_TENSOR &&
           i->op != OP_S2R;
}

/* Is the operand, as the instruction at (block, at) reads it, the same in every round of the loop? */
static bool is_fixed(const struct divisors *x, const struct ir_opnd *o, uint32_t block, uint32_t at,
                     unsigned depth)
{
    if (o->kind != OPND_REG)
        return o->kind != OPND_PRED || o->val == PRED_PT;
    for (unsigned w = 0; w < o->n; w++) {
        struct ir_opnd word = ir_reg(o->val, o->sub + w, 1);
        const struct ir_insn *i = defs_of(&x->d, &word, block, at);
        const struct def *by = i ? defs_info(&x->d, &word) : NULL;
        if (!by || (in_loop(x->d.c, by->block, x->header) && (depth == DEEPEST || !may_move(i))))
            return false;
        for (unsigned k = 0; k < 6 && in_loop(x->d.c, by->block, x->header); k++)
            if (!is_fixed(x, &i->src[k], by->block, by->at, depth + 1))
                return false;
    }
    return true;
}

/* The instruction goes in front of the loop, behind those that it reads. */
static void move(struct divisors *x, uint32_t block, uint32_t at)
{
    struct ir_fn *fn = x->d.fn;
    struct ir_insn i = fn->blocks.at[block].insns.at[at];
    for (unsigned k = 0; k < 6; k++)
        for (unsigned w = 0; i.src[k].kind == OPND_REG && w < i.src[k].n; w++) {
            struct ir_opnd word = ir_reg(i.src[k].val, i.src[k].sub + w, 1);
            const struct def *by = defs_info(&x->d, &word);
            if (in_loop(x->d.c, by->block, x->header))
                move(x, by->block, by->at);
        }
    struct ir_block *to = &fn->blocks.at[x->front];
    uint32_t end = to->insns.n;
    while (end && ir_ops[to->insns.at[end - 1].op].flags & OPF_CTL)
        end--;
    fn->blocks.at[block].insns.at[at] = (struct ir_insn){.op = OP_NOP, .line = i.line};
    vec_insert(&to->insns, end, i);
    for (unsigned w = 0; w < i.dst[0].n; w++) {
        struct def *by = &defs_info(&x->d, &i.dst[0])[w];
        by->block = x->front;
        by->at = end;
    }
    x->changed = true;
}

/* The last instruction of a reciprocal: r + hi(r * e), with r from a float. */
static bool is_reciprocal(const struct divisors *x, const struct ir_insn *i, uint32_t block, uint32_t at)
{
    if (i->op != OP_IMAD_HI || i->src[0].kind != OPND_REG || i->src[2].kind != OPND_REG ||
        i->src[0].val != i->src[2].val || i->src[0].sub != i->src[2].sub || !may_move(i))
        return false;
    const struct ir_insn *r = defs_of(&x->d, &i->src[0], block, at);
    return r && r->op == OP_F2I;
}

/* In front of the outermost loop in which it does not change. */
static void visit(struct divisors *x, uint32_t block, uint32_t at)
{
    const struct ir_cfg *c = x->d.c;
    const struct ir_insn *i = &x->d.fn->blocks.at[block].insns.at[at];
    bool found = false;
    uint32_t front = 0, header = 0;
    if (!is_reciprocal(x, i, block, at))
        return;
    for (uint32_t h = c->loop[block]; h != CFG_NONE; h = c->loop_parent[h]) {
        x->header = h;
        if (c->idom[h] == h || c->loop[c->idom[h]] != c->loop_parent[h] ||
            !is_fixed(x, &i->src[0], block, at, 0) || !is_fixed(x, &i->src[1], block, at, 0))
            break;
        found = true;
        front = c->idom[h];
        header = h;
    }
    x->front = front;
    x->header = header;
    if (found)
        move(x, block, at);
}

void pass_divisors(struct ir_fn *fn)
{
    struct divisors x = {0};
    defs_build(&x.d, fn);
    for (uint32_t r = 0; r < x.d.c->nrpo; r++) {
        uint32_t b = x.d.c->rpo[r];
        for (uint32_t at = 0; x.d.c->loop[b] != CFG_NONE && at < fn->blocks.at[b].insns.n; at++)
            visit(&x, b, at);
    }
    defs_free(&x.d);
    if (x.changed)
        peep_drop_nops(fn);
}
