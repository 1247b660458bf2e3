/* SPDX-License-Identifier: Apache-2.0 */
/* Floating-point arithmetic beyond add and mul: fused multiply-add, approximations, and the sequences for correctly
 * rounded reciprocal, division and square root. The sequences are the usual ones: a table value from MUFU, Newton steps
 * by fma, and a final correction by the exact remainder; operands outside the range where all intermediate values are
 * normal branch to SLOWF. A directed rounding takes the exact remainder of the nearest result once more. */
#include "compile/lower/lower.h"
#include "compile/passes.h"

#define T0(i) ((enum ir_type)(i)->type[0])

static uint16_t ftz_of(const struct ptx_insn *i) { return ptx_has(i, M_FTZ) ? IRF_FTZ : 0; }

bool lower_fma(struct lower *L, const struct ptx_insn *i)
{
    enum ir_type t = T0(i);
    enum ir_op op = t == T_F32 ? OP_FFMA : t == T_F64 ? OP_DFMA : OP_HFMA2;
    struct ir_insn *n = emit(L, op, t, dst(L, &i->ops[0], t), src(L, &i->ops[1], t), src(L, &i->ops[2], t),
                             src(L, &i->ops[3], t));
    n->rnd = i->rnd ? i->rnd : RND_RN;
    n->flags = ftz_of(i) | (ptx_has(i, M_SAT) ? IRF_SAT : 0) | (ptx_has(i, M_RELU) ? IRF_RELU : 0);
    return true;
}

static opnd mufu(struct lower *L, opnd d, enum ir_mufu f, opnd a, uint16_t flags)
{
    struct ir_insn *n = emit(L, OP_MUFU, T_F32, d, a, NONE_OPND, NONE_OPND);
    n->sub = (uint8_t)f;
    n->flags = flags;
    return d;
}

static opnd fop(struct lower *L, enum ir_op op, enum ir_type t, opnd a, opnd b, opnd c, uint16_t flags)
{
    opnd d = tmp(L, type_units(t));
    struct ir_insn *n = emit(L, op, t, d, a, b, c);
    n->rnd = RND_RN;
    n->flags = flags;
    return d;
}

static opnd ffma(struct lower *L, opnd a, opnd b, opnd c) { return fop(L, OP_FFMA, T_F32, a, b, c, 0); }
static opnd dfma(struct lower *L, opnd a, opnd b, opnd c) { return fop(L, OP_DFMA, T_F64, a, b, c, 0); }
static opnd dmul(struct lower *L, opnd a, opnd b) { return fop(L, OP_DMUL, T_F64, a, b, NONE_OPND, 0); }

static opnd dimm(uint32_t hi)
{
    opnd o = imm(hi);
    o.n = 2;
    return o;
}
enum { ONE_F32 = 0x3f800000, HALF_F32 = 0x3f000000, ONE_F64_HI = 0x3ff00000, HALF_F64_HI = 0x3fe00000 };

static void slowf(struct lower *L, opnd d, enum ir_type t, unsigned sub, opnd a, opnd b, unsigned rnd,
                  uint16_t flags)
{
    struct ir_insn *n = emit(L, OP_SLOWF, t, d, to_reg(L, a), b.kind ? to_reg(L, b) : b, NONE_OPND);
    n->sub = (uint8_t)sub;
    n->rnd = (uint8_t)rnd;
    n->flags = flags;
}

/* The reciprocal in a division that looks at its operands. NVIDIA's assembler writes such divisions out when it no longer looks
 * for equal values, so each has a reciprocal of its own. In older code, on which stored figures rest, there is one for all. */
static opnd own_mufu(struct lower *L, opnd r, enum ir_mufu f, opnd a)
{
    return mufu(L, r, f, a, L->fn->hopper ? IRF_OWN : 0);
}

/* Runs `slow` (into q) only for lanes where p holds; q already has the fast result. The PTX guard is on the final move
 * only: q is a temporary. */
static void slow_path(struct lower *L, opnd p, opnd q, enum ir_type t, unsigned sub, opnd a, opnd b,
                      unsigned rnd, uint16_t flags)
{
    uint32_t done = label_new(L);
    opnd guard = L->guard;
    L->guard = NONE_OPND;
    branch(L, done, not_pred(p));
    slowf(L, q, t, sub, a, b, rnd, flags);
    label_place(L, done);
    L->guard = guard;
}

static bool is_directed(unsigned rnd) { return rnd != RND_RN && rnd != RND_NONE; }

