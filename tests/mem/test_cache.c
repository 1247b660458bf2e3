/* SPDX-License-Identifier: Apache-2.0 */
/* The tag store: replacement, pinned lines, sizes of every kind, and against a plain model. */
#include "rig.h"

#include "base/rng.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

static void put(struct cache *c, uint64_t line)
{
    struct cache_line old;
    struct cache_line *l = cache_alloc(c, line, &old);
    assert_non_null(l);
    assert_int_equal(l->valid, 0);
    l->valid = 15;
}

/* One set: the least recently used goes; looking without touching does not count as a use. */
static void lru(void **state)
{
    (void)state;
    struct cache c;
    struct cache_line old;
    cache_init(&c, 4 * LINE_B, LINE_B, 4);
    assert_int_equal(c.sets, 1);
    for (uint64_t i = 10; i < 14; i++)
        put(&c, i);
    assert_non_null(cache_find(&c, 10, true));
    assert_non_null(cache_find(&c, 11, false));
    cache_alloc(&c, 20, &old);
    assert_int_equal(old.tag, 11 + 1);
    assert_int_equal(old.valid, 15);
    cache_alloc(&c, 21, &old);
    assert_int_equal(old.tag, 12 + 1);
    assert_non_null(cache_find(&c, 10, false));
    assert_null(cache_find(&c, 11, false));
    cache_clear(&c);
    assert_null(cache_find(&c, 10, false));
    cache_free(&c);
}

static void pinned(void **state)
{
    (void)state;
    struct cache c;
    struct cache_line old;
    cache_init(&c, 3 * LINE_B, LINE_B, 3);
    for (uint64_t i = 0; i < 3; i++)
        put(&c, i);
    cache_find(&c, 0, false)->pinned = 1;
    cache_alloc(&c, 7, &old);
    assert_int_equal(old.tag, 1 + 1); /* 0 is older but stays */
    cache_find(&c, 2, false)->pinned = 1;
    cache_find(&c, 7, false)->pinned = 1;
    assert_true(cache_full(&c, 8));
    assert_null(cache_alloc(&c, 8, &old));
    cache_find(&c, 0, false)->pinned = 0;
    assert_false(cache_full(&c, 8));
    cache_alloc(&c, 8, &old);
    assert_int_equal(old.tag, 0 + 1);
    cache_free(&c);
}

/* Sizes that divide badly: never more lines than fit, never none, and a line is found where it was put. */
static void sizes(void **state)
{
    (void)state;
    static const uint64_t bytes[] = {0,    1,        64,        128,       129,    640,
                                     1000, 3 * 1024, 12 * 1024, 96 * 1024, 100000, 6144 * 1024 / 48};
    static const uint32_t ways[] = {1, 2, 3, 4, 5, 16, 24, 64};
    for (uint32_t i = 0; i < sizeof bytes / sizeof bytes[0]; i++) {
        for (uint32_t j = 0; j < sizeof ways / sizeof ways[0]; j++) {
            struct cache c;
            cache_init(&c, bytes[i], LINE_B, ways[j]);
            uint64_t room = (uint64_t)c.sets * c.ways;
            assert_true(room >= 1 && room <= (bytes[i] >= LINE_B ? bytes[i] / LINE_B : 1));
            for (uint64_t l = 0; l < 2 * room + 3; l++) {
                put(&c, l * 977);
                assert_non_null(cache_find(&c, l * 977, false));
            }
            cache_free(&c);
        }
    }
}

/* Lines a power of two apart do not pile up in one set. */
static void strides(void **state)
{
    (void)state;
    struct cache c;
    cache_init(&c, 64 * 1024, LINE_B, 4); /* 128 sets */
    for (uint32_t shift = 0; shift <= 14; shift++) {
        uint32_t kept = 0;
        cache_clear(&c);
        for (uint64_t i = 0; i < 128; i++)
            put(&c, i << shift);
        for (uint64_t i = 0; i < 128; i++)
            kept += cache_find(&c, i << shift, false) != NULL;
        assert_true(kept >= 64);
    }
    cache_free(&c);
}

