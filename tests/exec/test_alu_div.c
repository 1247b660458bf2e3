/* SPDX-License-Identifier: Apache-2.0 */
/* The fast paths of division and square root, built from the instructions that lowering emits: wherever FCHK (or the
 * range test of the root) lets them run, they must round correctly. */
#include "exec/alu_rig.h"

#include <math.h>
#include <stdio.h>

/* One instruction of a sequence: rows instead of registers. */
struct seq {
    struct rig *r;
    const struct xalu *alu;
    bool wide;
};

static void op3(struct seq *s, enum ir_op op, unsigned d, unsigned a, bool nega, unsigned b, unsigned c)
{
    struct rig *r = s->r;
    unsigned src[3] = {a, b, c};
    r->i = (struct ir_insn){.op = (uint8_t)op, .type = s->wide ? T_F64 : T_F32, .rnd = RND_RN};
    r->i.src[0].neg = nega;
    for (unsigned k = 0; k < 3; k++) {
        r->i.src[k].kind = OPND_REG;
        r->x.src[k] = (struct xsrc){.off = src[k] * ROW_B, .neg = k == 0 && nega};
    }
    r->x.dst[0] = d * ROW_B;
    assert_true(rig_run(r, s->alu, ~0u));
}

static void mufu(struct seq *s, unsigned sub, unsigned d, unsigned a)
{
    struct rig *r = s->r;
    r->i = (struct ir_insn){.op = OP_MUFU, .type = T_F32, .sub = (uint8_t)sub};
    r->x.src[0] = (struct xsrc){.off = a * ROW_B};
    r->x.dst[0] = d * ROW_B;
    assert_true(rig_run(r, s->alu, ~0u));
}

enum { A = 0, B = 2, R = 4, E = 6, Q = 8, T = 10, ONE = 12, HALF = 14, G = 16, H = 18 };

static void constants(struct rig *r)
{
    for (unsigned l = 0; l < LANES; l++) {
        r->reg[ONE][l] = 0x3f800000;
        r->reg[HALF][l] = 0x3f000000;
    }
}
static void constants64(struct rig *r)
{
    for (unsigned l = 0; l < LANES; l++) {
        r->reg[ONE][l] = r->reg[HALF][l] = 0;
        r->reg[ONE + 1][l] = 0x3ff00000;
        r->reg[HALF + 1][l] = 0x3fe00000;
    }
}

static uint32_t check(struct seq *s)
{
    struct rig *r = s->r;
    r->i = (struct ir_insn){.op = OP_FCHK, .type = s->wide ? T_F64 : T_F32};
    r->x.src[0] = (struct xsrc){.off = A * ROW_B};
    r->x.src[1] = (struct xsrc){.off = B * ROW_B};
    r->x.pdst[0] = 0;
    assert_true(rig_run(r, s->alu, ~0u));
    return r->w.pred[0];
}

static void div32(struct seq *s)
{
    mufu(s, MUFU_RCP, R, B);
    op3(s, OP_FFMA, E, B, true, R, ONE);
    op3(s, OP_FFMA, R, R, false, E, R);
    op3(s, OP_FMUL, Q, A, false, R, R);
    op3(s, OP_FFMA, T, B, true, Q, A);
    op3(s, OP_FFMA, Q, T, false, R, Q);
    op3(s, OP_FFMA, T, B, true, Q, A);
    op3(s, OP_FFMA, Q, T, false, R, Q);
}

static void div64(struct seq *s)
{
    memset(s->r->reg[R], 0, ROW_B);
    mufu(s, MUFU_RCP64H, R + 1, B + 1);
    op3(s, OP_DFMA, E, B, true, R, ONE);
    op3(s, OP_DFMA, E, E, false, E, E);
    op3(s, OP_DFMA, R, R, false, E, R);
    op3(s, OP_DFMA, E, B, true, R, ONE);
    op3(s, OP_DFMA, R, R, false, E, R);
    op3(s, OP_DMUL, Q, A, false, R, R);
    op3(s, OP_DFMA, T, B, true, Q, A);
    op3(s, OP_DFMA, Q, T, false, R, Q);
}

