/* SPDX-License-Identifier: Apache-2.0 */
/* Sampling: the plan and the estimate, by hand. */
#include "gpu/sample/sample.h"
#include "mini.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/* ---- the plan ---- */

static struct sample_launch launch(uint32_t kernel, uint64_t ctas, uint64_t insts)
{
    struct sample_launch l = {.kernel = kernel,
                              .threads = 64,
                              .nwarps = 2,
                              .ctas = ctas,
                              .insts = insts,
                              .wave = 100,
                              .longest = UINT64_MAX};
    l.between = insts / (2 * ctas);
    l.all.at[0] = l.early.at[0] = 1;
    return l;
}

/* 6 of 100 instructions may be spent: of twenty equal launches that is one, the one in the middle. */
static void equal_launches(void **state)
{
    (void)state;
    struct sample_launch l[20];
    struct sample_plan p;
    for (uint32_t i = 0; i < 20; i++)
        l[i] = launch(0, 10, 1000);
    sample_plan_make(l, 20, &(struct sample_budget){.share = 0.06, .least = 10}, &p);
    assert_int_equal(p.strata.n, 1);
    assert_int_equal(p.strata.at[0].n, 20);
    assert_int_equal(p.strata.at[0].insts, 20000);
    assert_int_equal(p.picks.n, 1);
    assert_int_equal(p.picks.at[0].launch, 10);
    assert_int_equal(p.picks.at[0].how, SAMPLE_WHOLE);
    assert_true(p.share > 0.0499 && p.share < 0.0501);
    sample_plan_free(&p);
}

/* Kernels and sizes are kept apart, and of launches that differ a little two are taken at least. */
static void unequal_launches(void **state)
{
    (void)state;
    struct sample_launch l[60];
    struct sample_plan p;
    for (uint32_t i = 0; i < 60; i++)
        l[i] = launch(i % 2, 10, i % 2 ? 5000 : 1000 + (i % 4 ? 20 : 0));
    sample_plan_make(l, 60, &(struct sample_budget){.share = 0.06, .least = 10}, &p);
    assert_int_equal(p.strata.n, 2);
    assert_int_equal(p.of[0], 0);
    assert_int_equal(p.of[1], 1);
    assert_int_equal(p.of[2], 0);
    assert_int_equal(p.strata.at[0].npicks, 2);                            /* by rule: 0.06 * 30 is 1.8 */
    assert_int_equal(p.strata.at[1].npicks, 1);                            /* identical */
    assert_int_equal(p.picks.at[p.strata.at[0].first].launch, 28);         /* number 7 of 30, by size */
    assert_int_equal(p.picks.at[p.strata.at[0].first + 1].launch, 30);     /* number 22 */
    assert_int_equal(p.picks.at[p.strata.at[1].first].launch, 2 * 15 + 1); /* number 15 */
    sample_plan_free(&p);
}

static struct sample_pick only_pick(struct sample_launch l, uint64_t least)
{
    struct sample_plan p;
    sample_plan_make(&l, 1, &(struct sample_budget){.share = 0.06, .least = least}, &p);
    assert_int_equal(p.picks.n, 1);
    struct sample_pick pick = p.picks.at[0];
    sample_plan_free(&p);
    return pick;
}

/* One wave of long warps: streams are thinned, to a quarter and three quarters of what may be spent. */
static void thin_streams(void **state)
{
    (void)state;
    struct sample_pick p = only_pick(launch(0, 90, 90 * 2 * 10000), 10);
    assert_int_equal(p.how, SAMPLE_STREAMS);
    assert_true(p.share[0] > 0.01499 && p.share[0] < 0.01501);
    assert_true(p.share[1] > 0.04499 && p.share[1] < 0.04501);
    /* 32 instructions of a warp at least: of 1000 that is 0.032, and three times as many. */
    p = only_pick(launch(0, 90, 90 * 2 * 1000), 10);
    assert_true(p.share[0] > 0.03199 && p.share[0] < 0.03201);
    assert_true(p.share[1] > 0.09599 && p.share[1] < 0.09601);
    /* A tenth of it is worth a measurement, no less. */
    p = only_pick(launch(0, 90, 90 * 2 * 10000), 180000);
    assert_true(p.share[0] > 0.02499 && p.share[0] < 0.02501);
}

