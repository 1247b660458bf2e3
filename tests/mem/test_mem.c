/* SPDX-License-Identifier: Apache-2.0 */
/* The memory system as the SMs see it: every request is answered once, misses merge, L2 writes back, and nothing is lost when
 * everything is full. */
#include "system.h"

#include "base/rng.h"

/* There, through L2 or DRAM, and back. */
static void latency(void **state)
{
    struct fix *f = *state;
    ask(f, 0, 10, 0, MEM_READ, 1, true);
    run(f);
    assert_int_equal(reply(f, 0, 1)->at, 10 + 20 + 12 + 12 + 4 + 20);
    assert_int_equal(reply(f, 0, 1)->sectors, 15);
    ask(f, 1, 1000, 0, MEM_READ, 2, true);
    run(f);
    assert_int_equal(reply(f, 1, 2)->at, 1000 + 20 + 100 + 20);
    assert_int_equal(f->stats[MS_l2_read_hits], 4);
    assert_int_equal(f->stats[MS_dram_reads], 4);
}

/* SMs 0 and 1 are one TPC, 44% of the way from the nearest to the farthest place; SM 2 is the third of three, two thirds through
 * the numbers: 23% + (2/3 - 0.364) / (0.697 - 0.364) of 55%. */
static void reach(void **state)
{
    struct fix *f = *state;
    f->c.reach_cyc = 100;
    begin(f);
    memsys_warm(f->m, 0, 4096);
    for (uint32_t sm = 0; sm < SMS; sm++)
        ask(f, sm, 10 + 1000 * sm, 0, MEM_READ, sm, true);
    run(f);
    assert_int_equal(reply(f, 0, 0)->at, 10 + 20 + 100 + 20 + 44);
    assert_int_equal(reply(f, 1, 1)->at, 1010 + 20 + 100 + 20 + 44);
    assert_int_equal(reply(f, 2, 2)->at, 2010 + 20 + 100 + 20 + 73);
}

/* Four channels are 0, 0.62, 0.24 and 0.85 of the way from the nearest to the farthest, which are 40 cycles apart: 20 and 10 less
 * than the mean, 4 and 14 more, of hits as of what comes from DRAM. */
static void apart(void **state)
{
    static const uint64_t more[] = {0, 10, 24, 34}; /* beyond the nearest */
    struct fix *f = *state;
    f->c.slices = f->c.channels = 4;
    f->c.apart_cyc = 40;
    f->c.dram_cyc = 100;
    for (uint32_t warm = 0; warm < 2; warm++) {
        uint64_t first = 10 + 20 + 100 - 20 + (warm ? 0 : 12 + 12 + 4) + 20, found = 0;
        begin(f);
        for (uint32_t i = 0; i < 4 && warm; i++)
            memsys_warm(f->m, i * f->c.interleave_b, 128);
        for (uint32_t i = 0; i < 4; i++)
            ask(f, 0, 10, i * f->c.interleave_b, MEM_READ, i, true);
        run(f);
        for (uint32_t i = 0; i < 4; i++)
            for (uint32_t k = 0; k < 4; k++)
                found |= (uint64_t)(reply(f, 0, i)->at == first + more[k]) << k;
        assert_int_equal(found, 15);
    }
}

/* What a request waits for before L2's tags delays it, and holds no miss entry. */
static void before_tags(void **state)
{
    struct fix *f = *state;
    f->c.rop_cyc = 50;
    begin(f);
    ask(f, 0, 10, 0, MEM_READ, 1, true);
    run(f);
    assert_int_equal(reply(f, 0, 1)->at, 10 + 20 + 50 + 12 + 12 + 4 + 20);
    assert_int_equal(f->stats[MS_l2_miss_cycles], 12 + 12 + 4);
    ask(f, 0, 1000, 0, MEM_READ, 2, true);
    run(f);
    assert_int_equal(reply(f, 0, 2)->at, 1000 + 20 + 50 + 100 + 20);
}

