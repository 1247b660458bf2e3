/* SPDX-License-Identifier: Apache-2.0 */
/* Corners of the model that a random trace meets too rarely, or would not notice. */
#include "mini.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

#include "play.h"

#include <cmocka.h>

/* ---- constants ---- */

static uint64_t constants(uint32_t n, const char *const *sets)
{
    struct mini m;
    mini_init(&m);
    for (uint32_t i = 0; sets[i]; i++)
        mini_set(&m, sets[i]);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t at = mini_mem(&m, TC_LDC, 1, 1, 4, 128 * (uint64_t)i, 0);
        m.insns[at].space = SPACE_CONST;
    }
    uint64_t c = mini_cycles(&m);
    mini_free(&m);
    return c;
}

/* A chain of loads that all miss: the miss, then the load. The longest that there can be: it must not come early. */
static void far_events(void **state)
{
    (void)state;
    const char *sets[] = {"sm.const_cyc=1000", "latency.LDC=1000", NULL};
    assert_int_equal(constants(30, sets) - constants(10, sets), 20 * 2000);
}

/* Four warps of a partition load a line's words that all hit, of which the lanes name `words`: a chain of one warp, and all of
 * them without one. */
static uint64_t indexed(uint32_t n, uint32_t warps, uint32_t words)
{
    struct mini m;
    mini_init(&m);
    mini_set(&m, "sm.const_word_cyc=3");
    mini_set(&m, "sm.const_more_cyc=11");
    m.warps = warps;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t at = mini_mem(&m, TC_LDC, 1, warps > 1 ? 2 : 1, 4, 0, words > 1 ? 4 : 0);
        m.insns[at].space = SPACE_CONST;
        m.mask[at] = words > 1 ? (1u << words) - 1 : ~0u;
    }
    uint64_t c = mini_cycles(&m);
    mini_free(&m);
    return c;
}

/* In a chain every word beyond the first takes 11 cycles more; from many warps the cache gives out a word in three. */
static void constants_by_index(void **state)
{
    (void)state;
    uint64_t one = indexed(30, 1, 1) - indexed(10, 1, 1);
    assert_int_equal(indexed(30, 1, 5) - indexed(10, 1, 5), one + 20 * 4 * 11);
    assert_int_equal(indexed(30, 16, 5) - indexed(10, 16, 5), 16 * 20 * 5 * 3);
}

/* Two warps whose constants evict each other from a cache of one line. */
static void constants_in_turn(void **state)
{
    (void)state;
    struct mini m;
    struct gpu_result r;
    mini_init(&m);
    mini_set(&m, "sm.const_b=64");
    m.warps = 8;
    for (uint32_t i = 0; i < 40; i++) {
        struct tr_insn *k = &m.insns[mini_op(&m, TC_INT, 4, 5, MINI_NONE, MINI_NONE)];
        k->src[k->nsrc++] = (struct tr_opnd){.kind = TO_CONST, .n = 1, .val = 128 * (i % 7)};
        m.warps_mask[m.n - 1] = 0x55u << i % 2;
    }
    mini_run(&m, &r, 1);
    assert_true(r.sm[SS_const_misses] > 8);
    assert_int_equal(r.sm[SS_warp_insts], 8 * 20 + 8);
    gpu_result_free(&r);
    mini_free(&m);
}

static void read_constant(struct mini *m, uint32_t warp)
{
    struct tr_insn *k = &m->insns[mini_op(m, TC_INT, 4, 5, MINI_NONE, MINI_NONE)];
    k->src[k->nsrc++] = (struct tr_opnd){.kind = TO_CONST, .n = 1};
    m->warps_mask[m->n - 1] = 1u << warp;
    (void)mini_bar(m);
}

/* A load by index evicts an operand's line, which two warps have had, from a cache of one; a third one needs that again. */
static void constants_of_both_kinds(void **state)
{
    (void)state;
    struct mini m;
    struct gpu_result r;
    mini_init(&m);
    mini_set(&m, "sm.const_b=64");
    m.warps = 3;
    read_constant(&m, 0);
    read_constant(&m, 1);
    uint32_t at = mini_mem(&m, TC_LDC, 1, 2, 4, 0, 0);
    m.insns[at].space = SPACE_CONST;
    m.warps_mask[at] = 1;
    m.warps_mask[mini_op(&m, TC_INT, 3, 1, MINI_NONE, MINI_NONE)] = 1; /* it has come */
    (void)mini_bar(&m);
    read_constant(&m, 2);
    mini_run(&m, &r, 1);
    assert_int_equal(r.sm[SS_const_misses], 3);
    gpu_result_free(&r);
    mini_free(&m);
}

