/* SPDX-License-Identifier: Apache-2.0 */
/* Rounding to any binary format in any direction, and to integers, without the host's rounding mode. */
#ifndef EXEC_ALU_ROUND_H
#define EXEC_ALU_ROUND_H

#include "exec/alu/alu_fp.h"

/* Precision with the hidden bit, and the exponents of the smallest and the largest normal number. */
struct fp_fmt {
    int p, emin, emax;
};
static const struct fp_fmt fmt_f16 = {11, -14, 15}, fmt_bf16 = {8, -126, 127}, fmt_tf32 = {11, -126, 127},
                           fmt_f32 = {24, -126, 127}, fmt_f64 = {53, -1022, 1023}, fmt_e4m3 = {4, -6, 8},
                           fmt_e5m2 = {3, -14, 15};

static inline uint64_t fp_inf(const struct fp_fmt *f)
{
    return (uint64_t)(f->emax - f->emin + 2) << (f->p - 1);
}

/* The bits without sign of m * 2^(e - 63), m >= 2^63. */
static inline uint64_t fp_round(const struct fp_fmt *f, bool neg, int e, uint64_t m, enum ir_rnd rnd)
{
    int drop = 64 - f->p + (e < f->emin ? f->emin - e : 0); /* low bits of m that do not fit */
    uint64_t kept = drop < 64 ? m >> drop : 0;
    /* What is dropped, against half a unit: -1 below, 0 equal, 1 above; any: it is not zero. */
    uint64_t half = drop <= 64 ? 1ull << (drop - 1) : 0;
    uint64_t rest = drop < 64 ? m & ((1ull << drop) - 1) : m;
    int side = !half || rest < half ? -1 : rest > half;
    bool any = rest != 0, up;
    switch (rnd) {
    case RND_RZ: up = false; break;
    case RND_RM: up = neg && any; break;
    case RND_RP: up = !neg && any; break;
    case RND_RNA: up = side >= 0; break;
    default: up = side > 0 || (side == 0 && (kept & 1)); break;
    }
    uint64_t r = ((uint64_t)(e > f->emin ? e - f->emin : 0) << (f->p - 1)) + kept + up;
    uint64_t inf = fp_inf(f);
    if (r < inf)
        return r;
    bool clamp = rnd == RND_RZ || (rnd == RND_RM && !neg) || (rnd == RND_RP && neg);
    return clamp ? inf - 1 : inf;
}

/* A double to the format, sign at the top of its width; NaN is the caller's case. */
static inline uint64_t fp_from_f64(const struct fp_fmt *f, unsigned width, double d, enum ir_rnd rnd)
{
    uint64_t u = f64_bits(d), m = u & 0xfffffffffffffull, r;
    bool neg = u >> 63;
    int e = (int)(u >> 52 & 0x7ff);
    if (e == 0x7ff) {
        r = fp_inf(f);
    } else if (!e && !m) {
        r = 0;
    } else if (!e) {
        int z = __builtin_clzll(m);
        r = fp_round(f, neg, -1011 - z, m << z, rnd);
    } else {
        r = fp_round(f, neg, e - 1023, (m | 1ull << 52) << 11, rnd);
    }
    return r | (uint64_t)neg << (width - 1);
}

static inline uint64_t fp_from_int(const struct fp_fmt *f, unsigned width, bool neg, uint64_t mag,
                                   enum ir_rnd rnd)
{
    if (!mag)
        return 0;
    int z = __builtin_clzll(mag);
    return fp_round(f, neg, 63 - z, mag << z, rnd) | (uint64_t)neg << (width - 1);
}

/* d to an integral value; the sign of zero is kept. */
static ALU_INLINE double f64_integral(double d, enum ir_rnd rnd)
{
    double a = __builtin_fabs(d);
    double r = (a + 0x1p52) - 0x1p52; /* to nearest, ties to even */
    bool neg = f64_bits(d) >> 63;
    if (rnd == RND_RZI || rnd == RND_RZ)
        r -= r > a ? 1.0 : 0.0;
    else if (rnd == RND_RMI || rnd == RND_RM)
        r += neg ? (r < a ? 1.0 : 0.0) : (r > a ? -1.0 : 0.0);
    else if (rnd == RND_RPI || rnd == RND_RP)
        r += neg ? (r > a ? -1.0 : 0.0) : (r < a ? 1.0 : 0.0);
    r = a < 0x1p52 ? r : a;
    return as_f64(f64_bits(r) | (f64_bits(d) & 1ull << 63));
}

#endif
