/* SPDX-License-Identifier: Apache-2.0 */
/* Floating-point pieces shared by the ALU sources: bit casts, canonical NaNs, flushing, sign modifiers, and exact
 * roundings that need no rounding mode of the host. docs/machine.md states the rules. */
#ifndef EXEC_ALU_FP_H
#define EXEC_ALU_FP_H

#include "base/fbits.h"
#include "exec/alu/alu.h"

#define F32_NAN 0x7fffffffu
#define F64_NAN 0xfff8000000000000ull
#define F16_NAN 0x7fffu /* bf16 too */

static ALU_INLINE double f64_at(const uint32_t *row, unsigned i) { return as_f64(alu_pair(row, i)); }

static ALU_INLINE uint32_t f32_canon(float r) { return r == r ? f32_bits(r) : F32_NAN; }
static ALU_INLINE uint64_t f64_canon(double r) { return r == r ? f64_bits(r) : F64_NAN; }

/* NaNs that come in go out quiet, with their sign (modifiers of the source do not change it) and what of their payload fits. */
static ALU_INLINE bool f64_is_nan(uint64_t u) { return u << 1 > 0x7ffull << 53; }
static ALU_INLINE uint64_t f64_quiet(uint64_t u) { return u | 1ull << 51; }
static ALU_INLINE uint64_t f64_nan_of_f32(uint32_t u)
{
    return (uint64_t)(u & 0x80000000) << 32 | 0x7ffull << 52 | 1ull << 51 | (uint64_t)(u & 0x7fffff) << 29;
}
static ALU_INLINE uint32_t f32_nan_of_f64(uint64_t u)
{
    return (uint32_t)(u >> 32 & 0x80000000) | 0x7fc00000 | (uint32_t)(u >> 29 & 0x7fffff);
}
/* The NaN of a sum, a product or both of doubles: the second source's, else the third's, else the first's, else a new one. */
static ALU_INLINE uint64_t f64_nan_of(uint64_t a, uint64_t b, uint64_t c)
{
    uint64_t u = f64_is_nan(b) ? b : f64_is_nan(c) ? c : a;
    return f64_is_nan(u) ? f64_quiet(u) : F64_NAN;
}

/* Subnormal -> zero of the same sign. */
static ALU_INLINE uint32_t f32_flush(uint32_t u)
{
    uint32_t keep = u & 0x7f800000 ? ~0u : 0;
    return u & (keep | 0x80000000);
}

/* [0,1], NaN to 0. */
static ALU_INLINE float f32_sat(float r)
{
    r = r > 0.0f ? r : 0.0f;
    return r < 1.0f ? r : 1.0f;
}

/* neg and abs of one source as two masks; sign: the sign bits of the type. */
struct alu_mod {
    uint32_t keep, flip;
};
static ALU_INLINE struct alu_mod alu_mod(const struct xop *x, unsigned k, uint32_t sign)
{
    return (struct alu_mod){x->src[k].abs ? ~sign : ~0u, x->src[k].neg ? sign : 0};
}
static ALU_INLINE uint32_t alu_signed(uint32_t v, struct alu_mod m) { return (v & m.keep) ^ m.flip; }

/* The double of a pair with the modifiers of source k. */
static ALU_INLINE double f64_mod_at(const uint32_t *row, unsigned i, struct alu_mod m)
{
    return as_f64(row[i] | (uint64_t)alu_signed(row[LANES + i], m) << 32);
}

/* a + b rounded to odd: the exact sum if it is a double, else that one of its two neighbours with an odd last bit.
 * A later rounding to a format at least two bits narrower then gives what rounding the exact sum would (Boldo and
 * Melquiond, "Emulation of FMA and correctly rounded sums", 2008). Not for sums that overflow. */
