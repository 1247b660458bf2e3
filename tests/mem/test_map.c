/* SPDX-License-Identifier: Apache-2.0 */
/* Addresses to slices: one to one, without gaps, and spread whatever the stride. */
#include "rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

static const struct {
    uint32_t slices, channels, interleave_b, half_b; /* half_b 0: no halves */
    bool twice;
} shapes[] = {{1, 1, 256, 0, false},    {12, 6, 256, 0, false},     {64, 32, 256, 0, false},
              {96, 48, 128, 0, false},  {7, 7, 512, 0, false},      {80, 40, 4096, 0, false},
              {6, 6, 256, 0, false},    {96, 48, 256, 4096, false}, {8, 2, 128, 1024, false},
              {12, 6, 256, 256, false}, {96, 48, 256, 4096, true},  {8, 2, 128, 512, true},
              {16, 4, 256, 2048, true}};
enum { SHAPES = sizeof shapes / sizeof shapes[0], TWICE = 10 };

static struct mem_cfg shape(uint32_t i)
{
    struct mem_cfg c = rig_cfg();
    c.slices = shapes[i].slices;
    c.channels = shapes[i].channels;
    c.interleave_b = shapes[i].interleave_b;
    c.halves = shapes[i].half_b != 0;
    c.half_b = shapes[i].half_b;
    c.interleave_twice = shapes[i].twice;
    return c;
}

/* Without the hash blocks go round the slices. */
static void in_turn(void **state)
{
    (void)state;
    struct mem_cfg c = shape(1);
    c.interleave_hash = false;
    for (uint64_t b = 0; b < 1000; b++) {
        struct mem_place p = mem_place(&c, b * 256);
        assert_int_equal(p.part * 2 + p.slice, b % 12);
    }
}

/* Stretches go to the halves in turn, and the blocks of each half round its slices; with the hash one stretch of two neighbours
 * is in each half. */
static void halves_in_turn(void **state)
{
    (void)state;
    struct mem_cfg c = shape(7);
    for (uint64_t b = 0; b < 4096; b += 16)
        for (uint64_t i = 0; i < 16; i++) {
            assert_int_equal(mem_place(&c, (b + i) * 256).slice, mem_place(&c, b * 256).slice);
            assert_int_not_equal(mem_place(&c, (b + i) * 256).slice, mem_place(&c, (b ^ 16) * 256).slice);
        }
    c.interleave_hash = false;
    for (uint64_t b = 0; b < 4096; b++) {
        struct mem_place p = mem_place(&c, b * 256);
        assert_int_equal(p.slice, b / 16 % 2);
        assert_int_equal(p.part, (b / 32 * 16 + b % 16) % 48);
    }
}

/* Blocks 0 and 2 of four are in one slice, 1 and 3 in another of the same half, and the next four in two others. With the hash
 * which of the two comes first differs: the first blocks of the fours of 256 KB are in more than half of the slices. */
static void halves_twice(void **state)
{
    (void)state;
    struct mem_cfg c = shape(TWICE);
    uint32_t firsts[96] = {0}, met = 0;
    for (uint64_t b = 0; b < 4096; b += 4) {
        struct mem_place p[4];
        for (uint64_t i = 0; i < 4; i++)
            p[i] = mem_place(&c, (b + i) * 256);
        assert_int_equal(p[0].part, p[2].part);
        assert_int_equal(p[1].part, p[3].part);
        assert_int_equal(p[0].part ^ 1, p[1].part);
        for (uint32_t i = 0; i < 4; i++)
            assert_int_equal(p[i].slice, p[0].slice);
        met += b < 1024 && !firsts[p[0].part * 2 + p[0].slice]++;
    }
    assert_true(met > 48);
    c.interleave_hash = false;
    for (uint64_t b = 0; b < 4096; b++) {
        struct mem_place p = mem_place(&c, b * 256 + 32);
        uint64_t four = b / 32 * 4 + b / 4 % 4; /* of the half's */
        assert_int_equal(p.slice, b / 16 % 2);
        assert_int_equal(p.part, four % 24 * 2 + b % 2);
        assert_int_equal(p.local, ((four / 24 * 2 + b / 2 % 2) * 2 + p.slice) * 256 + 32);
    }
}

/* By channels: round these, then round the slices of each; a channel's blocks lie one behind the other. */
static void by_channels(void **state)
{
    (void)state;
    struct mem_cfg c = shape(1);
    c.interleave_hash = false;
    c.interleave_channels = true;
    for (uint64_t b = 0; b < 1000; b++) {
        struct mem_place p = mem_place(&c, b * 256 + 128);
        assert_int_equal(p.part, b % 6);
        assert_int_equal(p.slice, b / 6 % 2);
        assert_int_equal(p.local, b / 6 * 256 + 128);
    }
}

/* ... and each slice has every second bank of the channel, with rows of 4 KiB of the slice's own addresses. Nothing is shifted:
 * what lies 64 KiB apart in a channel is in one bank. */
