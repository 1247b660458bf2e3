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
__BANKSHOT_HOST unsigned long long ullmin(unsigned long long x, unsigned long long y) { return x < y ? x : y; }
__BANKSHOT_HOST unsigned long long ullmax(unsigned long long x, unsigned long long y) { return x > y ? x : y; }

/* The host's versions of what its libm lacks. Double has the digits that float functions need; for double they are plain. */
#define __BANKSHOT_PI 3.14159265358979323846
__BANKSHOT_HOST double rsqrt(double x) { return 1.0 / ::sqrt(x); }
__BANKSHOT_HOST double rcbrt(double x) { return 1.0 / ::cbrt(x); }
__BANKSHOT_HOST double rhypot(double x, double y) { return 1.0 / ::hypot(x, y); }
__BANKSHOT_HOST double norm3d(double x, double y, double z) { return ::hypot(::hypot(x, y), z); }
__BANKSHOT_HOST double norm4d(double x, double y, double z, double t) { return ::hypot(::hypot(x, y), ::hypot(z, t)); }
__BANKSHOT_HOST double rnorm3d(double x, double y, double z) { return 1.0 / norm3d(x, y, z); }
__BANKSHOT_HOST double rnorm4d(double x, double y, double z, double t) { return 1.0 / norm4d(x, y, z, t); }
__BANKSHOT_HOST double sinpi(double x)
{
    double r = ::remainder(x, 2.0);
    r = r > 0.5 ? 1.0 - r : r < -0.5 ? -1.0 - r : r;
    return r == 0.0 ? ::copysign(0.0, x) : ::sin(__BANKSHOT_PI * r);
}
__BANKSHOT_HOST double cospi(double x)
{
    double r = ::fabs(::remainder(x, 2.0));
    return r < 0.25 ? ::cos(__BANKSHOT_PI * r) : r > 0.75 ? -::cos(__BANKSHOT_PI * (1.0 - r)) : ::sin(__BANKSHOT_PI * (0.5 - r));
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
__BANKSHOT_HOST double fdivide(double x, double y) { return x / y; }
/* The power series: no term is negative. */
__BANKSHOT_HOST double __bankshot_bessel_i(double x, int order)
{
    double q = x * x / 4, term = order ? x / 2 : 1, sum = term;
    for (int k = 1; k < 4000 && ::fabs(term) > ::fabs(sum) * 1e-18; k++)
        sum += term *= q / k / (k + order);
    return sum;
}
__BANKSHOT_HOST double cyl_bessel_i0(double x) { return __bankshot_bessel_i(x, 0); }
__BANKSHOT_HOST double cyl_bessel_i1(double x) { return __bankshot_bessel_i(x, 1); }

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
__BANKSHOT_FLOAT1(cyl_bessel_i0)
__BANKSHOT_FLOAT1(cyl_bessel_i1)
#undef __BANKSHOT_FLOAT1
__BANKSHOT_HOST float rhypotf(float x, float y) { return (float)rhypot(x, y); }
__BANKSHOT_HOST float norm3df(float x, float y, float z) { return (float)norm3d(x, y, z); }
__BANKSHOT_HOST float norm4df(float x, float y, float z, float t) { return (float)norm4d(x, y, z, t); }
__BANKSHOT_HOST float rnorm3df(float x, float y, float z) { return (float)rnorm3d(x, y, z); }
__BANKSHOT_HOST float rnorm4df(float x, float y, float z, float t) { return (float)rnorm4d(x, y, z, t); }
__BANKSHOT_HOST float fdividef(float x, float y) { return x / y; }
__BANKSHOT_HOST void sincospif(float x, float *s, float *c)
{
    *s = sinpif(x);
    *c = cospif(x);
}
__BANKSHOT_BOTH void sincospi(float x, float *s, float *c) { sincospif(x, s, c); }
__BANKSHOT_BOTH void sincos(float x, float *s, float *c) { sincosf(x, s, c); }
__BANKSHOT_BOTH float exp10(float x) { return exp10f(x); }
__BANKSHOT_BOTH float fdivide(float x, float y) { return fdividef(x, y); }
__BANKSHOT_BOTH float rhypot(float x, float y) { return rhypotf(x, y); }
__BANKSHOT_BOTH float norm3d(float x, float y, float z) { return norm3df(x, y, z); }
__BANKSHOT_BOTH float norm4d(float x, float y, float z, float t) { return norm4df(x, y, z, t); }
__BANKSHOT_BOTH float rnorm3d(float x, float y, float z) { return rnorm3df(x, y, z); }
__BANKSHOT_BOTH float rnorm4d(float x, float y, float z, float t) { return rnorm4df(x, y, z, t); }
__BANKSHOT_DEV float j0(float x) { return j0f(x); }
__BANKSHOT_DEV float j1(float x) { return j1f(x); }
__BANKSHOT_DEV float jn(int n, float x) { return jnf(n, x); }
__BANKSHOT_DEV float y0(float x) { return y0f(x); }
__BANKSHOT_DEV float y1(float x) { return y1f(x); }
__BANKSHOT_DEV float yn(int n, float x) { return ynf(n, x); }
__BANKSHOT_DEV float remquo(float x, float y, int *q) { return remquof(x, y, q); }

#undef __BANKSHOT_PI
#undef __BANKSHOT_BOTH
#undef __BANKSHOT_HOST
#undef __BANKSHOT_DEV
#endif