/* Mantissas near powers of two and near each other; exponents anywhere or at a limit. */
static uint32_t operand32(struct rng *g)
{
    static const uint32_t man[] = {0,        1,        2,        3,        0x7fffff, 0x7ffffe,
                                   0x7ffffd, 0x400000, 0x3fffff, 0x400001, 0x2aaaaa, 0x555555};
    static const uint32_t ex[] = {0,   1,   2,   3,   26,  27,  28,  125, 126, 127,
                                  128, 129, 249, 250, 251, 252, 253, 254, 255};
    uint32_t m = rng_below(g, 3) ? rng_u32(g) & 0x7fffff : man[rng_below(g, 12)];
    uint32_t e = rng_below(g, 3) ? rng_below(g, 256) : ex[rng_below(g, 19)];
    return (rng_u32(g) & 0x80000000) | e << 23 | m;
}

static void quotients_f32(void **state)
{
    (void)state;
    struct rng g = {31};
    static struct rig r;
    rig_init(&r, OP_NOP, T_F32);
    uint64_t fast = 0;
    for (const struct xalu *const *a = exec_alus; *a; a++) {
        struct seq s = {&r, *a, false};
        constants(&r);
        for (unsigned n = 0; n < 60000 && (*a)->usable(); n++) {
            for (unsigned l = 0; l < LANES; l++) {
                r.reg[A][l] = operand32(&g);
                r.reg[B][l] = operand32(&g);
            }
            uint32_t slow = check(&s);
            div32(&s);
            for (unsigned l = 0; l < LANES; l++) {
                float x = bits_f32(r.reg[A][l]), y = bits_f32(r.reg[B][l]);
                if (!isnormal(x) || !isnormal(y))
                    assert_true(slow >> l & 1);
                if (slow >> l & 1)
                    continue;
                fast++;
                if (r.reg[Q][l] != f32_to_bits(x / y))
                    fail_msg("%s: %a / %a = %a, not %a", (*a)->name, x, y, bits_f32(r.reg[Q][l]), x / y);
            }
        }
    }
    assert_true(fast > 500000);
    /* Ordinary operands stay on the fast path. */
    struct seq s = {&r, rig_best(), false};
    for (unsigned l = 0; l < LANES; l++) {
        r.reg[A][l] = f32_to_bits(1e-10f * (float)(l + 1));
        r.reg[B][l] = f32_to_bits(3e12f / (float)(l + 1));
    }
    assert_int_equal(check(&s), 0);
}

static uint64_t operand64(struct rng *g)
{
    static const uint64_t man[] = {
        0, 1, 2, 0xfffffffffffff, 0xffffffffffffe, 0x8000000000000, 0x7ffffffffffff};
    static const uint32_t ex[] = {0,    1,    2,    3,    62,   63,   64,   1022,
                                  1023, 1024, 2042, 2043, 2044, 2045, 2046, 2047};
    uint64_t m = rng_below(g, 3) ? rng_u64(g) >> 12 : man[rng_below(g, 7)];
    uint64_t e = rng_below(g, 3) ? rng_below(g, 2048) : ex[rng_below(g, 16)];
    return (rng_u64(g) & 1ull << 63) | e << 52 | m;
}

static void quotients_f64(void **state)
{
    (void)state;
    struct rng g = {32};
    static struct rig r;
    rig_init(&r, OP_NOP, T_F64);
    uint64_t fast = 0;
    for (const struct xalu *const *a = exec_alus; *a; a++) {
        struct seq s = {&r, *a, true};
        constants64(&r);
        for (unsigned n = 0; n < 20000 && (*a)->usable(); n++) {
            for (unsigned l = 0; l < LANES; l++) {
                uint64_t x = operand64(&g), y = operand64(&g);
                r.reg[A][l] = (uint32_t)x, r.reg[A + 1][l] = (uint32_t)(x >> 32);
                r.reg[B][l] = (uint32_t)y, r.reg[B + 1][l] = (uint32_t)(y >> 32);
            }
            uint32_t slow = check(&s);
            div64(&s);
            for (unsigned l = 0; l < LANES; l++) {
                double x = bits_f64(r.reg[A][l] | (uint64_t)r.reg[A + 1][l] << 32);
                double y = bits_f64(r.reg[B][l] | (uint64_t)r.reg[B + 1][l] << 32);
                if (!isnormal(x) || !isnormal(y))
                    assert_true(slow >> l & 1);
                if (slow >> l & 1)
                    continue;
                fast++;
                double q = bits_f64(r.reg[Q][l] | (uint64_t)r.reg[Q + 1][l] << 32);
                if (f64_to_bits(q) != f64_to_bits(x / y))
                    fail_msg("%s: %a / %a = %a, not %a", (*a)->name, x, y, q, x / y);
            }
        }
    }
    assert_true(fast > 200000);
}

