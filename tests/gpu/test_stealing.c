/* SPDX-License-Identifier: Apache-2.0 */
/* Bank stealing, cycle by cycle: the stealing paper's Fig. 5 on one SM with two schedulers. Four warps leave a barrier together;
 * W_a and W_b issue at T, W_c and W_d at T + 1, each with one operand to read. */
#include "mini.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include "stat_at.h"

#include <cmocka.h>

struct outcome {
    uint64_t cycles, ahead, conflicts;
};

struct sched {
    const char *set;
    /* Of W_a to W_d: in the order in which they issue. The last to reach the barrier are 2 and 3. */
    uint32_t slot[4];
};
static const struct sched scheds[] = {
    {"sm.wsched=gto", {2, 3, 0, 1}}, {"sm.wsched=lrr", {0, 1, 2, 3}}, {"sm.wsched=two-level", {0, 1, 2, 3}}};
enum { NSCHEDS = sizeof scheds / sizeof scheds[0] };

/* The registers that the four warps read; a register's bank is its number modulo four. Behind that W_a
 * and W_b read their own results, so that they cannot issue again at once; what W_c and W_d compute takes longest. */
static struct outcome run(const char *operands, const struct sched *s, const int reg[4], const char *more)
{
    static const char *const sets[] = {"sm.partitions=1", "sm.schedulers=2", "sm.warps=4",     "sm.banks=4",
                                       "sm.collectors=4", "units.SFU=4",     "interval.SFU=1", "units.FP32=4",
                                       "interval.FP32=1", "latency.SFU=40"};
    struct mini m;
    struct gpu_result r = {0};
    mini_init(&m);
    m.warps = 4;
    for (uint32_t i = 0; i < sizeof sets / sizeof sets[0]; i++)
        mini_set(&m, sets[i]);
    mini_set(&m, operands);
    mini_set(&m, s->set);
    if (more)
        mini_set(&m, more);
    mini_bar(&m);
    for (uint32_t w = 0; w < 4; w++) {
        int own = 20 + (int)w;
        uint32_t warp = 1u << s->slot[w];
        m.warps_mask[mini_op(&m, w < 2 ? TC_FP32 : TC_SFU, own, reg[w], MINI_NONE, MINI_NONE)] = warp;
        if (w < 2)
            m.warps_mask[mini_op(&m, TC_FP32, own, own, MINI_NONE, MINI_NONE)] = warp;
    }
    struct outcome o = {.cycles = mini_run(&m, &r, 1)};
    o.ahead = r.sm[stat_at("stealing.reads_ahead")];
    o.conflicts = r.sm[SS_bank_conflict];
    gpu_result_free(&r);
    mini_free(&m);
    return o;
}

static const char base[] = "sm.operands=collectors", steal[] = "sm.operands=stealing";

/* r_c and r_d are in bank 2, r_a and r_b in banks 0 and 1: one of the first two is read while r_a and r_b are, and all ends a
 * cycle earlier, as if there were no conflict. */
static void figure_5(void **state)
{
    (void)state;
    static const int conflict[4] = {4, 5, 6, 10}, apart[4] = {4, 5, 6, 11};
    for (uint32_t s = 0; s < NSCHEDS; s++) {
        struct outcome plain = run(base, &scheds[s], conflict, NULL);
        struct outcome stolen = run(steal, &scheds[s], conflict, NULL);
        struct outcome none = run(base, &scheds[s], apart, NULL);
        assert_int_equal(plain.conflicts, 1);
        assert_int_equal(plain.ahead, 0);
        assert_int_equal(stolen.ahead, 1);
        assert_int_equal(stolen.conflicts, 0);
        assert_int_equal(stolen.cycles, plain.cycles - 1);
        assert_int_equal(stolen.cycles, none.cycles);
    }
}

/* The bank of r_c and r_d is read for r_a at T + 1: the stealing is given up, and all is as before. */
static void aborted(void **state)
{
    (void)state;
    static const int reg[4] = {6, 5, 10, 14};
    for (uint32_t s = 0; s < NSCHEDS; s++) {
        struct outcome plain = run(base, &scheds[s], reg, NULL), stolen = run(steal, &scheds[s], reg, NULL);
        assert_int_equal(plain.conflicts, 1);
        assert_int_equal(stolen.ahead, 0);
        assert_int_equal(stolen.cycles, plain.cycles);
        assert_int_equal(stolen.conflicts, plain.conflicts);
    }
}

