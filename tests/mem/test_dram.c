/* SPDX-License-Identifier: Apache-2.0 */
/* One DRAM channel, counted by hand: activate 12, CAS 12, precharge 12, RAS 28, a sector per cycle on the bus. */
#include "rig.h"

#include "base/rng.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

struct fix {
    struct mem_cfg c;
    struct dram d;
    uint64_t stats[MS_COUNT];
};

static void begin(struct fix *f)
{
    memset(f->stats, 0, sizeof f->stats);
    dram_init(&f->d, &f->c, 1000, 0);
}

static int setup(void **state)
{
    struct fix *f = calloc(1, sizeof *f);
    f->c = rig_cfg();
    begin(f);
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    dram_free(&((struct fix *)*state)->d);
    free(*state);
    return 0;
}

static void ask(struct fix *f, uint64_t at, uint64_t local, bool write)
{
    assert_false(dram_full(&f->d, write));
    dram_push(&f->d, at, local, (uint32_t)local, 15, write);
}

/* The next access that is done: its address, at which cycle. */
static void done(struct fix *f, uint64_t local, uint64_t at)
{
    struct dram_done o;
    assert_true(dram_next(&f->d, UINT64_MAX / DRAM_SCALE, &o, f->stats));
    assert_int_equal(o.who, local);
    assert_int_equal(o.at, at);
}

/* Row `i` of bank 0: the row number shifts the bank. */
static uint64_t bank0(uint64_t i) { return (16 * i + (16 - i % 16) % 16) * 2048; }

static void open_hit_conflict(void **state)
{
    struct fix *f = *state;
    ask(f, 100, 0, false);
    done(f, 0, 100 + 12 + 12 + 4);
    ask(f, 200, 128, false);
    done(f, 128, 200 + 12 + 4);
    ask(f, 300, bank0(1), false);
    done(f, bank0(1), 300 + 12 + 12 + 12 + 4);
    assert_int_equal(f->stats[MS_dram_row_opens], 1);
    assert_int_equal(f->stats[MS_dram_row_hits], 1);
    assert_int_equal(f->stats[MS_dram_row_conflicts], 1);
    assert_int_equal(f->stats[MS_dram_reads], 12);
    assert_int_equal(f->stats[MS_dram_busy], 12 * DRAM_SCALE);
}

/* A row stays open for RAS before it can be closed. */
static void row_stays_open(void **state)
{
    struct fix *f = *state;
    ask(f, 100, 0, false);
    ask(f, 101, bank0(1), false);
    done(f, 0, 128);
    done(f, bank0(1), 100 + 28 + 12 + 12 + 12 + 4);
}

/* Banks work beside each other: the second opens 3 cycles later, and its data follows on the bus. */
static void banks_overlap(void **state)
{
    struct fix *f = *state;
    ask(f, 100, 0, false);
    ask(f, 100, 2048, false);
    done(f, 0, 128);
    done(f, 2048, 132);
}

/* Commands to one bank group keep their distance, however free the bus is: four sectors of a group that takes one in three
 * cycles. A bank of another group does not wait. */
static void bank_groups(void **state)
{
    struct fix *f = *state;
    f->c.t_ccdl = 3;
    f->c.bank_groups = 4;
    dram_free(&f->d);
    begin(f);
    ask(f, 100, 0, false);
    ask(f, 100, 128, false);
    ask(f, 100, 2048, false);
    done(f, 0, 128);
    done(f, 2048, 132);
    done(f, 128, 100 + 12 + 4 * 3 + 12 + 4);
}

/* A command that moves two sectors: its group takes the next line after two of them, not four. */
static void bursts(void **state)
{
    struct fix *f = *state;
    f->c.t_ccdl = 3;
    f->c.burst_b = 64;
    dram_free(&f->d);
    begin(f);
    ask(f, 100, 0, false);
    ask(f, 100, 128, false);
    done(f, 0, 128);
    done(f, 128, 100 + 12 + 2 * 3 + 12 + 4);
}

/* Groups of neighbours: banks 0 and 1 are in one, and bank 4, whose row opens last, is before the second of them. */
static void neighbours(void **state)
{
    struct fix *f = *state;
    f->c.t_ccdl = 3;
    f->c.bank_groups = 4;
    f->c.group_apart = false;
    dram_free(&f->d);
    begin(f);
    ask(f, 100, 0, false);
    ask(f, 100, 2048, false);
    ask(f, 100, 4 * 2048, false);
    done(f, 0, 128);
    done(f, 4 * 2048, 132);
    done(f, 2048, 100 + 12 + 4 * 3 + 12 + 4);
}

/* A write of the open row after a read: its command may come 12 cycles after the read's last one, that of its fourth sector. */
static void read_to_write(void **state)
{
    struct fix *f = *state;
    f->c.write_batches = false;
    for (uint32_t rtw = 0; rtw <= 12; rtw += 12) {
        f->c.t_rtw = rtw;
        dram_free(&f->d);
        begin(f);
        ask(f, 100, 0, false);
        ask(f, 100, 128, true);
        done(f, 0, 128);
        done(f, 128, rtw ? 112 + 3 + 12 + f->c.t_wl + 4 : 128 + 4);
    }
}

