/* SPDX-License-Identifier: Apache-2.0 */
/* Float operations against the host's own arithmetic and plain definitions. */
#include "exec/alu_rig.h"

#include <fenv.h>
#include <math.h>
#include <stdio.h>

static uint32_t flush(uint32_t u) { return u << 1 < 0x01000000 ? u & 0x80000000 : u; }
static bool is_nan(uint32_t u) { return (u & 0x7fffffff) > 0x7f800000; }

static const uint8_t rnds[] = {RND_RN, RND_RZ, RND_RM, RND_RP};
static int host(uint8_t rnd)
{
    return rnd == RND_RZ   ? FE_TOWARDZERO
           : rnd == RND_RM ? FE_DOWNWARD
           : rnd == RND_RP ? FE_UPWARD
                           : FE_TONEAREST;
}

/* The compiler must not move arithmetic out of the rounding mode. */
static float do_f32(uint8_t op, uint8_t rnd, volatile float a, volatile float b, volatile float c)
{
    fesetround(host(rnd));
    volatile float r = op == OP_FADD ? a + b : op == OP_FMUL ? a * b : fmaf(a, b, c);
    fesetround(FE_TONEAREST);
    return r;
}
static double do_f64(uint8_t op, uint8_t sub, uint8_t rnd, volatile double a, volatile double b,
                     volatile double c)
{
    fesetround(host(rnd));
    volatile double r;
    if (op == OP_SLOWF)
        r = sub ? sqrt(a) : a / b;
    else
        r = op == OP_DADD ? a + b : op == OP_DMUL ? a * b : fma(a, b, c);
    fesetround(FE_TONEAREST);
    return r;
}

static uint32_t ref_f32(const struct ir_insn *i, const uint32_t in[3])
{
    float v[3];
    for (unsigned k = 0; k < 3; k++) {
        uint32_t u = i->src[k].abs ? in[k] & 0x7fffffff : in[k];
        u ^= i->src[k].neg ? 0x80000000 : 0;
        v[k] = bits_f32(i->flags & IRF_FTZ ? flush(u) : u);
    }
    float r = do_f32(i->op, i->rnd, v[0], v[1], v[2]);
    if (i->flags & IRF_SAT)
        r = !(r > 0) ? 0 : r > 1 ? 1 : r;
    uint32_t u = f32_to_bits(r);
    u = is_nan(u) ? 0x7fffffff : u;
    return i->flags & IRF_FTZ ? flush(u) : u;
}

static void f32_arithmetic(void **state)
{
    (void)state;
    struct rng g = {21};
    static struct rig r;
    for (unsigned n = 0; n < 3 * 4 * 4 * 100; n++)
        for (const struct xalu *const *a = exec_alus; *a; a++) {
            if (!(*a)->usable())
                continue;
            rig_init(&r, (enum ir_op)(OP_FADD + n % 3), T_F32);
            rig_fill(&r, &g);
            r.i.rnd = rnds[n / 3 % 4];
            r.i.flags = (n / 12 & 1 ? IRF_FTZ : 0) | (n / 24 & 1 ? IRF_SAT : 0);
            for (unsigned k = 0; k < 3; k++)
                rig_mod(&r, k, rng_below(&g, 2), !rng_below(&g, 4));
            for (unsigned l = 0; l < 8; l++) { /* close operands: cancellation */
                rig_src(&r, 1)[l] = rig_src(&r, 0)[l] + rng_below(&g, 3) - 1;
                rig_src(&r, 2)[l + 8] =
                    f32_to_bits(bits_f32(rig_src(&r, 0)[l + 8]) * bits_f32(rig_src(&r, 1)[l + 8]));
            }
            assert_true(rig_run(&r, *a, ~0u));
            for (unsigned l = 0; l < LANES; l++) {
                uint32_t in[3] = {rig_src(&r, 0)[l], rig_src(&r, 1)[l], rig_src(&r, 2)[l]};
                uint32_t want = ref_f32(&r.i, in), got = r.reg[RIG_DST][l];
                if (want != got)
                    fail_msg("%s op %u rnd %u flags %#x: %08x %08x %08x gives %08x, not %08x", (*a)->name,
                             r.i.op, r.i.rnd, r.i.flags, in[0], in[1], in[2], got, want);
            }
        }
}

