/* SPDX-License-Identifier: Apache-2.0 */
/* Which caching collector a warp gets, and when it waits for one (Malekeh paper, section IV): the policy is called by hand. */
#include "ccu_scene.h"

/* A warp with registers in a collector gets that one or none. */
static void own_or_none(void **state)
{
    (void)state;
    struct scene x;
    open_scene(&x, NULL);
    uint32_t f = issue(&x, 0, insn(&x, 99, 2, 3, 99)), unit = x.u->unit_of[0];
    assert_int_equal(may(&x, 1), 0); /* although the other one is free */
    assert_int_equal(may(&x, 3), 2);
    leaves_after(&x, f);
    assert_int_equal(may(&x, 3), 3);
    issue(&x, 0, insn(&x, 99, 2, 3, 99));
    assert_int_equal(x.u->unit_of[0], unit);
    close_scene(&x);
}

/* Of two free ones the one with far values only, whichever it is. */
static void far_first(void **state)
{
    (void)state;
    for (uint32_t far = 0; far < 2; far++) {
        struct scene x;
        open_scene(&x, NULL);
        uint32_t f = issue(&x, 0, insn(&x, 99, far == 0 ? -2 : 2, 99, 99));
        uint32_t g = issue(&x, 1, insn(&x, 99, far == 1 ? -2 : 2, 99, 99));
        leaves_after(&x, f);
        leaves_after(&x, g);
        uint32_t want = x.u->unit_of[far];
        sm_set(x.s, 5);
        assert_int_equal(may(&x, 4), 4);
        issue(&x, 2, insn(&x, 99, 2, 99, 99));
        assert_int_equal(x.u->unit_of[2], want);
        close_scene(&x);
    }
}

/* All that are free have near values: a warp without one waits sthld times, then gets any, and the count begins again. Warps that
 * have one are not kept. One that ends leaves nothing that could be read. */
static void waits(void **state)
{
    (void)state;
    struct scene x;
    open_scene(&x, NULL);
    leaves_after(&x, issue(&x, 0, insn(&x, 99, 2, 99, 99)));
    leaves_after(&x, issue(&x, 1, insn(&x, 99, 2, 99, 99)));
    sm_set(x.s, 3);
    for (uint32_t i = 0; i < 3; i++) {
        x.t++;
        assert_int_equal(may(&x, 4), 0);
        assert_int_equal(collect_why(x.p, x.t), SS_stall_policy);
        assert_int_equal(x.u->shared->waits, i + 1);
        if (i < 2)
            assert_int_equal(may(&x, 5), 1); /* the count is of cycles in which nobody issues */
        assert_int_equal(x.u->shared->waits, i + 1);
    }
    assert_int_equal(may(&x, 4), 4);
    uint32_t f = issue(&x, 2, insn(&x, 99, 2, 99, 99));
    assert_int_equal(x.u->shared->waits, 0);
    assert_int_equal(x.s->stats[SS_cache_flushes], 1);
    leaves_after(&x, f);
    assert_int_equal(may(&x, 8), 0);
    x.p->blocked[BLOCK_DRAINED] = 1ull << 2 | 3;
    assert_int_equal(may(&x, 8), 8);
    close_scene(&x);
}

/* All are taken: nobody, and nobody is counted as waiting. */
static void all_taken(void **state)
{
    (void)state;
    struct scene x;
    open_scene(&x, NULL);
    issue(&x, 0, insn(&x, 99, 2, 99, 99));
    issue(&x, 1, insn(&x, 99, 2, 99, 99));
    sm_set(x.s, 3);
    assert_int_equal(may(&x, 0xff), 0);
    assert_int_equal(x.u->shared->waits, 0);
    assert_false(collect_free_units(&x.p->collect));
    close_scene(&x);
}

/* With ccu.any the next instruction takes another collector while the first is in its own, and finds nothing there. A result
 * goes to the one that the warp was given last, and ends copies elsewhere. */
static void any_collector(void **state)
{
    (void)state;
    static const char *const sets[] = {"ccu.reuse=false", "ccu.any=true", NULL};
    struct scene x;
    open_scene(&x, sets);
    uint32_t f = issue(&x, 0, insn(&x, 8, 2, 3, 99)), first = x.u->unit_of[0];
    assert_int_equal(may(&x, 1), 1);
    uint32_t g = issue(&x, 0, insn(&x, 2, 3, 99, 99)), second = x.u->unit_of[0];
    assert_int_equal(second, 1 - first);
    assert_int_equal(may(&x, 1), 0);
    assert_int_equal(x.s->stats[SS_cache_hits], 0);
    leaves_after(&x, f);
    leaves_after(&x, g);
    result(&x, g);
    assert_int_equal(table_find(&x.u->units[first].table, 2), -1);
    assert_true(table_find(&x.u->units[second].table, 2) >= 0);
    clean(&x);
    close_scene(&x);
}