/* Kernel 0, whose warps do something else at their beginning than later. */
static struct sample_launch uneven(uint64_t ctas, uint64_t insts)
{
    struct sample_launch l = launch(0, ctas, insts);
    l.early.at[0] = 0.8f;
    l.early.at[1] = 0.2f;
    return l;
}

/* ... of which the beginning does not tell of the rest: they jump. Their ends are 2 * 200 of 10000, which leaves 0.02 for the
 * rest; but each executes 2 * 300 of it: one in 16. */
static void jump_streams(void **state)
{
    (void)state;
    struct sample_launch l = uneven(90, 90 * 2 * 10000);
    struct sample_pick p = only_pick(l, 10);
    assert_int_equal(p.how, SAMPLE_JUMPS);
    assert_true(p.jumps.per_bar <= 0);
    assert_int_equal(p.jumps.ends, 200);
    assert_int_equal(p.jumps.run, 300);
    assert_true(p.jumps.one_in > 15.9 && p.jumps.one_in < 16.1);
    assert_false(p.jumps.together);
    /* A quarter of what two sizes need: 0.2 of it, 0.16 of which are for 0.96. */
    p = only_pick(l, 90 * 2 * 8000);
    assert_true(p.jumps.one_in > 5.9 && p.jumps.one_in < 6.1);
    /* Warps that wait for each other every 1500 instructions. */
    l.between = 1500;
    l.shares = true;
    p = only_pick(l, 10);
    assert_true(p.jumps.one_in > 5.9 && p.jumps.one_in < 6.1);
    assert_true(p.jumps.together);
    /* A barrier every 100. */
    l.between = 100;
    l.per_bar = 100;
    p = only_pick(l, 10);
    assert_true(p.jumps.per_bar > 99.9);
    assert_int_equal(p.jumps.ends, 2);
    assert_int_equal(p.jumps.run, 3);
    assert_true(p.jumps.one_in > 15.9 && p.jumps.one_in < 16.1);
}

/* 200 waves and a half: 0.06 * 200.5 - 0.5 is 11.5; two are the fewest. */
static void thin_waves(void **state)
{
    (void)state;
    struct sample_launch l = launch(0, 20050, 20050 * 2 * 50);
    struct sample_pick p = only_pick(l, 10);
    assert_int_equal(p.how, SAMPLE_WAVES);
    assert_int_equal(p.waves, 12);
    p = only_pick(launch(0, 1050, 1050 * 2 * 50), 10);
    assert_int_equal(p.how, SAMPLE_WAVES);
    assert_int_equal(p.waves, 2);
    /* 300 CTAs from sixteen parts of 1250 each, 18 or 19 from the middle of one. */
    sample_ranges r = {0};
    sample_waves(&l, 3, &r);
    uint64_t n = 0;
    assert_int_equal(r.n, 17);
    for (uint32_t i = 0; i < 16; i++) {
        n += r.at[i].to - r.at[i].from;
        assert_true(r.at[i].from >= 1250 * i + 615 && r.at[i].to <= 1250 * i + 635);
    }
    assert_int_equal(n, 300);
    assert_int_equal(r.at[16].from, 20000);
    assert_int_equal(r.at[16].to, 20050);
    vec_free(&r);
}

static uint64_t waves_with(uint64_t longest, uint32_t at, struct gpu_ctas *range)
{
    struct sample_launch l = launch(0, 20050, 20050 * 2 * 50);
    sample_ranges r = {0};
    uint64_t n = 0;
    l.longest = longest;
    sample_waves(&l, 3, &r);
    vec_each (&r, e)
        n += e->to - e->from;
    *range = r.at[at];
    vec_free(&r);
    return n;
}

/* The CTA that the launch may wait for is there once, in its place. */
static void waves_with_the_longest(void **state)
{
    (void)state;
    struct gpu_ctas r;
    assert_int_equal(waves_with(UINT64_MAX, 0, &r), 350);
    assert_int_equal(waves_with(0, 0, &r), 351);
    assert_true(r.from == 0 && r.to == 1);
    assert_int_equal(waves_with(5000, 4, &r), 351);
    assert_true(r.from == 5000 && r.to == 5001);
    assert_int_equal(waves_with(1250 + 625, 1, &r), 350);
    assert_int_equal(waves_with(20049, 16, &r), 350);
    assert_int_equal(waves_with(19999, 16, &r), 351);
    assert_true(r.from == 19999 && r.to == 20050);
}

