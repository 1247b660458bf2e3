/* SPDX-License-Identifier: Apache-2.0 */
/* Latches beside the collectors, isolated schedulers and what goes with them, counted by hand. As in test_timing.c each test
 * compares two lengths of a kernel. With both latches an instruction that issues in cycle t takes a collector at t + 1, reads at
 * t + 2, leaves its collector at t + 3 and comes to its unit at t + 4. */
#include "mini.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/* ---- latches ---- */

/* R1 and R2 lie in different banks. */
static void chain(struct mini *m, uint32_t i)
{
    (void)i;
    mini_op(m, TC_FP32, 1, 1, 2, MINI_NONE);
}

static void source_free(struct mini *m, uint32_t i)
{
    (void)i;
    mini_op(m, TC_FP32, 1, MINI_NONE, MINI_NONE, MINI_NONE);
}

/* A latency of 8 is from issue to issue, however long the way to the unit. One that is shorter than the way and a cycle in the
 * unit shows the way: 2, 3, 3 and 4 cycles. Without operands there is no cycle of reading behind a latch. */
static void the_way(void **state)
{
    (void)state;
    static const char *const latch[][3] = {{NULL},
                                           {"sm.issue_latch=true"},
                                           {"sm.unit_latch=true"},
                                           {"sm.issue_latch=true", "sm.unit_latch=true"}};
    static const uint32_t way[] = {2, 3, 3, 4}, bare[] = {2, 2, 3, 3};
    for (uint32_t k = 0; k < 4; k++) {
        const char *slow[] = {"latency.FP32=8", latch[k][0], latch[k][0] ? latch[k][1] : NULL, NULL};
        const char *fast[] = {"latency.FP32=1", latch[k][0], latch[k][0] ? latch[k][1] : NULL, NULL};
        assert_int_equal(mini_cost(chain, slow, 1), MINI_STEPS * 8);
        assert_int_equal(mini_cost(chain, fast, 1), MINI_STEPS * (way[k] + 1));
        assert_int_equal(mini_cost(source_free, fast, 1), MINI_STEPS * (bare[k] + 1));
    }
}

/* Four reads of one bank keep a collector for five cycles. */
static void slow_reads(struct mini *m, uint32_t i)
{
    uint32_t n = mini_op(m, TC_FP32, (int)(9 + 2 * (i % 8)), 2, 4, 6);
    m->insns[n].src[m->insns[n].nsrc++] = (struct tr_opnd){.kind = TO_REG, .n = 1, .val = 8};
}

/* ... an instruction of another unit has no operands. */
static void two_units(struct mini *m, uint32_t i)
{
    if (i % 2)
        mini_op(m, TC_INT, (int)(25 + 2 * (i % 8)), MINI_NONE, MINI_NONE, MINI_NONE);
    else
        slow_reads(m, i);
}

/* One collector. The bank is the bottleneck: it reads four registers for each pair. The latch lets the next pair issue
 * meanwhile; its reads begin in the cycle after its collector is free, and with it: entering, four reads, leaving and entering
 * in one cycle. Without it issue has that cycle. What has no operands is in the collector for a cycle in both cases, with a
 * cycle of reading where there is no latch. */
static void one_collector(void **state)
{
    (void)state;
    const char *without[] = {"sm.collectors=1", "interval.FP32=1", "interval.INT=1", NULL};
    const char *with[] = {"sm.collectors=1", "interval.FP32=1", "interval.INT=1", "sm.issue_latch=true",
                          NULL};
    assert_int_equal(mini_cost(slow_reads, without, 1), MINI_STEPS * 5);
    assert_int_equal(mini_cost(slow_reads, with, 1), MINI_STEPS * 5);
    assert_int_equal(mini_cost(two_units, without, 1), MINI_STEPS / 2 * (5 + 2));
    assert_int_equal(mini_cost(two_units, with, 1), MINI_STEPS / 2 * (5 + 1));
}

/* Without a latch before them a collector is what an instruction needs to issue. With one it waits there, unless it may not:
 * then the next issues in the cycle in which the one before it leaves, and enters a cycle later. Where a free latch behind the
 * collector tells that it will leave in the next cycle, the next issues before that, and enters when it leaves. */
static void issue_to_free(void **state)
{
    (void)state;
    const char *sets[] = {"sm.collectors=1", "interval.FP32=1", "sm.issue_latch=true",
                          "sm.issue_to_free=true", NULL};
    const char *both[] = {"sm.collectors=1",    "interval.FP32=1",       "sm.issue_latch=true",
                          "sm.unit_latch=true", "sm.issue_to_free=true", NULL};
    assert_int_equal(mini_cost(slow_reads, sets, 1), MINI_STEPS * 6);
    assert_int_equal(mini_cost(slow_reads, both, 1), MINI_STEPS * 5);
}

