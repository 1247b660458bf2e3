/* SPDX-License-Identifier: Apache-2.0 */
/* Comparisons, selection, predicates. */
#include "compile/lower/lower.h"

#define T0(i) ((enum ir_type)(i)->type[0])

static enum ir_cmp mirrored(enum ir_cmp c)
{
    switch (c) {
    case CMP_LT: return CMP_GT;
    case CMP_LE: return CMP_GE;
    case CMP_GT: return CMP_LT;
    case CMP_GE: return CMP_LE;
    case CMP_LTU: return CMP_GTU;
    case CMP_LEU: return CMP_GEU;
    case CMP_GTU: return CMP_LTU;
    case CMP_GEU: return CMP_LEU;
    default: return c;
    }
}

static enum ir_cmp plain_cmp(enum ir_cmp c)
{
    switch (c) {
    case CMP_LO: return CMP_LT;
    case CMP_LS: return CMP_LE;
    case CMP_HI: return CMP_GT;
    case CMP_HS: return CMP_GE;
    default: return c;
    }
}

/* One compare instruction; an immediate first operand changes sides. */
static void compare(struct lower *L, enum ir_op op, enum ir_cmp c, enum ir_type t, opnd a, opnd b, opnd d0,
                    opnd d1, enum ir_bop bop, opnd comb, uint16_t flags, opnd low)
{
    if (a.kind != OPND_REG && b.kind == OPND_REG) {
        opnd x = a;
        a = b;
        b = x;
        c = mirrored(c);
    }
    emit_insn(L, (struct ir_insn){.op = (uint8_t)op,
                                  .type = (uint8_t)t,
                                  .cmp = (uint8_t)c,
                                  .bop = (uint8_t)bop,
                                  .flags = flags,
                                  .dst = {d0, d1},
                                  .src = {a, b, comb, low}});
}

opnd isetp(struct lower *L, opnd d, enum ir_cmp c, enum ir_type t, opnd a, opnd b)
{
    compare(L, OP_ISETP, c, t, a, b, d, NONE_OPND, BOP_AND, NONE_OPND, 0, NONE_OPND);
    return d;
}

static void compare64(struct lower *L, enum ir_cmp c, bool sx, struct w64 a, struct w64 b, opnd d0, opnd d1,
                      enum ir_bop bop, opnd comb)
{
    opnd low = tmp_pred(L);
    compare(L, OP_ISETP, c, T_U32, a.lo, b.lo, low, NONE_OPND, BOP_AND, NONE_OPND, 0, NONE_OPND);
    compare(L, OP_ISETP, c, sx ? T_S32 : T_U32, a.hi, b.hi, d0, d1, bop, comb, IRF_X, low);
}

opnd isetp64(struct lower *L, opnd d, enum ir_cmp c, bool sx, struct w64 a, struct w64 b)
{
    compare64(L, c, sx, a, b, d, NONE_OPND, BOP_AND, NONE_OPND);
    return d;
}

opnd sel(struct lower *L, opnd d, opnd p, opnd a, opnd b)
{
    /* The first source must be a register; RZ is one, so that a constant or zero needs no move. */
    bool zero_first = L->fn->hopper && a.kind == OPND_IMM && a.val && opnd_is_zero(&b);
    if ((a.kind != OPND_REG && b.kind == OPND_REG) || zero_first) {
        opnd x = a;
        a = b;
        b = x;
        p = not_pred(p);
    }
    emit(L, OP_SEL, T_U32, d, a, b, p);
    return d;
}

/* The comparison of setp and set: into d0 (and d1, its complement), combined with a predicate. */
static bool compare_typed(struct lower *L, const struct ptx_insn *i, enum ir_type t,
                          const struct ptx_opnd *pa, const struct ptx_opnd *pb, opnd d0, opnd d1, opnd comb)
{
    enum ir_bop bop = comb.kind ? i->bop : BOP_AND;
    enum ir_cmp c = plain_cmp(i->cmp);
    uint16_t ftz = ptx_has(i, M_FTZ) ? IRF_FTZ : 0;
    if (i->cmp == CMP_NONE)
        return lower_fail(L, "'%s' needs a comparison", ptx_op_names[i->op]);
    if (type_is_float(t)) {
        enum ir_op op = t == T_F32 ? OP_FSETP : t == T_F64 ? OP_DSETP : OP_HSETP2;
        if (i->cmp >= CMP_LO && i->cmp <= CMP_HS)
            return lower_fail(L, "an unsigned comparison of floating-point values");
        compare(L, op, c, t, src(L, pa, t), src(L, pb, t), d0, d1, bop, comb, ftz, NONE_OPND);
        return true;
    }
    if (c >= CMP_EQU)
        return lower_fail(L, "an unordered comparison of integers");
    bool sx = type_is_signed(t) && c == i->cmp;
    if (type_bits(t) == 64) {
        struct w64 a = src64(L, pa), b = src64(L, pb);
        compare64(L, c, sx, a, b, d0, d1, bop, comb);
        return true;
    }
    enum ir_type xt = type_bits(t) == 16 ? (sx ? T_S16 : T_U16) : t;
    if (L->fn->hopper && xt == T_S16 && (c == CMP_EQ || c == CMP_NE) &&
        (src_extends(L, pa, xt) || src_extends(L, pb, xt)))
        /* Equal is equal however they are extended: bytes and halves that were loaded have zeros already */
        xt = T_U16;
    compare(L, OP_ISETP, c, sx ? T_S32 : T_U32, src32(L, pa, xt), src32(L, pb, xt), d0, d1, bop, comb, 0,
            NONE_OPND);
    return true;
}

