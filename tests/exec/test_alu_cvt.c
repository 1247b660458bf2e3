/* SPDX-License-Identifier: Apache-2.0 */
/* Conversions and half-precision arithmetic against an exact reference: values are integers times a power of two
 * (__int128), rounded by definition. */
#include "exec/alu_rig.h"

#include <math.h>
#include <stdio.h>

/* neg, magnitude m * 2^e; or inf, or nan. sticky: a little more than m. */
struct num {
    bool neg, inf, nan, sticky;
    unsigned __int128 m;
    int e;
};

struct fmt {
    uint8_t type;
    int p, emin, emax, width, shift; /* shift: low bits that are not part of the format (tf32) */
    uint64_t nan;
};
static const struct fmt fmts[] = {
    {T_F16, 11, -14, 15, 16, 0, 0x7fff},
    {T_BF16, 8, -126, 127, 16, 0, 0x7fff},
    {T_TF32, 11, -126, 127, 32, 13, 0x7fffffff},
    {T_F32, 24, -126, 127, 32, 0, 0x7fffffff},
    {T_F64, 53, -1022, 1023, 64, 0, 0xfff8000000000000ull},
};
static const struct fmt *fmt_of(uint8_t t)
{
    for (unsigned k = 0; k < 5; k++)
        if (fmts[k].type == t)
            return &fmts[k];
    return NULL;
}

static struct num decode(uint64_t bits, uint8_t t)
{
    const struct fmt *f = fmt_of(t);
    bits &= f->width == 64 ? ~0ull : (1ull << f->width) - 1;
    bits >>= f->shift;
    int mant = f->p - 1, w = f->width - f->shift;
    struct num n = {.neg = bits >> (w - 1) & 1, .m = bits & ((1ull << mant) - 1)};
    int e = (int)(bits >> mant & ((1ull << (w - 1 - mant)) - 1));
    if (e == f->emax - f->emin + 2) {
        n.nan = n.m != 0;
        n.inf = !n.nan;
        return n;
    }
    if (e)
        n.m |= 1ull << mant;
    n.e = (e ? e : 1) - 1 + f->emin - mant;
    return n;
}

static struct num from_int(__int128 v)
{
    return (struct num){.neg = v < 0, .m = v < 0 ? (unsigned __int128)-v : (unsigned __int128)v};
}

/* m 2^e cut to a multiple of 2^unit: the integer part, and the rest against a half. */
static unsigned __int128 cut(struct num n, int unit, int *rest)
{
    int drop = unit - n.e;
    if (drop <= 0) {
        *rest = n.sticky ? 1 : 0;
        return n.m << -drop;
    }
    if (drop > 126) {
        *rest = n.m || n.sticky ? 1 : 0; /* 1: below half, 2: half, 3: above */
        return 0;
    }
    unsigned __int128 r = n.m & (((unsigned __int128)1 << drop) - 1),
                      half = (unsigned __int128)1 << (drop - 1);
    *rest = r == 0 ? (n.sticky ? 1 : 0) : r < half ? 1 : r == half ? (n.sticky ? 3 : 2) : 3;
    return n.m >> drop;
}

static bool goes_up(uint8_t rnd, bool neg, unsigned __int128 k, int rest)
{
    switch (rnd) {
    case RND_RZ:
    case RND_RZI: return false;
    case RND_RM:
    case RND_RMI: return neg && rest;
    case RND_RP:
    case RND_RPI: return !neg && rest;
    case RND_RNA: return rest >= 2;
    default: return rest == 3 || (rest == 2 && (k & 1));
    }
}

static uint64_t encode(struct num n, uint8_t t, uint8_t rnd)
{
    const struct fmt *f = fmt_of(t);
    if (n.nan)
        return f->nan;
    uint64_t sign = (uint64_t)n.neg << (f->width - 1);
    uint64_t inf = (uint64_t)(f->emax - f->emin + 2) << (f->p - 1);
    if (n.inf)
        return sign | inf << f->shift;
    if (!n.m && !n.sticky)
        return sign;
    int top = -1;
    for (int k = 0; k < 128; k++)
        if (n.m >> k & 1)
            top = k;
    int e = top + n.e;
    e = e < f->emin ? f->emin : e;
    int rest;
    unsigned __int128 k = cut(n, e - f->p + 1, &rest);
    k += goes_up(rnd, n.neg, k, rest);
    uint64_t r = ((uint64_t)(e - f->emin) << (f->p - 1)) + (uint64_t)k;
    if (r >= inf) {
        bool max = rnd == RND_RZ || (rnd == RND_RM && !n.neg) || (rnd == RND_RP && n.neg);
        r = max ? inf - 1 : inf;
    }
    return sign | r << f->shift;
}

