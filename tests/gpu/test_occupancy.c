/* SPDX-License-Identifier: Apache-2.0 */
/* How many CTAs an SM holds: counted by hand for a Volta and a Hopper, and what a run does is what was said. */
#include "mini.h"

#include "gpu/occupancy.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

#include "play.h"

#include <cmocka.h>

static const struct play_machine hopper = {"hopper", "hopper", {NULL}}, volta = {"volta", "volta", {NULL}};

static void load(struct gpu_conf *c, const struct play_machine *m)
{
    struct diag d = {0};
    assert_true(play_load(c, m, NULL, &d));
    diag_free(&d);
}

/* An SM of a Hopper: 64 warps in 4 partitions, 2048 threads, 32 CTAs, 65536 registers given to warps by 256, 228 KiB. */
static void by_hand(void **state)
{
    (void)state;
    static const struct {
        struct occupancy_ask ask;
        uint32_t ctas, limits;
    } rows[] = {
        {{256, 32, 0, 0},
         8,
         1 << OCC_THREADS | 1 << OCC_WARPS | 1 << OCC_REGISTERS}, /* 2048 / 256; 64 warps x 1024 */
        {{32, 16, 0, 0}, 32, 1 << OCC_CTAS},
        {{128, 53, 512, 0},
         9,
         1 << OCC_REGISTERS}, /* 53 x 32 = 1696, rounded 1792; 9 warps of a partition's 16384 */
        {{64, 20, 20480, 0}, 11, 1 << OCC_SHARED}, /* 233472 / 20480 = 11.4 */
        {{1024, 64, 0, 0}, 1, 1 << OCC_REGISTERS}, /* 32 warps x 2048 = 65536 */
        {{96, 255, 0, 0}, 2, 1 << OCC_REGISTERS},  /* 8192 a warp: 2 in each partition, 8 warps, 3 a CTA */
        {{1024, 96, 0, 0}, 0, 0},                  /* 8 warps x 3072 in a partition of 16384 */
    };
    struct gpu_conf c;
    load(&c, &hopper);
    struct occupancy_of *of = occupancy_open(&c);
    for (uint32_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct occupancy o = occupancy_get(of, &rows[i].ask);
        assert_int_equal(o.ctas, rows[i].ctas);
        assert_int_equal(o.warps, rows[i].ctas * ((rows[i].ask.threads + 31) / 32));
        assert_int_equal(o.slots, 64);
        if (o.ctas)
            assert_int_equal(o.limits, rows[i].limits);
        assert_true(!o.ctas == !!*o.why);
    }
    occupancy_close(of);
    conf_free(&c.conf);
}

static void grids(void **state)
{
    (void)state;
    struct gpu_conf c;
    load(&c, &hopper);
    struct occupancy_of *of = occupancy_open(&c);
    /* 64 CTAs on 132 SMs: 68 of them, 52%, have none. */
    struct occupancy o = occupancy_get(of, &(struct occupancy_ask){256, 32, 0, 64});
    assert_int_equal(o.idle_sms, 68);
    assert_true(fabs(o.waves - 64.0 / (8 * 132)) < 1e-12);
    assert_int_equal(o.last, 64);
    o = occupancy_get(of, &(struct occupancy_ask){256, 32, 0, 8 * 132 + 1});
    assert_int_equal(o.last, 1);
    assert_int_equal(o.idle_sms, 0);
    o = occupancy_get(of, &(struct occupancy_ask){256, 32, 0, 2 * 8 * 132});
    assert_int_equal(o.last, 8 * 132);
    assert_true(o.waves == 2);
    occupancy_close(of);
    conf_free(&c.conf);
}

/* What is there at a time in a run is what was said, on one SM with more CTAs than fit; and the mean is between none and that. */
static uint32_t here, most;
static void begin(void *ctx, uint32_t slot, uint64_t at, uint32_t tenant, uint32_t launch, uint32_t cta)
{
    (void)ctx, (void)slot, (void)at, (void)tenant, (void)launch, (void)cta;
    most = ++here > most ? here : most;
}
static void end(void *ctx, uint32_t slot, uint64_t at)
{
    (void)ctx, (void)slot, (void)at;
    here--;
}
static void told_load(void *ctx, const struct sm_load *l) { (void)ctx, (void)l; }
static void kernel(void *ctx, const struct gpu_kernel_result *k) { (void)ctx, (void)k; }
static void window(void *ctx, uint64_t until) { (void)ctx, (void)until; }
static void sample(void *ctx, const struct gpu_sample *s) { (void)ctx, (void)s; }
static const struct sm_observer sm = {.cta_begin = begin, .cta_end = end, .load = told_load};
static const struct sm_observer *of_sm(void *ctx, uint32_t i)
{
    (void)ctx, (void)i;
    return &sm;
}

static void as_it_runs(void **state)
{
    (void)state;
    static const uint32_t shapes[][3] = {
        {1, 32, 0}, {4, 40, 3000}, {3, 200, 0}, {8, 64, 30000}, {5, 100, 9000}};
    for (uint32_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        static struct mini m;
        struct diag d = {0};
        struct gpu_result r;
        char path[256];
        mini_init(&m);
        m.warps = shapes[i][0];
        m.regs = shapes[i][1];
        m.shared_b = shapes[i][2];
        m.ctas = 100;
        for (uint32_t k = 0; k < 200; k++)
            mini_op(&m, TC_FP32, 8, 8, 4, 5);
        play_path(path);
        mini_write(&m, path);
        struct tr_reader *t = tr_open(path, &d);
        assert_non_null(t);
        const struct gpu_observer o = {.any_order = true,
                                       .sample_cyc = UINT32_MAX,
                                       .sm = of_sm,
                                       .kernel = kernel,
                                       .window = window,
                                       .sample = sample};
        here = most = 0;
        assert_int_equal(gpu_run(&m.conf, t, &(struct gpu_opts){.watch = &o}, &r, &d), GPU_OK);
        struct occupancy_of *of = occupancy_open(&m.conf);
        struct occupancy_ask ask = occupancy_of_launch(t, 0);
        struct occupancy said = occupancy_get(of, &ask);
        const struct gpu_kernel_result *k = &r.kernels.at[0];
        assert_int_equal(said.ctas, most);
        assert_int_equal(k->ctas, 100);
        double mean = occupancy_achieved(&m.conf, k, m.warps);
        assert_true(mean > 0.5 * m.warps && mean <= said.warps);
        assert_true(occupancy_tail(k) > 0 && occupancy_tail(k) < 1);
        assert_int_equal(occupancy_idle(&m.conf, &r), 0);
        occupancy_close(of);
        gpu_result_free(&r);
        tr_free(t);
        unlink(path);
        mini_free(&m);
        diag_free(&d);
    }
}

static void no_sm_for_all(void **state)
{
    (void)state;
    struct gpu_conf c;
    load(&c, &volta);
    struct occupancy_of *of = occupancy_open(&c);
    struct occupancy o = occupancy_get(of, &(struct occupancy_ask){64, 32, 200 << 10, 10});
    assert_int_equal(o.ctas, 0);
    assert_non_null(strstr(o.why, "shared memory"));
    assert_true(o.waves == 0);
    occupancy_close(of);
    conf_free(&c.conf);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(by_hand), cmocka_unit_test(grids),
                                       cmocka_unit_test(as_it_runs), cmocka_unit_test(no_sm_for_all)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
