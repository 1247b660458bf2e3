/* SPDX-License-Identifier: Apache-2.0 */
/* Load-store units: hand counts of the banked L1, MRPB and warp limiting, and every warp's order of accesses under every
 * policy. */
#include "mini.h"
#include "one.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include "base/rng.h"

#include <cmocka.h>

#define BASE 0x10000000ull

static uint64_t cycles_of(struct mini *m, const char *set)
{
    mini_set(m, set);
    return mini_cycles(m);
}

/* 32 lines that L1 has. One after the other they take 32 cycles; in eight banks, whose sets they share evenly, four. */
static void eight_hits_a_cycle(void **state)
{
    (void)state;
    struct mini m;
    mini_init(&m);
    mini_mem(&m, TC_LDG, 4, 1, 4, BASE, 128);
    mini_op(&m, TC_FP32, 5, 4, MINI_NONE, MINI_NONE);
    uint64_t one = cycles_of(&m, "sm.lsu=coalescer");
    assert_int_equal(cycles_of(&m, "sm.lsu=banked"), one); /* misses: one per cycle */
    mini_mem(&m, TC_LDG, 6, 5, 4, BASE, 128);
    mini_op(&m, TC_FP32, 7, 6, MINI_NONE, MINI_NONE);
    uint64_t plain = cycles_of(&m, "sm.lsu=coalescer"), banked = cycles_of(&m, "sm.lsu=banked");
    assert_int_equal(plain - banked, 32 - 4);
    mini_set(&m, "banked.banks=2");
    assert_int_equal(plain - cycles_of(&m, "sm.lsu=banked"), 32 - 16);
    mini_free(&m);
}

/* The same with four lookups a cycle and words in 32 banks: lines that L1 does not have go one by one. Those that it has are
 * looked up four a cycle; then words that are in one bank take a cycle each, or two (sm.l1_pass_cyc), but for the first. */
static void words_in_banks(void **state)
{
    (void)state;
    static const struct {
        uint32_t stride_b, lines, words;
    } cases[] = {{128, 32, 32}, {132, 32, 1}, {136, 32, 2}, {192, 32, 16},
                 {64, 16, 16},  {68, 17, 1},  {8, 2, 2}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct mini m;
        mini_init(&m);
        for (int k = 0; k < 2; k++) {
            mini_set(&m, "sm.l1_lines=1");
            mini_set(&m, "sm.l1_words=false");
            mini_mem(&m, TC_LDG, 4 + 2 * k, k ? 5 : 1, 4, BASE, cases[i].stride_b);
            mini_op(&m, TC_FP32, 5 + 2 * k, 4 + 2 * k, MINI_NONE, MINI_NONE);
            mini_set(&m, "sm.l1_pass_cyc=1");
            uint64_t plain = mini_cycles(&m);
            mini_set(&m, "sm.l1_lines=4");
            mini_set(&m, "sm.l1_words=true");
            uint64_t behind = cases[i].words - 1, takes = (cases[i].lines + 3) / 4 + behind;
            assert_int_equal(plain - mini_cycles(&m), k ? cases[i].lines - takes : 0);
            mini_set(&m, "sm.l1_pass_cyc=2");
            assert_int_equal(plain - mini_cycles(&m), k ? cases[i].lines - takes - behind : 0);
        }
        mini_free(&m);
    }
}

/* All lines in one set: no bank helps. */
static void one_bank(void **state)
{
    (void)state;
    struct mini m;
    mini_init(&m);
    mini_set(&m, "sm.onchip=partitioned");
    mini_set(&m, "sm.l1_kb=64"); /* one set of 512 lines */
    mini_set(&m, "sm.l1_ways=512");
    for (int i = 0; i < 2; i++) {
        mini_mem(&m, TC_LDG, 4, i ? 5 : 1, 4, BASE, 128);
        mini_op(&m, TC_FP32, 5, 4, MINI_NONE, MINI_NONE);
    }
    uint64_t plain = cycles_of(&m, "sm.lsu=coalescer");
    assert_int_equal(cycles_of(&m, "sm.lsu=banked"), plain);
    mini_free(&m);
}

