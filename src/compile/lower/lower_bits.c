/* SPDX-License-Identifier: Apache-2.0 */
/* Logic, shifts and bit fields. */
#include "compile/lower/lower.h"

#define T0(i) ((enum ir_type)(i)->type[0])

opnd logic(struct lower *L, opnd d, opnd a, opnd b, uint8_t lut)
{
    emit(L, OP_LOP3, T_U32, d, a, b, ZERO)->lut = lut;
    return d;
}

static bool logic_pred(struct lower *L, const struct ptx_insn *i)
{
    opnd d = dst_pred(L, &i->ops[0]), a = src_pred(L, &i->ops[1]);
    opnd b = i->op == P_not ? ir_pred(PRED_PT, false) : src_pred(L, &i->ops[2]);
    uint8_t lut = i->op == P_and ? LUT_AND : i->op == P_or ? LUT_OR : i->op == P_xor ? LUT_XOR : LUT_NOT_A;
    emit(L, OP_PLOP3, T_PRED, d, a, b, ir_pred(PRED_PT, false))->lut = lut;
    return true;
}

bool lower_logic(struct lower *L, const struct ptx_insn *i)
{
    enum ir_type t = T0(i);
    if (t == T_PRED)
        return logic_pred(L, i);
    unsigned n = type_units(t);
    if (i->op == P_cnot) {
        opnd p = tmp_pred(L), d = dst(L, &i->ops[0], t);
        if (n == 2) {
            struct w64 a = src64(L, &i->ops[1]);
            opnd any = logic(L, tmp(L, 1), a.lo, a.hi, LUT_OR);
            isetp(L, p, CMP_EQ, T_U32, any, ZERO);
        } else {
            isetp(L, p, CMP_EQ, T_U32, src32(L, &i->ops[1], type_bits(t) == 16 ? T_U16 : t), ZERO);
        }
        emit(L, OP_SEL, T_U32, word(d, 0), ZERO, imm(1), not_pred(p));
        if (n == 2)
            mov(L, word(d, 1), ZERO);
        return true;
    }
    uint8_t lut = i->op == P_and ? LUT_AND : i->op == P_or ? LUT_OR : i->op == P_xor ? LUT_XOR : LUT_NOT_A;
    opnd d = dst(L, &i->ops[0], t);
    for (unsigned w = 0; w < n; w++)
        logic(L, word(d, w), src_word(L, &i->ops[1], t, w),
              i->op == P_not ? ZERO : src_word(L, &i->ops[2], t, w), lut);
    return true;
}

bool lower_lop3(struct lower *L, const struct ptx_insn *i)
{
    if (i->bop)
        return lower_fail(L, "lop3 with a predicate result is not supported");
    if (i->nops != 5 || i->ops[4].kind != PO_IMM || i->ops[4].imm > 255)
        return lower_fail(L, "lop3 takes an immediate table of 0..255");
    opnd a = to_reg(L, src(L, &i->ops[1], T_U32)); /* the table is not symmetric: keep the order */
    emit(L, OP_LOP3, T_U32, dst(L, &i->ops[0], T_U32), a, src(L, &i->ops[2], T_U32),
         src(L, &i->ops[3], T_U32))
        ->lut = (uint8_t)i->ops[4].imm;
    return true;
}

/* By 32 to 63: one word moves into the other. */
static void shift64_far(struct lower *L, opnd d, bool left, bool sx, struct w64 a, uint32_t by)
{
    opnd from = to_reg(L, left ? a.lo : a.hi), to = word(d, left ? 1 : 0), rest = word(d, left ? 0 : 1);
    enum ir_type t = sx ? T_S32 : T_U32;
    if (by == 32)
        mov(L, to, from);
    else
        emit(L, left ? OP_SHL : OP_SHR, t, to, from, imm(by - 32), NONE_OPND);
    if (!left && sx)
        emit(L, OP_SHR, t, rest, from, imm(31), NONE_OPND);
    else
        mov(L, rest, ZERO);
}

