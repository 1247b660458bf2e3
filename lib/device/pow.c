/* Powers: x^y = 2^(y log2 x), the logarithm and the product in two parts each. */
#include "device.h"

/* log2 a = k + log2 m, to about 2^-44 relative: atanh series of s = (m - 1)/(m + 1), s and the leading term in two floats. */
INLINE float log2_twof(float a, float *lo)
{
    bool tiny = a < 0x1p-126f;
    float y = tiny ? a * 0x1p24f : a;
    u32 i = (bitsf(y) - 0x3f3504f3) & 0xff800000; /* m in [sqrt 1/2, sqrt 2) */
    float m = asf(bitsf(y) - i), k = fmaf_((float)(i32)i, 0x1p-23f, tiny ? -24.0f : 0.0f);
    float f = m - 1.0f, d = rcpf(m + 1.0f);
    float u = 2.0f * (f * d);                   /* 2s */
    float e = fmaf_(-u, f, 2.0f * (f - u)) * d; /* what u lacks: m + 1 = 2 + f */
    float z = u * u;
    /* log2 m = u c + u^3 P(u^2), c = log2 e */
    float p = POLYF(z, c_powf) * z;
    float h = mul_rnf(u, L2EF);
    float t = fmaf_(u, L2EF, -h);
    t = fmaf_(u, L2EF_LO, t);
    t = fmaf_(e, L2EF, t);
    t = fmaf_(p, u, t);
    float hi = add_rnf(k, h); /* |k| > |h| or k = 0 */
    t += h - (hi - k);
    float s = add_rnf(hi, t);
    *lo = t - (s - hi);
    return s;
}
INLINE float pow_posf(float a, float y)
{
    float l, h = log2_twof(a, &l);
    float p = mul_rnf(h, y);
    float q = fmaf_(h, y, -p);
    q = fmaf_(l, y, q);
    /* Far outside the range of results both parts may be infinite; within it p is below 200. */
    float n = __builtin_rintf(p);
    float f = (p - n) + q;
    float r = ex2f(f);
    i32 k = (i32)n;
    k = k > 250 ? 250 : k < -250 ? -250 : k;
    i32 half = k >> 1;
    r = r * asf((u32)(half + 127) << 23) * asf((u32)(k - half + 127) << 23);
    return absf(p) > 300.0f ? (p < 0.0f ? 0.0f : INFF) : r;
}
float __nv_powf(float x, float y)
{
    float a = absf(x), r;
    bool odd = absf(fmaf_(-2.0f, __builtin_truncf(0.5f * y), y)) == 1.0f;
    if (x == 1.0f || y == 0.0f)
        return 1.0f;
    if (a != a || y != y)
        return x + y;
    if (a == 0.0f || a == INFF) {
        r = (a == 0.0f) != (y < 0.0f) ? 0.0f : INFF;
        return x < 0.0f || (a == 0.0f && bitsf(x) >> 31) ? (odd ? -r : r) : r;
    }
    if (absf(y) == INFF)
        return a == 1.0f ? 1.0f : (a < 1.0f) != (y < 0.0f) ? 0.0f : INFF;
    r = pow_posf(a, y);
    if (x < 0.0f) {
        r = odd ? -r : r;
        r = __builtin_truncf(y) == y ? r : NANF;
    }
    return r;
}
float __nv_powif(float x, int n)
{
    float r = 1.0f, b = x;
    for (u32 k = n < 0 ? 0u - (u32)n : (u32)n; k; k >>= 1) {
        r = k & 1 ? r * b : r;
        b *= b;
    }
    return n < 0 ? 1.0f / r : r;
}

/* log2 of a positive finite a as hi + *lo, to about 2^-67 relative. */
INLINE double log_two(double a, double *lo)
{
    i32 k;
    double f = log_split(a, &k);
    double r = rcpd(2.0 + f);
    double s = f * r, u = s + s;
    double e = fma_(-u, f, 2.0 * (f - u)) * r; /* 2f/(2+f) = u + e */
    double z = u * u;
    /* log(1+f) = u + u^3/12 + u^5 P(u^2); the second term in two parts. */
    double z_lo = fma_(u, u, -z) + 2.0 * (u * e);
    double u3 = mul_rn(z, u), u3_lo = fma_(z, u, -u3) + fma_(z, e, z_lo * u);
    double t = mul_rn(u3, 0x1.5555555555555p-4), t_lo = fma_(u3, 0x1.5555555555555p-4, -t);
    t_lo = fma_(u3, 0x1.5555555555555p-58, t_lo);
    t_lo = fma_(u3_lo, 0x1.5555555555555p-4, t_lo);
    double q = POLY(z, c_pow) * z * u3;
    double h = u + t;
    double l = (t - (h - u)) + (t_lo + e + q);
    /* k log 2 */
    double kd = (double)k, g = mul_rn(kd, LN2), g_lo = fma_(kd, LN2, -g) + kd * LN2_LO;
    double v = g + h;
    double w = (k ? h - (v - g) : 0.0) + (l + g_lo);
    w = k ? w : l;
    double sum = v + w;
    *lo = w - (sum - v);
    return sum;
}
OUTLINE double pow_pos(double a, double y)
{
    double l, h = log_two(a, &l);
    y = absd(y) > 0x1p900 ? y * 0x1p-60 : y; /* the product would overflow where the result long has */
    double p = mul_rn(h, y), q = fma_(h, y, -p);
    q = fma_(l, y, q);
    if (!(absd(p) < 750.0))
        return p < 0.0 ? 0.0 : INFD;
    double m = fma_(p, L2E, ROUND), n = m - ROUND;
    double r = fma_(n, -LN2, p);
    double s = fma_(n, -LN2_LO, r);
    double s_lo = fma_(n, -LN2_LO, r - s) + q;
    double v = exp_poly(s);
    v = fma_(v, s_lo, v);
    return scale2(v, (i32)lo_of(m));
}
double __nv_pow(double x, double y)
{
    double a = absd(x), r;
    bool odd = absd(fma_(-2.0, __builtin_trunc(0.5 * y), y)) == 1.0;
    if (x == 1.0 || y == 0.0)
        return 1.0;
    if (a != a || y != y)
        return x + y;
    if (a == 0.0 || a == INFD) {
        r = (a == 0.0) != (y < 0.0) ? 0.0 : INFD;
        return hi_of(x) < 0 && odd ? -r : r;
    }
    if (absd(y) == INFD)
        return a == 1.0 ? 1.0 : (a < 1.0) != (y < 0.0) ? 0.0 : INFD;
    r = pow_pos(a, y);
    if (x < 0.0) {
        r = odd ? -r : r;
        r = __builtin_trunc(y) == y ? r : NAND;
    }
    return r;
}
double __nv_powi(double x, int n)
{
    double r = 1.0, b = x;
    for (u32 k = n < 0 ? 0u - (u32)n : (u32)n; k; k >>= 1) {
        r = k & 1 ? r * b : r;
        b *= b;
    }
    return n < 0 ? 1.0 / r : r;
}
/* SPDX-License-Identifier: Apache-2.0 */