/* Nine lines and a set of eight: the last is fetched beside the others, or waits until one of them has come. */
static void full_set(void **state)
{
    (void)state;
    for (uint32_t i = 0; lsu_list[i]; i++) {
        struct mini m;
        char text[64];
        mini_init(&m);
        mini_set(&m, "sm.onchip=partitioned");
        mini_set(&m, "sm.l1_kb=1");
        mini_set(&m, "sm.l1_ways=8");
        snprintf(text, sizeof text, "sm.lsu=%s", lsu_list[i]->is.name);
        for (int k = 0; k < 9; k++)
            mini_mem(&m, TC_LDG, 4 + k, 1, 4, BASE + 128ull * (unsigned)k, 4);
        mini_op(&m, TC_FP32, 20, 12, MINI_NONE, MINI_NONE);
        uint64_t beside = cycles_of(&m, text);
        mini_set(&m, "sm.l1_full_waits=true");
        assert_true(cycles_of(&m, text) > beside + 20);
        mini_set(&m, "sm.l1_kb=2");
        mini_set(&m, "sm.l1_ways=16");
        assert_int_equal(cycles_of(&m, text), beside);
        mini_free(&m);
    }
}

/* Eight lines that bypass L1 and three entries for these: three are sent, however few L1 has. A local load, which L1 serves, has
 * L1's. */
static void bypassing(void **state)
{
    (void)state;
    static const struct {
        enum tr_class cls;
        uint32_t sent;
    } kinds[] = {{TC_LDG, 3}, {TC_ATOMG, 3}, {TC_LDL, 1}};
    for (uint32_t i = 0; lsu_list[i]; i++) {
        for (uint32_t k = 0; k < 3; k++) {
            struct mini m;
            struct one o;
            char text[64];
            mini_init(&m);
            snprintf(text, sizeof text, "sm.lsu=%s", lsu_list[i]->is.name);
            mini_set(&m, text);
            mini_set(&m, "sm.l1_loads=false");
            mini_set(&m, "sm.l1_mshrs=1");
            mini_set(&m, "sm.bypass_mshrs=3");
            m.mask[mini_mem(&m, kinds[k].cls, 4, 1, 4, BASE, 128)] = 0xff;
            one_init(&o, &m);
            for (int t = 0; t < 200; t++)
                one_step(&o);
            assert_int_equal(o.sent.n, kinds[k].sent);
            one_answer(&o, 1);
            for (int t = 0; t < 50; t++)
                one_step(&o);
            assert_int_equal(o.sent.n, kinds[k].sent + 1);
            one_finish(&o, 10);
            one_free(&o);
            mini_free(&m);
        }
    }
}

/* Lanes from the second word of a line on: the last sector is the next line's. The highest sectors go to the banks first, so that
 * bank 0 has that one, and the first line's a cycle later. */
static void sectored_from_the_end(void **state)
{
    (void)state;
    struct mini m;
    struct one o;
    mini_init(&m);
    mini_set(&m, "sm.lsu=sectored");
    mini_mem(&m, TC_LDG, 4, 1, 4, BASE + 4, 4);
    one_init(&o, &m);
    one_finish(&o, 10);
    static const struct {
        uint64_t line;
        uint8_t sector;
    } sent[] = {{BASE + 128, 1}, {BASE, 2}, {BASE, 4}, {BASE, 8}, {BASE, 1}};
    assert_int_equal(o.sent.n, 5);
    for (uint32_t i = 0; i < 5; i++) {
        assert_int_equal(o.sent.at[i].line, sent[i].line);
        assert_int_equal(o.sent.at[i].sectors, sent[i].sector);
    }
    one_free(&o);
    mini_free(&m);
}

/* Three loads of one line, one after the other: all have it when it is there, or each a cycle after the one before. */
static void replies_in_turn(void **state)
{
    (void)state;
    uint64_t waited[2];
    for (uint32_t k = 0; k < 2; k++) {
        struct mini m;
        struct one o;
        mini_init(&m);
        mini_set(&m, k ? "sm.reply_turns=true" : "sm.reply_turns=false");
        for (int i = 0; i < 3; i++)
            mini_mem(&m, TC_LDG, 4 + i, 1, 4, BASE, 4);
        one_init(&o, &m);
        one_finish(&o, 100);
        assert_int_equal(o.s->stats[SS_loads_done], 3);
        waited[k] = o.s->stats[SS_load_cycles];
        one_free(&o);
        mini_free(&m);
    }
    assert_int_equal(waited[1], waited[0] + 1 + 2);
}

/* A store that nobody answers: its CTA ends without, or waits. By lines and by sectors. */
static void stores_waited_for(void **state)
{
    (void)state;
    for (uint32_t k = 0; k < 4; k++) {
        struct mini m;
        struct one o;
        mini_init(&m);
        mini_set(&m, k & 1 ? "sm.store_waits=true" : "sm.store_waits=false");
        mini_set(&m, k & 2 ? "sm.lsu=sectored" : "sm.lsu=coalescer");
        mini_mem(&m, TC_STG, MINI_NONE, 1, 4, BASE, 4);
        one_init(&o, &m);
        for (int t = 0; t < 500; t++)
            one_step(&o);
        assert_int_equal(o.sent.n, k & 2 ? 4 : 1);
        assert_int_equal(o.ended, !(k & 1));
        one_finish(&o, 10);
        assert_int_equal(o.s->stats[SS_loads_done], 0);
        one_free(&o);
        mini_free(&m);
    }
}

