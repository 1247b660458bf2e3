/* SPDX-License-Identifier: Apache-2.0 */
/* Integer arithmetic and logic. */
#include "exec/alu/alu.h"

/* IADD3. */
ALU_DEF3(iadd3, a + b + c)

static ALU_INLINE uint32_t neg_mask(const struct xop *x, unsigned k) { return x->src[k].neg ? ~0u : 0; }

/* With carry in or out, or negated sources: ~s + 1 each, with IRF_X ~s. */
static ALU_INLINE void iadd3_carry(ALU_ARGS, bool carry_out)
{
    const uint32_t *pa = alu_src(w, x, 0), *pb = alu_src(w, x, 1), *pc = alu_src(w, x, 2);
    bool chained = x->insn->flags & IRF_X;
    uint32_t na = neg_mask(x, 0), nb = neg_mask(x, 1), nc = neg_mask(x, 2);
    uint32_t ones = chained ? 0 : (na & 1) + (nb & 1) + (nc & 1);
    uint32_t cin = chained ? x_psrc(w, &x->psrc[3]) : 0, cout = 0;
    ALU_OUT(1)
    ALU_LANES(i)
    {
        uint32_t a = pa[i] ^ na, b = pb[i] ^ nb, c = pc[i] ^ nc;
        uint32_t in = (cin & alu_bit[i] ? 1 : 0) + ones;
        uint32_t ab = a + b, abc = ab + c, sum = abc + in;
        o[i] = sum;
        if (carry_out) {
            uint32_t c0 = ab < a ? ~0u : 0, c1 = abc < ab ? ~0u : 0, c2 = sum < abc ? ~0u : 0;
            cout |= (c0 | c1 | c2) & alu_bit[i];
        }
    }
    ALU_DONE(1)
    if (carry_out)
        x_pset(w, x->pdst[1], cout, mask);
}
static void iadd3_gen(ALU_ARGS) { iadd3_carry(x, w, mask, false); }
static void iadd3_cout(ALU_ARGS) { iadd3_carry(x, w, mask, true); }

/* The low words of a 64-bit addition: the most frequent carry. */
static void iadd2_cout(ALU_ARGS)
{
    const uint32_t *pa = alu_src(w, x, 0), *pb = alu_src(w, x, 1);
    uint32_t cout = 0;
    ALU_OUT(1)
    ALU_LANES(i)
    {
        uint32_t a = pa[i], sum = a + pb[i];
        o[i] = sum;
        cout |= (sum < a ? ~0u : 0) & alu_bit[i];
    }
    ALU_DONE(1)
    x_pset(w, x->pdst[1], cout, mask);
}

static xfn pick_iadd3(const struct ir_insn *i)
{
    bool plain = !(i->flags & IRF_X) && !alu_has_mod(i, 3);
    if (i->dst[1].kind != OPND_PRED)
        return plain ? iadd3 : iadd3_gen;
    bool two = i->src[2].kind == OPND_NONE || opnd_is_zero(&i->src[2]);
    return plain && two ? iadd2_cout : iadd3_cout;
}

/* Multiplication; a negated source is its two's complement. */
static ALU_INLINE uint32_t hi_s32(uint32_t a, uint32_t b)
{
    return (uint32_t)((uint64_t)((int64_t)(int32_t)a * (int32_t)b) >> 32);
}
ALU_DEF3(imad, a *b + c)
ALU_DEF3(imad_hi_u, (uint32_t)((uint64_t)a *b >> 32) + c)
ALU_DEF3(imad_hi_s, hi_s32(a, b) + c)

static void imad_neg(ALU_ARGS)
{
    const uint32_t *pa = alu_src(w, x, 0), *pb = alu_src(w, x, 1), *pc = alu_src(w, x, 2);
    uint32_t np = neg_mask(x, 0) ^ neg_mask(x, 1), nc = neg_mask(x, 2);
    ALU_OUT(1)
    ALU_LANES(i) o[i] = ((pa[i] * pb[i] ^ np) - np) + ((pc[i] ^ nc) - nc);
    ALU_DONE(1)
}

