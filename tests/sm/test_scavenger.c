/* SPDX-License-Identifier: Apache-2.0 */
/* Scavenger's arithmetic, counted by hand: steps of the controllers, the end of a profile, the distance of histograms, phases,
 * and moves of CTAs (thesis, Fig. 5.9). */
#include "preset.h"

#include "sm/tenant/scavenger/scavenger.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

static struct share_cfg plain(void)
{
    struct preset p;
    struct share_cfg c;
    preset_init(&p, NULL);
    policies_add(&p.conf, &p.sm);
    c = *share_cfg_of(&p.sm);
    preset_free(&p);
    return c;
}

#define assert_near(a, b) assert_true(fabs((a) - (b)) < 1e-9)

/* ---- controllers ---- */

/* Too slow by 0.2: 1.5 x 0.2 + 1.0 x 0.1 = 0.4, and a quarter of slack leaves three quarters of it. */
static void one_step(void **state)
{
    (void)state;
    assert_near(sc_step(10, 1, 0.25, 0.4, 1, 64), 10.3);
    assert_near(sc_step(10, 1, 0.25, -0.4, 1, 64), 9.9);
    assert_near(sc_step(100, 4, 0.5, 1, 1, 256), 102);
    assert_near(sc_step(100, 4, 1, 1, 1, 256), 100); /* all of it is slack: more would not help */
    assert_near(sc_step(100, 4, 0, -1, 1, 256), 100);
    assert_near(sc_step(255.5, 4, 0, 1, 1, 256), 256);
    assert_near(sc_step(1.2, 1, 1, -1, 1, 64), 1);
}

/* Goal 2. It issues 100 in the first 100 cycles and 300 in the next: over both windows it had 1, then 2 a cycle. Half of its 8
 * warps were ready. Requests: 64 on average, 128 while the load-store unit was stalled; then it was never, and these remain the
 * most. */
static void steps_in_a_row(void **state)
{
    (void)state;
    struct share_cfg c = plain();
    struct sc_control k = {0};
    struct sc_sums s = {0};
    const uint32_t warps[BOTH] = {8, 4};
    sc_control_begin(&k, &c, 1000, 8, &s);
    assert_near(k.warps, 8);
    assert_near(k.requests, 128);
    s = (struct sc_sums){
        .insts = 100, .ready_cyc = 400, .request_cyc = 6400, .stalled_request = 1280, .stalled_cyc = 10};
    sc_control_step(&k, &c, 2, 1100, warps, &s);
    /* e = 1.5 x 1 + 1.0 x 1 = 2.5, slack 1/2 for both */
    assert_near(k.warps, 8 + 0.5 * 2.5);
    assert_near(k.requests, 128 + 4 * 0.5 * 2.5);
    s.insts = 400;
    s.ready_cyc += 800; /* all of the 8 that may */
    s.request_cyc += 6400;
    sc_control_step(&k, &c, 2, 1200, warps, &s);
    assert_near(k.warps, 9.25); /* e = 0 */
    s.insts += 400;
    s.ready_cyc += 200;
    sc_control_step(&k, &c, 2, 1300, warps, &s);
    /* (100 + 300 + 400) / 300 = 2 2/3 in both windows: e = -2.5 x 2/3. A quarter was ready; no request was on its way, so all are
     * slack. */
    assert_near(k.warps, 9.25 - 0.25 * 2.5 * 2 / 3);
    assert_near(k.requests, 133 - 4 * 2.5 * 2 / 3);
    s.insts += 1000;
    s.ready_cyc += 200;
    s.request_cyc += 3200; /* 32 of the 128 */
    double before = k.requests;
    sc_control_step(&k, &c, 2, 1400, warps, &s);
    /* 1800 / 400 = 4.5: e = -2.5 x 2.5, and three quarters of the requests are slack */
    assert_near(k.requests, before - 4 * 0.75 * 2.5 * 2.5);
    vec_free(&k.ring);
}

/* Ten steps are the short window, 82 the long one. */
static void windows_of_errors(void **state)
{
    (void)state;
    struct share_cfg c = plain();
    struct sc_control k = {0};
    struct sc_sums s = {0};
    const uint32_t warps[BOTH] = {32, 32};
    sc_control_begin(&k, &c, 0, 32, &s);
    for (uint32_t i = 1; i <= 100; i++) {
        s.insts += i <= 90 ? 200 : 100; /* goal, then half of it for the last ten */
        double before = k.warps;
        sc_control_step(&k, &c, 2, 100 * i, warps, &s);
        if (i <= 90)
            assert_near(k.warps, before);
        else if (i == 100) /* no warp was ready: e = 1.5 x 1 + 10/82 */
            assert_near(k.warps, before + 1.5 + 10.0 / 82);
    }
    vec_free(&k.ring);
}

