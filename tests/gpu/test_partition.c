/* SPDX-License-Identifier: Apache-2.0 */
/* The partition paper's own examples: the score of section IV-A, equation 1, the hash-function table of section IV-B, and the
 * balance that Shuffle promises. */
#include "base/rng.h"
#include "gpu/gpu.h"
#include "mini.h"
#include "sm/assign/assign.h"
#include "sm/assign/hash.h"
#include "sm/core.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

/* ---- scores ---- */

/* A partition with two banks, at which so many reads wait as the operands' policy says: its collectors have none. */
struct scene {
    struct gpu_conf c;
    struct sm sm;
    struct part p;
    struct sm_warp warps[2];
    struct kinsn insn[2];
    struct operands_ops ops;
};

static const uint8_t *scene_queues; /* what the operands' policy tells */

static void tell_queues(const void *st, uint8_t *by_bank)
{
    (void)st;
    memcpy(by_bank, scene_queues, 2);
}

static void scene_open(struct scene *s)
{
    memset(s, 0, sizeof *s);
    gpu_conf_init(&s->c);
    s->c.sm.banks = 2;
    s->ops = (struct operands_ops){.queued = tell_queues};
    s->sm = (struct sm){.cfg = &s->c.sm, .operands.ops = &s->ops};
    s->p = (struct part){.sm = &s->sm, .warps = s->warps, .score = score_new(2, 0)};
    banks_init(&s->p.banks, &s->c.sm, &s->sm.arena);
    for (uint32_t i = 0; i < 2; i++)
        s->warps[i].next.k = &s->insn[i];
}

static void scene_close(struct scene *s)
{
    score_free(s->p.score);
    banks_free(&s->p.banks);
    arena_free(&s->sm.arena);
    conf_free(&s->c.conf);
}

static uint8_t score_of(struct scene *s, uint32_t warp, uint64_t t)
{
    struct kinsn *k = &s->insn[warp];
    memset(k->need, 0, sizeof k->need);
    for (uint32_t i = 0; i < 2u * k->nread; i++)
        k->need[i % 2] += 1ull << (k->read_bank[i / 2] + i) % 2 * 8;
    return score_warps(&s->p, 1ull << warp, t)[warp];
}

/* Three operands, two of them in bank 0: 2 x length(queue 0) + length(queue 1). */
static void score_example(void **state)
{
    (void)state;
    struct scene s;
    scene_open(&s);
    s.insn[0] = (struct kinsn){.route = ROUTE_UNIT, .collects = true, .nread = 3, .read_bank = {0, 1, 0}};
    for (uint8_t a = 0; a <= 6; a++)
        for (uint8_t b = 0; a + b <= 6; b++) {
            scene_queues = (const uint8_t[]){a, b};
            score_sample(&s.p, 100);
            assert_int_equal(score_of(&s, 0, 100), 2 * a + b);
        }
    scene_close(&s);
}

/* A warp slot that shifts its registers' banks by one reads the other queue. */
static void score_swizzled(void **state)
{
    (void)state;
    struct scene s;
    scene_open(&s);
    s.insn[1] = (struct kinsn){.route = ROUTE_UNIT, .collects = true, .nread = 2, .read_bank = {0, 0}};
    s.warps[1].bank0 = 1;
    scene_queues = (const uint8_t[]){5, 2};
    score_sample(&s.p, 7);
    assert_int_equal(score_of(&s, 1, 7), 4);
    scene_close(&s);
}

/* Five bits: the sum stays at 31. An instruction that reads no bank, or goes to no collector, scores nothing. */
static void score_limits(void **state)
{
    (void)state;
    struct scene s;
    scene_open(&s);
    s.insn[0] =
        (struct kinsn){.route = ROUTE_UNIT, .collects = true, .nread = 6, .read_bank = {0, 0, 0, 0, 0, 0}};
    s.insn[1] = (struct kinsn){.route = ROUTE_HOLD, .nread = 1, .read_bank = {0}};
    scene_queues = (const uint8_t[]){6, 0};
    score_sample(&s.p, 1);
    assert_int_equal(score_of(&s, 0, 1), 31);
    assert_int_equal(score_of(&s, 1, 1), 0);
    s.insn[0].nread = 5;
    assert_int_equal(score_of(&s, 0, 1), 30);
    scene_close(&s);
}

