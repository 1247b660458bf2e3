/* SPDX-License-Identifier: Apache-2.0 */
/* Integer division and remainder, as the machine has no divider: a float reciprocal that never exceeds the true one, one
 * Newton step in integers per doubling of the precision, a quotient that is too small by a little, and corrections.
 * Division by zero gives all ones, as the hardware's sequence does. */
#include "compile/lower/lower.h"

#define T0(i) ((enum ir_type)(i)->type[0])

static opnd iadd(struct lower *L, opnd a, opnd b)
{
    opnd d = tmp(L, 1);
    emit(L, OP_IADD3, T_U32, d, a, b, ZERO);
    return d;
}

/* @p d = a + b */
static void add_if(struct lower *L, opnd p, opnd d, opnd a, opnd b)
{
    emit_insn(L,
              (struct ir_insn){.op = OP_IADD3, .type = T_U32, .guard = p, .dst = {d}, .src = {a, b, ZERO}});
}

/* @p d = all ones: what a division by zero gives */
static void ones_if(struct lower *L, opnd p, opnd d)
{
    emit_insn(L, (struct ir_insn){.op = OP_MOV, .type = T_U32, .guard = p, .dst = {d}, .src = {imm(~0u)}});
}

/* Of the first correction, if (m >= b) { m -= b; q++ }, and the second, which leaves one of the two. */
static opnd quotient_u32(struct lower *L, opnd a, opnd b, bool rem)
{
    opnd f = tmp(L, 1), r0 = tmp(L, 1), r = tmp(L, 1), e = tmp(L, 1), r1 = tmp(L, 1), q = tmp(L, 1),
         m = tmp(L, 1);
    struct ir_insn *n = emit(L, OP_I2F, T_F32, f, b, NONE_OPND, NONE_OPND);
    n->stype = T_U32;
    n->rnd = RND_RP;
    opnd rc = tmp(L, 1);
    emit(L, OP_MUFU, T_F32, rc, f, NONE_OPND, NONE_OPND)->sub = MUFU_RCP;
    /* Times 2^32, less two units in the last place. */
    emit(L, OP_IADD3, T_U32, r0, rc, imm(0x0ffffffe), ZERO);
    n = emit(L, OP_F2I, T_U32, r, r0, NONE_OPND, NONE_OPND);
    n->stype = T_F32;
    n->rnd = RND_RZI;
    emit(L, OP_IMAD, T_U32, e, iadd(L, ZERO, neg(b)), r, ZERO); /* 2^32 - b r */
    emit(L, OP_IMAD_HI, T_U32, r1, r, e, r);
    emit(L, OP_IMAD_HI, T_U32, q, r1, a, ZERO);
    emit(L, OP_IMAD, T_U32, m, iadd(L, ZERO, neg(q)), b, a);
    for (unsigned k = 0; k < 2; k++) {
        opnd p = isetp(L, tmp_pred(L), CMP_GE, T_U32, m, b);
        if (k == 0 || rem)
            add_if(L, p, m, m, neg(b));
        if (!rem)
            add_if(L, p, q, q, imm(1));
    }
    return rem ? m : q;
}

opnd div_u32(struct lower *L, opnd a, opnd b, bool rem)
{
    a = to_reg(L, a);
    b = to_reg(L, b);
    opnd p = isetp(L, tmp_pred(L), CMP_EQ, T_U32, b, ZERO), d = quotient_u32(L, a, b, rem);
    ones_if(L, p, d);
    return d;
}

static opnd iabs(struct lower *L, opnd a)
{
    opnd d = tmp(L, 1);
    emit(L, OP_IABS, T_S32, d, a, NONE_OPND, NONE_OPND);
    return d;
}

/* Of a constant: its sign and its size are known. */
static opnd div_known(struct lower *L, int32_t a, opnd b, bool rem)
{
    opnd zero = isetp(L, tmp_pred(L), CMP_EQ, T_U32, b, ZERO);
    opnd d = quotient_u32(L, imm(a < 0 ? -(uint32_t)a : (uint32_t)a), iabs(L, b), rem);
    if (!rem)
        add_if(L, isetp(L, tmp_pred(L), a < 0 ? CMP_GE : CMP_LT, T_S32, b, ZERO), d, ZERO, neg(d));
    else if (a < 0)
        d = iadd(L, ZERO, neg(d));
    ones_if(L, zero, d);
    return d;
}

/* Quotient is negative where the signs differ, the remainder follows the dividend. */
static opnd div_s32(struct lower *L, opnd a, opnd b, bool rem)
{
    if (a.kind == OPND_IMM)
        return div_known(L, (int32_t)a.val, to_reg(L, b), rem);
    a = to_reg(L, a);
    b = to_reg(L, b);
    opnd s = rem ? a : logic(L, tmp(L, 1), a, b, LUT_XOR);
    opnd minus = isetp(L, tmp_pred(L), CMP_LT, T_S32, s, ZERO);
    opnd zero = isetp(L, tmp_pred(L), CMP_EQ, T_U32, b, ZERO);
    opnd d = quotient_u32(L, iabs(L, a), iabs(L, b), rem);
    add_if(L, minus, d, ZERO, neg(d));
    ones_if(L, zero, d);
    return d;
}

static struct w64 words(opnd p) { return (struct w64){word(p, 0), word(p, 1)}; }

/* One Newton step: r += hi64(r * (2^64 - b r)); r stays at or below 2^64 / b. */
static opnd newton64(struct lower *L, opnd r, struct w64 b)
{
    opnd br = tmp(L, 2), e = tmp(L, 2), h = tmp(L, 2), s = tmp(L, 2);
    mul64_lo(L, br, b, words(r));
    add64(L, e, (struct w64){ZERO, ZERO}, words(br), true);
    mul64_hi(L, h, words(r), words(e), tmp(L, 2));
    add64(L, s, words(r), words(h), false);
    return s;
}

