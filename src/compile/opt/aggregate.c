/* SPDX-License-Identifier: Apache-2.0 */
/* Atomics of a warp on one address become one. Where all lanes are known to name the same word, the lane with the highest number
 * does the atomic for those that are active, with
 *   add of one number: that number times their count; a lane that wants the old value gets the leader's, plus the number times
 *                      the lanes below it,
 *   other integer sums, minima, maxima and logic without a result: what REDUX makes of their values.
 * NVIDIA's assembler does exactly these (nvcc 13 for sm_90, fourteen small kernels): not for floats, not for increments that
 * wrap, not for minima, maxima and logic that return the old value; in shared memory ATOMS.POPC.INC counts by itself. Only for
 * sm_90: the stored figures of the suite rest on code for sm_80. */
#include "compile/lower/lower.h"
#include "compile/opt/defs.h"
#include "compile/opt/legal.h"

enum { DEPTH = 8 }; /* of the expression that makes an address */

/* The lanes that an exchange waits for, as an operand; NULL: not all of them get the same. */
static const struct ir_opnd *members_of(const struct ir_insn *i)
{
    if (i->op == OP_VOTE || i->op == OP_REDUX)
        return &i->src[1];
    bool one_lane = i->op == OP_SHFL && i->sub == SHFL_IDX && i->src[1].kind == OPND_IMM &&
                    i->src[2].kind == OPND_IMM && i->src[2].val == 31;
    return one_lane ? &i->src[3] : NULL;
}

/* What all lanes of the warp get from one another is one value: a ballot, a sum, or what one of them has. */
static bool is_of_all(const struct ir_insn *i)
{
    const struct ir_opnd *members = members_of(i);
    return members && members->kind == OPND_IMM && members->val == UINT32_MAX && !i->guard.kind;
}

/* One value for all lanes of the warp: made of constants, numbers of the CTA and what all lanes exchanged, by instructions that
 * have one result. */
static bool is_uniform(const struct defs *d, const struct ir_opnd *o, uint32_t block, uint32_t at,
                       unsigned depth)
{
    if (o->kind != OPND_REG)
        return o->kind != OPND_PRED || o->val == PRED_PT;
    for (unsigned w = 0; w < o->n; w++) {
        struct ir_opnd one = ir_reg(o->val, o->sub + w, 1);
        const struct ir_insn *i = depth ? defs_of(d, &one, block, at) : NULL;
        if (!i)
            return false;
        if (i->op == OP_S2R) {
            if (i->sub < SR_CTAID_X || i->sub > SR_CTAID_Z)
                return false;
            continue;
        }
        if (is_of_all(i))
            continue;
        if (ir_ops[i->op].flags || i->op == OP_SYSCALL || i->op == OP_CALL)
            return false;
        const struct def *x = defs_info(d, &one);
        for (unsigned k = 0; k < 6; k++)
            if (!is_uniform(d, &i->src[k], x->block, x->at, depth - 1))
                return false;
    }
    return true;
}

enum how { AS_IT_IS, COUNT, REDUCE };

/* A number of 64 bits whose upper word is zero, added without a result. */
static bool adds_small(const struct defs *d, const struct ir_insn *i, uint32_t block, uint32_t at)
{
    if (i->op != OP_RED || i->aop != AOP_ADD || (i->type != T_U64 && i->type != T_S64) ||
        i->src[1].kind != OPND_REG || i->src[1].n != 2 || i->space != SPACE_GLOBAL)
        return false;
    struct ir_opnd high = defs_origin(d, ir_reg(i->src[1].val, i->src[1].sub + 1, 1), block, at),
                   low = ir_reg(i->src[1].val, i->src[1].sub, 1);
    return opnd_is_zero(&high) && is_uniform(d, &low, block, at, DEPTH);
}

static enum how how_of(const struct defs *d, const struct ir_insn *i, uint32_t block, uint32_t at)
{
    bool red = i->op == OP_RED, word = i->type == T_U32 || i->type == T_S32 || i->type == T_B32;
    if ((!red && i->op != OP_ATOM) || i->guard.kind || i->vec > 1 || i->order != ORD_RELAXED ||
        (i->space != SPACE_GLOBAL && i->space != SPACE_SHARED) || (!red && i->dst[0].kind != OPND_REG) ||
        !is_uniform(d, &i->src[0], block, at, DEPTH))
        return AS_IT_IS;
    if (!word)
        return adds_small(d, i, block, at) ? COUNT : AS_IT_IS;
    if (i->aop == AOP_ADD && is_uniform(d, &i->src[1], block, at, DEPTH)) {
        struct ir_opnd v = defs_origin(d, i->src[1], block, at);
        return red && i->space == SPACE_SHARED && v.kind == OPND_IMM && v.val == 1 ? AS_IT_IS : COUNT;
    }
    bool reduces = i->aop == AOP_ADD || i->aop == AOP_MIN || i->aop == AOP_MAX || i->aop == AOP_AND ||
                   i->aop == AOP_OR || i->aop == AOP_XOR;
    return red && reduces && i->space == SPACE_GLOBAL ? REDUCE : AS_IT_IS;
}

