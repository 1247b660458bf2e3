/* SPDX-License-Identifier: Apache-2.0 */
/* Hand counts of the units that work while a warp goes on: barrier objects, the copy engine, products of warp groups. */
#include "gpu/mini.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { TURNS = 10, OBJECT_A = 64, OBJECT_B = 72 };

static void add_turn(struct mini *m, uint32_t turn)
{
    uint32_t parity = turn & 1;
    m->warps_mask[mini_object(m, TMB_ARRIVE, OBJECT_A, 1)] = 1;
    m->warps_mask[mini_object(m, TMB_WAIT, OBJECT_A, parity)] = 2;
    m->warps_mask[mini_object(m, TMB_ARRIVE, OBJECT_B, 1)] = 2;
    m->warps_mask[mini_object(m, TMB_WAIT, OBJECT_B, parity)] = 1;
}

/* Two warps hand a token to and fro. */
static uint64_t to_and_fro(const char *set, uint32_t turns)
{
    struct mini m;
    mini_init(&m);
    m.warps = 2;
    mini_set(&m, set);
    m.warps_mask[mini_object(&m, TMB_INIT, OBJECT_A, 1)] = 1;
    m.warps_mask[mini_object(&m, TMB_INIT, OBJECT_B, 1)] = 1;
    mini_bar(&m);
    for (uint32_t i = 0; i < turns; i++)
        add_turn(&m, i);
    uint64_t t = mini_cycles(&m);
    mini_free(&m);
    return t;
}

/* Each way an arrival takes object_cyc until it counts and object_wake_cyc until the other warp issues its arrival, in that very
 * cycle. */
static void objects(void **state)
{
    (void)state;
    uint64_t turn =
        (to_and_fro("sm.object_cyc=20", 2 * TURNS) - to_and_fro("sm.object_cyc=20", TURNS)) / TURNS;
    assert_int_equal(turn, 2 * (20 + 20));
    uint64_t slow =
        (to_and_fro("sm.object_cyc=50", 2 * TURNS) - to_and_fro("sm.object_cyc=50", TURNS)) / TURNS;
    assert_int_equal(slow, 2 * (50 + 20));
    slow =
        (to_and_fro("sm.object_wake_cyc=33", 2 * TURNS) - to_and_fro("sm.object_wake_cyc=33", TURNS)) / TURNS;
    assert_int_equal(slow, 2 * (20 + 33));
}

/* A phase waits for all of its arrivals and bytes; a phase that is over is not waited for. */
static void phases(void **state)
{
    (void)state;
    struct mini m;
    mini_init(&m);
    mini_object(&m, TMB_INIT, OBJECT_A, 2);
    mini_object(&m, TMB_WAIT, OBJECT_A, 1); /* the phase before the first */
    mini_object(&m, TMB_ARRIVE, OBJECT_A, 1);
    mini_object(&m, TMB_ARRIVE_EXPECT, OBJECT_A, 256);
    mini_object(&m, TMB_COMPLETE, OBJECT_A, 256);
    mini_object(&m, TMB_WAIT, OBJECT_A, 0);
    assert_true(mini_cycles(&m) > 0);
    mini_object(&m, TMB_ARRIVE, OBJECT_A, 1);
    mini_object(&m, TMB_WAIT, OBJECT_A, 1); /* one arrival is missing */
    struct gpu_result r = {0};
    struct diag d = {0};
    assert_int_not_equal(mini_try(&m, &r, 1, &d), GPU_OK);
    gpu_result_free(&r);
    diag_free(&d);
    mini_free(&m);
}

static uint64_t multiply(uint32_t columns, uint32_t in_regs, uint32_t n)
{
    struct mini m;
    mini_init(&m);
    mini_set(&m, "sm.product_queue=16");
    for (uint32_t i = 0; i < n; i++) {
        uint32_t at = mini_op(&m, TC_GMMA, MINI_NONE, MINI_NONE, MINI_NONE, MINI_NONE);
        m.insns[at].imm = columns;
        m.insns[at].count = in_regs;
    }
    m.insns[mini_op(&m, TC_GMMA, MINI_NONE, MINI_NONE, MINI_NONE, MINI_NONE)].imm = TG_COMMIT;
    m.insns[mini_op(&m, TC_GMMA, MINI_NONE, MINI_NONE, MINI_NONE, MINI_NONE)].imm = TG_WAIT;
    uint64_t t = mini_cycles(&m);
    mini_free(&m);
    return t;
}

/* One more product takes n / 2 cycles, or as long as its matrices come from shared memory. */
static void products(void **state)
{
    (void)state;
    static const uint32_t want[][3] = {{256, 0, 128}, {128, 0, 64}, {64, 0, 32}, {32, 0, 24},
                                       {8, 0, 18},    {64, 4, 32},  {8, 4, 4}};
    for (uint32_t i = 0; i < sizeof want / sizeof want[0]; i++)
        assert_int_equal(multiply(want[i][0], want[i][1], 6) - multiply(want[i][0], want[i][1], 5),
                         want[i][2]);
}

