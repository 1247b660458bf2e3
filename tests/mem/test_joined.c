/* SPDX-License-Identifier: Apache-2.0 */
/* Hits of bulk copies that others join: one packet leaves the slice for all whose data is there before it leaves. */
#include "system.h"

/* A line is 128 bytes and 8: 17 cycles at 8 bytes a cycle; a request takes one. */
enum { LEAVES = 17, HIT = 20 + 100 + 20 };

static void begin_joined(struct fix *f, uint32_t most)
{
    f->c.icnt_slice_b = 8;
    f->c.join_replies = most;
    begin(f);
    memsys_warm(f->m, 0, 1024);
}

static void ask_bulk(struct fix *f, uint32_t sm, uint64_t at, uint64_t line, uint32_t tag)
{
    ask(f, sm, at, line, MEM_READ, tag, true);
    f->out[sm].at[f->out[sm].n - 1].bulk = 1;
}

/* Line 128 leaves first, in cycle 0 of what follows; line 0 waits for the port until cycle 17, when three have asked for it. The
 * fourth one's data is there in cycle 40: that packet has left, and the port is free since 34. */
static void those_who_wait(void **state)
{
    struct fix *f = *state;
    begin_joined(f, 4);
    ask_bulk(f, 0, 0, 128, 1);
    ask_bulk(f, 1, 0, 0, 2);
    ask_bulk(f, 2, 0, 0, 3);
    ask_bulk(f, 0, 10, 0, 4);
    ask_bulk(f, 1, 40, 0, 5);
    run(f);
    assert_int_equal(reply(f, 0, 1)->at, HIT);
    assert_int_equal(reply(f, 1, 2)->at, HIT + LEAVES);
    assert_int_equal(reply(f, 2, 3)->at, HIT + LEAVES);
    assert_int_equal(reply(f, 0, 4)->at, HIT + LEAVES);
    assert_int_equal(reply(f, 1, 5)->at, HIT + 40);
    assert_int_equal(reply(f, 2, 3)->kind, MEM_READ);
    assert_int_equal(f->stats[MS_icnt_joined], 2);
    assert_int_equal(f->stats[MS_icnt_replies], 5);
    assert_int_equal(f->stats[MS_icnt_reply_b], 3 * 136);
}

/* Loads, and bulk copies where the option is 0: each has a packet of its own. */
static void those_who_do_not(void **state)
{
    struct fix *f = *state;
    for (uint32_t bulk = 0; bulk < 2; bulk++) {
        begin_joined(f, bulk ? 0 : 4);
        for (uint32_t sm = 0; sm < SMS; sm++) {
            ask(f, sm, 0, 0, MEM_READ, sm, true);
            f->out[sm].at[0].bulk = bulk & 1;
        }
        run(f);
        for (uint32_t sm = 0; sm < SMS; sm++)
            assert_int_equal(reply(f, sm, sm)->at, HIT + sm * LEAVES);
        assert_int_equal(f->stats[MS_icnt_joined], 0);
    }
}

/* Of those that wait only so many can be joined: here the last one. */
static void only_the_last(void **state)
{
    struct fix *f = *state;
    begin_joined(f, 1);
    ask_bulk(f, 0, 0, 0, 1);
    ask_bulk(f, 1, 1, 128, 2);
    ask_bulk(f, 2, 2, 256, 3);
    ask_bulk(f, 0, 3, 128, 4);
    ask_bulk(f, 1, 4, 128, 5);
    run(f);
    assert_int_equal(reply(f, 2, 3)->at, HIT + 2 * LEAVES);
    assert_int_equal(reply(f, 0, 4)->at, HIT + 3 * LEAVES);
    assert_int_equal(reply(f, 1, 5)->at, HIT + 3 * LEAVES);
    assert_int_equal(f->stats[MS_icnt_joined], 1);
}

/* A packet has what it was made for: a read of one sector joins that of the line, but not the other way round. */
static void of_other_sectors(void **state)
{
    struct fix *f = *state;
    begin_joined(f, 8);
    ask_bulk(f, 0, 0, 512, 1);
    ask_bulk(f, 1, 1, 0, 2);
    f->out[1].at[0].sectors = 2;
    ask_bulk(f, 2, 2, 0, 3);
    ask_bulk(f, 0, 3, 0, 4);
    f->out[0].at[1].sectors = 2;
    run(f);
    enum { SECTOR_LEAVES = (8 + 32) / 8 };
    assert_int_equal(reply(f, 1, 2)->at, HIT + LEAVES);
    assert_int_equal(reply(f, 2, 3)->at, HIT + LEAVES + SECTOR_LEAVES);
    assert_int_equal(reply(f, 0, 4)->at, HIT + LEAVES + SECTOR_LEAVES);
    assert_int_equal(reply(f, 0, 4)->sectors, 2);
    assert_int_equal(f->stats[MS_icnt_joined], 1);
}