/* ---- branches, copies ---- */

static uint64_t branches(uint32_t n)
{
    struct mini m;
    mini_init(&m);
    mini_set(&m, "latency.BRANCH=7");
    for (uint32_t i = 0; i < n; i++)
        mini_op(&m, TC_BRANCH, MINI_NONE, MINI_NONE, MINI_NONE, MINI_NONE);
    uint64_t c = mini_cycles(&m);
    mini_free(&m);
    return c;
}

/* A branch holds its warp for its latency. */
static void branch_holds(void **state)
{
    (void)state;
    assert_int_equal(branches(60) - branches(20), 40 * 7);
}

/* A copy that hits L1, a commit, a wait that leaves `pending` groups. */
static uint64_t copies(uint32_t n, uint32_t pending)
{
    struct mini m;
    mini_init(&m);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t at = mini_mem(&m, TC_LDGSTS, MINI_NONE, 1, 4, 0x200000000000, 4);
        m.insns[at].mem = TM_LOAD | TM_STORE;
        m.insns[mini_op(&m, TC_ASYNC, MINI_NONE, MINI_NONE, MINI_NONE, MINI_NONE)].imm = TA_COMMIT;
        m.insns[mini_op(&m, TC_ASYNC, MINI_NONE, MINI_NONE, MINI_NONE, MINI_NONE)].imm = pending;
    }
    uint64_t c = mini_cycles(&m);
    mini_free(&m);
    return c;
}

/* One copy after the other, two at a time, five at a time. */
static void copies_overlap(void **state)
{
    (void)state;
    assert_int_equal(copies(120, 0) - copies(60, 0), 60 * 30);
    assert_int_equal(copies(120, 1) - copies(60, 1), 60 * 15);
    assert_int_equal(copies(120, 4) - copies(60, 4), 60 * 6);
}

/* ---- barriers ---- */

/* Warp 0 has a long way to the barrier. In warp 1 half the lanes arrive, the others leave: what follows the barrier must
 * wait for warp 0. */
static uint64_t leave_beside(uint32_t work)
{
    struct mini m;
    mini_init(&m);
    m.warps = 2;
    for (uint32_t i = 0; i < work; i++) {
        mini_op(&m, TC_FP32, 1, 1, MINI_NONE, MINI_NONE);
        m.warps_mask[m.n - 1] = 1;
    }
    mini_bar(&m);
    m.warps_mask[m.n - 1] = 1;
    uint32_t half = mini_bar(&m);
    m.warps_mask[half] = 2;
    m.mask[half] = 0xffff;
    uint32_t leave = mini_op(&m, TC_EXIT, MINI_NONE, MINI_NONE, MINI_NONE, MINI_NONE);
    m.warps_mask[leave] = 2;
    m.mask[leave] = 0xffff0000;
    for (uint32_t i = 0; i < 500; i++) {
        uint32_t at = mini_op(&m, TC_FP32, 1, 1, MINI_NONE, MINI_NONE);
        m.warps_mask[at] = 2;
        m.mask[at] = 0xffff;
    }
    uint64_t c = mini_cycles(&m);
    mini_free(&m);
    return c;
}

static void lanes_leave_beside_a_barrier(void **state)
{
    (void)state;
    assert_int_equal(leave_beside(400) - leave_beside(100), 300 * 4);
}

/* The trace does not know a count that was in a register; the run must end all the same. */
static void count_in_a_register(void **state)
{
    (void)state;
    struct mini m;
    mini_init(&m);
    m.warps = 4;
    for (uint32_t i = 0; i < 6; i++) {
        uint32_t at = mini_bar(&m);
        m.insns[at].count = TB_DYNAMIC_COUNT;
        m.warps_mask[at] = 1u << i % 4 | 2;
    }
    assert_true(mini_cycles(&m) > 0);
    mini_free(&m);
}