/* Doubles, and what becomes one or was one, keep a NaN's sign and the payload that fits, and make it quiet. */
static uint64_t encode_of(struct num n, uint64_t in, uint8_t from, uint8_t to, uint8_t rnd)
{
    if (!n.nan || (from != T_F32 && from != T_F64) || (to != T_F32 && to != T_F64) ||
        (from == T_F32 && to == T_F32))
        return encode(n, to, rnd);
    uint64_t sign = from == T_F64 ? in >> 63 : in >> 31, payload = from == T_F64 ? in << 12 : in << 41;
    payload |= 1ull << 63;
    return to == T_F64 ? sign << 63 | 0x7ffull << 52 | payload >> 12
                       : sign << 31 | 0xffull << 23 | payload >> 41;
}

static uint64_t rand_float(struct rng *g, uint8_t t)
{
    const struct fmt *f = fmt_of(t);
    uint64_t u = rng_u64(g);
    if (f->width == 16)
        return u & 0xffff;
    uint64_t mant = (1ull << (f->p - 1 + f->shift)) - 1;
    switch (rng_below(g, 8)) {
    case 0: return f->width == 32 ? rig_word(g) : (uint64_t)rig_word(g) << 32;
    case 1: { /* a half with one more bit: a tie */
        struct num n = decode(u & 0xffff, rng_below(g, 2) ? T_F16 : T_BF16);
        n.m = n.m * 2 + 1;
        n.e--;
        uint64_t r = encode(n, t == T_TF32 ? T_F32 : t, RND_RZ);
        return r + rng_below(g, 3) - 1;
    }
    case 2: /* integers and a half */
        return encode(
            (struct num){.neg = u & 1, .m = (u >> 8) >> rng_below(g, 56), .e = -(int)rng_below(g, 3)},
            t == T_TF32 ? T_F32 : t, RND_RN);
    case 3: { /* exponents of the narrow types */
        uint64_t bias = (uint64_t)-f->emin + 1;
        return (u & ~(mant ^ (f->width == 32 ? 0x7fffffffu : ~0ull >> 1)) & (mant | 1ull << (f->width - 1))) |
               (bias - 150 + rng_below(g, 300)) % (2 * bias) << (f->p - 1 + f->shift);
    }
    default: return f->width == 32 ? (uint32_t)u : u;
    }
}

static void put(struct rig *r, unsigned k, unsigned lane, uint8_t t, uint64_t v)
{
    bool wide = t == T_F64 || t == T_U64 || t == T_S64;
    rig_src(r, k)[lane] = (uint32_t)v;
    if (wide)
        rig_put64(r, k, lane, v);
}

static uint64_t get(const struct rig *r, unsigned lane, uint8_t t)
{
    bool wide = t == T_F64 || t == T_U64 || t == T_S64;
    return wide ? rig_get64(r, lane) : r->reg[RIG_DST][lane];
}

static void expect(const struct rig *r, const char *name, unsigned lane, uint64_t in, uint64_t got,
                   uint64_t want)
{
    (void)lane;
    if (got != want)
        fail_msg("%s op %u type %u from %u rnd %u flags %#x: %llx gives %llx, not %llx", name, r->i.op,
                 r->i.type, r->i.stype, r->i.rnd, r->i.flags, (unsigned long long)in, (unsigned long long)got,
                 (unsigned long long)want);
}

static struct num saturate(struct num n, uint16_t flags)
{
    if (flags & IRF_SAT) {
        if (n.nan || n.neg)
            return (struct num){0};
        int rest;
        if (n.inf || (n.m && n.e > 0) || cut(n, 0, &rest) >= 1)
            return (struct num){.m = 1};
    }
    if (flags & IRF_RELU && n.neg && !n.nan)
        return (struct num){0};
    return n;
}

