/* SPDX-License-Identifier: Apache-2.0 */
/* Special functions: the error bounds of the PTX manual against long double, and the table of special values. */
#include "exec/alu_rig.h"

#include <math.h>
#include <stdio.h>

static long double ref(unsigned sub, long double x)
{
    switch (sub) {
    case MUFU_RCP: return 1 / x;
    case MUFU_RSQ: return 1 / sqrtl(x);
    case MUFU_SQRT: return sqrtl(x);
    case MUFU_SIN: return sinl(x);
    case MUFU_COS: return cosl(x);
    case MUFU_EX2: return exp2l(x);
    case MUFU_LG2: return log2l(x);
    default: return tanhl(x);
    }
}

/* Distance in units of the last place of the exact value (of a normal float, or the smallest subnormal). */
static long double ulps(float got, long double want)
{
    int e;
    frexpl(want, &e);
    e = e < -125 ? -125 : e;
    return fabsl((long double)got - want) / ldexpl(1, e - 24);
}

static void set_up(struct rig *r, unsigned sub, uint16_t flags)
{
    rig_init(r, OP_MUFU, T_F32);
    r->i.sub = (uint8_t)sub;
    r->i.flags = flags;
}

struct bound {
    unsigned sub;
    float lo, hi;
    bool logarithmic;                 /* spread samples over exponents */
    double max_ulp, max_abs, max_rel; /* 0: not asked */
};

/* PTX manual, single-precision approximations; sqrt and rsqrt 2^-22.9 or better, ex2 and rcp in ulps. */
static const struct bound bounds[] = {
    {MUFU_RCP, 0x1p-149f, 0x1.fffffep127f, true, 1, 0, 0},
    {MUFU_RSQ, 0x1p-149f, 0x1.fffffep127f, true, 0, 0, 0x1p-22},
    {MUFU_SQRT, 0x1p-149f, 0x1.fffffep127f, true, 1, 0, 0},
    {MUFU_SIN, -6.2831853f, 6.2831853f, false, 0, 0x1p-20, 0},
    {MUFU_COS, -6.2831853f, 6.2831853f, false, 0, 0x1p-20, 0},
    {MUFU_SIN, 0x1p-126f, 0x1p20f, true, 0, 0, 0x1p-22},
    {MUFU_SIN, 0x1p20f, 0x1.fffffep127f, true, 0, 0x1p-22, 0},
    {MUFU_COS, 0x1p-126f, 0x1.fffffep127f, true, 0, 0x1p-22, 0},
    {MUFU_EX2, -149.9f, 127.99f, false, 2, 0, 0},
    {MUFU_LG2, 0x1p-149f, 0x1.fffffep127f, true, 0, 0, 0x1p-22},
    {MUFU_LG2, 0.5f, 2.0f, false, 0, 0x1p-22, 0},
    {MUFU_TANH, 0x1p-126f, 100.0f, true, 0, 0, 0x1p-11},
};

static float sample(struct rng *g, const struct bound *b)
{
    if (!b->logarithmic)
        return b->lo + (b->hi - b->lo) * (float)((double)rng_u32(g) / 0x1p32);
    uint32_t lo = f32_to_bits(b->lo), hi = f32_to_bits(b->hi);
    return bits_f32(lo + rng_below(g, hi - lo + 1));
}

static void error_bounds(void **state)
{
    (void)state;
    struct rng g = {41};
    static struct rig r;
    for (size_t k = 0; k < sizeof bounds / sizeof *bounds; k++) {
        const struct bound *b = &bounds[k];
        set_up(&r, b->sub, 0);
        for (unsigned n = 0; n < 600; n++) {
            for (unsigned l = 0; l < LANES; l++)
                rig_src(&r, 0)[l] = f32_to_bits(sample(&g, b));
            assert_true(rig_run(&r, rig_best(), ~0u));
            for (unsigned l = 0; l < LANES; l++) {
                float x = bits_f32(rig_src(&r, 0)[l]), got = bits_f32(r.reg[RIG_DST][l]);
                long double want = ref(b->sub, x);
                if (fabsl(want) > 0x1.ffffffp127L) { /* 1/subnormal */
                    assert_true(isinf(got));
                    continue;
                }
                /* The bound is that of docs/machine.md. */
                bool ok = !isnan(got) && (fabsl(want) < 0x1p-126L || ulps(got, want) <= 0.51L);
                if (b->max_ulp)
                    ok = ok && ulps(got, want) <= b->max_ulp;
                if (b->max_abs)
                    ok = ok && fabsl(got - want) <= b->max_abs;
                if (b->max_rel && fabsl(want) >= 0x1p-126L)
                    ok = ok && fabsl(got - want) <= b->max_rel * fabsl(want);
                if (!ok)
                    fail_msg("function %u of %a: %a, not %La", b->sub, x, got, want);
            }
        }
    }
}

