/* SPDX-License-Identifier: Apache-2.0 */
#include "fp.h"

#include <fenv.h>
#include <math.h>
#include <string.h>

const struct fp_fmt fp_f16 = {5, 10}, fp_bf16 = {8, 7}, fp_tf32 = {8, 10}, fp_f32 = {8, 23},
                    fp_f64 = {11, 52}, fp_e4m3 = {4, 3}, fp_e5m2 = {5, 2};

uint64_t fp_bits_of(double x)
{
    uint64_t b;
    memcpy(&b, &x, sizeof b);
    return b;
}

double fp_of_bits(uint64_t b)
{
    double x;
    memcpy(&x, &b, sizeof x);
    return x;
}

static uint64_t exp_field(const struct fp_fmt *f, uint64_t bits)
{
    return bits >> f->mbits & ((1ull << f->ebits) - 1);
}
static uint64_t man_field(const struct fp_fmt *f, uint64_t bits) { return bits & ((1ull << f->mbits) - 1); }
static uint64_t inf_of(const struct fp_fmt *f) { return ((1ull << f->ebits) - 1) << f->mbits; }
static int bias_of(const struct fp_fmt *f) { return (1 << (f->ebits - 1)) - 1; }

bool fp_is_nan(const struct fp_fmt *f, uint64_t bits)
{
    return (bits & inf_of(f)) == inf_of(f) && man_field(f, bits);
}
bool fp_is_inf(const struct fp_fmt *f, uint64_t bits)
{
    return (bits & inf_of(f)) == inf_of(f) && !man_field(f, bits);
}
bool fp_is_subnormal(const struct fp_fmt *f, uint64_t bits)
{
    return !exp_field(f, bits) && man_field(f, bits);
}
uint64_t fp_nan(const struct fp_fmt *f) { return fp_sign_bit(f) - 1; }

uint64_t fp_flush(const struct fp_fmt *f, uint64_t bits)
{
    return fp_is_subnormal(f, bits) ? bits & fp_sign_bit(f) : bits;
}

uint64_t fp_saturate(const struct fp_fmt *f, uint64_t bits)
{
    uint64_t one = (uint64_t)bias_of(f) << f->mbits;
    if (fp_is_nan(f, bits) || bits & fp_sign_bit(f))
        return 0;
    return bits > one ? one : bits;
}

double fp_value(const struct fp_fmt *f, uint64_t bits)
{
    bool neg = bits & fp_sign_bit(f);
    int e = (int)exp_field(f, bits);
    double m = (double)man_field(f, bits);
    if (fp_is_nan(f, bits))
        return NAN;
    if (fp_is_inf(f, bits))
        return neg ? -INFINITY : INFINITY;
    double v = e ? ldexp(m + (double)(1ull << f->mbits), e - bias_of(f) - (int)f->mbits)
                 : ldexp(m, 1 - bias_of(f) - (int)f->mbits);
    return neg ? -v : v;
}

/* Whether |value| is rounded up, given the last kept bit, the first dropped one and whether any further one is set. */
static bool round_up(enum fp_rnd r, bool neg, bool last, bool half, bool rest)
{
    switch (r) {
    case FP_RN: return half && (rest || last);
    case FP_RNA: return half;
    case FP_RM: return neg && (half || rest);
    case FP_RP: return !neg && (half || rest);
    default: return false;
    }
}

uint64_t fp_pack(const struct fp_fmt *f, bool neg, uint64_t m, int e, enum fp_rnd r)
{
    uint64_t sign = neg ? fp_sign_bit(f) : 0, q;
    if (m == 0)
        return sign;
    int top = e + 63 - __builtin_clzll(m), emin = 1 - bias_of(f);
    int base = top > emin ? top : emin;   /* exponent the result is encoded with */
    int shift = base - (int)f->mbits - e; /* bits of m below the last place */
    if (shift <= 0) {
        q = m << -shift;
    } else if (shift > 64) {
        q = round_up(r, neg, false, false, true);
    } else {
        q = shift == 64 ? 0 : m >> shift;
        q += round_up(r, neg, q & 1, m >> (shift - 1) & 1, (m & ((1ull << (shift - 1)) - 1)) != 0);
    }
    uint64_t bits = ((uint64_t)(base - emin) << f->mbits) + q;
    if (base > bias_of(f) || bits >= inf_of(f)) {
        bool to_inf = r == FP_RN || r == FP_RNA || (r == FP_RM && neg) || (r == FP_RP && !neg);
        bits = to_inf ? inf_of(f) : inf_of(f) - 1;
    }
    return sign | bits;
}

