/* Sampling: the plan and the estimate by hand, excerpts beside the launches that they are of. */
#include "gpu/sample/sample.h"
#include "mini.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <unistd.h>

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

/* ---- excerpts ---- */

enum { INSNS = 200, CTAS = 6 };

static struct tr_reader *program_of(struct mini *x, char *path, uint32_t launches, uint32_t ctas)
{
    struct diag d = {0};
    mini_init(x);
    x->warps = 2;
    x->ctas = ctas;
    x->launches = launches;
    for (int i = 0; i < INSNS / 2; i++) {
        mini_mem(x, TC_LDG, 2 + i % 8, MINI_NONE, 4, 0x200000000000ull + 128ull * (uint64_t)i, 4);
        mini_op(x, TC_FP32, 12, 2 + i % 8, 12, MINI_NONE);
    }
    snprintf(path, 64, "/tmp/bankshot-sample-%d.bst", (int)getpid());
    mini_write(x, path);
    struct tr_reader *t = tr_open(path, &d);
    assert_non_null(t);
    return t;
}

static struct tr_reader *program(struct mini *x, char *path, uint32_t launches)
{
    return program_of(x, path, launches, CTAS);
}

static struct gpu_result replay(struct mini *x, struct tr_reader *t, const struct gpu_excerpt *e,
                                uint32_t threads)
{
    struct gpu_result r;
    struct diag d = {0};
    assert_int_equal(gpu_replay(&x->conf, &(struct gpu_tenant){.trace = t, .only = e}, 1,
                                &(struct gpu_opts){.threads = threads, .check = true}, &r, &d),
                     GPU_OK);
    diag_free(&d);
    return r;
}

/* The first launch alone takes what it takes in the program; the second, with its caches warmed, no longer than the first. */
static void excerpt_of_a_launch(void **state)
{
    (void)state;
    struct mini x;
    char path[64];
    struct tr_reader *t = program(&x, path, 3);
    struct gpu_result all = replay(&x, t, NULL, 1);
    struct gpu_result first = replay(&x, t, &(struct gpu_excerpt){.launch = 0, .share = 1}, 1);
    assert_int_equal(first.kernels.n, 1);
    assert_int_equal(gpu_kernel_cycles(&first.kernels.at[0]), gpu_kernel_cycles(&all.kernels.at[0]));
    assert_int_equal(first.sm[SS_warp_insts] * 3, all.sm[SS_warp_insts]);
    uint8_t *has = xcalloc(x.conf.gpu.sms, 1);
    memset(has, 1, x.conf.gpu.sms);
    struct gpu_result second =
        replay(&x, t, &(struct gpu_excerpt){.launch = 1, .share = 1, .has_code = has}, 1);
    assert_int_equal(second.kernels.at[0].launch, 1);
    assert_int_equal(second.mem[MS_dram_reads], 0);
    assert_true(first.sm[SS_l1i_misses] > second.sm[SS_l1i_misses] && first.mem[MS_dram_reads] > 0);
    assert_int_equal(gpu_kernel_cycles(&second.kernels.at[0]), gpu_kernel_cycles(&all.kernels.at[1]));
    free(has);
    gpu_result_free(&all);
    gpu_result_free(&first);
    gpu_result_free(&second);
    tr_free(t);
    unlink(path);
    mini_free(&x);
}

/* Two of six CTAs. */
static void excerpt_of_ctas(void **state)
{
    (void)state;
    struct mini x;
    char path[64];
    struct tr_reader *t = program(&x, path, 1);
    const struct gpu_ctas some[] = {{1, 2}, {4, 5}};
    uint32_t cta = 99;
    struct gpu_excerpt e = {.ctas = some, .n = 2, .share = 1};
    assert_true(excerpt_cta_from(&e, t, 0, &cta) && cta == 1);
    assert_true(excerpt_cta_from(&e, t, 2, &cta) && cta == 4);
    assert_false(excerpt_cta_from(&e, t, 5, &cta));
    struct gpu_result r = replay(&x, t, &e, 1);
    assert_int_equal(r.sm[SS_ctas], 2);
    assert_int_equal(r.sm[SS_warp_insts], 2 * 2 * (INSNS + 1)); /* with its EXIT */
    gpu_result_free(&r);
    tr_free(t);
    unlink(path);
    mini_free(&x);
}