static uint64_t rand64(struct rng *g)
{
    uint64_t u = rng_u64(g);
    switch (u & 7) {
    case 0: return (uint64_t)rig_word(g) << 32;
    case 1: return (uint64_t)rig_word(g) << 32 | 0xffffffff;
    case 2: return f64_to_bits(bits_f32(rig_word(g)));
    case 3: return (rng_u64(g) & 0x800fffffffffffffull) | (1003ull + rng_below(g, 40)) << 52;
    default: return u;
    }
}

/* Of sums and products the second source's, else the third's, else the first's. */
static uint64_t nan_of(const struct ir_insn *i, uint64_t a, uint64_t b, uint64_t c)
{
    const uint64_t in[3] = {b, i->op == OP_DFMA ? c : b, a};
    for (unsigned k = 0; k < 3 && i->op != OP_SLOWF; k++)
        if (isnan(bits_f64(in[k])))
            return in[k] | 1ull << 51;
    return 0xfff8000000000000ull;
}

static void f64_arithmetic(void **state)
{
    (void)state;
    struct rng g = {22};
    static struct rig r;
    static const uint8_t ops[] = {OP_DADD, OP_DMUL, OP_DFMA, OP_SLOWF, OP_SLOWF};
    for (unsigned n = 0; n < 5 * 4 * 100; n++)
        for (const struct xalu *const *a = exec_alus; *a; a++) {
            if (!(*a)->usable())
                continue;
            rig_init(&r, ops[n % 5], T_F64);
            r.i.sub = n % 5 == 4;
            r.i.rnd = rnds[n / 5 % 4];
            uint64_t in[3][LANES];
            for (unsigned l = 0; l < LANES; l++)
                for (unsigned k = 0; k < 3; k++) {
                    in[k][l] = k == 1 && l < 8 ? in[0][l] ^ rng_below(&g, 4) : rand64(&g);
                    rig_put64(&r, k, l, in[k][l]);
                }
            bool neg = rng_below(&g, 2);
            rig_mod(&r, 1, neg, false);
            assert_true(rig_run(&r, *a, ~0u));
            for (unsigned l = 0; l < LANES; l++) {
                double y = bits_f64(in[1][l] ^ (neg ? 1ull << 63 : 0));
                double d = do_f64(r.i.op, r.i.sub, r.i.rnd, bits_f64(in[0][l]), y, bits_f64(in[2][l]));
                uint64_t want = d == d ? f64_to_bits(d) : nan_of(&r.i, in[0][l], in[1][l], in[2][l]),
                         got = rig_get64(&r, l);
                if (want != got)
                    fail_msg("%s op %u sub %u rnd %u: %016llx %016llx %016llx gives %016llx, not %016llx",
                             (*a)->name, r.i.op, r.i.sub, r.i.rnd, (unsigned long long)in[0][l],
                             (unsigned long long)in[1][l], (unsigned long long)in[2][l],
                             (unsigned long long)got, (unsigned long long)want);
            }
        }
}

/* Order of min and max: -inf < ... < -0 < +0 < ... < inf; NaN as the flags say. */
static uint32_t ref_mnmx(const struct ir_insn *i, uint32_t a, uint32_t b)
{
    if (i->flags & IRF_FTZ)
        a = flush(a), b = flush(b);
    uint32_t sign = (a ^ b) & 0x80000000;
    if (i->flags & IRF_XORSIGN)
        a &= 0x7fffffff, b &= 0x7fffffff;
    if (is_nan(a) && is_nan(b))
        return 0x7fffffff;
    if ((is_nan(a) || is_nan(b)) && i->flags & IRF_NAN)
        return 0x7fffffff;
    uint32_t r;
    if (is_nan(a) || is_nan(b)) {
        r = is_nan(a) ? b : a;
    } else {
        float x = bits_f32(a), y = bits_f32(b);
        bool less = x < y || (x == y && (a >> 31) > (b >> 31));
        r = less == !i->sub ? a : b;
    }
    return i->flags & IRF_XORSIGN ? r | sign : r;
}