/* Three waves of CTAs that begin and end at any time: no part of a stream is special, and all warps have periods of 5000, which
 * are two of 10000 where 300 in 5000 are executed. CTAs that share data do the same, with its ends. */
static void jump_in_waves(void **state)
{
    (void)state;
    struct sample_launch l = uneven(300, 300 * 2 * 10000);
    struct sample_pick p = only_pick(l, 10);
    assert_int_equal(p.how, SAMPLE_JUMPS);
    assert_int_equal(p.jumps.ends, 0);
    assert_int_equal(p.jumps.run, 300);
    assert_true(p.jumps.one_in > 16.6 && p.jumps.one_in < 16.7);
    assert_true(p.jumps.period > 4999 && p.jumps.period < 5001);
    l = launch(0, 90, 90 * 2 * 1000000);
    l.misses = true;
    p = only_pick(l, 10); /* long streams have longer parts, 32 of them */
    assert_true(p.jumps.period <= 0);
    assert_true(p.jumps.run > 1800 && p.jumps.run < 1900);
    l.shares = true;
    p = only_pick(l, 10);
    assert_int_equal(p.jumps.ends, 200);
    assert_true(p.jumps.period > 31000 && p.jumps.period < 32000);
}

/* One of two that differ, one of two that do not. */
static void pairs(void **state)
{
    (void)state;
    struct sample_launch l[4] = {launch(0, 10, 1000), launch(0, 10, 1020), launch(1, 10, 1000),
                                 launch(1, 10, 1000)};
    struct sample_plan p;
    sample_plan_make(l, 4, &(struct sample_budget){.share = 0.06, .least = 10}, &p);
    assert_int_equal(p.strata.n, 2);
    assert_int_equal(p.picks.n, 2);
    assert_true(p.strata.at[0].differ);
    assert_false(p.strata.at[1].differ);
    sample_plan_free(&p);
}

/* Short, of few waves; or it might wait for ever, or its warps wait for each other too often; or CTAs are missing. */
static void thin_nothing(void **state)
{
    (void)state;
    struct sample_launch l = launch(0, 300, 300 * 2 * 50);
    assert_int_equal(only_pick(l, 10).how, SAMPLE_WHOLE);
    l = launch(0, 90, 90 * 2 * 10000);
    l.no_cut = true;
    assert_int_equal(only_pick(l, 10).how, SAMPLE_JUMPS);
    l.no_jumps = true;
    assert_int_equal(only_pick(l, 10).how, SAMPLE_WHOLE);
    l.no_jumps = false;
    l.between = 100;
    assert_int_equal(only_pick(l, 10).how, SAMPLE_WHOLE);
    l.between = 10000;
    l.whole_only = true;
    assert_int_equal(only_pick(l, 10).how, SAMPLE_WHOLE);
}

/* Four SMs: two CTAs of kernel 0 on 0 and 1, one of kernel 1 on 2; the next launch begins on SM 3. */
static void code_of_before(void **state)
{
    (void)state;
    struct sample_launch l[3] = {launch(0, 2, 10), launch(1, 1, 10), launch(0, 4, 10)};
    uint8_t has[4];
    sample_code(l, 2, 4, has);
    assert_memory_equal(has, ((uint8_t[]){0, 1, 1, 0}), 4);
    sample_code(l, 1, 4, has);
    assert_memory_equal(has, ((uint8_t[]){0, 0, 0, 0}), 4);
}

/* ---- the estimate ---- */

static void measured(const struct gpu_conf *c, struct gpu_result *r, uint32_t of, uint64_t insts,
                     uint64_t cycles)
{
    *r = (struct gpu_result){.cycles = cycles + 7, .kernel_cycles = cycles};
    r->sm[SS_warp_insts] = insts;
    r->sm[SS_issued] = insts;
    r->mem[MS_l2_reads] = insts / 2;
    vec_push(&r->kernels, (struct gpu_kernel_result){.launch = of});
    vec_push(&r->tenants, (struct gpu_tenant_result){0});
    for (uint32_t a = 0; a < SA_COUNT; a++)
        r->arrays[a] = xcalloc((size_t)sm_array_n(&c->sm, (enum sm_array)a) * c->gpu.sms, sizeof(uint64_t));
}

