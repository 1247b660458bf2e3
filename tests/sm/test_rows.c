/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of one pool: where they lie, and the cycles that lanes take, counted by hand and over random accesses. */
#include "preset.h"

#include "base/rng.h"
#include "sm/core.h"
#include "sm/onchip/pool.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static struct preset open_pool(void)
{
    struct preset p;
    preset_init(&p, "throughput");
    return p;
}

/* Every row of 16 bytes has a place of its own: cluster, bank, and the row in that bank. */
static void one_to_one(void **state)
{
    (void)state;
    struct preset p = open_pool();
    static uint8_t seen[8][4][64];
    memset(seen, 0, sizeof seen);
    for (uint64_t a = 0; a < 8 * 4 * 64 * 16; a += 16) {
        uint8_t *at = &seen[rows_cluster(&p.sm, a)][rows_bank(&p.sm, a)][a / 512];
        assert_int_equal(*at, 0);
        *at = 1;
    }
    /* A line lies in all clusters, in one bank of each. */
    for (uint64_t a = 0; a < 128; a += 4) {
        assert_int_equal(rows_cluster(&p.sm, 0x1280 + a), a / 16);
        assert_int_equal(rows_bank(&p.sm, 0x1280 + a), rows_bank(&p.sm, 0x1280));
    }
    preset_free(&p);
}

static uint32_t passes(const struct sm_cfg *c, bool pool, bool many, uint32_t width_b, int64_t stride_b,
                       struct row_list *list)
{
    uint64_t addr[TR_LANES];
    for (uint32_t i = 0; i < TR_LANES; i++)
        addr[i] = (uint64_t)((int64_t)i * stride_b);
    memset(list, 0, sizeof *list);
    return rows_passes(c, pool, many,
                       &(struct rows_of){.addr = addr, .mask = ~0u, .width_b = width_b, .same = true}, list);
}

/* Banks of 4 bytes, then of 16 bytes with one, and with several of each cluster at once. */
static void strides(void **state)
{
    (void)state;
    static const struct {
        uint32_t width_b, stride_b;
        uint32_t words, rows, many;
        uint32_t all, first; /* rows; in cluster 0, bank 0 */
    } cases[] = {
        {4, 0, 1, 1, 1, 1, 1},      /* one word */
        {4, 4, 1, 1, 1, 8, 1},      /* a line */
        {4, 16, 4, 4, 1, 32, 1},    /* four lines: 16 bytes of each cluster's four banks are wanted */
        {4, 32, 8, 8, 2, 32, 2},    /* eight rows in every second cluster */
        {4, 128, 32, 32, 8, 32, 8}, /* all in cluster 0: 32 words leave it four at a time */
        {4, 132, 1, 4, 1, 32,
         1}, /* padded by a word: four lanes after the other in one cluster, in its four banks */
        {8, 8, 2, 2, 2, 16, 1},   /* 256 bytes */
        {16, 16, 4, 4, 4, 32, 1}, /* 512 bytes */
    };
    struct preset p = open_pool();
    struct row_list l;
    for (uint32_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(passes(&p.sm, false, false, cases[i].width_b, cases[i].stride_b, &l),
                         cases[i].words);
        uint32_t one = passes(&p.sm, true, false, cases[i].width_b, cases[i].stride_b, &l);
        assert_int_equal(l.left, cases[i].all);
        assert_int_equal(l.n[0], cases[i].first);
        uint32_t many = passes(&p.sm, true, true, cases[i].width_b, cases[i].stride_b, &l);
        assert_int_equal(one, cases[i].rows);
        assert_int_equal(many, cases[i].many);
    }
    preset_free(&p);
}

/* Any lanes: several banks of a cluster are never slower than one; neither is faster than its bytes; every row is in the list. */
static void random_lanes(void **state)
{
    (void)state;
    struct preset p = open_pool();
    struct rng r = {.s = 11};
    for (uint32_t n = 0; n < 20000; n++) {
        uint32_t width = 4u << rng_below(&r, 3), span = 1 + rng_below(&r, 4096 / width);
        uint64_t addr[TR_LANES];
        uint32_t mask = (uint32_t)rng_below(&r, UINT32_MAX) | 1u, sum = 0;
        p.sm.banks = 1u << rng_below(&r, 4);
        p.sm.clusters = POOL_BANKS / p.sm.banks;
        for (uint32_t i = 0; i < TR_LANES; i++)
            addr[i] = (uint64_t)rng_below(&r, span) * width;
        const struct rows_of of = {.addr = addr, .mask = mask, .width_b = width, .same = true};
        struct row_list one = {0}, many = {0};
        uint32_t a = rows_passes(&p.sm, true, false, &of, &one),
                 b = rows_passes(&p.sm, true, true, &of, &many);
        assert_true(a >= b && b >= 1);
        assert_memory_equal(one.n, many.n, sizeof one.n);
        for (uint32_t i = 0; i < ROWS_BANKS; i++) {
            sum += one.n[i];
            assert_true(one.n[i] <= b);
        }
        assert_int_equal(sum, one.left);
        assert_true(a * p.sm.clusters >= sum);
        /* Lanes that differ are counted by lane where rows are not shared. */
        struct row_list each = {0};
        struct rows_of atomic = of;
        atomic.same = false;
        assert_true(rows_passes(&p.sm, true, false, &atomic, &each) >= a && each.left >= one.left);
    }
    preset_free(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_to_one),
        cmocka_unit_test(strides),
        cmocka_unit_test(random_lanes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