/* 64-bit shifts by any amount: the machine's 64-bit funnel clamps at 64. */
static void shift64(struct lower *L, opnd d, bool left, bool sx, struct w64 a, opnd s)
{
    if (s.kind == OPND_IMM && s.val >= 32 && s.val < 64) {
        shift64_far(L, d, left, sx, a, s.val);
        return;
    }
    opnd lo = to_reg(L, a.lo), hi = to_reg(L, a.hi);
    if (left) {
        emit(L, OP_SHF_L, T_U32, word(d, 1), lo, s, hi)->sub = SHF_CLAMP64;
        emit(L, OP_SHL, T_U32, word(d, 0), lo, s, NONE_OPND);
    } else {
        emit(L, OP_SHF_R, sx ? T_S32 : T_U32, word(d, 0), lo, s, hi)->sub = SHF_CLAMP64;
        emit(L, OP_SHR, sx ? T_S32 : T_U32, word(d, 1), hi, s, NONE_OPND);
    }
}

bool lower_shift(struct lower *L, const struct ptx_insn *i)
{
    enum ir_type t = T0(i);
    bool left = i->op == P_shl, sx = type_is_signed(t);
    opnd s = src(L, &i->ops[2], T_U32);
    if (type_bits(t) == 64) {
        opnd d = dst_safe(L, &i->ops[0], t);
        shift64(L, d, left, sx, src64(L, &i->ops[1]), s);
        put(L, &i->ops[0], t, d);
        return true;
    }
    opnd a = left ? src(L, &i->ops[1], t) : src32(L, &i->ops[1], t);
    opnd d = dst(L, &i->ops[0], t);
    emit(L, left ? OP_SHL : OP_SHR, sx ? T_S32 : T_U32, d, a, s, NONE_OPND);
    if (!left && type_bits(t) == 16)
        set_ext(L, &i->ops[0], sx ? EXT_SIGN16 : EXT_ZERO16);
    return true;
}

bool lower_shf(struct lower *L, const struct ptx_insn *i)
{
    bool left = ptx_has(i, M_L);
    struct ir_insn n = {.op = left ? OP_SHF_L : OP_SHF_R,
                        .type = T_U32,
                        .dst = {dst(L, &i->ops[0], T_U32)},
                        .src = {to_reg(L, src(L, &i->ops[1], T_U32)), src(L, &i->ops[3], T_U32),
                                to_reg(L, src(L, &i->ops[2], T_U32))},
                        .sub = ptx_has(i, M_WRAP) ? SHF_WRAP32 : SHF_CLAMP32};
    emit_insn(L, n);
    return true;
}

/* Position and length of bit fields are the low 8 bits of their operands. */
static opnd low_byte(struct lower *L, const struct ptx_opnd *o)
{
    if (o->kind == PO_IMM)
        return imm((uint32_t)o->imm & 0xff);
    return logic(L, tmp(L, 1), src(L, o, T_U32), imm(0xff), LUT_AND);
}

/* A field at a place that is known: a shift, and one word that is cut. */
static bool bfe64_known(struct lower *L, const struct ptx_insn *i, uint32_t pos, uint32_t len)
{
    bool sx = type_is_signed(T0(i));
    opnd x = tmp(L, 2), z = tmp(L, 2);
    shift64(L, x, false, sx, src64(L, &i->ops[1]), imm(pos));
    unsigned cut = len > 32; /* this word is cut, the lower one stays, the higher one is its sign or zero */
    for (unsigned w = 0; w < 2; w++) {
        opnd d = word(z, w);
        if (w < cut || len >= 64)
            mov(L, d, word(x, w));
        else if (!len || (w > cut && !sx))
            mov(L, d, ZERO);
        else if (w > cut)
            emit(L, OP_SHR, T_S32, d, word(z, cut), imm(31), NONE_OPND);
        else if (len % 32 == 0)
            mov(L, d, word(x, w));
        else if (sx)
            emit(L, OP_SGXT, T_S32, d, word(x, w), imm(len % 32), NONE_OPND);
        else
            logic(L, d, word(x, w), imm((1u << len % 32) - 1), LUT_AND);
    }
    put(L, &i->ops[0], T_U64, z);
    return true;
}