/* The lines of every other channel come later. */
static void far_half(void **state)
{
    struct fix *f = *state;
    f->c.slices = f->c.channels = 2;
    f->c.far_cyc = 30;
    begin(f);
    ask(f, 0, 10, 0, MEM_READ, 1, true);
    ask(f, 1, 10, f->c.interleave_b, MEM_READ, 2, true);
    run(f);
    uint64_t a = reply(f, 0, 1)->at, b = reply(f, 1, 2)->at, near = 10 + 20 + 12 + 12 + 4 + 20;
    assert_int_equal(a < b ? a : b, near);
    assert_int_equal(a < b ? b : a, near + 30);
}

/* A hit of a whole line comes later than one of a half, and what was looked up after it not before it. */
static void whole_lines(void **state)
{
    struct fix *f = *state;
    static const uint8_t sectors[] = {15, 1, 12, 6};
    f->c.l2_line_cyc = 7;
    begin(f);
    ask(f, 0, 10, 0, MEM_READ, 9, true);
    f->out[0].at[0].sectors = 15;
    run(f);
    uint64_t at[4];
    for (uint32_t i = 0; i < 4; i++) {
        ask(f, 0, 1000 * (i + 1), 0, MEM_READ, i, true);
        f->out[0].at[0].sectors = sectors[i];
        run(f);
        at[i] = reply(f, 0, i)->at - 1000 * (i + 1);
    }
    assert_int_equal(at[0], at[1] + 7);
    assert_int_equal(at[2], at[1]);
    assert_int_equal(at[3], at[0]);
    ask(f, 0, 9000, 0, MEM_READ, 10, true);
    ask(f, 0, 9001, 0, MEM_READ, 11, true);
    f->out[0].at[0].sectors = 15;
    f->out[0].at[1].sectors = 1;
    run(f);
    assert_true(reply(f, 0, 11)->at >= reply(f, 0, 10)->at);
}

/* How much later the line of each of four channels comes: with one sector, and with sectors in both halves of it. */
static void far_halves(void **state)
{
    struct fix *f = *state;
    f->c.slices = f->c.channels = 4;
    f->c.far_cyc = 30;
    f->c.far_halves = true;
    static const struct {
        uint8_t sectors;
        uint32_t far;
    } rows[] = {{1, 2}, {3, 2}, {8, 2}, {9, 3}, {15, 3}};
    for (uint32_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        begin(f);
        for (uint32_t i = 0; i < 4; i++) {
            ask(f, 0, 10, i * f->c.interleave_b, MEM_READ, i, true);
            f->out[0].at[i].sectors = rows[k].sectors;
        }
        run(f);
        uint64_t first = UINT64_MAX;
        uint32_t far = 0;
        for (uint32_t i = 0; i < 4; i++)
            first = reply(f, 0, i)->at < first ? reply(f, 0, i)->at : first;
        for (uint32_t i = 0; i < 4; i++)
            far += reply(f, 0, i)->at >= first + 30;
        assert_int_equal(far, rows[k].far);
    }
}

/* A sector that L2 lacks brings those of its block along. */
static void fetched_blocks(void **state)
{
    struct fix *f = *state;
    for (uint32_t b = 32; b <= 128; b *= 2) {
        f->c.l2_fetch_b = b;
        begin(f);
        for (uint32_t i = 0; i < 4; i++) {
            ask(f, 0, f->now + 1000, 0, MEM_READ, i, true);
            f->out[0].at[0].sectors = (uint8_t)(1u << i);
            run(f);
        }
        assert_int_equal(f->stats[MS_dram_reads], 4);
        assert_int_equal(f->stats[MS_l2_read_hits], 4 - 128 / b);
    }
}

/* Cycles of the last reply to 8 reads of lines that L2 has, sent at once, and of the first. */
static uint64_t last_hit(struct fix *f, double l2_mhz, uint32_t slice_b, uint64_t *first)
{
    enum { LINES = 8 };
    f->c.l2_mhz = l2_mhz;
    f->c.icnt_slice_b = slice_b;
    begin(f);
    for (uint32_t i = 0; i < LINES; i++) {
        ask(f, 0, 10, i * LINE_B, MEM_READ, i, true);
        ask(f, 0, 100000, i * LINE_B, MEM_READ, LINES + i, true);
    }
    run(f);
    *first = reply(f, 0, LINES)->at - 100000;
    return reply(f, 0, 2 * LINES - 1)->at - 100000;
}