/* From the result to nearest, q, to that of a directed rounding. What q lacks is rest * slope: the remainder is exact and has the
 * right sign, and it is less than one unit of q's last place, so that this sum is rounded as the result is. */
static void direct(struct lower *L, opnd q, enum ir_type t, opnd rest, opnd slope, unsigned rnd)
{
    opnd d = tmp(L, type_units(t));
    emit(L, t == T_F32 ? OP_FFMA : OP_DFMA, t, d, rest, slope, q)->rnd = (uint8_t)rnd;
    mov(L, q, d);
}

/* One correction is enough: before its rounding the quotient is off by less than 2^-22 of its last place, and of all quotients
 * that lie as near to the middle of two floats none is rounded wrongly (all 5 * 10^7 of them were tried). */
static opnd div_f32(struct lower *L, opnd a, opnd b, unsigned rnd, uint16_t ftz)
{
    opnd p = tmp_pred(L), q = tmp(L, 1);
    emit(L, OP_FCHK, T_F32, p, a, b, NONE_OPND);
    opnd r = own_mufu(L, tmp(L, 1), MUFU_RCP, b);
    opnd e = ffma(L, neg(b), r, imm(ONE_F32));
    r = ffma(L, r, e, r);
    opnd q0 = fop(L, OP_FMUL, T_F32, a, r, NONE_OPND, 0);
    opnd t = ffma(L, neg(b), q0, a);
    /* Rounded as the quotient is, where FCHK has nothing to say: ptxas stops here too */
    mov(L, q, ffma(L, t, r, q0));
    if (is_directed(rnd))
        direct(L, q, T_F32, ffma(L, neg(b), q, a), r, rnd);
    slow_path(L, p, q, T_F32, 0, a, b, rnd, ftz);
    return q;
}

/* A double from MUFU's high word. */
static opnd mufu64h(struct lower *L, enum ir_mufu f, opnd a)
{
    opnd r = tmp(L, 2);
    mov(L, word(r, 0), ZERO);
    own_mufu(L, word(r, 1), f, word(a, 1));
    return r;
}

static opnd rcp_core_f64(struct lower *L, opnd b)
{
    opnd r = mufu64h(L, MUFU_RCP64H, b);
    opnd e = dfma(L, neg(b), r, dimm(ONE_F64_HI));
    e = dfma(L, e, e, e); /* e + e^2: two steps in one */
    r = dfma(L, r, e, r);
    e = dfma(L, neg(b), r, dimm(ONE_F64_HI));
    return dfma(L, r, e, r);
}

static opnd div_f64(struct lower *L, opnd a, opnd b, unsigned rnd)
{
    opnd p = tmp_pred(L), q = tmp(L, 2);
    emit(L, OP_FCHK, T_F64, p, a, b, NONE_OPND);
    opnd r = rcp_core_f64(L, b);
    opnd q0 = dmul(L, a, r);
    opnd t = dfma(L, neg(b), q0, a);
    mov(L, q, dfma(L, t, r, q0));
    if (is_directed(rnd))
        direct(L, q, T_F64, dfma(L, neg(b), q, a), r, rnd);
    slow_path(L, p, q, T_F64, 0, a, b, rnd, 0);
    return q;
}

/* div.full: both operands times 1/4 for divisors above 2^126, whose reciprocal would be subnormal, and times 2^24 for
 * subnormal divisors, whose reciprocal would overflow. */
static void scale_operands(struct lower *L, opnd *a, opnd *b, uint16_t ftz)
{
    opnd big = tmp_pred(L), small = tmp_pred(L), s = tmp(L, 1), s2 = tmp(L, 1);
    emit(L, OP_FSETP, T_F32, big, absolute(*b), imm(0x7e800000), NONE_OPND)->cmp = CMP_GT;
    emit(L, OP_FSETP, T_F32, small, absolute(*b), imm(0x00800000), NONE_OPND)->cmp = CMP_LT;
    sel(L, s, big, to_reg(L, imm(0x3e800000)), imm(ONE_F32));
    sel(L, s2, not_pred(small), s, imm(0x4b800000));
    *a = fop(L, OP_FMUL, T_F32, *a, s2, NONE_OPND, ftz);
    *b = fop(L, OP_FMUL, T_F32, *b, s2, NONE_OPND, ftz);
}