static bool bfe64(struct lower *L, const struct ptx_insn *i, opnd pos, opnd len)
{
    if (L->fn->hopper && pos.kind == OPND_IMM && len.kind == OPND_IMM)
        return bfe64_known(L, i, pos.val, len.val);
    bool sx = type_is_signed(T0(i));
    struct w64 a = src64(L, &i->ops[1]);
    opnd x = tmp(L, 2), up = tmp(L, 1), y = tmp(L, 2), r = tmp(L, 2), p = tmp_pred(L);
    shift64(L, x, false, sx, a, pos);
    /* drop what is above len: left and right by 64 - len (len >= 64 keeps all, len = 0 gives 0) */
    opnd l = tmp(L, 1);
    emit(L, OP_IMNMX, T_U32, l, to_reg(L, len), imm(64), NONE_OPND);
    emit(L, OP_IADD3, T_U32, up, imm(64), neg(l), ZERO);
    shift64(L, y, true, false, (struct w64){word(x, 0), word(x, 1)}, up);
    shift64(L, r, false, sx, (struct w64){word(y, 0), word(y, 1)}, up);
    opnd z = tmp(L, 2);
    isetp(L, p, CMP_EQ, T_U32, l, ZERO);
    for (unsigned w = 0; w < 2; w++)
        sel(L, word(z, w), not_pred(p), word(r, w), ZERO);
    put(L, &i->ops[0], T_U64, z);
    return true;
}

bool lower_bfe(struct lower *L, const struct ptx_insn *i)
{
    enum ir_type t = T0(i);
    opnd pos = low_byte(L, &i->ops[2]), len = low_byte(L, &i->ops[3]);
    if (type_bits(t) == 64)
        return bfe64(L, i, pos, len);
    opnd x = tmp(L, 1);
    emit(L, OP_SHR, t, x, src(L, &i->ops[1], t), pos, NONE_OPND);
    emit(L, OP_SGXT, t, dst(L, &i->ops[0], t), x, len, NONE_OPND);
    return true;
}

/* f = a inserted into b at pos, len bits. */
bool lower_bfi(struct lower *L, const struct ptx_insn *i)
{
    enum ir_type t = T0(i);
    opnd pos = low_byte(L, &i->ops[3]), len = low_byte(L, &i->ops[4]);
    const uint8_t merge = (0xf0 & 0xaa) | (0xcc & ~0xaa & 0xff); /* mask (third input) ? a : b */
    if (type_bits(t) == 32) {
        opnd m = tmp(L, 1), x = tmp(L, 1);
        emit(L, OP_BMSK, T_U32, m, to_reg(L, pos), len, NONE_OPND);
        emit(L, OP_SHL, T_U32, x, to_reg(L, src(L, &i->ops[1], t)), pos, NONE_OPND);
        emit(L, OP_LOP3, T_U32, dst(L, &i->ops[0], t), x, to_reg(L, src(L, &i->ops[2], t)), m)->lut = merge;
        return true;
    }
    /* mask64 = (len >= 64 ? ~0 : (1 << len) - 1) << pos */
    opnd ones = tmp(L, 2), up = tmp(L, 1), l = tmp(L, 1), m = tmp(L, 2), x = tmp(L, 2), r = tmp(L, 2);
    emit(L, OP_IMNMX, T_U32, l, to_reg(L, len), imm(64), NONE_OPND);
    emit(L, OP_IADD3, T_U32, up, imm(64), neg(l), ZERO);
    shift64(L, ones, false, false, (struct w64){imm(~0u), imm(~0u)}, up);
    shift64(L, m, true, false, (struct w64){word(ones, 0), word(ones, 1)}, pos);
    shift64(L, x, true, false, src64(L, &i->ops[1]), pos);
    struct w64 b = src64(L, &i->ops[2]);
    for (unsigned w = 0; w < 2; w++)
        emit(L, OP_LOP3, T_U32, word(r, w), word(x, w), to_reg(L, w ? b.hi : b.lo), word(m, w))->lut = merge;
    put(L, &i->ops[0], t, r);
    return true;
}

