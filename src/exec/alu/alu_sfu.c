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

/* Lanes are computed beside each other, without branches, each on a copy of its row. The copies are made one by one: the vectors'
 * own way of reading tables is slower. */
struct columns {
    uint32_t c0[LANES] ALU_ROW;
    int32_t c1[LANES] ALU_ROW, c2[LANES] ALU_ROW;
};
static ALU_INLINE void copy_row(struct columns *c, unsigned i, uint32_t row)
{
    const struct sfu_row *r = &sfu_rows[row];
    c->c0[i] = r->c0;
    c->c1[i] = r->c1;
    c->c2[i] = r->c2;
    __asm__ volatile("");
}
static ALU_INLINE struct sfu_row row_at(const struct columns *c, unsigned i)
{
    return (struct sfu_row){c->c0[i], c->c1[i], c->c2[i]};
}

/* A segment's sum is (c0 << at[0]) + (c1 x << at[1]) + c2 (x^2 >> at[2]) + bias. */
struct sfu {
    uint16_t first, index_bits;
    uint32_t at[3];
    int64_t bias;
};
static const struct sfu rcp = {0, 7, {30, 16, 2}, 0x4fcf0000};
static const struct sfu rsq = {128, 6, {30, 16, 1}, 0x3fff8000};
static const struct sfu root = {256, 6, {31, 16, 2}, 0x7fff8000};
static const struct sfu ex2 = {384, 6, {31, 18, 1}, 0x5f8a0000};
static const struct sfu lg2 = {448, 6, {30, 18, 0}, 0x0d160000};
static const struct sfu sine = {512, 6, {31, 19, 0}, 0};
/* By exponent, from TANH_FROM on. What is smaller is its own tanh, what is larger has 1. */
enum { TANH_FROM = -8, TANH_TO = 2, TANH_AT = 30 };
static const struct sfu tanhs[TANH_TO - TANH_FROM + 1] = {
    {576, 0, {TANH_AT, 16, 0}, 0}, {577, 0, {TANH_AT, 16, 0}, 0}, {578, 0, {TANH_AT, 16, 0}, 0},
    {579, 1, {TANH_AT, 16, 0}, 0}, {581, 1, {TANH_AT, 16, 0}, 0}, {583, 2, {TANH_AT, 16, 0}, 0},
    {587, 2, {TANH_AT, 16, 0}, 0}, {591, 2, {TANH_AT, 16, 0}, 0}, {595, 3, {TANH_AT, 16, 0}, 0},
    {603, 4, {TANH_AT, 14, 2}, 0}, {619, 3, {TANH_AT, 12, 4}, 0},
};

/* What the unit is given: MANTISSA bits of a mantissa and, before them, which half of the segments. Its row and its place in that
 * segment, of X_BITS bits. */
