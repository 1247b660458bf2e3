/* SPDX-License-Identifier: Apache-2.0 */
/* Sums, products, quotients and square roots of doubles, rounded in any direction with integer arithmetic alone: for hosts whose
 * arithmetic has one rounding mode (WebAssembly). An exact result, or one whose lost part is remembered in its last bit, is
 * rounded once by fp_round. */
#ifndef EXEC_DIRECTED_H
#define EXEC_DIRECTED_H

#include "exec/alu/alu_round.h"

/* (neg ? -1 : 1) * m * 2^e; the last bit of m also stands for anything smaller that is not zero. */
struct wide {
    bool neg;
    int e;
    unsigned __int128 m;
};

static inline struct wide wide_of(double d)
{
    uint64_t u = f64_bits(d), m = u & 0xfffffffffffffull;
    int e = (int)(u >> 52 & 0x7ff);
    return (struct wide){u >> 63, e ? e - 1075 : -1074, e ? m | 1ull << 52 : m};
}

static inline unsigned wide_zeros(unsigned __int128 m)
{
    uint64_t high = (uint64_t)(m >> 64);
    return (unsigned)(high ? __builtin_clzll(high) : 64 + __builtin_clzll((uint64_t)m));
}

static inline unsigned __int128 wide_shift_right(unsigned __int128 m, unsigned by)
{
    if (by > 127)
        return m != 0;
    return m >> by | ((m & (((unsigned __int128)1 << by) - 1)) != 0);
}

static inline uint64_t wide_round(const struct fp_fmt *f, struct wide v, enum ir_rnd rnd)
{
    unsigned z = wide_zeros(v.m);
    uint64_t m = (uint64_t)wide_shift_right(v.m << z, 64);
    return fp_round(f, v.neg, v.e + 127 - (int)z, m, rnd);
}

static inline double wide_f64(struct wide v, enum ir_rnd rnd)
{
    return as_f64(wide_round(&fmt_f64, v, rnd) | (uint64_t)v.neg << 63);
}

static inline float wide_f32(struct wide v, enum ir_rnd rnd)
{
    return as_f32((uint32_t)wide_round(&fmt_f32, v, rnd) | (uint32_t)v.neg << 31);
}

/* Neither is zero, and the top two bits of both are free. When bits of the smaller one are lost, at most one bit cancels. */
static inline struct wide wide_sum(struct wide a, struct wide b, enum ir_rnd rnd)
{
    unsigned za = wide_zeros(a.m) - 2, zb = wide_zeros(b.m) - 2;
    a.m <<= za, a.e -= (int)za;
    b.m <<= zb, b.e -= (int)zb;
    if (a.e < b.e || (a.e == b.e && a.m < b.m)) {
        struct wide t = a;
        a = b;
        b = t;
    }
    b.m = wide_shift_right(b.m, (unsigned)(a.e - b.e));
    a.m = a.neg == b.neg ? a.m + b.m : a.m - b.m;
    if (!a.m)
        a.neg = rnd == RND_RM; /* IEEE 754, section 6.3 */
    return a;
}

static inline bool is_special(double d) { return !(__builtin_fabs(d) <= __DBL_MAX__); }

static inline double directed_fma(double a, double b, double c, enum ir_rnd rnd)
{
    if (is_special(a) || is_special(b) || is_special(c))
        return __builtin_fma(a, b, c); /* exact in any direction */
    struct wide x = wide_of(a), y = wide_of(b), z = wide_of(c);
    struct wide p = {x.neg != y.neg, x.e + y.e, x.m * y.m};
    if (!p.m && !z.m)
        return p.neg == z.neg ? c : rnd == RND_RM ? -0.0 : 0.0;
    if (!p.m)
        return c;
    if (z.m)
        p = wide_sum(p, z, rnd);
    return p.m ? wide_f64(p, rnd) : p.neg ? -0.0 : 0.0;
}

static inline double directed_add(double a, double b, enum ir_rnd rnd)
{
    return directed_fma(a, 1.0, b, rnd);
}

static inline double directed_mul(double a, double b, enum ir_rnd rnd)
{
    struct wide x = wide_of(a), y = wide_of(b), p = {x.neg != y.neg, x.e + y.e, x.m * y.m};
    return is_special(a) || is_special(b) || !p.m ? a * b : wide_f64(p, rnd);
}

/* a / b where both are finite and not zero. */
static inline struct wide wide_quotient(double a, double b)
{
    struct wide x = wide_of(a), y = wide_of(b);
    /* 127 bits over 64: at least 63 of the quotient */
    unsigned zx = wide_zeros(x.m) - 1, zy = wide_zeros(y.m) - 64;
    x.m <<= zx, y.m <<= zy;
    unsigned __int128 q = x.m / y.m;
    return (struct wide){x.neg != y.neg, x.e - (int)zx - (y.e - (int)zy) - 1, q << 1 | (q * y.m != x.m)};
}

/* Of a number that is finite and greater than zero. */
static inline struct wide wide_root(double a)
{
    struct wide x = wide_of(a);
    unsigned z = wide_zeros(x.m);
    z -= (x.e - (int)z) & 1; /* an even exponent */
    x.m <<= z, x.e -= (int)z;
    unsigned __int128 root = 0;
    for (int i = 63; i >= 0; i--) {
        unsigned __int128 more = root | (unsigned __int128)1 << i;
        if (more * more <= x.m)
            root = more;
    }
    return (struct wide){false, x.e / 2 - 1, root << 1 | (root * root != x.m)};
}

static inline bool no_quotient(double a, double b)
{
    return is_special(a) || is_special(b) || a == 0.0 || b == 0.0;
}
static inline bool no_root(double a) { return is_special(a) || a <= 0.0; }

static inline double directed_div(double a, double b, enum ir_rnd rnd)
{
    return no_quotient(a, b) ? a / b : wide_f64(wide_quotient(a, b), rnd);
}

static inline float directed_divf(float a, float b, enum ir_rnd rnd)
{
    return no_quotient(a, b) ? a / b : wide_f32(wide_quotient(a, b), rnd);
}

static inline double directed_sqrt(double a, enum ir_rnd rnd)
{
    return no_root(a) ? __builtin_sqrt(a) : wide_f64(wide_root(a), rnd);
}

static inline float directed_sqrtf(float a, enum ir_rnd rnd)
{
    return no_root(a) ? __builtin_sqrtf(a) : wide_f32(wide_root(a), rnd);
}

#endif
