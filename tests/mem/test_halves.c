/* SPDX-License-Identifier: Apache-2.0 */
/* L2 in two halves: what crosses, how long it takes, at which rate, and when a copy will do. SMs 0 and 1 are beside one half,
 * SM 2 beside the other. */
#include "system.h"

enum {
    NEAR = 0,
    FAR = 256,
    THERE = 20,
    DRAM = 12 + 12 + 4,
    HIT = 100,
    CROSS = 30
}; /* of SM 0: addresses; cycles */

/* One slice in each half, stretches of two lines in turn. */
static void halve(struct fix *f)
{
    f->c.slices = 2;
    f->c.halves = true;
    f->c.half_b = f->c.interleave_b;
    f->c.interleave_hash = false;
    f->c.cross_cyc = CROSS;
    f->c.cross_b = 1024;
    begin(f);
}

/* How long an access takes that nothing else is in the way of. */
static uint64_t takes(struct fix *f, uint32_t sm, uint64_t line, enum mem_kind kind)
{
    uint64_t at = f->now + 1000;
    uint32_t tag = (uint32_t)at;
    ask(f, sm, at, line, kind, tag, true);
    run(f);
    return reply(f, sm, tag)->at - at;
}

static void there_and_back(void **state)
{
    struct fix *f = *state;
    halve(f);
    assert_int_equal(takes(f, 0, NEAR, MEM_READ), THERE + DRAM + THERE);
    assert_int_equal(f->stats[MS_l2_crossed], 0);
    begin(f);
    assert_int_equal(takes(f, 0, FAR, MEM_READ), THERE + DRAM + CROSS + THERE);
    assert_int_equal(f->stats[MS_l2_crossed], 4);
    begin(f);
    assert_int_equal(takes(f, 2, NEAR, MEM_READ), THERE + DRAM + CROSS + THERE);
}

/* What has crossed once is there for all SMs of the half, and at home for those of the other. */
static void copies(void **state)
{
    struct fix *f = *state;
    halve(f);
    takes(f, 0, FAR, MEM_READ);
    assert_int_equal(takes(f, 0, FAR, MEM_READ), THERE + HIT + THERE);
    assert_int_equal(takes(f, 1, FAR, MEM_READ), THERE + HIT + THERE);
    assert_int_equal(takes(f, 2, FAR, MEM_READ), THERE + HIT + THERE);
    assert_int_equal(f->stats[MS_l2_crossed], 4);
    assert_int_equal(f->stats[MS_l2_copy_hits], 8);
    assert_int_equal(f->stats[MS_l2_reads], 16);
    assert_int_equal(f->stats[MS_l2_read_hits], 12);
    assert_int_equal(f->stats[MS_dram_reads], 4);
    memsys_flush(f->m);
    takes(f, 0, FAR, MEM_READ);
    assert_int_equal(f->stats[MS_dram_reads], 8);
}

/* An atomic takes its time of the slice that does it, and of the one that it passes on its way there a packet's. */
static void atomics(void **state)
{
    struct fix *f = *state;
    enum { TAKES = 50, PACKET = 2 };
    halve(f);
    f->c.atom_cyc = TAKES;
    begin(f);
    takes(f, 0, NEAR, MEM_READ);
    for (uint32_t home = 0; home < 2; home++) {
        uint64_t at = f->now + 1000;
        ask(f, 0, at, home ? NEAR : FAR, MEM_ATOMIC, 1000 + home, true);
        ask(f, 1, at + 1, NEAR, MEM_READ, 1002 + home, true);
        run(f);
        assert_int_equal(reply(f, 1, 1002 + home)->at - at,
                         home ? THERE + LINE_SECTORS * TAKES + HIT + THERE : PACKET + THERE + HIT + THERE);
    }
}

/* A write from afar changes the copy and goes home; one at home ends the copy, and so does an atomic from anywhere. */
static void writes(void **state)
{
    struct fix *f = *state;
    halve(f);
    assert_int_equal(takes(f, 0, FAR, MEM_WRITE), THERE + HIT + CROSS + THERE);
    assert_int_equal(takes(f, 0, FAR, MEM_READ), THERE + HIT + THERE);
    assert_int_equal(takes(f, 2, FAR, MEM_READ), THERE + HIT + THERE);
    assert_int_equal(takes(f, 2, FAR, MEM_WRITE), THERE + HIT + THERE);
    assert_int_equal(takes(f, 0, FAR, MEM_READ), THERE + HIT + CROSS + THERE);
    assert_int_equal(takes(f, 0, FAR, MEM_ATOMIC), THERE + HIT + CROSS + THERE);
    assert_int_equal(takes(f, 0, FAR, MEM_READ), THERE + HIT + CROSS + THERE);
    assert_int_equal(takes(f, 0, FAR, MEM_READ), THERE + HIT + THERE);
    assert_int_equal(f->stats[MS_dram_reads], 0);
    /* There with a write and an atomic, back with two reads. */
    assert_int_equal(f->stats[MS_l2_crossed], 4 * 4);
}

/* While a line is on its way nobody else of the half asks for it. */
static void merged(void **state)
{
    struct fix *f = *state;
    halve(f);
    ask(f, 0, 10, FAR, MEM_READ, 1, true);
    ask(f, 1, 12, FAR, MEM_READ, 2, true);
    run(f);
    assert_int_equal(reply(f, 0, 1)->at, 10 + THERE + DRAM + CROSS + THERE);
    assert_true(reply(f, 1, 2)->at <= reply(f, 0, 1)->at + 2); /* it leaves behind the other */
    assert_int_equal(f->stats[MS_l2_crossed], 4);
    assert_int_equal(f->stats[MS_l2_read_merged], 4);
}

