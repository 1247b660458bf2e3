/* SPDX-License-Identifier: Apache-2.0 */
/* CTAs that are parked and brought back: whatever happens to them, every run executes what its trace says, ends, and checks
 * clean.
 *
 *   test_gpu_park              some traces (part of `make test`)
 *   test_gpu_park FROM TO      those seeds, each on a machine with a scheduler */
#include "one.h"
#include "wild.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gpu/share/share.h"
#include "play.h"
#include "sm/tenant/share.h"

#include <cmocka.h>

enum { CTAS = 128, PAIR = 2 };

/* ---- random traces ---- */

/* CTAs go to any SM with room; now and then one is asked to leave, and some that have left are asked back. */
struct restless {
    struct rng r;
    /* One in so many is asked to leave in a turn; of those that are about to leave, to stay. */
    uint32_t stays, leaves;
};

/* What a CTA holds takes windows to move, where memory or the way to it is narrow thousands: most shall get that far, and memory
 * be done with it before the next. */
static void init(void *st, const struct gpu_conf *c, uint32_t ntenants)
{
    struct restless *x = st;
    uint32_t bytes =
        c->mem.simple && c->mem.simple_b < c->sm.request_b ? (uint32_t)c->mem.simple_b : c->sm.request_b;
    bool moves = share_cfg_of(&c->sm)->switch_b;
    (void)ntenants;
    x->leaves = moves ? 100 + 3200 / bytes : 4;
    x->stays = moves && c->mem.simple ? 8 + 80000 / bytes : 8;
}

static uint32_t place(void *st, uint32_t tenant, const struct sm_need *need, struct sm *const *sms,
                      uint32_t nsm)
{
    struct restless *x = st;
    (void)tenant;
    for (uint32_t i = 0, at = rng_below(&x->r, nsm); i < nsm; i++, at = (at + 1) % nsm)
        if (sm_has_room(sms[at], need))
            return at;
    return SHARE_NOWHERE;
}

static void turn(void *st, const struct share_view *v)
{
    struct restless *x = st;
    struct sm_cta_info all[CTAS];
    for (uint32_t i = 0; i < v->nsm; i++) {
        uint32_t n = sm_ctas(v->sms[i], all, CTAS);
        for (uint32_t k = 0; k < n; k++) {
            bool resident = all[k].state == SM_CTA_RUNS;
            uint32_t one_in = resident ? x->stays : all[k].state == SM_CTA_LEAVES ? x->leaves : 4;
            if (all[k].state == SM_CTA_LOADS || rng_below(&x->r, one_in))
                continue;
            bool done =
                resident ? sm_park(v->sms[i], v->now, all[k].id) : sm_resume(v->sms[i], v->now, all[k].id);
            assert_true(done);
        }
    }
}

static const struct share_ops restless = {
    .name = "restless", .state_b = sizeof(struct restless), .init = init, .place = place, .turn = turn};

/* How often a CTA was parked. On two threads and if partitions never sleep it is the same. */
static uint64_t parked_on(const struct play_machine *m, uint64_t seed, const char *wsched)
{
    struct gpu_result r[3];
    char path[256], buf[256];
    struct diag d = {0};
    static const enum wild_kind kinds[] = {WILD_ANY, WILD_CODE, WILD_BLOCKS, WILD_MEMORY, WILD_ATOMICS};
    play_path(path);
    wild_write(path, seed, kinds[seed % 5]);
    struct tr_reader *t = tr_open(path, &d);
    assert_non_null(t);
    struct play_want want = play_count(t);
    for (uint32_t i = 0; i < 3; i++) {
        struct gpu_conf c;
        assert_true(play_load(&c, m, wsched, &d));
        c.sm.sleep = i != 1;
        /* For nothing, or with what they hold. */
        assert_true(conf_set(&c.conf, seed % 2 ? "share.switch_b=0" : "share.switch_b=100", CONF_USER, &d));
        struct gpu_opts o = {.threads = i == 2 ? 2 : 1, .check = true, .share = &restless};
        enum gpu_status s = gpu_run(&c, t, &o, &r[i], &d);
        diag_print(&d, stderr);
        const char *bad = s == GPU_OK ? play_check(&want, &c, t, &r[i], buf, sizeof buf) : "it does not end";
        if (!bad && (r[i].cycles != r->cycles || memcmp(r[i].sm, r->sm, sizeof r->sm) != 0))
            bad = i == 1 ? "it is another without sleep" : "it is another on two threads";
        if (bad)
            fprintf(stderr, "seed %llu on %s, %s: %s\n", (unsigned long long)seed, m->name, wsched, bad);
        assert_null(bad);
        conf_free(&c.conf);
    }
    uint64_t parked = r->sm[SS_ctas_parked];
    for (uint32_t i = 0; i < 3; i++)
        gpu_result_free(&r[i]);
    tr_free(t);
    unlink(path);
    diag_free(&d);
    return parked;
}

