/* SPDX-License-Identifier: Apache-2.0 */
/* Reads that go with another SM's of their group: one packet leaves the slice for all that ask before it has left. */
#include "system.h"

/* A line is 128 bytes and 8: 17 cycles at 8 bytes a cycle; a request takes one. */
enum { LEAVES = 17, HIT = 20 + 100 + 20, MEET = 30, LINES = 16 };

static void begin_joined(struct fix *f, uint32_t join_cyc)
{
    f->c.icnt_slice_b = 8;
    f->c.join_cyc = join_cyc;
    begin(f);
    memsys_warm(f->m, 0, LINES * LINE_B);
}

static void read(struct fix *f, uint32_t sm, uint64_t at, uint64_t line, uint32_t tag)
{
    ask(f, sm, at, line, MEM_READ, tag, true);
}

/* The first reaches the slice in cycle 20, so others go with it up to cycle 50, and get their data in the same cycle as it
 * does; the last one comes in cycle 51. */
static void those_who_meet(void **state)
{
    struct fix *f = *state;
    begin_joined(f, MEET);
    read(f, 0, 0, 0, 1);
    read(f, 1, 5, 0, 2);
    read(f, 2, MEET, 0, 3);
    read(f, 1, MEET + 1, 0, 4);
    run(f);
    assert_int_equal(reply(f, 0, 1)->at, HIT);
    assert_int_equal(reply(f, 1, 2)->at, HIT);
    assert_int_equal(reply(f, 2, 3)->at, HIT);
    assert_int_equal(reply(f, 1, 4)->at, MEET + 1 + HIT);
    assert_int_equal(reply(f, 2, 3)->kind, MEM_READ);
    assert_int_equal(f->stats[MS_icnt_joined], 2);
    assert_int_equal(f->stats[MS_icnt_replies], 4);
    assert_int_equal(f->stats[MS_icnt_reply_b], 2 * 136);
}

/* Each has a packet of its own: without the option; the same SM; SMs of other groups, of which 0 and 1 are one. */
static void those_who_do_not(void **state)
{
    struct fix *f = *state;
    static const uint32_t groups[SMS] = {0, 0, 1};
    begin_joined(f, 0);
    read(f, 0, 0, 0, 1);
    read(f, 1, 0, 0, 2);
    run(f);
    assert_int_equal(reply(f, 1, 2)->at, HIT + LEAVES);
    begin_joined(f, MEET);
    read(f, 0, 0, 0, 1);
    read(f, 0, 1, 0, 2);
    run(f);
    assert_int_equal(reply(f, 0, 2)->at, HIT + LEAVES);
    assert_int_equal(f->stats[MS_icnt_joined], 0);
    begin_joined(f, MEET);
    memsys_groups(f->m, groups);
    for (uint32_t sm = 0; sm < SMS; sm++)
        read(f, sm, 0, 0, sm);
    run(f);
    assert_int_equal(reply(f, 0, 0)->at, HIT);
    assert_int_equal(reply(f, 1, 1)->at, HIT);
    assert_int_equal(reply(f, 2, 2)->at, HIT + LEAVES);
    assert_int_equal(f->stats[MS_icnt_joined], 1);
}

/* Twelve lines hold the port from cycle 120 to 324, so the thirteenth, asked for in cycle 200, whose data is there in 320, leaves
 * in 324; who comes to the slice up to 30 cycles after that goes with it. */
static void those_who_wait(void **state)
{
    struct fix *f = *state;
    enum { BEFORE = 12, FREE = 120 + BEFORE * LEAVES };
    begin_joined(f, MEET);
    for (uint32_t i = 0; i < BEFORE; i++)
        read(f, 0, 0, (1 + i) * LINE_B, 10 + i);
    read(f, 0, 200, 0, 1);
    read(f, 1, FREE + MEET - 60, 0, 2);
    read(f, 2, FREE + MEET + 1 - 20, 0, 3);
    run(f);
    assert_int_equal(reply(f, 0, 1)->at, FREE + 20);
    assert_int_equal(reply(f, 1, 2)->at, FREE + 20);
    assert_int_equal(reply(f, 2, 3)->at, FREE + MEET + 1 - 20 + HIT);
    assert_int_equal(f->stats[MS_icnt_joined], 1);
}

/* A packet has what it was made for: a read of one sector joins that of the line, but not the other way round. */
static void of_other_sectors(void **state)
{
    struct fix *f = *state;
    enum { SECTOR_LEAVES = (8 + 32) / 8 };
    begin_joined(f, MEET);
    read(f, 0, 0, 0, 1);
    f->out[0].at[0].sectors = 2;
    read(f, 1, 1, 0, 2);
    read(f, 2, 2, 0, 3);
    f->out[2].at[0].sectors = 2;
    run(f);
    assert_int_equal(reply(f, 0, 1)->at, HIT);
    assert_int_equal(reply(f, 1, 2)->at, HIT + SECTOR_LEAVES);
    assert_int_equal(reply(f, 2, 3)->at, HIT + SECTOR_LEAVES);
    assert_int_equal(reply(f, 2, 3)->sectors, 2);
    assert_int_equal(f->stats[MS_icnt_joined], 1);
}

/* A line that is not there comes to all who wait for it 12 + 12 + 4 cycles after the first has come. */
static void out_of_dram(void **state)
{
    struct fix *f = *state;
    begin_joined(f, MEET);
    for (uint32_t sm = 0; sm < SMS; sm++)
        read(f, sm, sm, 4096, sm);
    run(f);
    for (uint32_t sm = 0; sm < SMS; sm++)
        assert_int_equal(reply(f, sm, sm)->at, 20 + 12 + 12 + 4 + 20);
    assert_int_equal(f->stats[MS_icnt_joined], 2);
    assert_int_equal(f->stats[MS_dram_reads], 4);
}

/* Each half of L2 answers its own SMs, 0 and 1 or 2: nobody joins a packet of the other half. Both have the line when it
 * begins. */
static void in_each_half(void **state)
{
    struct fix *f = *state;
    enum { THEN = 100000 };
    f->c.slices = 2;
    f->c.halves = true;
    begin_joined(f, MEET);
    read(f, 0, 0, 0, 10);
    read(f, 2, 0, 0, 11);
    for (uint32_t sm = 0; sm < SMS; sm++)
        read(f, sm, THEN + sm, 0, sm);
    run(f);
    assert_int_equal(mem_half(0), mem_half(1));
    assert_int_not_equal(mem_half(0), mem_half(2));
    assert_int_equal(reply(f, 0, 0)->at, THEN + HIT);
    assert_int_equal(reply(f, 1, 1)->at, THEN + HIT);
    assert_int_equal(reply(f, 2, 2)->at, THEN + 2 + HIT);
    assert_int_equal(f->stats[MS_icnt_joined], 1);
}

/* In a clock of L2 of half the SMs' 30 cycles are 60. */
static void by_the_clock_of_l2(void **state)
{
    struct fix *f = *state;
    f->c.l2_mhz = 500;
    begin_joined(f, MEET);
    read(f, 0, 0, 0, 1);
    read(f, 1, 2 * MEET, 0, 2);
    read(f, 2, 2 * MEET + 1, 0, 3);
    run(f);
    assert_int_equal(f->stats[MS_icnt_joined], 1);
    assert_int_equal(reply(f, 0, 1)->at, reply(f, 1, 2)->at);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(those_who_meet), TEST(those_who_do_not), TEST(those_who_wait),     TEST(of_other_sectors),
        TEST(out_of_dram),    TEST(in_each_half),     TEST(by_the_clock_of_l2),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
