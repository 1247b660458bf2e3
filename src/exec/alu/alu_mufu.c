/* SPDX-License-Identifier: Apache-2.0 */
/* The special functions. All are evaluated in double with the basic operations only (exact on every host) and rounded
 * once to float, so they are better than the PTX manual asks and the same everywhere. docs/machine.md has the bounds. */
#include "exec/alu/alu_fp.h"

#define MAGIC 0x1.8p52 /* adding it leaves the nearest integer in the low bits */
#define BIG_ANGLE 0x1p20

/* 2^v, |v| <= 1000. The polynomial is the Taylor series of exp(f ln 2), |f| <= 1/2: relative error 2^-37. */
static ALU_INLINE double exp2_core(double v)
{
    double y = v + MAGIC;
    double f = v - (y - MAGIC);
    double p = 0x1.b5253d395e7c4p-24;
    p = p * f + 0x1.62c0223a5c824p-20;
    p = p * f + 0x1.ffcbfc588b0c7p-17;
    p = p * f + 0x1.430912f86c787p-13;
    p = p * f + 0x1.5d87fe78a6731p-10;
    p = p * f + 0x1.3b2ab6fba4e77p-7;
    p = p * f + 0x1.c6b08d704a0c0p-5;
    p = p * f + 0x1.ebfbdff82c58fp-3;
    p = p * f + 0x1.62e42fefa39efp-1;
    p = p * f + 1.0;
    return p * as_f64((f64_bits(y) + 1023) << 52);
}
static ALU_INLINE double clampd(double v, double lim)
{
    v = v > lim ? lim : v;
    return v < -lim ? -lim : v;
}
/* +-200: infinity and zero in float. */
static ALU_INLINE double ex2(double v) { return exp2_core(clampd(v, 200.0)); }

/* v = m 2^k with m in [sqrt 1/2, sqrt 2); log2 m = 2/ln 2 atanh s, s = (m - 1)/(m + 1), |s| < 0.1716. */
static ALU_INLINE double lg2(double v)
{
    uint64_t u = f64_bits(v);
    uint64_t t = u - 0x3fe6a09e667f3bcdull; /* sqrt 1/2 */
    uint64_t k = (t >> 52) - ((t >> 63) << 12);
    double m = as_f64(u - (k << 52));
    double kd = as_f64(f64_bits(MAGIC) + k) - MAGIC;
    double s = (m - 1.0) / (m + 1.0), z = s * s;
    double p = 1.0 / 13;
    p = p * z + 1.0 / 11;
    p = p * z + 1.0 / 9;
    p = p * z + 1.0 / 7;
    p = p * z + 1.0 / 5;
    p = p * z + 1.0 / 3;
    p = p * z + 1.0;
    double r = kd + 0x1.71547652b82fep+1 * (s * p);
    r = v > 0.0 ? r : v == 0.0 ? -__builtin_inf() : __builtin_nan("");
    return v == __builtin_inf() ? v : r;
}

/* 1 - 2/(e^2v + 1); near zero, where that cancels, the series. */
static ALU_INLINE double tanh_core(double v)
{
    double e = exp2_core(clampd(v, 20.0) * 0x1.71547652b82fep+1);
    double big = 1.0 - 2.0 / (e + 1.0), z = v * v;
    double small = v * (1.0 + z * (z * (2.0 / 15) - 1.0 / 3));
    return __builtin_fabs(v) < 0.03 ? small : big;
}