static void float_to_float(void **state)
{
    (void)state;
    struct rng g = {51};
    static struct rig r;
    static const uint8_t rnds[] = {RND_RN, RND_RZ, RND_RM, RND_RP, RND_RNA};
    static const uint16_t flags[] = {0, IRF_SAT, IRF_RELU};
    for (unsigned n = 0; n < 5 * 5 * 5 * 3 * 12; n++)
        for (const struct xalu *const *a = exec_alus; *a; a++) {
            uint8_t from = fmts[n % 5].type, to = fmts[n / 5 % 5].type;
            rig_init(&r, OP_F2F, to);
            r.i.stype = from;
            r.i.rnd = rnds[n / 25 % 5];
            r.i.flags = flags[n / 125 % 3];
            uint64_t in[LANES];
            for (unsigned l = 0; l < LANES; l++)
                put(&r, 0, l, from, in[l] = rand_float(&g, from));
            if (!(*a)->usable())
                continue;
            assert_true(rig_run(&r, *a, ~0u));
            for (unsigned l = 0; l < LANES; l++)
                expect(&r, (*a)->name, l, in[l], get(&r, l, to),
                       encode_of(saturate(decode(in[l], from), r.i.flags), in[l], from, to, r.i.rnd));
        }
}

static void pack_two(void **state)
{
    (void)state;
    struct rng g = {52};
    static struct rig r;
    for (unsigned n = 0; n < 600; n++)
        for (const struct xalu *const *a = exec_alus; *a; a++) {
            uint8_t half = n & 1 ? T_F16 : T_BF16;
            rig_init(&r, OP_F2FP, n & 1 ? T_F16X2 : T_BF16X2);
            r.i.stype = T_F32;
            r.i.rnd = n & 2 ? RND_RN : RND_RZ;
            r.i.flags = n & 4 ? IRF_RELU : 0;
            for (unsigned l = 0; l < 2 * LANES; l++)
                put(&r, l / LANES, l % LANES, T_F32, rand_float(&g, T_F32));
            if (!(*a)->usable())
                continue;
            assert_true(rig_run(&r, *a, ~0u));
            for (unsigned l = 0; l < LANES; l++) {
                uint64_t hi = encode(saturate(decode(rig_src(&r, 0)[l], T_F32), r.i.flags), half, r.i.rnd);
                uint64_t lo = encode(saturate(decode(rig_src(&r, 1)[l], T_F32), r.i.flags), half, r.i.rnd);
                expect(&r, (*a)->name, l, rig_src(&r, 0)[l], r.reg[RIG_DST][l], hi << 16 | lo);
            }
        }
}

static const struct {
    uint8_t type;
    int bits;
    bool s;
} ints[] = {{T_U8, 8, 0},   {T_S8, 8, 1},   {T_U16, 16, 0}, {T_S16, 16, 1},
            {T_U32, 32, 0}, {T_S32, 32, 1}, {T_U64, 64, 0}, {T_S64, 64, 1}};

static __int128 lowest(unsigned t) { return ints[t].s ? -((__int128)1 << (ints[t].bits - 1)) : 0; }
static __int128 highest(unsigned t) { return ((__int128)1 << (ints[t].bits - ints[t].s)) - 1; }
static uint64_t as_word(__int128 v, unsigned t) { return ints[t].bits == 64 ? (uint64_t)v : (uint32_t)v; }

static void float_to_int(void **state)
{
    (void)state;
    struct rng g = {53};
    static struct rig r;
    static const uint8_t rnds[] = {RND_RNI, RND_RZI, RND_RMI, RND_RPI};
    for (unsigned n = 0; n < 5 * 8 * 4 * 30; n++)
        for (const struct xalu *const *a = exec_alus; *a; a++) {
            uint8_t from = fmts[n % 5].type;
            unsigned to = n / 5 % 8;
            rig_init(&r, OP_F2I, ints[to].type);
            r.i.stype = from;
            r.i.rnd = rnds[n / 40 % 4];
            uint64_t in[LANES];
            for (unsigned l = 0; l < LANES; l++)
                put(&r, 0, l, from, in[l] = rand_float(&g, from));
            if (!(*a)->usable())
                continue;
            assert_true(rig_run(&r, *a, ~0u));
            for (unsigned l = 0; l < LANES; l++) {
                struct num v = decode(in[l], from);
                __int128 w;
                if (v.nan) { /* PTX manual: zero, or the top bit if one side has 64 bits */
                    bool top = from == T_F64 || ints[to].bits == 64;
                    w = !top ? 0 : ints[to].s ? lowest(to) : (__int128)1 << (ints[to].bits - 1);
                } else if (v.inf || (v.m && v.e > 70)) {
                    w = v.neg ? lowest(to) : highest(to);
                } else {
                    int rest;
                    unsigned __int128 k = cut(v, 0, &rest);
                    k += goes_up(r.i.rnd, v.neg, k, rest);
                    w = v.neg ? -(__int128)k : (__int128)k;
                    w = w < lowest(to) ? lowest(to) : w > highest(to) ? highest(to) : w;
                }
                expect(&r, (*a)->name, l, in[l], get(&r, l, ints[to].type), as_word(w, to));
            }
        }
}

