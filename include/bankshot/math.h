/* Math functions that clang's CUDA headers leave to NVIDIA's: min and max of every pair of types, float versions of the names that
 * C++ does not know (rsqrt, sinpi, normcdf ...), and these functions on the host. Included by bankshot/dev/all.h. */
#ifndef BANKSHOT_MATH_H
#define BANKSHOT_MATH_H

#define __BANKSHOT_BOTH static __inline__ __host__ __device__ __attribute__((always_inline, unused))
#define __BANKSHOT_HOST static __inline__ __host__ __attribute__((unused))
#define __BANKSHOT_DEV static __inline__ __device__ __attribute__((always_inline, unused))

/* The result has the type that the usual conversions give, as in CUDA: min(int, unsigned) is unsigned. */
#define __BANKSHOT_MIN_MAX(target, result, a, b)                                                             \
    target result min(a x, b y) { return (result)x < (result)y ? (result)x : (result)y; }                    \
    target result max(a x, b y) { return (result)x > (result)y ? (result)x : (result)y; }
__BANKSHOT_MIN_MAX(__BANKSHOT_HOST, int, int, int) /* on the device: clang's */
__BANKSHOT_MIN_MAX(__BANKSHOT_BOTH, unsigned, unsigned, unsigned)
__BANKSHOT_MIN_MAX(__BANKSHOT_BOTH, unsigned, int, unsigned)
__BANKSHOT_MIN_MAX(__BANKSHOT_BOTH, unsigned, unsigned, int)
__BANKSHOT_MIN_MAX(__BANKSHOT_BOTH, long, long, long)
__BANKSHOT_MIN_MAX(__BANKSHOT_BOTH, unsigned long, unsigned long, unsigned long)
__BANKSHOT_MIN_MAX(__BANKSHOT_BOTH, unsigned long, long, unsigned long)
__BANKSHOT_MIN_MAX(__BANKSHOT_BOTH, unsigned long, unsigned long, long)
__BANKSHOT_MIN_MAX(__BANKSHOT_BOTH, long long, long long, long long)
__BANKSHOT_MIN_MAX(__BANKSHOT_BOTH, unsigned long long, unsigned long long, unsigned long long)
__BANKSHOT_MIN_MAX(__BANKSHOT_BOTH, unsigned long long, long long, unsigned long long)
__BANKSHOT_MIN_MAX(__BANKSHOT_BOTH, unsigned long long, unsigned long long, long long)
#undef __BANKSHOT_MIN_MAX
/* Floating point: a number before a NaN. */
#define __BANKSHOT_FMIN_FMAX(result, a, b, fmin, fmax)                                                       \
    __BANKSHOT_BOTH result min(a x, b y) { return fmin((result)x, (result)y); }                              \
    __BANKSHOT_BOTH result max(a x, b y) { return fmax((result)x, (result)y); }
__BANKSHOT_FMIN_FMAX(float, float, float, ::fminf, ::fmaxf)
__BANKSHOT_FMIN_FMAX(double, double, double, ::fmin, ::fmax)
__BANKSHOT_FMIN_FMAX(double, float, double, ::fmin, ::fmax)
__BANKSHOT_FMIN_FMAX(double, double, float, ::fmin, ::fmax)
#undef __BANKSHOT_FMIN_FMAX
__BANKSHOT_HOST unsigned umin(unsigned x, unsigned y) { return x < y ? x : y; }
__BANKSHOT_HOST unsigned umax(unsigned x, unsigned y) { return x > y ? x : y; }
__BANKSHOT_HOST long long llmin(long long x, long long y) { return x < y ? x : y; }
__BANKSHOT_HOST long long llmax(long long x, long long y) { return x > y ? x : y; }
__BANKSHOT_HOST unsigned long long ullmin(unsigned long long x, unsigned long long y)
{
    return x < y ? x : y;
}
__BANKSHOT_HOST unsigned long long ullmax(unsigned long long x, unsigned long long y)
{
    return x > y ? x : y;
}