/* sin (add = 0) or cos (add = 1) of r + q pi/2, |r| <= pi/4: Taylor series. */
static ALU_INLINE double sin_quadrant(double r, uint64_t q)
{
    double z = r * r;
    double s = -1.0 / 39916800;
    s = s * z + 1.0 / 362880;
    s = s * z - 1.0 / 5040;
    s = s * z + 1.0 / 120;
    s = s * z - 1.0 / 6;
    s = r * (s * z + 1.0); /* keeps -0 */
    double c = 1.0 / 479001600;
    c = c * z - 1.0 / 3628800;
    c = c * z + 1.0 / 40320;
    c = c * z - 1.0 / 720;
    c = c * z + 1.0 / 24;
    c = c * z - 0.5;
    c = c * z + 1.0;
    double t = q & 1 ? c : s;
    return q & 2 ? -t : t;
}
/* |v| < BIG_ANGLE: pi/2 in three parts of 33 bits, whose products with the quadrant are exact. */
static ALU_INLINE double sin_small(double v, uint64_t add)
{
    double y = v * 0x1.45f306dc9c883p-1 + MAGIC;
    double n = y - MAGIC;
    double r = ((v - n * 0x1.921fb544p+0) - n * 0x1.0b4611a6p-34) - n * 0x1.3198a2ep-69;
    return sin_quadrant(r, f64_bits(y) + add);
}
/* Any larger finite float: the bits of 2/pi that matter for its exponent (Payne and Hanek 1983). */
static double sin_big(float v, uint64_t add)
{
    /* The bits of 2 / pi, after 32 zeros. */
    static const uint32_t two_over_pi[] = {0,          0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0,
                                           0xdb629599, 0x3c439041, 0xfe5163ab, 0xdebbc561};
    uint32_t u = f32_bits(v);
    uint64_t m = (u & 0x7fffff) | 0x800000, w[3];
    unsigned at = (u >> 23 & 0xff) - 120; /* v = m 2^(at - 30): bits before this one give multiples of 4 */
    for (unsigned k = 0; k < 3; k++) {
        uint64_t two = (uint64_t)two_over_pi[at / 32 + k] << 32 | two_over_pi[at / 32 + k + 1];
        w[k] = two << (at % 32) >> 32;
    }
    uint64_t turn = m * (w[0] << 32 | w[1]) + (m * w[2] >> 32); /* 2^64: four quadrants */
    uint64_t q = (turn + (1ull << 61)) >> 62;
    double r = (double)(int64_t)(turn - (q << 62)) * (0x1.921fb54442d18p+0 * 0x1p-62);
    double s = sin_quadrant(r, q + add);
    return u >> 31 && !add ? -s : s; /* cos is even */
}

/* Rows: in are float bits. */
typedef void (*row_fn)(float *out, const uint32_t *in);
#define ROW(name, expr)                                                                                      \
    static void name(float *out, const uint32_t *in)                                                         \
    {                                                                                                        \
        ALU_LANES(i)                                                                                         \
        {                                                                                                    \
            double v = as_f32(in[i]);                                                                        \
            out[i] = (float)(expr);                                                                          \
        }                                                                                                    \
    }
ROW(row_rcp, 1.0 / v)
ROW(row_rsq, 1.0 / __builtin_sqrt(v))
ROW(row_sqrt, __builtin_sqrt(v))
ROW(row_ex2, ex2(v))
ROW(row_lg2, lg2(v))
ROW(row_tanh, tanh_core(v))
ROW(row_sin_small, sin_small(v, 0))
ROW(row_cos_small, sin_small(v, 1))

static void fix_big(float *out, const uint32_t *in, uint64_t add)
{
    for (unsigned i = 0; i < LANES; i++) {
        float v = as_f32(in[i]), a = __builtin_fabsf(v);
        if (a >= (float)BIG_ANGLE)
            out[i] = a < __builtin_inff() ? (float)sin_big(v, add) : __builtin_nanf("");
    }
}
static void row_sin(float *out, const uint32_t *in)
{
    row_sin_small(out, in);
    fix_big(out, in, 0);
}
static void row_cos(float *out, const uint32_t *in)
{
    row_cos_small(out, in);
    fix_big(out, in, 1);
}

/* Turns: the nearest quarter is exact, and so is what is left; large numbers are whole turns. */
static ALU_INLINE double sin_turn(double v, uint64_t add)
{
    double t = v - __builtin_trunc(v), q = __builtin_rint(t * 4);
    return sin_quadrant((t - q / 4) * 0x1.921fb54442d18p+2, (uint64_t)(int64_t)q + add);
}
ROW(row_sin_turn, v - v == 0 ? sin_turn(v, 0) : __builtin_nan(""))
ROW(row_cos_turn, v - v == 0 ? sin_turn(v, 1) : __builtin_nan(""))