/* A line waits a cycle in its FIFO. */
static void mrpb_adds_a_cycle(void **state)
{
    (void)state;
    struct mini m;
    mini_init(&m);
    mini_mem(&m, TC_LDG, 4, 1, 4, BASE, 128);
    mini_op(&m, TC_FP32, 5, 4, MINI_NONE, MINI_NONE);
    uint64_t plain = cycles_of(&m, "sm.lsu=coalescer");
    assert_int_equal(cycles_of(&m, "sm.lsu=mrpb"), plain + 1);
    mini_free(&m);
}

/* With one miss entry, eight lines of warp 1 wait when warp 0 comes with two: it has the next two. */
static void mrpb_lower_warps_first(void **state)
{
    (void)state;
    struct mini m;
    struct one o;
    mini_init(&m);
    m.warps = 2;
    mini_set(&m, "sm.lsu=mrpb");
    mini_set(&m, "mrpb.queues=64");
    mini_set(&m, "sm.l1_mshrs=1");
    uint32_t late = mini_op(&m, TC_FP32, 3, 2, MINI_NONE, MINI_NONE);
    uint32_t two = mini_mem(&m, TC_LDG, 4, 3, 4, BASE, 128);
    uint32_t eight = mini_mem(&m, TC_LDG, 4, 1, 4, BASE + 0x10000, 128);
    m.warps_mask[late] = m.warps_mask[two] = 1;
    m.warps_mask[eight] = 2;
    m.mask[two] = 3;
    m.mask[eight] = 0xff;
    one_init(&o, &m);
    for (int i = 0; i < 200; i++)
        one_step(&o);
    assert_int_equal(o.sent.n, 1);
    one_finish(&o, 10);
    assert_int_equal(o.sent.n, 10);
    static const uint64_t lines[] = {BASE + 0x10000, BASE, BASE + 128, BASE + 0x10080};
    for (uint32_t i = 0; i < 4; i++)
        assert_int_equal(o.sent.at[i].line, lines[i]);
    one_free(&o);
    mini_free(&m);
}

/* A full FIFO stops the coalescer; all drains. */
static void mrpb_full(void **state)
{
    (void)state;
    struct mini m;
    struct one o;
    mini_init(&m);
    mini_set(&m, "sm.lsu=mrpb");
    mini_set(&m, "mrpb.entries=2");
    mini_set(&m, "sm.l1_mshrs=1");
    for (uint32_t i = 0; i < 4; i++)
        mini_mem(&m, TC_LDG, 4 + (int)i, 1, 4, BASE + i * 0x10000, 128);
    one_init(&o, &m);
    for (int i = 0; i < 300; i++)
        one_step(&o);
    assert_int_equal(o.sent.n, 1);
    one_finish(&o, 10);
    assert_int_equal(o.sent.n, 4 * 32);
    one_free(&o);
    mini_free(&m);
}

/* A store of warp 0 comes while eight lines of warp 1 wait: it goes before the second of them, or after the last, and a load of
 * warp 0 that comes behind it with it. */
static void mrpb_stores(void **state)
{
    (void)state;
    static const struct {
        const char *set;
        uint32_t at;
    } want[] = {{"mrpb.stores=order", 1}, {"mrpb.stores=flush", 8}};
    for (uint32_t k = 0; k < 2; k++) {
        struct mini m;
        struct one o;
        mini_init(&m);
        m.warps = 2;
        mini_set(&m, "sm.lsu=mrpb");
        mini_set(&m, "mrpb.queues=64");
        mini_set(&m, "sm.l1_mshrs=1");
        mini_set(&m, want[k].set);
        uint32_t late = mini_op(&m, TC_FP32, 3, 2, MINI_NONE, MINI_NONE);
        uint32_t store = mini_mem(&m, TC_STG, MINI_NONE, 3, 4, BASE, 0);
        uint32_t load = mini_mem(&m, TC_LDG, 4, 3, 4, BASE + 0x20000, 0);
        uint32_t eight = mini_mem(&m, TC_LDG, 4, 1, 4, BASE + 0x10000, 128);
        m.warps_mask[late] = m.warps_mask[store] = m.warps_mask[load] = 1;
        m.warps_mask[eight] = 2;
        m.mask[eight] = 0xff;
        one_init(&o, &m);
        one_finish(&o, 100);
        assert_int_equal(o.sent.n, 10);
        assert_int_equal(o.sent.at[want[k].at].line, BASE);
        assert_int_equal(o.sent.at[want[k].at + 1].line, BASE + 0x20000);
        one_free(&o);
        mini_free(&m);
    }
}