/* s = a rsq(a), corrected once by the exact remainder. */
static void roots_f32(void **state)
{
    (void)state;
    struct rng g = {33};
    static struct rig r;
    rig_init(&r, OP_NOP, T_F32);
    for (const struct xalu *const *a = exec_alus; *a; a++) {
        struct seq s = {&r, *a, false};
        constants(&r);
        for (unsigned n = 0; n < 40000 && (*a)->usable(); n++) {
            for (unsigned l = 0; l < LANES; l++) {
                uint32_t u = operand32(&g) & 0x7fffffff;
                r.reg[A][l] = u < 0x0d000000 || u > 0x7f7fffff ? 0x0d000000 + (u & 0xffffff) : u;
            }
            mufu(&s, MUFU_RSQ, R, A);
            op3(&s, OP_FMUL, G, A, false, R, R);
            op3(&s, OP_FMUL, H, R, false, HALF, R);
            op3(&s, OP_FFMA, E, G, true, G, A);
            op3(&s, OP_FFMA, Q, E, false, H, G);
            for (unsigned l = 0; l < LANES; l++) {
                float x = bits_f32(r.reg[A][l]);
                if (r.reg[Q][l] != f32_to_bits(sqrtf(x)))
                    fail_msg("%s: sqrt %a = %a, not %a", (*a)->name, x, bits_f32(r.reg[Q][l]), sqrtf(x));
            }
        }
    }
}

static void roots_f64(void **state)
{
    (void)state;
    struct rng g = {34};
    static struct rig r;
    rig_init(&r, OP_NOP, T_F64);
    for (const struct xalu *const *a = exec_alus; *a; a++) {
        struct seq s = {&r, *a, true};
        constants64(&r);
        for (unsigned n = 0; n < 20000 && (*a)->usable(); n++) {
            for (unsigned l = 0; l < LANES; l++) {
                uint64_t u = operand64(&g) & ~(1ull << 63);
                if (u >> 32 < 0x03500000 || u >> 32 > 0x7fefffff)
                    u = 0x3500000ull << 32 | (u & 0xfffffffffffff);
                r.reg[A][l] = (uint32_t)u, r.reg[A + 1][l] = (uint32_t)(u >> 32);
            }
            memset(r.reg[R], 0, ROW_B);
            mufu(&s, MUFU_RSQ64H, R + 1, A + 1);
            op3(&s, OP_DMUL, G, A, false, R, R);
            op3(&s, OP_DMUL, H, R, false, HALF, R);
            for (int k = 0; k < 2; k++) {
                op3(&s, OP_DFMA, E, G, true, H, HALF);
                op3(&s, OP_DFMA, G, G, false, E, G);
                op3(&s, OP_DFMA, H, H, false, E, H);
            }
            op3(&s, OP_DFMA, E, G, true, G, A);
            op3(&s, OP_DFMA, Q, E, false, H, G);
            for (unsigned l = 0; l < LANES; l++) {
                double x = bits_f64(r.reg[A][l] | (uint64_t)r.reg[A + 1][l] << 32);
                double q = bits_f64(r.reg[Q][l] | (uint64_t)r.reg[Q + 1][l] << 32);
                if (q != sqrt(x))
                    fail_msg("%s: sqrt %a = %a, not %a", (*a)->name, x, q, sqrt(x));
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quotients_f32),
        cmocka_unit_test(quotients_f64),
        cmocka_unit_test(roots_f32),
        cmocka_unit_test(roots_f64),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
