/* SPDX-License-Identifier: Apache-2.0 */
/* Passes of shared memory: known patterns, and that what is kept of one pattern is never told of another. */
#include "sm/l1/passes.h"

#include "base/rng.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static const uint32_t all = ~0u;

static uint8_t once(uint32_t banks, const struct tr_addr *a, uint32_t mask, uint32_t width, bool atomic)
{
    struct passes_cache fresh = {0};
    return passes_of(&fresh, banks, a, mask, width, atomic);
}

static void patterns(void **state)
{
    (void)state;
    const struct tr_addr same = {.form = TF_STRIDE, .base = 64},
                         line = {.form = TF_STRIDE, .base = 4, .stride = 4},
                         column = {.form = TF_STRIDE, .base = 256, .stride = 128},
                         wide = {.form = TF_STRIDE, .stride = 16}, odd = {.form = TF_STRIDE, .stride = 132},
                         tile = {.form = TF_GROUPS, .log2 = 4, .stride = 4, .jump = 128},
                         rows = {.form = TF_GROUPS, .log2 = 4, .jump = 64};
    assert_int_equal(once(32, &same, all, 4, false), 1);
    assert_int_equal(once(32, &same, all, 4, true), 32); /* one lane after the other */
    assert_int_equal(once(32, &line, all, 4, false), 1);
    assert_int_equal(once(32, &column, all, 4, false), 32);
    assert_int_equal(once(32, &column, 0xff, 4, false), 8);
    assert_int_equal(once(16, &line, all, 4, false), 2);
    assert_int_equal(once(32, &wide, all, 16, false), 4);
    assert_int_equal(once(32, &odd, all, 4, false), 1);
    assert_int_equal(once(32, &tile, all, 4, false), 2);
    assert_int_equal(once(32, &rows, all, 4, false), 1);
}

/* Few of each kind, so that they meet in the cache: with what others have left there, and with nothing. */
static void kept(void **state)
{
    (void)state;
    static const uint32_t masks[] = {~0u, 0xffff, 0x0f0f0f0f, 1}, widths[] = {1, 4, 8, 16},
                          banks[] = {16, 32, 33};
    struct rng rng = {7};
    for (uint32_t b = 0; b < 3; b++) {
        struct passes_cache c = {0};
        for (uint32_t i = 0; i < 20000; i++) {
            struct tr_addr a = {.form = rng_below(&rng, 2) ? TF_STRIDE : TF_GROUPS,
                                .log2 = (uint8_t)(1 + rng_below(&rng, 4)),
                                .base = 4 * (uint64_t)rng_below(&rng, 300),
                                .stride = 4 * ((int64_t)rng_below(&rng, 40) - 4),
                                .jump = 32 * (int64_t)rng_below(&rng, 6)};
            uint32_t mask = masks[rng_below(&rng, 4)], width = widths[rng_below(&rng, 4)];
            bool atomic = rng_below(&rng, 4) == 0;
            assert_int_equal(passes_of(&c, banks[b], &a, mask, width, atomic),
                             once(banks[b], &a, mask, width, atomic));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(patterns), cmocka_unit_test(kept)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