/* With a latency of n cycles, the queues of n cycles ago; those of cycles slept through were empty. */
static void score_latency(void **state)
{
    (void)state;
    struct scene s;
    scene_open(&s);
    s.insn[0] = (struct kinsn){.route = ROUTE_MEMORY, .collects = true, .nread = 1, .read_bank = {1}};
    for (uint32_t late = 0; late <= SCORE_LATENCY_MAX; late++) {
        score_free(s.p.score);
        s.p.score = score_new(2, late);
        for (uint64_t t = 1000 * (late + 1ull), end = t + 40; t < end; t++) {
            uint8_t now[] = {9, (uint8_t)(t % 7)};
            scene_queues = now;
            if (t % 11 != 3) /* asleep */
                score_sample(&s.p, t);
            uint64_t then = t - late;
            bool known = then >= 1000 * (late + 1ull) && then % 11 != 3;
            assert_int_equal(score_of(&s, 0, t), known ? then % 7 : 0);
        }
    }
    scene_close(&s);
}

/* ---- assignment ---- */

struct table {
    const struct assign_ops *ops;
    void *st;
    struct gpu_conf c;
};

static void table_open(struct table *t, const char *policy, uint32_t partitions, uint32_t entries,
                       uint32_t seed, uint32_t sm)
{
    gpu_conf_init(&t->c);
    t->c.sm.partitions = partitions;
    char text[32];
    struct diag d = {0};
    snprintf(text, sizeof text, "hash.entries=%u", entries);
    assert_true(conf_set(&t->c.conf, text, CONF_USER, &d));
    t->c.sm.seed = seed;
    t->ops = assign_find(policy);
    assert_non_null(t->ops);
    assert_true(!t->ops->is.fits || !t->ops->is.fits(&t->c.sm, &t->c.conf.arena));
    t->st = xcalloc(1, t->ops->is.state_b);
    t->ops->init(t->st, &t->c.sm, sm);
}

static void table_close(struct table *t)
{
    free(t->st);
    conf_free(&t->c.conf);
}

/* 64 warps on four partitions, written out by hand from equation 1. */
static void srr_sequence(void **state)
{
    (void)state;
    static const uint8_t round[16] = {0, 1, 2, 3, 1, 2, 3, 0, 2, 3, 0, 1, 3, 0, 1, 2};
    for (uint32_t entries = 4; entries <= 16; entries += 12) {
        struct table t;
        table_open(&t, "srr", 4, entries, 1, 0);
        for (uint32_t w = 0; w < 64; w++) {
            assert_int_equal(t.ops->pick(t.st, w), round[w % 16]);
            assert_int_equal(t.ops->pick(t.st, w), (w + w / 4) % 4);
        }
        table_close(&t);
    }
    for (uint32_t n = 1; n <= 2; n++) {
        struct table t;
        table_open(&t, "srr", n, 4, 1, 0);
        for (uint64_t w = 0; w < 64; w++)
            assert_int_equal(t.ops->pick(t.st, w), (w + w / n) % n);
        table_close(&t);
    }
}

/* The bytes: warps 0, 1, 2, 3 to partitions 0, 1, 2, 3 is select line 0 = 0101, select line 1 = 0011. */
static void table_encoding(void **state)
{
    (void)state;
    static const uint8_t srr[4] = {0x53, 0xa6, 0x5c, 0xa9};
    struct hash h = {.n = 4};
    for (uint32_t w = 0; w < 16; w++)
        hash_put(&h, w, (w + w / 4) % 4);
    assert_memory_equal(h.entry, srr, 4);
    for (uint32_t w = 0; w < 64; w++)
        assert_int_equal(hash_get(&h, w), (w + w / 4) % 4);
    struct hash rr = {.entry = {0x53}, .n = 1};
    for (uint32_t w = 0; w < 64; w++)
        assert_int_equal(hash_get(&rr, w), w % 4);
    /* Every pattern of an entry reads back as it was put. */
    for (uint32_t pattern = 0; pattern < 256; pattern++) {
        struct hash x = {.n = 1};
        for (uint32_t w = 0; w < 4; w++)
            hash_put(&x, w, pattern >> (2 * w) & 3);
        for (uint32_t w = 0; w < 4; w++)
            assert_int_equal(hash_get(&x, w), pattern >> (2 * w) & 3);
    }
}

