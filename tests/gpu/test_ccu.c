/* SPDX-License-Identifier: Apache-2.0 */
/* Caching collectors, operation by operation (Malekeh paper, sections III-C1 and IV): what is kept, when it is written, when it
 * goes. The policy is called by hand. */
#include "ccu_scene.h"

/* Sources are locked and looked up; what is missing is read, one operand a bank and cycle; the second time nothing is. */
static void allocation_and_arrival(void **state)
{
    (void)state;
    struct scene x;
    open_scene(&x, NULL);
    const struct kinsn *k = insn(&x, 99, 2, 4, 7);
    uint32_t f = issue(&x, 0, k);
    assert_int_equal(need_sum(x.p->collect.units[x.u->unit_of[0]].need), 3);
    assert_int_equal(__builtin_popcount(table_of_warp(&x, 0)->locked), 3);
    assert_int_equal(leaves_after(&x, f), 3); /* R2 and R4 are in one bank */
    assert_int_equal(x.s->stats[SS_cache_hits], 0);
    f = issue(&x, 0, k);
    assert_int_equal(need_sum(x.p->collect.units[x.u->unit_of[0]].need), 0);
    assert_int_equal(leaves_after(&x, f), 1);
    f = issue(&x, 0, insn(&x, 99, 2, 9, 99)); /* one of two is there */
    assert_int_equal(need_sum(x.p->collect.units[x.u->unit_of[0]].need), 1);
    assert_int_equal(leaves_after(&x, f), 2);
    assert_int_equal(x.s->stats[SS_cache_reads], 8);
    assert_int_equal(x.s->stats[SS_cache_hits], 4);
    assert_int_equal(x.s->stats[SS_cache_flushes], 0);
    clean(&x);
    close_scene(&x);
}

static void pass_cycle(struct scene *x)
{
    x->t++;
    dispatch_units(x->p, x->t, FEATURES_ALL);
    read_banks(x->p, x->t, FEATURES_ALL);
}

/* Port S takes as many sources in a cycle as are configured, whatever the banks could deliver. */
static void arrival_port(void **state)
{
    (void)state;
    for (uint32_t ports = 1; ports <= 2; ports++) {
        const char *const sets[] = {ports == 1 ? "sm.collector_ports=1" : "sm.collector_ports=2", NULL};
        struct scene x;
        open_scene(&x, sets);
        uint32_t f = issue(&x, 0, insn(&x, 99, 2, 3, 99)), unit = x.u->unit_of[0];
        pass_cycle(&x);
        assert_int_equal(need_sum(x.p->collect.units[unit].need), 2 - ports);
        assert_int_equal(leaves_after(&x, f), 3 - ports);
        clean(&x);
        close_scene(&x);
    }
}

/* Instructions with all sources leave, one per scheduler and cycle, in turn. The collector is free then, and what it holds stays,
 * unlocked for results. */
static void dispatch(void **state)
{
    (void)state;
    struct scene x;
    open_scene(&x, NULL);
    uint32_t f = issue(&x, 0, insn(&x, 8, 2, 99, 99)), g = issue(&x, 1, insn(&x, 99, 3, 99, 99));
    pass_cycle(&x);
    assert_int_equal(x.p->collect.full, 3);
    assert_int_equal(collect_free_units(&x.p->collect), 0);
    pass_cycle(&x);
    assert_int_equal(in_collector(x.p, f) + in_collector(x.p, g), 1);
    pass_cycle(&x);
    assert_int_equal(in_collector(x.p, f) + in_collector(x.p, g), 0);
    assert_int_equal(collect_free_units(&x.p->collect), 3);
    assert_true(table_find(table_of_warp(&x, 0), 2) >= 0);
    assert_true(table_find(table_of_warp(&x, 1), 3) >= 0);
    result(&x, f);
    assert_int_equal(table_of_warp(&x, 0)->locked, 0);
    clean(&x);
    close_scene(&x);
}

