/* Sine, cosine, tangent. The argument is reduced to r = x - q pi/2: with pi/2 in three parts while the quadrant number is
 * small, else with the bits of 2/pi that matter for the exponent (Payne and Hanek 1983). */
#include "device.h"

static const u32 two_over_pif[] = {0,          0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0,
                                   0xdb629599, 0x3c439041, 0xfe5163ab, 0xdebbc561}; /* after 32 zeros */

/* |x| >= 2^16 and finite. As in the small case, x = r + q pi/2; the 64 bits of `turn` are four quadrants. */
INLINE float reduce_bigf(float x, i32 *q)
{
    u32 u = bitsf(x), at = (u >> 23 & 0xff) - 120; /* bits of 2/pi before this one give multiples of 4 */
    u64 m = (u & 0x7fffff) | 0x800000;
    u32 word = at / 32, shift = at % 32;
    u32 a = two_over_pif[word], b = two_over_pif[word + 1], c = two_over_pif[word + 2],
        d = two_over_pif[word + 3];
    u32 w0 = (u32)(((u64)a << 32 | b) << shift >> 32);
    u32 w1 = (u32)(((u64)b << 32 | c) << shift >> 32);
    u32 w2 = (u32)(((u64)c << 32 | d) << shift >> 32);
    u64 turn = m * ((u64)w0 << 32 | w1) + (m * w2 >> 32);
    u32 n = (u32)((turn + (1ull << 61)) >> 62);
    double r = (double)(i64)(turn - ((u64)n << 62)) * 0x1.921fb54442d18p-62;
    *q = (i32)(x < 0.0f ? 0u - n : n);
    return x < 0.0f ? -(float)r : (float)r;
}
INLINE float reducef(float x, i32 *q)
{
    float m = fmaf_(x, 0x1.45f306p-1f, ROUNDF);
    float n = m - ROUNDF;
    *q = (i32)bitsf(m); /* the lowest bits are what counts */
    float r = fmaf_(n, -PIO2F, x);
    r = fmaf_(n, -PIO2F_LO, r);
    r = fmaf_(n, -PIO2F_LO2, r);
    if (UNLIKELY(absf(x) > 105615.0f)) {
        if (absf(x) == INFF)
            r = x * 0.0f; /* NaN */
        else
            r = reduce_bigf(x, q);
    }
    return r;
}
/* Below zero in the third and the fourth quadrant: their numbers' second bit is the sign. */
INLINE float flipf(float v, i32 q) { return asf(bitsf(v) ^ ((u32)q << 30 & 0x80000000)); }
INLINE double flip(double v, i32 q) { return hilo(hi_of(v) ^ (i32)((u32)q << 30 & 0x80000000), lo_of(v)); }
/* sin(r + q pi/2), |r| <= pi/4: one polynomial whose coefficients depend on the quadrant. */
INLINE float sin_quadrantf(float r, i32 q)
{
    bool c = q & 1;
    float z = r * r, lead = c ? 1.0f : r;
    float p = c ? c_cosf[3] : 0.0f;
    p = fmaf_(p, z, c ? c_cosf[2] : c_sinf[2]);
    p = fmaf_(p, z, c ? c_cosf[1] : c_sinf[1]);
    p = fmaf_(p, z, c ? c_cosf[0] : c_sinf[0]);
    return flipf(fmaf_(mul_rnf(z, lead), p, lead), q);
}
INLINE float sin_inlinef(float x)
{
    i32 q;
    float r = reducef(x, &q), v = sin_quadrantf(r, q);
    return x == 0.0f ? x : v;
}
INLINE float cos_inlinef(float x)
{
    i32 q;
    float r = reducef(x, &q);
    return sin_quadrantf(r, q + 1);
}
float __nv_sinf(float x) { return sin_inlinef(x); }
float __nv_cosf(float x) { return cos_inlinef(x); }
INLINE void sincos_inlinef(float x, float *s, float *c)
{
    i32 q;
    float r = reducef(x, &q), z = r * r;
    float a = fmaf_(POLYF(z, c_sinf), mul_rnf(z, r), r), b = fmaf_(POLYF(z, c_cosf), z, 1.0f);
    *s = flipf(q & 1 ? b : a, q);
    *c = flipf(q & 1 ? a : b, q + 1);
}
void __nv_sincosf(float x, float *s, float *c) { sincos_inlinef(x, s, c); }
float __nv_tanf(float x)
{
    i32 q;
    float r = reducef(x, &q), z = r * r;
    float t = fmaf_(POLYF(z, c_tanf) * z, r, r);
    t = q & 1 ? -rcpf(t) : t;
    return x == 0.0f ? x : t;
}