/* Those who wait for a line from DRAM have been looked up: each gets a packet of its own. */
static void out_of_dram(void **state)
{
    struct fix *f = *state;
    begin_joined(f, 4);
    for (uint32_t sm = 0; sm < SMS; sm++)
        ask_bulk(f, sm, sm, 4096, sm);
    run(f);
    for (uint32_t sm = 0; sm < SMS; sm++)
        assert_int_equal(reply(f, sm, sm)->at, 20 + 12 + 12 + 4 + 20 + sm * LEAVES);
    assert_int_equal(f->stats[MS_icnt_joined], 0);
    assert_int_equal(f->stats[MS_dram_reads], 4);
}

/* Each half of L2 answers its own SMs, 0 and 1 or 2: nobody joins a packet of the other half. Both have both lines when it
 * begins. */
static void in_each_half(void **state)
{
    struct fix *f = *state;
    enum { THEN = 100000 };
    f->c.slices = 2;
    f->c.halves = true;
    begin_joined(f, 4);
    for (uint32_t sm = 0; sm < SMS; sm += 2)
        for (uint32_t line = 0; line < 2; line++)
            ask_bulk(f, sm, line, line * LINE_B, line);
    for (uint32_t sm = 0; sm < SMS; sm += 2)
        ask_bulk(f, sm, THEN, LINE_B, 2);
    for (uint32_t sm = 0; sm < SMS; sm++)
        ask_bulk(f, sm, THEN + 1, 0, 3);
    run(f);
    assert_int_equal(mem_half(0), mem_half(1));
    assert_int_not_equal(mem_half(0), mem_half(2));
    for (uint32_t sm = 0; sm < SMS; sm++) {
        if (sm != 1)
            assert_int_equal(reply(f, sm, 2)->at, THEN + HIT);
        assert_int_equal(reply(f, sm, 3)->at, THEN + HIT + LEAVES);
    }
    assert_int_equal(f->stats[MS_icnt_joined], 1);
}

/* Those that come 30 cycles after the first one, or sooner, go with it; the fourth comes 31 after it, and is the first of
 * others. */
static void those_who_meet(void **state)
{
    struct fix *f = *state;
    enum { MISS = 20 + 12 + 12 + 4 + 20 };
    for (uint32_t hits = 0; hits < 2; hits++) {
        f->c.join_cyc = 30;
        begin_joined(f, 0);
        uint64_t line = hits ? 0 : 4096, first = hits ? HIT : MISS;
        ask_bulk(f, 0, 0, line, 1);
        ask_bulk(f, 1, 5, line, 2);
        ask_bulk(f, 2, 30, line, 3);
        ask_bulk(f, 0, 31, line, 4);
        ask_bulk(f, 1, 61, line, 5);
        run(f);
        /* A line that is not there comes to all who wait for it 12 + 12 + 4 cycles after the first has come. */
        assert_int_equal(reply(f, 0, 1)->at, first);
        assert_int_equal(reply(f, 1, 2)->at, hits ? HIT + 5 : MISS);
        assert_int_equal(reply(f, 2, 3)->at, HIT + 30);
        assert_int_equal(reply(f, 0, 4)->at, HIT + 31);
        assert_int_equal(reply(f, 1, 5)->at, HIT + 61);
        assert_int_equal(reply(f, 2, 3)->kind, MEM_READ);
        assert_int_equal(f->stats[MS_icnt_joined], 3);
        assert_int_equal(f->stats[MS_icnt_reply_b], 2 * 136);
    }
}

/* Neither loads nor reads of other sectors than the first one's do; and in a clock of L2 of half the SMs' 30 cycles are 60. */
static void those_who_do_not_meet(void **state)
{
    struct fix *f = *state;
    f->c.join_cyc = 30;
    begin_joined(f, 0);
    ask(f, 0, 0, 0, MEM_READ, 1, true);
    ask_bulk(f, 1, 1, 0, 2);
    f->out[1].at[0].sectors = 1;
    ask_bulk(f, 2, 2, 0, 3);
    run(f);
    assert_int_equal(f->stats[MS_icnt_joined], 0);
    assert_int_equal(reply(f, 2, 3)->at, HIT + LEAVES + 5);
    f->c.l2_mhz = 500;
    begin_joined(f, 0);
    ask_bulk(f, 0, 0, 0, 1);
    ask_bulk(f, 1, 60, 0, 2);
    ask_bulk(f, 2, 61, 0, 3);
    run(f);
    assert_int_equal(f->stats[MS_icnt_joined], 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(those_who_wait), TEST(those_who_do_not), TEST(only_the_last),  TEST(of_other_sectors),
        TEST(out_of_dram),    TEST(in_each_half),     TEST(those_who_meet), TEST(those_who_do_not_meet),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
