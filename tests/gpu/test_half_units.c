/* SPDX-License-Identifier: Apache-2.0 */
/* Units that some instructions have a part of, and one path for all partitions: cycles counted by hand, which silicon/mix.cu
 * measures on an H200 (to within the percent that its loop takes). */
#include "mini.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { SHORT = 80, LONG = 240, STEPS = LONG - SHORT };

/* Instructions of two classes in turn, each with registers of its own. */
static uint64_t cost(uint32_t even, uint32_t odd, uint32_t warps, const char *const *sets)
{
    uint64_t c[2];
    for (uint32_t k = 0; k < 2; k++) {
        struct mini m;
        mini_init(&m);
        m.warps = warps;
        m.regs = 128;
        mini_set(&m, "sm.operands=ports");
        mini_set(&m, "sm.bank_write_port=true");
        for (uint32_t i = 0; sets[i]; i++)
            mini_set(&m, sets[i]);
        for (uint32_t i = 0; i < (k ? LONG : SHORT); i++)
            mini_op(&m, i % 2 ? odd : even, (int)(10 + i % 60), 2, MINI_NONE, MINI_NONE);
        c[k] = mini_cycles(&m);
        mini_free(&m);
    }
    return c[1] - c[0];
}

/* Two halves take an FFMA for two cycles each; a product of integers goes to the second. So FFMAs alone take a cycle each,
 * products two, and in turn a cycle each: the product in the second half, the FFMA in the first. */
static void halves(void **state)
{
    (void)state;
    const char *sets[] = {"units.FP32=2",
                          "interval.FP32=2",
                          "interval.IMUL=2",
                          "unit.IMUL=FP32",
                          "sm.imul_units=1",
                          "sm.partitions=1",
                          NULL};
    assert_int_equal(cost(TC_FP32, TC_FP32, 1, sets), STEPS);
    assert_int_equal(cost(TC_IMUL, TC_IMUL, 1, sets), STEPS * 2);
    assert_int_equal(cost(TC_FP32, TC_IMUL, 1, sets), STEPS);
}

/* The same as one unit: a product keeps it for two cycles, an FFMA for one. And two units of which either takes both. */
static void whole(void **state)
{
    (void)state;
    const char *one[] = {"interval.FP32=1", "interval.IMUL=2", "unit.IMUL=FP32", "sm.partitions=1", NULL};
    const char *any[] = {"units.FP32=2",   "interval.FP32=2", "interval.IMUL=2",
                         "unit.IMUL=FP32", "sm.partitions=1", NULL};
    assert_int_equal(cost(TC_FP32, TC_IMUL, 1, one), STEPS * 3 / 2);
    assert_int_equal(cost(TC_IMUL, TC_IMUL, 1, any), STEPS);
}

/* A partition shuffles every other cycle. With one a cycle for the SM two partitions still do, and four every fourth. */
static void shuffles(void **state)
{
    (void)state;
    const char *apart[] = {"interval.SHFL=2", "sm.shfl_cyc=0", "sm.partitions=4", NULL};
    const char *one[] = {"interval.SHFL=2", "sm.shfl_cyc=1", "sm.partitions=4", NULL};
    assert_int_equal(cost(TC_SHFL, TC_SHFL, 4, apart), STEPS * 2);
    assert_int_equal(cost(TC_SHFL, TC_SHFL, 1, one), STEPS * 2);
    assert_int_equal(cost(TC_SHFL, TC_SHFL, 2, one), STEPS * 2);
    assert_int_equal(cost(TC_SHFL, TC_SHFL, 4, one), STEPS * 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(halves), cmocka_unit_test(whole),
                                       cmocka_unit_test(shuffles)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