/* L2 at half of the SMs' clock takes twice the cycles, of a hit and for each packet of 8 + 128 bytes; the interconnect does
 * not. Where L2 has a clock, a packet takes parts of its cycles; without one whole ones, 2 for 136 of 128 bytes. */
static void clock_of_l2(void **state)
{
    struct fix *f = *state;
    uint64_t whole, same, half;
    uint64_t last_whole = last_hit(f, 0, 128, &whole), last_same = last_hit(f, 1000, 136, &same),
             last_half = last_hit(f, 500, 136, &half);
    assert_int_equal(same, 20 + 100 + 20);
    assert_int_equal(whole, same);
    assert_int_equal(half, 20 + 200 + 20);
    assert_int_equal(last_whole - whole, 7 * 2);
    assert_int_equal(last_same - same, 7);
    assert_int_equal(last_half - half, 7 * 2);
    assert_in_range(last_hit(f, 1000, 128, &same) - same, 7 * 136 / 128, 7 * 136 / 128 + 1);
}

static void merge(void **state)
{
    struct fix *f = *state;
    for (uint32_t i = 0; i < SMS; i++)
        ask(f, i, 10 + i, 1024, MEM_READ, i, true);
    run(f);
    for (uint32_t i = 0; i < SMS; i++)
        assert_true(reply(f, i, i)->at >= 10 + 20 + 28 + 20);
    assert_int_equal(f->stats[MS_dram_reads], 4);
    assert_int_equal(f->stats[MS_l2_read_merged], 8);
    assert_int_equal(f->stats[MS_l2_reads], 12);
}

/* When the sectors of a line come to SM 0, which asks for them one by one under these tags. Another SM asks for all of them after
 * the first `between`; 5: none does. */
static void each_sector(struct fix *f, const uint32_t tag[4], uint32_t between, uint64_t at[4])
{
    begin(f);
    for (uint32_t i = 0; i < 4; i++) {
        ask(f, 0, 10 + 2 * i, 0, MEM_READ, tag[i], true);
        f->out[0].at[i].sectors = (uint8_t)(1u << i);
    }
    if (between < 5)
        ask(f, 1, 9 + 2 * between, 0, MEM_READ, 9, true);
    run(f);
    uint32_t seen = 0;
    vec_each (&f->in[0], r) {
        assert_true(mem_sectors(r->sectors) == 1 && !(seen & r->sectors));
        seen |= r->sectors;
        uint32_t i = (uint32_t)__builtin_ctz(r->sectors);
        assert_int_equal(r->tag, tag[i]);
        at[i] = r->at;
    }
    assert_int_equal(seen, 15);
    if (between < 5)
        assert_int_equal(reply(f, 1, 9)->sectors, 15);
    assert_int_equal(f->stats[MS_dram_reads], 4);
}

/* Whether the tag is one or there are four, each is answered by itself, and at the same time. */
static void one_by_one(void **state)
{
    struct fix *f = *state;
    static const uint32_t one[] = {5, 5, 5, 5}, four[] = {5, 6, 7, 8};
    for (uint32_t between = 0; between <= 5; between++) {
        uint64_t a[4], b[4], stats[MS_COUNT];
        each_sector(f, one, between, a);
        memcpy(stats, f->stats, sizeof stats);
        each_sector(f, four, between, b);
        assert_memory_equal(a, b, sizeof a);
        assert_memory_equal(stats, f->stats, sizeof stats);
    }
}