static ALU_INLINE double add_odd(double a, double b)
{
    double s = a + b, bb = s - a;
    double e = (a - (s - bb)) + (b - bb); /* exactly what s lacks (Knuth) */
    uint64_t u = f64_bits(s);
    uint64_t step = (e > 0.0) == (s > 0.0) ? 1 : ~0ull;
    bool off = (e < 0.0) | (e > 0.0);
    return as_f64((off & !(u & 1)) ? u + step : u);
}

/* d rounded in a direction. */
static ALU_INLINE float f32_directed(double d, enum ir_rnd rnd)
{
    float f = (float)d;
    double g = f;
    uint32_t u = f32_bits(f), neg = u >> 31;
    if (rnd == RND_RZ)
        u -= __builtin_fabs(g) > __builtin_fabs(d);
    else if (rnd == RND_RM)
        u += g > d ? 2 * neg - 1 : 0;
    else if (rnd == RND_RP)
        u += g < d ? 1 - 2 * neg : 0;
    return as_f32(u);
}

static ALU_INLINE float fma_f32(float a, float b, float c)
{
#if defined(__FMA__) || defined(__aarch64__)
    return __builtin_fmaf(a, b, c);
#else
    return (float)add_odd((double)a * b, c); /* the product is exact */
#endif
}

/* Half precision. To f32 is exact. */
static ALU_INLINE float f16_to_f32(uint32_t h)
{
    uint32_t em = h & 0x7fff;
    uint32_t u = f32_bits(as_f32(em << 13) * 0x1p112f); /* rebias; subnormals become normal */
    u = em >= 0x7c00 ? em << 13 | 0x7f800000 : u;
    return as_f32(u | (h & 0x8000) << 16);
}
static ALU_INLINE float bf16_to_f32(uint32_t h) { return as_f32(h << 16); }

static ALU_INLINE uint32_t f16_from_f32(float f)
{
    uint32_t u = f32_bits(f), a = u & 0x7fffffff;
    uint32_t normal = (a + 0xfff + (a >> 13 & 1) - (112u << 23)) >> 13;
    uint32_t small = f32_bits(as_f32(a) + 0.5f) - 0x3f000000; /* ulp(0.5) is the smallest f16 */
    uint32_t r = a < 0x38800000 ? small : normal;
    r = a >= 0x47800000 ? 0x7c00 : r;
    return a > 0x7f800000 ? F16_NAN : r | (u >> 16 & 0x8000);
}
static ALU_INLINE uint32_t bf16_from_f32(float f)
{
    uint32_t u = f32_bits(f);
    return (u & 0x7fffffff) > 0x7f800000 ? F16_NAN : (u + 0x7fff + (u >> 16 & 1)) >> 16;
}

/* d to the nearest half (f16, or bf16 if bf), as a float, which then converts exactly. Only 64-bit steps, so that the
 * loop around it stays in one vector width. */
static ALU_INLINE float half_round(double d, bool bf)
{
    const unsigned cut = bf ? 45 : 42;              /* bits of a double that a normal half lacks */
    const double magic = bf ? 0x1.8p-81 : 0x1.8p28; /* its last bit weighs as much as the smallest half */
    const double least = bf ? 0x1p-126 : 0x1p-14;   /* smallest normal */
    uint64_t u = f64_bits(d), sign = u & 1ull << 63;
    uint64_t normal = (u + (1ull << (cut - 1)) - 1 + (u >> cut & 1)) >> cut << cut;
    uint64_t small = f64_bits((d + magic) - magic) | sign;
    uint64_t r = __builtin_fabs(d) < least ? small : normal;
    return (float)as_f64(d == d ? r : u);
}

/* Steps of matrix products. The product of two elements is exact, so fusing it into the sum changes nothing but the speed. */
static ALU_INLINE double f_mac(double a, double b, double c)
{
#if defined(__FMA__) || defined(__aarch64__)
    return __builtin_fma(a, b, c);
#else
    return a * b + c;
#endif
}
static ALU_INLINE int32_t i_mac(int32_t a, int32_t b, int32_t c) { return a * b + c; }

#endif
