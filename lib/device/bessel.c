/* Bessel functions. Below 8 the zeros are factors of the polynomials, so that the error stays relative to the value. From 8 on
 * J and Y are an amplitude times a sine, and the error is absolute, as CUDA documents. float has orders 0 and 1 of its own
 * (besself.c), the others are the double ones, rounded. */
#include "device.h"

#define TWO_OVER_PI 0x1.45f306dc9c883p-1
#define RSQRT_PI 0x1.20dd750429b6dp-1

/* x^2 - z^2, z^2 = hi + lo. */
INLINE double from_zero(double x, double hi, double lo) { return fma_(x, x, -hi) - lo; }

/* 8 and more: the sum and difference of sine and cosine are those of x -+ pi/4, times sqrt 2. */
struct wave {
    double sum, diff, scale, t, u;
};
INLINE struct wave wave_at(double x)
{
    double s, c, t = 8.0 / x;
    sincos_inline(x, &s, &c);
    struct wave w = {s + c, s - c, RSQRT_PI / __builtin_sqrt(x), t, t * t};
    return w;
}

INLINE double j0_near(double x)
{
    double w = fma_(x * x, -0x1p-6, 1.0);
    double d = from_zero(x, 0x1.721fb80462bbbp+2, 0x1.db60c816c15d3p-52) *
               from_zero(x, 0x1.e78a4a621dd6fp+4, -0x1.10d7c5048826bp-52);
    return d * POLY(w, c_j0);
}
INLINE double j1_near(double x)
{
    double w = fma_(x * x, -0x1p-6, 1.0);
    double d = from_zero(x, 0x1.d5d2b4189822cp+3, -0x1.c6a0d245172bap-54) *
               from_zero(x, 0x1.89bf66072a432p+5, 0x1.25355661cb79cp-51);
    return d * POLY(w, c_j1) * x;
}
OUTLINE double j0_pos(double x)
{
    if (x < 8.0)
        return j0_near(x);
    struct wave w = wave_at(x);
    double v = w.scale * fma_(POLY(w.u, c_p0), w.sum, -POLY(w.u, c_q0) * w.t * w.diff);
    return x == INFD ? 0.0 : v;
}
OUTLINE double j1_pos(double x)
{
    if (x < 8.0)
        return j1_near(x);
    struct wave w = wave_at(x);
    double v = w.scale * fma_(POLY(w.u, c_p1), w.diff, POLY(w.u, c_q1) * w.t * w.sum);
    return x == INFD ? 0.0 : v;
}
/* log(x / z): near z from the distance, which is exact. */
INLINE double log_ratio(double x, double hi, double lo, double inverse)
{
    double far = log_inline(x * inverse), near = log1p_inline(((x - hi) - lo) * inverse);
    return x < 0.5 * hi ? far : near;
}
OUTLINE double y0_pos(double x)
{
    if (x < 0x1p-60)
        return TWO_OVER_PI * (log_inline(x) - 0x1.dadb014541eb2p-4); /* log 2 - Euler's constant */
    if (x < 8.0) {
        double hi, lo, inverse, d, p; /* the zero, its inverse, x^2 - zero^2 */
        if (x < 2.5) {
            hi = 0x1.c982eb8d417eap-1, lo = 0x1.ea9d270347f83p-56, inverse = 0x1.1e7d3131dd6bap+0;
            d = from_zero(x, 0x1.98d257f93404ap-1, 0x1.b7acb8a94e405p-55);
            p = POLY(x * x, c_y0_1);
        } else if (x < 5.5) {
            hi = 0x1.fa9534d98569cp+1, lo = -0x1.f06ae7804384ep-54, inverse = 0x1.02bccfc7c6237p-2;
            d = from_zero(x, 0x1.f53915f139c23p+3, -0x1.cb4dd48f76192p-57);
            p = POLY((x - 4.25) * (x + 4.25) * (1.0 / 12.25), c_y0_2);
        } else {
            hi = 0x1.c581dc4e72103p+2, lo = -0x1.9774a495f56cfp-54, inverse = 0x1.2104bdd17f33dp-3;
            d = from_zero(x, 0x1.91b26bc6b2299p+5, 0x1.2891c0163fd1bp-50);
            p = POLY((x - 6.875) * (x + 6.875) * (1.0 / 17.0625), c_y0_3);
        }
        double l = log_ratio(x, hi, lo, inverse) * TWO_OVER_PI;
        return fma_(l, j0_near(x), d * p);
    }
    struct wave w = wave_at(x);
    double v = w.scale * fma_(POLY(w.u, c_p0), w.diff, POLY(w.u, c_q0) * w.t * w.sum);
    return x == INFD ? 0.0 : v;
}
OUTLINE double y1_pos(double x)
{
    if (x < 0x1p-60)
        return -TWO_OVER_PI / x;
    if (x < 8.0) {
        double hi, lo, inverse, d, p;
        if (x < 3.75) {
            hi = 0x1.193bed4dff243p+1, lo = -0x1.bd1e50d219bfdp-55, inverse = 0x1.d20f658382cf2p-2;
            d = from_zero(x, 0x1.34f49cfc780a9p+2, -0x1.65d88128c73dfp-52);
            p = x < 1.0 ? POLY(x * x, c_y1_0) : POLY((x - 2.75) * (x + 2.75) * (1.0 / 6.5625), c_y1_1);
        } else {
            hi = 0x1.5b7fe4e87b02ep+2, lo = 0x1.dfe7bac228e8cp-52, inverse = 0x1.792fa1a4698bep-3;
            d = from_zero(x, 0x1.d7b3f67328d2ep+4, -0x1.537e751d20839p-50);
            p = x < 6.25 ? POLY((x - 5.125) * (x + 5.125) * (1.0 / 12.8125), c_y1_2)
                         : POLY((x - 7.1875) * (x + 7.1875) * (1.0 / 12.75), c_y1_3);
        }
        double l = log_ratio(x, hi, lo, inverse) * TWO_OVER_PI;
        return fma_(l, j1_near(x), d * p / x);
    }
    struct wave w = wave_at(x);
    double v = w.scale * fma_(POLY(w.u, c_p1), -w.sum, POLY(w.u, c_q1) * w.t * w.diff);
    return x == INFD ? 0.0 : v;
}
double __nv_j0(double x) { return x == x ? j0_pos(absd(x)) : x; }
double __nv_j1(double x)
{
    double v = j1_pos(absd(x));
    v = x < 0.0 ? -v : v;
    return x == 0.0 || x != x ? x : v;
}
double __nv_y0(double x) { return x > 0.0 ? y0_pos(x) : x == 0.0 ? -INFD : NAND; }
double __nv_y1(double x) { return x > 0.0 ? y1_pos(x) : x == 0.0 ? -INFD : NAND; }

