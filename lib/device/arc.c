/* Inverse trigonometric functions. */
#include "device.h"

/* asin(s) for |s| <= 0.57, z = s^2. */
INLINE float asin_polyf(float s, float z) { return fmaf_(POLYF(z, c_asinf) * z, s, s); }

/* Above 0.57: asin a = pi/2 - 2 asin(sqrt((1 - a)/2)). */
float __nv_asinf(float x)
{
    float a = absf(x), half = fmaf_(a, -0.5f, 0.5f);
    bool big = a > 0.57f;
    float z = big ? half : x * x;
    float s = big ? sqrf(half) : a;
    float p = asin_polyf(s, z);
    p = big ? fmaf_(p, -2.0f, PIO2F_LO) + PIO2F : p;
    return a <= 1.0f ? signf_of(p, x) : NANF;
}
float __nv_acosf(float x)
{
    float a = absf(x), half = fmaf_(a, -0.5f, 0.5f);
    bool big = a > 0.57f;
    float z = big ? half : x * x;
    float s = big ? sqrf(half) : x;
    float p = asin_polyf(s, z);
    /* big: 2p, or pi - 2p for negative x; else pi/2 - p */
    float base = big ? (x < 0.0f ? 2.0f * PIO2F : 0.0f) : PIO2F;
    float lo = big ? (x < 0.0f ? 2.0f * PIO2F_LO : 0.0f) : PIO2F_LO;
    float q = big && x >= 0.0f ? 2.0f * p : base + fmaf_(p, big ? -2.0f : -1.0f, lo);
    return a <= 1.0f ? q : NANF;
}

INLINE float atan_polyf(float t)
{
    float z = t * t;
    return fmaf_(POLYF(z, c_atanf) * z, t, t);
}
float __nv_atanf(float x)
{
    float a = absf(x);
    bool big = a > 1.0f;
    float p = atan_polyf(big ? rcpf(a) : a);
    p = big ? PIO2F + (PIO2F_LO - p) : p;
    return x == x ? signf_of(p, x) : x;
}
float __nv_atan2f(float y, float x)
{
    float ax = absf(x), ay = absf(y);
    bool steep = ay > ax;
    float big = steep ? ay : ax, small = steep ? ax : ay;
    float t;
    __asm__("div.full.f32 %0, %1, %2;" : "=f"(t) : "f"(small), "f"(big));
    t = big == 0.0f ? 0.0f : t;
    t = small == INFF ? 1.0f : t;
    float p = atan_polyf(t);
    p = steep ? PIO2F + (PIO2F_LO - p) : p;
    p = bitsf(x) >> 31 ? 2.0f * PIO2F + (2.0f * PIO2F_LO - p) : p;
    float s = x + y;
    return s == s || absf(s) == INFF || (ax == INFF && ay == INFF) ? signf_of(p, y) : s;
}

INLINE double asin_poly(double s, double z) { return fma_(POLY(z, c_asin) * z, s, s); }

/* sqrt(h) = s + *lo, h in (0, 1/4]. */
INLINE double sqrt_lo(double h, double *lo)
{
    double s = __builtin_sqrt(h);
    double e = fma_(-s, s, h);
    *lo = h > 0.0 ? e * rcpd(s + s) : 0.0;
    return s;
}
double __nv_asin(double x)
{
    double a = absd(x), p;
    if (a > 0.57) {
        double h = fma_(a, -0.5, 0.5), lo, s = sqrt_lo(h, &lo);
        double t = fma_(POLY(h, c_asin) * h, s, lo); /* s + t */
        p = PIO2 - 2.0 * s;
        double e = (PIO2 - p) - 2.0 * s;
        p = p + (fma_(t, -2.0, PIO2_LO) + e);
    } else {
        p = asin_poly(a, a * a);
    }
    p = a <= 1.0 ? p : NAND;
    return sign_of(p, x);
}
double __nv_acos(double x)
{
    double a = absd(x), p;
    if (a > 0.57) {
        double h = fma_(a, -0.5, 0.5), lo, s = sqrt_lo(h, &lo);
        double t = fma_(POLY(h, c_asin) * h, s, lo);
        if (x > 0.0) {
            p = 2.0 * (s + t);
        } else {
            p = 2.0 * PIO2 - 2.0 * s;
            double e = (2.0 * PIO2 - p) - 2.0 * s;
            p = p + (fma_(t, -2.0, 2.0 * PIO2_LO) + e);
        }
    } else {
        double z = x * x, t = POLY(z, c_asin) * z * x;
        p = PIO2 - x;
        double e = (PIO2 - p) - x;
        p = p + ((PIO2_LO - t) + e);
    }
    return a <= 1.0 ? p : NAND;
}

/* atan(t) = t + result. */
INLINE double atan_rest(double t)
{
    double z = t * t;
    return POLY(z, c_atan) * z * t;
}
double __nv_atan(double x)
{
    double a = absd(x);
    bool big = a > 1.0;
    double t = big ? (a < 0x1p1000 ? rcpd(a) : 0.0) : a, p = t + atan_rest(t);
    p = big ? PIO2 - (p - PIO2_LO) : p;
    return x == x ? sign_of(p, x) : x;
}
double __nv_atan2(double y, double x)
{
    double ax = absd(x), ay = absd(y);
    bool steep = ay > ax;
    double big = steep ? ay : ax, small = steep ? ax : ay;
    double t = small / big;
    t = big == 0.0 ? 0.0 : t;
    t = small == INFD ? 1.0 : t;
    double r = atan_rest(t);
    double base = steep ? PIO2 : 0.0, lo = steep ? PIO2_LO : 0.0;
    double s = steep ? -1.0 : 1.0;
    if (hi_of(x) < 0) {
        base = 2.0 * PIO2 - base;
        lo = 2.0 * PIO2_LO - lo;
        s = -s;
    }
    double p = fma_(s, t, base), d = fma_(s, t, base - p); /* base is zero or larger than t */
    p = p + (fma_(s, r, lo) + d);
    return x == x && y == y ? sign_of(p, y) : x + y;
}
/* SPDX-License-Identifier: Apache-2.0 */