/* Two for a unit that takes one in ten cycles, then eight integers. */
static void slow_unit(struct mini *m, uint32_t i)
{
    if (i % 10 < 2)
        mini_op(m, TC_FP32, (int)(5 + 2 * (i % 10)), 2, MINI_NONE, MINI_NONE);
    else
        mini_op(m, TC_INT, (int)(25 + 2 * (i % 8)), 2, MINI_NONE, MINI_NONE);
}

/* The second one waits for its unit in the only collector, eight cycles longer than it needs; with a latch behind the collectors
 * the integers go on meanwhile. */
static void unit_latch(void **state)
{
    (void)state;
    const char *without[] = {"sm.collectors=1", "interval.FP32=10", "interval.INT=1", NULL};
    const char *with[] = {"sm.collectors=1", "interval.FP32=10", "interval.INT=1", "sm.unit_latch=true",
                          NULL};
    assert_int_equal(mini_cost(slow_unit, without, 1), MINI_STEPS / 10 * (10 * 2 + 8));
    assert_int_equal(mini_cost(slow_unit, with, 1), MINI_STEPS / 10 * (10 * 2));
}

/* One instruction of warp 0 that keeps its collector for five cycles, four of warp 1 that need theirs for two. */
static void two_warps(struct mini *m, uint32_t i)
{
    if (i % 5 == 0)
        slow_reads(m, i / 5);
    else
        mini_op(m, TC_FP32, (int)(9 + 2 * (i % 8)), 2, MINI_NONE, MINI_NONE);
    m->warps_mask[m->n - 1] = i % 5 ? 2 : 1;
}

/* Each warp has a scheduler and a collector. In order, one of warp 1 gets its collector when one of warp 0 does, which was
 * older. In that cycle both issue the next, and who is first alternates: every other time warp 1's is older, gets its collector
 * at once, and the one behind it waits. So there are three of warp 1 in ten cycles until warp 0 is through; then, and from the
 * beginning in any order, one every two. */
static void latch_order(void **state)
{
    (void)state;
    const char *ordered[] = {"sm.schedulers=2", "sm.isolated=true",    "sm.banks=4",   "sm.collectors=2",
                             "interval.FP32=1", "sm.issue_latch=true", "units.FP32=2", NULL};
    const char *any[] = {"sm.schedulers=2", "sm.isolated=true",     "sm.banks=4",
                         "sm.collectors=2", "interval.FP32=1",      "sm.issue_latch=true",
                         "units.FP32=2",    "sm.latch_order=false", NULL};
    assert_int_equal(mini_cost(two_warps, ordered, 2), MINI_STEPS / 10 * (10 + 5 * 2));
    assert_int_equal(mini_cost(two_warps, any, 2), MINI_STEPS / 5 * (4 * 2));
}

static void one_read(struct mini *m, uint32_t i)
{
    mini_op(m, TC_FP32, (int)(5 + 2 * (i % 10)), 2, MINI_NONE, MINI_NONE);
}

/* Two schedulers issue an instruction each per cycle; what leaves the collectors is limited by their ports. */
static void dispatch_ports(void **state)
{
    (void)state;
    const char *two[] = {
        "sm.schedulers=2",           "sm.collectors=8", "sm.bank_reads=2", "sm.bank_write_port=true",
        "sm.bank_write_queue=false", "units.FP32=2",    "interval.FP32=1", NULL};
    const char *one[] = {"sm.schedulers=2",         "sm.collectors=8",           "sm.bank_reads=2",
                         "sm.bank_write_port=true", "sm.bank_write_queue=false", "units.FP32=2",
                         "interval.FP32=1",         "sm.dispatch_ports=1",       NULL};
    assert_int_equal(mini_cost(one_read, two, 2), MINI_STEPS);
    assert_int_equal(mini_cost(one_read, one, 2), MINI_STEPS * 2);
}

/* ---- what instructions are ---- */

/* R2 is read, as the first of four in its bank, and written by the next instruction. */
static void overwritten(struct mini *m, uint32_t i)
{
    if (i % 2)
        mini_op(m, TC_INT, 2, MINI_NONE, MINI_NONE, MINI_NONE);
    else
        slow_reads(m, i);
}

/* The write may issue when the reader has left its collector, five cycles later; its result is there after four. Without the
 * lock it issues in the next cycle. */
static void read_lock(void **state)
{
    (void)state;
    const char *locked[] = {"sm.collectors=4", "interval.FP32=1", "latency.INT=4", NULL};
    const char *open[] = {"sm.collectors=4", "interval.FP32=1", "latency.INT=4", "sm.read_lock=false", NULL};
    assert_int_equal(mini_cost(overwritten, locked, 1), MINI_STEPS / 2 * (5 + 4));
    assert_int_equal(mini_cost(overwritten, open, 1), MINI_STEPS / 2 * (1 + 4));
}

