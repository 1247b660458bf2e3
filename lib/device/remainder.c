/* fmod, remainder, remquo: exact. A step takes as many bits of the quotient as one division gives; most calls need one. */
#include "device.h"

/* a - n b for the whole quotient n, which is below 2^21. From the nearest integer, so that the difference is below b in size
 * whatever the division's last bits are, and exact. */
INLINE float rem_stepf(float a, float b, u32 *n)
{
    float s = b < 1.0f ? 0x1p60f : 0x1p-60f; /* whatever b is, 1 / (b s) is normal, and a is not much larger */
    float t = __builtin_rintf(a * s * rcpf(b * s));
    float r = fmaf_(-t, b, a);
    bool over = r < 0.0f;
    *n = (u32)((i32)t - over);
    return over ? r + b : r;
}
/* a mod b for finite a >= b > 0; *q: the low bits of the whole quotient. */
INLINE float rem_coref(float a, float b, u32 *q)
{
    u32 n, low = 0;
    if (UNLIKELY(a > b * 0x1p20f)) {
        i32 s = __nv_ilogbf(a) - __nv_ilogbf(b) - 20;
        float big = __nv_ldexpf(b, s);
        for (; s > 0; s -= 20, big *= 0x1p-20f) {
            a = rem_stepf(a, big, &n);
            low += s < 32 ? n << s : 0;
        }
    }
    a = rem_stepf(a, b, &n);
    *q = low + n;
    return a;
}
INLINE bool rem_badf(float x, float y) { return !(absf(x) < INFF) || !(absf(y) > 0.0f); }
float __nv_fmodf(float x, float y)
{
    u32 q;
    float a = absf(x), b = absf(y);
    if (rem_badf(x, y))
        return NANF;
    return a < b ? x : signf_of(rem_coref(a, b, &q), x);
}
float __nv_remquof(float x, float y, int *quo)
{
    u32 q = 0;
    float a = absf(x), b = absf(y), r;
    *quo = 0;
    if (rem_badf(x, y))
        return NANF;
    r = a < b ? a : rem_coref(a, b, &q);
    float other = b - r; /* infinite with b */
    bool up = r > other || (r == other && q & 1);
    q = (q + up) & 0x7fffffff;
    r = up ? -other : r;
    *quo = (i32)(bitsf(x) ^ bitsf(y)) < 0 ? -(i32)q : (i32)q;
    return asf(bitsf(r) ^ (bitsf(x) & 0x80000000));
}
float __nv_remainderf(float x, float y)
{
    int q;
    return __nv_remquof(x, y, &q);
}

/* n below 2^51. A quotient rounded to nearest can only be too large. */
INLINE double rem_step(double a, double b, u32 *n)
{
    double t = __builtin_trunc(a / b), r = fma_(-t, b, a);
    bool over = r < 0.0;
    *n = (u32)(i64)t - over;
    return over ? r + b : r;
}
INLINE double rem_core(double a, double b, u32 *q)
{
    u32 n, low = 0;
    if (UNLIKELY(a > b * 0x1p50)) {
        i32 s = __nv_ilogb(a) - __nv_ilogb(b) - 50;
        double big = __nv_ldexp(b, s);
        for (; s > 0; s -= 50, big *= 0x1p-50) {
            a = rem_step(a, big, &n);
            low += s < 32 ? n << s : 0;
        }
    }
    a = rem_step(a, b, &n);
    *q = low + n;
    return a;
}
INLINE bool rem_bad(double x, double y) { return !(absd(x) < INFD) || y != y || y == 0.0; }
double __nv_fmod(double x, double y)
{
    u32 q;
    double a = absd(x), b = absd(y);
    if (rem_bad(x, y))
        return NAND;
    return a < b ? x : sign_of(rem_core(a, b, &q), x);
}
double __nv_remquo(double x, double y, int *quo)
{
    u32 q = 0;
    double a = absd(x), b = absd(y), r;
    *quo = 0;
    if (rem_bad(x, y))
        return NAND;
    if (b == INFD)
        return x;
    r = a < b ? a : rem_core(a, b, &q);
    double other = b - r;
    bool up = r > other || (r == other && q & 1);
    q = (q + up) & 0x7fffffff;
    r = up ? -other : r;
    *quo = (hi_of(x) ^ hi_of(y)) < 0 ? -(i32)q : (i32)q;
    return hilo(hi_of(r) ^ (hi_of(x) & (i32)0x80000000), lo_of(r));
}
double __nv_remainder(double x, double y)
{
    int q;
    return __nv_remquo(x, y, &q);
}
/* SPDX-License-Identifier: Apache-2.0 */