/* Two waves and a half stand for ten and a half, cycles within 10%, instructions exactly; all of them for themselves. */
static void waves_stand_for_others(void **state)
{
    (void)state;
    struct mini x;
    char path[64];
    struct tr_reader *t = program(&x, path, 1);
    uint64_t wave = gpu_wave(t, 0, &x.conf);
    tr_free(t);
    mini_free(&x);
    t = program_of(&x, path, 1, (uint32_t)(10 * wave + wave / 2));
    const struct gpu_ctas some = {3 * wave, 5 * wave + wave / 2};
    const struct gpu_excerpt part = {.ctas = &some, .n = 1, .share = 1, .wave = wave},
                             whole = {.share = 1, .wave = wave};
    struct gpu_result all = replay(&x, t, NULL, 1), a = replay(&x, t, &part, 1), b = replay(&x, t, &part, 4),
                      same = replay(&x, t, &whole, 1);
    assert_int_equal(a.sm[SS_warp_insts], all.sm[SS_warp_insts]);
    assert_int_equal(a.sample[SAM_insts], (2 * wave + wave / 2) * 2 * (INSNS + 1));
    assert_true(a.kernel_cycles > all.kernel_cycles * 9 / 10 &&
                a.kernel_cycles < all.kernel_cycles * 11 / 10);
    assert_int_equal(a.kernel_cycles, b.kernel_cycles);
    assert_memory_equal(a.sm, b.sm, sizeof a.sm);
    assert_int_equal(same.kernel_cycles, all.kernel_cycles);
    assert_memory_equal(same.sm, all.sm, sizeof all.sm);
    gpu_result_free(&all);
    gpu_result_free(&a);
    gpu_result_free(&b);
    gpu_result_free(&same);
    tr_free(t);
    unlink(path);
    mini_free(&x);
}

/* ---- jumps ---- */

/* Nothing is jumped over: it is the launch, to the bit. */
static void jumps_of_one_in_one(void **state)
{
    (void)state;
    struct mini x;
    char path[64];
    struct tr_reader *t = program(&x, path, 1);
    const struct sm_jumps none = {.ends = 20, .ends_most = 0.1, .run = 10, .one_in = 1};
    struct gpu_result all = replay(&x, t, NULL, 1),
                      same = replay(&x, t, &(struct gpu_excerpt){.share = 1, .jumps = &none}, 1);
    assert_int_equal(all.cycles, same.cycles);
    assert_int_equal(all.kernel_cycles, same.kernel_cycles);
    assert_memory_equal(all.sm, same.sm, sizeof all.sm);
    assert_memory_equal(all.mem, same.mem, sizeof all.mem);
    assert_int_equal(same.sample[SAM_insts], all.sm[SS_warp_insts]);
    gpu_result_free(&all);
    gpu_result_free(&same);
    tr_free(t);
    unlink(path);
    mini_free(&x);
}

/* Of 201 instructions 2 * 20, and of 161 between three times about 161 / 15: what was executed stands for all. What was jumped
 * over is in L2: few are left to come from memory. */
static void jumps_of_one_in_five(void **state)
{
    (void)state;
    struct mini x;
    char path[64];
    struct tr_reader *t = program(&x, path, 1);
    const struct sm_jumps five = {.ends = 20, .ends_most = 0.1, .run = 10, .one_in = 5};
    const struct gpu_excerpt e = {.share = 1, .jumps = &five};
    struct gpu_result all = replay(&x, t, NULL, 1), a = replay(&x, t, &e, 1), b = replay(&x, t, &e, 4);
    uint64_t warps = 2 * CTAS;
    assert_int_equal(a.sm[SS_warp_insts], warps * (INSNS + 1));
    assert_true(a.sample[SAM_insts] >= warps * (40 + 30) && a.sample[SAM_insts] <= warps * (40 + 33));
    assert_true(a.mem[MS_dram_reads] < 2 * all.mem[MS_dram_reads]);
    assert_int_equal(a.kernel_cycles, b.kernel_cycles);
    assert_memory_equal(a.sm, b.sm, sizeof a.sm);
    assert_memory_equal(a.mem, b.mem, sizeof a.mem);
    uint64_t causes = 0;
    for (uint32_t i = SS_issued; i <= SS_stall_drained; i++)
        causes += a.sm[i];
    assert_true(causes + 20 > a.sm[SS_cycles] && causes < a.sm[SS_cycles] + 20); /* but for rounding */
    gpu_result_free(&all);
    gpu_result_free(&a);
    gpu_result_free(&b);
    tr_free(t);
    unlink(path);
    mini_free(&x);
}

/* A period of 50 for all warps, which CTAs begin at different places: one in five, and all executed counts alike. */
static void jumps_of_one_period(void **state)
{
    (void)state;
    struct mini x;
    char path[64];
    struct tr_reader *t = program(&x, path, 1);
    const struct sm_jumps five = {.run = 10, .one_in = 5, .period = 50};
    struct gpu_result a = replay(&x, t, &(struct gpu_excerpt){.share = 1, .jumps = &five}, 1);
    uint64_t warps = 2 * CTAS, least = warps * INSNS / 5;
    assert_int_equal(a.sm[SS_warp_insts], warps * (INSNS + 1));
    assert_true(a.sample[SAM_insts] >= least && a.sample[SAM_insts] <= least + warps); /* with each EXIT */
    gpu_result_free(&a);
    tr_free(t);
    unlink(path);
    mini_free(&x);
}

