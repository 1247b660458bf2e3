/* SPDX-License-Identifier: Apache-2.0 */
/* The tables by which XORWOW skips ahead: small jumps against single steps, each row against the one before it twice. */
#define __device__
#include "../../include/bankshot/curand_jump.h"

#include "base/rng.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void step(uint32_t v[5])
{
    uint32_t t = v[0] ^ v[0] >> 2;
    memmove(v, v + 1, 4 * sizeof *v);
    v[4] = v[3] ^ v[3] << 4 ^ t ^ t << 1;
}

/* The polynomial q of the step, applied to v. */
static void apply(uint32_t v[5], const uint32_t q[5])
{
    uint32_t sum[5] = {0};
    for (unsigned k = 0; k < 160; k++, step(v))
        if (q[k / 32] >> k % 32 & 1)
            for (unsigned i = 0; i < 5; i++)
                sum[i] ^= v[i];
    memcpy(v, sum, sizeof sum);
}

static void random_state(struct rng *r, uint32_t v[5])
{
    for (unsigned i = 0; i < 5; i++)
        v[i] = rng_u32(r);
}

static void by_steps(void **state)
{
    (void)state;
    struct rng r = {1};
    for (unsigned row = 0; row < 15; row++) {
        uint32_t a[5], b[5];
        random_state(&r, a);
        memcpy(b, a, sizeof b);
        apply(a, __curand_jump_steps[row]);
        for (unsigned n = 0; n < 1u << row; n++)
            step(b);
        assert_memory_equal(a, b, sizeof a);
    }
}

/* Is jumping by `to` the same as jumping by `from` n times? A state of 160 random bits tells two polynomials apart all but
 * surely; three of them are asked. */
static void check(struct rng *r, const uint32_t *to, const uint32_t *from, unsigned n)
{
    for (unsigned times = 0; times < 3; times++) {
        uint32_t a[5], b[5];
        random_state(r, a);
        memcpy(b, a, sizeof b);
        apply(a, to);
        for (unsigned k = 0; k < n; k++)
            apply(b, from);
        assert_memory_equal(a, b, sizeof a);
    }
}

static void by_doubling(void **state)
{
    (void)state;
    struct rng r = {2};
    for (unsigned row = 1; row < 64; row++) {
        check(&r, __curand_jump_steps[row], __curand_jump_steps[row - 1], 2);
        check(&r, __curand_jump_sequences[row], __curand_jump_sequences[row - 1], 2);
    }
    check(&r, __curand_jump_sequences[0], __curand_jump_steps[63], 16); /* 2^67 = 16 * 2^63 */
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(by_steps), cmocka_unit_test(by_doubling)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