/* 64 sets, as a GTX 480 with 48 KB finds them. By bits of the address: 7 to 11 are the lower ones of the set, 13, 14, 15, 17 and
 * 19 are added to these without carry, 12 is the highest; 16, 18 and all from 20 on do not matter. */
static void fermi(void **state)
{
    (void)state;
    static const uint8_t set[] = {
        [7] = 1,  [8] = 2,  [9] = 4,  [10] = 8, [11] = 16, [12] = 32, [13] = 1, [14] = 2,
        [15] = 4, [16] = 0, [17] = 8, [18] = 0, [19] = 16, [20] = 0,  [32] = 0};
    struct cache c = {0};
    cache_init(&c, 48 * 1024, LINE_B, 6);
    cache_as_fermi(&c);
    for (uint32_t a = 7; a < sizeof set; a++)
        for (uint32_t b = 7; b < a; b++) {
            uint64_t addr = 1ull << a | 1ull << b;
            assert_int_equal(cache_set(&c, addr / LINE_B), set[a] ^ set[b]);
        }
    put(&c, 0x2000 / LINE_B);
    assert_non_null(cache_find(&c, 0x2000 / LINE_B, true));
    assert_null(cache_find(&c, 0x80 / LINE_B, true));
    cache_free(&c);
}

/* One of 12 caches that have 256 bytes each in turn, with 64 sets: of its own lines the 64th after one is in the same set. */
static void slice(void **state)
{
    (void)state;
    struct cache c = {0};
    cache_init(&c, 64 * 1024, LINE_B, 8);
    assert_int_equal(c.sets, 64);
    cache_as_slice(&c, 2, 12, false);
    for (uint64_t own = 0; own < 1000; own++)
        for (uint64_t before = 0; before < 12; before++)
            assert_int_equal(cache_set(&c, (own / 2 * 12 + before) * 2 + own % 2), own % 64);
    cache_free(&c);
}

/* Where two of them have 256 bytes each in turn, and again, before the next two: of 1 KB bytes 0 to 255 and 512 to 767 are a
 * cache's first four lines, and 256 to 511 and 768 to 1,023 another's; 6 KB further are the next four. */
static void slice_twice(void **state)
{
    (void)state;
    static const uint8_t set[8] = {0, 1, 0, 1, 2, 3, 2, 3};
    struct cache c = {0};
    cache_init(&c, 64 * 1024, LINE_B, 8);
    cache_as_slice(&c, 2, 12, true);
    for (uint64_t line = 0; line < 48; line++) {
        assert_int_equal(cache_set(&c, line), set[line % 8]);
        assert_int_equal(cache_set(&c, 48 + line), 4 + set[line % 8]);
        assert_int_equal(cache_set(&c, 16 * 48 + line), set[line % 8]);
    }
    cache_free(&c);
}

/* Fully associative, against a list in order of use. */
static void model(void **state)
{
    (void)state;
    enum { WAYS = 7 };
    uint64_t list[WAYS];
    uint32_t n = 0;
    struct cache c;
    struct rng r = {5};
    cache_init(&c, WAYS * LINE_B, LINE_B, WAYS);
    for (uint32_t step = 0; step < 5000; step++) {
        uint64_t line = rng_below(&r, 12);
        uint32_t at = 0;
        while (at < n && list[at] != line)
            at++;
        struct cache_line old, *l = cache_find(&c, line, true);
        assert_int_equal(l != NULL, at < n);
        if (!l) {
            assert_non_null(cache_alloc(&c, line, &old));
            assert_int_equal(old.tag, n == WAYS ? list[0] + 1 : 0);
            if (n == WAYS) {
                memmove(list, list + 1, sizeof list - sizeof list[0]);
                n--;
            }
        } else {
            memmove(list + at, list + at + 1, sizeof list[0] * (n - at - 1));
            n--;
        }
        list[n++] = line;
    }
    cache_free(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(lru),   cmocka_unit_test(pinned),
                                       cmocka_unit_test(sizes), cmocka_unit_test(strides),
                                       cmocka_unit_test(model), cmocka_unit_test(fermi),
                                       cmocka_unit_test(slice), cmocka_unit_test(slice_twice)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
