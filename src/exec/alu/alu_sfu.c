/* SPDX-License-Identifier: Apache-2.0 */
/* Special functions to the last bit of NVIDIA's unit (measured on sm_90; IRF_CHOP asks for them): a parabola in each of 64 or 128
 * segments of the mantissa, in fixed point, whose square lacks the lowest columns of its partial products, cut off to a float.
 * The structure is that of S. Oberman and M. Siu, "A High-Performance Area-Efficient Multifunction Interpolator" (2005). */
#include "exec/alu/alu_fp.h"

enum {
    ONE = 56,         /* 1.0 is 2^ONE */
    X_BITS = 17,      /* of the place in a segment */
    SQUARE_FROM = 19, /* columns of the square below this one are not there */
    SQUARE_ROWS = 9,  /* ... which takes something from as many rows */
    MANTISSA = 23,
    BIAS = 127
};

static const struct sfu_row {
    uint32_t c0;
    int32_t c1, c2;
} sfu_rows[] = {
#define ROW(c0, c1, c2) {c0, c1, c2},
#include "exec/alu/sfu.def"
#undef ROW
};

/* A segment's sum is (c0 << at[0]) + (c1 x << at[1]) + c2 (x^2 >> at[2]) + bias. */
struct sfu {
    uint16_t first, index_bits;
    uint8_t at[3];
    int64_t bias;
};
static const struct sfu rcp = {0, 7, {30, 16, 2}, 0x4fcf0000};
static const struct sfu rsq = {128, 6, {30, 16, 1}, 0x3fff8000};
static const struct sfu root = {256, 6, {31, 16, 2}, 0x7fff8000};
static const struct sfu ex2 = {384, 6, {31, 18, 1}, 0x5f8a0000};
static const struct sfu lg2 = {448, 6, {30, 18, 0}, 0x0d160000};
static const struct sfu sine = {512, 6, {31, 19, 0}, 0};
/* By exponent, from TANH_FROM on. What is smaller is its own tanh, what is larger has 1. */
enum { TANH_FROM = -8, TANH_TO = 2 };
static const struct sfu tanhs[TANH_TO - TANH_FROM + 1] = {
    {576, 0, {30, 16, 0}, 0}, {577, 0, {30, 16, 0}, 0}, {578, 0, {30, 16, 0}, 0}, {579, 1, {30, 16, 0}, 0},
    {581, 1, {30, 16, 0}, 0}, {583, 2, {30, 16, 0}, 0}, {587, 2, {30, 16, 0}, 0}, {591, 2, {30, 16, 0}, 0},
    {595, 3, {30, 16, 0}, 0}, {603, 4, {30, 14, 2}, 0}, {619, 3, {30, 12, 4}, 0},
};

/* The place in its segment, of X_BITS bits, that a mantissa names. */
static ALU_INLINE uint32_t place(const struct sfu *f, uint32_t mantissa)
{
    unsigned low = (unsigned)MANTISSA - f->index_bits;
    uint32_t x = mantissa & ((1u << low) - 1);
    return low > X_BITS ? x >> (low - X_BITS) : x << (X_BITS - low);
}
/* What x^2 lacks: its partial products below SQUARE_FROM. */
static ALU_INLINE uint32_t lacks(uint32_t x)
{
    const uint32_t below = (1u << SQUARE_FROM) - 1;
    uint32_t lost = (x >> SQUARE_ROWS & 1) << 2 * SQUARE_ROWS;
    for (unsigned i = 0; i < SQUARE_ROWS; i++) {
        uint32_t row = (x >> (i + 1) << (2 * i + 2)) + (1u << 2 * i);
        lost += row & below & (0u - (x >> i & 1));
    }
    return lost;
}

/* The sum for MANTISSA bits of a mantissa; half: of segments; lost: what the square lacks. */
static ALU_INLINE int64_t segment_sum(const struct sfu *f, uint32_t mantissa, uint32_t half, uint32_t lost)
{
    const struct sfu_row *r =
        &sfu_rows[f->first + (half << f->index_bits) + (mantissa >> (MANTISSA - f->index_bits))];
    uint32_t x = place(f, mantissa);
    int64_t linear = (int64_t)r->c1 * x * (1ll << f->at[1]);
    int64_t square = r->c2 * (int64_t)(((uint64_t)x * x - lost) >> f->at[2]);
    return ((int64_t)r->c0 << f->at[0]) + linear + square + f->bias;
}