/* A write that came first: it has to wait until no read does, or it goes first and the bus is turned round behind it. */
static void without_batches(void **state)
{
    struct fix *f = *state;
    for (uint32_t k = 0; k < 2; k++) {
        f->c.write_batches = !k;
        dram_free(&f->d);
        begin(f);
        ask(f, 100, 0, true);
        ask(f, 100, 128, false);
        uint64_t written = 100 + f->c.t_rcd + f->c.t_wl + 4;
        if (k)
            done(f, 0, written);
        done(f, 128, k ? written + f->c.t_cdlr + f->c.t_cl + 4 : 128);
    }
}

/* The open row first, then the oldest. */
static void first_ready(void **state)
{
    struct fix *f = *state;
    ask(f, 100, 0, false);
    done(f, 0, 128);
    ask(f, 200, bank0(1), false);
    ask(f, 200, bank0(2), false);
    ask(f, 200, 256, false);
    done(f, 256, 216);
    struct dram_done o;
    assert_true(dram_next(&f->d, 100000, &o, f->stats));
    assert_int_equal(o.who, bank0(1));
    assert_true(dram_next(&f->d, 100000, &o, f->stats));
    assert_int_equal(o.who, bank0(2));
    assert_false(dram_next(&f->d, 100000, &o, f->stats));
}

/* A request to another row is alone when it comes, and the row cannot be closed before 128. One to the open row comes before
 * that: it goes first, or the bank serves what it has chosen. */
static void bank_holds(void **state)
{
    struct fix *f = *state;
    f->c.write_batches = false;
    for (uint32_t k = 0; k < 2; k++) {
        f->c.bank_holds = k;
        dram_free(&f->d);
        begin(f);
        ask(f, 100, 0, false);
        done(f, 0, 128);
        ask(f, 117, bank0(1), false);
        ask(f, 120, 256, false);
        if (k) {
            done(f, bank0(1), 128 + 12 + 12 + 12 + 4);
            done(f, 256, 140 + 28 + 12 + 12 + 12 + 4);
        } else {
            done(f, 256, 120 + 12 + 4);
            done(f, bank0(1), 128 + 12 + 12 + 12 + 4);
        }
    }
}

/* A refresh from 1000 to 1100: the row is closed, and nothing is opened before its end. That of 2000 is over when the next
 * request comes, which finds the row closed, too. */
static void refresh(void **state)
{
    struct fix *f = *state;
    f->c.t_refi = 1000;
    f->c.t_rfc = 100;
    dram_free(&f->d);
    begin(f);
    ask(f, 990, 0, false);
    done(f, 0, 990 + 12 + 12 + 4);
    ask(f, 1050, 128, false);
    done(f, 128, 1100 + 12 + 12 + 4);
    ask(f, 1200, 256, false);
    done(f, 256, 1200 + 12 + 4);
    ask(f, 2150, 384, false);
    done(f, 384, 2150 + 12 + 12 + 4);
    assert_int_equal(f->stats[MS_dram_row_hits], 1);
}

/* By bank: bank 0 from 1000 to 1100, bank 8 of 16 from 1500 on. While one is refreshed another goes on, with its row open. */
static void refresh_by_bank(void **state)
{
    struct fix *f = *state;
    f->c.t_refi = 1000;
    f->c.t_rfc = 100;
    f->c.refresh_banks = true;
    dram_free(&f->d);
    begin(f);
    uint64_t bank8 = 8 * (uint64_t)f->c.row_b;
    ask(f, 900, 0, false);
    done(f, 0, 900 + 12 + 12 + 4);
    ask(f, 950, bank8, false);
    done(f, bank8, 950 + 12 + 12 + 4);
    ask(f, 1050, 128, false);
    ask(f, 1050, bank8 + 128, false);
    done(f, bank8 + 128, 1050 + 12 + 4);
    done(f, 128, 1100 + 12 + 12 + 4);
    ask(f, 1550, 256, false);
    ask(f, 1550, bank8 + 256, false);
    done(f, 256, 1550 + 12 + 4);
    done(f, bank8 + 256, 1600 + 12 + 12 + 4);
}

/* Nothing starts before its time, or before the caller's. */
static void in_time(void **state)
{
    struct fix *f = *state;
    struct dram_done o;
    assert_int_equal(dram_when(&f->d), UINT64_MAX);
    ask(f, 100, 0, false);
    assert_true(dram_when(&f->d) >= 100 && dram_when(&f->d) <= 124);
    assert_false(dram_next(&f->d, 124, &o, f->stats));
    assert_true(dram_next(&f->d, 125, &o, f->stats));
    assert_int_equal(dram_when(&f->d), UINT64_MAX);
}

