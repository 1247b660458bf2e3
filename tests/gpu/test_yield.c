/* SPDX-License-Identifier: Apache-2.0 */
/* The scheduler `yield` by hand: who is next when the warp that issued last cannot go on. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "sm/wsched/gto.h"

#include <cmocka.h>

struct played {
    const struct wsched_ops *ops;
    void *st;
    uint64_t age[64];
};

static void begin(struct played *p)
{
    *p = (struct played){.ops = wsched_find("yield")};
    p->st = calloc(1, p->ops->is.state_b);
    p->ops->init(p->st, NULL);
    for (uint32_t i = 0; i < 64; i++)
        p->age[i] = 64 - i; /* slot 2 is older than 1 than 0 */
}

static int next(struct played *p, uint64_t ready, bool computing)
{
    struct wsched_view v = {.ready = ready, .computing = computing, .age = p->age};
    int w = p->ops->pick(p->st, &v);
    wsched_issued(p->ops, p->st, (uint32_t)w);
    return w;
}

static void greedy_then_oldest(void **state)
{
    (void)state;
    struct played p;
    begin(&p);
    assert_int_equal(next(&p, 7, false), 2);
    assert_int_equal(next(&p, 7, false), 2);
    assert_int_equal(next(&p, 3, false), 1); /* 2 waits at a branch: */
    assert_int_equal(next(&p, 7, false), 1);
    assert_int_equal(next(&p, 5, false), 2); /* it is the oldest still, and 0 has nothing */
    free(p.st);
}

static void behind_all_others(void **state)
{
    (void)state;
    struct played p;
    begin(&p);
    assert_int_equal(next(&p, 7, false), 2);
    assert_int_equal(next(&p, 3, true), 1);  /* 2 waits for a result: 1, 0 and 2 from now on */
    assert_int_equal(next(&p, 5, true), 0);  /* so does 1: 0, 2, 1 */
    assert_int_equal(next(&p, 6, true), 2);  /* 2, 1, 0 */
    assert_int_equal(next(&p, 3, false), 1); /* a branch: nothing changes */
    assert_int_equal(next(&p, 5, false), 2);
    free(p.st);
}

/* Nobody else could issue meanwhile: it goes on, and keeps its place. */
static void alone(void **state)
{
    (void)state;
    struct played p;
    begin(&p);
    assert_int_equal(next(&p, 4, false), 2);
    assert_int_equal(next(&p, 7, false), 2);
    assert_int_equal(next(&p, 3, false), 1);
    assert_int_equal(next(&p, 5, false), 2);
    free(p.st);
}

/* A warp that comes to the slot of one that yielded has not. */
static void new_warp(void **state)
{
    (void)state;
    struct played p;
    begin(&p);
    assert_int_equal(next(&p, 7, false), 2);
    assert_int_equal(next(&p, 3, true), 1);
    p.age[2] = 70;
    assert_int_equal(next(&p, 5, false), 0);
    assert_int_equal(next(&p, 6, true), 1);
    assert_int_equal(next(&p, 5, false), 2); /* younger than 0, which has yielded */
    free(p.st);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(greedy_then_oldest),
                                       cmocka_unit_test(behind_all_others), cmocka_unit_test(alone),
                                       cmocka_unit_test(new_warp)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