/* A unit that is busy: the instruction waits with its sources locked. */
static void dispatch_waits(void **state)
{
    (void)state;
    struct scene x;
    open_scene(&x, NULL);
    uint32_t f = issue(&x, 0, insn(&x, 99, 2, 99, 99));
    x.p->unit_free[UNIT_FP32][0] = x.t + 9;
    assert_int_equal(leaves_after(&x, f), 9);
    clean(&x);
    close_scene(&x);
}

/* A source changes what is known of its register. */
static void reuse_is_renewed(void **state)
{
    (void)state;
    struct scene x;
    open_scene(&x, NULL);
    leaves_after(&x, issue(&x, 0, insn(&x, 99, 2, 99, 99)));
    assert_true(table_has_near(table_of_warp(&x, 0)));
    leaves_after(&x, issue(&x, 0, insn(&x, 99, -2, 99, 99)));
    assert_false(table_has_near(table_of_warp(&x, 0)));
    close_scene(&x);
}

/* Another warp: the table is emptied. And its old owner finds nothing of its own when it comes back. */
static void flush(void **state)
{
    (void)state;
    static const char *const one[] = {"sm.collectors=1", NULL};
    struct scene x;
    open_scene(&x, one);
    const struct kinsn *k = insn(&x, 99, 2, 3, 99);
    leaves_after(&x, issue(&x, 0, k));
    uint32_t f = issue(&x, 1, k);
    assert_int_equal(need_sum(x.p->collect.units[0].need), 2);
    assert_int_equal(x.s->stats[SS_cache_flushes], 1);
    leaves_after(&x, f);
    issue(&x, 0, k);
    assert_int_equal(x.s->stats[SS_cache_hits], 0);
    assert_int_equal(x.s->stats[SS_cache_flushes], 2);
    clean(&x);
    close_scene(&x);
}

/* The slot's next warp is another warp. */
static void slot_again(void **state)
{
    (void)state;
    struct scene x;
    open_scene(&x, NULL);
    const struct kinsn *k = insn(&x, 99, 2, 3, 99);
    leaves_after(&x, issue(&x, 0, k));
    x.p->age[0] = 77;
    issue(&x, 0, k);
    assert_int_equal(x.s->stats[SS_cache_hits], 0);
    close_scene(&x);
}

static void write_hit(void **state)
{
    (void)state;
    struct scene x;
    open_scene(&x, NULL);
    uint32_t f = issue(&x, 0, insn(&x, 2, 2, 3, 99)); /* R2 is a source, and renewed */
    leaves_after(&x, f);
    result(&x, f);
    assert_int_equal(x.s->stats[SS_cache_writes], 1);
    f = issue(&x, 0, insn(&x, 99, 2, 3, 99));
    assert_int_equal(x.s->stats[SS_cache_hits], 2);
    clean(&x); /* it was the new R2 */
    close_scene(&x);
}

static void write_miss(void **state)
{
    (void)state;
    struct scene x;
    open_scene(&x, NULL);
    uint32_t f = issue(&x, 0, insn(&x, 8, 2, 3, 99));
    leaves_after(&x, f);
    result(&x, f);
    assert_true(table_find(table_of_warp(&x, 0), 8) >= 0);
    issue(&x, 0, insn(&x, 99, 8, 99, 99));
    assert_int_equal(x.s->stats[SS_cache_hits], 1);
    clean(&x);
    close_scene(&x);
}

/* All entries are operands of the instruction in the collector: the result is in the banks only. When it has left, its operands
 * are no more locked. */
static void write_all_locked(void **state)
{
    (void)state;
    static const char *const three[] = {"ccu.entries=3", NULL};
    struct scene x;
    open_scene(&x, three);
    uint32_t f = issue(&x, 0, insn(&x, 8, 2, 3, 4));
    leaves_after(&x, f);
    uint32_t g = issue(&x, 0, insn(&x, 99, 2, 3, 4));
    result(&x, f);
    assert_int_equal(x.s->stats[SS_cache_lost], 1);
    assert_int_equal(table_find(table_of_warp(&x, 0), 8), -1);
    leaves_after(&x, g);
    x.t++;
    result(&x, f);
    assert_int_equal(x.s->stats[SS_cache_writes], 1);
    clean(&x);
    close_scene(&x);
}