#define INF 0x7f800000u
#define NINF 0xff800000u
#define NAN32 0x7fffffffu
#define NEG 0x80000000u
#define ONE 0x3f800000u
#define GOLDEN 0x189283e23c619343ull

static void special_values(void **state)
{
    (void)state;
    static const struct {
        uint8_t sub, ftz;
        uint32_t in, out;
    } tab[] = {
        {MUFU_RCP, 0, 0, INF},
        {MUFU_RCP, 0, NEG, NINF},
        {MUFU_RCP, 0, INF, 0},
        {MUFU_RCP, 0, NINF, NEG},
        {MUFU_RCP, 0, NAN32, NAN32},
        {MUFU_RCP, 1, 1, INF},
        {MUFU_RCP, 1, NEG | 1, NINF},
        {MUFU_RCP, 1, 0x7e800001, 0},
        {MUFU_RCP, 0, 0x7f000000, 0x00400000},
        {MUFU_RSQ, 0, 0, INF},
        {MUFU_RSQ, 0, NEG, NINF},
        {MUFU_RSQ, 0, INF, 0},
        {MUFU_RSQ, 0, 0xbf800000, NAN32},
        {MUFU_RSQ, 0, NINF, NAN32},
        {MUFU_RSQ, 1, 1, INF},
        {MUFU_RSQ, 0, 0x40800000, 0x3f000000},
        {MUFU_SQRT, 0, 0, 0},
        {MUFU_SQRT, 0, NEG, NEG},
        {MUFU_SQRT, 0, INF, INF},
        {MUFU_SQRT, 0, 0xbf800000, NAN32},
        {MUFU_SQRT, 1, 1, 0},
        {MUFU_SIN, 0, 0, 0},
        {MUFU_SIN, 0, NEG, NEG},
        {MUFU_SIN, 0, INF, NAN32},
        {MUFU_SIN, 0, NINF, NAN32},
        {MUFU_SIN, 0, 0x7fc00001, NAN32},
        {MUFU_SIN, 1, NEG | 5, NEG},
        {MUFU_COS, 0, 0, ONE},
        {MUFU_COS, 0, NEG, ONE},
        {MUFU_COS, 0, INF, NAN32},
        {MUFU_EX2, 0, 0, ONE},
        {MUFU_EX2, 0, NEG, ONE},
        {MUFU_EX2, 0, INF, INF},
        {MUFU_EX2, 0, NINF, 0},
        {MUFU_EX2, 0, NAN32, NAN32},
        {MUFU_EX2, 0, 0xc3140000, 2},
        {MUFU_EX2, 1, 0xc3140000, 0},
        {MUFU_EX2, 0, 0x43000000, INF},
        {MUFU_EX2, 0, 0x42fe0000, 0x7f000000},
        {MUFU_LG2, 0, 0, NINF},
        {MUFU_LG2, 0, NEG, NINF},
        {MUFU_LG2, 0, INF, INF},
        {MUFU_LG2, 0, ONE, 0},
        {MUFU_LG2, 0, 0xbf800000, NAN32},
        {MUFU_LG2, 1, 1, NINF},
        {MUFU_LG2, 0, 1, 0xc3150000},
        {MUFU_LG2, 0, NAN32, NAN32},
        {MUFU_LG2, 0, 0x41000000, 0x40400000},
        {MUFU_TANH, 0, INF, ONE},
        {MUFU_TANH, 0, NINF, 0xbf800000},
        {MUFU_TANH, 0, NEG, NEG},
        {MUFU_TANH, 0, NAN32, NAN32},
        {MUFU_TANH, 0, 0x7f7fffff, ONE},
        {MUFU_TANH, 0, 1, 1},
        {MUFU_RCP64H, 0, 0, 0x7ff00000},
        {MUFU_RCP64H, 0, NEG, 0xfff00000},
        {MUFU_RCP64H, 0, 0x7ff00000, 0},
        {MUFU_RCP64H, 0, 0x40000000, 0x3fe00000},
        {MUFU_RCP64H, 0, 0x7ff80000, 0xfff80000},
        {MUFU_RCP64H, 1, 0x000fffff, 0x7ff00000},
        {MUFU_RSQ64H, 0, 0, 0x7ff00000},
        {MUFU_RSQ64H, 0, NEG, 0xfff00000},
        {MUFU_RSQ64H, 0, 0x40100000, 0x3fe00000},
        {MUFU_RSQ64H, 0, 0xbff00000, 0xfff80000},
        {MUFU_RSQ64H, 0, 0x7ff00000, 0},
        {MUFU_RCP, 0, 0xff800001, NAN32},
        {MUFU_RSQ, 0, 0x7f800001, NAN32},
        {MUFU_SQRT, 0, 0x7f800001, NAN32},
        {MUFU_SIN, 0, 0x7f800001, NAN32},
        {MUFU_COS, 0, 0xff800001, NAN32},
        {MUFU_EX2, 0, 0x7f800001, NAN32},
        {MUFU_LG2, 0, 0xff800001, NAN32},
        {MUFU_TANH, 0, 0x7f800001, NAN32},
    };
    static struct rig r;
    for (size_t k = 0; k < sizeof tab / sizeof *tab; k++)
        for (const struct xalu *const *a = exec_alus; *a; a++) {
            set_up(&r, tab[k].sub, tab[k].ftz ? IRF_FTZ : 0);
            for (unsigned l = 0; l < LANES; l++)
                rig_src(&r, 0)[l] = tab[k].in;
            if (!(*a)->usable())
                continue;
            assert_true(rig_run(&r, *a, ~0u));
            for (unsigned l = 0; l < LANES; l++)
                if (r.reg[RIG_DST][l] != tab[k].out)
                    fail_msg("%s: function %u of %08x is %08x, not %08x", (*a)->name, tab[k].sub, tab[k].in,
                             r.reg[RIG_DST][l], tab[k].out);
        }
}