static void f32_minmax(void **state)
{
    (void)state;
    struct rng g = {23};
    static struct rig r;
    static const uint16_t flag[] = {
        0, IRF_FTZ, IRF_NAN, IRF_XORSIGN, IRF_NAN | IRF_XORSIGN, IRF_FTZ | IRF_NAN};
    for (unsigned n = 0; n < 12 * 60; n++)
        for (const struct xalu *const *a = exec_alus; *a; a++) {
            if (!(*a)->usable())
                continue;
            rig_init(&r, OP_FMNMX, T_F32);
            rig_fill(&r, &g);
            r.i.sub = n & 1;
            r.i.flags = flag[n / 2 % 6];
            assert_true(rig_run(&r, *a, ~0u));
            for (unsigned l = 0; l < LANES; l++)
                assert_int_equal(r.reg[RIG_DST][l], ref_mnmx(&r.i, rig_src(&r, 0)[l], rig_src(&r, 1)[l]));
        }
}

static bool ref_cmp(uint8_t cmp, double a, double b)
{
    bool un = isnan(a) || isnan(b);
    switch (cmp) {
    case CMP_EQ: return !un && a == b;
    case CMP_NE: return !un && a != b;
    case CMP_LT: return !un && a < b;
    case CMP_LE: return !un && a <= b;
    case CMP_GT: return !un && a > b;
    case CMP_GE: return !un && a >= b;
    case CMP_EQU: return un || a == b;
    case CMP_NEU: return un || a != b;
    case CMP_LTU: return un || a < b;
    case CMP_LEU: return un || a <= b;
    case CMP_GTU: return un || a > b;
    case CMP_GEU: return un || a >= b;
    case CMP_NUM: return !un;
    default: return un;
    }
}

static void comparisons(void **state)
{
    (void)state;
    struct rng g = {24};
    static struct rig r;
    static const uint8_t cmps[] = {CMP_EQ,  CMP_NE,  CMP_LT,  CMP_LE,  CMP_GT,  CMP_GE,  CMP_EQU,
                                   CMP_NEU, CMP_LTU, CMP_LEU, CMP_GTU, CMP_GEU, CMP_NUM, CMP_NAN};
    for (unsigned n = 0; n < 14 * 2 * 40; n++)
        for (const struct xalu *const *a = exec_alus; *a; a++) {
            if (!(*a)->usable())
                continue;
            bool wide = n & 1, ftz = n / 28 & 1;
            rig_init(&r, wide ? OP_DSETP : OP_FSETP, wide ? T_F64 : T_F32);
            rig_fill(&r, &g);
            r.i.cmp = cmps[n / 2 % 14];
            r.i.flags = ftz && !wide ? IRF_FTZ : 0;
            for (unsigned l = 0; l < LANES; l += 2)
                for (unsigned h = 0; h < 2; h++)
                    rig_src(&r, 1)[h * LANES + l] = rig_src(&r, 0)[h * LANES + l];
            assert_true(rig_run(&r, *a, ~0u));
            for (unsigned l = 0; l < LANES; l++) {
                double v[2];
                for (unsigned k = 0; k < 2; k++) {
                    uint32_t u = rig_src(&r, k)[l];
                    uint64_t u64 = u | (uint64_t)rig_src(&r, k)[LANES + l] << 32;
                    v[k] = wide ? bits_f64(u64) : bits_f32(r.i.flags ? flush(u) : u);
                }
                assert_int_equal(r.w.pred[6] >> l & 1, ref_cmp(r.i.cmp, v[0], v[1]));
                assert_int_equal(r.w.pred[8] >> l & 1, !ref_cmp(r.i.cmp, v[0], v[1]));
            }
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(f32_arithmetic),
        cmocka_unit_test(f64_arithmetic),
        cmocka_unit_test(f32_minmax),
        cmocka_unit_test(comparisons),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