struct making {
    struct ir_fn *fn;
    VEC(struct ir_insn) to;
    uint32_t line;
};

static struct ir_opnd make(struct making *m, enum ir_op op, uint8_t sub, struct ir_opnd a, struct ir_opnd b,
                           struct ir_opnd c)
{
    struct ir_insn i = {.op = op, .type = T_U32, .sub = sub, .src = {a, b, c}, .line = m->line};
    unsigned words = op == OP_IMAD_WIDE ? 2 : 1;
    i.dst[0] = ir_reg(ir_vreg(m->fn, words, NULL), 0, words);
    vec_push(&m->to, i);
    return i.dst[0];
}

/* n times v: a constant one needs no product. */
static struct ir_opnd times(struct making *m, struct ir_opnd n, struct ir_opnd v, struct ir_opnd plus)
{
    bool one = v.kind == OPND_IMM && v.val == 1;
    if (one && opnd_is_zero(&plus))
        return n;
    return one ? make(m, OP_IADD3, 0, n, plus, ir_imm(0)) : make(m, OP_IMAD, 0, n, v, plus);
}

static void aggregate(struct making *m, const struct defs *d, const struct ir_insn *old, enum how how,
                      uint32_t block, uint32_t at)
{
    const struct ir_opnd none = ir_none(), all = ir_pred(PRED_PT, false);
    bool wide = old->src[1].kind == OPND_REG && old->src[1].n == 2;
    struct ir_opnd given = wide ? ir_reg(old->src[1].val, old->src[1].sub, 1) : old->src[1],
                   value = defs_origin(d, given, block, at);
    if (value.kind != OPND_IMM)
        value = given;
    struct ir_opnd lane = make(m, OP_S2R, SR_LANEID, none, none, none);
    struct ir_opnd active = make(m, OP_VOTE, VOTE_ACTIVE, all, none, none);
    struct ir_opnd leader = make(m, OP_FLO, 0, active, none, none);
    struct ir_insn n = *old, is = {.op = OP_ISETP, .type = T_U32, .cmp = CMP_EQ, .line = m->line};
    is.dst[0] = ir_pred(ir_vpred(m->fn), false);
    is.src[0] = lane;
    is.src[1] = leader;
    if (how == COUNT) {
        struct ir_opnd count = make(m, OP_POPC, 0, active, none, none);
        n.src[1] =
            wide ? make(m, OP_IMAD_WIDE, 0, count, value, ir_imm(0)) : times(m, count, value, ir_imm(0));
    } else {
        n.src[1] = make(m, OP_REDUX, 0, old->src[1], none, none);
        m->to.at[m->to.n - 1].aop = old->aop;
        m->to.at[m->to.n - 1].type = old->type == T_S32 ? T_S32 : T_U32;
    }
    vec_push(&m->to, is);
    n.guard = is.dst[0];
    if (old->op == OP_RED) {
        vec_push(&m->to, n);
        return;
    }
    n.dst[0] = ir_reg(ir_vreg(m->fn, 1, NULL), 0, 1);
    vec_push(&m->to, n);
    struct ir_opnd before = make(m, OP_S2R, SR_LM_LT, none, none, none);
    before = make(m, OP_LOP3, 0, before, active, ir_imm(0));
    m->to.at[m->to.n - 1].lut = LUT_AND;
    before = make(m, OP_POPC, 0, before, none, none);
    struct ir_opnd first = make(m, OP_SHFL, SHFL_IDX, n.dst[0], leader, ir_imm(0x1f));
    struct ir_opnd mine = times(m, before, value, first);
    vec_push(&m->to, ((struct ir_insn){
                         .op = OP_MOV, .type = T_U32, .dst = {old->dst[0]}, .src = {mine}, .line = m->line}));
}

bool pass_aggregate(struct ir_fn *fn)
{
    struct defs d;
    bool any = false;
    defs_build(&d, fn);
    uint32_t nblocks = fn->blocks.n;
    for (uint32_t b = 0; b < nblocks; b++) {
        struct ir_block *blk = &fn->blocks.at[b];
        struct making m = {.fn = fn};
        bool here = false;
        for (uint32_t at = 0; at < blk->insns.n; at++) {
            enum how how = d.c->rpo_of[b] == CFG_NONE ? AS_IT_IS : how_of(&d, &blk->insns.at[at], b, at);
            m.line = blk->insns.at[at].line;
            if (how == AS_IT_IS)
                vec_push(&m.to, blk->insns.at[at]);
            else
                aggregate(&m, &d, &blk->insns.at[at], how, b, at);
            here |= how != AS_IT_IS;
        }
        if (here) {
            blk->insns.n = 0;
            vec_each (&m.to, i)
                vec_push(&blk->insns, *i);
        }
        any |= here;
        vec_free(&m.to);
    }
    defs_free(&d);
    return any;
}
