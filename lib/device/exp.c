/* Exponentials. float: 2^n from the exponent bits, 2^f from the special function unit. double: a polynomial on |r| <= ln 2 / 2. */
#include "device.h"

/* 2^bias b^x where base = log2 b: 2^n is kept normal, so what n cannot take (underflow, overflow) stays in f. Where f is below -126 the
 * product is nothing, so that 2^f takes no guard for subnormal results; with it there are three instructions more. */
INLINE float exp_guarded(float x, float base, float base_lo, i32 bias, bool guard)
{
    float t = x * base;
    t = __builtin_fminf(__builtin_fmaxf(t, -126.0f), 127.0f);
    float m = add_rnf(t, ROUNDF + 127.0f);
    float n = m - (ROUNDF + 127.0f);
    float f = fmaf_(x, base, -n);
    f = fmaf_(x, base_lo, f);
    return (guard ? ex2f(f) : ex2_normalf(f)) * asf((bitsf(m) << 23) + ((u32)bias << 23));
}
INLINE float exp_base(float x, float base, float base_lo, i32 bias)
{
    return exp_guarded(x, base, base_lo, bias, false);
}
/* With the guard: the stored figures of the suite rest on it. */
float __nv_expf(float x) { return exp_guarded(x, L2EF, L2EF_LO, 0, true); }
float __nv_exp10f(float x) { return exp_base(x, 0x1.a934f0p+1f, 0x1.2f346ep-24f, 0); }
float __nv_exp2f(float x) { return ex2f(x); }

/* e^x - 1 = 2^n (e^r - 1) + (2^n - 1), at half its size so that 2^n does not overflow; n = 0 while the sum would cancel. */
float __nv_expm1f(float x)
{
    float y = x < -30.0f ? -30.0f : x;
    float t = y * L2EF;
    t = t > 128.0f ? 128.0f : t;
    t = absf(y) < 0.5f ? 0.0f : t;
    float m = add_rnf(t, ROUNDF + 126.0f);
    float n = m - (ROUNDF + 126.0f);
    float r = fmaf_(n, -LN2F, y);
    r = fmaf_(n, -LN2F_LO, r);
    float p = fmaf_(POLYF(r, c_expm1f) * r, r, r);
    float s = asf(bitsf(m) << 23);
    float v = fmaf_(p, s, s - 0.5f);
    return x == 0.0f ? x : v + v;
}

/* y 2^n where the result may be subnormal or infinite; |n| < 2100. */
INLINE double scale2(double y, i32 n)
{
    i32 half = n >> 1;
    return y * hilo((half + 1023) << 20, 0) * hilo((n - half + 1023) << 20, 0);
}
INLINE double exp_poly(double r) { return fma_(fma_(POLY(r, c_exp), r, 1.0), r, 1.0); }
INLINE double exp_scale(double x, double y, i32 n, float limit)
{
    double v = hilo(hi_of(y) + (i32)((u32)n << 20), lo_of(y));
    float size = absf(asf((u32)hi_of(x)));
    if (UNLIKELY(!(size < limit))) {
        v = x < 0.0 ? 0.0 : x + INFD;
        if (size < limit * 1.03f) /* the exponent grows by 1/8 of a float's: far beyond under- and overflow */
            v = scale2(y, n);
    }
    return v;
}
/* The high word of a double, read as a float, orders like the double: 708.0, 1021.0 and 307.0 as such. */
#define LIMIT_E asf(0x40862000)
#define LIMIT_2 asf(0x408fe800)
#define LIMIT_10 asf(0x40733000)

INLINE double exp_inline(double x)
{
    double m = fma_(x, L2E, ROUND);
    double n = m - ROUND;
    double r = fma_(n, -LN2, x);
    r = fma_(n, -LN2_LO, r);
    return exp_scale(x, exp_poly(r), (i32)lo_of(m), LIMIT_E);
}
double __nv_exp(double x) { return exp_inline(x); }
double __nv_exp2(double x)
{
    double m = add_rn(x, ROUND);
    double f = x - (m - ROUND);
    double r = fma_(f, LN2, f * LN2_LO);
    return exp_scale(x, exp_poly(r), (i32)lo_of(m), LIMIT_2);
}
double __nv_exp10(double x)
{
    double m = fma_(x, 0x1.a934f0979a371p+1, ROUND);
    double n = m - ROUND;
    double f = fma_(n, -0x1.34413509f79ffp-2, x);
    f = fma_(n, 0x1.9dc1da994fd21p-59, f);
    double r = fma_(f, 0x1.26bb1bbb55516p+1, f * -0x1.f48ad494ea3e9p-53);
    return exp_scale(x, exp_poly(r), (i32)lo_of(m), LIMIT_10);
}

double __nv_expm1(double x)
{
    double y = x < -50.0 ? -50.0 : x;
    y = y > 800.0 ? 800.0 : y;
    double m = fma_(absd(y) < 0.5 ? 0.0 : y, L2E, ROUND);
    double n = m - ROUND;
    double r = fma_(n, -LN2, y);
    r = fma_(n, -LN2_LO, r);
    double p = fma_(POLY(r, c_expm1) * r, r, r);
    i32 k = (i32)lo_of(m);
    double s = hilo((k + 1022) << 20, 0);
    double v = fma_(p, s, s - 0.5);
    v = k > 1024 ? INFD : v + v;
    v = x == 0.0 ? x : v;
    return x == x ? v : x + x;
}
/* SPDX-License-Identifier: Apache-2.0 */
