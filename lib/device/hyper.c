/* Hyperbolic functions and their inverses. */
#include "device.h"

/* e^|x| / 4 and its reciprocal parts: sinh and cosh overflow later than the exponential does. */
float __nv_sinhf(float x)
{
    float a = absf(x), z = x * x;
    float h = exp_base(a, L2EF, L2EF_LO, -2);
    float v = fmaf_(2.0f, h, -0.125f * rcpf(h));
    float p = fmaf_(POLYF(z, c_sinhf) * z, x, x);
    return a < 1.0f ? p : signf_of(v, x);
}
float __nv_coshf(float x)
{
    float h = exp_base(absf(x), L2EF, L2EF_LO, -2);
    return fmaf_(2.0f, h, 0.125f * rcpf(h));
}
float __nv_tanhf(float x)
{
    float a = absf(x), z = x * x;
    float p = fmaf_(POLYF(z, c_tanhf) * z, a, a);
    float v = fmaf_(-2.0f, rcpf(ex2f(a * (2.0f * L2EF)) + 1.0f), 1.0f);
    return signf_of(a < 0.6f ? p : v, x);
}
/* log1p(a + a^2 / (1 + sqrt(1 + a^2))); far out log a + log 2. */
float __nv_asinhf(float x)
{
    float a = absf(x);
    bool far = a > 0x1p60f;
    float s = fmaf_(a, a, 1.0f);
    s = sqrf(s) + 1.0f;
    float t = fmaf_(a * a, rcpf(s), a);
    float v = log1p_posf(far ? a : t);
    v = far ? v + LN2F : v;
    return signf_of(v, x);
}
float __nv_acoshf(float x)
{
    float t = x - 1.0f;
    bool far = x > 0x1p60f;
    float s = fmaf_(t, t, t + t);
    float u = t + sqrf(s);
    float v = log1p_posf(far ? x : u);
    v = far ? v + LN2F : v;
    return x < 1.0f ? NANF : v;
}
float __nv_atanhf(float x)
{
    float a = absf(x), z = x * x;
    float p = fmaf_(POLYF(z, c_atanhf) * z, x, x);
    float d = 1.0f - a;
    float v = 0.5f * log1p_posf(d == 0.0f ? INFF : (a + a) * rcpf(d));
    v = a > 1.0f ? NANF : signf_of(v, x);
    return a < 0.5f ? p : v;
}

/* e^a / 2 = *hi (1 + result), a >= 0.3; infinite from 710.5 on. */
INLINE double half_exp(double a, double *lo)
{
    double m = fma_(a, L2E, ROUND);
    double n = m - ROUND;
    double r = fma_(n, -LN2, a);
    double s = fma_(n, -LN2_LO, r); /* r is exact, s is not */
    *lo = fma_(n, -LN2_LO, r - s);
    i32 k = (i32)lo_of(m) - 1;
    k = k > 1023 ? 1023 : k;
    double y = exp_poly(s);
    *lo *= y;
    double scale = hilo((k + 1023) << 20, 0);
    *lo *= scale;
    return y * scale;
}
double __nv_sinh(double x)
{
    double a = absd(x), v;
    if (a < 1.0) {
        double z = x * x;
        return fma_(POLY(z, c_sinh) * z, x, x);
    }
    double lo, h = half_exp(a > 800.0 ? 800.0 : a, &lo);
    v = h + (lo - 0.25 * rcpd(h));
    v = a > 710.5 ? INFD : v;
    v = a == a ? v : a;
    return sign_of(v, x);
}
double __nv_cosh(double x)
{
    double a = absd(x), lo, h = half_exp(a > 800.0 ? 800.0 : a, &lo);
    double v = h + fma_(0.25, rcpd(h), lo);
    v = a > 710.5 ? INFD : v;
    return a == a ? v : a;
}
double __nv_tanh(double x)
{
    double a = absd(x);
    if (a < 0.6) {
        double z = x * x;
        return sign_of(fma_(POLY(z, c_tanh) * z, a, a), x);
    }
    double lo, h = half_exp(a > 20.0 ? 10.0 * 4.0 : a + a, &lo); /* e^2a / 2 */
    double v = 1.0 - rcpd(h + 0.5);
    v = a == a ? v : a;
    return sign_of(v, x);
}
double __nv_asinh(double x)
{
    double a = absd(x);
    bool far = a > 0x1p500;
    double s = __builtin_sqrt(fma_(a, a, 1.0)) + 1.0;
    double t = far ? a : fma_(a * a, rcpd(s), a);
    double v = log1p_inline(t);
    v = far ? v + LN2 : v;
    return sign_of(v, x);
}
double __nv_acosh(double x)
{
    double t = x - 1.0;
    bool far = x > 0x1p500;
    double s = __builtin_sqrt(fma_(t, t, t + t));
    double v = log1p_inline(far ? x : t + s);
    v = far ? v + LN2 : v;
    return x < 1.0 ? NAND : v;
}
double __nv_atanh(double x)
{
    double a = absd(x);
    double v = 0.5 * log1p_inline((a + a) / (1.0 - a));
    v = a > 1.0 ? NAND : v;
    return sign_of(v, x);
}
/* SPDX-License-Identifier: Apache-2.0 */