/* div.approx without .ftz: NVIDIA's assembler scales for subnormal divisors only (seen on an H200). */
static void scale_subnormal(struct lower *L, opnd *a, opnd *b)
{
    enum { TINY = 0x00800000, TWO_24 = 0x4b800000 };
    opnd small = tmp_pred(L), *both[] = {a, b}, s = tmp(L, 1);
    /* By a predicate, as in NVIDIA's code; the suite's stored figures rest on the other for older targets */
    bool guard = L->fn->hopper;
    emit(L, OP_FSETP, T_F32, small, absolute(*b), imm(TINY), NONE_OPND)->cmp = CMP_LT;
    if (!guard)
        sel(L, s, small, to_reg(L, imm(TWO_24)), imm(ONE_F32));
    for (unsigned k = 0; k < 2; k++) {
        opnd x = guard ? mov_tmp(L, *both[k]) : tmp(L, 1);
        struct ir_insn *n =
            emit(L, OP_FMUL, T_F32, x, guard ? x : *both[k], guard ? imm(TWO_24) : s, NONE_OPND);
        if (guard)
            n->guard = small;
        else
            n->rnd = RND_RN;
        *both[k] = x;
    }
}

static bool div_float(struct lower *L, const struct ptx_insn *i)
{
    enum ir_type t = T0(i);
    if (t != T_F32 && t != T_F64)
        return lower_fail(L, "div.%s does not exist", ir_types[t].name);
    opnd a = to_reg(L, src(L, &i->ops[1], t)), b = to_reg(L, src(L, &i->ops[2], t));
    if (ptx_has(i, M_APPROX) || ptx_has(i, M_FULL)) {
        opnd r = tmp(L, 1);
        if (ptx_has(i, M_FULL))
            scale_operands(L, &a, &b, ftz_of(i));
        else if (!ftz_of(i))
            scale_subnormal(L, &a, &b);
        mufu(L, r, MUFU_RCP, b, ftz_of(i));
        struct ir_insn *n = emit(L, OP_FMUL, t, dst(L, &i->ops[0], t), a, r, NONE_OPND);
        n->rnd = RND_RN;
        n->flags = ftz_of(i);
        return true;
    }
    unsigned rnd = i->rnd == RND_NONE ? RND_RN : i->rnd;
    put(L, &i->ops[0], t, t == T_F32 ? div_f32(L, a, b, rnd, ftz_of(i)) : div_f64(L, a, b, rnd));
    return true;
}

bool lower_rcp(struct lower *L, const struct ptx_insn *i)
{
    enum ir_type t = T0(i);
    opnd a = to_reg(L, src(L, &i->ops[1], t));
    if (ptx_has(i, M_APPROX)) {
        if (t == T_F32) {
            mufu(L, dst(L, &i->ops[0], t), MUFU_RCP, a, ftz_of(i));
            return true;
        }
        opnd d = dst_safe(L, &i->ops[0], t); /* rcp.approx.ftz.f64: the high word, low word zero */
        mufu(L, word(d, 1), MUFU_RCP64H, word(a, 1), ftz_of(i));
        mov(L, word(d, 0), ZERO);
        put(L, &i->ops[0], t, d);
        return true;
    }
    opnd one = t == T_F32 ? imm(ONE_F32) : dimm(ONE_F64_HI);
    unsigned rnd = i->rnd == RND_NONE ? RND_RN : i->rnd;
    opnd p = tmp_pred(L), q = tmp(L, type_units(t));
    if (t == T_F32) {
        /* exponents 1 to 252: the reciprocal is a normal number. One step is exact for every significand. */
        opnd field = tmp(L, 1), r = tmp(L, 1);
        emit(L, OP_IADD3, T_U32, field, a, imm(0x01800000), ZERO);
        isetp(L, p, CMP_LE, T_U32, logic(L, tmp(L, 1), field, imm(0x7f800000), LUT_AND), imm(0x01ffffff));
        mufu(L, r, MUFU_RCP, a, 0);
        opnd e = ffma(L, neg(a), r, imm(ONE_F32));
        mov(L, q, ffma(L, r, e, r));
        if (is_directed(rnd))
            direct(L, q, t, ffma(L, neg(a), q, imm(ONE_F32)), r, rnd);
    } else {
        one = to_reg(L, one);
        emit(L, OP_FCHK, t, p, one, a, NONE_OPND);
        opnd r = rcp_core_f64(L, a), e = dfma(L, neg(a), r, dimm(ONE_F64_HI));
        mov(L, q, dfma(L, r, e, r));
        if (is_directed(rnd))
            direct(L, q, t, dfma(L, neg(a), q, dimm(ONE_F64_HI)), r, rnd);
    }
    slow_path(L, p, q, t, 0, one, a, rnd, ftz_of(i));
    put(L, &i->ops[0], t, q);
    return true;
}