/* ... and which one is drawn: in many pairs of instructions of a warp the second finds the first one's collector every other
 * time. */
static void any_at_random(void **state)
{
    (void)state;
    static const char *const sets[] = {"ccu.reuse=false", "ccu.any=true", NULL};
    struct scene x;
    open_scene(&x, sets);
    uint32_t same = 0, before = 2;
    const struct kinsn *k = insn(&x, 99, 2, 99, 99);
    for (uint32_t i = 0; i < 400; i++) {
        leaves_after(&x, issue(&x, 0, k));
        same += x.u->unit_of[0] == before;
        before = x.u->unit_of[0];
    }
    assert_in_range(same, 150, 250);
    close_scene(&x);
}

/* Isolated schedulers have collectors of their own: with four and two schedulers even slots have the first two. */
static void isolated(void **state)
{
    (void)state;
    static const char *const sets[] = {"sm.partitions=1", "sm.schedulers=2", "sm.isolated=true",
                                       "sm.banks=4",      "sm.collectors=4", NULL};
    static const char *const private[] = {"sm.partitions=1", "sm.schedulers=2",  "sm.isolated=true",
                                          "sm.banks=4",      "ccu.private=true", NULL};
    struct scene x;
    open_scene(&x, sets);
    issue(&x, 0, insn(&x, 99, 2, 99, 99));
    issue(&x, 2, insn(&x, 99, 2, 99, 99));
    assert_int_equal(x.u->unit_of[0] + x.u->unit_of[2], 0 + 1);
    assert_int_equal(may(&x, 1 << 4), 0);
    assert_int_equal(may(&x, 1 << 1), 1 << 1);
    issue(&x, 1, insn(&x, 99, 2, 99, 99));
    assert_in_range(x.u->unit_of[1], 2, 3);
    close_scene(&x);
    open_scene(&x, private);
    for (uint32_t w = 0; w < 8; w++) {
        issue(&x, w, insn(&x, 99, 2, 99, 99));
        assert_int_equal(x.u->unit_of[w], w % 2 * 4 + w / 2);
    }
    close_scene(&x);
}

/* Behind a latch the collector is the instruction's own from its issue on, and is looked into when it enters. */
static void behind_a_latch(void **state)
{
    (void)state;
    static const char *const sets[] = {"sm.issue_latch=true", NULL};
    struct scene x;
    open_scene(&x, sets);
    uint32_t f = issue(&x, 0, insn(&x, 99, 2, 99, 99)), unit = x.u->unit_of[0];
    assert_int_equal(collect_free_units(&x.p->collect), 3 & ~(1u << unit));
    assert_int_equal(may(&x, 1), 0);
    assert_int_equal(x.s->stats[SS_cache_reads], 0);
    latches_admit(x.p, x.t, FEATURES_ALL);
    assert_int_equal(x.s->stats[SS_cache_reads], 1);
    assert_int_equal(x.p->collect.units[unit].flight, f);
    leaves_after(&x, f);
    assert_int_equal(may(&x, 1), 1);
    clean(&x);
    close_scene(&x);
}

static void private_ones(void **state)
{
    (void)state;
    static const char *const sets[] = {"ccu.private=true", "ccu.sthld=9", NULL};
    struct scene x;
    open_scene(&x, sets);
    assert_int_equal(x.p->collect.n, 8);
    assert_int_equal(operands_ccu.units(&x.c.sm), 8);
    for (uint32_t w = 0; w < 8; w++) {
        assert_int_equal(may(&x, 0xff), 0xff & ~0ull << w);
        issue(&x, w, insn(&x, 99, 2, 99, 99));
    }
    assert_int_equal(x.s->stats[SS_cache_flushes], 0);
    close_scene(&x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(own_or_none), cmocka_unit_test(far_first),      cmocka_unit_test(waits),
        cmocka_unit_test(all_taken),   cmocka_unit_test(any_collector),  cmocka_unit_test(any_at_random),
        cmocka_unit_test(isolated),    cmocka_unit_test(behind_a_latch), cmocka_unit_test(private_ones),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
