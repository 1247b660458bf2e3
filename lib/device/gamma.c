/* Gamma functions. Gamma of float takes its powers and products in double: float has not the digits. */
#include "device.h"

/* Gamma(x) for x >= 16 as result * *rest: x^(x - 1/2) alone overflows before Gamma does. For float, e^(y log x) is exact enough. */
INLINE double stirling(double x, double *rest, bool for_float)
{
    double p = POLY(1.0 / x, c_stirling), y = fma_(0.5, x, -0.25);
    double h = for_float ? exp_inline(y * log_inline(x)) : pow_pos(x, y);
    *rest = h;
    return h * exp_inline(-x) * (p * 0x1.40d931ff62706p+1); /* sqrt(2 pi) */
}
INLINE double gamma_core(double x, bool for_float)
{
    double a = absd(x);
    if (a < 16.0) {
        /* Step to [1, 2): Gamma(x) = up Gamma(y) / down. Each factor is exact. */
        double y = x, up = 1.0, down = 1.0;
        while (y >= 2.0) {
            y -= 1.0;
            up *= y;
        }
        while (y < 1.0) {
            down *= y;
            y += 1.0;
        }
        if (for_float)
            return up * rcpd((double)POLYF((float)(y - 1.0), c_rgammaf) * down);
        return up / (POLY(y - 1.0, c_rgamma) * down);
    }
    double rest, g = stirling(a, &rest, for_float);
    if (x > 0.0)
        return g * rest;
    /* -pi / (x sin(pi x) Gamma(-x)) */
    double s = sinpi_inline(a) * a;
    if (for_float)
        return -0x1.921fb54442d18p+1 * rcpd(g * s * rest);
    return -0x1.921fb54442d18p+1 / (g * s) / rest;
}
INLINE double gamma_inline(double x, double most, bool for_float)
{
    if (!(absd(x) < INFD))
        return x == INFD ? x : NAND;
    if (absd(x) < 0x1p-60)
        return 1.0 / x;
    if (x == __builtin_trunc(x) && x < 0.0)
        return NAND;
    if (x > most)
        return INFD;
    if (x < -most - 18.0) { /* underflow; the sign changes at every integer */
        double half = 0.5 * __builtin_floor(x);
        return half == __builtin_trunc(half) ? 0.0 : -0.0;
    }
    return gamma_core(x, for_float);
}
double __nv_tgamma(double x) { return gamma_inline(x, 172.0, false); }
float __nv_tgammaf(float x) { return (float)gamma_inline((double)x, 36.0, true); }

/* log Gamma(x), x > 0. Every range needs one logarithm, of q; so that a warp takes it once, it stands after the ranges. */
OUTLINE double lgamma_pos(double x)
{
    double q = x, base, z = 1.0, sign = 1.0;
    if (x < 8.0) {
        if (x < 1.5) { /* Gamma(x) = Gamma(2 + x) / (x (1 + x)), or Gamma(1 + x) / x */
            z = x < 0.5 ? x : x - 1.0;
            q = x < 0.5 ? x * (1.0 + x) : x;
            sign = -1.0;
        } else {
            q = 1.0;
            double y = x;
            while (y >= 3.0) {
                y -= 1.0;
                q *= y;
            }
            z = y - 2.0;
        }
        base = POLY(z, c_lgamma);
    } else {
        double t = 1.0 / x;
        base = fma_(POLY(t * t, c_lstirling), t, 0x1.acfe390c97d69p-2); /* log(2 pi)/2 - 1/2 */
    }
    double l = log_inline(q);
    if (x < 8.0)
        return fma_(z, base, sign * l);
    /* (x - 1/2) log x - x = (x - 1/2)(log x - 1) - 1/2 */
    double h = x - 0.5, v = mul_rn(h, l - 1.0), e = fma_(h, l - 1.0, -v);
    return x > 0x1p1000 ? x * (l - 1.0) : v + (base + e);
}
double __nv_lgamma(double x)
{
    double a = absd(x);
    if (!(a < INFD))
        return a;
    if (a < 0x1p-60)
        return -log_inline(a);
    if (x > 0.0)
        return lgamma_pos(x);
    if (x == __builtin_trunc(x))
        return INFD;
    double s = absd(sinpi_inline(a) * a);
    return -log_inline(s * 0x1.45f306dc9c883p-2) - lgamma_pos(a); /* s / pi */
}

/* Four ranges, of which two need a logarithm, of q. */
INLINE float lgamma_posf(float x)
{
    bool low = x < 1.5f, high = x >= 8.0f;
    float z = x < 0.5f ? x : x - 1.0f, q = x < 0.5f ? fmaf_(x, x, x) : x, v;
    if (low || high) {
        float l = log_inlinef(q);
        float t = rcpf(x), base = fmaf_(POLYF(t * t, c_lstirlingf), t, 0x1.acfe3ap-2f);
        float h = x - 0.5f, w = mul_rnf(h, l - 1.0f), e = fmaf_(h, l - 1.0f, -w);
        w = x > 0x1p100f ? x * (l - 1.0f) : w + (base + e);
        v = low ? fmaf_(z, POLYF(z, c_lgammaf), -l) : w;
    } else {
        z = x - 2.0f;
        v = x < 3.0f ? z * POLYF(z, c_lgammaf) : POLYF(x - 5.5f, c_lgamma_midf);
    }
    return v;
}
float __nv_lgammaf(float x)
{
    float a = absf(x), v = lgamma_posf(a);
    if (x < 0.0f) {
        float s = absf(sinpi_inlinef(a) * a);
        v = -log_inlinef(s * 0x1.45f306p-2f) - v; /* s / pi */
        v = x == __builtin_truncf(x) ? INFF : v;
    }
    return a < 0x1p-20f ? -log_inlinef(a) : a < INFF ? v : a;
}
/* SPDX-License-Identifier: Apache-2.0 */