static void banks_by_channels(void **state)
{
    (void)state;
    struct mem_cfg c = shape(1);
    static const struct {
        uint32_t local, bank, row;
    } is[] = {{0, 0, 0},    {256, 1, 0},       {512, 0, 0},   {8192 - 256, 1, 0},     {8192, 2, 0},
              {8448, 3, 0}, {7 * 8192, 14, 0}, {65536, 0, 1}, {3 * 65536 + 256, 1, 3}};
    c.row_b = 4096;
    c.interleave_hash = false;
    c.interleave_channels = true;
    for (uint32_t i = 0; i < sizeof is / sizeof is[0]; i++) {
        struct dram_place p = dram_place(&c, is[i].local);
        assert_int_equal(p.bank, is[i].bank);
        assert_int_equal(p.row, is[i].row);
    }
    c.interleave_channels = false;
    assert_int_equal(dram_place(&c, 256).bank, 0);
    assert_int_equal(dram_place(&c, 65536).bank, 1);
}

/* The lines of a range fill the same range of every channel, each place once. */
static void bijective(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < SHAPES; i++) {
        struct mem_cfg c = shape(i);
        uint64_t rows = 64, bytes = rows * c.slices * c.interleave_b, lines = bytes / LINE_B;
        uint64_t per = bytes / c.channels / LINE_B;
        uint8_t *seen = calloc(lines, 1);
        for (uint64_t base = 0; base <= bytes << 20; base += bytes << 20) {
            for (uint64_t l = 0; l < lines; l++) {
                struct mem_place p = mem_place(&c, base + l * LINE_B);
                assert_true(p.part < c.channels && p.slice < c.slices / c.channels);
                uint64_t local = (p.local - base / c.channels) / LINE_B;
                assert_true(local < per);
                seen[p.part * per + local]++;
            }
        }
        for (uint64_t l = 0; l < lines; l++)
            assert_int_equal(seen[l], 2);
        free(seen);
    }
}

/* Bytes of one line lie in one place. */
static void lines_whole(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < SHAPES; i++) {
        struct mem_cfg c = shape(i);
        for (uint64_t a = 0; a < 1u << 20; a += 4097) {
            struct mem_place p = mem_place(&c, a & ~127ull), q = mem_place(&c, a | 127);
            assert_int_equal(p.part, q.part);
            assert_int_equal(p.slice, q.slice);
            assert_int_equal(p.local + 127, q.local);
        }
    }
}

/* Ways without divisions lead to the same places; some shapes have each. */
static void shifts(void **state)
{
    (void)state;
    uint32_t spreads[MEM_SPREADS] = {0}, turns[MEM_TURNS] = {0};
    for (uint32_t i = 0; i < 2 * SHAPES; i++) {
        struct mem_cfg c = shape(i / 2);
        c.interleave_hash = i % 2 == 0;
        c.interleave_channels = i % 2;
        c.banks = i % 5 ? c.banks : 12;
        struct mem_map m = mem_map(&c);
        spreads[m.spread]++;
        turns[m.turns]++;
        for (uint64_t a = 0, step = 12345 * LINE_B; a < 1ull << 60;
             a += step, step += step / 4 / LINE_B * LINE_B) {
            struct mem_place p = mem_place(&c, a), q = map_slice(&m, a);
            assert_true(p.part == q.part && p.slice == q.slice && p.local == q.local);
            struct dram_place b = dram_place(&c, a), d = map_bank(&m, a);
            assert_true(b.row == d.row && b.bank == d.bank);
        }
    }
    for (uint32_t i = 0; i < MEM_SPREADS; i++)
        assert_true(spreads[i] > 1);
    for (uint32_t i = 0; i < MEM_TURNS; i++)
        assert_true(turns[i] > 1);
}

static void powers_spread(void **state)
{
    (void)state;
    for (uint32_t i = 1; i < SHAPES; i++) {
        struct mem_cfg c = shape(i);
        for (uint32_t shift = 7; shift <= 24; shift++) {
            enum { N = 4096 };
            uint32_t count[128] = {0}, most = 0;
            for (uint64_t k = 0; k < N; k++) {
                struct mem_place p = mem_place(&c, 0x200000000000 + (k << shift));
                uint32_t s = p.part * (c.slices / c.channels) + p.slice;
                count[s]++;
                most = count[s] > most ? count[s] : most;
            }
            if (most > 3 * N / c.slices)
                fail_msg("%u slices, stride 2^%u: one has %u of %u", c.slices, shift, most, (unsigned)N);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bijective),    cmocka_unit_test(in_turn),       cmocka_unit_test(halves_in_turn),
        cmocka_unit_test(halves_twice), cmocka_unit_test(by_channels),   cmocka_unit_test(banks_by_channels),
        cmocka_unit_test(lines_whole),  cmocka_unit_test(powers_spread), cmocka_unit_test(shifts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
