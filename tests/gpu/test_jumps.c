/* SPDX-License-Identifier: Apache-2.0 */
/* Sampling: excerpts of launches and warps that jump, beside the launches that they are of; sampled runs. */
#include "gpu/sample/sample.h"
#include "mini.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <unistd.h>

#include <cmocka.h>

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
        cmocka_unit_test(excerpt_of_a_launch),    cmocka_unit_test(excerpt_of_ctas),
        cmocka_unit_test(waves_stand_for_others), cmocka_unit_test(jumps_of_one_in_one),
        cmocka_unit_test(jumps_of_one_in_five),   cmocka_unit_test(jumps_of_one_period),
        cmocka_unit_test(stores_behind),          cmocka_unit_test(no_longest),
        cmocka_unit_test(jumps_over_barriers),    cmocka_unit_test(same_on_threads),
        cmocka_unit_test(jumps_of_a_chain),       cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