/* sum 2^e as bits of a float, cut off; what is too small is zero, what is too large infinite. */
static ALU_INLINE uint32_t cut_off(uint64_t sum, int e)
{
    if (!sum)
        return 0;
    unsigned lead = 63 - (unsigned)__builtin_clzll(sum);
    int exponent = e + (int)lead - ONE + BIAS;
    uint32_t mantissa = (uint32_t)(sum << (63 - lead) >> (63 - MANTISSA)) & 0x7fffff;
    return exponent <= 0 ? 0 : exponent >= 255 ? 0x7f800000 : (uint32_t)exponent << MANTISSA | mantissa;
}

struct parts {
    uint32_t sign, mantissa;
    int exponent;
};
static ALU_INLINE struct parts part(uint32_t v)
{
    return (struct parts){v & 0x80000000, v & 0x7fffff, (int)(v >> MANTISSA & 0xff) - BIAS};
}
static ALU_INLINE bool is_zero(struct parts p) { return p.exponent == -BIAS; } /* subnormal numbers are */
static ALU_INLINE bool is_special(struct parts p) { return p.exponent == BIAS + 1; }

static ALU_INLINE uint32_t rcp_of(uint32_t v, uint32_t lost)
{
    struct parts p = part(v);
    if (is_zero(p))
        return p.sign | 0x7f800000;
    if (is_special(p))
        return p.mantissa ? F32_NAN : p.sign;
    return p.sign | cut_off((uint64_t)segment_sum(&rcp, p.mantissa, 0, lost), -p.exponent);
}

/* What has no root; true: *r is the answer. */
static ALU_INLINE bool has_no_root(struct parts p, uint32_t of_zero, uint32_t of_infinity, uint32_t *r)
{
    *r = is_zero(p) ? p.sign | of_zero : p.sign || (is_special(p) && p.mantissa) ? F32_NAN : of_infinity;
    return is_zero(p) || p.sign || is_special(p);
}
static ALU_INLINE uint32_t rsq_of(uint32_t v, uint32_t lost)
{
    struct parts p = part(v);
    uint32_t r, odd = (uint32_t)p.exponent & 1;
    if (has_no_root(p, 0x7f800000, 0, &r))
        return r;
    int e = -((p.exponent - (int)odd) / 2);
    uint64_t sum = !odd && !p.mantissa ? 1ull << ONE : (uint64_t)segment_sum(&rsq, p.mantissa, odd, lost);
    return cut_off(sum, e);
}
static ALU_INLINE uint32_t sqrt_of(uint32_t v, uint32_t lost)
{
    struct parts p = part(v);
    uint32_t r, odd = (uint32_t)p.exponent & 1;
    if (has_no_root(p, 0, 0x7f800000, &r))
        return r;
    return cut_off((uint64_t)segment_sum(&root, p.mantissa, odd, lost), (p.exponent - (int)odd) / 2);
}

/* |v| 2^shift in fixed point with MANTISSA bits behind the point, cut off; whole: what is before the point, as far as 32 bits. */
static ALU_INLINE uint32_t fixed(struct parts p, int shift, uint32_t *whole)
{
    uint64_t m = p.mantissa | 1u << MANTISSA;
    int s = p.exponent + shift;
    uint64_t v = is_zero(p) || s < -MANTISSA - 1 ? 0 : s > 31 ? 0 : s >= 0 ? m << s : m >> -s;
    *whole = (uint32_t)(v >> MANTISSA);
    return (uint32_t)v & 0x7fffff;
}
/* What ex2 and sin give the unit. */
static ALU_INLINE uint32_t ex2_fraction(struct parts p, uint32_t *whole)
{
    uint32_t fraction = fixed(p, 0, whole);
    return p.sign && fraction ? ~fraction & 0x7fffff : fraction;
}
static ALU_INLINE uint32_t sin_fraction(struct parts p, uint32_t add, uint32_t *quarters)
{
    uint32_t fraction = fixed(p, 2, quarters);
    *quarters += add;
    return *quarters & 1 ? ~fraction & 0x7fffff : fraction;
}
static ALU_INLINE uint32_t ex2_of(uint32_t v, uint32_t lost)
{
    struct parts p = part(v);
    uint32_t whole, fraction = ex2_fraction(p, &whole);
    if (is_special(p) && p.mantissa)
        return F32_NAN;
    if (p.exponent >= 7)
        return p.sign ? 0 : 0x7f800000;
    int e = p.sign ? -(int)whole - (fixed(p, 0, &whole) != 0) : (int)whole;
    return cut_off((uint64_t)segment_sum(&ex2, fraction, 0, lost), e);
}
static ALU_INLINE uint32_t lg2_of(uint32_t v, uint32_t lost)
{
    struct parts p = part(v);
    if (is_zero(p))
        return 0xff800000;
    if (p.sign || is_special(p))
        return p.sign || p.mantissa ? F32_NAN : 0x7f800000;
    if (!p.exponent && !p.mantissa)
        return 0;
    int64_t sum = segment_sum(&lg2, p.mantissa, 0, lost) + (int64_t)p.exponent * (1ll << ONE);
    uint64_t size = (uint64_t)(sum < 0 ? -sum : sum) >> 20 << 20;
    return (p.exponent < 0 ? 0x80000000 : 0) | cut_off(size, 0);
}
/* sin of v turns; add: quarters to go on. */
static ALU_INLINE uint32_t sin_of(uint32_t v, uint32_t add, uint32_t lost)
{
    struct parts p = part(v);
    uint32_t quarters, fraction = sin_fraction(p, add, &quarters);
    if (is_special(p))
        return F32_NAN;
    uint32_t sign = (add ? 0 : p.sign) ^ (quarters & 2) << 30;
    return sign | cut_off((uint64_t)segment_sum(&sine, fraction, 0, lost), 0);
}

