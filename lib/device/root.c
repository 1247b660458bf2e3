/* Roots and lengths. */
#include "device.h"

float __nv_sqrtf(float x) { return __builtin_sqrtf(x); }
double __nv_sqrt(double x) { return __builtin_sqrt(x); }
float __nv_rsqrtf(float x) { return rsqf(x); }

/* The special function unit looks at the high word: 20 bits. */
INLINE double rsq_start(double x)
{
    double r;
    __asm__("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(r) : "d"(x));
    return r;
}
/* Those 20 bits and one step of third order; what it cannot take (subnormal, zero, infinite, negative) apart. */
double __nv_rsqrt(double x)
{
    double r = rsq_start(x);
    if (UNLIKELY(!(x >= 0x1p-1022 && x < INFD))) {
        if (!(x > 0.0 && x < INFD))
            return x == 0.0 ? sign_of(INFD, x) : x == INFD ? 0.0 : NAND;
        x *= 0x1p54;
        r = rsq_start(x);
        double e = fma_(-x, mul_rn(r, r), 1.0);
        return fma_(fma_(e, 0.375, 0.5) * e, r, r) * 0x1p27;
    }
    double e = fma_(-x, mul_rn(r, r), 1.0);
    return fma_(fma_(e, 0.375, 0.5) * e, r, r);
}

/* 2^(log2(x)/3) and a Newton step. */
float __nv_cbrtf(float x)
{
    float a = absf(x), y = ex2_normalf(lg2f(a) * 0x1.555556p-2f);
    float e = fmaf_(a, rcpf(mul_rnf(y, y)), -y);
    float v = fmaf_(e, 0x1.555556p-2f, y);
    v = a < INFF && a > 0.0f ? v : a;
    return signf_of(v, x);
}
float __nv_rcbrtf(float x)
{
    float a = absf(x), y = ex2_normalf(lg2f(a) * -0x1.555556p-2f);
    float y2 = mul_rnf(y, y), e = fmaf_(-mul_rnf(a, y), y2, 1.0f);
    float v = fmaf_(e * 0x1.555556p-2f, y, y);
    v = a < INFF && a > 0.0f ? v : rcpf(a);
    return signf_of(v, x);
}
/* a^(-1/3) in float, then two steps: 24, 47 bits and more. a = m 8^k with m in [1, 8). */
INLINE double rcbrt_core(double m)
{
    float f = (float)m, g = ex2_normalf(lg2_normalf(f) * -0x1.555556p-2f);
    double y = g;
    double e = fma_(-m * y, y * y, 1.0);
    return fma_(fma_(e, 2.0 / 9.0, 1.0 / 3.0) * e, y, y);
}
/* x = m 8^k, m in [1, 8). */
INLINE double cube_split(double a, i32 *k)
{
    bool tiny = a < 0x1p-1022;
    a = tiny ? a * 0x1p54 : a;
    i32 e = (hi_of(a) >> 20) - 1023 + 1200, q = (i32)((u32)e / 3u);
    *k = q - 400 - (tiny ? 18 : 0);
    return hilo(hi_of(a) - ((q * 3 - 1200) << 20), lo_of(a));
}
double __nv_cbrt(double x)
{
    i32 k;
    double a = absd(x), m = cube_split(a, &k), r = rcbrt_core(m);
    double y = m * r * r; /* about m^(1/3) */
    double y2 = mul_rn(y, y), e = fma_(-y2, y, m) - fma_(y, y, -y2) * y;
    y = fma_(e * (1.0 / 3.0), r * r, y);
    double v = y * hilo((k + 1023) << 20, 0);
    v = a > 0.0 && a < INFD ? v : a;
    return sign_of(v, x);
}
double __nv_rcbrt(double x)
{
    i32 k;
    double a = absd(x), m = cube_split(a, &k), r = rcbrt_core(m);
    /* Once more, with the residual in twice the digits. */
    double p = mul_rn(m, r), p_lo = fma_(m, r, -p), q = mul_rn(r, r), q_lo = fma_(r, r, -q);
    double t = mul_rn(p, q), e = (1.0 - t) - (fma_(p, q, -t) + fma_(p, q_lo, p_lo * q));
    r = fma_(e * (1.0 / 3.0), r, r);
    double v = r * hilo((1023 - k) << 20, 0);
    v = a > 0.0 && a < INFD ? v : a == 0.0 ? INFD : a == INFD ? 0.0 : a;
    return sign_of(v, x);
}

/* Sums of squares, scaled by a power of two so that the largest is near 1. */
INLINE float scale_forf(float big)
{
    u32 e = bitsf(big) & 0x7f800000;
    e = e > 0x7e000000 ? 0x7e000000 : e < 0x01000000 ? 0x01000000 : e;
    return asf(0x7f000000 - e); /* 2^-exponent; it and its inverse are normal */
}
INLINE double scale_for(double big)
{
    i32 e = hi_of(big) & 0x7ff00000;
    e = e > 0x7fc00000 ? 0x7fc00000 : e < 0x00200000 ? 0x00200000 : e;
    return hilo(0x7fe00000 - e, 0);
}
INLINE float maxf4(float a, float b, float c, float d)
{
    return __builtin_fmaxf(__builtin_fmaxf(a, b), __builtin_fmaxf(c, d));
}
INLINE double maxd4(double a, double b, double c, double d)
{
    return __builtin_fmax(__builtin_fmax(a, b), __builtin_fmax(c, d));
}
/* Of the first `dims` numbers. */
INLINE float norm_inlinef(float a, float b, float c, float d, bool inverse, int dims)
{
    a = absf(a), b = absf(b), c = absf(c), d = absf(d);
    float big = dims > 2 ? maxf4(a, b, c, d) : __builtin_fmaxf(a, b), s = scale_forf(big);
    float x = a * s, y = b * s, z = c * s, t = d * s;
    float sum = dims > 3 ? fmaf_(z, z, t * t) : z * z;
    sum = fmaf_(x, x, dims > 2 ? fmaf_(y, y, sum) : y * y);
    if (inverse) /* of zero infinity */
        return big == INFF ? 0.0f : rsqf(sum) * s;
    float root = sqrf(sum);
    /* 1/s is a power of two too; in two steps where it would not be normal */
    float v = root * asf(0x7f000000 - bitsf(s));
    return big == INFF ? INFF : big == 0.0f ? sum : v;
}
/* x^2 + y^2 + z^2 + t^2 - sum, nearly: the largest square is taken away first, then the others in any order. */
INLINE double square_lost(double x, double y, double z, double t, double sum)
{
    double big = maxd4(x, y, z, t);
    bool is_x = x == big, is_y = !is_x && y == big, is_z = !is_x && !is_y && z == big,
         is_t = !is_x && !is_y && !is_z;
    double rest = fma_(-big, big, sum);
    x = is_x ? 0.0 : x, y = is_y ? 0.0 : y, z = is_z ? 0.0 : z, t = is_t ? 0.0 : t;
    rest = fma_(-x, x, rest);
    rest = fma_(-y, y, rest);
    rest = fma_(-z, z, rest);
    return -fma_(-t, t, rest);
}
INLINE double norm_inline(double a, double b, double c, double d, bool inverse, int dims)
{
    a = absd(a), b = absd(b), c = absd(c), d = absd(d);
    double big = dims > 2 ? maxd4(a, b, c, d) : __builtin_fmax(a, b), s = scale_for(big);
    double x = a * s, y = b * s, z = c * s, t = d * s;
    double sum = dims > 3 ? fma_(z, z, t * t) : z * z;
    sum = fma_(x, x, dims > 2 ? fma_(y, y, sum) : y * y);
    if (inverse) {
        double lost = dims > 2 ? square_lost(x, y, z, t, sum) : 0.0;
        double r = rsq_start(sum), rr = mul_rn(r, r),
               e = fma_(-sum, rr, 1.0); /* r has 20 bits: rr is exact */
        e = fma_(-lost, rr, e);
        r = fma_(fma_(e, 0.375, 0.5) * e, r, r);
        return big == INFD ? 0.0 : big == 0.0 && sum == sum ? INFD : r * s;
    }
    double v = __builtin_sqrt(sum) * hilo(0x7fe00000 - hi_of(s), 0);
    return big == INFD ? INFD : big == 0.0 ? sum : v;
}
float __nv_hypotf(float x, float y) { return norm_inlinef(x, y, 0, 0, false, 2); }
float __nv_rhypotf(float x, float y) { return norm_inlinef(x, y, 0, 0, true, 2); }
float __nv_norm3df(float x, float y, float z) { return norm_inlinef(x, y, z, 0, false, 3); }
float __nv_rnorm3df(float x, float y, float z) { return norm_inlinef(x, y, z, 0, true, 3); }
float __nv_norm4df(float x, float y, float z, float t) { return norm_inlinef(x, y, z, t, false, 4); }
float __nv_rnorm4df(float x, float y, float z, float t) { return norm_inlinef(x, y, z, t, true, 4); }
double __nv_hypot(double x, double y) { return norm_inline(x, y, 0, 0, false, 2); }
double __nv_rhypot(double x, double y) { return norm_inline(x, y, 0, 0, true, 2); }
double __nv_norm3d(double x, double y, double z) { return norm_inline(x, y, z, 0, false, 3); }
double __nv_rnorm3d(double x, double y, double z) { return norm_inline(x, y, z, 0, true, 3); }
double __nv_norm4d(double x, double y, double z, double t) { return norm_inline(x, y, z, t, false, 4); }
double __nv_rnorm4d(double x, double y, double z, double t) { return norm_inline(x, y, z, t, true, 4); }

/* Of any dimension. */
float __nv_normf(int n, const float *v)
{
    float big = 0, sum = 0;
    for (int i = 0; i < n; i++)
        big = __builtin_fmaxf(big, absf(v[i]));
    float s = scale_forf(big);
    for (int i = 0; i < n; i++)
        sum = fmaf_(v[i] * s, v[i] * s, sum);
    return big == INFF ? INFF : sqrf(sum) * asf(0x7f000000 - bitsf(s));
}
double __nv_norm(int n, const double *v)
{
    double big = 0, sum = 0;
    for (int i = 0; i < n; i++)
        big = __builtin_fmax(big, absd(v[i]));
    double s = scale_for(big);
    for (int i = 0; i < n; i++)
        sum = fma_(v[i] * s, v[i] * s, sum);
    return big == INFD ? INFD : __builtin_sqrt(sum) * hilo(0x7fe00000 - hi_of(s), 0);
}
float __nv_rnormf(int n, const float *v) { return 1.0f / __nv_normf(n, v); }
double __nv_rnorm(int n, const double *v) { return 1.0 / __nv_norm(n, v); }
/* SPDX-License-Identifier: Apache-2.0 */