/* Square roots are exact on [2^-100, max): below, the remainder would not be a normal number. */
static opnd sqrt_f32(struct lower *L, opnd a, unsigned rnd, uint16_t ftz)
{
    opnd p = tmp_pred(L), t = tmp(L, 1), q = tmp(L, 1);
    emit(L, OP_IADD3, T_U32, t, a, imm(0u - 0x0d000000u), ZERO);
    isetp(L, p, CMP_GT, T_U32, t, imm(0x7f7fffffu - 0x0d000000u));
    opnd y = mufu(L, tmp(L, 1), MUFU_RSQ, a, 0);
    opnd s = fop(L, OP_FMUL, T_F32, a, y, NONE_OPND, 0);
    opnd h = fop(L, OP_FMUL, T_F32, y, imm(HALF_F32), NONE_OPND, 0);
    opnd e = ffma(L, neg(s), s, a);
    mov(L, q, ffma(L, e, h, s));
    if (is_directed(rnd))
        direct(L, q, T_F32, ffma(L, neg(q), q, a), h, rnd);
    slow_path(L, p, q, T_F32, 1, a, NONE_OPND, rnd, ftz);
    return q;
}

static opnd sqrt_f64(struct lower *L, opnd a, unsigned rnd)
{
    opnd p = tmp_pred(L), t = tmp(L, 1), q = tmp(L, 2);
    emit(L, OP_IADD3, T_U32, t, word(a, 1), imm(0u - 0x03500000u), ZERO);
    isetp(L, p, CMP_GT, T_U32, t, imm(0x7fefffffu - 0x03500000u));
    /* g -> sqrt(a), h -> 1 / (2 sqrt(a)), twice refined by r = 1/2 - g h */
    opnd y = mufu64h(L, MUFU_RSQ64H, a);
    opnd g = dmul(L, a, y), h = dmul(L, y, dimm(HALF_F64_HI));
    for (int k = 0; k < 2; k++) {
        opnd r = dfma(L, neg(g), h, dimm(HALF_F64_HI));
        g = dfma(L, g, r, g);
        h = dfma(L, h, r, h);
    }
    opnd e = dfma(L, neg(g), g, a);
    mov(L, q, dfma(L, e, h, g));
    if (is_directed(rnd))
        direct(L, q, T_F64, dfma(L, neg(q), q, a), h, rnd);
    slow_path(L, p, q, T_F64, 1, a, NONE_OPND, rnd, 0);
    return q;
}

bool lower_sqrt(struct lower *L, const struct ptx_insn *i)
{
    enum ir_type t = T0(i);
    opnd a = to_reg(L, src(L, &i->ops[1], t));
    if (ptx_has(i, M_APPROX)) {
        mufu(L, dst(L, &i->ops[0], t), MUFU_SQRT, a, ftz_of(i));
        return true;
    }
    unsigned rnd = i->rnd == RND_NONE ? RND_RN : i->rnd;
    put(L, &i->ops[0], t, t == T_F32 ? sqrt_f32(L, a, rnd, ftz_of(i)) : sqrt_f64(L, a, rnd));
    return true;
}

/* y += y (1/2 - (a/2 y) y), twice. A subnormal argument is scaled by 2^108 first and the result by 2^54 after; zero,
 * infinity, NaN and negative arguments keep MUFU's value. */
static opnd rsqrt_f64(struct lower *L, opnd a)
{
    opnd tiny = tmp_pred(L), odd = tmp_pred(L), m = tmp(L, 1), up = tmp(L, 2), back = tmp(L, 2),
         q = tmp(L, 2);
    opnd mag = logic(L, tmp(L, 1), word(a, 1), imm(0x7fffffffu), LUT_AND);
    isetp(L, tiny, CMP_LT, T_U32, mag, imm(0x00100000u));
    mov(L, word(up, 0), ZERO);
    mov(L, word(back, 0), ZERO);
    sel(L, word(up, 1), tiny, to_reg(L, imm(0x46b00000u)), imm(ONE_F64_HI));
    sel(L, word(back, 1), tiny, to_reg(L, imm(0x43500000u)), imm(ONE_F64_HI));
    a = dmul(L, a, up);
    opnd y = mufu64h(L, MUFU_RSQ64H, a), half = dmul(L, a, dimm(HALF_F64_HI)), z = y;
    for (int k = 0; k < 2; k++) {
        opnd w = dmul(L, half, z), e = dfma(L, neg(w), z, dimm(HALF_F64_HI));
        z = dfma(L, z, e, z);
    }
    z = dmul(L, z, back);
    emit(L, OP_IADD3, T_U32, m, word(a, 1), imm(0u - 0x00100000u), ZERO);
    isetp(L, odd, CMP_GT, T_U32, m, imm(0x7fefffffu - 0x00100000u));
    for (unsigned w = 0; w < 2; w++)
        sel(L, word(q, w), odd, word(y, w), word(z, w));
    return q;
}