static uint64_t cycles_of_stores(uint32_t launches)
{
    struct mini x;
    char path[64];
    struct diag d = {0};
    mini_init(&x);
    x.ctas = CTAS;
    x.launches = launches;
    x.conf.gpu.launch_cyc = 1;
    for (int i = 0; i < 400; i++)
        mini_mem(&x, TC_STG, MINI_NONE, 1, 4, 0x200000000000ull + 4096ull * (uint64_t)i, 128);
    snprintf(path, 64, "/tmp/bankshot-sample-%d.bst", (int)getpid());
    mini_write(&x, path);
    struct tr_reader *t = tr_open(path, &d);
    assert_non_null(t);
    struct gpu_result r = replay(&x, t, &(struct gpu_excerpt){.share = 1}, 1);
    uint64_t cycles = r.kernel_cycles;
    gpu_result_free(&r);
    tr_free(t);
    unlink(path);
    mini_free(&x);
    return cycles;
}

/* Stores that are on their way when a launch has ended are what the next one, if there is one, waits for. */
static void stores_behind(void **state)
{
    (void)state;
    uint64_t last = cycles_of_stores(1), followed = cycles_of_stores(2);
    assert_true(followed > last);
    assert_int_equal(followed, cycles_of_stores(3));
}

/* Warps of one length: none is what a launch waits for. */
static void no_longest(void **state)
{
    (void)state;
    struct mini x;
    char path[64];
    struct diag d = {0};
    struct tr_reader *t = program(&x, path, 1);
    struct sample_launch l = {0};
    assert_true(sample_find_longest(t, 0, &l, &d));
    assert_true(l.longest == UINT64_MAX);
    tr_free(t);
    unlink(path);
    mini_free(&x);
}

/* Each instruction waits for the one before it: what is executed tells of the rest, but for what a stretch of time is too long
 * for. */
static void jumps_of_a_chain(void **state)
{
    (void)state;
    struct mini x;
    char path[64];
    struct diag d = {0};
    mini_init(&x);
    x.ctas = CTAS;
    for (int i = 0; i < 4000; i++)
        mini_op(&x, TC_FP32, 2, 2, 3, MINI_NONE);
    snprintf(path, 64, "/tmp/bankshot-sample-%d.bst", (int)getpid());
    mini_write(&x, path);
    struct tr_reader *t = tr_open(path, &d);
    assert_non_null(t);
    const struct sm_jumps five = {.ends = 100, .ends_most = 0.1, .run = 100, .one_in = 5};
    struct gpu_result all = replay(&x, t, NULL, 1),
                      a = replay(&x, t, &(struct gpu_excerpt){.share = 1, .jumps = &five}, 1);
    assert_true(a.sample[SAM_insts] < all.sm[SS_warp_insts] / 3);
    assert_true(a.kernel_cycles * 20 > all.kernel_cycles * 19 &&
                a.kernel_cycles * 20 < all.kernel_cycles * 21);
    gpu_result_free(&all);
    gpu_result_free(&a);
    tr_free(t);
    unlink(path);
    mini_free(&x);
}

/* Warps of unequal length, whose barriers are all executed, or some of them by all warps; both come to their end. Of 20 barriers
 * 2 * 2 are at the ends, and of 16 between each CTA executes two times 2. */
static void jumps_over_barriers(void **state)
{
    (void)state;
    struct mini x;
    char path[64];
    struct diag d = {0};
    mini_init(&x);
    x.warps = 4;
    x.ctas = CTAS;
    for (int i = 0; i < 20; i++) {
        for (int k = 0; k < 9; k++)
            x.warps_mask[mini_op(&x, TC_FP32, 2 + k % 4, 2, 3, MINI_NONE)] = k < 4 ? 15u : 5u;
        mini_bar(&x);
    }
    snprintf(path, 64, "/tmp/bankshot-sample-%d.bst", (int)getpid());
    mini_write(&x, path);
    struct tr_reader *t = tr_open(path, &d);
    assert_non_null(t);
    const struct sm_jumps over = {.per_bar = 7.55, .ends = 2, .run = 2, .one_in = 4};
    const struct sm_jumps not = {.ends = 10, .ends_most = 0.1, .run = 10, .one_in = 4};
    struct gpu_result a = replay(&x, t, &(struct gpu_excerpt){.share = 1, .jumps = &over}, 1);
    struct gpu_result b = replay(&x, t, &(struct gpu_excerpt){.share = 1, .jumps = &not }, 1);
    uint64_t period = 2 * 10 + 2 * 5;                               /* of two warps each, with the barrier */
    assert_int_equal(a.sample[SAM_insts], CTAS * (8 * period + 4)); /* and their EXITs */
    assert_true(b.sample[SAM_insts] > CTAS * 4 * 20 && b.sample[SAM_insts] < a.sm[SS_warp_insts] * 2 / 3);
    assert_int_equal(a.sm[SS_warp_insts], CTAS * (20 * period + 4));
    assert_int_equal(b.sm[SS_warp_insts], a.sm[SS_warp_insts]);
    gpu_result_free(&a);
    gpu_result_free(&b);
    tr_free(t);
    unlink(path);
    mini_free(&x);
}

