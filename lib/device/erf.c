/* Error functions, the normal distribution, and their inverses. erfc x = e^(-x^2) erfcx x, and erfcx is tame. */
#include "device.h"

/* e^(x^2) erfc x for 0 <= x < 2^60. */
INLINE float erfcx_nearf(float x)
{
    float d = rcpf(x + 4.0f), t = (x - 4.0f) * d;
    t = fmaf_(fmaf_(-t, x + 4.0f, x - 4.0f), d, t); /* x - 4 is what matters near x = 4, where t is small */
    float p = POLYF(t, c_erfcxf), q = fmaf_(2.0f, x, 1.0f), r = rcpf(q);
    float v = p * r;
    return fmaf_(fmaf_(-v, q, p), r, v);
}
/* For all x >= 0: at the end 1/(sqrt(pi) x), subnormal; infinity gives 0. */
INLINE float erfcx_posf(float x)
{
    float far = 0x1.20dd76p-1f * rcpf(x * 0x1p-30f) * 0x1p-30f;
    return x > 0x1p60f ? far : erfcx_nearf(x);
}
/* e^-s (1 - e): e is what s lacks of a square. */
INLINE float exp_negf(float s, float e)
{
    float y = exp_base(-s, L2EF, L2EF_LO, 0);
    return fmaf_(y, -e, y);
}
INLINE float erf_smallf(float a) { return fmaf_(a, POLYF(a * a, c_erff), a); }
/* Near zero the polynomial in t has many large terms; there erf is better. */
INLINE float erfc_posf(float a)
{
    float s = mul_rnf(a, a), e = fmaf_(a, a, -s);
    float v = exp_negf(s, e) * erfcx_nearf(a);
    return a > 10.1f ? 0.0f : v;
}
float __nv_erfcf(float x)
{
    float a = absf(x), v = erfc_posf(a);
    v = a < 0.5f ? 1.0f - erf_smallf(a) : v;
    v = x < 0.0f ? 2.0f - v : v;
    return x == x ? v : x;
}
float __nv_erff(float x)
{
    float a = absf(x), t = a > 4.1f ? 3.1f : a - 1.0f;
    float v = 1.0f - ex2_normalf(POLYF(t, c_erf_farf));
    return signf_of(a < 1.0f ? erf_smallf(a) : v, x);
}
float __nv_erfcxf(float x)
{
    float a = absf(x), v = erfcx_posf(a);
    if (x < 0.5f) {
        float s = mul_rnf(x, x), e = fmaf_(x, x, -s), y = exp_base(s < 200.0f ? s : 200.0f, L2EF, L2EF_LO, 0);
        v = a < 0.5f ? y * (1.0f - erf_smallf(a)) : v;
        if (x < 0.0f) /* 2 e^(x^2) - erfcx(-x) */
            v = s < 88.8f ? fmaf_(2.0f, fmaf_(y, e, y), -v) : INFF;
    }
    return v;
}
float __nv_normcdff(float x)
{
    float a = absf(x), h = x * 0.5f, s = mul_rnf(h, x), e = fmaf_(h, x, -s);
    float v = 0.5f * exp_negf(s, e) * erfcx_nearf(a * 0x1.6a09e6p-1f);
    v = a < 0.5f ? fmaf_(-0.5f, erf_smallf(a * 0x1.6a09e6p-1f), 0.5f) : v;
    v = a > 14.5f ? 0.0f : v;
    v = x > 0.0f ? 1.0f - v : v;
    return x == x ? v : x;
}

/* erfinv y = y P(-log2((1 - y)(1 + y))); q is that product, c = 1 - |y|. */
INLINE float erfinv_coref(float y, float q, float c)
{
    float w = -lg2f(q), v = y * POLYF(w, c_erfinv_midf);
    if (w > 7.0f) {
        float l = -lg2f(c), t = rsqf(l);
        v = signf_of(POLYF(t - 0.2f, c_erfinv_farf) * (l * t), y);
    }
    return v;
}
float __nv_erfinvf(float y)
{
    float c = 1.0f - absf(y), v = erfinv_coref(y, fmaf_(-y, y, 1.0f), c);
    v = c == 0.0f ? signf_of(INFF, y) : v;
    return c >= 0.0f ? v : NANF;
}
INLINE float erfcinv_inlinef(float c)
{
    float d = 2.0f - c, y = 1.0f - c;
    float v = erfinv_coref(y, c * d, c < 1.0f ? c : d);
    v = c == 0.0f ? INFF : c == 2.0f ? -INFF : v;
    return c >= 0.0f && d >= 0.0f ? v : NANF;
}
float __nv_erfcinvf(float c) { return erfcinv_inlinef(c); }
float __nv_normcdfinvf(float p)
{
    float v = erfcinv_inlinef(p + p);
    return fmaf_(v, -0x1.6a09e6p+0f, v * -0x1.9fcef4p-26f) + 0.0f;
}

