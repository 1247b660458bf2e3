/* SPDX-License-Identifier: Apache-2.0 */
/* What a warp waits for that is no result: fences of wide scope (sm/l1/fence.h), lines of constants. Hand counts, as in
 * test_timing.c: the difference of two lengths of a kernel. */
#include "mini.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { SHORT = 20, LONG = 60, STEPS = LONG - SHORT };

typedef void filler(struct mini *m, uint32_t i);

static uint64_t cost(filler *f, const char *const *sets, const char *more, uint32_t warps)
{
    uint64_t c[2];
    for (uint32_t k = 0; k < 2; k++) {
        struct mini m;
        mini_init(&m);
        m.warps = warps;
        for (uint32_t i = 0; sets[i]; i++)
            mini_set(&m, sets[i]);
        if (more)
            mini_set(&m, more);
        for (uint32_t i = 0; i < (k ? LONG : SHORT); i++)
            f(&m, i);
        c[k] = mini_cycles(&m);
        mini_free(&m);
    }
    return c[1] - c[0];
}

static void fence_of(struct mini *m, const char *text)
{
    mini_op(m, TC_MEMBAR, MINI_NONE, MINI_NONE, MINI_NONE, MINI_NONE);
    m->insns[m->n - 1].text = text;
}
static void gpu_fence(struct mini *m, uint32_t i)
{
    (void)i;
    fence_of(m, "MEMBAR.SC.GPU");
}
static void gpu_fence_whole(struct mini *m, uint32_t i)
{
    gpu_fence(m, i);
    fence_of(m, "ERRBAR");
}
static void sys_fence(struct mini *m, uint32_t i)
{
    (void)i;
    fence_of(m, "MEMBAR.SC.SYS");
}
static void cta_fence(struct mini *m, uint32_t i)
{
    (void)i;
    fence_of(m, "MEMBAR.ALL.CTA");
}
static void store_and_fence(struct mini *m, uint32_t i)
{
    mini_mem(m, TC_STG, MINI_NONE, 1, 4, 0x200000000000, 4);
    m->insns[m->n - 1].mem = TM_STORE;
    gpu_fence(m, i);
}

static const char *const fences[] = {"sm.store_waits=true", "sm.fence_cyc=100", "sm.fence_sys_cyc=400",
                                     "latency.MEMBAR=20", NULL};

/* Nothing is on its way: a fence takes what the option says, and what stands behind it as part of it nothing but its issue. */
static void fence_alone(void **state)
{
    (void)state;
    assert_int_equal(cost(gpu_fence, fences, NULL, 1), STEPS * 100);
    assert_int_equal(cost(gpu_fence_whole, fences, NULL, 1), STEPS * 101);
    assert_int_equal(cost(sys_fence, fences, NULL, 1), STEPS * 400);
    assert_int_equal(cost(cta_fence, fences, NULL, 1), STEPS * 20);
    assert_int_equal(cost(gpu_fence, fences, "sm.fence_cyc=0", 1), STEPS * 20);
}

/* Two warps, each in a partition of its own: the SM takes the second fence 90 cycles after the first. */
static void fences_in_turn(void **state)
{
    (void)state;
    assert_int_equal(cost(gpu_fence, fences, "sm.fence_ii=90", 2), STEPS * 180);
}

/* A store is answered first: what comes after the answer is added, and the fence alone would be over by then. */
static void fence_behind_store(void **state)
{
    (void)state;
    uint64_t few = cost(store_and_fence, fences, "sm.fence_after_cyc=40", 1);
    uint64_t more = cost(store_and_fence, fences, "sm.fence_after_cyc=80", 1);
    assert_true(few > STEPS * 140);
    assert_int_equal(more - few, STEPS * 40);
}

static void konst_of(struct mini *m, uint32_t bank, uint32_t off)
{
    mini_op(m, TC_FP32, 1, 1, 2, MINI_NONE);
    struct tr_insn *i = &m->insns[m->n - 1];
    i->src[1] = (struct tr_opnd){.kind = TO_CONST, .bank = (uint8_t)bank, .val = off, .n = 1};
}
static void table(struct mini *m, uint32_t i) { konst_of(m, 3, i * 64); }
static void turn_of_three(struct mini *m, uint32_t i) { konst_of(m, 3, i % 3 * 64); }

/* Every instruction names another line of 64 bytes: its miss, and the dependence of 4 cycles. Three lines in turn stay in a
 * first level of four. */
static void konst_lines(void **state)
{
    (void)state;
    const char *sets[] = {"sm.const_line_b=64", "sm.const_table_cyc=150", NULL};
    uint64_t all = cost(table, sets, NULL, 1), shared = cost(table, sets, NULL, 2);
    assert_in_range(all, STEPS * 150, STEPS * 154);
    assert_int_equal(all, shared); /* the second warp waits for the same lines */
    assert_int_equal(cost(turn_of_three, sets, NULL, 1), STEPS * 4);
    const char *first[] = {"sm.const_line_b=64", "sm.const_table_cyc=150", "sm.const_first_b=256",
                           "sm.const_first_cyc=50", NULL};
    assert_int_equal(cost(turn_of_three, first, NULL, 1), STEPS * 4);
    assert_in_range(cost(table, first, NULL, 1), STEPS * 150, STEPS * 154);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fence_alone),
        cmocka_unit_test(fences_in_turn),
        cmocka_unit_test(fence_behind_store),
        cmocka_unit_test(konst_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
