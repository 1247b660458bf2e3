/* SPDX-License-Identifier: Apache-2.0 */
/* The operand path of GPGPU-Sim 3, rule by rule, and the preset that has them all: counted by hand. As in test_timing.c each test
 * compares two lengths of a kernel. */
#include "mini.h"
#include "one.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/* ---- sets of collectors ---- */

/* Four reads of one bank keep a collector for five cycles. */
static void slow_reads(struct mini *m, uint32_t i)
{
    uint32_t n = mini_op(m, TC_FP32, (int)(9 + 2 * (i % 8)), 2, 4, 6);
    m->insns[n].src[m->insns[n].nsrc++] = (struct tr_opnd){.kind = TO_REG, .n = 1, .val = 8};
}

static void with_sfu(struct mini *m, uint32_t i)
{
    if (i % 2)
        mini_op(m, TC_SFU, (int)(25 + 2 * (i % 8)), MINI_NONE, MINI_NONE, MINI_NONE);
    else
        slow_reads(m, i);
}

static void with_load(struct mini *m, uint32_t i)
{
    if (i % 2)
        mini_mem(m, TC_LDS, (int)(25 + 2 * (i % 8)), MINI_NONE, 4, 0, 4);
    else
        slow_reads(m, i);
}

/* One collector for both: five cycles of the first, two of the second. With one of its own the second is in it while the first
 * reads. */
static void own_collectors(void **state)
{
    (void)state;
    const char *shared[] = {"sm.collectors=1", "interval.FP32=1", "interval.SFU=1", NULL};
    const char *sfu[] = {"sm.collectors=1", "interval.FP32=1", "interval.SFU=1", "sm.collectors_sfu=1", NULL};
    const char *mem[] = {"sm.collectors=1", "interval.FP32=1", "interval.SFU=1", "sm.collectors_mem=1", NULL};
    assert_int_equal(mini_cost(with_sfu, shared, 1), MINI_STEPS / 2 * (5 + 2));
    assert_int_equal(mini_cost(with_sfu, sfu, 1), MINI_STEPS / 2 * 5);
    assert_int_equal(mini_cost(with_sfu, mem, 1), MINI_STEPS / 2 * (5 + 2));
    assert_int_equal(mini_cost(with_load, shared, 1), MINI_STEPS / 2 * (5 + 2));
    assert_int_equal(mini_cost(with_load, mem, 1), MINI_STEPS / 2 * 5);
}

/* The same behind a latch: there what has no operands is in the collector for one cycle. */
static void own_collectors_latched(void **state)
{
    (void)state;
    const char *shared[] = {"sm.collectors=1", "interval.FP32=1", "interval.SFU=1", "sm.issue_latch=true",
                            NULL};
    const char *sfu[] = {"sm.collectors=1",     "interval.FP32=1",     "interval.SFU=1",
                         "sm.collectors_sfu=1", "sm.issue_latch=true", NULL};
    assert_int_equal(mini_cost(with_sfu, shared, 1), MINI_STEPS / 2 * (5 + 1));
    assert_int_equal(mini_cost(with_sfu, sfu, 1), MINI_STEPS / 2 * 5);
}

static void one_read(struct mini *m, uint32_t i)
{
    mini_op(m, TC_FP32, (int)(5 + 2 * (i % 10)), 2, MINI_NONE, MINI_NONE);
}

/* Two schedulers issue an instruction each per cycle, and two may leave the collectors. One of the two ports belongs to the
 * SFU's collectors where these are apart. */
static void ports_of_sets(void **state)
{
    (void)state;
    const char *any[] = {"sm.schedulers=2",           "sm.collectors=8",     "sm.bank_reads=2",
                         "sm.bank_write_port=true",   "units.FP32=2",        "interval.FP32=1",
                         "sm.bank_write_queue=false", "sm.dispatch_ports=2", NULL};
    const char *apart[] = {"sm.schedulers=2",
                           "sm.collectors=8",
                           "sm.bank_reads=2",
                           "units.FP32=2",
                           "interval.FP32=1",
                           "sm.bank_write_port=true",
                           "sm.dispatch_ports=2",
                           "units.SFU=1",
                           "sm.bank_write_queue=false",
                           "sm.collectors_sfu=1",
                           NULL};
    assert_int_equal(mini_cost(one_read, any, 2), MINI_STEPS);
    assert_int_equal(mini_cost(one_read, apart, 2), MINI_STEPS * 2);
}

/* ---- latches ---- */

/* An instruction as it comes to a latch. */
static latched aged(uint64_t age) { return age << LATCHED_AGE; }