uint64_t fp_round(const struct fp_fmt *f, double x, enum fp_rnd r)
{
    int e;
    if (isnan(x))
        return fp_nan(f);
    if (isinf(x))
        return (signbit(x) ? fp_sign_bit(f) : 0) | inf_of(f);
    uint64_t m = (uint64_t)ldexp(frexp(fabs(x), &e), 53); /* |x| = m * 2^(e-53) */
    return fp_pack(f, signbit(x), m, e - 53, r);
}

static const int host_mode[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};

/* The volatiles keep the operation between the mode changes. */
static double host_op(enum fp_op op, int mode, double a, double b, double c, bool *inexact)
{
    volatile double x = a, y = b, z = c, r = 0;
    int old = fegetround();
    fesetround(mode);
    feclearexcept(FE_ALL_EXCEPT);
    switch (op) {
    case FP_ADD: r = x + y; break;
    case FP_SUB: r = x - y; break;
    case FP_MUL: r = x * y; break;
    case FP_DIV: r = x / y; break;
    case FP_RCP: r = 1.0 / x; break;
    case FP_SQRT: r = sqrt(x); break;
    case FP_FMA: r = fma(x, y, z); break;
    }
    *inexact = fetestexcept(FE_INEXACT) != 0;
    feclearexcept(FE_ALL_EXCEPT);
    fesetround(old);
    return r;
}

static double odd(enum fp_op op, double a, double b, double c)
{
    bool inexact;
    double r = host_op(op, FE_TOWARDZERO, a, b, c, &inexact);
    return inexact && isfinite(r) ? fp_of_bits(fp_bits_of(r) | 1) : r;
}

double fp_odd_add(double a, double b) { return odd(FP_ADD, a, b, 0); }
double fp_odd_mul(double a, double b) { return odd(FP_MUL, a, b, 0); }
double fp_odd_div(double a, double b) { return odd(FP_DIV, a, b, 0); }
double fp_odd_sqrt(double a) { return odd(FP_SQRT, a, 0, 0); }
double fp_odd_fma(double a, double b, double c) { return odd(FP_ADD, a * b, c, 0); }

uint64_t fp_f64_op(enum fp_op op, enum fp_rnd r, uint64_t a, uint64_t b, uint64_t c)
{
    bool inexact;
    double x = host_op(op, host_mode[r], fp_of_bits(a), fp_of_bits(b), fp_of_bits(c), &inexact);
    return isnan(x) ? fp_nan(&fp_f64) : fp_bits_of(x);
}

uint64_t fp_op(const struct fp_fmt *f, enum fp_op op, enum fp_rnd r, uint64_t a, uint64_t b, uint64_t c)
{
    if (f->mbits == 52)
        return fp_f64_op(op, r, a, b, c);
    double x = fp_value(f, a), y = fp_value(f, b), z = fp_value(f, c), v = 0, p = x, q = y;
    if (op == FP_SUB)
        q = -y;
    if (op == FP_FMA)
        p = x * y, q = z; /* exact: at most 48 bits */
    switch (op) {
    case FP_MUL: v = fp_odd_mul(x, y); break;
    case FP_DIV: v = fp_odd_div(x, y); break;
    case FP_RCP: v = fp_odd_div(1.0, x); break;
    case FP_SQRT: v = fp_odd_sqrt(x); break;
    default:
        v = fp_odd_add(p, q);
        if (v == 0 && r == FP_RM && signbit(p) != signbit(q))
            v = -0.0; /* x - x is -0 when rounding down */
    }
    return fp_round(f, v, r);
}

double fp_ulps(const struct fp_fmt *f, double exact, uint64_t got)
{
    int e;
    frexp(exact, &e);
    int emin = 1 - bias_of(f);
    int unit = (e - 1 > emin ? e - 1 : emin) - (int)f->mbits;
    return fabs(ldexp(fp_value(f, got) - exact, -unit));
}

bool fp_flush_unclear(const struct fp_fmt *f, enum fp_op op, uint64_t a, uint64_t b, uint64_t c,
                      uint64_t bits)
{
    uint64_t mag = bits & ~fp_sign_bit(f);
    return mag == 1ull << f->mbits && (fp_op(f, op, FP_RZ, a, b, c) & ~fp_sign_bit(f)) < mag;
}