/* 20 good bits in the high word. */
static void high_words(void **state)
{
    (void)state;
    struct rng g = {42};
    static struct rig r;
    for (unsigned n = 0; n < 4000; n++) {
        set_up(&r, n & 1 ? MUFU_RSQ64H : MUFU_RCP64H, 0);
        for (unsigned l = 0; l < LANES; l++)
            rig_src(&r, 0)[l] =
                (rng_u32(&g) & (n & 1 ? 0x7fffffff : ~0u) & ~0x7ff00000u) | (2 + rng_below(&g, 2042)) << 20;
        assert_true(rig_run(&r, rig_best(), ~0u));
        for (unsigned l = 0; l < LANES; l++) {
            double x = bits_f64((uint64_t)rig_src(&r, 0)[l] << 32),
                   got = bits_f64((uint64_t)r.reg[RIG_DST][l] << 32);
            double want = n & 1 ? 1 / sqrt(x) : 1 / x;
            assert_true(fabs(got - want) <= 0x1p-20 * fabs(want));
        }
    }
}

/* f16 results are the nearest to the f32 ones, within one unit of the last place of the exact value. */
static void halves(void **state)
{
    (void)state;
    static struct rig r;
    for (uint32_t h = 0; h < 0x10000; h += LANES) {
        rig_init(&r, OP_MUFU, T_F16X2);
        r.i.sub = MUFU_EX2;
        for (unsigned l = 0; l < LANES; l++)
            rig_src(&r, 0)[l] = (h + l) | (h + l) << 16;
        assert_true(rig_run(&r, rig_best(), ~0u));
        for (unsigned l = 0; l < LANES; l++) {
            uint32_t in = h + l, e = in >> 10 & 31, m = in & 0x3ff;
            double x = (e ? ldexp(1024 + m, (int)e - 25) : ldexp(m, -24)) * (in >> 15 ? -1 : 1);
            uint32_t out = r.reg[RIG_DST][l];
            assert_int_equal(out >> 16, out & 0xffff);
            out &= 0xffff;
            if (e == 31) {
                assert_int_equal(out, m ? 0x7fff : in >> 15 ? 0 : 0x7c00);
                continue;
            }
            double want = exp2(x);
            uint32_t oe = out >> 10, om = out & 0x3ff;
            double got = oe == 31 ? INFINITY : oe ? ldexp(1024 + om, (int)oe - 25) : ldexp(om, -24);
            if (want >= 65520)
                assert_true(isinf(got));
            else
                assert_true(fabs(got - want) <= ldexp(0.5001, (want < 0x1p-14 ? -14 : ilogb(want)) - 10));
        }
    }
}

/* The bits, on every host and with every compiler: a checksum over all functions and many operands. */
static void same_everywhere(void **state)
{
    (void)state;
    struct rng g = {43};
    static struct rig r;
    uint64_t sum = 0;
    for (unsigned n = 0; n < 10 * 400; n++) {
        set_up(&r, n % 10, 0);
        rig_fill(&r, &g);
        for (unsigned l = 16; l < LANES; l++)
            rig_src(&r, 0)[l] = (rng_u32(&g) & 0x7fffff) | (96 + rng_below(&g, 64)) << 23;
        assert_true(rig_run(&r, rig_best(), ~0u));
        for (unsigned l = 0; l < LANES; l++)
            sum = (sum ^ r.reg[RIG_DST][l]) * 0x100000001b3ull;
    }
    if (sum != GOLDEN)
        fail_msg("checksum %llx", (unsigned long long)sum);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(error_bounds), cmocka_unit_test(special_values),  cmocka_unit_test(high_words),
        cmocka_unit_test(halves),       cmocka_unit_test(same_everywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