static void latch_by_unit(void **state)
{
    (void)state;
    static const uint32_t units[] = {2, 1};
    struct latches l;
    struct arena a = {0};
    latch_init(&l, 4, false, units, 2, &a);
    for (uint32_t unit = 0; unit < 2; unit++)
        for (uint32_t i = 0; i < units[unit]; i++) {
            assert_true(latch_free(&l, unit, 3, false));
            latch_put(&l, unit, 3, aged(i), false);
        }
    assert_false(latch_free(&l, 0, 0, false));
    assert_false(latch_free(&l, 1, 0, false));
    latch_clear(&l, 0, 0, false); /* the oldest */
    assert_true(latch_free(&l, 0, 0, false));
    assert_int_equal(l.free[0], 1);
    latch_init(&l, 4, false, NULL, 2, &a);
    for (uint32_t i = 0; i < 4; i++)
        latch_put(&l, 1, 0, aged(i), false);
    assert_false(latch_free(&l, 1, 0, false));
    arena_free(&a);
}

/* The slots of unit 0, the oldest instruction's in the lowest four bits, each with 1 + its number. */
static uint32_t order(const struct latches *l)
{
    uint32_t slots = 0;
    for (uint32_t i = 0; i < l->n[0]; i++)
        slots |= (latched_slot(l->at[0][i]) + 1) << 4 * i;
    return slots;
}

/* The oldest is first, in whatever order they come and go; a scheduler has its own slot. */
static void latch_ages(void **state)
{
    (void)state;
    struct latches l;
    struct arena a = {0};
    latch_init(&l, 4, true, NULL, 1, &a);
    latch_put(&l, 0, 2, aged(5), true);
    latch_put(&l, 0, 0, aged(3), true);
    latch_put(&l, 0, 3, aged(9), true);
    latch_put(&l, 0, 1, aged(7), true);
    assert_int_equal(order(&l), 0x4231);
    latch_clear(&l, 0, 1, true);
    assert_int_equal(order(&l), 0x421);
    assert_true(latch_free(&l, 0, 2, true));
    assert_false(latch_free(&l, 0, 1, true));
    latch_clear(&l, 0, 2, true);
    latch_clear(&l, 0, 0, true);
    assert_int_equal(order(&l), 0x2);
    assert_int_equal(l.units, 1);
    latch_clear(&l, 0, 0, true);
    assert_int_equal(l.units, 0);
    arena_free(&a);
}

/* ---- reads ---- */

/* The cycles, by bit: even and odd, in which the first operand of some instruction was read from bank 0, and from bank 1. */
static void first_reads(const char *turns, uint32_t seen[2])
{
    struct mini m;
    struct one o;
    static const char *const sets[] = {"sm.partitions=1",      "sm.banks=2",     "sm.collectors=1",
                                       "sm.collector_ports=1", "latency.FP32=4", "sm.bank_write_port=true"};
    mini_init(&m);
    for (uint32_t i = 0; i < sizeof sets / sizeof sets[0]; i++)
        mini_set(&m, sets[i]);
    mini_set(&m, turns);
    for (uint32_t i = 0; i < 8; i++)
        mini_op(&m, TC_FP32, 1, 1, 2, MINI_NONE);
    one_init(&o, &m);
    const struct bank_count *n = o.s->parts[0].banks.count;
    while (!o.ended) {
        uint64_t reads[2] = {n[0].reads, n[1].reads}, t = o.now;
        one_step(&o);
        banks_count(&o.s->parts[0].banks);
        reads[0] = n[0].reads - reads[0];
        reads[1] = n[1].reads - reads[1];
        assert_true(reads[0] + reads[1] <= 1); /* one port */
        if ((n[0].reads + n[1].reads) % 2)
            seen[reads[0] ? 0 : 1] |= reads[0] + reads[1] ? 1u << t % 2 : 0;
    }
    one_free(&o);
    mini_free(&m);
}

/* R1 and R2 for one port: in even cycles the diagonals begin with bank 0 and collector 0, in odd ones with bank 1. The chain has
 * an instruction every five cycles, one of which is the second operand's, so that there are both. */
static void read_turns(void **state)
{
    (void)state;
    uint32_t fixed[2] = {0}, turns[2] = {0};
    first_reads("sm.read_turns=false", fixed);
    assert_int_equal(fixed[0], 3);
    assert_int_equal(fixed[1], 0);
    first_reads("sm.read_turns=true", turns);
    assert_int_equal(turns[0], 1);
    assert_int_equal(turns[1], 2);
}

/* ---- branches and fetch ---- */