static struct gpu_result estimate(struct sample_launch *l, uint32_t n, struct sample_plan *p,
                                  struct sample_measured *m)
{
    struct mini x;
    struct gpu_result out = {0};
    mini_init(&x);
    sample_estimate(&x.conf, l, n, p, m, &out);
    for (uint32_t i = 0; i < p->picks.n; i++)
        for (uint32_t k = 0; k < m[i].n; k++)
            gpu_result_free(&m[i].r[k]);
    sample_plan_free(p);
    mini_free(&x);
    return out;
}

/* 100 instructions in 50 cycles, 300 in 110: 1000 are in 110 + 700 * 60 / 200. In proportion it would be 110 / 0.3 = 366.7: a
 * quarter of the difference, and 6% of the 210 that were not simulated. */
static void line_through_two(void **state)
{
    (void)state;
    struct mini x;
    struct sample_launch l = launch(0, 90, 1000);
    struct sample_plan p = {.of = xcalloc(1, sizeof *p.of)};
    struct sample_measured m = {.n = 2};
    mini_init(&x);
    vec_push(&p.strata, (struct sample_stratum){.n = 1, .insts = 1000, .npicks = 1});
    vec_push(&p.picks, (struct sample_pick){.how = SAMPLE_STREAMS});
    measured(&x.conf, &m.r[0], 0, 100, 50);
    measured(&x.conf, &m.r[1], 0, 300, 110);
    mini_free(&x);
    struct gpu_result r = estimate(&l, 1, &p, &m);
    assert_int_equal(r.kernel_cycles, 320);
    assert_int_equal(r.cycles, 327);
    assert_int_equal(r.sm[SS_warp_insts], 1000);
    assert_int_equal(r.sm[SS_issued], 1000);
    assert_int_equal(r.mem[MS_l2_reads], 500);
    assert_int_equal(r.sample[SAM_insts], 400);
    assert_int_equal(r.sample[SAM_cycles_pm], 24);
    assert_int_equal(gpu_kernel_cycles(&r.kernels.at[0]), 320);
    gpu_result_free(&r);
}

/* Two of four equal launches took 10 and 14: the sum is 48. Variance by the others 4^2 * (1 - 2/4) * 8 / 2 = 32, by their caches
 * (0.035 * 24 * 2 / 1.96)^2 = 0.73. */
static void two_of_four(void **state)
{
    (void)state;
    struct mini x;
    struct sample_launch l[4];
    struct sample_plan p = {.of = xcalloc(4, sizeof *p.of)};
    struct sample_measured m[2] = {{.n = 1}, {.n = 1}};
    mini_init(&x);
    for (uint32_t i = 0; i < 4; i++)
        l[i] = launch(0, 90, 100);
    vec_push(&p.strata, (struct sample_stratum){.n = 4, .insts = 400, .npicks = 2});
    vec_push(&p.picks, (struct sample_pick){.launch = 1});
    vec_push(&p.picks, (struct sample_pick){.launch = 3});
    measured(&x.conf, &m[0].r[0], 1, 100, 10);
    measured(&x.conf, &m[1].r[0], 3, 100, 14);
    mini_free(&x);
    struct gpu_result r = estimate(l, 4, &p, m);
    assert_int_equal(r.kernel_cycles, 48);
    assert_int_equal(r.sm[SS_warp_insts], 400);
    assert_int_equal(r.sample[SAM_cycles_pm], 11);
    assert_int_equal(r.kernels.n, 4);
    assert_int_equal(gpu_kernel_cycles(&r.kernels.at[2]), 12);
    gpu_result_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_launches),   cmocka_unit_test(unequal_launches),
        cmocka_unit_test(thin_streams),     cmocka_unit_test(jump_streams),
        cmocka_unit_test(thin_waves),       cmocka_unit_test(waves_with_the_longest),
        cmocka_unit_test(jump_in_waves),    cmocka_unit_test(pairs),
        cmocka_unit_test(thin_nothing),     cmocka_unit_test(code_of_before),
        cmocka_unit_test(line_through_two), cmocka_unit_test(two_of_four),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