static void flo(struct lower *L, opnd d, opnd a, bool sx, bool shiftamt)
{
    emit(L, OP_FLO, sx ? T_S32 : T_U32, d, a, NONE_OPND, NONE_OPND)->sub = shiftamt;
}

bool lower_bfind(struct lower *L, const struct ptx_insn *i)
{
    enum ir_type t = T0(i);
    bool sx = type_is_signed(t), sh = ptx_has(i, M_SHIFTAMT);
    if (type_bits(t) == 32) {
        flo(L, dst(L, &i->ops[0], T_U32), src(L, &i->ops[1], t), sx, sh);
        return true;
    }
    struct w64 a = src64(L, &i->ops[1]);
    opnd lo = a.lo, hi = a.hi, ph = tmp(L, 1), pl = tmp(L, 1), pl32 = tmp(L, 1), p = tmp_pred(L);
    if (sx) { /* work on a ^ sign, unsigned */
        opnd m = tmp(L, 1);
        emit(L, OP_SHR, T_S32, m, to_reg(L, a.hi), imm(31), NONE_OPND);
        lo = logic(L, tmp(L, 1), to_reg(L, a.lo), m, LUT_XOR);
        hi = logic(L, tmp(L, 1), to_reg(L, a.hi), m, LUT_XOR);
    }
    /* position p of the highest one: in the high word 32 + p, in the low word p; shift amounts count from 63 */
    flo(L, ph, hi, false, sh);
    flo(L, pl, lo, false, sh);
    isetp(L, p, CMP_NE, T_U32, hi, ZERO);
    if (!sh) {
        opnd h32 = tmp(L, 1);
        emit(L, OP_IADD3, T_U32, h32, ph, imm(32), ZERO);
        sel(L, dst(L, &i->ops[0], T_U32), p, h32, pl);
        return true;
    }
    opnd none = tmp_pred(L), x = tmp(L, 1);
    isetp(L, none, CMP_EQ, T_U32, lo, ZERO);
    emit(L, OP_IADD3, T_U32, pl32, pl, imm(32), ZERO);
    sel(L, x, none, pl, pl32);
    sel(L, dst(L, &i->ops[0], T_U32), p, ph, x);
    return true;
}

/* clz = shift amount that brings the first one to the top; none: the width. */
bool lower_clz(struct lower *L, const struct ptx_insn *i)
{
    opnd d = dst(L, &i->ops[0], T_U32);
    if (type_bits(T0(i)) == 32) {
        opnd f = tmp(L, 1);
        flo(L, f, src(L, &i->ops[1], T_U32), false, true);
        emit(L, OP_IMNMX, T_U32, d, f, imm(32), NONE_OPND);
        return true;
    }
    struct w64 a = src64(L, &i->ops[1]);
    opnd h = tmp(L, 1), l = tmp(L, 1), l2 = tmp(L, 1), l3 = tmp(L, 1), p = tmp_pred(L);
    flo(L, h, a.hi, false, true);
    flo(L, l, a.lo, false, true);
    emit(L, OP_IMNMX, T_U32, l2, l, imm(32), NONE_OPND);
    emit(L, OP_IADD3, T_U32, l3, l2, imm(32), ZERO);
    isetp(L, p, CMP_NE, T_U32, a.hi, ZERO);
    sel(L, d, p, h, l3);
    return true;
}

bool lower_popc(struct lower *L, const struct ptx_insn *i)
{
    opnd d = dst(L, &i->ops[0], T_U32);
    if (type_bits(T0(i)) == 32) {
        emit(L, OP_POPC, T_U32, d, src(L, &i->ops[1], T_U32), NONE_OPND, NONE_OPND);
        return true;
    }
    struct w64 a = src64(L, &i->ops[1]);
    opnd x = tmp(L, 1), y = tmp(L, 1);
    emit(L, OP_POPC, T_U32, x, a.lo, NONE_OPND, NONE_OPND);
    emit(L, OP_POPC, T_U32, y, a.hi, NONE_OPND, NONE_OPND);
    emit(L, OP_IADD3, T_U32, d, x, y, ZERO);
    return true;
}