/* One warp waits at a barrier for threads that there are not. */
static void barrier_without_end(void **state)
{
    (void)state;
    struct mini m;
    struct gpu_result r;
    struct diag d = {0};
    mini_init(&m);
    m.warps = 2;
    uint32_t at = mini_bar(&m);
    m.insns[at].count = 96;
    assert_int_equal(mini_try(&m, &r, 1, &d), GPU_DEADLOCK);
    assert_non_null(strstr(d.msg[0].text, "no warp can ever issue again"));
    gpu_result_free(&r);
    diag_free(&d);
    mini_free(&m);
}

/* A stream may end with an instruction that holds its warp; the next CTA gets the slot in a clean state. */
static void ends_on_hold(void **state)
{
    (void)state;
    struct mini m;
    struct gpu_result r;
    mini_init(&m);
    mini_set(&m, "sm.warps=1");
    mini_set(&m, "latency.MEMBAR=100");
    mini_set(&m, "sm.wsched=two-level");
    m.warps = 4;
    m.ctas = 5;
    m.no_exit = true;
    mini_op(&m, TC_FP32, 1, 1, MINI_NONE, MINI_NONE);
    mini_op(&m, TC_MEMBAR, MINI_NONE, MINI_NONE, MINI_NONE, MINI_NONE);
    uint64_t c = mini_run(&m, &r, 1);
    assert_true(c >= 5 * 100);
    assert_true(r.sm[SS_stall_drained] < 50); /* a slot that kept it would be charged to the end */
    gpu_result_free(&r);
    mini_free(&m);
}

/* ---- memory ---- */

/* Accesses at the very end of the address space, where the next line is line 0. */
static void top_of_memory(void **state)
{
    (void)state;
    struct mini m;
    struct gpu_result r;
    mini_init(&m);
    mini_mem(&m, TC_LDG, 4, 1, 4, UINT64_MAX - 127, 4);
    mini_mem(&m, TC_LDG, 5, 1, 16, UINT64_MAX - 63, 1);
    mini_mem(&m, TC_STG, MINI_NONE, 1, 4, UINT64_MAX - 200, 64);
    mini_run(&m, &r, 1);
    assert_int_equal(r.sm[SS_warp_insts], 4);
    gpu_result_free(&r);
    mini_free(&m);
}

/* ---- grids ---- */

/* A recording that was cut short: a few CTAs of a grid of 2^48. */
static void huge_grid(void **state)
{
    (void)state;
    char path[256], buf[200];
    struct diag d = {0};
    struct tr_insn end = {.cls = TC_EXIT, .target = TR_NO_TARGET, .text = "EXIT"};
    struct tr_block all = {.n = 1, .ipdom = UINT32_MAX};
    struct tr_kernel k = {
        .name = "huge", .file = "", .insns = &end, .n = 1, .blocks = &all, .nblocks = 1, .regs = 8};
    const uint32_t ctas[] = {3, 1u << 30, 0xfffffffe};
    play_path(path);
    struct tr_writer *w = tr_create(path, &(struct tr_info){.program = "huge", .maker = "test"}, &d);
    tr_add_kernel(w, &k);
    tr_begin_launch(w, &(struct tr_launch){.grid = {0x7fffffff, 0xffff, 2}, .block = {32, 1, 1}});
    for (uint32_t i = 0; i < 3; i++) {
        tr_begin_cta(w, ctas[i]);
        tr_insn(w, ctas[i], 0, 0, ~0u, SPACE_NONE, NULL, NULL);
        tr_end_cta(w, ctas[i]);
    }
    tr_end_launch(w, false);
    assert_true(tr_close(w, &d));
    const char *bad = play(path, &play_machines[0], NULL, 1, NULL, buf, sizeof buf);
    if (bad)
        fail_msg("%s", bad);
    unlink(path);
    diag_free(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(far_events),          cmocka_unit_test(constants_by_index),
        cmocka_unit_test(constants_in_turn),   cmocka_unit_test(constants_of_both_kinds),
        cmocka_unit_test(branch_holds),        cmocka_unit_test(copies_overlap),
        cmocka_unit_test(count_in_a_register), cmocka_unit_test(lanes_leave_beside_a_barrier),
        cmocka_unit_test(ends_on_hold),        cmocka_unit_test(top_of_memory),
        cmocka_unit_test(huge_grid),           cmocka_unit_test(barrier_without_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