static ALU_INLINE uint32_t tanh_of(uint32_t v)
{
    struct parts p = part(v);
    if (is_special(p) && p.mantissa)
        return F32_NAN;
    if (p.exponent < TANH_FROM)
        return v;
    if (p.exponent > TANH_TO)
        return p.sign | (uint32_t)BIAS << MANTISSA;
    const struct sfu *f = &tanhs[p.exponent - TANH_FROM];
    int64_t sum = segment_sum(f, p.mantissa, 0, lacks(place(f, p.mantissa)));
    return p.sign | cut_off((uint64_t)sum, p.exponent < 0 ? p.exponent : 0);
}

/* The high word of a double: exponents are its own, the mantissa's 20 bits go through the unit as 23, and come back cut off. */
static ALU_INLINE uint32_t high_word(uint32_t v, bool is_rsq, uint32_t lost)
{
    uint32_t sign = v & 0x80000000, mantissa = (v & 0xfffff) << 3, odd;
    int e = (int)(v >> 20 & 0x7ff), exponent = e - 1023;
    if (!e)
        return sign | 0x7ff00000;
    if (e == 0x7ff)
        return mantissa || (is_rsq && sign) ? 0x7fffffff : sign;
    if (is_rsq && sign)
        return 0x7fffffff;
    odd = is_rsq ? (uint32_t)exponent & 1 : 0;
    uint32_t unit = (uint32_t)(BIAS + (int)odd) << MANTISSA | mantissa;
    uint32_t r = is_rsq ? rsq_of(unit, lost) : rcp_of(unit, lost);
    int shift = is_rsq ? (exponent - (int)odd) / 2 : exponent;
    int out = (int)(r >> MANTISSA) - BIAS - shift + 1023;
    return out <= 0 ? sign : sign | (uint32_t)out << 20 | (r & 0x7fffff) >> 3;
}

/* Each lane's place (at) first, so that what squares lack is told of all lanes at once; then expr of v and that. */
#define UNIT(name, at, expr)                                                                                 \
    static void name(ALU_ARGS)                                                                               \
    {                                                                                                        \
        const uint32_t *pa = alu_src(w, x, 0);                                                               \
        struct alu_mod m = alu_mod(x, 0, 0x80000000);                                                        \
        uint32_t in[LANES] ALU_ROW, less[LANES] ALU_ROW;                                                     \
        ALU_OUT(1)                                                                                           \
        ALU_LANES(i)                                                                                         \
        {                                                                                                    \
            uint32_t v = alu_signed(pa[i], m);                                                               \
            in[i] = v;                                                                                       \
            less[i] = lacks(at);                                                                             \
        }                                                                                                    \
        for (unsigned i = 0; i < LANES; i++) {                                                               \
            uint32_t v = in[i], lost = less[i];                                                              \
            o[i] = (expr);                                                                                   \
        }                                                                                                    \
        ALU_DONE(1)                                                                                          \
    }
