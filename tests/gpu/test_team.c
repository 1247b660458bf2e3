/* SPDX-License-Identifier: Apache-2.0 */
/* Host threads: every item once, nobody called where there is no work for two, and the ledger that says whether it pays. */
#include "gpu/pays.h"
#include "gpu/team.h"
#include "mini.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>

#include <cmocka.h>

enum { ITEMS = 100 };

static void count(void *ctx, uint32_t i) { atomic_fetch_add(&((atomic_uint *)ctx)[i], 1); }

/* Two lists: one after the other they are the items. */
struct two {
    atomic_uint *done;
    uint32_t first;
};
static void count_first(void *ctx, uint32_t i) { count(((struct two *)ctx)->done, i); }
static void count_second(void *ctx, uint32_t i)
{
    count(((struct two *)ctx)->done, ((struct two *)ctx)->first + i);
}

static void run(struct team *t, uint32_t n, uint32_t worth, atomic_uint *done)
{
    struct two both = {done, n * 2 / 3};
    const struct team_list lists[] = {{count_first, both.first, NULL}, {count_second, n - both.first, NULL}};
    team_run(t, lists, 2, worth, &both);
}

/* Rounds of every length directly after each other, so that helpers come late to some. */
static void every_item_once(void **state)
{
    (void)state;
    for (uint32_t threads = 0; threads <= 5; threads++) {
        atomic_uint done[ITEMS] = {0};
        uint32_t want[ITEMS] = {0};
        struct team *t = team_new(threads);
        for (uint32_t round = 0; round < 4000; round++) {
            uint32_t n = round * 7 % (ITEMS + 1);
            run(t, n, round % 6, done);
            for (uint32_t i = 0; i < ITEMS; i++)
                want[i] += i < n;
            for (uint32_t i = 0; i < ITEMS; i += 9)
                assert_int_equal(atomic_load(&done[i]), want[i]);
        }
        for (uint32_t i = 0; i < ITEMS; i++)
            assert_int_equal(atomic_load(&done[i]), want[i]);
        team_free(t);
    }
}

static void chore(void *ctx) { atomic_fetch_add((atomic_uint *)ctx, 1); }

/* A helper does what is offered, sooner or later, and not twice; without helpers nobody does. */
static void chores(void **state)
{
    (void)state;
    atomic_uint done[ITEMS] = {0}, chores = 0;
    struct team *t = team_new(3);
    for (uint32_t k = 1; k <= 20; k++) {
        team_offer(t, chore, &chores);
        while (atomic_load(&chores) < k)
            run(t, ITEMS, 3, done);
        while (team_busy(t))
            ;
        assert_int_equal(atomic_load(&chores), k);
    }
    team_free(t);
    t = team_new(1);
    team_offer(t, chore, &chores);
    run(t, ITEMS, 3, done);
    team_free(t);
    assert_int_equal(atomic_load(&chores), 20);
}

static void nobody_called_for_little(void **state)
{
    (void)state;
    atomic_uint done[ITEMS] = {0};
    struct team *t = team_new(2);
    run(t, ITEMS, 1, done);
    run(t, ITEMS, 0, done);
    run(t, 1, 2, done);
    assert_int_equal(team_shared(t), 0);
    run(t, ITEMS, 2, done);
    assert_int_equal(team_shared(t), 1);
    team_free(t);
}

/* Stores and loads of eight CTAs; on one SM they are one after the other. */
static uint64_t play(struct mini *m, uint32_t threads, uint64_t *cycles)
{
    struct gpu_result r;
    *cycles = mini_run(m, &r, threads);
    uint64_t shared = r.shared;
    gpu_result_free(&r);
    return shared;
}

static void runs(void **state)
{
    (void)state;
    static const char *const sms[] = {"gpu.sms=1", "gpu.sms=3", "gpu.sms=8"};
    for (uint32_t i = 0; i < 3; i++) {
        struct mini m;
        mini_init(&m);
        mini_set(&m, sms[i]);
        m.ctas = 64;
        m.warps = 8;
        for (uint32_t k = 0; k < 40; k++)
            mini_mem(&m, TC_LDG, (int)(k % 8) + 8, 1, 4, 0x100000 + 0x1000 * (uint64_t)k, 64);
        uint64_t one, two, four;
        assert_int_equal(play(&m, 1, &one), 0);
        uint64_t by_two = play(&m, 2, &two), by_four = play(&m, 4, &four);
        assert_int_equal(one, two);
        assert_int_equal(one, four);
        assert_int_equal(by_two > 0, i == 2);
        assert_int_equal(by_four > 0, i == 2);
        mini_free(&m);
    }
}

/* Rounds in which the caller does 10 items of 100 us and a helper 10; waiting for it takes `lost_us`. */
static uint32_t called(struct pays *p, uint32_t rounds, uint64_t lost_us)
{
    uint32_t n = 0;
    while (rounds-- > 0) {
        if (!pays_call(p))
            continue;
        pays_note(p, 10, 1000000, 10, lost_us * 1000);
        n++;
    }
    return n;
}

static void helpers_that_cost_more_than_they_do(void **state)
{
    (void)state;
    struct pays p = {0};
    assert_int_equal(called(&p, 1000, 100), 1000);
    assert_int_equal(called(&p, 1000, 990), 1000);
    uint32_t bad = called(&p, 10000, 4000);
    assert_in_range(bad, 16, 250); /* less and less often */
    assert_int_equal(called(&p, 16 << 6, 100) > 0, 1);
    uint32_t again = called(&p, 1000, 100); /* the machine is free again */
    assert_int_equal(again, 1000);
    /* A caller that never gets an item itself has nothing to compare with. */
    for (uint32_t i = 0; i < 100; i++) {
        assert_true(pays_call(&p));
        pays_note(&p, 0, 0, 20, 1000000);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_item_once),
        cmocka_unit_test(chores),
        cmocka_unit_test(nobody_called_for_little),
        cmocka_unit_test(runs),
        cmocka_unit_test(helpers_that_cost_more_than_they_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
