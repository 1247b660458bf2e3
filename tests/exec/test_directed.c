/* SPDX-License-Identifier: Apache-2.0 */
/* exec/directed.h, which hosts with one rounding mode use, beside the modes of this host. */
#define ALU_VARIANT plain
#include "base/rng.h"
#include "exec/directed.h"

#include <fenv.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static const struct {
    enum ir_rnd rnd;
    int mode;
} modes[] = {{RND_RN, FE_TONEAREST}, {RND_RZ, FE_TOWARDZERO}, {RND_RM, FE_DOWNWARD}, {RND_RP, FE_UPWARD}};

/* Numbers that meet: small and large exponents, few bits, neighbours of one, of the smallest and of the largest. */
static double some_f64(struct rng *seed)
{
    static const uint64_t edges[] = {
        0, 1, 1ull << 52, 0x7fefffffffffffffull, 0x7ff0000000000000ull, 0x3ff0000000000000ull};
    uint64_t a = rng_u64(seed), b = rng_u64(seed), sign = b & 1ull << 63;
    switch (b & 7) {
    case 0: return as_f64(edges[(b >> 8) % 6] | sign);
    case 1: return as_f64((edges[(b >> 8) % 6] + (a & 3)) | sign);
    case 2: return as_f64(((1023 - 60 + a % 120) << 52) | (b << 20 & 0xfff0000000000ull) | sign);
    case 3: return as_f64((a & 0xfffffffffffffull) | sign);
    case 4: return as_f64(a);
    default: return as_f64(((1023 - 5 + b % 10) << 52) | (a & 0xfffffffffffffull) | sign);
    }
}

static float some_f32(struct rng *seed)
{
    uint64_t a = rng_u64(seed);
    return a & 3 ? as_f32((uint32_t)(a >> 32)) : (float)some_f64(seed);
}

static bool same(double a, double b) { return f64_bits(a) == f64_bits(b) || (a != a && b != b); }
static bool samef(float a, float b) { return f32_bits(a) == f32_bits(b) || (a != a && b != b); }

static void test_doubles(void **state)
{
    (void)state;
    struct rng seed = {7};
    for (unsigned n = 0; n < 400000; n++) {
        volatile double a = some_f64(&seed), b = some_f64(&seed), c = some_f64(&seed);
        if (n % 5 == 0)
            c = -(a * b); /* cancels */
        for (unsigned m = 0; m < 4; m++) {
            enum ir_rnd r = modes[m].rnd;
            fesetround(modes[m].mode);
            volatile double sum = a + b, product = a * b, fma = __builtin_fma(a, b, c), quotient = a / b,
                            root = __builtin_sqrt(a);
            fesetround(FE_TONEAREST);
            if (!same(sum, directed_add(a, b, r)) || !same(product, directed_mul(a, b, r)) ||
                !same(fma, directed_fma(a, b, c, r)) || !same(quotient, directed_div(a, b, r)) ||
                !same(root, directed_sqrt(a, r)))
                fail_msg("%a, %a, %a in mode %u", a, b, c, m);
        }
    }
}

static void test_floats(void **state)
{
    (void)state;
    struct rng seed = {11};
    for (unsigned n = 0; n < 400000; n++) {
        volatile float a = some_f32(&seed), b = some_f32(&seed);
        for (unsigned m = 0; m < 4; m++) {
            fesetround(modes[m].mode);
            volatile float quotient = a / b, root = __builtin_sqrtf(a);
            fesetround(FE_TONEAREST);
            if (!samef(quotient, directed_divf(a, b, modes[m].rnd)) ||
                !samef(root, directed_sqrtf(a, modes[m].rnd)))
                fail_msg("%a, %a in mode %u", (double)a, (double)b, m);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_doubles), cmocka_unit_test(test_floats)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