/* The host's versions of what its libm lacks. Double has the digits that float functions need; for double they are plain. */
#define __BANKSHOT_PI 3.14159265358979323846
__BANKSHOT_HOST double rsqrt(double x) { return 1.0 / ::sqrt(x); }
__BANKSHOT_HOST double rcbrt(double x) { return 1.0 / ::cbrt(x); }
__BANKSHOT_HOST double sinpi(double x)
{
    double r = ::remainder(x, 2.0);
    r = r > 0.5 ? 1.0 - r : r < -0.5 ? -1.0 - r : r;
    return r == 0.0 ? ::copysign(0.0, x) : ::sin(__BANKSHOT_PI * r);
}
__BANKSHOT_HOST double cospi(double x)
{
    double r = ::fabs(::remainder(x, 2.0));
    return r < 0.25   ? ::cos(__BANKSHOT_PI * r)
           : r > 0.75 ? -::cos(__BANKSHOT_PI * (1.0 - r))
                      : ::sin(__BANKSHOT_PI * (0.5 - r));
}
__BANKSHOT_HOST void sincospi(double x, double *s, double *c)
{
    *s = sinpi(x);
    *c = cospi(x);
}
/* exp(x^2) erfc(x); where the factors would leave the range, the continued fraction. */
__BANKSHOT_HOST double erfcx(double x)
{
    double t = x;
    if (x < 10.0)
        return ::exp(x * x) * ::erfc(x);
    for (int k = 60; k > 0; k--)
        t = x + 0.5 * k / t;
    return 0.56418958354775628695 / t;
}
/* Newton steps on log erfc from a rough start; below 1/2 on erf, which does not cancel. */
__BANKSHOT_HOST double erfcinv(double y)
{
    double x, e, step;
    if (!(y > 0.0 && y < 2.0))
        return y == 0.0 ? HUGE_VAL : y == 2.0 ? -HUGE_VAL : ::nan("");
    if (y > 1.0)
        return -erfcinv(2.0 - y);
    x = y > 0.5 ? (1.0 - y) * 0.88622692545275801 : ::sqrt(-::log(y)) - 0.3;
    for (int k = 0; k < 40; k++) {
        e = ::erfc(x);
        step = (x < 0.5 ? (1.0 - y) - ::erf(x) : ::log(e / y) * e) / (1.1283791670955126 * ::exp(-x * x));
        x += step;
        if (::fabs(step) < 1e-16 * ::fabs(x))
            break;
    }
    return x;
}
__BANKSHOT_HOST double erfinv(double y)
{
    double x = y * 0.88622692545275801;
    if (!(::fabs(y) < 0.5))
        return ::copysign(erfcinv(1.0 - ::fabs(y)), y);
    for (int k = 0; k < 6; k++)
        x -= (::erf(x) - y) / (1.1283791670955126 * ::exp(-x * x));
    return x;
}
__BANKSHOT_HOST double normcdf(double x) { return 0.5 * ::erfc(-0.70710678118654752440 * x); }
__BANKSHOT_HOST double normcdfinv(double p) { return -1.41421356237309504880 * erfcinv(2.0 * p); }