/* A machine with a scheduler. */
static uint64_t of_seed(uint64_t seed)
{
    uint32_t n = 0;
    while (wsched_name(n))
        n++;
    return parked_on(&play_machines[seed % PLAY_MACHINES], seed,
                     wsched_name((uint32_t)(seed / PLAY_MACHINES % n)));
}

/* 306: on the narrowest machine no CTA got away. 1841: rfv slept where a register had been taken. 3025: with sets of collectors a
 * partition slept while all were taken, though a barrier needs none. */
static void once_wrong(void **state)
{
    (void)state;
    assert_true(parked_on(play_find("narrow"), 306, "malekeh") > 0);
    assert_true(parked_on(play_find("rfv, tight"), 1841, "rba") > 0);
    assert_true(parked_on(play_find("sets of collectors, tight"), 3025, "strands") > 0);
}

static void every_machine(void **state)
{
    (void)state;
    uint64_t parked = 0;
    for (uint32_t i = 0; i < PLAY_MACHINES; i += TEST_EACH) {
        uint64_t n = parked_on(&play_machines[i], 7000 + i, NULL);
        parked += n;
    }
    assert_true(parked > 10 * PLAY_MACHINES / TEST_EACH);
}

static void every_scheduler(void **state)
{
    (void)state;
    static const char *const operands[] = {"sm.operands=rfc", "sm.operands=ltrf", "sm.operands=swrfc",
                                           "sm.operands=stealing", "sm.operands=ccu"};
    for (uint32_t i = 0; i < sizeof operands / sizeof operands[0]; i++) {
        const struct play_machine m = {"turing", "turing", {"gpu.sms=2", operands[i], "active.warps=2"}};
        for (uint32_t k = 0; wsched_name(k); k++)
            assert_true(parked_on(&m, 7100 + 10 * i + k, wsched_name(k)) > 0);
    }
}

/* Two tenants, both of which lose their places. */
static void two_tenants(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 6; seed++) {
        char path[PAIR][256];
        struct gpu_tenant t[PAIR];
        struct play_want want[PAIR];
        struct diag d = {0};
        struct gpu_conf c;
        struct gpu_result r;
        for (uint32_t i = 0; i < PAIR; i++) {
            play_path(path[i]);
            wild_write(path[i], 7300 + 2 * seed + i, i ? WILD_BLOCKS : WILD_MEMORY);
            t[i] = (struct gpu_tenant){.trace = tr_open(path[i], &d)};
            want[i] = play_count(t[i].trace);
        }
        assert_true(play_load(&c, &play_machines[seed * 5], NULL, &d));
        assert_int_equal(
            gpu_corun(&c, t, PAIR, &(struct gpu_opts){.check = true, .share = &restless}, &r, &d), GPU_OK);
        for (uint32_t i = 0; i < PAIR; i++) {
            assert_int_equal(r.tenants.at[i].sm[SS_warp_insts], want[i].insts);
            assert_int_equal(r.tenants.at[i].sm[SS_thread_insts], want[i].threads);
            assert_int_equal(r.tenants.at[i].sm[SS_ctas], want[i].ctas);
            tr_free(t[i].trace);
            unlink(path[i]);
        }
        assert_true(r.sm[SS_ctas_parked] > 0);
        gpu_result_free(&r);
        conf_free(&c.conf);
        diag_free(&d);
    }
}

/* ---- one SM, step by step ---- */

static enum sm_cta_state state_of(const struct one *o, uint32_t cta)
{
    struct sm_cta_info all[CTAS];
    uint32_t n = sm_ctas(o->s, all, CTAS);
    for (uint32_t i = 0; i < n; i++)
        if (all[i].id.cta == cta)
            return all[i].state;
    fail_msg("CTA %u is not here", cta);
    return SM_CTA_RUNS;
}

static const struct sm_cta_id first = {0, 0, 0};

/* Steps until the CTA has left, with all requests answered. It is asked to leave once. */
static void park_first(struct one *o)
{
    assert_true(sm_park(o->s, o->now, first));
    assert_false(sm_park(o->s, o->now, first));
    for (uint32_t i = 0; i < 1000 && state_of(o, 0) == SM_CTA_LEAVES; i++) {
        one_answer(o, UINT32_MAX);
        one_step(o);
        sm_settle(o->s, o->now);
    }
    assert_int_equal(state_of(o, 0), SM_CTA_PARKED);
}