/* What comes along with a sector is not in the answer to its SM, which may be asking for that under the same tag. */
static void one_of_a_block(void **state)
{
    struct fix *f = *state;
    static const uint8_t sectors[] = {8, 1, 4};
    f->c.l2_fetch_b = 64;
    begin(f);
    for (uint32_t i = 0; i < 3; i++) {
        ask(f, 0, 10 + 2 * i, 0, i ? MEM_READ : MEM_WRITE, 5, i > 0);
        f->out[0].at[i].sectors = sectors[i];
    }
    run(f);
    assert_int_equal(f->in[0].n, 2);
    assert_int_equal(f->in[0].at[0].sectors, 1);
    assert_int_equal(f->in[0].at[1].sectors, 4);
}

static void one_of_everything(struct fix *f)
{
    f->c.l2_mshrs = f->c.queue = 1;
    f->c.write_queue = 2;
    f->c.l2_kb = 1;
    f->c.l2_ways = 1;
    f->c.icnt_slice_b = 1;
    begin(f);
}

static void full_of_misses(void **state)
{
    struct fix *f = *state;
    one_of_everything(f);
    for (uint32_t i = 0; i < 100; i++)
        ask(f, i % SMS, 10 + i, 4096 * (uint64_t)i, MEM_READ, i, true);
    run(f);
    for (uint32_t i = 0; i < 100; i++)
        reply(f, i % SMS, i);
    assert_true(f->stats[MS_l2_stall] > 0);
    assert_int_equal(f->stats[MS_dram_reads], 400);
}

/* Written lines fill L2 without a fetch; what is replaced goes to DRAM, and only that. */
static void write_back(void **state)
{
    struct fix *f = *state;
    enum { KEPT = 64 * 1024 / LINE_B, LINES = 3 * KEPT };
    for (uint64_t i = 0; i < LINES; i++)
        ask(f, 0, 10 + 4 * i, i * LINE_B, MEM_WRITE, 0, false);
    run(f);
    assert_int_equal(f->stats[MS_dram_reads], 0);
    assert_int_equal(f->stats[MS_l2_writes], 4 * LINES);
    assert_true(f->stats[MS_l2_evictions] >= LINES - KEPT);
    assert_int_equal(f->stats[MS_l2_writebacks], 4 * f->stats[MS_l2_evictions]);
    assert_int_equal(f->stats[MS_dram_writes], f->stats[MS_l2_writebacks]);
    assert_int_equal(f->in[0].n, 0);
    /* Clean lines are dropped. */
    begin(f);
    for (uint64_t i = 0; i < LINES; i++)
        ask(f, 0, 10 + 4 * i, i * LINE_B, MEM_READ, (uint32_t)i, true);
    run(f);
    assert_int_equal(f->stats[MS_dram_writes], 0);
    assert_int_equal(f->in[0].n, LINES);
}

/* Or a store that misses goes to DRAM, and its line is fetched behind it: the store's command 12 cycles after the row opens, its
 * data 2 later, the read 3 after that data. The second store stays in L2. */
static void store_fetch(void **state)
{
    struct fix *f = *state;
    f->c.l2_store_fetch = true;
    f->c.write_batches = false;
    begin(f);
    ask(f, 0, 10, 0, MEM_WRITE, 1, true);
    run(f);
    assert_int_equal(reply(f, 0, 1)->at, 10 + 20 + 12 + 2 + 4 + 3 + 12 + 4 + 20);
    assert_int_equal(f->stats[MS_dram_writes], 4);
    assert_int_equal(f->stats[MS_dram_reads], 4);
    ask(f, 0, 1000, 0, MEM_WRITE, 2, true);
    run(f);
    assert_int_equal(reply(f, 0, 2)->at, 1000 + 20 + 100 + 20);
    assert_int_equal(f->stats[MS_dram_writes] + f->stats[MS_dram_reads], 8);
}

/* A store of one sector stands for its line: who comes while it is on its way, or later, asks DRAM for nothing. */
static void store_fetch_line(void **state)
{
    struct fix *f = *state;
    f->c.l2_store_fetch = true;
    begin(f);
    vec_push(&f->out[0], (struct mem_req){.at = 10, .kind = MEM_WRITE, .sectors = 2, .bytes = 32});
    ask(f, 0, 11, 0, MEM_READ, 1, true);
    ask(f, 0, 1000, 0, MEM_READ, 2, true);
    run(f);
    reply(f, 0, 1);
    assert_int_equal(reply(f, 0, 2)->at, 1000 + 20 + 100 + 20);
    assert_int_equal(f->stats[MS_dram_writes], 1);
    assert_int_equal(f->stats[MS_dram_reads], 1);
}

