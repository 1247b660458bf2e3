/* Logarithms. x = 2^k m with m near 1; log m from a polynomial (float) or from atanh, with the error of the division
 * carried along (double). Zero, negative, infinite and NaN arguments end in one place. */
#include "device.h"

/* log(1 + f), f in [-1/4, 1/2]: reaching further above 1 than below keeps k log 2 + log m from cancelling. */
INLINE float log_restf(float f)
{
    return mul_rnf(f, fmaf_(POLYF(f, c_logf), f, -0.5f));
} /* log(1 + f) / f - 1 */
INLINE float log_near1f(float f) { return fmaf_(log_restf(f), f, f); }
INLINE float log_splitf(float x, float *k)
{
    bool tiny = x < 0x1p-126f;
    float y = tiny ? x * 0x1p23f : x;
    u32 i = (bitsf(y) - 0x3f400000) & 0xff800000;
    *k = fmaf_((float)(i32)i, 0x1p-23f, tiny ? -23.0f : 0.0f);
    return asf(bitsf(y) - i) - 1.0f;
}
/* What logarithms give where x is not positive and finite. */
INLINE float log_specialf(float x, float r)
{
    r = bitsf(x) - 1 >= 0x7f7fffff ? fmaf_(x, INFF, INFF) : r;
    return x == 0.0f ? -INFF : r;
}
INLINE float log_inlinef(float x)
{
    float k, f = log_splitf(x, &k);
    return log_specialf(x, fmaf_(k, LN2F, log_near1f(f)));
}
float __nv_logf(float x) { return log_inlinef(x); }
float __nv_log2f(float x)
{
    float k, f = log_splitf(x, &k), g = mul_rnf(log_restf(f), f);
    float h = mul_rnf(f, L2EF), h_lo = fmaf_(f, L2EF, -h);
    float t = add_rnf(k, h), e = h - (t - k); /* |k| > |h| or k = 0 */
    return log_specialf(x, add_rnf(t, fmaf_(g, L2EF, fmaf_(f, L2EF_LO, h_lo) + e)));
}
float __nv_log10f(float x)
{
    float k, f = log_splitf(x, &k), p = log_near1f(f);
    return log_specialf(x, fmaf_(k, 0x1.344136p-2f, mul_rnf(p, 0x1.bcb7b2p-2f)));
}

/* log(1 + x) for x > -1. 1 + x = 2^k (1 + f) with f = x/2^k + (1/2^k - 1), which the fma makes exact but for one rounding. */
INLINE float log1p_posf(float x)
{
    u32 i = (bitsf(add_rnf(x, 1.0f)) - 0x3f400000) & 0xff800000;
    float s = asf(0x40800000 - i); /* 4 / 2^k: normal even for the largest x */
    float x4 = x * 0.25f, s1 = fmaf_(s, 0.25f, -1.0f);
    float f = fmaf_(x4, s, s1);
    float f_lo = fmaf_(x4, s, s1 - f);
    float k = (float)(i32)i * 0x1p-23f;
    float r = fmaf_(k, LN2F, log_near1f(f) + f_lo);
    return absf(x) < 0x1p-25f || x == INFF ? x : r;
}
float __nv_log1pf(float x)
{
    float r = log1p_posf(x);
    r = x < -1.0f ? NANF : r;
    return x == -1.0f ? -INFF : r;
}

/* log(1 + f + f_lo), 1 + f in [sqrt 1/2, sqrt 2], as *hi + result. u = 2f / (2 + f). */
INLINE double log_near1(double f, double f_lo, double *hi)
{
    double r = rcpd(2.0 + f);
    double s = f * r, u = s + s;
    double rest = fma_(-u, f, 2.0 * (f - u)) * r; /* u + rest = 2f / (2 + f) in twice the digits */
    double z = s * s;
    double p = POLY(z, c_logs) * z;
    *hi = u;
    return fma_(p, u, rest) + f_lo;
}
INLINE double log_split(double x, i32 *k)
{
    bool tiny = x < 0x1p-1022;
    double y = tiny ? x * 0x1p54 : x;
    i32 i = (hi_of(y) - 0x3fe6a09e) & (i32)0xfff00000;
    *k = (i >> 20) - (tiny ? 54 : 0);
    return hilo(hi_of(y) - i, lo_of(y)) - 1.0;
}
INLINE double log_special(double x, double r)
{
    if (UNLIKELY(!(x > 0.0) || x == INFD)) {
        r = fma_(x, INFD, INFD);
        r = x == 0.0 ? -INFD : r;
    }
    return r;
}
/* k c + (hi + lo), c = c_hi + c_lo, |k c_hi| > |hi| or k = 0. */
INLINE double log_join(double k, double c_hi, double c_lo, double hi, double lo)
{
    double t = fma_(k, c_hi, hi);
    double e = hi - fma_(k, -c_hi, t);
    return t + (fma_(k, c_lo, lo) + e);
}
INLINE double log_inline(double x)
{
    i32 k;
    double f = log_split(x, &k), hi, lo = log_near1(f, 0.0, &hi);
    return log_special(x, log_join((double)k, LN2, LN2_LO, hi, lo));
}
double __nv_log(double x) { return log_inline(x); }

/* To another base: (hi + lo) (b + b_lo). */
INLINE double log_base(double x, double b, double b_lo, double c, double c_lo)
{
    i32 k;
    double f = log_split(x, &k), hi, lo = log_near1(f, 0.0, &hi);
    double p = mul_rn(hi, b);
    double q = fma_(hi, b, -p) + fma_(lo, b, hi * b_lo);
    return log_special(x, log_join((double)k, c, c_lo, p, q));
}
double __nv_log2(double x) { return log_base(x, L2E, L2E_LO, 1.0, 0.0); }
double __nv_log10(double x)
{
    return log_base(x, 0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57, 0x1.34413509f79ffp-2,
                    -0x1.9dc1da994fd21p-59);
}

INLINE double log1p_inline(double x)
{
    i32 i = (hi_of(add_rn(x, 1.0)) - 0x3fe6a09e) & (i32)0xfff00000;
    double s = hilo(0x40100000 - i, 0), x4 = x * 0.25, s1 = fma_(s, 0.25, -1.0);
    double f = fma_(x4, s, s1);
    double f_lo = fma_(x4, s, s1 - f);
    double hi, lo = log_near1(f, f_lo, &hi);
    double r = log_join((double)(i >> 20), LN2, LN2_LO, hi, lo);
    if (UNLIKELY(!(x > -1.0 && x < INFD))) {
        r = fma_(x, INFD, INFD);
        r = x == -1.0 ? -INFD : r;
    }
    return absd(x) < 0x1p-55 ? x : r;
}
double __nv_log1p(double x) { return log1p_inline(x); }
/* SPDX-License-Identifier: Apache-2.0 */