/* A step of 40 cycles, as the first step after the clock stood may be: 2 a cycle in all of them, so there is no error. What came
 * together while it stood is of no step. */
static void steps_by_the_clock(void **state)
{
    (void)state;
    struct share_cfg c = plain();
    struct sc_control k = {0};
    struct sc_sums s = {0};
    const uint32_t warps[BOTH] = {8, 4};
    sc_control_begin(&k, &c, 0, 8, &s);
    s.insts = 200;
    sc_control_step(&k, &c, 2, 100, warps, &s);
    s.request_cyc += 1000000;
    sc_control_stand(&k, &s);
    s.insts = 280;
    sc_control_step(&k, &c, 2, 140, warps, &s);
    assert_near(k.warps, 8);
    s.insts = 280 + 400; /* 4 a cycle in the last 100: 680 in 240 */
    s.ready_cyc = 800;   /* all that may */
    double e = 2.5 * (2 - 680.0 / 240);
    sc_control_step(&k, &c, 2, 240, warps, &s);
    assert_near(k.warps, 8 + e);
    assert_near(k.requests, 128 + 4 * e); /* none on its way: all are slack */
    vec_free(&k.ring);
}

static void limits_of(void **state)
{
    (void)state;
    struct share_cfg c = plain();
    const uint32_t warps[BOTH] = {40, 16};
    struct tenant_limit l[BOTH] = {{0}};
    struct sc_control k = {.warps = 44.4, .requests = 200};
    sc_limits(&k, &c, warps, l);
    assert_int_equal(l[FIRST].warps, TENANT_ALL);
    assert_int_equal(l[SECOND].warps, 12);
    assert_int_equal(l[FIRST].requests, TENANT_ALL);
    assert_int_equal(l[FIRST].together, 256);
    assert_int_equal(l[SECOND].requests, 56);
    k.warps = 30;
    sc_limits(&k, &c, warps, l);
    assert_int_equal(l[FIRST].warps, 30);
    assert_int_equal(l[SECOND].warps, TENANT_ALL);
}

/* ---- profiles ---- */

/* The tick at which a profile of this many instructions by tick ends; 0: it did not in `most`. */
static uint32_t profile_ends(const struct share_cfg *c, uint64_t (*insts)(uint32_t tick), uint32_t most)
{
    struct sc_profile p = {0};
    uint32_t pcs[TENANT_PCS] = {0}, end = 0;
    struct sc_count n = {0};
    sc_profile_begin(&p, 640, &n, pcs);
    for (uint32_t i = 1; i <= most && !end; i++) {
        n.insts += insts(i);
        n.threads = n.insts * 32;
        if (sc_profile_tick(&p, c, 640 + 64 * i, &n, pcs))
            end = i;
    }
    if (end) {
        assert_int_equal(p.cyc, 64 * end);
        assert_near(p.ipc, 32 * (double)n.insts / (64 * end)); /* of threads */
        assert_near(p.lanes, 32);
    }
    vec_free(&p.at);
    return end;
}

static uint64_t steady(uint32_t i) { return 100 + (i & 1); }
/* Nothing much for 299 ticks, then 100 each. */
static uint64_t late(uint32_t i) { return i <= 299 ? 1 : 100; }
static uint64_t doubling(uint32_t i) { return 1 + i * i; }

static void ends_of_profiles(void **state)
{
    (void)state;
    struct share_cfg c = plain();
    /* 20,000 cycles are 312.5 ticks, and 128 cycles of agreement long past. */
    assert_int_equal(profile_ends(&c, steady, 4000), 313);
    /* After n ticks the first half has 299 + 100 (n/2 - 299), the second 50 n; they agree when
     * 50 n - (50 n - 29601) <= 0.075 (50 n - 29601), n >= 8485.6; then for 128 cycles, two ticks more. */
    assert_int_equal(profile_ends(&c, late, 20000), 8486 + 2);
    assert_int_equal(profile_ends(&c, doubling, 4000), 0);
    c.settled_cyc = 0;
    assert_int_equal(profile_ends(&c, late, 20000), 8486);
    c.profile_cyc = 64;
    assert_int_equal(profile_ends(&c, steady, 4000), 2); /* one tick has no halves */
}

/* Ticks of 24 cycles of the clock, with as many instructions for each cycle, say the same as those of 64. */
static void profile_by_the_clock(void **state)
{
    (void)state;
    struct share_cfg c = plain();
    struct sc_profile p = {0};
    struct sc_count n = {0};
    uint32_t pcs[TENANT_PCS] = {0}, end = 0;
    uint64_t t = 0;
    sc_profile_begin(&p, 0, &n, pcs);
    for (uint32_t i = 1; i <= 1000 && !end; i++) {
        uint32_t cyc = i % 3 ? 64 : 24;
        t += cyc;
        n.insts += 2 * cyc;
        n.threads = 32 * n.insts;
        end = sc_profile_tick(&p, &c, t, &n, pcs) ? i : 0;
    }
    assert_int_equal(p.cyc, t);
    assert_true(t >= 20000 && t < 20064);
    assert_near(p.ipc, 64);
    vec_free(&p.at);
}