/* Lines of 128 bytes at 16 bytes a cycle: one in 8 cycles, in each direction by itself. */
static void rate(void **state)
{
    enum { LINES = 8 };
    struct fix *f = *state;
    halve(f);
    f->c.cross_b = 16;
    begin(f);
    for (uint32_t i = 0; i < LINES; i++) { /* all at home in L2 */
        takes(f, 2, FAR + 512 * (uint64_t)i, MEM_WRITE);
        takes(f, 0, NEAR + 512 * (uint64_t)i, MEM_WRITE);
    }
    uint64_t at = f->now + 1000;
    for (uint32_t i = 0; i < LINES; i++) {
        ask(f, 0, at + i, FAR + 512 * (uint64_t)i, MEM_READ, i, true);
        ask(f, 2, at + i, NEAR + 512 * (uint64_t)i, MEM_READ, i, true);
    }
    run(f);
    for (uint32_t i = 0; i < LINES; i++)
        for (uint32_t sm = 0; sm < SMS; sm += 2)
            assert_int_equal(reply(f, sm, i)->at, at + THERE + HIT + CROSS + THERE + 8 * i);
    /* The second waits 7 cycles, the third 14, ... */
    assert_int_equal(f->stats[MS_l2_cross_wait], 2 * 7 * (LINES - 1) * LINES / 2);
    assert_int_equal(f->stats[MS_l2_crossed], 2 * 4 * LINES);
}

/* Writes of parts of four sectors, with a mask of 32 bytes beside them, at 16 bytes a cycle: one in 10 cycles. */
static void parts(void **state)
{
    enum { LINES = 8 };
    struct fix *f = *state;
    halve(f);
    f->c.cross_b = 16;
    f->c.cross_mask_b = 32;
    begin(f);
    uint64_t at = f->now + 1000;
    for (uint32_t i = 0; i < LINES; i++) {
        ask(f, 0, at + i, FAR + 512 * (uint64_t)i, MEM_WRITE, i, true);
        f->out[0].at[f->out[0].n - 1].partial = i < LINES / 2;
    }
    run(f);
    for (uint32_t i = 1; i < LINES; i++)
        assert_int_equal(reply(f, 0, i)->at - reply(f, 0, i - 1)->at, i <= LINES / 2 ? 10 : 8);
}

/* Half of the room is for copies: 128 of 512 lines in each slice, and as many of its own. */
static void room(void **state)
{
    enum { LINES = 64 * 1024 / LINE_B / 2 }; /* of both homes */
    struct fix *f = *state;
    halve(f);
    for (uint32_t pass = 0; pass < 2; pass++)
        for (uint64_t i = 0; i < LINES; i++)
            takes(f, 0, i * LINE_B, MEM_READ);
    assert_int_equal(f->stats[MS_dram_reads], 4 * LINES);
    assert_int_equal(f->stats[MS_l2_copy_hits], 4 * LINES / 2);
    for (uint64_t i = 0; i < 2 * LINES; i++)
        takes(f, 0, i * LINE_B, MEM_READ);
    assert_true(f->stats[MS_dram_reads] >= 4 * 2 * LINES);
    for (uint64_t i = 0; i < LINES; i++)
        takes(f, 0, i * LINE_B, MEM_READ);
    assert_true(f->stats[MS_dram_reads] > 4 * 2 * LINES);
}

/* Two slices of one set with four lines, SM 0's reads. Apart, of three lines of its own the third replaces the first, and a copy
 * none. In one place all four stay; a second copy replaces the oldest of all, which was written to and goes to DRAM. */
static void shared_room(void **state)
{
    enum { NEXT = 2 * FAR }; /* from one line to the next of the same home */
    struct fix *f = *state;
    for (uint32_t shared = 0; shared < 2; shared++) {
        halve(f);
        f->c.l2_kb = 1;
        f->c.l2_ways = shared ? 4 : 2;
        f->c.halves_shared = shared;
        f->c.l2_plain = true;
        begin(f);
        takes(f, 0, NEAR, MEM_WRITE);
        takes(f, 0, NEAR + NEXT, MEM_READ);
        takes(f, 0, FAR, MEM_READ);
        assert_int_equal(f->stats[MS_dram_writes], 0);
        takes(f, 0, NEAR + 2 * NEXT, MEM_READ);
        assert_int_equal(f->stats[MS_dram_writes], shared ? 0 : 4);
        takes(f, 0, FAR + NEXT, MEM_READ);
        assert_int_equal(f->stats[MS_dram_writes], 4);
        assert_int_equal(f->stats[MS_dram_reads], 4 * 4);
        takes(f, 0, NEAR + NEXT, MEM_READ);
        takes(f, 0, FAR, MEM_READ);
        takes(f, 0, FAR + NEXT, MEM_READ);
        assert_int_equal(f->stats[MS_dram_reads], 4 * 4);
        takes(f, 0, NEAR, MEM_READ);
        assert_int_equal(f->stats[MS_dram_reads], 5 * 4);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(there_and_back), TEST(copies), TEST(atomics),
                                       TEST(writes),         TEST(merged), TEST(rate),
                                       TEST(parts),          TEST(room),   TEST(shared_room)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