static ALU_INLINE uint32_t ex2_place(uint32_t v)
{
    uint32_t whole;
    return place(&ex2, ex2_fraction(part(v), &whole));
}
static ALU_INLINE uint32_t sin_place(uint32_t v, uint32_t add)
{
    uint32_t quarters;
    return place(&sine, sin_fraction(part(v), add, &quarters));
}
UNIT(sfu_rcp, place(&rcp, v & 0x7fffff), rcp_of(v, lost))
UNIT(sfu_rsq, place(&rsq, v & 0x7fffff), rsq_of(v, lost))
UNIT(sfu_sqrt, place(&root, v & 0x7fffff), sqrt_of(v, lost))
UNIT(sfu_ex2, ex2_place(v), ex2_of(v, lost))
UNIT(sfu_lg2, place(&lg2, v & 0x7fffff), lg2_of(v, lost))
UNIT(sfu_sin, sin_place(v, 0), sin_of(v, 0, lost))
UNIT(sfu_cos, sin_place(v, 1), sin_of(v, 1, lost))
UNIT(sfu_rcp64h, place(&rcp, (v & 0xfffff) << 3), high_word(v, false, lost))
UNIT(sfu_rsq64h, place(&rsq, (v & 0xfffff) << 3), high_word(v, true, lost))

static void sfu_tanh(ALU_ARGS)
{
    const uint32_t *pa = alu_src(w, x, 0);
    struct alu_mod m = alu_mod(x, 0, 0x80000000);
    ALU_OUT(1)
    for (unsigned i = 0; i < LANES; i++)
        o[i] = tanh_of(alu_signed(pa[i], m));
    ALU_DONE(1)
}
static ALU_INLINE uint32_t ex2_alone(uint32_t v) { return ex2_of(v, lacks(ex2_place(v))); }

/* 16 bits in and out, cut off. */
static ALU_INLINE uint32_t half_cut_off(uint32_t v)
{
    uint32_t sign = v >> 16 & 0x8000, m = (v & 0x7fffff) | 1u << MANTISSA;
    int e = (int)(v >> MANTISSA & 0xff) - BIAS + 15;
    if ((v & 0x7fffffff) > 0x7f800000)
        return F16_NAN;
    if (e <= 0)
        return sign | (e < -10 ? 0 : m >> (14 - e));
    return e >= 31 ? sign | 0x7c00 : sign | (uint32_t)e << 10 | (m >> 13 & 0x3ff);
}
static ALU_INLINE uint32_t brain_cut_off(uint32_t v)
{
    return (v & 0x7fffffff) > 0x7f800000 ? F16_NAN : v >> 16;
}

#define UNIT_HALF(name, fn)                                                                                  \
    static void name(ALU_ARGS)                                                                               \
    {                                                                                                        \
        const uint32_t *pa = alu_src(w, x, 0);                                                               \
        struct alu_mod m = alu_mod(x, 0, 0x8000);                                                            \
        bool brain = x->insn->type == T_BF16;                                                                \
        ALU_OUT(1)                                                                                           \
        ALU_LANES(i)                                                                                         \
        {                                                                                                    \
            uint32_t v = alu_signed(pa[i], m) & 0xffff;                                                      \
            uint32_t r = fn(brain ? v << 16 : f32_bits(f16_to_f32(v)));                                      \
            o[i] = brain ? brain_cut_off(r) : half_cut_off(r);                                               \
        }                                                                                                    \
        ALU_DONE(1)                                                                                          \
    }
UNIT_HALF(sfu_ex2_half, ex2_alone)
UNIT_HALF(sfu_tanh_half, tanh_of)

xfn ALU_NAME(alu_sfu)(const struct ir_insn *i)
{
    static const xfn fns[MUFU_COS_TURN + 1] = {
        [MUFU_RCP] = sfu_rcp,       [MUFU_RSQ] = sfu_rsq,      [MUFU_SQRT] = sfu_sqrt,
        [MUFU_EX2] = sfu_ex2,       [MUFU_LG2] = sfu_lg2,      [MUFU_RCP64H] = sfu_rcp64h,
        [MUFU_RSQ64H] = sfu_rsq64h, [MUFU_SIN_TURN] = sfu_sin, [MUFU_COS_TURN] = sfu_cos,
        [MUFU_TANH] = sfu_tanh,
    };
    if (i->op != OP_MUFU || !(i->flags & IRF_CHOP) || i->sub > MUFU_COS_TURN)
        return NULL;
    if (i->type == T_F32)
        return fns[i->sub];
    if (i->type != T_F16 && i->type != T_BF16)
        return NULL;
    return i->sub == MUFU_EX2 ? sfu_ex2_half : i->sub == MUFU_TANH ? sfu_tanh_half : NULL;
}