static void bring_first_back(struct one *o)
{
    assert_true(sm_resume(o->s, o->now, first));
    assert_int_equal(state_of(o, 0), SM_CTA_RETURNS);
    sm_settle(o->s, o->now);
    assert_int_equal(state_of(o, 0), SM_CTA_RUNS);
}

/* One warp on its way to a barrier, three that wait there. Parked they hold nothing and do nothing; then the three go on
 * waiting for the one. */
static void at_a_barrier(void **state)
{
    (void)state;
    struct mini m;
    struct one o;
    mini_init(&m);
    mini_set(&m, "sm.partitions=1");
    m.warps = 4;
    for (uint32_t i = 0; i < 50; i++)
        m.warps_mask[mini_op(&m, TC_FP32, 2, 2, 3, MINI_NONE)] = 1;
    mini_bar(&m);
    for (uint32_t i = 0; i < 10; i++)
        mini_op(&m, TC_FP32, 2, 2, 3, MINI_NONE);
    one_init(&o, &m);
    struct part *p = &o.s->parts[0];
    while (__builtin_popcountll(p->blocked[BLOCK_BARRIER]) < 3)
        one_step(&o);
    park_first(&o);
    uint64_t issued = sm_issued(o.s);
    assert_true(issued > 3 && issued < 50);
    assert_int_equal(p->used, 0);
    assert_int_equal(o.s->onchip.regs[0], o.s->onchip.split.registers);
    assert_int_equal(o.s->onchip.threads, m.conf.sm.threads);
    for (uint32_t i = 0; i < 100; i++)
        one_step(&o);
    assert_int_equal(sm_issued(o.s), issued);
    bring_first_back(&o);
    assert_int_equal(__builtin_popcountll(p->blocked[BLOCK_BARRIER]), 3);
    for (uint32_t i = 0; sm_issued(o.s) < 50 + 3; i++) {
        one_step(&o);
        assert_int_equal(__builtin_popcountll(p->blocked[BLOCK_BARRIER]), 3);
        assert_true(i < 1000);
    }
    one_finish(&o, 50);
    assert_int_equal(sm_issued(o.s), 50 + 4 * (1 + 10 + 1));
    assert_true(o.s->stats[SS_stall_tenant] < 10); /* the last results of the one that ran */
    one_free(&o);
    mini_free(&m);
}

/* A load that is on its way comes home first. */
static void waits_for_memory(void **state)
{
    (void)state;
    struct mini m;
    struct one o;
    mini_init(&m);
    mini_mem(&m, TC_LDG, 2, 4, 4, 0x10000, 4);
    mini_op(&m, TC_FP32, 3, 2, 2, MINI_NONE);
    one_init(&o, &m);
    while (!o.sent.n)
        one_step(&o);
    assert_true(sm_park(o.s, o.now, first));
    for (uint32_t i = 0; i < 200; i++) {
        one_step(&o);
        sm_settle(o.s, o.now);
        assert_int_equal(state_of(&o, 0), SM_CTA_LEAVES);
    }
    /* It may as well stay. */
    assert_true(sm_resume(o.s, o.now, first));
    assert_int_equal(state_of(&o, 0), SM_CTA_RUNS);
    assert_false(sm_resume(o.s, o.now, first));
    park_first(&o);
    bring_first_back(&o);
    one_finish(&o, 50);
    assert_int_equal(o.s->stats[SS_ctas_parked], 1);
    assert_int_equal(o.s->stats[SS_loads_done], 1);
    one_free(&o);
    mini_free(&m);
}

/* Another CTA has its slot meanwhile, and local memory of its own; the first comes back to another slot and finds its lines. */
static void takes_local_memory_along(void **state)
{
    (void)state;
    struct mini m;
    struct one o;
    mini_init(&m);
    mini_set(&m, "sm.partitions=1");
    m.ctas = 2;
    mini_mem(&m, TC_STL, MINI_NONE, 2, 4, 64, 0);
    for (uint32_t i = 0; i < 40; i++)
        mini_op(&m, TC_FP32, 2, 2, 3, MINI_NONE);
    mini_mem(&m, TC_LDL, 5, 2, 4, 64, 0);
    one_init(&o, &m);
    struct part *p = &o.s->parts[0];
    while (sm_issued(o.s) < 20)
        one_step(&o);
    uint64_t local = p->warps[0].local;
    park_first(&o);
    struct sm_need need = {.warps = 1, .threads = TR_LANES, .regs = m.regs * TR_LANES};
    sm_start_cta(o.s, o.now, o.now, o.k, &need, 0, 1, &(struct sm_source){.trace = o.t, .share = 1});
    one_step(&o);
    assert_int_equal(p->used, 1);
    assert_true(p->warps[0].local != local);
    bring_first_back(&o);
    assert_int_equal(p->used, 3);
    assert_int_equal(p->warps[1].local, local);
    assert_int_equal(p->local_kept, 1);
    while (sm_finished(o.s)->n < 2 && o.now < 10000)
        one_step(&o);
    assert_int_equal(sm_finished(o.s)->n, 2);
    assert_int_equal(p->local_kept, 0);
    /* Both loads hit what their own CTA has stored, and nothing was asked of memory. */
    assert_int_equal(o.s->stats[SS_l1_read_hits], 2 * LINE_SECTORS);
    assert_int_equal(o.sent.n, 0);
    one_free(&o);
    mini_free(&m);
}