/* A million draws: counts never differ by more than one, every order of a round occurs, and about equally often. */
static void shuffle_balance(void **state)
{
    (void)state;
    enum { DRAWS = 1000000, PER_TABLE = 64, ROUNDS = DRAWS / 4 };
    uint32_t orders[256] = {0}, kinds = 0;
    for (uint32_t seed = 0; seed < DRAWS / PER_TABLE; seed++) {
        struct table t;
        table_open(&t, "shuffle", 4, 16, seed, seed % 80);
        uint32_t count[4] = {0}, order = 0;
        for (uint32_t w = 0; w < PER_TABLE; w++) {
            uint32_t p = t.ops->pick(t.st, w), lo = UINT32_MAX, hi = 0;
            count[p]++;
            for (uint32_t i = 0; i < 4; i++) {
                lo = count[i] < lo ? count[i] : lo;
                hi = count[i] > hi ? count[i] : hi;
            }
            assert_true(hi - lo <= 1);
            order = (order << 2 | p) & 255;
            if (w % 4 == 3)
                orders[order]++;
        }
        table_close(&t);
    }
    for (uint32_t i = 0; i < 256; i++)
        if (orders[i]) {
            kinds++;
            /* 24 orders, about 10,400 of each; ten standard deviations are 1,000. */
            assert_true(orders[i] > ROUNDS / 24 - 1000 && orders[i] < ROUNDS / 24 + 1000);
        }
    assert_int_equal(kinds, 24);
}

/* SMs have tables of their own; the same seed gives the same tables; four entries repeat after 16 warps. */
static void shuffle_seeds(void **state)
{
    (void)state;
    struct table a, b, c;
    table_open(&a, "shuffle", 4, 4, 7, 3);
    table_open(&b, "shuffle", 4, 4, 7, 3);
    table_open(&c, "shuffle", 4, 4, 7, 4);
    uint32_t differ = 0;
    for (uint32_t w = 0; w < 64; w++) {
        assert_int_equal(a.ops->pick(a.st, w), b.ops->pick(b.st, w));
        assert_int_equal(a.ops->pick(a.st, w), a.ops->pick(a.st, w + 16));
        differ += a.ops->pick(a.st, w) != c.ops->pick(c.st, w);
    }
    assert_true(differ > 0);
    table_close(&a);
    table_close(&b);
    table_close(&c);
}

/* CTAs of which only warp 0 computes: cycles of four of them at a time, with a policy. */
static uint64_t first_warps(const char *policy, uint32_t warps)
{
    struct mini m;
    mini_init(&m);
    mini_set(&m, policy);
    m.warps = warps;
    m.ctas = 4;
    for (uint32_t i = 0; i < 400; i++) {
        mini_op(&m, TC_FP32, (int)(4 + i % 20), 2, 3, MINI_NONE);
        m.warps_mask[i] = 1;
    }
    uint64_t c = mini_cycles(&m);
    mini_free(&m);
    return c;
}

/* Whole rounds: round robin has all of warp 0 in one partition, whose unit takes one every two cycles. */
static void turn_spreads_first_warps(void **state)
{
    (void)state;
    uint64_t alone = first_warps("sm.assign=turn", 4), together = first_warps("sm.assign=rr", 4);
    assert_in_range(together, 4 * 400 * 2, 4 * 400 * 2 + 400);
    assert_in_range(alone, 400 * 2, 400 * 2 + 400);
    assert_in_range(first_warps("sm.assign=turn", 8), alone, alone + 20); /* the others must exit */
    assert_int_equal(first_warps("sm.assign=turn", 5), first_warps("sm.assign=rr", 5));
    assert_int_equal(first_warps("sm.assign=turn", 6), first_warps("sm.assign=rr", 6));
    assert_true(first_warps("sm.assign=rr", 6) > alone + 400); /* partitions 0 and 2 */
}

static void three_partitions_are_refused(void **state)
{
    (void)state;
    struct gpu_conf c;
    struct diag d = {0};
    gpu_conf_init(&c);
    assert_true(conf_set(&c.conf, "sm.partitions=3", CONF_USER, &d));
    assert_true(conf_set(&c.conf, "sm.registers=49152", CONF_USER, &d));
    assert_true(gpu_conf_check(&c, &d));
    assert_true(conf_set(&c.conf, "sm.assign=srr", CONF_USER, &d));
    assert_false(gpu_conf_check(&c, &d));
    assert_int_equal(d.errors, 1);
    assert_non_null(strstr(d.msg[0].text, "two select lines"));
    diag_free(&d);
    conf_free(&c.conf);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(score_example),
        cmocka_unit_test(score_swizzled),
        cmocka_unit_test(score_limits),
        cmocka_unit_test(score_latency),
        cmocka_unit_test(srr_sequence),
        cmocka_unit_test(table_encoding),
        cmocka_unit_test(shuffle_balance),
        cmocka_unit_test(shuffle_seeds),
        cmocka_unit_test(turn_spreads_first_warps),
        cmocka_unit_test(three_partitions_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
