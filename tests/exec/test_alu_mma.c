/* Tensor steps against the definition in ops.def, element by element. */
#include "exec/alu_rig.h"

#include <math.h>
#include <stdio.h>

/* Elements per register. */
static unsigned per_reg(uint8_t t)
{
    switch (t) {
    case T_TF32: return 1;
    case T_F16:
    case T_BF16: return 2;
    case T_S8:
    case T_U8: return 4;
    case T_S4:
    case T_U4: return 8;
    default: return 32;
    }
}

/* Register word and position of A[row][k]; B[k][col] is the same with col for row. */
static uint32_t element(struct rig *r, unsigned first, uint8_t t, unsigned row, unsigned k)
{
    unsigned e = per_reg(t), j = k / (4 * e), lane = 4 * row + k % (4 * e) / e, w = 32 / e;
    uint32_t v = rig_src(r, first + j)[lane] >> (w == 32 ? 0 : w * (k % e));
    return w == 32 ? v : v & ((1u << w) - 1);
}

static double half_value(uint32_t h, uint8_t t)
{
    if (t == T_TF32)
        return bits_f32(h & 0xffffe000);
    if (t == T_BF16)
        return bits_f32(h << 16);
    int e = h >> 10 & 31;
    double m = h & 0x3ff, v = e == 31 ? (m ? NAN : INFINITY) : e ? ldexp(1024 + m, e - 25) : ldexp(m, -24);
    return h >> 15 ? -v : v;
}

static int64_t int_value(uint32_t v, unsigned bits, bool s)
{
    return s && v >> (bits - 1) ? (int64_t)v - (1ll << bits) : v;
}

/* Small values keep every partial sum exact, so the order does not matter. */
static void fill_halves(struct rig *r, struct rng *g, uint8_t t)
{
    for (unsigned k = 0; k < 4; k++)
        for (unsigned l = 0; l < LANES; l++) {
            uint32_t v = rng_u32(g);
            rig_src(r, k)[l] = t == T_F16    ? (v & 0x83ff83ff) | 0x3c003c00
                               : t == T_BF16 ? (v & 0x80ff80ff) | 0x3f003f00
                                             : (v & 0x80ffffff) | 0x3f000000;
        }
}

static void float_steps(void **state)
{
    (void)state;
    struct rng g = {61};
    static struct rig r;
    static const uint8_t types[] = {T_F16, T_BF16, T_TF32};
    for (unsigned n = 0; n < 3 * 2 * 60; n++)
        for (const struct xalu *const *a = exec_alus; *a; a++) {
            uint8_t t = types[n % 3];
            bool one = n / 3 & 1;
            rig_init(&r, OP_HMMA, T_F32);
            rig_fill(&r, &g);
            fill_halves(&r, &g, t);
            for (unsigned l = 0; l < 2 * LANES; l++)
                rig_src(&r, 4 + l / LANES)[l % LANES] = f32_to_bits((float)(int32_t)rng_u32(&g) * 0x1p-24f);
            r.i.stype = t;
            if (one)
                r.i.src[1].kind = r.i.src[3].kind = OPND_NONE;
            if (!(*a)->usable())
                continue;
            assert_true(rig_run(&r, *a, ~0u));
            for (unsigned row = 0; row < 8; row++)
                for (unsigned col = 0; col < 8; col++) {
                    double sum = 0;
                    for (unsigned k = 0; k < 4 * per_reg(t) * (one ? 1 : 2); k++)
                        sum += half_value(element(&r, 0, t, row, k), t) *
                               half_value(element(&r, 2, t, col, k), t);
                    unsigned lane = 4 * row + col / 2;
                    float want = (float)(sum + bits_f32(rig_src(&r, 4 + col % 2)[lane]));
                    if (r.reg[RIG_DST + col % 2][lane] != f32_to_bits(want))
                        fail_msg("%s type %u: D[%u][%u] = %a, not %a", (*a)->name, t, row, col,
                                 bits_f32(r.reg[RIG_DST + col % 2][lane]), want);
                }
        }
}

/* f16 accumulators: integers up to 2048 and a bit are exact; NaN and infinity travel. */
static void half_accumulators(void **state)
{
    (void)state;
    struct rng g = {62};
    static struct rig r;
    for (unsigned n = 0; n < 50; n++) {
        rig_init(&r, OP_HMMA, T_F16);
        r.i.stype = T_F16;
        for (unsigned l = 0; l < LANES; l++) {
            for (unsigned k = 0; k < 4; k++) /* 0 or +-1 */
                rig_src(&r, k)[l] = (rng_below(&g, 3) ? 0x3c00 : 0) | (rng_below(&g, 3) ? 0xbc000000 : 0);
            rig_src(&r, 4)[l] = 0x40004800; /* 8, 2 */
        }
        rig_src(&r, 4)[5] = 0x7e017c00;
        assert_true(rig_run(&r, rig_best(), ~0u));
        assert_int_equal(r.reg[RIG_DST][5], 0x7fff7c00);
        for (unsigned row = 0; row < 8; row++)
            for (unsigned col = 0; col < 8; col++) {
                unsigned lane = 4 * row + col / 2;
                if (lane == 5)
                    continue;
                double sum = col & 1 ? 2 : 8;
                for (unsigned k = 0; k < 16; k++)
                    sum += half_value(element(&r, 0, T_F16, row, k), T_F16) *
                           half_value(element(&r, 2, T_F16, col, k), T_F16);
                assert_true(half_value(r.reg[RIG_DST][lane] >> (col & 1 ? 16 : 0) & 0xffff, T_F16) == sum);
            }
    }
}