static const row_fn rows[MUFU_COS_TURN + 1] = {
    [MUFU_RCP] = row_rcp,           [MUFU_RSQ] = row_rsq,   [MUFU_SQRT] = row_sqrt,
    [MUFU_SIN] = row_sin,           [MUFU_COS] = row_cos,   [MUFU_EX2] = row_ex2,
    [MUFU_LG2] = row_lg2,           [MUFU_TANH] = row_tanh, [MUFU_SIN_TURN] = row_sin_turn,
    [MUFU_COS_TURN] = row_cos_turn,
};

static void mufu_f32(ALU_ARGS)
{
    const uint32_t *pa = alu_src(w, x, 0);
    bool ftz = x->insn->flags & IRF_FTZ;
    struct alu_mod m = alu_mod(x, 0, 0x80000000);
    uint32_t in[LANES] ALU_ROW;
    float r[LANES] ALU_ROW;
    ALU_LANES(i)
    {
        uint32_t v = alu_signed(pa[i], m);
        in[i] = ftz ? f32_flush(v) : v;
    }
    rows[x->insn->sub](r, in);
    ALU_OUT(1)
    ALU_LANES(i)
    {
        uint32_t v = f32_canon(r[i]);
        o[i] = ftz ? f32_flush(v) : v;
    }
    ALU_DONE(1)
}

static void mufu_half(ALU_ARGS)
{
    const uint32_t *pa = alu_src(w, x, 0);
    uint8_t t = x->insn->type;
    bool bf = t == T_BF16 || t == T_BF16X2, two = t == T_F16X2 || t == T_BF16X2;
    uint32_t ftz = !(x->insn->flags & IRF_FTZ) ? 0 : bf ? 0x7f80 : 0x7c00;
    struct alu_mod m = alu_mod(x, 0, 0x80008000);
    uint32_t in[LANES] ALU_ROW, out[LANES] ALU_ROW = {0};
    float r[LANES] ALU_ROW;
    for (unsigned shift = 0; shift <= (two ? 16u : 0u); shift += 16) {
        ALU_LANES(i)
        {
            uint32_t h = alu_signed(pa[i], m) >> shift & 0xffff;
            h = ftz && !(h & ftz) ? h & 0x8000 : h;
            in[i] = f32_bits(bf ? bf16_to_f32(h) : f16_to_f32(h));
        }
        rows[x->insn->sub](r, in);
        ALU_LANES(i)
        {
            uint32_t h = bf ? bf16_from_f32(r[i]) : f16_from_f32(r[i]);
            h = ftz && !(h & ftz) ? h & 0x8000 : h;
            out[i] |= h << shift;
        }
    }
    alu_put32(x, w, mask, out);
}

/* High words of doubles; the low word counts as zero and the result is rounded to its high word. */
static ALU_INLINE void mufu_64h(ALU_ARGS, bool rsq)
{
    const uint32_t *pa = alu_src(w, x, 0);
    bool ftz = x->insn->flags & IRF_FTZ;
    struct alu_mod m = alu_mod(x, 0, 0x80000000);
    ALU_OUT(1)
    ALU_LANES(i)
    {
        uint32_t v = alu_signed(pa[i], m);
        v = ftz && !(v & 0x7ff00000) ? v & 0x80000000 : v;
        double d = as_f64((uint64_t)v << 32);
        double r = 1.0 / (rsq ? __builtin_sqrt(d) : d);
        uint32_t h = (uint32_t)((f64_bits(r) + 0x7fffffff) >> 32); /* infinity stays */
        h = r == r ? h : (uint32_t)(F64_NAN >> 32);
        o[i] = ftz && !(h & 0x7ff00000) ? h & 0x80000000 : h;
    }
    ALU_DONE(1)
}
static void mufu_rcp64h(ALU_ARGS) { mufu_64h(x, w, mask, false); }
static void mufu_rsq64h(ALU_ARGS) { mufu_64h(x, w, mask, true); }

xfn ALU_NAME(alu_mufu)(const struct ir_insn *i)
{
    if (i->op != OP_MUFU)
        return NULL;
    if (i->sub == MUFU_RCP64H)
        return mufu_rcp64h;
    if (i->sub == MUFU_RSQ64H)
        return mufu_rsq64h;
    if (i->sub > MUFU_COS_TURN)
        return NULL;
    switch (i->type) {
    case T_F32: return mufu_f32;
    case T_F16:
    case T_BF16:
    case T_F16X2:
    case T_BF16X2: return mufu_half;
    default: return NULL;
    }
}
