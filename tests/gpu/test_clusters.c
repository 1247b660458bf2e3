/* SPDX-License-Identifier: Apache-2.0 */
/* Clusters: where their CTAs go, hand counts of their barrier, of accesses to each other's shared memory, of barrier objects and
 * copies between them; random programs that do all of it end, check clean, and are the same on any number of threads. */
#include "base/rng.h"
#include "gpu/cluster.h"
#include "gpu/share/share.h"
#include "mini.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "same.h"

enum { TURNS = 10, OBJECT_A = 64, OBJECT_B = 72, FAR = 50, SHARED = 20, FROM = 1 << 20 };

static void begin(struct mini *m, uint32_t ctas, uint32_t cluster)
{
    mini_init(m);
    mini_set(m, "gpu.sms=16");
    mini_set(m, "gpu.gpc_sms=16");
    mini_set(m, "gpu.dispatch=64");
    mini_set(m, "sm.far_cyc=50");
    mini_set(m, "sm.far_b=16");
    mini_set(m, "sm.cluster_cyc=100");
    m->ctas = ctas;
    m->cluster = cluster;
}

static uint64_t end(struct mini *m)
{
    uint64_t t = mini_cycles(m);
    mini_free(m);
    return t;
}

/* ---- places ---- */

static void places(void **state)
{
    (void)state;
    struct gpu_cfg c = {.sms = 132, .gpc_sms = 18, .gpc_first_sms = 8};
    struct gpcs g;
    gpcs_init(&g, &c);
    assert_int_equal(g.n, 8);
    assert_int_equal(g.size[0], 8);
    /* silicon/async-h200.csv: two clusters of 16, and the one of 8 that has no second in its GPC. */
    static const uint32_t second[] = {2, 3, 18, 19, 34, 35, 50, 51, 64, 65, 78, 79, 92, 93, 106, 107};
    static const uint32_t eighth[] = {14, 15, 30, 31, 46, 47, 62, 63, 76, 77, 90, 91, 104, 105, 118, 119};
    static const uint32_t first[] = {0, 1, 16, 17, 32, 33, 48, 49};
    for (uint32_t i = 0; i < 16; i++)
        assert_true(g.of[second[i]] == 1 && g.of[eighth[i]] == 7 && g.of[first[i / 2]] == 0);
    for (uint32_t i = 1; i < 8; i++)
        assert_int_equal(g.size[i], i == 7 ? 16 : 18);
    gpcs_free(&g);
    c = (struct gpu_cfg){.sms = 5, .gpc_sms = 16, .gpc_first_sms = 8};
    gpcs_init(&g, &c);
    assert_int_equal(g.n, 1);
    gpcs_free(&g);
}

/* Clusters of 2 by 2 CTAs in a grid of 4 by 4 by 1. */
static void ranks(void **state)
{
    (void)state;
    struct tr_launch l = {.grid = {4, 4, 1}, .cluster = {2, 2, 1}};
    static const uint64_t want[] = {10, 11, 14, 15};
    for (uint32_t r = 0; r < 4; r++)
        assert_int_equal(cluster_cta(&l, 3, r), want[r]);
}

/* Each of 8 SMs holds one CTA: three clusters of 4 take two rounds, where CTAs without a cluster have the 4 SMs that are left. */
static void together(void **state)
{
    (void)state;
    uint64_t took[2];
    for (uint32_t i = 0; i < 2; i++) {
        struct mini m;
        begin(&m, 12, i ? 4 : 1);
        mini_set(&m, "gpu.sms=7");
        mini_set(&m, "sm.ctas=1");
        for (uint32_t k = 0; k < 200; k++)
            mini_op(&m, TC_FP32, 1, 1, 1, 1);
        took[i] = end(&m);
    }
    /* 7 and 5 at a time, or 4, 4 and 4. */
    assert_in_range(took[1] * 10 / took[0], 14, 16);
}

static void refusals(void **state)
{
    (void)state;
    static const struct {
        const char *set, *why;
    } want[] = {
        {"gpu.gpc_sms=0", "launch 0 (mini): clusters of 4 CTAs: this GPU has none (gpu.gpc_sms = 0)"},
        {"gpu.gpc_sms=3", "launch 0 (mini): clusters of 4 CTAs need as many SMs of a GPC, the largest has 3"},
        {"gpu.share=spatial",
         "launch 0 (mini): clusters of 4 CTAs: gpu.share = spatial places CTAs one by one"},
        {"sm.far_cyc=19",
         "launch 0 (mini): clusters of 4 CTAs: sm.far_cyc = 19 and sm.cluster_cyc = 100 must be no "
         "less than the interconnect's latency (20), in which SMs do not see each other"},
    };
    for (uint32_t i = 0; i < sizeof want / sizeof want[0]; i++) {
        struct mini m;
        struct gpu_result r = {0};
        struct diag d = {0};
        begin(&m, 4, 4);
        mini_cluster_bar(&m);
        mini_set(&m, want[i].set);
        assert_int_equal(mini_try(&m, &r, 1, &d), GPU_REFUSED);
        assert_string_equal(d.msg[0].text, want[i].why);
        gpu_result_free(&r);
        diag_free(&d);
        mini_free(&m);
    }
}