static void integer_steps(void **state)
{
    (void)state;
    struct rng g = {63};
    static struct rig r;
    static const uint8_t types[] = {T_S8, T_U4};
    for (unsigned n = 0; n < 2 * 2 * 4 * 2 * 20; n++)
        for (const struct xalu *const *a = exec_alus; *a; a++) {
            uint8_t t = types[n & 1];
            unsigned bits = t == T_S8 ? 8 : 4;
            bool one = n & 2, sat = n & 4;
            rig_init(&r, OP_IMMA, T_S32);
            rig_fill(&r, &g);
            r.i.stype = t;
            r.i.bop = n / 8 & 3;
            r.i.flags = sat ? IRF_SAT : 0;
            if (one)
                r.i.src[1].kind = r.i.src[3].kind = OPND_NONE;
            if (!(*a)->usable())
                continue;
            assert_true(rig_run(&r, *a, ~0u));
            for (unsigned row = 0; row < 8; row++)
                for (unsigned col = 0; col < 8; col++) {
                    unsigned lane = 4 * row + col / 2;
                    int64_t sum = (int32_t)rig_src(&r, 4 + col % 2)[lane];
                    for (unsigned k = 0; k < 4 * per_reg(t) * (one ? 1 : 2); k++)
                        sum += int_value(element(&r, 0, t, row, k), bits, r.i.bop & 1) *
                               int_value(element(&r, 2, t, col, k), bits, r.i.bop & 2);
                    if (sat)
                        sum = sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : sum;
                    assert_int_equal(r.reg[RIG_DST + col % 2][lane], (uint32_t)sum);
                }
        }
}

static void bit_steps(void **state)
{
    (void)state;
    struct rng g = {64};
    static struct rig r;
    for (unsigned n = 0; n < 40; n++)
        for (const struct xalu *const *a = exec_alus; *a; a++) {
            rig_init(&r, OP_BMMA, T_S32);
            rig_fill(&r, &g);
            r.i.stype = T_B1;
            r.i.sub = n & 1;
            if (!(*a)->usable())
                continue;
            assert_true(rig_run(&r, *a, ~0u));
            for (unsigned row = 0; row < 8; row++)
                for (unsigned col = 0; col < 8; col++) {
                    unsigned lane = 4 * row + col / 2;
                    uint32_t sum = rig_src(&r, 4 + col % 2)[lane];
                    for (unsigned k = 0; k < 256; k++) {
                        uint32_t x = element(&r, 0, T_B1, row, k), y = element(&r, 2, T_B1, col, k);
                        sum += n & 1 ? x & y : x ^ y;
                    }
                    assert_int_equal(r.reg[RIG_DST + col % 2][lane], sum);
                }
        }
}

static void double_steps(void **state)
{
    (void)state;
    struct rng g = {65};
    static struct rig r;
    for (unsigned n = 0; n < 100; n++)
        for (const struct xalu *const *a = exec_alus; *a; a++) {
            double v[6][LANES];
            rig_init(&r, OP_DMMA, T_F64);
            r.i.sub = n & 1;
            for (unsigned l = 0; l < LANES; l++)
                for (unsigned k = 0; k < 6; k += 2) {
                    v[k][l] = ldexp((double)(int64_t)rng_u64(&g), -63 + (int)rng_below(&g, 20));
                    rig_put64(&r, k, l, f64_to_bits(v[k][l]));
                }
            if (!(*a)->usable())
                continue;
            assert_true(rig_run(&r, *a, ~0u));
            for (unsigned row = 0; row < 8; row++)
                for (unsigned t = 0; t < 4; t++) {
                    unsigned lane = 4 * row + t, col = 2 * t + (n & 1);
                    double acc = v[4][lane];
                    for (unsigned k = 0; k < 4; k++)
                        acc = fma(v[0][4 * row + k], v[2][4 * col + k], acc);
                    assert_true(rig_get64(&r, lane) == f64_to_bits(acc));
                }
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(float_steps), cmocka_unit_test(half_accumulators), cmocka_unit_test(integer_steps),
        cmocka_unit_test(bit_steps),   cmocka_unit_test(double_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