bool lower_brev(struct lower *L, const struct ptx_insn *i)
{
    enum ir_type t = T0(i);
    if (type_bits(t) == 32) {
        emit(L, OP_BREV, T_U32, dst(L, &i->ops[0], t), src(L, &i->ops[1], t), NONE_OPND, NONE_OPND);
        return true;
    }
    opnd d = dst_safe(L, &i->ops[0], t);
    struct w64 a = src64(L, &i->ops[1]);
    emit(L, OP_BREV, T_U32, word(d, 0), a.hi, NONE_OPND, NONE_OPND);
    emit(L, OP_BREV, T_U32, word(d, 1), a.lo, NONE_OPND, NONE_OPND);
    put(L, &i->ops[0], t, d);
    return true;
}

bool lower_prmt(struct lower *L, const struct ptx_insn *i)
{
    static const enum ptx_mod modes[] = {M_F4E, M_B4E, M_RC8, M_ECL, M_ECR, M_RC16};
    unsigned mode = PRMT_INDEX;
    for (unsigned k = 0; k < 6; k++)
        if (ptx_has(i, modes[k]))
            mode = PRMT_F4E + k;
    emit(L, OP_PRMT, T_U32, dst(L, &i->ops[0], T_U32), src(L, &i->ops[1], T_U32), src(L, &i->ops[2], T_U32),
         src(L, &i->ops[3], T_U32))
        ->sub = (uint8_t)mode;
    return true;
}

bool lower_bmsk(struct lower *L, const struct ptx_insn *i)
{
    emit(L, OP_BMSK, T_U32, dst(L, &i->ops[0], T_U32), src(L, &i->ops[1], T_U32), src(L, &i->ops[2], T_U32),
         NONE_OPND)
        ->sub = ptx_has(i, M_WRAP);
    return true;
}

bool lower_szext(struct lower *L, const struct ptx_insn *i)
{
    enum ir_type t = T0(i);
    opnd n = src(L, &i->ops[2], T_U32);
    if (ptx_has(i, M_WRAP))
        n = logic(L, tmp(L, 1), n, imm(31), LUT_AND);
    emit(L, OP_SGXT, t, dst(L, &i->ops[0], t), src(L, &i->ops[1], t), n, NONE_OPND);
    return true;
}

/* Where the n-th one (n from 1) of m lies, if it has as many: bisection by counting; *left becomes 1 if so. */
static opnd nth_one(struct lower *L, opnd m, opnd n, opnd *left)
{
    opnd at = mov_tmp(L, ZERO);
    for (unsigned w = 16; w; w /= 2) {
        opnd x = tmp(L, 1), low = tmp(L, 1), c = tmp(L, 1), rest = tmp(L, 1), next = tmp(L, 1),
             p = tmp_pred(L);
        emit(L, OP_SHR, T_U32, x, m, at, NONE_OPND);
        logic(L, low, x, imm((1u << w) - 1), LUT_AND);
        emit(L, OP_POPC, T_U32, c, low, NONE_OPND, NONE_OPND);
        isetp(L, p, CMP_GT, T_U32, n, c);
        c.neg = 1;
        emit(L, OP_IADD3, T_U32, rest, n, c, ZERO);
        emit(L, OP_IADD3, T_U32, next, at, imm(w), ZERO);
        opnd n2 = tmp(L, 1), at2 = tmp(L, 1);
        sel(L, n2, p, rest, n);
        sel(L, at2, p, next, at);
        n = n2;
        at = at2;
    }
    *left = n;
    return at;
}

/* fns: from bit `base` on, the offset-th one upwards, downwards if negative; 0: that bit itself. None: all ones. Downwards is
 * upwards in the reversed mask. */
