/* SPDX-License-Identifier: Apache-2.0 */
/* References, written once for double (checks float functions) and once for long double (checks double functions): at least
 * 11 bits more than what they check. Included twice, with REAL, REF(name) and LIBM(name) defined. */

#define STD1(name)                                                                                           \
    static REAL REF(name)(REAL x) { return LIBM(name)(x); }
#define STD2(name)                                                                                           \
    static REAL REF(name)(REAL x, REAL y) { return LIBM(name)(x, y); }
STD1(cbrt)
STD1(exp)
STD1(exp2)
STD1(exp10)
STD1(expm1)
STD1(log)
STD1(log2)
STD1(log10)
STD1(log1p)
STD1(sin)
STD1(cos)
STD1(tan)
STD1(asin)
STD1(acos)
STD1(atan)
STD1(sinh)
STD1(cosh)
STD1(tanh)
STD1(asinh)
STD1(acosh)
STD1(atanh)
STD1(erf)
STD1(erfc)
STD1(tgamma)
STD1(lgamma)
STD1(floor)
STD1(ceil)
STD1(trunc)
STD1(rint)
STD1(nearbyint)
STD1(round)
STD1(logb)
STD1(fabs)
STD2(pow)
STD2(atan2)
STD2(fmod)
STD2(remainder)
STD2(copysign)
#undef STD1
#undef STD2

/* Correctly rounded operations in the format itself: the 64 digits of x86's long double are too few to round twice. */
#define EXACT(double_result, result) (sizeof(REAL) > 8 ? (REAL)(double_result) : (result))
static REAL REF(sqrt)(REAL x) { return EXACT(sqrt((double)x), LIBM(sqrt)(x)); }
static REAL REF(recip)(REAL x) { return EXACT(1 / (double)x, 1 / x); }
static REAL REF(fdivide)(REAL x, REAL y) { return EXACT((double)x / (double)y, x / y); }
static REAL REF(fdim)(REAL x, REAL y) { return EXACT(fdim((double)x, (double)y), LIBM(fdim)(x, y)); }
#undef EXACT
static REAL REF(rsqrt)(REAL x) { return 1 / LIBM(sqrt)(x); }
static REAL REF(rcbrt)(REAL x) { return 1 / LIBM(cbrt)(x); }

/* As PTX min and max: a number before a NaN, -0 before +0. */
static REAL REF(fmin)(REAL x, REAL y) { return x == y ? (signbit(x) ? x : y) : LIBM(fmin)(x, y); }
static REAL REF(fmax)(REAL x, REAL y) { return x == y ? (signbit(x) ? y : x) : LIBM(fmax)(x, y); }

static REAL REF(j0)(REAL x) { return LIBM(j0)(x); }
static REAL REF(j1)(REAL x) { return LIBM(j1)(x); }
/* At zero and below CUDA says -infinity and NaN. */
static REAL REF(y0)(REAL x) { return x < 0 ? NAN : x == 0 ? -INFINITY : LIBM(y0)(x); }
static REAL REF(y1)(REAL x) { return x < 0 ? NAN : x == 0 ? -INFINITY : LIBM(y1)(x); }

/* The power series: all terms are positive, so nothing cancels. */
static REAL REF(bessel_i)(REAL x, int order)
{
    if (!(LIBM(fabs)(x) < 12000))
        return order && x < 0 ? -INFINITY : x != x ? x : INFINITY;
    REAL q = x * x / 4, term = order ? x / 2 : 1, sum = term;
    for (int k = 1; k < 20000 && LIBM(fabs)(term) > LIBM(fabs)(sum) * 1e-22L; k++) {
        term *= q / k / (k + order);
        sum += term;
    }
    return sum;
}
static REAL REF(cyl_bessel_i0)(REAL x) { return REF(bessel_i)(x, 0); }
static REAL REF(cyl_bessel_i1)(REAL x) { return REF(bessel_i)(x, 1); }

/* sin(pi x): the argument is brought to [-1/2, 1/2] exactly. */
static REAL REF(sinpi)(REAL x)
{
    const REAL pi = 3.14159265358979323846264338327950288L;
    if (!isfinite(x))
        return NAN;
    REAL r = LIBM(remainder)(x, 2);
    if (r == 0 || LIBM(fabs)(r) == 1)
        return LIBM(copysign)(0, x);
    r = r > (REAL)0.5 ? 1 - r : r < (REAL)-0.5 ? -1 - r : r;
    return LIBM(fabs)(r) > (REAL)0.25 ? LIBM(copysign)(LIBM(cos)(pi * ((REAL)0.5 - LIBM(fabs)(r))), r)
                                      : LIBM(sin)(pi * r);
}
static REAL REF(cospi)(REAL x)
{
    const REAL pi = 3.14159265358979323846264338327950288L;
    if (!isfinite(x))
        return NAN;
    REAL r = LIBM(fabs)(LIBM(remainder)(x, 2));
    if (r == (REAL)0.5)
        return 0;
    return r < (REAL)0.25   ? LIBM(cos)(pi * r)
           : r > (REAL)0.75 ? -LIBM(cos)(pi * (1 - r))
                            : LIBM(sin)(pi * ((REAL)0.5 - r));
}