/* One line, read, written and added to, while it is on its way: as many answers as were wanted. */
static void one_line(void **state)
{
    struct fix *f = *state;
    for (uint32_t i = 0; i < 300; i++)
        ask(f, i % SMS, 10 + i, 0, (enum mem_kind)(i % 3 ? i % 2 ? MEM_ATOMIC : MEM_READ : MEM_WRITE), i,
            i % 3 != 0);
    run(f);
    for (uint32_t i = 0; i < 300; i++)
        if (i % 3)
            reply(f, i % SMS, i);
    assert_int_equal(f->in[0].n + f->in[1].n + f->in[2].n, 200);
}

static void random_requests(struct fix *f, struct rng *r, uint32_t n)
{
    uint64_t at[SMS] = {0};
    for (uint32_t i = 0; i < n; i++) {
        uint32_t sm = rng_below(r, SMS);
        enum mem_kind kind = (enum mem_kind)rng_below(r, 3);
        at[sm] += 1 + rng_below(r, 12);
        vec_push(&f->out[sm],
                 (struct mem_req){.at = at[sm],
                                  .line = rng_below(r, rng_below(r, 2) ? 40 : 4000) * (uint64_t)LINE_B,
                                  .tag = i,
                                  .sm = (uint16_t)sm,
                                  .kind = (uint8_t)kind,
                                  .sectors = (uint8_t)(1 + rng_below(r, 15)),
                                  .bytes = 32,
                                  .wants_reply = kind == MEM_READ || rng_below(r, 2)});
    }
}

static void nothing_lost(void **state)
{
    struct fix *f = *state;
    enum { N = 600 };
    for (uint64_t seed = 0; seed < 80; seed++) {
        struct rng r = {seed};
        uint8_t wants[N] = {0}, sectors[N] = {0};
        f->c.channels = 1 + rng_below(&r, 4);
        f->c.halves = seed % 2;
        f->c.half_b = 256 << rng_below(&r, 3);
        f->c.cross_cyc = rng_below(&r, 60);
        f->c.cross_b = 1 + rng_below(&r, 40);
        f->c.slices = f->c.channels * (f->c.halves ? 2 + 2 * rng_below(&r, 2) : 1 + rng_below(&r, 3));
        f->c.l2_mshrs = 1 + rng_below(&r, 6);
        f->c.queue = 1 + rng_below(&r, 6);
        f->c.write_queue = 2 + rng_below(&r, 4);
        f->c.l2_kb = 1 + rng_below(&r, 16);
        f->c.l2_ways = 1 + rng_below(&r, 3);
        f->c.halves_shared = f->c.halves && f->c.l2_ways > 1 && seed / 2 % 2;
        f->c.l2_plain = seed / 4 % 2;
        f->c.icnt_cyc = 1 + rng_below(&r, 60);
        f->c.dram_cyc = rng_below(&r, 30);
        begin(f);
        random_requests(f, &r, N);
        for (uint32_t i = 0; i < SMS; i++) {
            vec_each (&f->out[i], q) {
                wants[q->tag] = q->wants_reply;
                sectors[q->tag] = q->sectors;
            }
        }
        run(f);
        for (uint32_t i = 0; i < SMS; i++) {
            vec_each (&f->in[i], q) {
                assert_true(q->tag < N && wants[q->tag]);
                assert_int_equal(q->sm, i);
                assert_int_equal(q->sectors, sectors[q->tag]);
                wants[q->tag] = 0;
            }
        }
        for (uint32_t i = 0; i < N; i++)
            assert_int_equal(wants[i], 0);
        assert_int_equal(f->stats[MS_icnt_requests], N);
        assert_int_equal(f->stats[MS_l2_writebacks], f->stats[MS_dram_writes]);
    }
}