/* A far result is not kept, and takes an old copy along. */
static void write_filter(void **state)
{
    (void)state;
    struct scene x;
    open_scene(&x, NULL);
    uint32_t f = issue(&x, 0, insn(&x, -2, 2, 3, 99));
    leaves_after(&x, f);
    result(&x, f);
    assert_int_equal(x.s->stats[SS_cache_filtered], 1);
    assert_int_equal(x.s->stats[SS_cache_writes], 0);
    assert_int_equal(table_find(table_of_warp(&x, 0), 2), -1);
    uint32_t g = issue(&x, 0, insn(&x, 99, 2, 3, 99));
    leaves_after(&x, g);
    assert_int_equal(x.s->stats[SS_cache_hits], 1);
    clean(&x);
    close_scene(&x);
}

/* One port: the first of two near results in a cycle; the next cycle has it again. */
static void write_port(void **state)
{
    (void)state;
    struct scene x;
    open_scene(&x, NULL);
    uint32_t f = issue(&x, 0, insn(&x, 8, 2, 3, 99));
    leaves_after(&x, f);
    uint32_t g = issue(&x, 0, insn(&x, 9, 2, 3, 99));
    leaves_after(&x, g);
    result(&x, f);
    result(&x, g);
    assert_int_equal(x.s->stats[SS_cache_writes], 1);
    assert_int_equal(x.s->stats[SS_cache_lost], 1);
    assert_int_equal(table_find(table_of_warp(&x, 0), 9), -1);
    x.t++;
    result(&x, g);
    assert_int_equal(x.s->stats[SS_cache_writes], 2);
    close_scene(&x);
}

/* Lanes that were not written have their values in the banks: no entry. An entry with all lanes takes some. */
static void write_some_lanes(void **state)
{
    (void)state;
    struct scene x;
    open_scene(&x, NULL);
    uint32_t f = issue(&x, 0, insn(&x, 8, 2, 3, 99));
    leaves_after(&x, f);
    x.p->flights[f].i.mask = 0xffff;
    result(&x, f);
    assert_int_equal(x.s->stats[SS_cache_lost], 1);
    assert_int_equal(table_find(table_of_warp(&x, 0), 8), -1);
    x.p->warps[0].live = 0xff; /* the others have exited */
    x.t++;
    result(&x, f);
    assert_int_equal(x.s->stats[SS_cache_writes], 1);
    close_scene(&x);
}

/* The collector was given to another warp meanwhile. */
static void write_too_late(void **state)
{
    (void)state;
    static const char *const one[] = {"sm.collectors=1", NULL};
    struct scene x;
    open_scene(&x, one);
    uint32_t f = issue(&x, 0, insn(&x, 8, 2, 3, 99));
    leaves_after(&x, f);
    leaves_after(&x, issue(&x, 1, insn(&x, 99, 2, 3, 99)));
    result(&x, f);
    assert_int_equal(x.s->stats[SS_cache_writes] + x.s->stats[SS_cache_lost], 0);
    assert_int_equal(table_find(&x.u->units[0].table, 8), -1);
    close_scene(&x);
}

/* A tensor core's six sources; and more sources than entries. */
static void many_sources(void **state)
{
    (void)state;
    struct scene x;
    open_scene(&x, NULL);
    struct kinsn *k = (struct kinsn *)insn(&x, 99, 99, 99, 99);
    for (k->nread = 0; k->nread < 12; k->nread++) {
        k->read[k->nread] = k->nread;
        k->read_bank[k->nread] = k->nread % 2;
        k->mark_read |= (uint16_t)(1u << k->nread);
    }
    k->need[0] = k->need[1] = 0x0606;
    uint32_t f = issue(&x, 0, k);
    assert_int_equal(table_of_warp(&x, 0)->locked, 0xff);
    assert_int_equal(leaves_after(&x, f), 7);
    k->nread = 6;
    k->need[0] = k->need[1] = 0x0303;
    f = issue(&x, 0, k);
    assert_int_equal(need_sum(x.p->collect.units[x.u->unit_of[0]].need), 0);
    assert_int_equal(leaves_after(&x, f), 1);
    clean(&x);
    close_scene(&x);
}