static opnd sel64(struct lower *L, opnd p, opnd a, opnd b)
{
    opnd d = tmp(L, 2);
    for (unsigned w = 0; w < 2; w++)
        sel(L, word(d, w), p, word(a, w), word(b, w));
    return d;
}

static opnd div_u64_full(struct lower *L, struct w64 a, struct w64 b, bool rem)
{
    opnd f = tmp(L, 1), rc = tmp(L, 1), r0 = tmp(L, 1), r = tmp(L, 2);
    struct ir_insn *n = emit(L, OP_I2F, T_F32, f, pair(L, b.lo, b.hi), NONE_OPND, NONE_OPND);
    n->stype = T_U64;
    n->rnd = RND_RP;
    emit(L, OP_MUFU, T_F32, rc, f, NONE_OPND, NONE_OPND)->sub = MUFU_RCP;
    emit(L, OP_IADD3, T_U32, r0, rc, imm(0x1ffffffc), ZERO); /* times 2^64, a little less */
    n = emit(L, OP_F2I, T_U64, r, r0, NONE_OPND, NONE_OPND);
    n->stype = T_F32;
    n->rnd = RND_RZI;
    r = newton64(L, r, b);
    r = newton64(L, r, b);
    opnd q = tmp(L, 2), qb = tmp(L, 2), m = tmp(L, 2);
    mul64_hi(L, q, words(r), a, tmp(L, 2));
    mul64_lo(L, qb, words(q), b);
    add64(L, m, a, words(qb), true);
    for (int k = 0; k < 2; k++) {
        opnd p = isetp64(L, tmp_pred(L), CMP_GE, false, words(m), b), m1 = tmp(L, 2), q1 = tmp(L, 2);
        add64(L, m1, words(m), b, true);
        add64(L, q1, words(q), (struct w64){imm(1), ZERO}, false);
        m = sel64(L, p, m1, m);
        q = sel64(L, p, q1, q);
    }
    opnd nz = isetp64(L, tmp_pred(L), CMP_NE, false, b, (struct w64){ZERO, ZERO});
    return sel64(L, nz, rem ? m : q, pair(L, imm(~0u), imm(~0u)));
}

/* Small operands (both high words zero) take the 32-bit sequence, as the assembler's code does. */
static opnd div_u64(struct lower *L, struct w64 a, struct w64 b, bool rem)
{
    opnd d = tmp(L, 2), p = tmp_pred(L);
    uint32_t small = label_new(L), done = label_new(L);
    opnd guard = L->guard;
    L->guard = NONE_OPND;
    isetp(L, p, CMP_EQ, T_U32, logic(L, tmp(L, 1), a.hi, b.hi, LUT_OR), ZERO);
    branch(L, small, p);
    mov(L, d, div_u64_full(L, a, b, rem));
    branch(L, done, NONE_OPND);
    label_place(L, small);
    opnd q = div_u32(L, a.lo, b.lo, rem);
    mov(L, word(d, 0), q);
    opnd z = isetp(L, tmp_pred(L), CMP_EQ, T_U32, b.lo, ZERO);
    sel(L, word(d, 1), z, imm(~0u), ZERO);
    label_place(L, done);
    L->guard = guard;
    return d;
}

static opnd abs64(struct lower *L, struct w64 a, opnd p)
{
    opnd n = tmp(L, 2);
    add64(L, n, (struct w64){ZERO, ZERO}, a, true);
    return sel64(L, p, n, pair(L, a.lo, a.hi));
}

static opnd div_s64(struct lower *L, struct w64 a, struct w64 b, bool rem)
{
    opnd pa = isetp(L, tmp_pred(L), CMP_LT, T_S32, a.hi, ZERO),
         pb = isetp(L, tmp_pred(L), CMP_LT, T_S32, b.hi, ZERO);
    opnd ua = abs64(L, a, pa), ub = abs64(L, b, pb), q = div_u64(L, words(ua), words(ub), rem), n = tmp(L, 2);
    opnd s = rem ? a.hi : logic(L, tmp(L, 1), a.hi, b.hi, LUT_XOR);
    opnd p = isetp(L, tmp_pred(L), CMP_LT, T_S32, s, ZERO);
    add64(L, n, (struct w64){ZERO, ZERO}, words(q), true);
    opnd nz = isetp64(L, tmp_pred(L), CMP_NE, false, b, (struct w64){ZERO, ZERO});
    return sel64(L, nz, sel64(L, p, n, q), pair(L, imm(~0u), imm(~0u)));
}

static struct w64 in_regs(struct lower *L, struct w64 v)
{
    return (struct w64){to_reg(L, v.lo), to_reg(L, v.hi)};
}

bool lower_div_int(struct lower *L, const struct ptx_insn *i)
{
    enum ir_type t = T0(i);
    bool rem = i->op == P_rem, sx = type_is_signed(t);
    if (type_bits(t) == 64) {
        struct w64 a = in_regs(L, src64(L, &i->ops[1])), b = in_regs(L, src64(L, &i->ops[2]));
        put(L, &i->ops[0], t, (sx ? div_s64 : div_u64)(L, a, b, rem));
        return true;
    }
    opnd a = src32(L, &i->ops[1], t), b = src32(L, &i->ops[2], t);
    put(L, &i->ops[0], t, (sx ? div_s32 : div_u32)(L, a, b, rem));
    return true;
}