/* exp(x^2) erfc(x): far out the continued fraction x + (1/2)/(x + 1/(x + (3/2)/(x + ...))), else with x^2 in two parts. */
static REAL REF(erfcx)(REAL x)
{
    if (x < 8) {
        REAL hi = LIBM(rint)(x * 1024) / 1024, lo = x - hi;
        return x < -200 ? INFINITY : LIBM(exp)(hi * hi) * LIBM(exp)((hi + x) * lo) * LIBM(erfc)(x);
    }
    REAL t = x;
    for (int k = 200; k > 0; k--)
        t = x + (REAL)0.5 * k / t;
    return x != x ? x : (REAL)0.564189583547756286948079451560772586L / t;
}
/* Far out, the rounding of x / sqrt 2 counts 2 h^2 times in erfc; to first order it is put back. */
static REAL REF(normcdf)(REAL x)
{
    const REAL s = 0.70710678118654752440084436210484904L;
    if (!isfinite(x))
        return x < 0 ? 0 : x > 0 ? 1 : x;
    REAL h = -x * s, lost = LIBM(fma)(-x, s, -h);
    REAL e = LIBM(erfc)(h);
    return h > 1 && h < 150 ? e * (1 - 2 * h * lost) / 2 : e / 2;
}

/* Inverses by Newton steps on log erfc, from a rough start. */
static REAL REF(erfcinv)(REAL y)
{
    const REAL c = 1.12837916709551257389615890312154517L; /* 2 / sqrt pi */
    if (!(y >= 0 && y <= 2))
        return NAN;
    if (y == 0 || y == 2)
        return y == 0 ? INFINITY : -INFINITY;
    if (y > 1)
        return -REF(erfcinv)(2 - y); /* 2 - y is exact for what is tested: y has fewer bits than REAL */
    REAL l = -LIBM(log)(y),
         x = y > (REAL)0.5 ? (1 - y) / c : LIBM(sqrt)(l > 1 ? l - LIBM(log)(l) / 2 : l) - (REAL)0.3;
    for (int k = 0; k < 60; k++) {
        REAL e = LIBM(erfc)(x), step;
        if (x < (REAL)0.5) /* near y = 1 the logarithm says little: use erf */
            step = ((1 - y) - LIBM(erf)(x)) / (c * LIBM(exp)(-x * x));
        else
            step = LIBM(log)(e / y) * e / (c * LIBM(exp)(-x * x));
        step = step > 1 ? 1 : step < -1 ? -1 : step;
        x += step;
        if (LIBM(fabs)(step) < LIBM(fabs)(x) * (sizeof(REAL) > 8 ? 1e-19L : 1e-16L))
            break;
    }
    return x;
}
static REAL REF(erfinv)(REAL y)
{
    const REAL c = 1.12837916709551257389615890312154517L;
    if (!(LIBM(fabs)(y) <= 1))
        return NAN;
    if (LIBM(fabs)(y) > (REAL)0.5)
        return LIBM(copysign)(REF(erfcinv)(1 - LIBM(fabs)(y)), y);
    REAL x = y / c;
    for (int k = 0; k < 8; k++)
        x -= (LIBM(erf)(x) - y) / (c * LIBM(exp)(-x * x));
    return y == 0 ? y : x;
}
static REAL REF(normcdfinv)(REAL p)
{
    if (!(p >= 0 && p <= 1))
        return NAN;
    const REAL s = 1.41421356237309504880168872420969808L;
    return p < (REAL)0.25 ? -s * REF(erfcinv)(2 * p) : p == (REAL)0.5 ? 0 : s * REF(erfinv)(2 * p - 1);
}

static REAL REF(norm)(const REAL *v, int n)
{
    REAL big = 0, sum = 0;
    for (int i = 0; i < n; i++) {
        if (isinf(v[i]))
            return INFINITY;
        big = LIBM(fabs)(v[i]) > big || v[i] != v[i] ? LIBM(fabs)(v[i]) : big;
        if (big != big)
            break;
    }
    for (int i = 0; i < n; i++)
        if (isinf(v[i]))
            return INFINITY;
    if (big == 0 || big != big)
        return big;
    int e = LIBM(ilogb)(big);
    for (int i = 0; i < n; i++) {
        REAL t = LIBM(ldexp)(v[i], -e);
        sum += t * t;
    }
    return LIBM(ldexp)(LIBM(sqrt)(sum), e);
}
static REAL REF(norm3d)(REAL x, REAL y, REAL z)
{
    REAL v[] = {x, y, z};
    return REF(norm)(v, 3);
}
static REAL REF(norm4d)(REAL x, REAL y, REAL z, REAL t)
{
    REAL v[] = {x, y, z, t};
    return REF(norm)(v, 4);
}
static REAL REF(hypot)(REAL x, REAL y)
{
    REAL v[] = {x, y};
    return REF(norm)(v, 2);
}
static REAL REF(rhypot)(REAL x, REAL y) { return 1 / REF(hypot)(x, y); }
static REAL REF(rnorm3d)(REAL x, REAL y, REAL z) { return 1 / REF(norm3d)(x, y, z); }
static REAL REF(rnorm4d)(REAL x, REAL y, REAL z, REAL t) { return 1 / REF(norm4d)(x, y, z, t); }