/* Four warps of one scheduler that issue eight independent instructions each: the last one of the oldest comes before the first
 * one of the next with a limit of one. Without, round robin mixes them. All of them pass the barrier. */
static void limit(void **state)
{
    (void)state;
    struct mini m;
    struct gpu_result r[2];
    mini_init(&m);
    m.warps = 4;
    mini_set(&m, "sm.partitions=1");
    mini_set(&m, "sm.wsched=lrr");
    mini_set(&m, "latency.FP32=20");
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < 8; k++)
            mini_op(&m, TC_FP32, 4, 4, MINI_NONE, MINI_NONE);
        mini_bar(&m);
    }
    for (int i = 0; i < 2; i++) {
        mini_set(&m, i ? "sm.warp_limit=1" : "sm.warp_limit=0");
        mini_run(&m, &r[i], 1);
        assert_int_equal(r[i].sm[SS_warp_insts], 4 * 19);
    }
    /* Each warp waits for its own results: with others there is something to do meanwhile. */
    assert_true(r[1].cycles > 2 * r[0].cycles);
    assert_true(r[1].sm[SS_stall_policy] > 0);
    assert_int_equal(r[0].sm[SS_stall_policy], 0);
    gpu_result_free(&r[0]);
    gpu_result_free(&r[1]);
    mini_free(&m);
}

/* Loads, stores and atomics of eight warps to a few lines: --check fails a run in which a warp's accesses to a line reach L1 in
 * another order than it issued them, one comes twice or never, or data comes back more than once. */
static void order_of_accesses(void **state)
{
    (void)state;
    static const char *const more[] = {"sm.lsu_queue=8", "sm.l1_mshrs=2", "warppool.select=warp",
                                       "warppool.coalescers=8", "sm.collectors=8"};
    for (uint32_t i = 0; lsu_list[i]; i++) {
        for (uint64_t seed = 0; seed < 20; seed++) {
            struct mini m;
            struct gpu_result r;
            struct rng rng = {seed};
            char text[64];
            mini_init(&m);
            m.warps = 8;
            snprintf(text, sizeof text, "sm.lsu=%s", lsu_list[i]->is.name);
            mini_set(&m, text);
            mini_set(&m, more[seed % 5]);
            mini_set(&m, more[(seed + 2) % 5]);
            mini_set(&m, "mrpb.queues=5");
            uint32_t loads = 0;
            for (uint32_t k = 0; k < 60; k++) {
                static const enum tr_class cls[] = {TC_LDG, TC_LDG, TC_STG, TC_STG, TC_ATOMG, TC_LDL, TC_STL};
                enum tr_class c = cls[rng_below(&rng, 7)];
                bool store = c == TC_STG || c == TC_STL;
                /* Operands in one bank now and then, so that collectors are ready in another order. */
                uint32_t at = mini_mem(&m, c, store ? MINI_NONE : 8 + (int)(k % 16), (int)rng_below(&rng, 8),
                                       4, BASE + rng_below(&rng, 3) * 128, rng_below(&rng, 2) ? 4 : 128);
                m.mask[at] = rng_below(&rng, 3) ? ~0u : rng_u32(&rng) | 1;
                m.warps_mask[at] = rng_u32(&rng) & 0xff;
                if (!store)
                    loads += (uint32_t)__builtin_popcount(m.warps_mask[at]);
                if (k == 30)
                    mini_bar(&m);
            }
            mini_run(&m, &r, 1);
            assert_int_equal(r.sm[SS_loads_done], loads);
            gpu_result_free(&r);
            mini_free(&m);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(eight_hits_a_cycle),
        cmocka_unit_test(words_in_banks),
        cmocka_unit_test(one_bank),
        cmocka_unit_test(full_set),
        cmocka_unit_test(bypassing),
        cmocka_unit_test(sectored_from_the_end),
        cmocka_unit_test(replies_in_turn),
        cmocka_unit_test(stores_waited_for),
        cmocka_unit_test(mrpb_adds_a_cycle),
        cmocka_unit_test(mrpb_lower_warps_first),
        cmocka_unit_test(mrpb_full),
        cmocka_unit_test(mrpb_stores),
        cmocka_unit_test(limit),
        cmocka_unit_test(order_of_accesses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