/* ---- histograms ---- */

static void distances(void **state)
{
    (void)state;
    uint32_t a[TENANT_PCS] = {0}, b[TENANT_PCS] = {0};
    assert_int_equal(sc_distance(a, b), 0);
    a[3] = 100;
    assert_int_equal(sc_distance(a, b), 65536);
    b[3] = 100;
    assert_int_equal(sc_distance(a, b), 0);
    b[3] = 400; /* shifted by 2 */
    assert_int_equal(sc_distance(a, b), 0);
    b[3] = 300; /* 300 is nearer to 400 than to 200: a hundred of 700 */
    assert_int_equal(sc_distance(a, b), 100 * 65536 / 700);
    assert_int_equal(sc_distance(b, a), 100 * 65536 / 700);
    b[3] = 141; /* the farthest that equal shapes come apart */
    assert_true(sc_distance(a, b) < 12288);
    b[3] = 0;
    b[4] = 100;
    assert_int_equal(sc_distance(a, b), 65536);
    a[3] = 50, a[4] = 50;
    assert_int_equal(sc_distance(a, b), 32768);
}

/* Where halves have different instructions, the profile remembers how different. */
static void halves_apart(void **state)
{
    (void)state;
    struct share_cfg c = plain();
    struct sc_profile p = {0};
    struct sc_count n = {0};
    uint32_t pcs[TENANT_PCS] = {0};
    c.profile_cyc = 200 * 64;
    sc_profile_begin(&p, 0, &n, pcs);
    for (uint32_t i = 1; i <= 200; i++) {
        pcs[i <= 100 ? 0 : 1] += 10;
        n.insts += i <= 100 ? 10 : 20; /* as many of threads */
        n.threads += 320;
        n.accesses += 1;
        n.lines += i <= 100 ? 1 : 5;
        assert_int_equal(sc_profile_tick(&p, &c, 64 * i, &n, pcs), i == 200);
    }
    assert_int_equal(p.pcs_apart, 65536);
    assert_near(p.lanes, 64.0 / 3);
    assert_near(p.lanes_apart, 16);
    assert_near(p.lines, 3);
    assert_near(p.lines_apart, 4);
    assert_int_equal(p.pcs[0], 1000);
    assert_int_equal(p.pcs[1], 1000);
    vec_free(&p.at);
}

/* ---- phases ---- */

/* 32 lanes in the profile. From tick 200 on 16: the mean of 128 ticks is off by more than 8 when more than half of them are
 * such, at tick 265; 500 cycles later, 8 ticks, that is a phase. */
static void phase_of_lanes(void **state)
{
    (void)state;
    struct share_cfg c = plain();
    struct sc_profile p = {.ipc = 1, .lanes = 32, .lines = 1};
    struct sc_phase f = {0};
    struct sc_count n = {0};
    uint32_t pcs[TENANT_PCS] = {0}, found = 0;
    p.pcs[0] = 1000;
    sc_phase_begin(&f, &c, 0, &n, pcs);
    for (uint32_t i = 1; i < 400 && !found; i++) {
        n.insts += 64;
        n.threads += i <= 200 ? 64 * 32 : 64 * 16;
        pcs[0] += 64;
        enum sc_cause cause = sc_phase_tick(&f, &c, &p, 64 * i, &n, pcs);
        if (cause != SC_NONE) {
            assert_int_equal(cause, SC_LANES);
            found = i;
        }
    }
    assert_int_equal(found, 265 + 8);
    vec_free(&f.ring);
}

/* Other instructions: found at the next comparison, every 8192 cycles. */
static void phase_of_pcs(void **state)
{
    (void)state;
    struct share_cfg c = plain();
    struct sc_profile p = {.ipc = 1, .lanes = 32, .lines = 1};
    struct sc_phase f = {0};
    struct sc_count n = {0};
    uint32_t pcs[TENANT_PCS] = {0}, found = 0;
    p.pcs[0] = 20000;
    sc_phase_begin(&f, &c, 0, &n, pcs);
    for (uint32_t i = 1; i < 600 && !found; i++) {
        n.insts += 64;
        n.threads += 64 * 32;
        pcs[i < 300 ? 0 : 9] += 64;
        if (sc_phase_tick(&f, &c, &p, 64 * i, &n, pcs) == SC_PCS)
            found = i;
    }
    assert_int_equal(found, 384); /* 256 is all of the old; 384 has 85 of 128 of the new */
    p.pcs_apart = 65536;          /* the profile was like that, too */
    found = 0;
    sc_phase_begin(&f, &c, 0, &n, pcs);
    for (uint32_t i = 1; i < 600; i++)
        found |= sc_phase_tick(&f, &c, &p, 64 * i, &n, pcs) != SC_NONE;
    assert_false(found);
    vec_free(&f.ring);
}

