/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel cycles: from a launch's first CTA to the end of its last, launches that run together counted once, and every scheduler
 * cycle outside charged to stall_launch. */
#include "gpu/spans.h"
#include "mini.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/* ---- the sum ---- */

static void one_span(void **state)
{
    (void)state;
    struct spans s = {0};
    spans_settle(&s, 20);
    assert_int_equal(spans_upto(&s, 25), 0);
    spans_begin(&s, 0, 23);
    spans_settle(&s, 40);
    assert_int_equal(s.cycles, 17);
    assert_int_equal(spans_upto(&s, 40), 17);
    assert_int_equal(spans_upto(&s, 55), 32); /* nothing happens there, and it runs */
    spans_end(&s, 0, 61);
    spans_settle(&s, 80); /* the window from 40 to 60 was skipped */
    assert_int_equal(s.cycles, 61 - 23);
    assert_int_equal(spans_upto(&s, 100), 61 - 23);
    spans_free(&s);
}

/* 10 to 30 and 15 to 50 together, then 55 to 57 alone. */
static void overlap(void **state)
{
    (void)state;
    struct spans s = {0};
    spans_begin(&s, 0, 10);
    spans_begin(&s, 1, 15);
    spans_settle(&s, 20);
    assert_int_equal(s.cycles, 10);
    spans_end(&s, 0, 30);
    spans_settle(&s, 40);
    assert_int_equal(s.cycles, 30);
    /* When this is told, the GPU does not know yet that the other one ends before it. */
    spans_begin(&s, 2, 55);
    spans_end(&s, 1, 50);
    spans_end(&s, 2, 57);
    spans_settle(&s, 60);
    assert_int_equal(s.cycles, (50 - 10) + (57 - 55));
    spans_free(&s);
}

/* ---- launches ---- */

/* WINDOW is the latency of mini's interconnect; 50 cycles of latency end in the window before BEGIN. */
enum { WINDOW = 20, SCHEDULERS = 4, BEGIN = 60 };

static void check_sum(const struct gpu_result *r)
{
    uint64_t sum = 0;
    for (uint32_t i = SS_issued; i <= SS_stall_drained; i++)
        sum += r->sm[i];
    assert_int_equal(sum, r->sm[SS_cycles]);
    assert_int_equal(r->sm[SS_stall_launch], (r->cycles - r->kernel_cycles) * SCHEDULERS);
}

/* EXIT alone: its warp appears at BEGIN and asks for the line, which misses and takes three cycles, that one included; it issues
 * in the third, after two of stall_fetch. The other three partitions have no warp. */
static void one_launch(void **state)
{
    (void)state;
    struct mini m;
    struct gpu_result r;
    mini_init(&m);
    mini_set(&m, "gpu.launch_cyc=50");
    mini_run(&m, &r, 1);
    assert_int_equal(r.kernels.at[0].start, 0);
    assert_int_equal(r.kernels.at[0].begin, BEGIN);
    assert_int_equal(r.kernels.at[0].end, BEGIN + 3);
    assert_int_equal(r.cycles, BEGIN + 3);
    assert_int_equal(r.kernel_cycles, 3);
    assert_int_equal(r.sm[SS_stall_fetch], 2);
    assert_int_equal(r.sm[SS_stall_no_warp], 3 * 3);
    check_sum(&r);
    assert_true(gpu_ipc(&r) > 1.0 / 3 - 1e-9 && gpu_ipc(&r) < 1.0 / 3 + 1e-9);
    gpu_result_free(&r);
    mini_free(&m);
}

/* The second one's turn is the first window after the end; its code is in L0. */
static void one_after_the_other(void **state)
{
    (void)state;
    struct mini m;
    struct gpu_result r;
    mini_init(&m);
    mini_set(&m, "gpu.launch_cyc=50");
    m.launches = 2;
    mini_run(&m, &r, 1);
    const struct gpu_kernel_result *k = &r.kernels.at[1];
    assert_int_equal(k->start, 4 * WINDOW);
    assert_int_equal(k->begin, 7 * WINDOW); /* 80 + 50 = 130 */
    assert_int_equal(gpu_kernel_cycles(k), 2);
    assert_int_equal(r.cycles, 7 * WINDOW + 2);
    assert_int_equal(r.kernel_cycles, 3 + 2);
    check_sum(&r);
    gpu_result_free(&r);
    mini_free(&m);
}

/* The same launch twice by gpu.passes is the second of two, counted from the window's end behind the first, with its own counts
 * alone. */
static void last_of_two_passes(void **state)
{
    (void)state;
    struct mini m;
    struct gpu_result r;
    mini_init(&m);
    mini_set(&m, "gpu.launch_cyc=50");
    mini_set(&m, "gpu.passes=2");
    mini_run(&m, &r, 1);
    assert_int_equal(r.kernels.n, 1);
    assert_int_equal(r.kernels.at[0].start, 0);
    assert_int_equal(r.kernels.at[0].begin, 7 * WINDOW - 4 * WINDOW);
    assert_int_equal(gpu_kernel_cycles(&r.kernels.at[0]), 2);
    assert_int_equal(r.cycles, 3 * WINDOW + 2);
    assert_int_equal(r.kernel_cycles, 2);
    assert_int_equal(r.sm[SS_warp_insts], 1);
    assert_int_equal(r.sm[SS_ctas], 1);
    assert_int_equal(r.tenants.at[0].passes, 2);
    uint64_t cycles = 0;
    for (uint32_t i = 0; i < sm_array_n(&m.conf.sm, SA_reads_per_cycle); i++)
        cycles += r.arrays[SA_reads_per_cycle][i];
    assert_int_equal(cycles, r.cycles);
    check_sum(&r);
    gpu_result_free(&r);
    mini_free(&m);
}

