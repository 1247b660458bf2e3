/* SPDX-License-Identifier: Apache-2.0 */
/* The dynamic STHLD on curves of IPC over STHLD like those of the Malekeh paper's Fig. 9. */
#include "gpu/control.h"
#include "gpu/gpu.h"
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
    tune_init(&u, 0, 1);
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
        tune_init(&u, 0, 1);
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
    tune_init(&u, 0, 1);
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
    tune_init(&u, 0, 1);
    steps(&u, 0, 20);
    assert_int_equal(u.sthld, 0);
    assert_int_equal(u.state, TUNE_KNEE);
}

/* It stays within its bits, whatever comes. */
static void bounds(void **state)
{
    (void)state;
    struct tune u;
    tune_init(&u, TUNE_MOST - 3, 1);
    for (uint32_t i = 0; i < 20; i++)
        tune_step(&u, 1.0);
    assert_int_equal(u.sthld, TUNE_MOST);
    for (uint32_t i = 0; i < 1000; i++) {
        tune_step(&u, i % 3 ? 0 : i);
        assert_true(u.sthld <= TUNE_MOST);
    }
    tune_init(&u, 0, 1);
    for (uint32_t i = 0; i < 10; i++)
        tune_step(&u, 0); /* an idle GPU: no change */
    assert_int_equal(u.state, TUNE_WALK);
}

/* 2% is small, more is large. */
static void threshold(void **state)
{
    (void)state;
    struct tune u;
    tune_init(&u, 0, 1);
    tune_step(&u, 100);
    tune_step(&u, 101.9);
    assert_int_equal(u.state, TUNE_WALK);
    tune_step(&u, 101.9 * 0.979);
    assert_int_equal(u.state, TUNE_TRY);
}

/* Half a percent less with each cycle: a step of one never sees it, a step of eight does. */
static void gentle_slope(void **state)
{
    (void)state;
    struct tune one, eight;
    tune_init(&one, 0, 1);
    tune_init(&eight, 0, 8);
    for (uint32_t i = 0; i < 60; i++) {
        tune_step(&one, pow(0.995, one.sthld));
        tune_step(&eight, pow(0.995, eight.sthld));
    }
    assert_int_equal(one.sthld, 60);
    assert_int_equal(eight.sthld, 0);
    assert_int_equal(eight.state, TUNE_KNEE);
}

/* ---- over launches ---- */

static void control_open(struct control *c, struct gpu_conf *conf, const char *launch)
{
    struct diag d = {0};
    gpu_conf_init(conf);
    assert_true(conf_set(&conf->conf, "sm.operands=ccu", CONF_USER, &d));
    assert_true(conf_set(&conf->conf, launch, CONF_USER, &d));
    control_init(c, &conf->sm, 40);
}

/* Three intervals raise the threshold to 3. The next launch starts at 0 again, its intervals with its first instruction: nothing
 * happens in the 9,000 cycles before it. Or it goes on where the last one was, with an interval that nothing was issued in. */
static void next_launch(void **state)
{
    (void)state;
    for (uint32_t anew = 0; anew < 2; anew++) {
        struct gpu_conf conf;
        struct control c;
        control_open(&c, &conf, anew ? "ccu.sthld_launch=true" : "ccu.sthld_launch=false");
        const struct tune *u = c.st;
        control_pass(&c, 40, 40, 1, NULL, 0);
        for (uint64_t t = 10040; t <= 30040; t += 10000)
            control_pass(&c, t, t, t, NULL, 0);
        assert_int_equal(u->sthld, 3);
        control_launch_ended(&c, 30040, NULL, 0);
        assert_int_equal(u->sthld, anew ? 0 : 3);
        control_pass(&c, 39000, 39000, 30040, NULL, 0);
        control_pass(&c, 39040, 39040, 30080, NULL, 0);
        control_pass(&c, 49000, 49000, 40040, NULL, 0);
        assert_int_equal(u->sthld, anew ? 0 : 4);
        control_pass(&c, 49040, 49040, 40080, NULL, 0);
        assert_int_equal(u->sthld, anew ? 1 : 4);
        control_free(&c);
        conf_free(&conf.conf);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(same_curve),   cmocka_unit_test(next_phase),
                                       cmocka_unit_test(wider),        cmocka_unit_test(knee_at_zero),
                                       cmocka_unit_test(bounds),       cmocka_unit_test(threshold),
                                       cmocka_unit_test(gentle_slope), cmocka_unit_test(next_launch)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
