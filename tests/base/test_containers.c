/* SPDX-License-Identifier: Apache-2.0 */
/* Arenas, vectors, bit sets, the generator. */
#include "base/bitset.h"
#include "base/rng.h"
#include "base/vec.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void test_arena(void **state)
{
    (void)state;
    struct arena a = {0};
    for (size_t size = 0; size < 5000; size += 37) {
        unsigned char *p = arena_alloc(&a, size);
        assert_int_equal((uintptr_t)p % _Alignof(max_align_t), 0);
        for (size_t i = 0; i < size; i++)
            assert_int_equal(p[i], 0);
        memset(p, 0xa5, size);
    }
    char *big = arena_alloc(&a, 1 << 20);
    assert_int_equal(big[(1 << 20) - 1], 0);
    assert_string_equal(arena_strndup(&a, "operand", 3), "ope");
    assert_string_equal(arena_printf(&a, "%s%d", "R", 12), "R12");
    assert_true(a.used_b > 1 << 20);
    arena_free(&a);
    assert_null(a.head);
}

static void test_vec(void **state)
{
    (void)state;
    VEC(uint32_t) v = {0};
    uint32_t sum = 0;
    vec_each (&v, p) {
        sum += *p; /* an empty vector has no elements to visit */
    }
    assert_int_equal(sum, 0);
    for (uint32_t i = 0; i < 1000; i++)
        vec_push(&v, i);
    vec_push(&v, v.at[10]); /* from the array itself, while it may grow */
    assert_int_equal(v.at[1000], 10);
    vec_insert(&v, 0, 77);
    vec_insert(&v, 500, 78);
    assert_int_equal(v.at[0], 77);
    assert_int_equal(v.at[1], 0);
    assert_int_equal(v.at[500], 78);
    assert_int_equal(v.at[501], 499);
    assert_int_equal(v.n, 1003);
    vec_resize(&v, 2000);
    assert_int_equal(v.at[1999], 0);
    vec_resize(&v, 3);
    vec_each (&v, p) {
        sum += *p;
    }
    assert_int_equal(sum, 77 + 0 + 1);
    vec_free(&v);
    assert_null(v.at);
}

static void test_bitset(void **state)
{
    (void)state;
    uint64_t a[BITSET_WORDS(200)] = {0}, b[BITSET_WORDS(200)] = {0};
    const uint32_t members[] = {0, 1, 63, 64, 127, 128, 199};
    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++)
        bit_set(a, members[i]);
    uint32_t n = 0;
    bits_each (a, i, 200) {
        assert_int_equal(i, members[n]);
        n++;
    }
    assert_int_equal(n, 7);
    assert_int_equal(bits_count(a, BITSET_WORDS(200)), 7);
    assert_int_equal(bits_next(a, 129, 199), 199); /* a member at the limit does not count */
    bit_set(b, 5);
    assert_true(bits_or(b, a, BITSET_WORDS(200)));
    assert_false(bits_or(b, a, BITSET_WORDS(200)));
    assert_int_equal(bits_count(b, BITSET_WORDS(200)), 8);
    bit_clear(b, 5);
    assert_false(bit_get(b, 5));
    assert_memory_equal(a, b, sizeof a);
}

/* The first outputs of splitmix64 for seed 1234567, as published with the generator. */
static void test_rng(void **state)
{
    (void)state;
    struct rng r = {1234567};
    assert_true(rng_u64(&r) == 6457827717110365317ull);
    assert_true(rng_u64(&r) == 3203168211198807973ull);
    assert_true(rng_u64(&r) == 9817491932198370423ull);
    for (int i = 0; i < 1000; i++)
        assert_true(rng_below(&r, 7) < 7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arena),
        cmocka_unit_test(test_vec),
        cmocka_unit_test(test_bitset),
        cmocka_unit_test(test_rng),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