static ALU_INLINE void imad_wide(ALU_ARGS, bool is_signed)
{
    const uint32_t *pa = alu_src(w, x, 0), *pb = alu_src(w, x, 1), *pc = alu_src(w, x, 2);
    ALU_OUT(2)
    ALU_LANES(i)
    {
        uint64_t p =
            is_signed ? (uint64_t)((int64_t)(int32_t)pa[i] * (int32_t)pb[i]) : (uint64_t)pa[i] * pb[i];
        p += alu_pair(pc, i);
        o[i] = (uint32_t)p;
        o[LANES + i] = (uint32_t)(p >> 32);
    }
    ALU_DONE(2)
}
static void imad_wide_u(ALU_ARGS) { imad_wide(x, w, mask, false); }
static void imad_wide_s(ALU_ARGS) { imad_wide(x, w, mask, true); }

ALU_DEF3(lea, (a << (c & 31)) + b)
ALU_DEF1(iabs, (int32_t)a < 0 ? 0 - a : a)

/* Minimum and maximum. */
static ALU_INLINE uint32_t join16(uint32_t lo, uint32_t hi) { return (lo & 0xffff) | hi << 16; }
static ALU_INLINE uint32_t min_s(uint32_t a, uint32_t b) { return (int32_t)a < (int32_t)b ? a : b; }
static ALU_INLINE uint32_t max_s(uint32_t a, uint32_t b) { return (int32_t)a > (int32_t)b ? a : b; }
static ALU_INLINE uint32_t min_u(uint32_t a, uint32_t b) { return a < b ? a : b; }
static ALU_INLINE uint32_t max_u(uint32_t a, uint32_t b) { return a > b ? a : b; }
#define LO_S(v) ((uint32_t)(int16_t)(v))
#define HI_S(v) ((uint32_t)((int32_t)(v) >> 16))
#define LO_U(v) ((v)&0xffff)
#define HI_U(v) ((v) >> 16)
ALU_DEF2(imin_u, min_u(a, b))
ALU_DEF2(imax_u, max_u(a, b))
ALU_DEF2(imin_s, min_s(a, b))
ALU_DEF2(imax_s, max_s(a, b))
ALU_DEF2(imin_relu, max_s(min_s(a, b), 0))
ALU_DEF2(imax_relu, max_s(max_s(a, b), 0))
ALU_DEF2(imin_u2, join16(min_u(LO_U(a), LO_U(b)), min_u(HI_U(a), HI_U(b))))
ALU_DEF2(imax_u2, join16(max_u(LO_U(a), LO_U(b)), max_u(HI_U(a), HI_U(b))))
ALU_DEF2(imin_s2, join16(min_s(LO_S(a), LO_S(b)), min_s(HI_S(a), HI_S(b))))
ALU_DEF2(imax_s2, join16(max_s(LO_S(a), LO_S(b)), max_s(HI_S(a), HI_S(b))))
ALU_DEF2(imin_s2_relu, join16(max_s(min_s(LO_S(a), LO_S(b)), 0), max_s(min_s(HI_S(a), HI_S(b)), 0)))
ALU_DEF2(imax_s2_relu, join16(max_s(max_s(LO_S(a), LO_S(b)), 0), max_s(max_s(HI_S(a), HI_S(b)), 0)))

static xfn pick_mnmx(const struct ir_insn *i)
{
    bool max = i->sub & 1, relu = i->flags & IRF_RELU;
    switch (i->type) {
    case T_S32:
        if (relu)
            return max ? imax_relu : imin_relu;
        return max ? imax_s : imin_s;
    case T_S16X2:
        if (relu)
            return max ? imax_s2_relu : imin_s2_relu;
        return max ? imax_s2 : imin_s2;
    case T_U16X2: return max ? imax_u2 : imin_u2;
    case T_U32:
    case T_B32: return max ? imax_u : imin_u;
    default: return NULL;
    }
}

/* LOP3: the tables that compilers emit most, and any other by its algebraic normal form: an exclusive or of the
 * products of a, b, c whose coefficient in lut is one. */
