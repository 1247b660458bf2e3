/* SPDX-License-Identifier: Apache-2.0 */
/* Sums of tensor products that are cut off, not rounded: what an H200 gives for random matrices, all bits. */
#include "exec/alu_rig.h"

static uint32_t mix(uint32_t x)
{
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    return x ^ x >> 16;
}

/* Of the second kind of data exponents differ more. */
static uint32_t half(uint32_t seed, bool wide)
{
    uint32_t r = mix(seed);
    return (r & 0x83ff) | (wide ? 5 + (r >> 20 & 15) : 13 + (r >> 20 & 3)) << 10;
}
static uint32_t brain(uint32_t seed, bool wide)
{
    uint32_t r = mix(seed);
    return (r & 0x807f) | (wide ? 112 + (r >> 20 & 31) : 125 + (r >> 20 & 3)) << 7;
}
static uint32_t single(uint32_t seed, bool wide)
{
    uint32_t r = mix(seed), q = mix(r);
    return (r & 0x807fffff) | (wide ? 112 + (q & 31) : 125 + (q & 3)) << 23;
}
static uint32_t word(uint32_t seed, bool wide, uint8_t t)
{
    return t == T_F16    ? half(2 * seed, wide) | half(2 * seed + 1, wide) << 16
           : t == T_BF16 ? brain(2 * seed, wide) | brain(2 * seed + 1, wide) << 16
                         : single(seed, wide);
}

static const uint32_t answers[6][4 * LANES] = {
#include "exec/chop.inc"
};

static void as_on_an_h200(void **state)
{
    (void)state;
    static struct rig r;
    static const uint8_t types[] = {T_F16, T_BF16, T_TF32};
    for (unsigned n = 0; n < 6; n++)
        for (const struct xalu *const *a = exec_alus; *a; a++) {
            uint8_t t = types[n / 2];
            if (!(*a)->usable())
                continue;
            rig_init(&r, OP_HMMA, T_F32);
            r.i.stype = t;
            r.i.flags = IRF_CHOP;
            r.i.src[0].n = r.i.src[2].n = r.i.dst[0].n = 4;
            r.i.src[1].n = 2;
            for (uint32_t l = 0; l < LANES; l++) {
                uint32_t base = (LANES + l) * 16 + (1 + n % 2) * 7777777;
                for (uint32_t k = 0; k < 4; k++)
                    r.reg[RIG_SRC + k][l] = word(base + k, n % 2, t);
                for (uint32_t k = 0; k < 2; k++)
                    r.reg[RIG_SRC + 4 + k][l] = word(base + 4 + k, n % 2, t);
                for (uint32_t k = 0; k < 4; k++)
                    r.reg[RIG_SRC + 8 + k][l] = single(base + 8 + k, n % 2);
            }
            assert_true(rig_run(&r, *a, ~0u));
            for (uint32_t k = 0; k < 4; k++)
                for (uint32_t l = 0; l < LANES; l++)
                    if (r.reg[RIG_DST + k][l] != answers[n][k * LANES + l])
                        fail_msg("%s, matrices %u, register %u, lane %u: 0x%08x, not 0x%08x", (*a)->name, n,
                                 k, l, r.reg[RIG_DST + k][l], answers[n][k * LANES + l]);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(as_on_an_h200)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