static void branch(struct mini *m, uint32_t i)
{
    (void)i;
    mini_op(m, TC_BRANCH, MINI_NONE, MINI_NONE, MINI_NONE, MINI_NONE);
}

static void switched_off(struct mini *m, uint32_t i)
{
    one_read(m, i);
    m->mask[m->n - 1] = 0;
}

/* A branch holds its warp for its latency, or its unit for its interval. What a guard has switched off takes a cycle to issue,
 * or what the rest takes. */
static void all_collect(void **state)
{
    (void)state;
    const char *plain[] = {"latency.BRANCH=9", "interval.BRANCH=3", NULL};
    const char *all[] = {"latency.BRANCH=9", "interval.BRANCH=3", "sm.all_collect=true", NULL};
    assert_int_equal(mini_cost(branch, plain, 1), MINI_STEPS * 9);
    assert_int_equal(mini_cost(branch, all, 1), MINI_STEPS * 3);
    assert_int_equal(mini_cost(switched_off, plain, 1), MINI_STEPS);
    assert_int_equal(mini_cost(switched_off, all, 1), MINI_STEPS * 2);
}

/* R4 to R7 as one operand: three reads in the bank of R1. */
static void wide(struct mini *m, uint32_t i)
{
    (void)i;
    m->insns[mini_op(m, TC_FP32, 1, 1, 4, MINI_NONE)].src[1].n = 4;
}

static void wide_operands(void **state)
{
    (void)state;
    const char *all[] = {NULL}, *first[] = {"sm.wide_operands=false", NULL};
    assert_int_equal(mini_cost(wide, all, 1), MINI_STEPS * 6);
    assert_int_equal(mini_cost(wide, first, 1), MINI_STEPS * 4);
}

static void wide_tensor_op(struct mini *m, uint32_t i)
{
    wide(m, i);
    m->insns[m->n - 1].cls = TC_HMMA;
}

static void wide_tensor(void **state)
{
    (void)state;
    const char *first[] = {"sm.wide_operands=false", "latency.HMMA=4", "interval.HMMA=1", NULL};
    const char *all[] = {"sm.wide_operands=false", "latency.HMMA=4", "interval.HMMA=1", "sm.wide_tensor=4",
                         NULL};
    assert_int_equal(mini_cost(wide_tensor_op, first, 1), MINI_STEPS * 4);
    const char *two[] = {"sm.wide_operands=false", "latency.HMMA=4", "interval.HMMA=1", "sm.wide_tensor=2",
                         NULL};
    assert_int_equal(mini_cost(wide_tensor_op, all, 1), MINI_STEPS * 6);
    assert_int_equal(mini_cost(wide_tensor_op, two, 1), MINI_STEPS * 5); /* R1 and R5 */
    assert_int_equal(mini_cost(wide, all, 1), MINI_STEPS * 4);
}

static void predicate(struct mini *m, uint32_t i)
{
    (void)i;
    struct tr_insn *k = &m->insns[mini_op(m, TC_FP32, MINI_NONE, MINI_NONE, MINI_NONE, MINI_NONE)];
    k->dst[k->ndst++] = k->src[k->nsrc++] = (struct tr_opnd){.kind = TO_PRED, .n = 1};
}

static void predicates(void **state)
{
    (void)state;
    const char *wait[] = {NULL}, *ignore[] = {"sm.predicates=false", NULL};
    assert_int_equal(mini_cost(predicate, wait, 1), MINI_STEPS * 4);
    assert_int_equal(mini_cost(predicate, ignore, 1), MINI_STEPS * 2);
}

/* R5 and R7, in one bank. */
static void two_results(struct mini *m, uint32_t i)
{
    (void)i;
    struct tr_insn *k = &m->insns[mini_op(m, TC_FP32, 5, 7, MINI_NONE, MINI_NONE)];
    k->dst[k->ndst++] = (struct tr_opnd){.kind = TO_REG, .n = 1, .val = 7};
}

static void write_queue(void **state)
{
    (void)state;
    const char *queue[] = {NULL}, *at_once[] = {"sm.bank_write_queue=false", NULL};
    assert_int_equal(mini_cost(two_results, queue, 1), MINI_STEPS * 5);
    assert_int_equal(mini_cost(two_results, at_once, 1), MINI_STEPS * 4);
}

/* ---- the load-store unit by sectors ---- */