/* clang-format off */
#define LOP_COMMON(X)                                                                                        \
    X(0xc0, a & b) X(0xfc, a | b) X(0x3c, a ^ b) X(0x0f, ~a) X(0x30, a & ~b) X(0xf3, a | ~b)                 \
    X(0xcf, ~a | b) X(0xc3, ~(a ^ b)) X(0x3f, ~(a & b)) X(0x03, ~(a | b)) X(0x80, a & b & c)                 \
    X(0xfe, a | b | c) X(0x96, a ^ b ^ c) X(0xea, (a & b) | c) X(0xf8, a | (b & c))                          \
    X(0xca, (a & b) | (~a & c)) X(0xac, (a & c) | (~a & b)) X(0xe4, (c & a) | (~c & b))                      \
    X(0xe8, (a & b) | (a & c) | (b & c)) X(0x6a, (a & b) ^ c) X(0x78, a ^ (b & c)) X(0xa8, (a | b) & c)      \
    X(0xe0, a & (b | c)) X(0x28, (a ^ b) & c) X(0xbe, (a ^ b) | c) X(0xde, (a ^ c) | b)                      \
    X(0x48, (a ^ c) & b) X(0xd8, (a & ~c) | (b & c)) X(0xa0, a & c) X(0xfa, a | c) X(0x5a, a ^ c)            \
    X(0x88, b & c) X(0xee, b | c) X(0x66, b ^ c) X(0x33, ~b) X(0x55, ~c)
/* clang-format on */
#define X(lut, expr)                                                                                         \
    static void lop3_##lut(ALU_ARGS)                                                                         \
    {                                                                                                        \
        const uint32_t *pa = alu_src(w, x, 0), *pb = alu_src(w, x, 1), *pc = alu_src(w, x, 2);               \
        ALU_OUT(1)                                                                                           \
        ALU_LANES(i)                                                                                         \
        {                                                                                                    \
            uint32_t a = pa[i], b = pb[i], c = pc[i];                                                        \
            (void)a, (void)b, (void)c;                                                                       \
            o[i] = expr;                                                                                     \
        }                                                                                                    \
        ALU_DONE(1)                                                                                          \
    }
LOP_COMMON(X)
#undef X

static ALU_INLINE void lop3_general(ALU_ARGS, bool test)
{
    const uint32_t *pa = alu_src(w, x, 0), *pb = alu_src(w, x, 1), *pc = alu_src(w, x, 2);
    uint32_t k[8], some = 0;
    for (unsigned j = 0; j < 8; j++)
        k[j] = x->insn->lut >> j & 1 ? ~0u : 0;
    for (unsigned step = 1; step < 8; step <<= 1)
        for (unsigned j = 0; j < 8; j++)
            if (j & step)
                k[j] ^= k[j ^ step];
    ALU_OUT(1)
    ALU_LANES(i)
    {
        uint32_t a = pa[i], b = pb[i], c = pc[i], bc = b & c;
        uint32_t low = k[0] ^ (k[1] & c) ^ (k[2] & b) ^ (k[3] & bc);
        uint32_t all = low ^ (a & (k[4] ^ (k[5] & c) ^ (k[6] & b) ^ (k[7] & bc)));
        o[i] = all;
        if (test)
            some |= (all ? ~0u : 0) & alu_bit[i];
    }
    ALU_DONE(1)
    if (test)
        x_pset(w, x->pdst[1], some, mask);
}
static void lop3_any(ALU_ARGS) { lop3_general(x, w, mask, false); }
static void lop3_test(ALU_ARGS) { lop3_general(x, w, mask, true); }

static xfn pick_lop3(const struct ir_insn *i)
{
    if (i->dst[1].kind == OPND_PRED)
        return lop3_test;
    switch (i->lut) {
#define X(lut, expr)                                                                                         \
    case lut: return lop3_##lut;
        LOP_COMMON(X)
#undef X
    default: return lop3_any;
    }
}

