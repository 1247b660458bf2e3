/* Rounding, parts of numbers, comparison, remainders: exact by definition. */
#include "device.h"

#define BOTH1(name, builtin)                                                                                 \
    float __nv_##name##f(float x) { return __builtin_##builtin##f(x); }                                      \
    double __nv_##name(double x) { return __builtin_##builtin(x); }
#define BOTH2(name, builtin)                                                                                 \
    float __nv_##name##f(float x, float y) { return __builtin_##builtin##f(x, y); }                          \
    double __nv_##name(double x, double y) { return __builtin_##builtin(x, y); }
BOTH1(fabs, fabs)
BOTH1(floor, floor)
BOTH1(ceil, ceil)
BOTH1(trunc, trunc)
BOTH1(rint, rint)
BOTH1(nearbyint, nearbyint)
BOTH2(fmin, fmin)
BOTH2(fmax, fmax)
float __nv_copysignf(float x, float y) { return signf_of(x, y); }
double __nv_copysign(double x, double y) { return sign_of(x, y); }
float __nv_fmaf(float x, float y, float z) { return fmaf_(x, y, z); }
double __nv_fma(double x, double y, double z) { return fma_(x, y, z); }
float __nv_fdimf(float x, float y) { return x <= y ? 0.0f : x - y; }
double __nv_fdim(double x, double y) { return x <= y ? 0.0 : x - y; }

/* Half away from zero: the largest number below 1/2 is added, so that what is below 1/2 stays below 1. */
INLINE float round_inlinef(float x) { return __builtin_truncf(x + signf_of(0x1.fffffep-2f, x)); }
INLINE double round_inline(double x) { return __builtin_trunc(x + sign_of(0x1.fffffffffffffp-2, x)); }
float __nv_roundf(float x) { return round_inlinef(x); }
double __nv_round(double x) { return round_inline(x); }
long long __nv_llrintf(float x) { return __nvvm_f2ll_rn(x); }
long long __nv_llrint(double x) { return __nvvm_d2ll_rn(x); }
long long __nv_llroundf(float x) { return __nvvm_f2ll_rz(round_inlinef(x)); }
long long __nv_llround(double x) { return __nvvm_d2ll_rz(round_inline(x)); }

int __nv_isnanf(float x) { return x != x; }
int __nv_isnand(double x) { return x != x; }
int __nv_isinff(float x) { return absf(x) == INFF; }
int __nv_isinfd(double x) { return absd(x) == INFD; }
int __nv_finitef(float x) { return absf(x) < INFF; }
int __nv_isfinited(double x) { return absd(x) < INFD; }
int __nv_signbitf(float x) { return (int)(bitsf(x) >> 31); }
int __nv_signbitd(double x) { return hi_of(x) < 0; }
float __nv_nanf(const signed char *tag)
{
    (void)tag;
    return NANF;
}
double __nv_nan(const signed char *tag)
{
    (void)tag;
    return NAND;
}

/* x = m 2^e, m in [1/2, 1). */
float __nv_frexpf(float x, int *e)
{
    bool tiny = absf(x) < 0x1p-126f;
    u32 u = bitsf(tiny ? x * 0x1p24f : x);
    bool odd = x == 0.0f || !(absf(x) < INFF);
    *e = odd ? 0 : (i32)(u >> 23 & 0xff) - 126 - (tiny ? 24 : 0);
    return odd ? x + x : asf((u & 0x807fffff) | 0x3f000000);
}
double __nv_frexp(double x, int *e)
{
    bool tiny = absd(x) < 0x1p-1022;
    double y = tiny ? x * 0x1p54 : x;
    bool odd = x == 0.0 || !(absd(x) < INFD);
    *e = odd ? 0 : (hi_of(y) >> 20 & 0x7ff) - 1022 - (tiny ? 54 : 0);
    return odd ? x + x : hilo((hi_of(y) & (i32)0x800fffff) | 0x3fe00000, lo_of(y));
}
/* Steps that are powers of two. Downwards a step leaves a whole significand above the subnormals, so that only the last one
 * rounds, unless nothing is left at all. */
float __nv_ldexpf(float x, int n)
{
    for (int i = 0; i < 2; i++) {
        int step = n < -126 ? -102 : n > 127 ? 127 : n;
        x *= asf((u32)(step + 127) << 23);
        n -= step;
    }
    n = n > 127 ? 127 : n < -126 ? -126 : n;
    return x * asf((u32)(n + 127) << 23);
}
double __nv_ldexp(double x, int n)
{
    for (int i = 0; i < 2; i++) {
        int step = n < -1022 ? -969 : n > 1023 ? 1023 : n;
        x *= hilo((step + 1023) << 20, 0);
        n -= step;
    }
    n = n > 1023 ? 1023 : n < -1022 ? -1022 : n;
    return x * hilo((n + 1023) << 20, 0);
}
float __nv_scalbnf(float x, int n) { return __nv_ldexpf(x, n); }
double __nv_scalbn(double x, int n) { return __nv_ldexp(x, n); }
int __nv_ilogbf(float x)
{
    if (!(absf(x) < INFF) || x == 0.0f)
        return absf(x) == INFF ? 0x7fffffff : (int)0x80000000;
    bool tiny = absf(x) < 0x1p-126f;
    return (i32)(bitsf(tiny ? x * 0x1p24f : x) >> 23 & 0xff) - 127 - (tiny ? 24 : 0);
}
int __nv_ilogb(double x)
{
    if (!(absd(x) < INFD) || x == 0.0)
        return absd(x) == INFD ? 0x7fffffff : (int)0x80000000;
    bool tiny = absd(x) < 0x1p-1022;
    return (hi_of(tiny ? x * 0x1p54 : x) >> 20 & 0x7ff) - 1023 - (tiny ? 54 : 0);
}
float __nv_logbf(float x)
{
    float a = absf(x), y = a < 0x1p-126f ? a * 0x1p24f : a;
    float v = (float)(bitsf(y) >> 23) - (a < 0x1p-126f ? 151.0f : 127.0f);
    v = a < INFF ? v : x * x;
    return x == 0.0f ? -INFF : v;
}
double __nv_logb(double x)
{
    double a = absd(x), y = a < 0x1p-1022 ? a * 0x1p54 : a;
    double v = (double)((hi_of(y) >> 20) - (a < 0x1p-1022 ? 1077 : 1023));
    v = a < INFD ? v : x * x;
    return x == 0.0 ? -INFD : v;
}
float __nv_modff(float x, float *whole)
{
    float t = __builtin_truncf(x);
    *whole = t;
    return signf_of(absf(x) == INFF ? 0.0f : x - t, x);
}
double __nv_modf(double x, double *whole)
{
    double t = __builtin_trunc(x);
    *whole = t;
    return sign_of(absd(x) == INFD ? 0.0 : x - t, x);
}
float __nv_nextafterf(float x, float y)
{
    if (x != x || y != y)
        return x + y;
    if (x == y)
        return y;
    if (x == 0.0f)
        return signf_of(0x1p-149f, y);
    u32 u = bitsf(x);
    return asf((x < y) == (x > 0.0f) ? u + 1 : u - 1);
}
double __nv_nextafter(double x, double y)
{
    if (x != x || y != y)
        return x + y;
    if (x == y)
        return y;
    if (x == 0.0)
        return sign_of(0x1p-1074, y);
    u64 u = bitsd(x);
    return asd((x < y) == (x > 0.0) ? u + 1 : u - 1);
}
/* SPDX-License-Identifier: Apache-2.0 */