/* Nothing is read ahead where the next cycle has no conflict. */
static void no_need(void **state)
{
    (void)state;
    static const int apart[4] = {4, 5, 6, 11};
    struct outcome plain = run(base, &scheds[0], apart, NULL), stolen = run(steal, &scheds[0], apart, NULL);
    assert_int_equal(stolen.ahead, 0);
    assert_int_equal(stolen.cycles, plain.cycles);
}

/* ... unless idle banks are reason enough: then r_c and r_d are, and nothing is gained. */
static void idle_banks(void **state)
{
    (void)state;
    static const int apart[4] = {4, 5, 6, 11}, conflict[4] = {4, 5, 6, 10};
    struct outcome plain = run(base, &scheds[0], apart, NULL);
    struct outcome stolen = run(steal, &scheds[0], apart, "stealing.rule=idle");
    assert_int_equal(stolen.ahead, 2);
    assert_int_equal(stolen.cycles, plain.cycles);
    stolen = run(steal, &scheds[0], conflict, "stealing.rule=idle");
    assert_int_equal(stolen.ahead, 1);
    assert_int_equal(stolen.cycles, plain.cycles);
}

/* Nor where no collector is free: two hold W_a and W_b. */
static void no_collector(void **state)
{
    (void)state;
    static const int conflict[4] = {4, 5, 6, 10};
    struct outcome plain = run(base, &scheds[0], conflict, "sm.collectors=2");
    struct outcome stolen = run(steal, &scheds[0], conflict, "sm.collectors=2");
    assert_int_equal(stolen.ahead, 0);
    assert_int_equal(stolen.cycles, plain.cycles);
}

/* The same behind a latch, where all is a cycle later: figure 5, a bank that is read for r_a when it would be stolen, and no
 * collector left. */
static void latched(void **state)
{
    (void)state;
    static const char latch[] = "sm.issue_latch=true";
    static const int conflict[4] = {4, 5, 6, 10}, apart[4] = {4, 5, 6, 11}, busy[4] = {6, 5, 10, 14};
    for (uint32_t s = 0; s < NSCHEDS; s++) {
        struct outcome plain = run(base, &scheds[s], conflict, latch);
        struct outcome stolen = run(steal, &scheds[s], conflict, latch);
        struct outcome none = run(base, &scheds[s], apart, latch);
        assert_int_equal(plain.conflicts, 1);
        assert_int_equal(stolen.ahead, 1);
        assert_int_equal(stolen.conflicts, 0);
        assert_int_equal(stolen.cycles, plain.cycles - 1);
        assert_int_equal(stolen.cycles, none.cycles);
        plain = run(base, &scheds[s], busy, latch);
        stolen = run(steal, &scheds[s], busy, latch);
        assert_int_equal(stolen.ahead, 0);
        assert_int_equal(stolen.cycles, plain.cycles);
    }
}

/* One instruction that names R4 twice and R8 once, one that names R5 alone: three reads and one, or two and one. */
static uint64_t reads(const char *twice)
{
    struct mini m;
    struct gpu_result r = {0};
    mini_init(&m);
    mini_set(&m, twice);
    mini_op(&m, TC_FP32, 20, 4, 8, 4);
    mini_op(&m, TC_FP32, 21, 5, MINI_NONE, MINI_NONE);
    mini_run(&m, &r, 1);
    uint64_t n = r.sm[SS_reg_reads];
    gpu_result_free(&r);
    mini_free(&m);
    return n;
}

static void named_twice(void **state)
{
    (void)state;
    assert_int_equal(reads("sm.read_twice=false"), 3);
    assert_int_equal(reads("sm.read_twice=true"), 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(named_twice), cmocka_unit_test(figure_5),
                                       cmocka_unit_test(aborted),     cmocka_unit_test(no_need),
                                       cmocka_unit_test(idle_banks),  cmocka_unit_test(no_collector),
                                       cmocka_unit_test(latched)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