/* Dot products and packed forms. */
static ALU_INLINE int32_t byte_of(uint32_t v, unsigned k, bool s)
{
    return s ? (int32_t)(int8_t)(v >> 8 * k) : (int32_t)(v >> 8 * k & 0xff);
}
static ALU_INLINE int32_t half_of(uint32_t v, unsigned k, bool s)
{
    return s ? (int32_t)(int16_t)(v >> 16 * k) : (int32_t)(v >> 16 * k & 0xffff);
}
static ALU_INLINE uint32_t dp4a(uint32_t a, uint32_t b, bool sa, bool sb)
{
    uint32_t r = 0;
    for (unsigned k = 0; k < 4; k++)
        r += (uint32_t)(byte_of(a, k, sa) * byte_of(b, k, sb));
    return r;
}
static ALU_INLINE uint32_t dp2a(uint32_t a, uint32_t b, bool sa, bool sb, unsigned first)
{
    return (uint32_t)(half_of(a, 0, sa) * byte_of(b, first, sb)) +
           (uint32_t)(half_of(a, 1, sa) * byte_of(b, first + 1, sb));
}
#define DOT(sa, sb)                                                                                          \
    ALU_DEF3(dp4a_##sa##sb, dp4a(a, b, sa, sb) + c)                                                          \
    ALU_DEF3(dp2a_lo_##sa##sb, dp2a(a, b, sa, sb, 0) + c)                                                    \
    ALU_DEF3(dp2a_hi_##sa##sb, dp2a(a, b, sa, sb, 2) + c)
DOT(0, 0)
DOT(0, 1)
DOT(1, 0)
DOT(1, 1)

static xfn pick_dot(const struct ir_insn *i)
{
    static const xfn tab[3][4] = {
        {dp4a_00, dp4a_01, dp4a_10, dp4a_11},
        {dp2a_lo_00, dp2a_lo_01, dp2a_lo_10, dp2a_lo_11},
        {dp2a_hi_00, dp2a_hi_01, dp2a_hi_10, dp2a_hi_11},
    };
    return i->sub < 3 ? tab[i->sub][2 * alu_is_signed(i->type) + alu_is_signed(i->stype)] : NULL;
}

static ALU_INLINE uint32_t absdiff(uint32_t a, uint32_t b, unsigned k, bool s)
{
    int32_t d = byte_of(a, k, s) - byte_of(b, k, s);
    return (uint32_t)(d < 0 ? -d : d);
}
#define AD_PACK(s)                                                                                           \
    (absdiff(a, b, 0, s) | absdiff(a, b, 1, s) << 8 | absdiff(a, b, 2, s) << 16 | absdiff(a, b, 3, s) << 24)
#define AD_SUM(s) (absdiff(a, b, 0, s) + absdiff(a, b, 1, s) + absdiff(a, b, 2, s) + absdiff(a, b, 3, s))
ALU_DEF2(absdiff_u, AD_PACK(0))
ALU_DEF2(absdiff_s, AD_PACK(1))
ALU_DEF3(absdiff_acc_u, AD_SUM(0) + c)
ALU_DEF3(absdiff_acc_s, AD_SUM(1) + c)
ALU_DEF3(absdiff_word_u, (a > b ? a - b : b - a) + c)
ALU_DEF3(absdiff_word_s, ((int32_t)a > (int32_t)b ? a - b : b - a) + c)

ALU_DEF2(viadd2, join16(a + b, (a >> 16) + (b >> 16)))
ALU_DEF2(visub2, join16(a - b, (a >> 16) - (b >> 16)))

xfn ALU_NAME(alu_int)(const struct ir_insn *i)
{
    bool s = alu_is_signed(i->type);
    switch (i->op) {
    case OP_IADD3: return pick_iadd3(i);
    case OP_IMAD: return alu_has_mod(i, 3) ? imad_neg : imad;
    case OP_IMAD_HI: return s ? imad_hi_s : imad_hi_u;
    case OP_IMAD_WIDE: return s ? imad_wide_s : imad_wide_u;
    case OP_LEA: return lea;
    case OP_IABS: return iabs;
    case OP_IMNMX: return pick_mnmx(i);
    case OP_LOP3: return pick_lop3(i);
    case OP_IDP: return pick_dot(i);
    case OP_VABSDIFF4:
        if (i->sub)
            return alu_is_signed(i->stype) ? absdiff_word_s : absdiff_word_u;
        if (i->flags & IRF_ACC)
            return alu_is_signed(i->stype) ? absdiff_acc_s : absdiff_acc_u;
        return alu_is_signed(i->stype) ? absdiff_s : absdiff_u;
    case OP_VIADD2: return i->src[1].neg ? visub2 : viadd2;
    default: return NULL;
    }
}