static void hits(struct mini *m, uint32_t i)
{
    (void)i;
    mini_mem(m, TC_LDG, 1, 1, 4, 0x10000, 4);
}
static void same_sector(struct mini *m, uint32_t i)
{
    mini_mem(m, TC_LDG, (int)(5 + i % 20), 2, 4, 0x10000, 128);
}
static void all_sectors(struct mini *m, uint32_t i)
{
    mini_mem(m, TC_LDG, (int)(5 + i % 20), 2, 4, 0x10000, 160);
}

/* To the unit in two cycles, through the pipeline, and the data a cycle later. Sectors of 32 lines go to one bank, or to four. */
static void sectored(void **state)
{
    (void)state;
    const char *sets[] = {"sm.lsu=sectored", "sectored.depth=15", NULL};
    assert_int_equal(mini_cost(hits, sets, 1), MINI_STEPS * (2 + 15 + 1));
    assert_int_equal(mini_cost(same_sector, sets, 1), MINI_STEPS * 32);
    assert_int_equal(mini_cost(all_sectors, sets, 1), MINI_STEPS * 8);
}

/* ---- active sets ---- */

/* Two warps, one of them active, one collector: an instruction keeps it for five cycles. While warp 0 has its n instructions, the
 * other is ready in all cycles without an issue, which are charged to the banks; when that is alone nobody is pending. */
static void pending_ready(void **state)
{
    (void)state;
    static const uint32_t n[2] = {MINI_SHORT, MINI_LONG};
    uint64_t pending[2], policy[2];
    for (uint32_t k = 0; k < 2; k++) {
        struct mini m;
        struct gpu_result r = {0};
        mini_init(&m);
        m.warps = 2;
        m.regs = 64;
        static const char *const sets[] = {"sm.partitions=1",     "sm.collectors=1", "interval.FP32=1",
                                           "sm.wsched=two-level", "active.warps=1",  NULL};
        for (uint32_t i = 0; sets[i]; i++)
            mini_set(&m, sets[i]);
        for (uint32_t i = 0; i < n[k]; i++)
            slow_reads(&m, i);
        mini_run(&m, &r, 1);
        pending[k] = r.sm[SS_pending_ready];
        policy[k] = r.sm[SS_stall_policy];
        gpu_result_free(&r);
        mini_free(&m);
    }
    assert_int_equal(pending[1] - pending[0], MINI_STEPS * 4);
    assert_int_equal(policy[1] - policy[0], 0);
}

/* ---- isolated schedulers ---- */

/* Warps of scheduler 0 alone: two of them, in slots 0 and 2. */
static void one_side(struct mini *m, uint32_t i)
{
    uint32_t n = mini_op(m, TC_FP32, (int)(5 + 2 * (i % 10)), 2, MINI_NONE, MINI_NONE);
    m->warps_mask[n] = 5;
}

/* Two schedulers, two units that take one in two cycles. A scheduler that is alone has both units, or its own. */
static void isolated_units(void **state)
{
    (void)state;
    const char *shared[] = {"sm.schedulers=2", "sm.banks=4",      "sm.collectors=16",
                            "units.FP32=2",    "interval.FP32=2", NULL};
    const char *own[] = {
        "sm.schedulers=2",  "sm.banks=4", "sm.collectors=16", "units.FP32=2", "interval.FP32=2",
        "sm.isolated=true", NULL};
    assert_int_equal(mini_cost(one_side, shared, 4), 2 * MINI_STEPS);
    assert_int_equal(mini_cost(one_side, own, 4), 4 * MINI_STEPS);
}

/* R2 and R4 are in one bank of an isolated scheduler, which has two, and in two of the four of all. */
static void two_banks(struct mini *m, uint32_t i)
{
    (void)i;
    mini_op(m, TC_FP32, 1, 2, 4, 1);
}

static void isolated_banks(void **state)
{
    (void)state;
    const char *shared[] = {"sm.schedulers=2", "sm.banks=4", NULL};
    const char *own[] = {"sm.schedulers=2", "sm.banks=4", "sm.isolated=true", NULL};
    assert_int_equal(mini_cost(two_banks, shared, 1), MINI_STEPS * 4);
    assert_int_equal(mini_cost(two_banks, own, 1), MINI_STEPS * 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_way),        cmocka_unit_test(one_collector),  cmocka_unit_test(unit_latch),
        cmocka_unit_test(isolated_units), cmocka_unit_test(isolated_banks), cmocka_unit_test(issue_to_free),
        cmocka_unit_test(latch_order),    cmocka_unit_test(dispatch_ports), cmocka_unit_test(read_lock),
        cmocka_unit_test(all_collect),    cmocka_unit_test(wide_operands),  cmocka_unit_test(predicates),
        cmocka_unit_test(write_queue),    cmocka_unit_test(sectored),       cmocka_unit_test(wide_tensor),
        cmocka_unit_test(pending_ready),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