/* sin(pi x): x = n/2 + r exactly. */
INLINE float sinpi_quadrantf(float r, i32 q)
{
    float z = r * r;
    float s = fmaf_(r, 0x1.921fb6p+1f, fmaf_(r, -0x1.777a5cp-24f, POLYF(z, c_sinpif) * mul_rnf(z, r)));
    float c = fmaf_(z, POLYF(z, c_cospif), 1.0f);
    return flipf(q & 1 ? c : s, q);
}
INLINE float reduce_pif(float x, i32 *q)
{
    x = absf(x) >= 0x1p24f ? x * 0.0f : x; /* even integers; infinity gives NaN */
    float n = __builtin_rintf(x + x);
    *q = (i32)n;
    return fmaf_(n, -0.5f, x);
}
/* Multiples of 1 give a zero with the sign of x. */
INLINE float sinpi_inlinef(float x)
{
    i32 q;
    float r = reduce_pif(x, &q);
    float v = sinpi_quadrantf(r, q);
    return x == __builtin_truncf(x) ? mul_rnf(x, 0.0f) : v;
}
INLINE float cospi_inlinef(float x)
{
    i32 q;
    float r = reduce_pif(x, &q);
    return sinpi_quadrantf(r, q + 1) + 0.0f; /* no -0 */
}
float __nv_sinpif(float x) { return sinpi_inlinef(x); }
float __nv_cospif(float x) { return cospi_inlinef(x); }
void __nv_sincospif(float x, float *s, float *c)
{
    *s = sinpi_inlinef(x);
    *c = cospi_inlinef(x);
}

/* 2/pi after 64 zeros. */
static const u64 two_over_pi[] = {
    0,
    0xa2f9836e4e441529ull,
    0xfc2757d1f534ddc0ull,
    0xdb6295993c439041ull,
    0xfe5163abdebbc561ull,
    0xb7246e3a424dd2e0ull,
    0x06492eea09d1921cull,
    0xfe1deb1cb129a73eull,
    0xe88235f52ebb4484ull,
    0xe99c7026b45f7e41ull,
    0x3991d639835339f4ull,
    0x9c845f8bbdf9283bull,
    0x1ff897ffde05980full,
    0xef2f118b5a0a6d1full,
    0x6d367ecf27cb09b7ull,
    0x4f463f669e5fea2dull,
    0x7527bac7ebe5f17bull,
    0x3d0739f78a5292eaull,
    0x6bfb5fb11f8d5d08ull,
    0x56033046fc7b6babull,
    0xf0cfbc209af4361dull,
};
struct reduced {
    double r; /* x - q pi/2 */
    i32 q;
};
/* |x| > 2^30, finite: as for float, with 192 bits of 2/pi and 128 of the product. */
OUTLINE struct reduced reduce_big(double x)
{
    u64 u = bitsd(x), m = (u & 0xfffffffffffffull) | 1ull << 52;
    u32 at = (u32)(u >> 52 & 0x7ff) - 1023 - 53 - 1 + 64, word = at / 64, shift = at % 64;
    u64 w[3];
#pragma unroll
    for (u32 k = 0; k < 3; k++) {
        u64 a = two_over_pi[word + k], b = two_over_pi[word + k + 1];
        w[k] = shift ? a << shift | b >> (64 - shift) : a;
    }
    u64 low = m * w[1], mid = low + __nvvm_mulhi_ull(m, w[2]);
    u64 top = m * w[0] + __nvvm_mulhi_ull(m, w[1]) + (mid < low);
    u32 n = (u32)((top + (1ull << 61)) >> 62);
    top -= (u64)n << 62;
    bool neg = (i64)top < 0;
    if (neg) {
        mid = 0 - mid;
        top = ~top + (mid == 0);
    }
    i32 z = top ? __builtin_clzll(top) : 64 + (mid ? __builtin_clzll(mid) : 0); /* leading zeros: normalise */
    if (z >= 64) {
        top = mid;
        mid = 0;
        top <<= z - 64;
    } else if (z) {
        top = top << z | mid >> (64 - z);
        mid <<= z;
    }
    double hi = (double)(top & ~0x7ffull),
           lo = (double)((top & 0x7ff) << 53 | mid >> 11) * 0x1p-53; /* exact; about */
    double scale = hilo((1023 - 126 + 64 - z) << 20, 0);
    struct reduced out = {fma_(hi, PIO2, fma_(hi, PIO2_LO, lo * PIO2)) * scale, (i32)n};
    out.r = neg != (x < 0.0) ? -out.r : out.r;
    out.q = x < 0.0 ? -out.q : out.q;
    return out;
}
/* What PIO2 lacks, in two parts of which both are positive: -0 stays -0. */
#define PIO2_MID 0x1.1a62633145c00p-54
#define PIO2_END 0x1.b839a252049c1p-104
/* Below 2^30 the first step is exact wherever it leaves less than 1: both numbers are multiples of 2^-53. */
INLINE double reduce(double x, i32 *q)
{
    double m = fma_(x, 0x1.45f306dc9c883p-1, ROUND), n = m - ROUND;
    double r = fma_(n, -PIO2_END, fma_(n, -PIO2_MID, fma_(n, -PIO2, x)));
    *q = (i32)lo_of(m);
    if (UNLIKELY(!(absd(x) < 0x1p30))) {
        r = x * 0.0;
        if (absd(x) < INFD) {
            struct reduced big = reduce_big(x);
            r = big.r;
            *q = big.q;
        }
    }
    return r;
}
INLINE double sin_poly(double r, double z) { return fma_(POLY(z, c_sin) * z, r, r); }
INLINE double cos_poly(double z) { return fma_(z, POLY(z, c_cos), 1.0); }