/* ---- CTAs ---- */

/* 64 warps; CTAs of 8 and of 4 warps, and of nothing else that is short. */
static const struct sm_need needs[BOTH] = {{.warps = 8, .threads = 256, .regs = 512},
                                           {.warps = 4, .threads = 128, .regs = 512}};
static const uint32_t any[BOTH] = {100, 100};

static struct preset maxwell(void)
{
    struct preset p;
    preset_init(&p, NULL);
    preset_set(&p, "sm.registers=65536");
    preset_set(&p, "sm.warps=16");
    preset_set(&p, "sm.partitions=4");
    preset_set(&p, "sm.ctas=32");
    preset_set(&p, "sm.threads=2048");
    preset_set(&p, "sm.shared_kb=96");
    return p;
}

static void assert_split(struct sc_split s, uint32_t first, uint32_t second)
{
    assert_int_equal(s.n[FIRST], first);
    assert_int_equal(s.n[SECOND], second);
}

static void splits(void **state)
{
    (void)state;
    struct preset p = maxwell();
    assert_split(sc_split_with(&p.sm, needs, any, SECOND, 1), 7, 2); /* one would leave room for another */
    assert_split(sc_split_with(&p.sm, needs, any, SECOND, 5), 5, 6);
    assert_split(sc_split_with(&p.sm, needs, any, FIRST, 3), 3, 10);
    assert_split(sc_split_with(&p.sm, needs, any, FIRST, 8), 7, 2); /* the second has one at least */
    assert_split(sc_split_with(&p.sm, needs, any, SECOND, 99), 1, 14);
    const uint32_t few[BOTH] = {2, 100};
    assert_split(sc_split_with(&p.sm, needs, few, SECOND, 1), 2, 1 + 11);
    const struct sm_need all[BOTH] = {{.warps = 64, .threads = 2048, .regs = 512}, needs[SECOND]};
    assert_split(sc_split_with(&p.sm, all, any, SECOND, 1), 0, 0);
    preset_free(&p);
}

/* Fig. 5.9: of the first all warps but one are used, the second has too much slack: CTAs of the second go. */
static void moves(void **state)
{
    (void)state;
    struct preset p = maxwell();
    struct share_cfg c = plain();
    struct sc_split even = {{4, 8}};
    const uint32_t short_of[BOTH] = {1, 20}, rich[BOTH] = {28, 0}, less[BOTH] = {12, 0},
                   second[BOTH] = {4, 30}, content[BOTH] = {4, 8}, both[BOTH] = {20, 20};
    assert_split(sc_move(&p.sm, &c, needs, any, even, short_of), 5, 6);
    /* 28 - 4 = 24 warps, at most 28 / 4 = 7: one CTA of 4, for which one of the first goes, and then another of the second
     * fits. */
    assert_split(sc_move(&p.sm, &c, needs, any, even, rich), 3, 10);
    assert_split(sc_move(&p.sm, &c, needs, any, even, less), 4, 8);   /* 3 warps are no CTA */
    assert_split(sc_move(&p.sm, &c, needs, any, even, second), 4, 8); /* 26 / 4 = 6 are no CTA of 8 */
    assert_split(sc_move(&p.sm, &c, needs, any, even, content), 4, 8);
    assert_split(sc_move(&p.sm, &c, needs, any, even, both), 4, 8); /* as idle as each other */
    const uint32_t idle[BOTH] = {4, 40};
    assert_split(sc_move(&p.sm, &c, needs, any, even, idle), 5, 6); /* min(40 - 8, 36 / 4) = 9 */
    preset_free(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(one_step),
                                       cmocka_unit_test(steps_in_a_row),
                                       cmocka_unit_test(windows_of_errors),
                                       cmocka_unit_test(steps_by_the_clock),
                                       cmocka_unit_test(limits_of),
                                       cmocka_unit_test(ends_of_profiles),
                                       cmocka_unit_test(profile_by_the_clock),
                                       cmocka_unit_test(distances),
                                       cmocka_unit_test(halves_apart),
                                       cmocka_unit_test(phase_of_lanes),
                                       cmocka_unit_test(phase_of_pcs),
                                       cmocka_unit_test(splits),
                                       cmocka_unit_test(moves)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