bool lower_setp(struct lower *L, const struct ptx_insn *i)
{
    const struct ptx_opnd *d = &i->ops[0];
    opnd d0, d1 = NONE_OPND;
    if (d->kind == PO_PAIR) {
        d0 = dst_pred(L, &d->sub[0]);
        d1 = dst_pred(L, &d->sub[1]);
    } else {
        d0 = dst_pred(L, d);
    }
    opnd comb = i->nops > 3 ? src_pred(L, &i->ops[3]) : NONE_OPND;
    return compare_typed(L, i, T0(i), &i->ops[1], &i->ops[2], d0, d1, comb);
}

/* set.cmp.dtype.stype: all ones or 1.0 where the comparison holds. */
bool lower_set(struct lower *L, const struct ptx_insn *i)
{
    enum ir_type dt = T0(i), st = i->type[1];
    if (i->ntypes < 2)
        return lower_fail(L, "set needs a destination and a source type");
    opnd p = tmp_pred(L), q = NONE_OPND;
    opnd comb = i->nops > 3 ? src_pred(L, &i->ops[3]) : NONE_OPND;
    bool packed = st == T_F16X2 || st == T_BF16X2;
    if (packed)
        q = tmp_pred(L);
    if (!compare_typed(L, i, st, &i->ops[1], &i->ops[2], p, q, comb))
        return false;
    opnd d = dst(L, &i->ops[0], dt);
    if (packed) {
        uint32_t one = dt == T_F16X2 ? 0x3c00 : dt == T_BF16X2 ? 0x3f80 : 0xffff;
        opnd lo = tmp(L, 1), hi = tmp(L, 1);
        sel(L, lo, p, imm(one), ZERO);
        sel(L, hi, q, imm(one << 16), ZERO);
        logic(L, d, lo, hi, LUT_OR);
        return true;
    }
    uint32_t one = dt == T_F32 ? 0x3f800000u : dt == T_F16 ? 0x3c00 : dt == T_BF16 ? 0x3f80 : ~0u;
    sel(L, d, p, imm(one), ZERO);
    return true;
}

bool lower_selp(struct lower *L, const struct ptx_insn *i)
{
    enum ir_type t = T0(i);
    opnd p = src_pred(L, &i->ops[3]), d = dst(L, &i->ops[0], t);
    for (unsigned w = 0; w < type_units(t); w++)
        sel(L, word(d, w), p, src_word(L, &i->ops[1], t, w), src_word(L, &i->ops[2], t, w));
    return true;
}

/* slct.dtype.{s32,f32}: c >= 0 ? a : b */
bool lower_slct(struct lower *L, const struct ptx_insn *i)
{
    enum ir_type t = T0(i), ct = i->ntypes > 1 ? i->type[1] : T_S32;
    opnd p = tmp_pred(L), c = src(L, &i->ops[3], ct), d = dst_safe(L, &i->ops[0], t);
    compare(L, ct == T_F32 ? OP_FSETP : OP_ISETP, CMP_GE, ct, c, ZERO, p, NONE_OPND, BOP_AND, NONE_OPND,
            ptx_has(i, M_FTZ) ? IRF_FTZ : 0, NONE_OPND);
    for (unsigned w = 0; w < type_units(t); w++)
        sel(L, word(d, w), p, src_word(L, &i->ops[1], t, w), src_word(L, &i->ops[2], t, w));
    put(L, &i->ops[0], t, d);
    return true;
}

/* Classes of floating-point numbers, from the magnitude's bits: subnormal and zero below the first exponent. */
bool lower_testp(struct lower *L, const struct ptx_insn *i)
{
    enum ir_type t = T0(i);
    opnd d = dst_pred(L, &i->ops[0]), a = src(L, &i->ops[1], t),
         inf = imm(t == T_F64 ? 0x7ff00000u : 0x7f800000u);
    enum ir_op op = t == T_F64 ? OP_DSETP : OP_FSETP;
    inf.n = (uint8_t)type_units(t);
    opnd mag = absolute(to_reg(L, a));
    if (ptx_has(i, M_NUMBER) || ptx_has(i, M_NOTANUMBER)) {
        compare(L, op, ptx_has(i, M_NUMBER) ? CMP_NUM : CMP_NAN, t, mag, mag, d, NONE_OPND, BOP_AND,
                NONE_OPND, 0, NONE_OPND);
        return true;
    }
    if (ptx_has(i, M_FINITE) || ptx_has(i, M_INFINITE)) {
        compare(L, op, ptx_has(i, M_FINITE) ? CMP_LT : CMP_EQ, t, mag, inf, d, NONE_OPND, BOP_AND, NONE_OPND,
                0, NONE_OPND);
        return true;
    }
    opnd p = tmp_pred(L), least = imm(t == T_F64 ? 0x00100000u : 0x00800000u), zero = ZERO;
    least.n = zero.n = inf.n;
    bool normal = ptx_has(i, M_NORMAL); /* zeros count as normal */
    if (!normal && !ptx_has(i, M_SUBNORMAL))
        return lower_fail(L, "testp needs a class");
    compare(L, op, CMP_LT, t, mag, least, p, NONE_OPND, BOP_AND, NONE_OPND, 0, NONE_OPND);
    opnd sub = normal ? tmp_pred(L) : d;
    compare(L, op, CMP_GT, t, mag, zero, sub, NONE_OPND, BOP_AND, p, 0, NONE_OPND);
    if (normal)
        compare(L, op, CMP_LT, t, mag, inf, d, NONE_OPND, BOP_AND, not_pred(sub), 0, NONE_OPND);
    return true;
}
