/* Gamma functions. The float versions round the double ones: they are rare, and float has not the digits. */
#include "device.h"

/* Gamma(x) for x >= 16 as result * *rest: x^(x - 1/2) alone overflows before Gamma does. */
INLINE double stirling(double x, double *rest)
{
    double p = POLY(1.0 / x, c_stirling);
    double h = pow_pos(x, 0.5 * x - 0.25);
    *rest = h;
    return h * exp_inline(-x) * (p * 0x1.40d931ff62706p+1); /* sqrt(2 pi) */
}
OUTLINE double gamma_core(double x)
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
        /* x near 0: 1/x overflows last */
        return up / (POLY(y - 1.0, c_rgamma) * down);
    }
    double rest, g = stirling(a, &rest);
    if (x > 0.0)
        return g * rest;
    /* -pi / (x sin(pi x) Gamma(-x)) */
    double s = sinpi_inline(a) * a;
    return -0x1.921fb54442d18p+1 / (g * s) / rest;
}
double __nv_tgamma(double x)
{
    if (!(absd(x) < INFD))
        return x == INFD ? x : NAND;
    if (absd(x) < 0x1p-60)
        return 1.0 / x;
    if (x == __builtin_trunc(x) && x < 0.0)
        return NAND;
    if (x > 172.0)
        return INFD;
    if (x < -190.0) { /* underflow; the sign changes at every integer */
        double half = 0.5 * __builtin_floor(x);
        return half == __builtin_trunc(half) ? 0.0 : -0.0;
    }
    return gamma_core(x);
}
float __nv_tgammaf(float x)
{
    return (float)__nv_tgamma((double)x);
}

/* log Gamma(x), x > 0. */
OUTLINE double lgamma_pos(double x)
{
    if (x >= 8.0) {
        double l = log_inline(x), t = 1.0 / x, p = POLY(t * t, c_lstirling) * t;
        double h = x - 0.5, a = mul_rn(h, l - 1.0), e = fma_(h, l - 1.0, -a);
        /* (x - 1/2) log x - x = (x - 1/2)(log x - 1) - 1/2 */
        double c = 0x1.acfe390c97d69p-2 + p; /* log(2 pi)/2 - 1/2 */
        return x > 0x1p1000 ? x * (l - 1.0) : a + (c + e);
    }
    if (x < 0.5) /* Gamma(x) = Gamma(2 + x) / (x (1 + x)) */
        return fma_(x, POLY(x, c_lgamma), -log_inline(x * (1.0 + x)));
    if (x < 1.5) {
        double z = x - 1.0;
        return fma_(z, POLY(z, c_lgamma), -log1p_inline(z));
    }
    double y = x, p = 1.0;
    while (y >= 3.0) {
        y -= 1.0;
        p *= y;
    }
    double z = y - 2.0, v = z * POLY(z, c_lgamma);
    return x < 3.0 ? v : v + log_inline(p);
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
float __nv_lgammaf(float x) { return (float)__nv_lgamma((double)x); }
