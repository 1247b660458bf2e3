/* The dynamic STHLD on curves of IPC over STHLD like those of the Malekeh paper's Fig. 9. */
#include "sm/operands/ccu/tune.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/* Flat up to the knee, then 5% less with each step. */
static double curve(uint32_t knee, uint32_t at) { return at <= knee ? 2.0 : 2.0 * pow(0.95, at - knee); }

static void steps(struct tune *u, uint32_t knee, uint32_t n)
{
    while (n-- > 0)
        tune_step(u, curve(knee, u->sthld));
}

/* a: steps to the right as long as nothing happens. b: the same curve falls. One more step tries, costs one interval, and is
 * undone; then to the left until it is flat, and the knee is held. */
static void same_curve(void **state)
{
    (void)state;
    static const uint32_t want[] = {1, 2, 3, 4, 5, 6, 7, 6, 5, 4, 5, 5, 5, 5};
    static const enum tune_state states[] = {TUNE_WALK, TUNE_WALK, TUNE_WALK, TUNE_WALK, TUNE_WALK,
                                             TUNE_WALK, TUNE_TRY,  TUNE_UNDO, TUNE_BACK, TUNE_BACK,
                                             TUNE_KNEE, TUNE_KNEE, TUNE_KNEE, TUNE_KNEE};
    struct tune u;
    tune_init(&u, 0);
    for (uint32_t i = 0; i < sizeof want / sizeof want[0]; i++) {
        steps(&u, 5, 1);
        assert_int_equal(u.sthld, want[i]);
        assert_int_equal(u.state, states[i]);
    }
}

/* c: the next phase has a narrower flat region, d: a wider one. Both end at its knee and stay there. */
static void next_phase(void **state)
{
    (void)state;
    for (uint32_t knee = 2; knee < 20; knee++) {
        struct tune u;
        tune_init(&u, 0);
        steps(&u, 9, 40);
        assert_int_equal(u.state, TUNE_KNEE);
        assert_int_equal(u.sthld, 9);
        if (knee == 9)
            continue;
        tune_step(&u, 1.0); /* another phase: another IPC */
        assert_int_equal(u.state, TUNE_TRY);
        assert_int_equal(u.sthld, 10); /* speculative */
        for (uint32_t i = 0; i < 60; i++)
            tune_step(&u, curve(knee, u.sthld) / 2);
        assert_int_equal(u.sthld, knee);
        assert_int_equal(u.state, TUNE_KNEE);
    }
}

/* A large change while it holds the knee, with a wider region behind it: the step is right, and the walk goes on. */
static void wider(void **state)
{
    (void)state;
    struct tune u;
    tune_init(&u, 0);
    steps(&u, 3, 20);
    assert_int_equal(u.sthld, 3);
    static const uint32_t want[] = {4, 5, 6, 7};
    tune_step(&u, 4.0);
    assert_int_equal(u.sthld, want[0]);
    for (uint32_t i = 1; i < 4; i++) {
        tune_step(&u, 4.0);
        assert_int_equal(u.sthld, want[i]);
        assert_int_equal(u.state, TUNE_WALK);
    }
}

/* Waiting costs from the first cycle on (srad_v1 in Fig. 7): it comes back to 0. */
static void knee_at_zero(void **state)
{
    (void)state;
    struct tune u;
    tune_init(&u, 0);
    steps(&u, 0, 20);
    assert_int_equal(u.sthld, 0);
    assert_int_equal(u.state, TUNE_KNEE);
}

/* It stays within its bits, whatever comes. */
static void bounds(void **state)
{
    (void)state;
    struct tune u;
    tune_init(&u, TUNE_MOST - 3);
    for (uint32_t i = 0; i < 20; i++)
        tune_step(&u, 1.0);
    assert_int_equal(u.sthld, TUNE_MOST);
    for (uint32_t i = 0; i < 1000; i++) {
        tune_step(&u, i % 3 ? 0 : i);
        assert_true(u.sthld <= TUNE_MOST);
    }
    tune_init(&u, 0);
    for (uint32_t i = 0; i < 10; i++)
        tune_step(&u, 0); /* an idle GPU: no change */
    assert_int_equal(u.state, TUNE_WALK);
}

/* 2% is small, more is large. */
static void threshold(void **state)
{
    (void)state;
    struct tune u;
    tune_init(&u, 0);
    tune_step(&u, 100);
    tune_step(&u, 101.9);
    assert_int_equal(u.state, TUNE_WALK);
    tune_step(&u, 101.9 * 0.979);
    assert_int_equal(u.state, TUNE_TRY);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(same_curve), cmocka_unit_test(next_phase),
                                       cmocka_unit_test(wider),      cmocka_unit_test(knee_at_zero),
                                       cmocka_unit_test(bounds),     cmocka_unit_test(threshold)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