/* Orders: upwards while that is stable, else downwards from far above and normalised (Miller). */
double __nv_jn(int n, double x)
{
    if (n < 0 || x != x)
        return NAND;
    if (n < 2)
        return n ? __nv_j1(x) : __nv_j0(x);
    double a = absd(x), v;
    if (a == 0.0 || a == INFD) {
        v = 0.0;
    } else if (a > n) {
        double before = j0_pos(a), now = j1_pos(a);
        for (int k = 1; k < n; k++) {
            double next = now * (2.0 * k / a) - before;
            before = now;
            now = next;
        }
        v = now;
    } else {
        double above = 0.0, now = 1e-30, sum = 0.0, found = 0.0;
        int top = n + (int)__builtin_sqrt(60.0 * n) + 20;
        top += top & 1;
        for (int k = top; k > 0; k--) { /* now: J_k, unnormalised */
            double below = now * (2.0 * k / a) - above;
            above = now;
            now = below;
            if (absd(now) > 1e200) {
                now *= 1e-200, above *= 1e-200, sum *= 1e-200, found *= 1e-200;
            }
            if (k - 1 == n)
                found = now;
            if (((k - 1) & 1) == 0)
                sum += k == 1 ? now : 2.0 * now; /* 1 = J0 + 2 J2 + 2 J4 + ... */
        }
        v = found / sum;
    }
    return x < 0.0 && n & 1 ? -v : v;
}
double __nv_yn(int n, double x)
{
    if (n < 0 || !(x >= 0.0))
        return NAND;
    if (x == 0.0)
        return -INFD;
    if (n < 2)
        return n ? y1_pos(x) : y0_pos(x);
    double before = y0_pos(x), now = y1_pos(x);
    for (int k = 1; k < n && now > -INFD; k++) {
        double next = now * (2.0 * k / x) - before;
        before = now;
        now = next;
    }
    return now;
}

/* Far out e^x in two factors: it overflows before I does. */
INLINE double bessel_i(double x, const double *near, int n_near, const double *far, int n_far)
{
    if (x <= 10.0)
        return polyd(x * x, near, n_near);
    double e = exp_inline(0.5 * x);
    double v = e * (polyd(10.0 / x, far, n_far) / __builtin_sqrt(x)) * e;
    return x > 720.0 ? INFD : v;
}
#define COUNT(c) (int)(sizeof(c) / sizeof *(c))
double __nv_cyl_bessel_i0(double x)
{
    return x == x ? bessel_i(absd(x), c_i0, COUNT(c_i0), c_i0_far, COUNT(c_i0_far)) : x;
}
double __nv_cyl_bessel_i1(double x)
{
    double a = absd(x), v = bessel_i(a, c_i1, COUNT(c_i1), c_i1_far, COUNT(c_i1_far));
    v = a <= 10.0 ? v * a : v;
    return x == x ? sign_of(v, x) : x;
}

float __nv_jnf(int n, float x) { return (float)__nv_jn(n, x); }
float __nv_ynf(int n, float x) { return (float)__nv_yn(n, x); }
/* SPDX-License-Identifier: Apache-2.0 */