static ALU_INLINE uint32_t row_of(const struct sfu *f, uint32_t given)
{
    return f->first + (given >> (MANTISSA - f->index_bits));
}
static ALU_INLINE uint32_t place(const struct sfu *f, uint32_t given)
{
    unsigned low = (unsigned)MANTISSA - f->index_bits;
    uint32_t x = given & ((1u << low) - 1);
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

static ALU_INLINE int64_t segment_sum(const struct sfu *f, struct sfu_row r, uint32_t x)
{
    int64_t linear = (int64_t)r.c1 * (int32_t)x * (1ll << f->at[1]);
    int64_t square = r.c2 * (int64_t)(((uint64_t)x * x - lacks(x)) >> f->at[2]);
    return ((int64_t)r.c0 << f->at[0]) + linear + square + f->bias;
}

/* A number below 2^52 as a double. */
static ALU_INLINE double small_double(uint64_t v) { return as_f64(v | 0x4330000000000000) - 0x1p52; }

/* sum 2^e as bits of a float, cut off; what is too small is zero, what is too large infinite. sum < 2^60: as a double without its
 * last bits, so that nothing is rounded. */
static ALU_INLINE uint32_t cut_off(uint64_t sum, int e)
{
    uint64_t high = sum >> 30, low = sum & 0x3fffffff;
    low = high ? low & ~0xffull : low;
    uint64_t u = f64_bits(small_double(high) * 0x1p30 + small_double(low));
    int exponent = (int)(u >> 52) - 1023 + e - ONE + BIAS;
    uint32_t mantissa = (uint32_t)(u >> (52 - MANTISSA)) & 0x7fffff;
    uint32_t r = exponent >= 255 ? 0x7f800000 : (uint32_t)exponent << MANTISSA | mantissa;
    return exponent <= 0 ? 0 : r;
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
static ALU_INLINE bool is_nan(uint32_t v) { return (v & 0x7fffffff) > 0x7f800000; }

/* The functions: what the unit is given for an operand, and the answer, of the unit's sum. */
static ALU_INLINE uint32_t mantissa_of(uint32_t v) { return v & 0x7fffff; }
static ALU_INLINE uint32_t rcp_of(uint32_t v, int64_t sum)
{
    struct parts p = part(v);
    uint32_t r = cut_off((uint64_t)sum, -p.exponent);
    r = p.sign | (is_special(p) ? 0 : r);
    r = is_zero(p) ? p.sign | 0x7f800000 : r;
    return is_nan(v) ? F32_NAN : r;
}

/* Of an odd exponent, the other half of the segments. */
static ALU_INLINE uint32_t rooted(uint32_t v) { return (~v >> MANTISSA & 1) << MANTISSA | (v & 0x7fffff); }
/* The answer, unless the operand has no root. */
static ALU_INLINE uint32_t root_of(uint32_t v, uint32_t of_zero, uint32_t of_infinity, uint32_t r)
{
    struct parts p = part(v);
    r = is_special(p) ? of_infinity : r;
    r = is_nan(v) ? F32_NAN : r;
    r = p.sign ? F32_NAN : r;
    return is_zero(p) ? p.sign | of_zero : r;
}
static ALU_INLINE uint32_t rsq_of(uint32_t v, int64_t sum)
{
    int exponent = part(v).exponent, odd = exponent & 1;
    sum = odd | (int)(v & 0x7fffff) ? sum : 1ll << ONE;
    return root_of(v, 0x7f800000, 0, cut_off((uint64_t)sum, (odd - exponent) >> 1));
}
static ALU_INLINE uint32_t sqrt_of(uint32_t v, int64_t sum)
{
    int exponent = part(v).exponent, odd = exponent & 1;
    return root_of(v, 0, 0x7f800000, cut_off((uint64_t)sum, (exponent - odd) >> 1));
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
static ALU_INLINE uint32_t ex2_given(uint32_t v)
{
    struct parts p = part(v);
    uint32_t whole, fraction = fixed(p, 0, &whole), other = fraction ? ~fraction & 0x7fffff : 0;
    return p.sign ? other : fraction;
}
static ALU_INLINE uint32_t ex2_of(uint32_t v, int64_t sum)
{
    struct parts p = part(v);
    uint32_t whole, fraction = fixed(p, 0, &whole), far = p.sign ? 0 : 0x7f800000;
    int up = whole & 0xff, down = -up - (fraction != 0); /* from 128 on: far */
    uint32_t r = cut_off((uint64_t)sum, p.sign ? down : up);
    r = p.exponent >= 7 ? far : r;
    return is_nan(v) ? F32_NAN : r;
}

static ALU_INLINE uint32_t lg2_of(uint32_t v, int64_t sum)
{
    struct parts p = part(v);
    uint64_t all = (uint64_t)sum + ((uint64_t)(int64_t)p.exponent << ONE), other = 0 - all;
    uint64_t size = (all >> 63 ? other : all) >> 20 << 20;
    uint32_t r = cut_off(size, 0) | (p.exponent < 0 ? 0x80000000 : 0);
    r = v == 0x3f800000 ? 0 : r;
    r = v == 0x7f800000 ? v : r;
    r = p.sign || is_nan(v) ? F32_NAN : r;
    return is_zero(p) ? 0xff800000 : r;
}

/* sin of v turns; add: quarters to go on. */
static ALU_INLINE uint32_t sin_quarters(uint32_t v, uint32_t add, uint32_t *fraction)
{
    uint32_t quarters;
    *fraction = fixed(part(v), 2, &quarters);
    return quarters + add;
}
static ALU_INLINE uint32_t sin_given(uint32_t v, uint32_t add)
{
    uint32_t fraction, odd = sin_quarters(v, add, &fraction) & 1;
    return odd ? ~fraction & 0x7fffff : fraction;
}
static ALU_INLINE uint32_t sin_of(uint32_t v, uint32_t add, int64_t sum)
{
    uint32_t fraction, sign = (add ? 0 : v & 0x80000000) ^ (sin_quarters(v, add, &fraction) & 2) << 30;
    uint32_t r = sign | cut_off((uint64_t)sum, 0);
    return is_special(part(v)) ? F32_NAN : r;
}

static ALU_INLINE const struct sfu *tanh_unit(uint32_t v)
{
    int k = part(v).exponent - TANH_FROM, last = TANH_TO - TANH_FROM;
    k = k < 0 ? 0 : k;
    return &tanhs[k > last ? last : k];
}
static ALU_INLINE uint32_t tanh_of(uint32_t v, int64_t sum)
{
    struct parts p = part(v);
    uint32_t r = p.sign | cut_off((uint64_t)sum, p.exponent < 0 ? p.exponent : 0);
    r = p.exponent < TANH_FROM ? v : r;
    r = p.exponent > TANH_TO ? p.sign | (uint32_t)BIAS << MANTISSA : r;
    return is_nan(v) ? F32_NAN : r;
}

/* The high word of a double: exponents are its own, the mantissa's 20 bits go through the unit as 23, and come back cut off. */
static ALU_INLINE uint32_t high_given(uint32_t v, bool is_rsq)
{
    return (is_rsq ? (~v >> 20 & 1) << MANTISSA : 0) | (v & 0xfffff) << 3;
}
static ALU_INLINE uint32_t high_word(uint32_t v, bool is_rsq, int64_t sum)
{
    uint32_t sign = v & 0x80000000, given = high_given(v, is_rsq),
             unit = ((uint32_t)BIAS << MANTISSA) + given;
    int e = (int)(v >> 20 & 0x7ff), odd = (int)(given >> MANTISSA);
    uint32_t r = is_rsq ? rsq_of(unit, sum) : rcp_of(unit, sum);
    int shift = is_rsq ? (e - 1023 - odd) >> 1 : e - 1023;
    int out = (int)(r >> MANTISSA) - BIAS - shift + 1023;
    uint32_t h = out <= 0 ? 0 : (uint32_t)out << 20 | (r & 0x7fffff) >> 3;
    h = sign | (e == 0x7ff ? 0 : h);
    h = (v & 0x7fffffff) > 0x7ff00000 || (is_rsq && sign) ? 0x7fffffff : h;
    return e ? h : sign | 0x7ff00000;
}

/* All lanes' sums stand in memory before the answers are made of them, or rows would only be read where an operand has no answer
 * of its own, and lanes be computed one after the other. */
#define UNIT(name, f, given, expr)                                                                           \
    static void name(ALU_ARGS)                                                                               \
    {                                                                                                        \
        const uint32_t *pa = alu_src(w, x, 0);                                                               \
        struct alu_mod m = alu_mod(x, 0, 0x80000000);                                                        \
        uint32_t in[LANES] ALU_ROW, at[LANES] ALU_ROW, row[LANES] ALU_ROW;                                   \
        struct columns c;                                                                                    \
        int64_t sums[LANES] ALU_ROW;                                                                         \
        ALU_OUT(1)                                                                                           \
        ALU_LANES(i)                                                                                         \
        {                                                                                                    \
            uint32_t v = alu_signed(pa[i], m), g = (given);                                                  \
            in[i] = v;                                                                                       \
            row[i] = row_of(&(f), g);                                                                        \
            at[i] = place(&(f), g);                                                                          \
        }                                                                                                    \
        for (unsigned i = 0; i < LANES; i++)                                                                 \
            copy_row(&c, i, row[i]);                                                                         \
        ALU_LANES(i) sums[i] = segment_sum(&(f), row_at(&c, i), at[i]);                                      \
        ALU_LANES(i)                                                                                         \
        {                                                                                                    \
            uint32_t v = in[i];                                                                              \
            int64_t sum = sums[i];                                                                           \
            o[i] = (expr);                                                                                   \
        }                                                                                                    \
        ALU_DONE(1)                                                                                          \
    }
UNIT(sfu_rcp, rcp, mantissa_of(v), rcp_of(v, sum))
UNIT(sfu_rsq, rsq, rooted(v), rsq_of(v, sum))
UNIT(sfu_sqrt, root, rooted(v), sqrt_of(v, sum))
UNIT(sfu_ex2, ex2, ex2_given(v), ex2_of(v, sum))
UNIT(sfu_lg2, lg2, mantissa_of(v), lg2_of(v, sum))
UNIT(sfu_sin, sine, sin_given(v, 0), sin_of(v, 0, sum))
UNIT(sfu_cos, sine, sin_given(v, 1), sin_of(v, 1, sum))
UNIT(sfu_rcp64h, rcp, high_given(v, false), high_word(v, false, sum))
UNIT(sfu_rsq64h, rsq, high_given(v, true), high_word(v, true, sum))

/* Each lane has the unit of its exponent; units differ in how many segments they have and in where terms stand. */
static void sfu_tanh(ALU_ARGS)
{
    const uint32_t *pa = alu_src(w, x, 0);
    struct alu_mod m = alu_mod(x, 0, 0x80000000);
    uint32_t in[LANES] ALU_ROW, at[LANES] ALU_ROW, linear_at[LANES] ALU_ROW, square_at[LANES] ALU_ROW;
    struct columns c;
    int64_t sums[LANES] ALU_ROW;
    ALU_OUT(1)
    for (unsigned i = 0; i < LANES; i++) {
        in[i] = alu_signed(pa[i], m);
        const struct sfu *f = tanh_unit(in[i]);
        uint32_t given = in[i] & 0x7fffff;
        copy_row(&c, i, row_of(f, given));
        at[i] = place(f, given);
        linear_at[i] = f->at[1];
        square_at[i] = f->at[2];
    }
    ALU_LANES(i)
    {
        const struct sfu f = {.at = {TANH_AT, linear_at[i], square_at[i]}};
        sums[i] = segment_sum(&f, row_at(&c, i), at[i]);
    }
    ALU_LANES(i) o[i] = tanh_of(in[i], sums[i]);
    ALU_DONE(1)
}

static ALU_INLINE int64_t sum_alone(const struct sfu *f, uint32_t given)
{
    return segment_sum(f, sfu_rows[row_of(f, given)], place(f, given));
}
static ALU_INLINE uint32_t ex2_alone(uint32_t v) { return ex2_of(v, sum_alone(&ex2, ex2_given(v))); }
static ALU_INLINE uint32_t tanh_alone(uint32_t v)
{
    return tanh_of(v, sum_alone(tanh_unit(v), v & 0x7fffff));
}

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
UNIT_HALF(sfu_tanh_half, tanh_alone)

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
