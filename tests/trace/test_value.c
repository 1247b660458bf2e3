/* SPDX-License-Identifier: Apache-2.0 */
/* Value classes against the definition, written as a plain loop. */
#include "base/rng.h"
#include "trace/write/value.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

static enum tr_value plain(const uint32_t *row, unsigned n)
{
    static const struct {
        enum tr_value cls;
        unsigned step, group;
    } all[] = {
        {TV_CONST, 0, 32}, {TV_STRIDE1, 1, 32}, {TV_STRIDE4, 4, 32}, {TV_HALF1, 1, 16}, {TV_HALF4, 4, 16}};
    for (unsigned k = 0; k < sizeof all / sizeof all[0]; k++) {
        unsigned l = 0;
        while (l < n && row[l] == row[l - l % all[k].group] + all[k].step * (l % all[k].group))
            l++;
        if (l == n)
            return all[k].cls;
    }
    return TV_OTHER;
}

static void check(const uint32_t *row, unsigned n)
{
    enum tr_value want = plain(row, n), got = tr_value_class(row, n == 32 ? ~0u : (1u << n) - 1);
    if (want != got)
        fail_msg("%u lanes, %08x %08x ... %08x: %d, should be %d", n, row[0], row[1], row[16], got, want);
}

/* Rows of every class, whole and with one lane changed, at every number of lanes. */
static void classes(void **state)
{
    (void)state;
    static const uint32_t steps[] = {0, 1, 4, 2, 3, 5, 8, 0xffffffff, 0xfffffffc},
                          starts[] = {0, 7, 0xfffffff8};
    uint32_t row[32] __attribute__((aligned(128)));
    unsigned seen[TV_COUNT] = {0};
    for (unsigned s = 0; s < sizeof steps / sizeof steps[0]; s++) {
        for (unsigned b = 0; b < 9; b++) {
            for (unsigned bad = 0; bad <= 32; bad++) {
                for (unsigned l = 0; l < 32; l++) {
                    uint32_t base = starts[b / 3] + (l < 16 ? 0 : b % 3 == 0 ? 16 * steps[s] : 100 * (b % 3));
                    row[l] = base + steps[s] * (l % 16) + (l == bad ? 1 : 0);
                }
                for (unsigned n = 1; n <= 32; n++)
                    check(row, n);
                seen[plain(row, 32)]++;
            }
        }
    }
    for (unsigned c = 0; c < TV_COUNT; c++)
        assert_true(seen[c] > 0);
}

static void random_rows(void **state)
{
    (void)state;
    struct rng r = {7};
    uint32_t row[32] __attribute__((aligned(128)));
    for (unsigned k = 0; k < 20000; k++) {
        uint32_t few = 1 + rng_below(&r, 3);
        for (unsigned l = 0; l < 32; l++)
            row[l] = rng_below(&r, few) + (k % 3 == 0 ? l : k % 3 == 1 ? 4 * l : 0);
        check(row, 1 + rng_below(&r, 32));
        check(row, 32);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(classes), cmocka_unit_test(random_rows)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