/* Behind the highest coefficient: those of sine and of cosine, one row each of a size to shift by. */
static const double sin_cos[2][8] __attribute__((aligned(64))) = {
    {c_sin[4], c_sin[3], c_sin[2], c_sin[1], c_sin[0], 0.0},
    {c_cos[5], c_cos[4], c_cos[3], c_cos[2], c_cos[1], c_cos[0]},
};
/* sin(r + q pi/2): the table's coefficients are loaded by the quadrant, as lanes have sine and cosine side by side. */
INLINE double sin_quadrant(double r, i32 q)
{
    const double *t = sin_cos[q & 1];
    double z = r * r, p = q & 1 ? c_cos[6] : c_sin[5];
#pragma unroll
    for (int k = 0; k < 6; k++)
        p = fma_(p, z, t[k]);
    return flip(q & 1 ? fma_(p, z, 1.0) : fma_(p, r, r), q);
}
double __nv_sin(double x)
{
    i32 q;
    double r = reduce(x, &q);
    return sin_quadrant(r, q);
}
double __nv_cos(double x)
{
    i32 q;
    double r = reduce(x, &q);
    return sin_quadrant(r, q + 1);
}
INLINE void sincos_inline(double x, double *s, double *c)
{
    i32 q;
    double r = reduce(x, &q), z = r * r, a = sin_poly(r, z), b = cos_poly(z);
    *s = flip(q & 1 ? b : a, q);
    *c = flip(q & 1 ? a : b, q + 1);
}
void __nv_sincos(double x, double *s, double *c) { sincos_inline(x, s, c); }
double __nv_tan(double x)
{
    i32 q;
    double r = reduce(x, &q), z = r * r, e = POLY(z, c_tan) * z * r, t = r + e;
    if (q & 1) { /* -1/(t + e) */
        double g = rcpd(t), c = fma_(-t, g, 1.0);
        e -= t - r;
        t = -fma_(g, fma_(-e, g, c), g);
    }
    return x == 0.0 ? x : t;
}

INLINE double sinpi_quadrant(double r, i32 q) { return sin_quadrant(r * 0x1.921fb54442d18p+1, q); }
INLINE double reduce_pi(double x, i32 *q)
{
    x = absd(x) >= 0x1p53 ? x * 0.0 : x;
    double n = __builtin_rint(x + x);
    *q = (i32)(i64)n;
    return fma_(n, -0.5, x);
}
INLINE double sinpi_inline(double x)
{
    i32 q;
    double r = reduce_pi(x, &q);
    double v = sinpi_quadrant(r, q);
    return x == __builtin_trunc(x) ? mul_rn(x, 0.0) : v;
}
INLINE double cospi_inline(double x)
{
    i32 q;
    double r = reduce_pi(x, &q);
    return sinpi_quadrant(r, q + 1) + 0.0;
}
double __nv_sinpi(double x) { return sinpi_inline(x); }
double __nv_cospi(double x) { return cospi_inline(x); }
void __nv_sincospi(double x, double *s, double *c)
{
    *s = sinpi_inline(x);
    *c = cospi_inline(x);
}
/* SPDX-License-Identifier: Apache-2.0 */