static uint64_t rand_int(struct rng *g)
{
    uint64_t u = rng_u64(g);
    switch (rng_below(g, 4)) {
    case 0: return rig_word(g) | (uint64_t)rig_word(g) << 32;
    case 1: return (1ull << rng_below(g, 64)) + rng_below(g, 3) - 1;
    case 2: return 0 - (u >> rng_below(g, 64));
    default: return u >> rng_below(g, 64);
    }
}
static __int128 int_value(uint64_t u, unsigned t)
{
    if (ints[t].bits < 64)
        u &= (1ull << ints[t].bits) - 1;
    return ints[t].s && u >> (ints[t].bits - 1) ? (__int128)u - ((__int128)1 << ints[t].bits) : (__int128)u;
}

static void int_to_float(void **state)
{
    (void)state;
    struct rng g = {54};
    static struct rig r;
    static const uint8_t rnds[] = {RND_RN, RND_RZ, RND_RM, RND_RP}, to[] = {T_F16, T_BF16, T_F32, T_F64};
    for (unsigned n = 0; n < 8 * 4 * 4 * 30; n++)
        for (const struct xalu *const *a = exec_alus; *a; a++) {
            unsigned from = n % 8;
            rig_init(&r, OP_I2F, to[n / 8 % 4]);
            r.i.stype = ints[from].type;
            r.i.rnd = rnds[n / 32 % 4];
            r.i.flags = rng_below(&g, 8) ? 0 : IRF_SAT;
            uint64_t in[LANES];
            for (unsigned l = 0; l < LANES; l++)
                put(&r, 0, l, ints[from].type, in[l] = rand_int(&g));
            if (!(*a)->usable())
                continue;
            assert_true(rig_run(&r, *a, ~0u));
            for (unsigned l = 0; l < LANES; l++)
                expect(&r, (*a)->name, l, in[l], get(&r, l, r.i.type),
                       encode(saturate(from_int(int_value(in[l], from)), r.i.flags), r.i.type, r.i.rnd));
        }
}

static void int_to_int(void **state)
{
    (void)state;
    struct rng g = {55};
    static struct rig r;
    for (unsigned n = 0; n < 8 * 8 * 2 * 10; n++)
        for (const struct xalu *const *a = exec_alus; *a; a++) {
            unsigned from = n % 8, to = n / 8 % 8;
            rig_init(&r, OP_I2I, ints[to].type);
            r.i.stype = ints[from].type;
            r.i.flags = n / 64 & 1 ? IRF_SAT : 0;
            uint64_t in[LANES];
            for (unsigned l = 0; l < LANES; l++)
                put(&r, 0, l, ints[from].type, in[l] = rand_int(&g));
            if (!(*a)->usable())
                continue;
            assert_true(rig_run(&r, *a, ~0u));
            for (unsigned l = 0; l < LANES; l++) {
                __int128 v = int_value(in[l], from);
                if (r.i.flags)
                    v = v < lowest(to) ? lowest(to) : v > highest(to) ? highest(to) : v;
                v = int_value((uint64_t)v, to);
                expect(&r, (*a)->name, l, in[l], get(&r, l, ints[to].type), as_word(v, to));
            }
        }
}

static void round_to_integral(void **state)
{
    (void)state;
    struct rng g = {56};
    static struct rig r;
    static const uint8_t rnds[] = {RND_RNI, RND_RZI, RND_RMI, RND_RPI},
                         types[] = {T_F16, T_BF16, T_F32, T_F64};
    for (unsigned n = 0; n < 16 * 40; n++)
        for (const struct xalu *const *a = exec_alus; *a; a++) {
            uint8_t t = types[n % 4];
            rig_init(&r, OP_FRND, t);
            r.i.rnd = rnds[n / 4 % 4];
            uint64_t in[LANES];
            for (unsigned l = 0; l < LANES; l++)
                put(&r, 0, l, t, in[l] = rand_float(&g, t));
            if (!(*a)->usable())
                continue;
            assert_true(rig_run(&r, *a, ~0u));
            for (unsigned l = 0; l < LANES; l++) {
                struct num v = decode(in[l], t);
                if (!v.nan && !v.inf && v.e < 0) {
                    int rest;
                    unsigned __int128 k = cut(v, 0, &rest);
                    v.m = k + goes_up(r.i.rnd, v.neg, k, rest);
                    v.e = 0;
                }
                expect(&r, (*a)->name, l, in[l], get(&r, l, t), encode_of(v, in[l], t, t, RND_RN));
            }
        }
}

