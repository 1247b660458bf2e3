/* SPDX-License-Identifier: Apache-2.0 */
/* Tensor instructions against the definition in ops.def, element by element. */
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

/* A of 8 rows has as many registers as B, of 16 rows twice as many. */
static const struct size {
    uint8_t a, b;
} sizes[] = {{1, 1}, {2, 1}, {4, 2}};
enum { SIZES = sizeof sizes / sizeof *sizes };

static void set_size(struct rig *r, struct size n)
{
    r->i.src[0].n = n.a;
    r->i.src[1].n = n.b;
    r->i.src[2].n = r->i.dst[0].n = (uint8_t)ir_tensor_acc(&r->i);
}

/* A[row][k] (source 0), or B[k][row] (source 1). */
static uint32_t element(struct rig *r, unsigned source, uint8_t t, unsigned row, unsigned k)
{
    unsigned e = per_reg(t), lane = 4 * (row % 8) + k % (4 * e) / e, w = 32 / e;
    unsigned rows = source ? 1 : r->i.src[0].n / r->i.src[1].n, reg = k / (4 * e) * rows + row / 8;
    uint32_t v = r->reg[RIG_SRC + 4 * source + reg][lane] >> (w == 32 ? 0 : w * (k % e));
    return w == 32 ? v : v & ((1u << w) - 1);
}

/* The accumulator of [row][col] among rows from `first` on. */
static uint32_t *acc_at(struct rig *r, unsigned first, unsigned row, unsigned col)
{
    return &r->reg[first + row / 8 * 2 + col % 2][4 * (row % 8) + col / 2];
}

static unsigned rows_of(const struct rig *r) { return 8u * r->i.src[0].n / r->i.src[1].n; }
static unsigned ks_of(const struct rig *r) { return 4 * per_reg(r->i.stype) * r->i.src[1].n; }

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
    for (unsigned k = 0; k < 8; k++)
        for (unsigned l = 0; l < LANES; l++) {
            uint32_t v = rng_u32(g);
            r->reg[RIG_SRC + k][l] = t == T_F16    ? (v & 0x83ff83ff) | 0x3c003c00
                                     : t == T_BF16 ? (v & 0x80ff80ff) | 0x3f003f00
                                                   : (v & 0x80ffffff) | 0x3f000000;
        }
}