/* There is room for one CTA. While it is parked the next one has it all; then it comes back, as soon as that has ended. */
static void room_for_another(void **state)
{
    (void)state;
    struct mini m;
    struct one o;
    mini_init(&m);
    mini_set(&m, "sm.ctas=1");
    mini_set(&m, "sm.registers=4096");
    m.ctas = 2;
    for (uint32_t i = 0; i < 100; i++)
        mini_op(&m, TC_FP32, 2, 2, 3, MINI_NONE);
    one_init(&o, &m);
    struct sm_need need = {.warps = 1, .threads = TR_LANES, .regs = m.regs * TR_LANES};
    while (sm_issued(o.s) < 20)
        one_step(&o);
    assert_false(sm_has_room(o.s, &need));
    park_first(&o);
    uint64_t issued = sm_issued(o.s);
    assert_true(sm_has_room(o.s, &need));
    sm_start_cta(o.s, o.now, o.now, o.k, &need, 0, 1, &(struct sm_source){.trace = o.t, .share = 1});
    assert_true(sm_resume(o.s, o.now, first));
    while (!o.ended) {
        sm_settle(o.s, o.now);
        assert_int_equal(state_of(&o, 0), SM_CTA_RETURNS);
        one_step(&o);
    }
    assert_int_equal(sm_finished(o.s)->at[0].cta, 1);
    assert_int_equal(sm_issued(o.s) - issued, 101);
    sm_settle(o.s, o.now);
    assert_int_equal(state_of(&o, 0), SM_CTA_RUNS);
    while (sm_finished(o.s)->n < 2 && o.now < 10000)
        one_step(&o);
    assert_int_equal(sm_finished(o.s)->at[1].cta, 0);
    assert_int_equal(sm_issued(o.s), 202);
    one_free(&o);
    mini_free(&m);
}

/* A policy that never asks back what it has parked is found out. */
static void park_all(void *st, const struct share_view *v)
{
    struct sm_cta_info all[CTAS];
    (void)st;
    for (uint32_t i = 0; i < v->nsm; i++)
        for (uint32_t n = sm_ctas(v->sms[i], all, CTAS), k = 0; k < n; k++)
            sm_park(v->sms[i], v->now, all[k].id);
}

static const struct share_ops greedy = {
    .name = "greedy", .state_b = sizeof(struct restless), .place = place, .turn = park_all};

static void forgotten(void **state)
{
    (void)state;
    struct mini m;
    struct gpu_result r;
    struct diag d = {0};
    char path[256];
    mini_init(&m);
    mini_set(&m, "gpu.stuck_cyc=5000");
    for (uint32_t i = 0; i < 100; i++)
        mini_op(&m, TC_FP32, 2, 2, 3, MINI_NONE);
    play_path(path);
    mini_write(&m, path);
    struct tr_reader *t = tr_open(path, &d);
    assert_int_equal(gpu_run(&m.conf, t, &(struct gpu_opts){.share = &greedy}, &r, &d), GPU_DEADLOCK);
    assert_int_equal(r.sm[SS_ctas_parked], 1);
    gpu_result_free(&r);
    tr_free(t);
    unlink(path);
    diag_free(&d);
    mini_free(&m);
}

int main(int argc, char **argv)
{
    for (uint64_t seed = argc > 2 ? strtoull(argv[1], NULL, 10) : 1,
                  to = argc > 2 ? strtoull(argv[2], NULL, 10) : 0;
         seed <= to; seed++)
        printf("seed %llu on %s: %llu times\n", (unsigned long long)seed,
               play_machines[seed % PLAY_MACHINES].name, (unsigned long long)of_seed(seed));
    if (argc > 2)
        return 0;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_machine),    cmocka_unit_test(every_scheduler),
        cmocka_unit_test(two_tenants),      cmocka_unit_test(at_a_barrier),
        cmocka_unit_test(waits_for_memory), cmocka_unit_test(takes_local_memory_along),
        cmocka_unit_test(room_for_another), cmocka_unit_test(forgotten),
        cmocka_unit_test(once_wrong)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