static void writes_wait(void **state)
{
    struct fix *f = *state;
    struct dram_done o;
    char order[32] = "";
    dram_free(&f->d);
    f->c.write_queue = 8;
    begin(f);
    for (uint32_t i = 0; i < 4; i++)
        ask(f, 100, 128 * i, true);
    for (uint32_t i = 4; i < 8; i++)
        ask(f, 100, 128 * i, false);
    for (uint32_t i = 0; dram_next(&f->d, 10000, &o, f->stats); i++)
        order[i] = o.write ? 'w' : 'r';
    assert_string_equal(order, "rrrrwwww");
    /* A full queue has its turn until a quarter is left. */
    for (uint32_t i = 0; i < 8; i++)
        ask(f, 1000, 128 * i, true);
    assert_true(dram_full(&f->d, true));
    for (uint32_t i = 0; i < 4; i++)
        ask(f, 1000, 128 * i, false);
    for (uint32_t i = 0; dram_next(&f->d, 10000, &o, f->stats); i++)
        order[i] = o.write ? 'w' : 'r';
    assert_string_equal(order, "wwwwwwrrrrww");
    assert_int_equal(f->stats[MS_dram_writes], 48);
}

/* A read after written data: 3 clocks of turning round, then CAS. */
static void turn_round(void **state)
{
    struct fix *f = *state;
    ask(f, 100, 0, true);
    done(f, 0, 100 + 12 + 2 + 4);
    ask(f, 100, 128, false);
    done(f, 128, 118 + 3 + 12 + 4);
}

/* Consecutive lines keep the bus busy, rows and banks changing underneath. */
static void bandwidth(void **state)
{
    struct fix *f = *state;
    enum { LINES = 2000 };
    struct dram_done o = {0};
    uint64_t first = 0, last = 0;
    uint32_t n = 0;
    for (uint64_t i = 0; n < LINES;) {
        while (i < LINES && !dram_full(&f->d, false))
            ask(f, 100, 128 * i++, false);
        assert_true(dram_next(&f->d, UINT64_MAX / DRAM_SCALE, &o, f->stats));
        first = n++ ? first : o.at;
        assert_true(o.at > last);
        last = o.at;
    }
    uint64_t ideal = (LINES - 1) * 4;
    assert_true(last - first >= ideal && last - first <= ideal * 103 / 100);
    assert_true(f->stats[MS_dram_row_hits] > LINES * 9 / 10);
}

/* Clocks that do not divide: no drift over many accesses. */
static void odd_clocks(void **state)
{
    struct fix *f = *state;
    struct dram_done o = {0};
    dram_free(&f->d);
    f->c.dram_mhz = 877;
    f->c.bus_b = 24;
    memset(f->stats, 0, sizeof f->stats);
    dram_init(&f->d, &f->c, 1132, 0);
    enum { LINES = 5000 };
    for (uint64_t i = 0, n = 0; n < LINES; n++) {
        while (i < LINES && !dram_full(&f->d, false))
            ask(f, 1, 128 * i++, false);
        assert_true(dram_next(&f->d, UINT64_MAX / DRAM_SCALE, &o, f->stats));
    }
    double ideal = LINES * 128.0 / 24 * 1132 / 877;
    assert_true((double)o.at > ideal * 0.99 && (double)o.at < ideal * 1.04);
}

/* Anything, in any order: everything comes back once, after its arrival, one after the other on the bus. */
static void nothing_lost(void **state)
{
    struct fix *f = *state;
    for (uint64_t seed = 0; seed < 40; seed++) {
        struct rng r = {seed};
        dram_free(&f->d);
        f->c.queue = 1 + rng_below(&r, 20);
        f->c.write_queue = 2 + rng_below(&r, 20);
        f->c.banks = 1 + rng_below(&r, 20);
        begin(f);
        enum { N = 400 };
        uint64_t at[N], now = 0, last = 0;
        uint8_t back[N] = {0};
        uint32_t next = 0, ended = 0;
        while (ended < N) {
            bool write = rng_below(&r, 3) == 0;
            if (next < N && !dram_full(&f->d, write) && rng_below(&r, 3)) {
                now += rng_below(&r, 10);
                at[next] = now;
                dram_push(&f->d, now, rng_below(&r, 4000) * 128, next, (uint8_t)(1 + rng_below(&r, 15)),
                          write);
                next++;
                continue;
            }
            struct dram_done o;
            if (!dram_next(&f->d, next == N ? now + 100000 : now, &o, f->stats)) {
                now += 5;
                continue;
            }
            assert_true(o.who < next && !back[o.who]);
            back[o.who] = 1;
            assert_true(o.at > at[o.who] && o.at >= last);
            last = o.at;
            ended++;
        }
        assert_int_equal(
            f->stats[MS_dram_row_hits] + f->stats[MS_dram_row_opens] + f->stats[MS_dram_row_conflicts], N);
    }
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(open_hit_conflict), TEST(row_stays_open), TEST(banks_overlap),   TEST(first_ready),
        TEST(bank_holds),        TEST(refresh),        TEST(refresh_by_bank), TEST(in_time),
        TEST(writes_wait),       TEST(turn_round),     TEST(bandwidth),       TEST(odd_clocks),
        TEST(nothing_lost),      TEST(bank_groups),    TEST(without_batches), TEST(bursts),
        TEST(neighbours),        TEST(read_to_write),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