bool lower_fns(struct lower *L, const struct ptx_insn *i)
{
    opnd m = to_reg(L, src(L, &i->ops[1], T_U32)), base = to_reg(L, src(L, &i->ops[2], T_U32)),
         off = to_reg(L, src(L, &i->ops[3], T_U32));
    opnd down = tmp_pred(L), here = tmp_pred(L), found = tmp_pred(L), t[12];
    for (unsigned k = 0; k < 12; k++)
        t[k] = tmp(L, 1);
    isetp(L, down, CMP_LT, T_S32, off, ZERO);
    isetp(L, here, CMP_EQ, T_U32, off, ZERO);
    emit(L, OP_BREV, T_U32, t[0], m, NONE_OPND, NONE_OPND);
    sel(L, t[1], down, t[0], m);
    opnd minus = base;
    minus.neg = 1;
    emit(L, OP_IADD3, T_U32, t[2], minus, imm(31), ZERO);
    sel(L, t[3], down, t[2], base);
    emit(L, OP_SHL, T_U32, t[4], mov_tmp(L, imm(~0u)), t[3], NONE_OPND);
    emit(L, OP_SHL, T_U32, t[5], mov_tmp(L, imm(1)), t[3], NONE_OPND);
    sel(L, t[6], here, t[5], t[4]);
    logic(L, t[7], t[1], t[6], LUT_AND);
    minus = off;
    minus.neg = 1;
    emit(L, OP_IADD3, T_U32, t[8], minus, ZERO, ZERO);
    sel(L, t[9], down, t[8], off);
    opnd n = tmp(L, 1), left, bit = tmp(L, 1);
    emit(L, OP_IMNMX, T_U32, n, t[9], imm(1), NONE_OPND)->sub = 1;
    opnd at = nth_one(L, t[7], n, &left);
    emit(L, OP_SHR, T_U32, t[10], t[7], at, NONE_OPND);
    logic(L, bit, t[10], imm(1), LUT_AND);
    isetp(L, found, CMP_EQ, T_U32, left, bit); /* both 1 */
    minus = at;
    minus.neg = 1;
    emit(L, OP_IADD3, T_U32, t[11], minus, imm(31), ZERO);
    opnd where = tmp(L, 1);
    sel(L, where, down, t[11], at);
    sel(L, dst(L, &i->ops[0], T_U32), found, where, mov_tmp(L, imm(~0u)));
    return true;
}

static bool absneg_float(struct lower *L, const struct ptx_insn *i)
{
    enum ir_type t = T0(i);
    bool neg_op = i->op == P_neg;
    opnd d = dst(L, &i->ops[0], t);
    if (t == T_F32 && ptx_has(i, M_FTZ)) { /* flushing needs an operation; x * 1 keeps the sign of zero */
        opnd s = src(L, &i->ops[1], t);
        struct ir_insn *n =
            emit(L, OP_FMUL, t, d, neg_op ? neg(s) : absolute(to_reg(L, s)), imm(0x3f800000), NONE_OPND);
        n->rnd = RND_RN;
        n->flags = IRF_FTZ;
        return true;
    }
    if (ptx_has(i, M_FTZ) && type_bits(t) <= 32) {
        opnd s = to_reg(L, src(L, &i->ops[1], t));
        struct ir_insn *n = emit(L, OP_HMUL2, t, d, neg_op ? neg(s) : absolute(s),
                                 imm(t == T_F16X2 ? 0x3c003c00 : 0x3c00), NONE_OPND);
        n->rnd = RND_RN;
        n->flags = IRF_FTZ;
        return true;
    }
    uint32_t top = t == T_F16X2 || t == T_BF16X2 ? 0x80008000u : type_bits(t) == 16 ? 0x8000u : 0x80000000u;
    unsigned n = type_units(t);
    opnd a = src(L, &i->ops[1], t);
    if (n == 2)
        mov(L, word(d, 0), word(a, 0));
    logic(L, word(d, n - 1), word(a, n - 1), imm(neg_op ? top : ~top), neg_op ? LUT_XOR : LUT_AND);
    return true;
}

