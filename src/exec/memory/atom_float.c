/* SPDX-License-Identifier: Apache-2.0 */
/* Floating-point atomics, as bit patterns. Add rounds to nearest; f32 on global memory flushes subnormals, as the PTX manual
 * says, everything else keeps them. min and max prefer numbers to NaN and order -0 below +0. NaN results as an H200 gives
 * them: the canonical one, but f64 keeps the NaN it met. */
#include "base/fbits.h"
#include "exec/run.h"

#include <math.h>

static uint64_t add_f32(uint64_t o, uint64_t a, uint64_t b)
{
    (void)b;
    float s = as_f32((uint32_t)o) + as_f32((uint32_t)a);
    return isnan(s) ? 0x7fffffffu : f32_bits(s);
}

static uint64_t flush(uint64_t f) { return f & 0x7f800000u ? f : f & 0x80000000u; }

static uint64_t add_f32_ftz(uint64_t o, uint64_t a, uint64_t b)
{
    return flush(add_f32(flush(o), flush(a), b));
}

static uint64_t add_f64(uint64_t o, uint64_t a, uint64_t b)
{
    (void)b;
    double x, y, s;
    uint64_t r;
    memcpy(&x, &o, 8);
    memcpy(&y, &a, 8);
    s = x + y;
    memcpy(&r, &s, 8);
    return isnan(x) ? o : isnan(y) ? a : isnan(s) ? 0xfff8000000000000ull : r;
}

/* The double-precision adder of shared memory also makes signalling NaNs quiet. */
static uint64_t add_f64_shared(uint64_t o, uint64_t a, uint64_t b)
{
    uint64_t r = add_f64(o, a, b);
    return (r & 0x7fffffffffffffffull) > 0x7ff0000000000000ull ? r | 0x0008000000000000ull : r;
}

/* A 16-bit format: 1 sign bit, ebits exponent bits, mbits fraction bits. */
struct half_format {
    int ebits, mbits;
};
static const struct half_format f16 = {5, 10}, bf16 = {8, 7};

static double half_value(struct half_format t, uint32_t h)
{
    uint32_t e = h >> t.mbits & ((1u << t.ebits) - 1), m = h & ((1u << t.mbits) - 1);
    int bias = (1 << (t.ebits - 1)) - 1;
    double v;
    if (e == (1u << t.ebits) - 1)
        v = m ? NAN : INFINITY;
    else if (e == 0)
        v = ldexp(m, 1 - bias - t.mbits);
    else
        v = ldexp(m + (double)(1u << t.mbits), (int)e - bias - t.mbits);
    return h & 0x8000 ? -v : v;
}

/* Nearest value of the format, ties to even. The sum of two halves, rounded to double first, still rounds right: a double
 * has more than twice their digits plus two. */
static uint32_t half_round(struct half_format t, double v)
{
    uint32_t sign = signbit(v) ? 0x8000 : 0, inf = ((1u << t.ebits) - 1) << t.mbits;
    int bias = (1 << (t.ebits - 1)) - 1, e;
    if (isnan(v))
        return 0x7fff;
    v = fabs(v);
    if (v == 0)
        return sign;
    if (isinf(v))
        return sign | inf;
    frexp(v, &e);                                               /* v = f * 2^e, f in [0.5, 1) */
    int unit = (e - 1 < 1 - bias ? 1 - bias : e - 1) - t.mbits; /* exponent of the last place */
    double q = ldexp(v, -unit), whole = floor(q), rest = q - whole;
    uint64_t n = (uint64_t)whole;
    n += rest > 0.5 || (rest == 0.5 && (n & 1));
    /* n counts last places: adding the exponent field lets a carry move into it. */
    uint64_t bits = n + ((uint64_t)(unit + t.mbits + bias - 1) << t.mbits);
    return sign | (uint32_t)(bits >= inf ? inf : bits);
}

static uint32_t half_add(struct half_format t, uint32_t o, uint32_t a)
{
    return half_round(t, half_value(t, o) + half_value(t, a));
}

/* Sign and magnitude as an integer that orders like the number. */
static int32_t half_key(uint32_t h) { return h & 0x8000 ? -(int32_t)(h & 0x7fff) - 1 : (int32_t)h; }

static uint32_t half_pick(struct half_format t, uint32_t o, uint32_t a, bool max)
{
    uint32_t inf = ((1u << t.ebits) - 1) << t.mbits;
    bool on = (o & 0x7fff) > inf, an = (a & 0x7fff) > inf;
    if (on || an)
        return on && an ? 0x7fff : on ? a : o;
    return (half_key(o) < half_key(a)) != max ? o : a;
}

#define HALF_OPS(name, fmt)                                                                                  \
    static uint64_t add_##name(uint64_t o, uint64_t a, uint64_t b)                                           \
    {                                                                                                        \
        return (void)b, half_add(fmt, o & 0xffff, a & 0xffff);                                               \
    }                                                                                                        \
    static uint64_t min_##name(uint64_t o, uint64_t a, uint64_t b)                                           \
    {                                                                                                        \
        return (void)b, half_pick(fmt, o & 0xffff, a & 0xffff, false);                                       \
    }                                                                                                        \
    static uint64_t max_##name(uint64_t o, uint64_t a, uint64_t b)                                           \
    {                                                                                                        \
        return (void)b, half_pick(fmt, o & 0xffff, a & 0xffff, true);                                        \
    }                                                                                                        \
    static uint64_t add_##name##x2(uint64_t o, uint64_t a, uint64_t b)                                       \
    {                                                                                                        \
        return add_##name(o, a, b) | add_##name(o >> 16, a >> 16, b) << 16;                                  \
    }                                                                                                        \
    static uint64_t min_##name##x2(uint64_t o, uint64_t a, uint64_t b)                                       \
    {                                                                                                        \
        return min_##name(o, a, b) | min_##name(o >> 16, a >> 16, b) << 16;                                  \
    }                                                                                                        \
    static uint64_t max_##name##x2(uint64_t o, uint64_t a, uint64_t b)                                       \
    {                                                                                                        \
        return max_##name(o, a, b) | max_##name(o >> 16, a >> 16, b) << 16;                                  \
    }
HALF_OPS(f16, f16)
HALF_OPS(bf16, bf16)

uint64_t (*atom_float_op(enum ir_aop op, enum ir_type t, bool shared))(uint64_t, uint64_t, uint64_t)
{
    switch (t) {
    case T_F32: return op != AOP_ADD ? NULL : shared ? add_f32 : add_f32_ftz;
    case T_F64: return op != AOP_ADD ? NULL : shared ? add_f64_shared : add_f64;
    case T_F16: return op == AOP_ADD ? add_f16 : op == AOP_MIN ? min_f16 : max_f16;
    case T_BF16: return op == AOP_ADD ? add_bf16 : op == AOP_MIN ? min_bf16 : max_bf16;
    case T_F16X2: return op == AOP_ADD ? add_f16x2 : op == AOP_MIN ? min_f16x2 : max_f16x2;
    case T_BF16X2: return op == AOP_ADD ? add_bf16x2 : op == AOP_MIN ? min_bf16x2 : max_bf16x2;
    default: return NULL;
    }
}