/* ---- runs ---- */

static enum gpu_status sampled(struct mini *x, struct tr_reader *t, uint32_t threads, struct gpu_result *r,
                               struct diag *d)
{
    return gpu_run(&x->conf, t, &(struct gpu_opts){.threads = threads}, r, d);
}

static void same_on_threads(void **state)
{
    (void)state;
    struct mini x;
    char path[64];
    struct tr_reader *t = program(&x, path, 40);
    struct gpu_result a, b;
    struct diag d = {0};
    mini_set(&x, "gpu.sample=0.05");
    assert_int_equal(sampled(&x, t, 1, &a, &d), GPU_OK);
    assert_int_equal(sampled(&x, t, 4, &b, &d), GPU_OK);
    assert_memory_equal(a.sm, b.sm, sizeof a.sm);
    assert_memory_equal(a.mem, b.mem, sizeof a.mem);
    assert_memory_equal(a.sample, b.sample, sizeof a.sample);
    assert_int_equal(a.kernel_cycles, b.kernel_cycles);
    assert_int_equal(a.sample[SAM_launches], 2);
    assert_int_equal(a.kernels.n, 40);
    assert_int_equal(a.sm[SS_warp_insts], 40 * CTAS * 2 * (INSNS + 1));
    uint64_t causes = 0;
    for (uint32_t i = SS_issued; i <= SS_stall_drained; i++)
        causes += a.sm[i];
    assert_true(causes + 20 > a.sm[SS_cycles] && causes < a.sm[SS_cycles] + 20); /* but for rounding */
    gpu_result_free(&a);
    gpu_result_free(&b);
    tr_free(t);
    unlink(path);
    mini_free(&x);
}

static void refused(const char *set, bool together, const char *why)
{
    struct mini x;
    char path[64];
    struct diag d = {0};
    struct gpu_result r;
    struct tr_reader *t = program(&x, path, 3);
    if (together) {
        tr_free(t);
        x.together = true;
        mini_write(&x, path);
        t = tr_open(path, &d);
        assert_non_null(t);
    }
    mini_set(&x, "gpu.sample=0.05");
    if (set)
        mini_set(&x, set);
    assert_int_equal(sampled(&x, t, 1, &r, &d), GPU_REFUSED);
    assert_non_null(strstr(d.msg[0].text, why));
    gpu_result_free(&r);
    diag_free(&d);
    tr_free(t);
    unlink(path);
    mini_free(&x);
}

static void refusals(void **state)
{
    (void)state;
    refused("gpu.insts=100", false, "gpu.insts");
    refused("gpu.most_cyc=100", false, "gpu.most_cyc");
    refused(NULL, true, "may run together");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_launches),
        cmocka_unit_test(unequal_launches),
        cmocka_unit_test(thin_streams),
        cmocka_unit_test(jump_streams),
        cmocka_unit_test(thin_waves),
        cmocka_unit_test(waves_with_the_longest),
        cmocka_unit_test(jump_in_waves),
        cmocka_unit_test(pairs),
        cmocka_unit_test(thin_nothing),
        cmocka_unit_test(code_of_before),
        cmocka_unit_test(line_through_two),
        cmocka_unit_test(two_of_four),
        cmocka_unit_test(excerpt_of_a_launch),
        cmocka_unit_test(excerpt_of_ctas),
        cmocka_unit_test(waves_stand_for_others),
        cmocka_unit_test(jumps_of_one_in_one),
        cmocka_unit_test(jumps_of_one_in_five),
        cmocka_unit_test(jumps_of_one_period),
        cmocka_unit_test(stores_behind),
        cmocka_unit_test(no_longest),
        cmocka_unit_test(jumps_over_barriers),
        cmocka_unit_test(same_on_threads),
        cmocka_unit_test(jumps_of_a_chain),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