/* Eight bytes per cycle and SM after a fixed time; SMs do not see each other. */
static void simple(void **state)
{
    struct fix *f = *state;
    f->c.simple = true;
    f->c.simple_cyc = 400;
    f->c.simple_b = 8;
    begin(f);
    for (uint32_t i = 0; i < 10; i++)
        ask(f, 0, 10 + i, 128 * (uint64_t)i, MEM_READ, i, true);
    ask(f, 1, 10, 0, MEM_READ, 77, true);
    ask(f, 2, 10, 0, MEM_WRITE, 0, false);
    ask(f, 2, 11, 0, MEM_READ, 78, true);
    run(f);
    for (uint32_t i = 0; i < 10; i++)
        assert_int_equal(reply(f, 0, i)->at, 10 + 16 * (i + 1) + 400);
    assert_int_equal(reply(f, 1, 77)->at, 10 + 16 + 400);
    assert_int_equal(reply(f, 2, 78)->at, 10 + 16 + 16 + 400);
    assert_int_equal(f->in[2].n, 1);
    assert_int_equal(f->stats[MS_dram_reads], 4 * 12);
    assert_int_equal(f->stats[MS_dram_writes], 4);
}

static void warm_and_flush(void **state)
{
    struct fix *f = *state;
    memsys_warm(f->m, 4096 + 5, 300);
    for (uint32_t i = 0; i < 3; i++)
        ask(f, 0, 10 + 200 * i, 4096 + 128 * (uint64_t)i, MEM_READ, i, true);
    run(f);
    assert_int_equal(f->stats[MS_l2_read_hits], 12);
    memsys_flush(f->m);
    ask(f, 0, 2000, 4096, MEM_READ, 9, true);
    run(f);
    assert_int_equal(f->stats[MS_dram_reads], 4);
}

/* A copy of more than L2 holds leaves nothing of what was there before, however unevenly the sets get their lines. */
static void warm_with_much(void **state)
{
    enum { LINES = 200, APART = 53632 };
    struct fix *f = *state;
    f->c.slices = 6;
    f->c.channels = 3;
    f->c.l2_kb = 480;
    begin(f);
    for (uint32_t i = 0; i < LINES; i++)
        memsys_warm(f->m, i * APART, 8);
    memsys_warm(f->m, 1ull << 32, 4 << 20);
    for (uint32_t i = 0; i < LINES; i++)
        ask(f, 0, 10 + 50 * i, i * APART, MEM_READ, i, true);
    run(f);
    assert_int_equal(f->stats[MS_l2_read_hits], 0);
}

/* Requests of a window, few or many, are served by cycle, and those of one cycle by SM: hits leave one after the
 * other, each in two cycles. */
static void in_order(void **state)
{
    struct fix *f = *state;
    for (uint32_t cycles = 2; cycles <= f->c.icnt_cyc; cycles += 3) {
        begin(f);
        memsys_warm(f->m, 0, 4096);
        for (uint32_t sm = 0; sm < SMS; sm++)
            for (uint32_t i = 0; i < cycles; i++)
                ask(f, sm, f->c.icnt_cyc + i, 128 * i, MEM_READ, i, true);
        run(f);
        for (uint32_t sm = 0; sm < SMS; sm++) {
            assert_int_equal(f->in[sm].n, cycles);
            vec_each (&f->in[sm], r)
                assert_int_equal(r->at, f->in[0].at[0].at + 2 * (r->tag * SMS + sm));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(latency),        TEST(clock_of_l2),    TEST(merge),          TEST(far_half),
        TEST(far_halves),     TEST(whole_lines),    TEST(fetched_blocks), TEST(full_of_misses),
        TEST(write_back),     TEST(one_line),       TEST(nothing_lost),   TEST(simple),
        TEST(warm_and_flush), TEST(warm_with_much), TEST(store_fetch),    TEST(store_fetch_line),
        TEST(before_tags),    TEST(in_order),       TEST(one_by_one),     TEST(one_of_a_block),
        TEST(reach),          TEST(apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