/* ---- the barrier ---- */

static uint64_t barriers(uint32_t cluster, uint32_t warps, uint32_t turns, bool one_exits)
{
    struct mini m;
    begin(&m, cluster, cluster);
    m.warps = warps;
    if (one_exits)
        m.ctas_mask[mini_op(&m, TC_EXIT, MINI_NONE, MINI_NONE, MINI_NONE, MINI_NONE)] = 2;
    for (uint32_t i = 0; i < turns; i++) {
        uint32_t at = mini_cluster_bar(&m);
        m.ctas_mask[at] = m.ctas_mask[at + 1] = one_exits ? ~2u : ~0u;
    }
    return end(&m);
}

/* One more takes cluster_cyc: the next arrival issues in the cycle in which the wait ends. */
static void barrier(void **state)
{
    (void)state;
    static const uint32_t sizes[] = {1, 2, 4, 16};
    for (uint32_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        assert_int_equal(barriers(sizes[i], 1, 2 * TURNS, false) - barriers(sizes[i], 1, TURNS, false),
                         100 * TURNS);
    /* Four warps, one in each partition. */
    assert_int_equal(barriers(4, 4, 2 * TURNS, false) - barriers(4, 4, TURNS, false), 100 * TURNS);
    /* A CTA that has exited counts as arrived. */
    assert_int_equal(barriers(4, 2, 2 * TURNS, true) - barriers(4, 2, TURNS, true), 100 * TURNS);
}

/* A warp that has arrived and exits is not counted twice: the other one's arrival is still missing. */
static void arrive_and_exit(void **state)
{
    (void)state;
    uint64_t took[2];
    for (uint32_t i = 0; i < 2; i++) {
        struct mini m;
        begin(&m, 2, 2);
        m.warps = 2;
        uint32_t at = mini_op(&m, TC_BAR, MINI_NONE, MINI_NONE, MINI_NONE, MINI_NONE);
        m.insns[at].imm = TB_CLUSTER | TB_ARRIVE;
        m.warps_mask[at] = 1;
        m.warps_mask[mini_op(&m, TC_EXIT, MINI_NONE, MINI_NONE, MINI_NONE, MINI_NONE)] = 1;
        for (uint32_t k = 0; k < 100 * i; k++) {
            at = mini_op(&m, TC_FP32, 1, 1, 1, 1);
            m.ctas_mask[at] = 1;
            m.warps_mask[at] = 2;
        }
        at = mini_cluster_bar(&m);
        m.warps_mask[at] = m.warps_mask[at + 1] = 2;
        m.no_exit = true;
        took[i] = end(&m);
    }
    assert_in_range(took[1] - took[0], 390, 400);
}

/* ---- shared memory of other CTAs ---- */

static uint64_t chain(uint32_t cluster, uint64_t addr, int64_t stride, uint32_t n)
{
    struct mini m;
    begin(&m, cluster, cluster);
    for (uint32_t i = 0; i < n; i++)
        m.ctas_mask[mini_mem(&m, TC_LDS, 1, 1, 4, addr, stride)] = 1;
    mini_cluster_bar(&m);
    return end(&m);
}

static void loads(void **state)
{
    (void)state;
    uint64_t own = chain(2, mini_far(0, 0), 4, 2 * TURNS) - chain(2, mini_far(0, 0), 4, TURNS);
    uint64_t far = chain(2, mini_far(1, 0), 4, 2 * TURNS) - chain(2, mini_far(1, 0), 4, TURNS);
    assert_int_equal(own, SHARED * TURNS);
    assert_int_equal(far, (SHARED + 2 * FAR) * TURNS);
    /* Rank 2 there is not: it is the CTA's own. */
    assert_int_equal(chain(2, mini_far(2, 0), 4, TURNS), chain(2, 0, 4, TURNS));
    /* All lanes in one bank there: 31 cycles more. */
    far = chain(2, mini_far(1, 0), 128, 2 * TURNS) - chain(2, mini_far(1, 0), 128, TURNS);
    assert_int_equal(far, (SHARED + 2 * FAR + 31) * TURNS);
}

/* Lanes of one load name two CTAs, one of them their own: it has all when the farther part is there. */
static void both(void **state)
{
    (void)state;
    struct mini m;
    struct gpu_result r;
    begin(&m, 2, 2);
    m.ctas_mask[mini_mem(&m, TC_LDS, 1, 1, 4, mini_far(0, 0), (1 << 24) / 16)] = 1;
    mini_cluster_bar(&m);
    mini_run(&m, &r, 1);
    /* Lanes 0 to 15 and 16 to 31, the second half as 32-byte segments of their own. */
    assert_int_equal(r.sm[SS_far_accesses], 1);
    assert_int_equal(r.sm[SS_far_served], 1);
    assert_int_equal(r.sm[SS_shared_accesses], 2);
    assert_int_equal(r.sm[SS_far_b], 8 + 8 + 16 * 32);
    gpu_result_free(&r);
    mini_free(&m);
}

/* Loads of 16 bytes a lane: an answer of 8 + 512 bytes takes the port for 33 cycles. */
static void rate(void **state)
{
    (void)state;
    uint64_t took[2];
    for (uint32_t i = 0; i < 2; i++) {
        struct mini m;
        begin(&m, 2, 2);
        m.regs = 128;
        for (uint32_t k = 0; k < (i + 1) * 20; k++)
            m.ctas_mask[mini_mem(&m, TC_LDS, (int)(4 * (k % 20)), 100, 16, mini_far(1, 0), 16)] = 1;
        mini_cluster_bar(&m);
        took[i] = end(&m);
    }
    /* The first registers are free when the first of the 20 is there. */
    assert_in_range(took[1] - took[0], 20 * 33, 20 * 33 + 33);
}

/* ---- barrier objects ---- */

static uint64_t to_and_fro(uint32_t turns)
{
    struct mini m;
    begin(&m, 2, 2);
    mini_object(&m, TMB_INIT, OBJECT_A, 1);
    mini_cluster_bar(&m);
    for (uint32_t i = 0; i < turns; i++) {
        m.ctas_mask[mini_object(&m, TMB_ARRIVE, mini_far(1, OBJECT_A), 1)] = 1;
        m.ctas_mask[mini_object(&m, TMB_WAIT, OBJECT_A, i & 1)] = 2;
        m.ctas_mask[mini_object(&m, TMB_ARRIVE, mini_far(0, OBJECT_A), 1)] = 2;
        m.ctas_mask[mini_object(&m, TMB_WAIT, mini_far(0, OBJECT_A), i & 1)] = 1;
    }
    return end(&m);
}

static void objects(void **state)
{
    (void)state;
    assert_int_equal(to_and_fro(2 * TURNS) - to_and_fro(TURNS), 2 * (FAR + 20 + 20) * TURNS);
}

/* A store to the other CTA whose bytes count at its object; the same within a CTA. */
static uint64_t announce(uint32_t rank)
{
    struct mini m;
    begin(&m, 2, 2);
    mini_object(&m, TMB_INIT, OBJECT_A, 1);
    mini_cluster_bar(&m);
    m.ctas_mask[mini_object(&m, TMB_ARRIVE_EXPECT, OBJECT_A, 128)] = 1u << rank;
    uint32_t at = mini_mem(&m, TC_STS, MINI_NONE, 1, 4, mini_far(rank, 1024), 4);
    m.insns[at].naddr = 2;
    m.second[at] = mini_far(rank, OBJECT_A);
    m.ctas_mask[at] = 1;
    m.ctas_mask[mini_object(&m, TMB_WAIT, OBJECT_A, 0)] = 1u << rank;
    return end(&m);
}

static void stores(void **state)
{
    (void)state;
    /* The expectation issues before the store in its own CTA, and in another one at the same time. */
    assert_in_range(announce(1) - announce(0), FAR - 1, FAR);
}

/* ---- copies ---- */

struct cast_result {
    uint64_t cycles, l2, in, cast;
};

static struct cast_result multicast(uint32_t ranks, uint64_t bytes)
{
    struct mini m;
    struct gpu_result r;
    begin(&m, 4, 4);
    mini_object(&m, TMB_INIT, OBJECT_A, 1);
    mini_cluster_bar(&m);
    m.ctas_mask[mini_object(&m, TMB_ARRIVE_EXPECT, OBJECT_A, bytes)] = ranks;
    m.ctas_mask[mini_cast(&m, FROM, bytes, OBJECT_A, ranks)] = 1;
    m.ctas_mask[mini_object(&m, TMB_WAIT, OBJECT_A, 0)] = ranks;
    struct cast_result x = {.cycles = mini_run(&m, &r, 1)};
    x.l2 = r.mem[MS_l2_reads];
    x.in = r.sm[SS_copy_in_b];
    x.cast = r.sm[SS_cast_b];
    gpu_result_free(&r);
    mini_free(&m);
    return x;
}

/* One read of L2, and the others have it in the same cycle. */
static void casts(void **state)
{
    (void)state;
    struct cast_result one = multicast(1, 4096), all = multicast(15, 4096), others = multicast(14, 4096),
                       far = multicast(2, 4096);
    assert_int_equal(one.l2, 4096 / 32);
    assert_int_equal(one.cast, 0);
    assert_int_equal(all.cycles, one.cycles);
    assert_int_equal(all.l2, one.l2);
    assert_int_equal(all.in, 4096);
    assert_int_equal(all.cast, 3 * 4096);
    /* Without the SM that asks. */
    assert_int_equal(others.cast, 3 * 4096);
    assert_int_equal(far.cast, 4096);
    assert_int_equal(far.cycles, others.cycles);
    assert_in_range(one.cycles - far.cycles + 4, 0, 8);
}

static uint64_t between(uint64_t bytes)
{
    struct mini m;
    begin(&m, 2, 2);
    mini_object(&m, TMB_INIT, OBJECT_A, 1);
    mini_cluster_bar(&m);
    m.ctas_mask[mini_object(&m, TMB_ARRIVE_EXPECT, OBJECT_A, bytes)] = 2;
    uint32_t at = mini_copy(&m, 4096, bytes, mini_far(1, OBJECT_A));
    m.insns[at].imm = TT_SHARED;
    m.ctas_mask[at] = 1;
    m.ctas_mask[mini_object(&m, TMB_WAIT, OBJECT_A, 0)] = 2;
    return end(&m);
}

/* From shared memory to that of another CTA: sm.far_b bytes a cycle. */
static void copies_between(void **state)
{
    (void)state;
    assert_int_equal(between(8192) - between(4096), 4096 / 16);
}

/* ---- random programs ---- */

struct dice {
    struct rng r;
    struct mini *m;
    uint32_t rounds[2][16]; /* phases of the objects A and B that each CTA has waited for */
};

static uint32_t pick(struct dice *d, uint32_t n) { return rng_below(&d->r, n); }
static uint32_t some_ctas(struct dice *d) { return rng_u32(&d->r) | 1u << pick(d, d->m->cluster); }

static void random_access(struct dice *d)
{
    static const enum tr_class cls[] = {TC_LDS, TC_STS, TC_ATOMS, TC_LDS, TC_FP32, TC_LDG};
    static const uint8_t widths[] = {4, 8, 16};
    struct mini *m = d->m;
    enum tr_class c = cls[pick(d, 6)];
    uint32_t at;
    if (c == TC_FP32) {
        at = mini_op(m, c, (int)pick(d, 20), (int)pick(d, 20), (int)pick(d, 20), MINI_NONE);
    } else {
        uint64_t base =
            c == TC_LDG ? FROM + pick(d, 4096) * 32 : mini_far(pick(d, m->cluster + 1), pick(d, 64) * 16);
        int64_t stride = c == TC_LDG || pick(d, 2) ? (int64_t)pick(d, 3) * 16 : 1 << 20;
        at = mini_mem(m, c, c == TC_STS ? MINI_NONE : (int)(4 * pick(d, 5)), 30, widths[pick(d, 3)], base,
                      stride);
    }
    m->ctas_mask[at] = some_ctas(d);
    m->warps_mask[at] = rng_u32(&d->r);
    m->mask[at] = rng_u32(&d->r) | 1;
}

/* Warp 0 of some CTAs waits for one arrival of each warp of some others, and for bytes. What is waited for stands before the
 * wait, so that there always is somebody who can go on. */
static void random_phase(struct dice *d, uint32_t which)
{
    struct mini *m = d->m;
    uint32_t object = which ? OBJECT_B : OBJECT_A, to = pick(d, m->cluster), from = pick(d, m->cluster);
    uint32_t how = pick(d, 3), parity = d->rounds[which][to]++ & 1, at;
    uint32_t bytes = how ? 32 * (1 + pick(d, 100)) : 0;
    at = mini_object(m, how ? TMB_ARRIVE_EXPECT : TMB_ARRIVE, mini_far(to, object), how ? bytes : 1);
    m->ctas_mask[at] = how ? 1u << to : 1u << from;
    m->warps_mask[at] = 1u << pick(d, m->warps);
    if (how == 1) {
        at = mini_cast(m, FROM + pick(d, 64) * 128, bytes, object, 1u << to);
        m->ctas_mask[at] = 1u << from;
        m->warps_mask[at] = 1u << pick(d, m->warps);
    } else if (how == 2) {
        at = mini_object(m, TMB_COMPLETE, mini_far(to, object), bytes);
        m->ctas_mask[at] = 1u << from;
        m->warps_mask[at] = 1u << pick(d, m->warps);
    }
    at = mini_object(m, TMB_WAIT, object, parity);
    m->ctas_mask[at] = 1u << to;
    mini_cluster_bar(m);
}

static void random_program(struct mini *m, uint64_t seed)
{
    struct dice d = {.r = {seed}, .m = m};
    static const uint32_t sizes[] = {2, 3, 4, 8, 16};
    uint32_t size = sizes[pick(&d, 5)];
    begin(m, size, size);
    m->warps = 1 + pick(&d, 8);
    m->launches = 1 + pick(&d, 2);
    m->regs = 40;
    mini_object(m, TMB_INIT, OBJECT_A, 1);
    mini_object(m, TMB_INIT, OBJECT_B, 1);
    for (uint32_t i = 0; i < 2; i++) /* one warp initialises */
        m->warps_mask[i] = 1;
    mini_cluster_bar(m);
    for (uint32_t i = 0, n = 1 + pick(&d, 6); i < n; i++) {
        for (uint32_t k = pick(&d, 12); k-- > 0;)
            random_access(&d);
        if (pick(&d, 3) && m->nparams < 20)
            random_phase(&d, pick(&d, 2));
        else
            mini_cluster_bar(m);
    }
}

static void random_programs(void **state)
{
    (void)state;
    static const uint32_t threads[] = {1, 2, 8};
    static const char *const sets[] = {"sm.lsu=coalescer",  "sm.lsu=sectored", "sm.wsched=yield",
                                       "sm.operands=ports", "sm.far_b=1",      "sm.sleep=false"};
    for (uint64_t seed = 0; seed < 60; seed++) {
        struct gpu_result r[3];
        struct mini m;
        random_program(&m, seed);
        mini_set(&m, sets[seed % (sizeof sets / sizeof sets[0])]);
        for (uint32_t i = 0; i < 3; i++) {
            mini_run(&m, &r[i], threads[i]);
            same(&r[0], &r[i], "clusters");
        }
        /* Stores that are on their way at the end are not waited for. */
        assert_in_range(r[0].sm[SS_far_served], 0, r[0].sm[SS_far_accesses]);
        assert_int_equal(r[0].sm[SS_ctas], m.ctas * m.launches);
        for (uint32_t i = 0; i < 3; i++)
            gpu_result_free(&r[i]);
        mini_free(&m);
    }
}

/* GPCs of 2 and 4 SMs, the two of a TPC in turn: a launch that finds the GPU empty begins where the first one began, not behind
 * it; by the SMs' numbers it goes on. */
static void begins_again(void **state)
{
    (void)state;
    const struct share_ops *o = share_find("alone");
    for (uint32_t turns = 0; turns < 2; turns++) {
        struct gpu_conf *c = calloc(1, sizeof *c);
        void *st = calloc(1, o->state_b);
        uint32_t room[6] = {1, 1, 1, 1, 1, 1};
        c->gpu.sms = 6;
        c->gpu.gpc_sms = 4;
        c->gpu.gpc_first_sms = 2;
        c->gpu.gpc_turns = turns;
        o->init(st, c, 1);
        for (uint32_t i = 0; i < 3; i++)
            assert_int_equal(o->place_known(st, room, 6), i);
        o->first(st);
        assert_int_equal(o->place_known(st, room, 6), turns ? 0 : 3);
        o->free(st);
        free(st);
        free(c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places),
        cmocka_unit_test(ranks),
        cmocka_unit_test(together),
        cmocka_unit_test(refusals),
        cmocka_unit_test(barrier),
        cmocka_unit_test(arrive_and_exit),
        cmocka_unit_test(loads),
        cmocka_unit_test(both),
        cmocka_unit_test(rate),
        cmocka_unit_test(objects),
        cmocka_unit_test(stores),
        cmocka_unit_test(casts),
        cmocka_unit_test(random_programs),
        cmocka_unit_test(copies_between),
        cmocka_unit_test(begins_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