/* MUFU takes and makes no subnormal numbers. Where the instruction does (it has no .ftz), small arguments are scaled and the
 * result is scaled back, as in code of NVIDIA's assembler: two instructions that a predicate mostly switches off, and the
 * compare. */
static opnd scaled(struct lower *L, enum ir_mufu f, opnd a)
{
    enum { TINY = 0x00800000, TWO_24 = 0x4b800000, TWO_12 = 0x45800000, MINUS_24 = 0xc1c00000 };
    enum { MINUS_126 = 0xc2fc0000 };
    bool ex2 = f == MUFU_EX2;
    opnd p = tmp_pred(L), x = mov_tmp(L, a), r = tmp(L, 1);
    emit(L, OP_FSETP, T_F32, p, ex2 ? x : absolute(x), imm(ex2 ? MINUS_126 : TINY), NONE_OPND)->cmp = CMP_LT;
    emit(L, OP_FMUL, T_F32, x, x, imm(ex2 ? HALF_F32 : TWO_24), NONE_OPND)->guard = p;
    mufu(L, r, f, x, 0);
    struct ir_insn *back = f == MUFU_LG2 ? emit(L, OP_FADD, T_F32, r, r, imm(MINUS_24), NONE_OPND)
                                         : emit(L, OP_FMUL, T_F32, r, r, ex2 ? r : imm(TWO_12), NONE_OPND);
    back->guard = p;
    return r;
}

bool lower_mufu(struct lower *L, const struct ptx_insn *i)
{
    enum ir_type t = T0(i);
    enum ir_mufu f = i->op == P_rsqrt ? MUFU_RSQ
                     : i->op == P_sin ? MUFU_SIN
                     : i->op == P_cos ? MUFU_COS
                     : i->op == P_ex2 ? MUFU_EX2
                     : i->op == P_lg2 ? MUFU_LG2
                                      : MUFU_TANH;
    opnd a = src(L, &i->ops[1], t);
    if (t == T_F64) {
        if (f != MUFU_RSQ)
            return lower_fail(L, "%s.f64 does not exist", ptx_op_names[i->op]);
        a = to_reg(L, a);
        if (ptx_has(i, M_FTZ)) { /* rsqrt.approx.ftz.f64: the high word alone */
            opnd d = dst_safe(L, &i->ops[0], t);
            mufu(L, word(d, 1), MUFU_RSQ64H, word(a, 1), ftz_of(i));
            mov(L, word(d, 0), ZERO);
            put(L, &i->ops[0], t, d);
            return true;
        }
        put(L, &i->ops[0], t, rsqrt_f64(L, a));
        return true;
    }
    if (t == T_F32 && !ftz_of(i) && (f == MUFU_RSQ || f == MUFU_EX2 || f == MUFU_LG2)) {
        mov(L, dst(L, &i->ops[0], t), scaled(L, f, a));
        return true;
    }
    struct ir_insn *n = emit(L, OP_MUFU, t, dst(L, &i->ops[0], t), a, NONE_OPND, NONE_OPND);
    n->sub = (uint8_t)f;
    n->flags = ftz_of(i);
    return true;
}

bool lower_copysign(struct lower *L, const struct ptx_insn *i)
{
    enum ir_type t = T0(i);
    unsigned top = type_units(t) - 1;
    opnd d = dst_safe(L, &i->ops[0], t);
    /* The result has the sign of a and the magnitude of b. */
    opnd a = to_reg(L, src(L, &i->ops[1], t)), b = to_reg(L, src(L, &i->ops[2], t));
    if (top)
        mov(L, word(d, 0), word(b, 0));
    emit(L, OP_LOP3, T_U32, word(d, top), word(a, top), word(b, top), imm(0x80000000u))->lut =
        (0xf0 & 0xaa) | (0xcc & ~0xaa & 0xff);
    put(L, &i->ops[0], t, d);
    return true;
}

bool lower_div(struct lower *L, const struct ptx_insn *i)
{
    return type_is_float(T0(i)) ? div_float(L, i) : lower_div_int(L, i);
}