/* float: with an f (host), and as an overload (host and device). */
#define __BANKSHOT_FLOAT1(name)                                                                              \
    __BANKSHOT_HOST float name##f(float x) { return (float)name((double)x); }                                \
    __BANKSHOT_BOTH float name(float x) { return name##f(x); }
__BANKSHOT_FLOAT1(rsqrt)
__BANKSHOT_FLOAT1(rcbrt)
__BANKSHOT_FLOAT1(sinpi)
__BANKSHOT_FLOAT1(cospi)
__BANKSHOT_FLOAT1(erfcx)
__BANKSHOT_FLOAT1(erfcinv)
__BANKSHOT_FLOAT1(erfinv)
__BANKSHOT_FLOAT1(normcdf)
__BANKSHOT_FLOAT1(normcdfinv)
#undef __BANKSHOT_FLOAT1
__BANKSHOT_HOST void sincospif(float x, float *s, float *c)
{
    *s = sinpif(x);
    *c = cospif(x);
}
__BANKSHOT_BOTH void sincospi(float x, float *s, float *c) { sincospif(x, s, c); }
__BANKSHOT_BOTH void sincos(float x, float *s, float *c) { sincosf(x, s, c); }
__BANKSHOT_BOTH float exp10(float x) { return exp10f(x); }
__BANKSHOT_DEV float cyl_bessel_i0(float x) { return cyl_bessel_i0f(x); }
__BANKSHOT_DEV float cyl_bessel_i1(float x) { return cyl_bessel_i1f(x); }
__BANKSHOT_DEV float j0(float x) { return j0f(x); }
__BANKSHOT_DEV float j1(float x) { return j1f(x); }
__BANKSHOT_DEV float jn(int n, float x) { return jnf(n, x); }
__BANKSHOT_DEV float y0(float x) { return y0f(x); }
__BANKSHOT_DEV float y1(float x) { return y1f(x); }
__BANKSHOT_DEV float yn(int n, float x) { return ynf(n, x); }
__BANKSHOT_DEV float remquo(float x, float y, int *q) { return remquof(x, y, q); }

/* Declared by clang's headers, and left to NVIDIA's to define. */
#define __BANKSHOT_FLOAT1(result, name)                                                                      \
    __BANKSHOT_DEV result name(float x) { return name##f(x); }
#define __BANKSHOT_FLOAT2(name)                                                                              \
    __BANKSHOT_DEV float name(float x, float y) { return name##f(x, y); }
__BANKSHOT_FLOAT1(float, acosh)
__BANKSHOT_FLOAT1(float, asinh)
__BANKSHOT_FLOAT1(float, atanh)
__BANKSHOT_FLOAT1(float, cbrt)
__BANKSHOT_FLOAT1(float, erf)
__BANKSHOT_FLOAT1(float, erfc)
__BANKSHOT_FLOAT1(float, exp2)
__BANKSHOT_FLOAT1(float, expm1)
__BANKSHOT_FLOAT1(float, lgamma)
__BANKSHOT_FLOAT1(float, log1p)
__BANKSHOT_FLOAT1(float, log2)
__BANKSHOT_FLOAT1(float, logb)
__BANKSHOT_FLOAT1(float, nearbyint)
__BANKSHOT_FLOAT1(float, rint)
__BANKSHOT_FLOAT1(float, round)
__BANKSHOT_FLOAT1(float, tgamma)
__BANKSHOT_FLOAT1(float, trunc)
__BANKSHOT_FLOAT1(int, ilogb)
__BANKSHOT_FLOAT1(long, lrint)
__BANKSHOT_FLOAT1(long, lround)
__BANKSHOT_FLOAT1(long long, llrint)
__BANKSHOT_FLOAT1(long long, llround)
__BANKSHOT_FLOAT2(copysign)
__BANKSHOT_FLOAT2(fdim)
__BANKSHOT_FLOAT2(fmax)
__BANKSHOT_FLOAT2(fmin)
__BANKSHOT_FLOAT2(hypot)
__BANKSHOT_FLOAT2(nextafter)
__BANKSHOT_FLOAT2(remainder)
#undef __BANKSHOT_FLOAT1
#undef __BANKSHOT_FLOAT2
__BANKSHOT_DEV float fma(float x, float y, float z) { return fmaf(x, y, z); }
__BANKSHOT_DEV float scalbn(float x, int n) { return scalbnf(x, n); }
__BANKSHOT_DEV float scalbln(float x, long n) { return scalblnf(x, n); }
__BANKSHOT_DEV float nanf(const char *) { return __builtin_nanf(""); }
__BANKSHOT_DEV double nan(const char *) { return __builtin_nan(""); }

#undef __BANKSHOT_PI
#undef __BANKSHOT_BOTH
#undef __BANKSHOT_HOST
#undef __BANKSHOT_DEV
#endif
/* SPDX-License-Identifier: Apache-2.0 */