/* a + b exactly, where the terms may be so far apart that the smaller is only a hint. */
static struct num sum(struct num a, struct num b)
{
    if (a.nan || b.nan || (a.inf && b.inf && a.neg != b.neg))
        return (struct num){.nan = true};
    if (a.inf || b.inf)
        return a.inf ? a : b;
    if (!a.m && !b.m)
        return (struct num){.neg = a.neg && b.neg};
    if (!a.m || !b.m)
        return a.m ? a : b;
    if (a.e < b.e) {
        struct num t = a;
        a = b;
        b = t;
    }
    if (a.e - b.e > 80) { /* a 2^40 is exact and b below its last bit */
        a.m <<= 40;
        a.e -= 40;
        a.m -= a.neg != b.neg;
        a.sticky = true;
        return a;
    }
    __int128 x = (__int128)(a.m << (a.e - b.e)), y = (__int128)b.m;
    x = (a.neg ? -x : x) + (b.neg ? -y : y);
    struct num r = from_int(x);
    r.e = b.e;
    return r;
}
static struct num product(struct num a, struct num b)
{
    struct num r = {.neg = a.neg != b.neg, .m = a.m * b.m, .e = a.e + b.e};
    r.nan = a.nan || b.nan || (a.inf && !b.inf && !b.m) || (b.inf && !a.inf && !a.m);
    r.inf = !r.nan && (a.inf || b.inf);
    return r;
}

static uint32_t half_ref(uint8_t op, uint8_t t, uint32_t a, uint32_t b, uint32_t c)
{
    struct num x = decode(a, t), y = decode(b, t), z = decode(c, t);
    struct num r = op == OP_HADD2 ? sum(x, y) : op == OP_HMUL2 ? product(x, y) : sum(product(x, y), z);
    return (uint32_t)encode(r, t, RND_RN);
}

static void half_arithmetic(void **state)
{
    (void)state;
    struct rng g = {57};
    static struct rig r;
    for (unsigned n = 0; n < 3 * 2 * 4000; n++)
        for (const struct xalu *const *a = exec_alus; *a; a++) {
            uint8_t t = n & 1 ? T_F16 : T_BF16, op = (uint8_t)(OP_HADD2 + n / 2 % 3);
            rig_init(&r, op, n & 1 ? T_F16X2 : T_BF16X2);
            rig_fill(&r, &g);
            for (unsigned l = 0; l < LANES; l += 2) { /* any halves; and products whose tail decides a tie */
                for (unsigned k = 0; k < 3; k++)
                    rig_src(&r, k)[l] = rng_u32(&g);
                if (l & 2) {
                    rig_src(&r, 0)[l] = (rng_u32(&g) & 0x00ff00ff) | (n & 1 ? 0x3c003c00 : 0x3f803f80);
                    rig_src(&r, 1)[l] = (rng_u32(&g) & 0x007f007f) | (n & 1 ? 0x3c003c00 : 0x3f803f80);
                    rig_src(&r, 2)[l] = rng_u32(&g) & 0x80038003;
                }
            }
            if (!(*a)->usable())
                continue;
            assert_true(rig_run(&r, *a, ~0u));
            for (unsigned l = 0; l < LANES; l++)
                for (unsigned at = 0; at < 32; at += 16) {
                    uint32_t x = rig_src(&r, 0)[l] >> at & 0xffff, y = rig_src(&r, 1)[l] >> at & 0xffff,
                             z = rig_src(&r, 2)[l] >> at & 0xffff;
                    uint32_t want = half_ref(op, t, x, y, z), got = r.reg[RIG_DST][l] >> at & 0xffff;
                    if (want != got)
                        fail_msg("%s op %u type %u: %04x %04x %04x gives %04x, not %04x", (*a)->name, op, t,
                                 x, y, z, got, want);
                }
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(float_to_float),  cmocka_unit_test(pack_two),   cmocka_unit_test(float_to_int),
        cmocka_unit_test(int_to_float),    cmocka_unit_test(int_to_int), cmocka_unit_test(round_to_integral),
        cmocka_unit_test(half_arithmetic),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