bool lower_absneg(struct lower *L, const struct ptx_insn *i)
{
    enum ir_type t = T0(i);
    if (type_is_float(t))
        return absneg_float(L, i);
    bool neg_op = i->op == P_neg;
    if (type_bits(t) == 64) {
        struct w64 a = src64(L, &i->ops[1]), zero = {ZERO, ZERO};
        opnd r = tmp(L, 2);
        add64(L, r, zero, a, true);
        if (!neg_op) {
            opnd p = isetp(L, tmp_pred(L), CMP_LT, T_S32, a.hi, ZERO), s = tmp(L, 2);
            sel(L, word(s, 0), p, word(r, 0), a.lo);
            sel(L, word(s, 1), p, word(r, 1), a.hi);
            r = s;
        }
        put(L, &i->ops[0], t, r);
        return true;
    }
    opnd d = dst(L, &i->ops[0], t);
    if (neg_op)
        emit(L, OP_IADD3, T_U32, d, ZERO, neg(to_reg(L, src(L, &i->ops[1], t))), ZERO);
    else
        emit(L, OP_IABS, T_S32, d, src32(L, &i->ops[1], t), NONE_OPND, NONE_OPND);
    return true;
}

static bool minmax_float(struct lower *L, const struct ptx_insn *i, bool max)
{
    enum ir_type t = T0(i);
    enum ir_op op = t == T_F32 ? OP_FMNMX : t == T_F64 ? OP_DMNMX : OP_HMNMX2;
    if (i->nops == 4) { /* three-input form: two steps */
        opnd x = tmp(L, type_units(t));
        struct ir_insn *n = emit(L, op, t, x, src(L, &i->ops[1], t), src(L, &i->ops[2], t), NONE_OPND);
        n->sub = max;
        n->flags = (ptx_has(i, M_FTZ) ? IRF_FTZ : 0) | (ptx_has(i, M_NAN_PROP) ? IRF_NAN : 0);
        n = emit(L, op, t, dst(L, &i->ops[0], t), x, src(L, &i->ops[3], t), NONE_OPND);
        n->sub = max;
        n->flags = (ptx_has(i, M_FTZ) ? IRF_FTZ : 0) | (ptx_has(i, M_NAN_PROP) ? IRF_NAN : 0);
        return true;
    }
    struct ir_insn *n =
        emit(L, op, t, dst(L, &i->ops[0], t), src(L, &i->ops[1], t), src(L, &i->ops[2], t), NONE_OPND);
    n->sub = max;
    n->flags = (ptx_has(i, M_FTZ) ? IRF_FTZ : 0) | (ptx_has(i, M_NAN_PROP) ? IRF_NAN : 0) |
               (ptx_has(i, M_XORSIGN) ? IRF_XORSIGN : 0);
    return true;
}

bool lower_minmax(struct lower *L, const struct ptx_insn *i)
{
    enum ir_type t = T0(i);
    bool max = i->op == P_max, sx = type_is_signed(t);
    if (type_is_float(t))
        return minmax_float(L, i, max);
    if (type_bits(t) == 64) {
        struct w64 a = src64(L, &i->ops[1]), b = src64(L, &i->ops[2]);
        opnd p = isetp64(L, tmp_pred(L), max ? CMP_GT : CMP_LT, sx, a, b), r = dst_safe(L, &i->ops[0], t);
        sel(L, word(r, 0), p, a.lo, b.lo);
        sel(L, word(r, 1), p, a.hi, b.hi);
        put(L, &i->ops[0], t, r);
        return true;
    }
    enum ir_type wt = t == T_U16X2 || t == T_S16X2 ? t : sx ? T_S32 : T_U32;
    opnd r = dst(L, &i->ops[0], t);
    if (ptx_has(i, M_RELU)) {
        opnd x = tmp(L, 1);
        emit(L, OP_IMNMX, wt, x, src32(L, &i->ops[1], t), src32(L, &i->ops[2], t), NONE_OPND)->sub = max;
        emit(L, OP_IMNMX, wt, r, x, ZERO, NONE_OPND)->sub = 1;
        return true;
    }
    emit(L, OP_IMNMX, wt, r, src32(L, &i->ops[1], t), src32(L, &i->ops[2], t), NONE_OPND)->sub = max;
    if (type_bits(t) == 16) /* one of two extended values */
        set_ext(L, &i->ops[0], sx ? EXT_SIGN16 : EXT_ZERO16);
    return true;
}