INLINE double erfcx_near(double x)
{
    double d = rcpd(x + 4.0), t = (x - 4.0) * d;
    t = fma_(fma_(-t, x + 4.0, x - 4.0), d, t);
    double p = POLY(t, c_erfcx), q = fma_(2.0, x, 1.0), r = rcpd(q);
    double v = p * r;
    return fma_(fma_(-v, q, p), r, v);
}
INLINE double erfcx_pos(double x)
{
    return x > 0x1p1000 ? 0x1.20dd750429b6dp-1 / x : erfcx_near(x); /* 1/sqrt(pi) */
}
/* e^(-s) (1 - e) = result 2^*n: apart, because the product with more may still be in range. */
INLINE double exp_neg(double s, double e, i32 *n)
{
    double m = fma_(-s, L2E, ROUND), k = m - ROUND;
    double r = fma_(k, -LN2, -s);
    double t = fma_(k, -LN2_LO, r), t_lo = fma_(k, -LN2_LO, r - t) - e;
    double y = exp_poly(t);
    *n = (i32)lo_of(m);
    return fma_(y, t_lo, y);
}
INLINE double erfc_pos(double a)
{
    i32 n;
    double s = mul_rn(a, a), e = fma_(a, a, -s), y = exp_neg(s, e, &n);
    return a > 27.3 ? 0.0 : scale2(y * erfcx_near(a), n);
}
INLINE double erf_small(double a) { return fma_(a, POLY(a * a, c_erf), a); }
double __nv_erfc(double x)
{
    double a = absd(x), v = a < 0.5 ? 1.0 - erf_small(a) : erfc_pos(a);
    v = x < 0.0 ? 2.0 - v : v;
    return x == x ? v : x;
}
double __nv_erf(double x)
{
    double a = absd(x), v;
    if (a < 1.0)
        v = erf_small(a);
    else
        v = 1.0 - exp_inline(POLY(a > 6.0 ? 5.0 : a - 1.0, c_erf_far));
    return x == x ? sign_of(v, x) : x;
}
double __nv_erfcx(double x)
{
    double a = absd(x), v = erfcx_pos(a), s = mul_rn(x, x), e = fma_(x, x, -s);
    if (x < 0.5) {
        double y = exp_inline(s < 800.0 ? s : 800.0);
        v = a < 0.5 ? y * (1.0 - erf_small(a)) : v;
        if (x < 0.0)
            v = s < 709.2 ? fma_(2.0, fma_(y, e, y), -v) : INFD;
    }
    return v;
}
double __nv_normcdf(double x)
{
    i32 n;
    double a = absd(x), h = x * 0.5, s = mul_rn(h, x), e = fma_(h, x, -s),
           y = exp_neg(s < 800.0 ? s : 800.0, s < 800.0 ? e : 0.0, &n);
    double v = scale2(y * erfcx_near(a * 0x1.6a09e667f3bcdp-1), n - 1);
    v = a < 0.5 ? fma_(-0.5, erf_small(a * 0x1.6a09e667f3bcdp-1), 0.5) : v;
    v = a > 38.6 ? 0.0 : v;
    v = x > 0.0 ? 1.0 - v : v;
    return x == x ? v : x;
}

/* As for float, where q = (1 - y)(1 + y) is 2^-7 and more. */
INLINE double erfinv_center(double y, double q)
{
    i32 k;
    double f = log_split(q, &k), hi, lo = log_near1(f, 0.0, &hi);
    return y * POLY(-fma_(hi + lo, L2E, (double)k), c_erfinv_mid);
}
/* erfcinv for 0 < c < 2^-7: a step on log erfc, which is nearly a parabola. */
INLINE double erfcinv_far(double c)
{
    bool tiny = c < 0x1p-800;
    double d = tiny ? c * 0x1p400 : c;
    i32 e = (hi_of(d) >> 20) - 1023;
    float l = -(lg2_normalf((float)hilo((hi_of(d) & 0xfffff) | 0x3ff00000, lo_of(d))) +
                (float)(e - (tiny ? 400 : 0)));
    float t = rsqf(l), start = POLYF(t - 0.2f, c_erfinv_startf) * (l * t);
    double x = start;
    i32 n;
    double s = mul_rn(x, x), y = exp_neg(s, fma_(x, x, -s), &n), w = erfcx_near(x);
    double r = scale2(y * w, n + (tiny ? 400 : 0)) / d - 1.0;
    double g = r * fma_(r, fma_(r, fma_(r, -0.25, 1.0 / 3.0), -0.5), 1.0); /* log(1 + r) */
    double slope = -0x1.20dd750429b6dp+0 / w;
    double u = g / slope;
    return x - u / fma_(u, fma_(0.5, slope, x), 1.0);
}
INLINE double erfcinv_inline(double c)
{
    double d = 2.0 - c, q = c * d, v;
    if (q >= 0x1p-7)
        v = erfinv_center(1.0 - c, q);
    else if (c > 0.0 && d > 0.0)
        v = sign_of(erfcinv_far(c < 1.0 ? c : d), 1.0 - c);
    else
        v = c == 0.0 ? INFD : d == 0.0 ? -INFD : NAND;
    return v;
}
double __nv_erfcinv(double c) { return erfcinv_inline(c); }
double __nv_erfinv(double y)
{
    double a = absd(y), q = fma_(-y, y, 1.0);
    if (q >= 0x1p-7)
        return erfinv_center(y, q);
    double v = a < 1.0 ? erfcinv_far(1.0 - a) : a == 1.0 ? INFD : NAND;
    return sign_of(v, y);
}
double __nv_normcdfinv(double p)
{
    double v = erfcinv_inline(p <= 0.5 ? p + p : 2.0 * (1.0 - p));
    v = p <= 0.5 ? v : -v;
    double r = fma_(v, -0x1.6a09e667f3bcdp+0, v * 0x1.bdd3413b26456p-54) + 0.0;
    return absd(v) == INFD ? -v : r;
}
/* SPDX-License-Identifier: Apache-2.0 */