static void branch(struct mini *m, uint32_t i)
{
    (void)i;
    mini_op(m, TC_BRANCH, MINI_NONE, MINI_NONE, MINI_NONE, MINI_NONE);
}

static void taken(void **state)
{
    (void)state;
    const char *one[] = {"interval.BRANCH=1", "sm.all_collect=true", NULL};
    const char *three[] = {"interval.BRANCH=1", "sm.all_collect=true", "sm.taken_cyc=3", NULL};
    assert_int_equal(mini_cost(branch, one, 1), MINI_STEPS);
    assert_int_equal(mini_cost(branch, three, 1), MINI_STEPS * 3);
}

/* Two instructions, then a cycle in which the next two come: fetched when the second has issued, there two cycles later. */
static void fetch_empty(void **state)
{
    (void)state;
    const char *room[] = {"sm.ibuffer=2", "sm.fetch_width=2", "sm.collectors=8", "interval.FP32=1", NULL};
    const char *empty[] = {"sm.ibuffer=2",
                           "sm.fetch_width=2",
                           "sm.collectors=8",
                           "interval.FP32=1",
                           "sm.fetch_cyc=3",
                           "sm.fetch_empty=true",
                           NULL};
    assert_int_equal(mini_cost(one_read, room, 1), MINI_STEPS);
    assert_int_equal(mini_cost(one_read, empty, 1), MINI_STEPS / 2 * 3);
}

/* ---- the preset ---- */

static uint64_t preset_cycles(mini_filler *f, uint32_t n)
{
    struct mini m;
    struct diag d = {0};
    mini_init(&m);
    conf_free(&m.conf.conf);
    gpu_conf_init(&m.conf);
    assert_true(conf_read(&m.conf.conf, TEST_DATA_DIR "/../conf/gpus/fermi-gpgpusim3.ini", CONF_PRESET, &d));
    mini_set(&m, "gpu.sms=1");
    mini_set(&m, "sm.l1i_b=1048576");
    mini_set(&m, "sm.l1i_miss_cyc=3");
    for (uint32_t i = 0; i < n; i++)
        f(&m, i);
    uint64_t c = mini_cycles(&m);
    mini_free(&m);
    diag_free(&d);
    return c;
}

static void fp32(struct mini *m, uint32_t i)
{
    (void)i;
    mini_op(m, TC_FP32, 1, 1, MINI_NONE, MINI_NONE);
}
static void fp32_three(struct mini *m, uint32_t i)
{
    (void)i;
    mini_op(m, TC_FP32, 1, 1, 2, 3);
}
static void imul(struct mini *m, uint32_t i)
{
    (void)i;
    mini_op(m, TC_IMUL, 1, 1, MINI_NONE, MINI_NONE);
}
static void sfu(struct mini *m, uint32_t i)
{
    (void)i;
    mini_op(m, TC_SFU, 1, 1, MINI_NONE, MINI_NONE);
}
static void hit(struct mini *m, uint32_t i)
{
    (void)i;
    mini_mem(m, TC_LDG, 1, 1, 4, 0x10000, 4);
}
static void shared_load(struct mini *m, uint32_t i)
{
    (void)i;
    mini_mem(m, TC_LDS, 1, 1, 4, 0, 4);
}

/* In GPGPU-Sim 3 an instruction that issues at t has a collector at t + 1, its first operand at t + 2 and one more a cycle, comes
 * to the latch of its unit at t + 3, to its unit at t + 4, and leaves that a cycle and its latency later: four and six for an
 * addition. An L1 hit is looked up at t + 4, in which cycle its user can issue there, and in the next one here; shared
 * memory has three stages more and one for the way back. */
static void preset(void **state)
{
    (void)state;
    static const struct {
        mini_filler *f;
        uint32_t cyc;
    } want[] = {{fp32, 10}, {fp32_three, 12}, {imul, 11}, {sfu, 14}, {hit, 5}, {shared_load, 8}, {branch, 3}};
    for (uint32_t i = 0; i < sizeof want / sizeof want[0]; i++)
        assert_int_equal(preset_cycles(want[i].f, MINI_LONG) - preset_cycles(want[i].f, MINI_SHORT),
                         MINI_STEPS * want[i].cyc);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(own_collectors), cmocka_unit_test(own_collectors_latched),
        cmocka_unit_test(ports_of_sets),  cmocka_unit_test(latch_by_unit),
        cmocka_unit_test(latch_ages),     cmocka_unit_test(read_turns),
        cmocka_unit_test(taken),          cmocka_unit_test(fetch_empty),
        cmocka_unit_test(preset),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
