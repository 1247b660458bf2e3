/* SPDX-License-Identifier: Apache-2.0 */
/* Results come in the order of the items whatever the threads do. */
#include "base/in_order.h"

#include "base/arena.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

enum { ITEMS = 300 };

struct trial {
    uint32_t finished, dropped, fails_at, threads;
    uint32_t alone; /* what only the item whose turn it is touches */
    bool in_order;
};

static void *work(void *ctx, struct in_order *o, uint32_t self, uint32_t i)
{
    struct trial *t = ctx;
    uint32_t *r = xmalloc(sizeof *r);
    *r = i;
    if (self >= t->threads)
        abort();
    if (i % 7 == 0 && in_order_turn(o, i)) {
        t->in_order &= t->finished == i;
        t->alone++;
    }
    return r;
}

static bool finish(void *ctx, uint32_t i, void *result)
{
    struct trial *t = ctx;
    t->in_order &= *(uint32_t *)result == i && t->finished == i;
    t->finished++;
    free(result);
    return i != t->fails_at;
}

static void drop(void *ctx, void *result)
{
    struct trial *t = ctx;
    t->dropped++;
    free(result);
}

static const struct in_order_ops ops = {.work = work, .finish = finish, .drop = drop};

static void all(void **state)
{
    (void)state;
    for (uint32_t threads = 0; threads <= 8; threads++) {
        struct trial t = {.fails_at = UINT32_MAX, .threads = threads ? threads : 1, .in_order = true};
        assert_true(in_order_run(ITEMS, threads, &ops, &t));
        assert_true(t.in_order);
        assert_int_equal(t.finished, ITEMS);
        assert_int_equal(t.dropped, 0);
        assert_int_equal(t.alone, ITEMS / 7 + 1);
    }
}

static void none(void **state)
{
    (void)state;
    struct trial t = {.threads = 1};
    assert_true(in_order_run(0, 4, &ops, &t));
    assert_int_equal(t.finished, 0);
}

/* Nothing is finished after the item that fails, and nothing is lost. */
static void failure(void **state)
{
    (void)state;
    for (uint32_t threads = 1; threads <= 8; threads++) {
        struct trial t = {.fails_at = 21, .threads = threads, .in_order = true};
        assert_false(in_order_run(ITEMS, threads, &ops, &t));
        assert_true(t.in_order);
        assert_int_equal(t.finished, 22);
        assert_in_range(t.dropped, 0, 4 * threads);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(all), cmocka_unit_test(none),
                                       cmocka_unit_test(failure)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
