/* SPDX-License-Identifier: Apache-2.0 */
/* Code that streams (sm.l0i_line_cyc), by hand: lines of eight instructions on their way between instruction caches. */
#include "mini.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void straight(struct mini *m, uint32_t i)
{
    mini_op(m, TC_FP32, (int)(2 + i % 20), 1, MINI_NONE, MINI_NONE);
}

/* Of eight lines one is executed: what leads to it is no branch, so that the next is asked for once all before it have issued. */
static void scattered(struct mini *m, uint32_t i)
{
    uint32_t n = mini_op(m, TC_FP32, (int)(2 + i % 20), 1, MINI_NONE, MINI_NONE);
    m->warps_mask[n] = i / 8 % 8 ? 0 : ~0u;
}

#define STREAMS "interval.FP32=1", "sm.l0i_b=4096", "sm.l0i_line_cyc=8", "sm.l1i_b=65536", "sm.l1i_cyc=11"

/* Four lines of a stream are on their way at a time, of 1 + 64 + 11 cycles each. */
static void beyond_all(void **state)
{
    (void)state;
    const char *sets[] = {STREAMS, "sm.l1i_ahead=5", "sm.l1i_flight=4", "sm.l1i_miss_cyc=64", NULL};
    assert_int_equal(mini_cost_of_all(straight, sets, 1), MINI_STEPS / 8 * 19);
    assert_int_equal(mini_cost_of_all(straight, sets, 4), MINI_STEPS / 8 * 19);
}

/* Out of L1 a line comes every 8 cycles, as soon as its instructions issue at best, or every 20. */
static void from_l1(void **state)
{
    (void)state;
    const char *at_hand[] = {"interval.FP32=1", "sm.ibuffer=4", "sm.fetch_width=2", NULL};
    const char *sets[] = {STREAMS,        "sm.l0i_ahead=1",   "sm.code_kb=64",
                          "sm.ibuffer=4", "sm.fetch_width=2", NULL};
    const char *slow[] = {STREAMS, "sm.l0i_ahead=1", "sm.code_kb=64", "sm.l0i_line_cyc=20", NULL};
    assert_int_equal(mini_cost_of_all(straight, sets, 1), mini_cost_of_all(straight, at_hand, 1));
    assert_int_equal(mini_cost_of_all(straight, slow, 1), MINI_STEPS / 8 * 20);
}

/* The cache of a group has a turn for each of its SMs, if there are as many CTAs. */
static void from_group(void **state)
{
    (void)state;
    const char *sets[] = {STREAMS,          "sm.l1i_ahead=5", "sm.l1i_flight=4", "sm.code_kb=64",
                          "sm.l2i_b=65536", "sm.l2i_cyc=68",  "sm.l2i_sms=18",   NULL};
    assert_int_equal(mini_cost_of_all(straight, sets, 1), MINI_STEPS / 8 * ((1 + 68 + 11) / 4));
}

/* A line that nobody has asked for takes as long as its cache is away: 20 cycles more for each, of 160 / 64 of them. */
static void jumps(void **state)
{
    (void)state;
    const char *sets[] = {STREAMS, "sm.l0i_ahead=1", "sm.code_kb=64", NULL};
    const char *far[] = {STREAMS, "sm.l0i_ahead=1", "sm.code_kb=64", "sm.l1i_cyc=31", NULL};
    uint64_t lines = (MINI_LONG + 63) / 64 - (MINI_SHORT + 63) / 64;
    assert_int_equal(mini_cost_of_all(scattered, far, 1) - mini_cost_of_all(scattered, sets, 1), lines * 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(beyond_all), cmocka_unit_test(from_l1),
                                       cmocka_unit_test(from_group), cmocka_unit_test(jumps)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