/* ---- which collector (Fig. 6) ---- */

/* Without reuse distances every result is kept, the oldest makes place, and nobody waits. */
static void plain_ones(void **state)
{
    (void)state;
    static const char *const sets[] = {"ccu.reuse=false", "ccu.entries=2", NULL};
    struct scene x;
    open_scene(&x, sets);
    uint32_t f = issue(&x, 0, insn(&x, -8, 2, -3, 99)); /* by distances R3 would go */
    leaves_after(&x, f);
    result(&x, f);
    assert_int_equal(x.s->stats[SS_cache_writes], 1);
    assert_int_equal(x.s->stats[SS_cache_filtered], 0);
    assert_int_equal(table_find(table_of_warp(&x, 0), 2), -1);
    assert_true(table_find(table_of_warp(&x, 0), 3) >= 0);
    leaves_after(&x, issue(&x, 1, insn(&x, 99, 2, 99, 99)));
    sm_set(x.s, 5);
    assert_int_equal(may(&x, 4), 4);
    clean(&x);
    close_scene(&x);
}

/* What --check sees: the first message; "" is none. The instruction has a name for that. */
static void complains(struct scene *x, const char *what)
{
    if (strcmp(what, "") == 0 ? sm_error(x->s)[0] != 0 : !strstr(sm_error(x->s), what))
        fail_msg("'%s', not '%s'", sm_error(x->s), what);
}

static void checked(void **state)
{
    (void)state;
    struct tr_insn named = {.text = "X"};
    const struct tr_kernel code = {.insns = &named, .n = 1};
    const struct sm_kernel kernel = {.tr = &code};
    for (uint32_t how = 0; how < 4; how++) {
        static const char *const want[] = {"", "taken from it", "of some lanes only",
                                           "without the lanes ffff0000"};
        struct scene x;
        open_scene(&x, NULL);
        x.s->ctas.at[0].k = &kernel;
        uint32_t f = issue(&x, 0, insn(&x, 8, 2, 99, 99));
        struct table *tb = &x.u->units[x.u->unit_of[0]].table;
        if (how == 1) /* an entry that is locked is given away */
            table_put(tb, (uint32_t)table_find(tb, 2), 9, true, 0);
        leaves_after(&x, f);
        x.p->flights[f].i.mask = how < 2 ? ~0u : 0xffff;
        if (how == 2) /* some lanes make an entry */
            table_put(tb, 7, 8, true, check_kept_version(x.p, f, 0, NULL));
        if (how == 3) /* a version before it never came to the bank */
            x.p->check->regs[0][8].bank = 77;
        check_write(x.p, f, 0);
        leaves_after(&x, issue(&x, 0, insn(&x, 99, 8, 99, 99)));
        complains(&x, want[how]);
        close_scene(&x);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(allocation_and_arrival),
        cmocka_unit_test(arrival_port),
        cmocka_unit_test(dispatch),
        cmocka_unit_test(dispatch_waits),
        cmocka_unit_test(reuse_is_renewed),
        cmocka_unit_test(flush),
        cmocka_unit_test(slot_again),
        cmocka_unit_test(write_hit),
        cmocka_unit_test(write_miss),
        cmocka_unit_test(write_all_locked),
        cmocka_unit_test(write_filter),
        cmocka_unit_test(write_port),
        cmocka_unit_test(write_some_lanes),
        cmocka_unit_test(write_too_late),
        cmocka_unit_test(many_sources),
        cmocka_unit_test(plain_ones),
        cmocka_unit_test(checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
