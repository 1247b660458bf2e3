/* SPDX-License-Identifier: Apache-2.0 */
/* Units that some instructions have a part of, and one path for all partitions: cycles counted by hand, which silicon/mix.cu
 * measures on an H200 (to within the percent that its loop takes). */
#include "mini.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/* Each instruction has registers of its own. */
static void op(struct mini *m, uint32_t i, enum tr_class cls)
{
    mini_op(m, cls, (int)(10 + i % 60), 2, MINI_NONE, MINI_NONE);
}
static void ffmas(struct mini *m, uint32_t i) { op(m, i, TC_FP32); }
static void products(struct mini *m, uint32_t i) { op(m, i, TC_IMUL); }
static void halves_to_floats(struct mini *m, uint32_t i)
{
    op(m, i, TC_HALF);
    m->insns[m->n - 1].text = "HADD2.F32";
}
static void sums_of_halves(struct mini *m, uint32_t i)
{
    op(m, i, TC_HALF);
    m->insns[m->n - 1].text = "HADD2";
}
static void in_turn(struct mini *m, uint32_t i) { op(m, i, i % 2 ? TC_IMUL : TC_FP32); }
static void shuffle(struct mini *m, uint32_t i) { op(m, i, TC_SHFL); }

#define PORTS "sm.operands=ports", "sm.bank_write_port=true"

/* Two halves take an FFMA for two cycles each; a product of integers goes to the second. So FFMAs alone take a cycle each,
 * products two, and in turn a cycle each: the product in the second half, the FFMA in the first. */
static void halves(void **state)
{
    (void)state;
    const char *sets[] = {PORTS,
                          "units.FP32=2",
                          "interval.FP32=2",
                          "interval.IMUL=2",
                          "unit.IMUL=FP32",
                          "sm.imul_units=1",
                          "sm.partitions=1",
                          NULL};
    assert_int_equal(mini_cost_of_all(ffmas, sets, 1), MINI_STEPS);
    assert_int_equal(mini_cost_of_all(products, sets, 1), MINI_STEPS * 2);
    assert_int_equal(mini_cost_of_all(in_turn, sets, 1), MINI_STEPS);
}

/* A half that becomes a float goes to the second half, too, and a sum of halves to either (silicon/rates.cu: 2.0 cycles each
 * of the former). */
static void to_floats(void **state)
{
    (void)state;
    const char *sets[] = {PORTS,
                          "units.FP32=2",
                          "interval.HALF=2",
                          "unit.IMUL=FP32",
                          "unit.HALF=FP32",
                          "sm.imul_units=1",
                          "sm.partitions=1",
                          NULL};
    assert_int_equal(mini_cost_of_all(halves_to_floats, sets, 1), MINI_STEPS * 2);
    assert_int_equal(mini_cost_of_all(sums_of_halves, sets, 1), MINI_STEPS);
}

/* The same as one unit: a product keeps it for two cycles, an FFMA for one. And two units of which either takes both. */
static void whole(void **state)
{
    (void)state;
    const char *one[] = {PORTS, "interval.FP32=1", "interval.IMUL=2", "unit.IMUL=FP32", "sm.partitions=1",
                         NULL};
    const char *any[] = {
        PORTS, "units.FP32=2", "interval.FP32=2", "interval.IMUL=2", "unit.IMUL=FP32", "sm.partitions=1",
        NULL};
    assert_int_equal(mini_cost_of_all(in_turn, one, 1), MINI_STEPS * 3 / 2);
    assert_int_equal(mini_cost_of_all(products, any, 1), MINI_STEPS);
}

/* A partition shuffles every other cycle. With one a cycle for the SM two partitions still do, and four every fourth. */
static void shuffles(void **state)
{
    (void)state;
    const char *apart[] = {PORTS, "interval.SHFL=2", "sm.shfl_cyc=0", "sm.partitions=4", NULL};
    const char *one[] = {PORTS, "interval.SHFL=2", "sm.shfl_cyc=1", "sm.partitions=4", NULL};
    assert_int_equal(mini_cost_of_all(shuffle, apart, 4), MINI_STEPS * 2);
    assert_int_equal(mini_cost_of_all(shuffle, one, 1), MINI_STEPS * 2);
    assert_int_equal(mini_cost_of_all(shuffle, one, 2), MINI_STEPS * 2);
    assert_int_equal(mini_cost_of_all(shuffle, one, 4), MINI_STEPS * 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(halves), cmocka_unit_test(to_floats),
                                       cmocka_unit_test(whole), cmocka_unit_test(shuffles)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