static void floats(void **state)
{
    (void)state;
    struct rng g = {61};
    static struct rig r;
    static const uint8_t types[] = {T_F16, T_BF16, T_TF32};
    for (unsigned n = 0; n < 3 * SIZES * 60; n++)
        for (const struct xalu *const *a = exec_alus; *a; a++) {
            uint8_t t = types[n % 3];
            rig_init(&r, OP_HMMA, T_F32);
            rig_fill(&r, &g);
            fill_halves(&r, &g, t);
            for (unsigned l = 0; l < 4 * LANES; l++)
                r.reg[RIG_SRC + 8 + l / LANES][l % LANES] =
                    f32_to_bits((float)(int32_t)rng_u32(&g) * 0x1p-24f);
            r.i.stype = t;
            set_size(&r, sizes[n / 3 % SIZES]);
            if (!(*a)->usable())
                continue;
            assert_true(rig_run(&r, *a, ~0u));
            for (unsigned row = 0; row < rows_of(&r); row++)
                for (unsigned col = 0; col < 8; col++) {
                    double sum = 0;
                    for (unsigned k = 0; k < ks_of(&r); k++)
                        sum += half_value(element(&r, 0, t, row, k), t) *
                               half_value(element(&r, 1, t, col, k), t);
                    float want = (float)(sum + bits_f32(*acc_at(&r, RIG_SRC + 8, row, col)));
                    uint32_t got = *acc_at(&r, RIG_DST, row, col);
                    if (got != f32_to_bits(want))
                        fail_msg("%s type %u: D[%u][%u] = %a, not %a", (*a)->name, t, row, col, bits_f32(got),
                                 want);
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
        set_size(&r, sizes[1 + n % 2]);
        for (unsigned l = 0; l < LANES; l++) {
            for (unsigned k = 0; k < 8; k++) /* 0 or +-1 */
                r.reg[RIG_SRC + k][l] = (rng_below(&g, 3) ? 0x3c00 : 0) | (rng_below(&g, 3) ? 0xbc000000 : 0);
            for (unsigned k = 0; k < 2; k++)
                r.reg[RIG_SRC + 8 + k][l] = 0x40004800; /* 8, 2 */
        }
        r.reg[RIG_SRC + 9][5] = 0x7e017c00;
        assert_true(rig_run(&r, rig_best(), ~0u));
        assert_int_equal(r.reg[RIG_DST + 1][5], 0x7fff7c00);
        for (unsigned row = 0; row < 16; row++)
            for (unsigned col = 0; col < 8; col++) {
                unsigned lane = 4 * (row % 8) + col / 2;
                if (lane == 5 && row >= 8)
                    continue;
                double sum = col & 1 ? 2 : 8;
                for (unsigned k = 0; k < ks_of(&r); k++)
                    sum += half_value(element(&r, 0, T_F16, row, k), T_F16) *
                           half_value(element(&r, 1, T_F16, col, k), T_F16);
                uint32_t got = r.reg[RIG_DST + row / 8][lane] >> (col & 1 ? 16 : 0) & 0xffff;
                assert_true(half_value(got, T_F16) == sum);
            }
    }
}

static void integers(void **state)
{
    (void)state;
    struct rng g = {63};
    static struct rig r;
    static const uint8_t types[] = {T_S8, T_U4};
    for (unsigned n = 0; n < 2 * 2 * 4 * SIZES * 20; n++)
        for (const struct xalu *const *a = exec_alus; *a; a++) {
            uint8_t t = types[n & 1];
            unsigned bits = t == T_S8 ? 8 : 4;
            bool sat = n & 2;
            rig_init(&r, OP_IMMA, T_S32);
            rig_fill(&r, &g);
            r.i.stype = t;
            r.i.bop = n / 4 & 3;
            r.i.flags = sat ? IRF_SAT : 0;
            set_size(&r, sizes[n / 16 % SIZES]);
            if (!(*a)->usable())
                continue;
            assert_true(rig_run(&r, *a, ~0u));
            for (unsigned row = 0; row < rows_of(&r); row++)
                for (unsigned col = 0; col < 8; col++) {
                    int64_t sum = (int32_t)*acc_at(&r, RIG_SRC + 8, row, col);
                    for (unsigned k = 0; k < ks_of(&r); k++)
                        sum += int_value(element(&r, 0, t, row, k), bits, r.i.bop & 1) *
                               int_value(element(&r, 1, t, col, k), bits, r.i.bop & 2);
                    if (sat)
                        sum = sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : sum;
                    assert_int_equal(*acc_at(&r, RIG_DST, row, col), (uint32_t)sum);
                }
        }
}

static void bits(void **state)
{
    (void)state;
    struct rng g = {64};
    static struct rig r;
    for (unsigned n = 0; n < 2 * SIZES * 10; n++)
        for (const struct xalu *const *a = exec_alus; *a; a++) {
            rig_init(&r, OP_BMMA, T_S32);
            rig_fill(&r, &g);
            r.i.stype = T_B1;
            r.i.sub = n & 1;
            set_size(&r, sizes[n / 2 % SIZES]);
            if (!(*a)->usable())
                continue;
            assert_true(rig_run(&r, *a, ~0u));
            for (unsigned row = 0; row < rows_of(&r); row++)
                for (unsigned col = 0; col < 8; col++) {
                    uint32_t sum = *acc_at(&r, RIG_SRC + 8, row, col);
                    for (unsigned k = 0; k < ks_of(&r); k++) {
                        uint32_t x = element(&r, 0, T_B1, row, k), y = element(&r, 1, T_B1, col, k);
                        sum += n & 1 ? x & y : x ^ y;
                    }
                    assert_int_equal(*acc_at(&r, RIG_DST, row, col), sum);
                }
        }
}

static double double_at(const struct rig *r, unsigned row, unsigned lane)
{
    return bits_f64(r->reg[row][lane] | (uint64_t)r->reg[row + 1][lane] << 32);
}

static void doubles(void **state)
{
    (void)state;
    struct rng g = {65};
    static struct rig r;
    for (unsigned n = 0; n < 100; n++)
        for (const struct xalu *const *a = exec_alus; *a; a++) {
            rig_init(&r, OP_DMMA, T_F64);
            set_size(&r, (struct size){2, 2});
            for (unsigned l = 0; l < LANES; l++)
                for (unsigned k = 0; k < 12; k += 2) {
                    double v = ldexp((double)(int64_t)rng_u64(&g), -63 + (int)rng_below(&g, 20));
                    r.reg[RIG_SRC + k][l] = (uint32_t)f64_to_bits(v);
                    r.reg[RIG_SRC + k + 1][l] = (uint32_t)(f64_to_bits(v) >> 32);
                }
            if (!(*a)->usable())
                continue;
            assert_true(rig_run(&r, *a, ~0u));
            for (unsigned row = 0; row < 8; row++)
                for (unsigned col = 0; col < 8; col++) {
                    unsigned lane = 4 * row + col / 2, i = 2 * (col % 2);
                    double acc = double_at(&r, RIG_SRC + 8 + i, lane);
                    for (unsigned k = 0; k < 4; k++)
                        acc = fma(double_at(&r, RIG_SRC, 4 * row + k),
                                  double_at(&r, RIG_SRC + 4, 4 * col + k), acc);
                    assert_true(f64_to_bits(double_at(&r, RIG_DST + i, lane)) == f64_to_bits(acc));
                }
        }
}

/* Tuples that no matrices have. */
static void refused(void **state)
{
    (void)state;
    static struct rig r;
    static const struct size bad[] = {{1, 2}, {2, 2}, {3, 1}, {4, 1}, {4, 4}, {0, 1}, {1, 0}, {8, 4}};
    for (unsigned k = 0; k < sizeof bad / sizeof *bad; k++) {
        rig_init(&r, OP_HMMA, T_F32);
        r.i.stype = T_F16;
        r.i.src[0].n = bad[k].a;
        r.i.src[1].n = bad[k].b;
        assert_null(rig_plain()->select(&r.i));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(floats), cmocka_unit_test(half_accumulators), cmocka_unit_test(integers),
        cmocka_unit_test(bits),   cmocka_unit_test(doubles),           cmocka_unit_test(refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
