/* SPDX-License-Identifier: Apache-2.0 */
/* The reuse cache: a place by bank and position of a source. */
#include "mini.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static uint64_t hits(struct mini *m)
{
    struct gpu_result r = {0};
    mini_run(m, &r, 1);
    uint64_t n = r.sm[SS_cache_hits];
    assert_int_equal(r.sm[SS_cache_reads], n + r.sm[SS_reg_reads]);
    gpu_result_free(&r);
    mini_free(m);
    return n;
}

static void open_mini(struct mini *m)
{
    mini_init(m);
    mini_set(m, "sm.operands=reuse");
    mini_set(m, "sm.banks=2");
}

/* R2 and R4 are read; then a, b; then R2 and R4 again at the same positions. */
static uint64_t hits_around(int a, int b)
{
    struct mini m;
    open_mini(&m);
    mini_op(&m, TC_FP32, 20, 2, 4, 7);
    if (a != MINI_NONE)
        mini_op(&m, TC_FP32, 21, a, b, MINI_NONE);
    mini_op(&m, TC_FP32, 22, 2, 4, 9);
    return hits(&m);
}

static void places(void **state)
{
    (void)state;
    assert_int_equal(hits_around(MINI_NONE, MINI_NONE), 2);
    assert_int_equal(hits_around(3, 5), 2); /* the other bank */
    assert_int_equal(hits_around(6, 5), 1); /* R6 takes the place of R2 */
    assert_int_equal(hits_around(6, 8), 0);
    assert_int_equal(hits_around(4, 2), 0); /* their positions change */
}

/* A register that was written is read; so is one of all those that are kept. */
static void written_and_last(void **state)
{
    (void)state;
    struct mini m;
    open_mini(&m);
    mini_op(&m, TC_FP32, 2, 2, 4, MINI_NONE);
    mini_op(&m, TC_FP32, 20, 2, 4, MINI_NONE);
    assert_int_equal(hits(&m), 1);
    open_mini(&m);
    mini_op(&m, TC_FP32, 20, 2, 4, MINI_NONE);
    mini_op(&m, TC_FP32, 22, 2, 4, MINI_NONE);
    assert_int_equal(hits(&m), 1);
}

/* Three sources of one bank cost three cycles each, unless two of them are kept. */
static uint64_t stream(const char *policy, bool same)
{
    struct mini m;
    mini_init(&m);
    mini_set(&m, policy);
    mini_set(&m, "sm.banks=2");
    mini_set(&m, "interval.FP32=1");
    m.regs = 64;
    for (int i = 0; i < 200; i++)
        mini_op(&m, TC_FP32, 20 + i % 20,
                same    ? 2
                : i % 2 ? 2
                        : 6,
                same    ? 4
                : i % 2 ? 4
                        : 8,
                40 + 2 * (i % 10));
    uint64_t c = mini_cycles(&m);
    mini_free(&m);
    return c;
}

static void cycles(void **state)
{
    (void)state;
    assert_in_range(stream("sm.operands=collectors", true), 600, 720);
    assert_in_range(stream("sm.operands=reuse", false), 600, 720);
    assert_true(stream("sm.operands=reuse", true) < 500);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(places), cmocka_unit_test(written_and_last),
                                       cmocka_unit_test(cycles)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