/* What the first of three passes brought from DRAM the last one finds in L2; L1 is emptied between launches. */
static void passes_warm_l2(void **state)
{
    (void)state;
    struct mini m;
    struct gpu_result one, three;
    mini_init(&m);
    mini_set(&m, "mem.simple=false");
    for (uint32_t i = 0; i < 8; i++)
        mini_mem(&m, TC_LDG, (int)i, MINI_NONE, 4, 4096 * i, 4);
    mini_run(&m, &one, 1);
    mini_set(&m, "gpu.passes=3");
    mini_run(&m, &three, 1);
    assert_int_equal(one.mem[MS_dram_reads], 32);
    assert_int_equal(three.mem[MS_dram_reads], 0);
    assert_int_equal(three.mem[MS_l2_reads], one.mem[MS_l2_reads]);
    check_sum(&three);
    gpu_result_free(&one);
    gpu_result_free(&three);
    mini_free(&m);
}

/* A pass that is cut, or estimated, is none to be told of. */
static void passes_refused(void **state)
{
    (void)state;
    static const char *const with[] = {"gpu.insts=5", "gpu.most_cyc=5", "gpu.sample=0.1"};
    for (uint32_t i = 0; i < sizeof with / sizeof *with; i++) {
        struct mini m;
        struct gpu_result r;
        struct diag d = {0};
        mini_init(&m);
        mini_set(&m, "gpu.passes=2");
        mini_set(&m, with[i]);
        assert_int_equal(mini_try(&m, &r, 1, &d), GPU_REFUSED);
        gpu_result_free(&r);
        diag_free(&d);
        mini_free(&m);
    }
}

/* CTAs start one per cycle, so the second begins a cycle later, in another partition that has to fetch from L1: two cycles. Both
 * end with cycle 62. */
static void together(void **state)
{
    (void)state;
    struct mini m;
    struct gpu_result r;
    mini_init(&m);
    mini_set(&m, "gpu.launch_cyc=50");
    m.launches = 2;
    m.together = true;
    mini_run(&m, &r, 1);
    assert_int_equal(r.kernels.at[0].begin, BEGIN);
    assert_int_equal(r.kernels.at[1].begin, BEGIN + 1);
    assert_int_equal(gpu_kernel_cycles(&r.kernels.at[0]), 3);
    assert_int_equal(gpu_kernel_cycles(&r.kernels.at[1]), 2);
    assert_int_equal(r.kernel_cycles, 3);
    check_sum(&r);
    gpu_result_free(&r);
    mini_free(&m);
}

/* Two launches in streams of their own, with six CTAs each that fill the SM. Of equals the first is served first, and the
 * second begins when all of it has ended; with a higher priority it is the other way round. */
static void priority(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 2; i++) {
        struct mini m;
        struct gpu_result r;
        mini_init(&m);
        mini_set(&m, "sm.warps=1");
        m.warps = 4;
        m.ctas = 6;
        m.launches = 2;
        m.together = true;
        m.last_flags = i ? 3 << 4 : 0;
        mini_run(&m, &r, 1);
        const struct gpu_kernel_result *first = &r.kernels.at[0], *last = &r.kernels.at[1];
        assert_int_equal(i ? last->begin : first->begin, 0);
        assert_true(i ? first->begin >= last->end : last->begin >= first->end);
        gpu_result_free(&r);
        mini_free(&m);
    }
}

/* The latency of a launch is outside whatever it is, and changes nothing inside. */
static void latency_is_outside(void **state)
{
    (void)state;
    struct mini m;
    struct gpu_result a, b;
    mini_init(&m);
    m.ctas = 3;
    m.warps = 5;
    for (uint32_t i = 0; i < 20; i++)
        mini_mem(&m, i % 2 ? TC_STG : TC_LDG, i % 2 ? MINI_NONE : 1, 1, 4, 0x200000000000 + i * 4096, 4);
    mini_run(&m, &a, 1);
    mini_set(&m, "gpu.launch_cyc=777");
    mini_run(&m, &b, 2);
    assert_int_equal(a.kernel_cycles, a.cycles);
    assert_int_equal(a.sm[SS_stall_launch], 0);
    assert_int_equal(b.kernel_cycles, a.kernel_cycles);
    assert_int_equal(b.cycles, a.cycles + 39 * WINDOW);
    for (uint32_t i = SS_issued; i < SS_COUNT; i++)
        if (i != SS_stall_launch)
            assert_int_equal(a.sm[i], b.sm[i]);
    check_sum(&b);
    gpu_result_free(&a);
    gpu_result_free(&b);
    mini_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_span),           cmocka_unit_test(overlap),
        cmocka_unit_test(one_launch),         cmocka_unit_test(one_after_the_other),
        cmocka_unit_test(last_of_two_passes), cmocka_unit_test(passes_warm_l2),
        cmocka_unit_test(passes_refused),     cmocka_unit_test(together),
        cmocka_unit_test(priority),           cmocka_unit_test(latency_is_outside),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
