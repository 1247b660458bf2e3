/* Rounding to 16-bit floating-point formats, in integers: the same on the host and on the device. */
#ifndef BANKSHOT_FLOAT16_ROUND_H
#define BANKSHOT_FLOAT16_ROUND_H

#include "host_defines.h"

/* The nearest (mode 0), next towards zero (1), below (2) or above (3) of a format with `mant` bits after the point and exponents
 * 1 - emax to emax. NaN gives 0x7fff, as on the GPU. */
static __inline__ __host__ __device__ __attribute__((unused)) unsigned short
__bankshot_round16(double x, int mant, int emax, int mode)
{
    unsigned long long u, m, n, half, rest;
    int sign, e, unit, shift, up;
    unsigned bits, inf = (2u * (unsigned)emax + 1) << mant;
    __builtin_memcpy(&u, &x, 8);
    sign = (int)(u >> 63);
    u &= 0x7fffffffffffffffull;
    if (u > 0x7ff0000000000000ull)
        return 0x7fff;
    if (u == 0x7ff0000000000000ull)
        return (unsigned short)(inf | (unsigned)sign << 15);
    e = (int)(u >> 52) - 1023;
    m = (u & 0xfffffffffffffull) | (e > -1023 ? 1ull << 52 : 0);
    unit = e > 1 - emax ? e : 1 - emax; /* subnormal results share the unit of the smallest exponent */
    shift = 52 - mant + unit - e;
    shift = shift > 60 ? 60 : shift;
    n = m >> shift;
    rest = m & ((1ull << shift) - 1);
    half = 1ull << (shift - 1);
    up = mode == 0   ? rest > half || (rest == half && (n & 1))
         : mode == 2 ? sign && rest
         : mode == 3 ? !sign && rest
                     : 0;
    /* n has its leading bit at `mant` unless subnormal: adding it also counts the exponent up. */
    if (unit > emax)
        bits = inf;
    else
        bits = ((unsigned)(unit + emax - 1) << mant) + (unsigned)n + (unsigned)up;
    if (bits >= inf)
        bits = mode == 0 || (mode == 2 && sign) || (mode == 3 && !sign) ? inf : inf - 1;
    return (unsigned short)(bits | (unsigned)sign << 15);
}

/* a b + c in double, rounded to odd: whatever is lost shows in the last bit, so that rounding again to few digits is as good as
 * rounding once. a b must be exact (it is, for the products of 16-bit formats). */
static __inline__ __host__ __device__ __attribute__((unused)) double __bankshot_fma_odd(double a, double b,
                                                                                        double c)
{
    double p = a * b, s = p + c, t = s - p, lost = (p - (s - t)) + (c - t);
    unsigned long long u;
    __builtin_memcpy(&u, &s, 8);
    if (lost == lost && lost != 0 && !(u & 1) && s - s == 0) {
        u += (lost > 0) == (s > 0) ? 1 : -1;
        __builtin_memcpy(&s, &u, 8);
    }
    return s;
}

#endif
/* SPDX-License-Identifier: Apache-2.0 */