enum { ACC = 8, ACCS = 8 };

/* Two instructions read an accumulator before and after a product, which changes it past whatever has kept it. */
static void use_accumulators(struct mini *m)
{
    for (uint32_t i = 0; i < 3; i++) {
        for (int k = 0; k < 2; k++)
            mini_op(m, TC_FP32, 30 + k, ACC, ACC + 1, ACC + 2 + k);
        uint32_t at = mini_op(m, TC_GMMA, ACC, MINI_NONE, MINI_NONE, MINI_NONE);
        m->insns[at].dst[0].n = ACCS;
        m->insns[at].imm = 2 * ACCS | TG_COMMIT;
        m->insns[mini_op(m, TC_GMMA, MINI_NONE, MINI_NONE, MINI_NONE, MINI_NONE)].imm = TG_WAIT;
        for (int k = 0; k < 2; k++)
            mini_op(m, TC_FP32, 32 + k, ACC, ACC + 1, ACC + 2 + k);
    }
    mini_op(m, TC_FP32, ACC, 30, 31, 32); /* a result that may be kept, and is an operand of the next one */
    uint32_t at = mini_op(m, TC_GMMA, ACC, MINI_NONE, MINI_NONE, MINI_NONE);
    m->insns[at].dst[0].n = ACCS;
    m->insns[at].imm = 2 * ACCS | TG_COMMIT;
}

static bool in_list(const char *name, const char *const *list)
{
    while (*list && strcmp(name, *list) != 0)
        list++;
    return *list;
}

/* Each operand store ends its copies, or says that it cannot. */
static void accumulators(void **state)
{
    (void)state;
    static const char *const apart[] = {"rfc", "swrfc", "ltrf", "regless", "rfv", NULL};
    for (uint32_t i = 0; operands_name(i); i++) {
        struct mini m;
        struct gpu_result r = {0};
        struct diag d = {0};
        char set[64];
        mini_init(&m);
        m.warps = 4;
        m.regs = 40;
        snprintf(set, sizeof set, "sm.operands=%s", operands_name(i));
        mini_set(&m, set);
        use_accumulators(&m);
        enum gpu_status s = mini_try(&m, &r, 1, &d);
        if (in_list(operands_name(i), apart)) {
            assert_int_equal(s, GPU_REFUSED);
            assert_non_null(strstr(d.msg[0].text, "launch 0 (mini): products of warp groups"));
            assert_non_null(strstr(d.msg[0].text, set + strlen("sm.operands=")));
        } else {
            if (s != GPU_OK)
                fail_msg("%s: %s", operands_name(i), d.msg[0].text);
            assert_true(r.checked.operands > 0);
        }
        gpu_result_free(&r);
        diag_free(&d);
        mini_free(&m);
    }
}

static uint64_t copy_with(const char *set, const char *also, uint64_t bytes)
{
    struct mini m;
    mini_init(&m);
    mini_set(&m, set);
    if (also)
        mini_set(&m, also);
    mini_object(&m, TMB_INIT, OBJECT_A, 1);
    mini_object(&m, TMB_ARRIVE_EXPECT, OBJECT_A, bytes);
    mini_copy(&m, 1 << 20, bytes, OBJECT_A);
    mini_object(&m, TMB_WAIT, OBJECT_A, 0);
    uint64_t t = mini_cycles(&m);
    mini_free(&m);
    return t;
}

static uint64_t copy(const char *set, uint64_t bytes) { return copy_with(set, NULL, bytes); }

static void copies(void **state)
{
    (void)state;
    assert_int_equal(copy("sm.copy_done_cyc=77", 128) - copy("sm.copy_done_cyc=30", 128), 47);
    assert_int_equal(copy("sm.copy_cyc=100", 128) - copy("sm.copy_cyc=60", 128), 40);
    /* 64 lines, at one in 4 cycles: the last is asked for 63 x 4 cycles after the first. */
    uint64_t slow = copy("sm.copy_b=32", 64 * 128), one = copy("sm.copy_b=32", 128);
    assert_in_range(slow - one, 63 * 4, 63 * 4 + 40);
}

/* A line is 128 bytes and 8: 17 cycles of a port of 8 bytes, so that the last of 64 comes 63 x 17 cycles after the first. A rate
 * of their own is theirs alone, and does for them what the port's does. */
static void copies_come(void **state)
{
    (void)state;
    uint64_t slow = copy("sm.reply_b=8", 64 * 128), one = copy("sm.reply_b=8", 128);
    assert_in_range(slow - one, 63 * 17, 63 * 17 + 40);
    uint64_t own = copy_with("sm.reply_b=8", "sm.copy_reply_b=136", 64 * 128);
    assert_true(own < slow - 63 * 17 / 2);
    assert_int_equal(copy_with("sm.reply_b=136", "sm.copy_reply_b=8", 64 * 128), slow);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(objects), cmocka_unit_test(phases),      cmocka_unit_test(products),
        cmocka_unit_test(copies),  cmocka_unit_test(copies_come), cmocka_unit_test(accumulators),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
