/* SPDX-License-Identifier: Apache-2.0 */
/* Capacity of an SM: divisions and fits counted by hand for three presets, and what every policy owes its SM. */
#include "preset.h"

#include "base/rng.h"
#include "sm/onchip/pool.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { KB = 1024 };

/* A CTA of n threads with that many registers each. */
static struct sm_need need(uint32_t threads, uint32_t regs, uint32_t shared_b)
{
    return (struct sm_need){
        .warps = (threads + 31) / 32, .threads = threads, .regs = regs * 32, .shared_b = shared_b};
}

/* How many such CTAs an empty SM takes, one after the other; warps start with their partitions in turn. */
static uint32_t fill(struct onchip *o, const struct sm_need *n, uint32_t (*warps)[TR_WARPS])
{
    uint8_t where[TR_WARPS];
    uint32_t ctas = 0;
    for (;; ctas++) {
        for (uint32_t w = 0; w < n->warps; w++)
            where[w] = (uint8_t)((ctas * n->warps + w) % o->cfg->partitions);
        if (!onchip_place(o, n, where))
            return ctas;
        onchip_take(o, n, where, warps[ctas]);
    }
}

struct row {
    uint32_t threads, regs, shared_b; /* a CTA */
    uint32_t cache_kb, ctas;
};

static void check(const char *gpu, const struct row *rows, uint32_t n)
{
    struct preset p;
    struct onchip o;
    static uint32_t warps[256][TR_WARPS];
    preset_init(&p, gpu);
    for (uint32_t i = 0; i < n; i++) {
        struct sm_need x = need(rows[i].threads, rows[i].regs, rows[i].shared_b);
        onchip_init(&o, &p.sm);
        struct onchip before = o;
        bool moved = onchip_divide(&o, &x);
        assert_int_equal(o.split.cache_b, rows[i].cache_kb * KB);
        assert_int_equal(moved, o.split.cache_b != before.split.cache_b);
        assert_int_equal(fill(&o, &x, warps), rows[i].ctas);
        for (uint32_t k = 0; k < rows[i].ctas; k++)
            onchip_give(&o, &x, warps[k]);
        before.split = o.split;
        before.threads_most = rows[i].ctas * rows[i].threads;
        assert_memory_equal(&o, &before, sizeof o);
    }
    preset_free(&p);
}

/* 32,768 registers and 48 slots in one partition, 1,536 threads, 48 KB of shared memory beside 32 KB of L1. */
static void fermi(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {256, 20, 0, 32, 6},      /* threads: 6 x 256; registers 6 x 5,120 = 30,720 */
        {256, 20, 9 * KB, 32, 5}, /* 5 x 9 KB = 45 */
        {256, 32, 0, 32, 4},      /* registers: 4 x 8,192 */
        {32, 20, 0, 32, 48},      /* slots */
        {1024, 16, 0, 32, 1},     /* 2 x 1,024 threads are too many */
        {256, 16, 48 * KB, 32, 1},
    };
    check("fermi", rows, sizeof rows / sizeof rows[0]);
}

/* 4 partitions of 16,384 registers and 16 slots, 2,048 threads, an array of 128 KB of which shared memory gets up to 96. */
static void volta(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {256, 32, 0, 128, 8},       /* nothing is carved */
        {256, 32, 1, 120, 8},       /* 8 bytes: the first step is 8 KB */
        {256, 32, 6 * KB, 64, 8},   /* 48 KB: the step of 64 */
        {256, 32, 12 * KB, 32, 8},  /* 96 KB */
        {256, 32, 40 * KB, 32, 2},  /* 320 KB: all of 96 */
        {256, 64, 12 * KB, 64, 4},  /* 4 by registers want 48 KB */
        {96, 64, 0, 128, 10},       /* 30 of the 32 warps that have 2,048 registers each */
        {1024, 64, 96 * KB, 32, 1}, /* registers: 8 warps x 2,048 in each partition */
    };
    check("volta", rows, sizeof rows / sizeof rows[0]);
}

/* As volta, with an array of 256 KB of which shared memory gets up to 228, with 1 KB for every CTA (sm.shared_own_b). */
static void hopper(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {256, 32, 0, 248, 8},             /* 8 KB for 8 CTAs */
        {32, 32, 0, 224, 64},             /* 32 KB for the 32 that an SM takes, as a profiler says */
        {256, 32, 11 * KB + 512, 156, 8}, /* 8 x 12.5 = 100 KB */
        {256, 32, 12 * KB, 124, 8},       /* 104 KB: the step of 132 */
        {256, 32, 16 * KB, 92, 8},        /* 136 KB: the step of 164 */
        {256, 32, 100 * KB, 28, 2},       /* 808 KB: all of 228 */
        {1024, 32, 113 * KB, 28, 2},      /* 228 KB */
    };
    check("hopper", rows, sizeof rows / sizeof rows[0]);
}

/* The message has the arithmetic. */
static void never(void **state)
{
    (void)state;
    struct preset p;
    struct arena a = {0};
    preset_init(&p, "volta");
    struct sm_need n = need(1024, 65, 0);
    assert_string_equal(sm_fits_never(&p.sm, &n, &a), "a CTA needs 8 warps x 2080 = 16640 registers in one "
                                                      "partition, which has 65536 / 4 = 16384");
    n = need(32, 8, 97 * KB);
    assert_string_equal(sm_fits_never(&p.sm, &n, &a),
                        "a CTA needs 99328 bytes of shared memory, of which there are 98304");
    n = need(1024, 64, 96 * KB);
    assert_null(sm_fits_never(&p.sm, &n, &a));
    p.sm.shared_kb = 129;
    assert_string_equal(onchip_find("carved")->is.fits(&p.sm, &a),
                        "sm.shared_kb = 129 does not fit into the array of sm.l1_kb = 128");
    arena_free(&a);
    preset_free(&p);
}

/* A place that a warp would like is taken if it has room, else the next one that has. */
static void places(void **state)
{
    (void)state;
    struct preset p;
    struct onchip o;
    preset_init(&p, "volta");
    onchip_init(&o, &p.sm);
    struct sm_need n = need(128, 200, 0); /* 6,400 registers: two warps to a partition */
    uint8_t where[TR_WARPS] = {2, 2, 2, 3};
    uint32_t warps[TR_WARPS];
    static const uint32_t first[] = {2 << 8, 2 << 8 | 1, 3 << 8, 3 << 8 | 1},
                          second[] = {0, 1, 1 << 8, 1 << 8 | 1};
    assert_true(onchip_place(&o, &n, where));
    onchip_take(&o, &n, where, warps);
    assert_memory_equal(warps, first, sizeof first);
    memset(where, 3, sizeof where);
    assert_true(onchip_place(&o, &n, where));
    onchip_take(&o, &n, where, warps);
    assert_memory_equal(warps, second, sizeof second);
    memset(where, 0, sizeof where);
    assert_false(onchip_place(&o, &n, where));
    onchip_give(&o, &n, first);
    memset(where, 0, sizeof where);
    assert_true(onchip_place(&o, &n, where));
    assert_int_equal(where[0], 2);
    preset_free(&p);
}

/* ---- one pool ---- */

static struct sm_need launch(uint32_t ctas, uint32_t threads, uint32_t regs, uint32_t shared_b)
{
    struct sm_need n = need(threads, regs, shared_b);
    n.ctas = ctas;
    return n;
}

/* The needs of the unified paper's Table 1, and the divisions of its Fig. 8: KB of registers, bytes of shared memory, and the
 * cache in whole sets of 512 bytes. */
static void table1(void **state)
{
    (void)state;
    static const struct {
        uint32_t kb, threads, regs, shared_b; /* the pool, a CTA */
        uint32_t ctas, reg_kb, cache_b;
    } rows[] = {
        {384, 32, 18, 8452, 32, 72, 95 * 512},     /* needle: 72, 264.1 and 47.9 KB */
        {384, 64, 57, 4256, 16, 228, 179 * 512},   /* dgemm: 228, 66.5 and 89.5 */
        {384, 256, 9, 0, 4, 36, 348 * KB},         /* bfs */
        {384, 512, 33, 10 * KB, 2, 132, 232 * KB}, /* pcr: 20 bytes a thread */
        {256, 32, 18, 8452, 24, 54, 7 * 512},      /* needle: 24 of 2,304 + 8,452 bytes */
        {128, 32, 18, 8452, 12, 27, 3 * 512},      /* 131,072 / 10,756 */
        {128, 64, 57, 4256, 6, 85 * KB / KB, 0},   /* dgemm: 6 of 18,848 bytes; registers 85.5 KB */
    };
    struct preset p;
    preset_init(&p, "throughput");
    preset_set(&p, "sm.onchip=unified");
    for (uint32_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct sm_need n = launch(1000, rows[i].threads, rows[i].regs, rows[i].shared_b);
        p.sm.onchip_kb = rows[i].kb;
        struct onchip_split s = pool_split(&p.sm, &n);
        assert_int_equal(pool_ctas(&p.sm, &n), rows[i].ctas);
        assert_int_equal(s.registers * 4 / KB, rows[i].reg_kb);
        assert_int_equal(s.shared_b, rows[i].ctas * rows[i].shared_b);
        uint64_t left = rows[i].kb * (uint64_t)KB - s.registers * 4ull - s.shared_b;
        assert_int_equal(s.cache_b, left / 512 * 512);
        if (rows[i].cache_b)
            assert_int_equal(s.cache_b, rows[i].cache_b);
    }
    preset_free(&p);
}

static const char *plan(const struct sm_cfg *c, const struct onchip_use *uses, uint32_t n,
                        struct onchip_split *to, struct arena *a)
{
    bool has;
    const char *why = onchip_plan(c, uses, n, to, &has, a);
    assert_true(has);
    return why;
}

/* lu: its perimeter wants shared memory, its inner kernel registers. One division for both: 80, 96 and 208 KB. */
static void whole_program(void **state)
{
    (void)state;
    struct preset p;
    struct arena a = {0};
    struct onchip_split s;
    preset_init(&p, "throughput");
    preset_set(&p, "sm.onchip=unified");
    const struct onchip_use lu[] = {
        {.need = launch(1, 16, 20, 1024), .kernel = 0, .insts = 10},
        {.need = launch(100, 32, 16, 3072), .kernel = 1, .insts = 100},
        {.need = launch(3, 256, 20, 2048), .kernel = 2, .insts = 10},
        {.need = launch(1000, 256, 20, 2048), .kernel = 2, .insts = 1000},
    };
    assert_null(plan(&p.sm, lu, 4, &s, &a));
    assert_int_equal(s.registers, 20 * 1024);
    assert_int_equal(s.shared_b, 96 * KB);
    assert_int_equal(s.cache_b, 208 * KB);
    /* 128 KB do not hold 80 + 96: the inner kernel, which has most to do, gets 80 and 8; the perimeter then has 2 CTAs. */
    p.sm.onchip_kb = 128;
    assert_null(plan(&p.sm, lu, 4, &s, &a));
    assert_int_equal(s.registers, 20 * 1024);
    assert_int_equal(s.shared_b, 8 * KB);
    assert_int_equal(s.cache_b, 40 * KB);
    /* One CTA of each must fit: the inner kernel has 3 beside a CTA of 64 KB of shared memory. */
    const struct onchip_use wide[] = {
        {.need = launch(8, 32, 16, 64 * KB), .kernel = 0, .insts = 1},
        {.need = launch(8, 256, 20, 2048), .kernel = 1, .insts = 2},
    };
    assert_null(plan(&p.sm, wide, 2, &s, &a));
    assert_int_equal(s.registers, 3 * 256 * 20);
    assert_int_equal(s.shared_b, 64 * KB);
    const struct onchip_use never_both[] = {
        {.need = launch(8, 32, 16, 100 * KB), .kernel = 0, .insts = 1},
        {.need = launch(8, 512, 20, 0), .kernel = 1, .insts = 2},
    };
    assert_non_null(
        strstr(plan(&p.sm, never_both, 2, &s, &a), "up to 40960 bytes of registers and up to 102400"));
    arena_free(&a);
    preset_free(&p);
}

/* Any needs: regions do not overlap, nothing but the rounding to sets is lost, and more CTAs would not fit. */
static void regions(void **state)
{
    (void)state;
    struct preset p;
    struct arena a = {0};
    struct rng r = {.s = 7};
    preset_init(&p, "throughput");
    preset_set(&p, "sm.onchip=unified");
    for (uint32_t i = 0; i < 10000; i++) {
        p.sm.onchip_kb = 64 + rng_below(&r, 500);
        p.sm.l1_ways = 1 + rng_below(&r, 8);
        struct sm_need n =
            launch(rng_below(&r, 50), 1 + rng_below(&r, 512), 1 + rng_below(&r, 64), rng_below(&r, 20 * KB));
        if (pool_cta_fits(&p.sm, &n, &a))
            continue;
        struct onchip_split s = pool_split(&p.sm, &n);
        uint64_t all = p.sm.onchip_kb * (uint64_t)KB, used = s.registers * 4ull + s.shared_b + s.cache_b;
        uint64_t ctas = pool_ctas(&p.sm, &n), each = n.warps * n.regs * 4ull + n.shared_b;
        assert_true(ctas && used <= all && all - used < LINE_B * p.sm.l1_ways);
        assert_true(s.cache_b % ((uint64_t)LINE_B * p.sm.l1_ways) == 0);
        assert_true((ctas + 1) * each > all || ctas == n.ctas || ctas == p.sm.ctas ||
                    (ctas + 1) * n.warps > p.sm.warps || (ctas + 1) * n.threads > p.sm.threads);
        struct onchip_use use = {.need = n, .insts = 1};
        struct onchip_split whole;
        assert_null(plan(&p.sm, &use, 1, &whole, &a));
        assert_memory_equal(&whole, &s, sizeof s);
    }
    arena_free(&a);
    preset_free(&p);
}

/* ---- every policy ---- */

static void roll(struct preset *p, struct rng *r)
{
    struct sm_cfg *c = &p->sm;
    c->partitions = 1 + rng_below(r, ONCHIP_PARTS);
    c->warps = 1 + rng_below(r, 64);
    c->threads = 32 * (1 + rng_below(r, 64));
    c->registers = c->partitions * 256 * (1 + rng_below(r, 64));
    c->ctas = 1 + rng_below(r, 64);
    c->l1_kb = rng_below(r, 257);
    c->shared_kb = rng_below(r, 257);
    c->shared_cta_kb = rng_below(r, 257);
    c->onchip_kb = 32 + rng_below(r, 500);
}

/* What the policy wants beside that. */
static void make_fit(struct preset *p, const struct onchip_ops *ops, struct rng *r)
{
    struct sm_cfg *c = &p->sm;
    if (ops->pool) {
        c->partitions = 1;
        c->banks = 1u << rng_below(r, 4);
        c->clusters = POOL_BANKS / c->banks;
        c->bank_write_port = c->l1_local_through = true;
    } else if (strcmp(ops->is.name, "fermi") == 0) {
        c->shared_kb = 1 + rng_below(r, 100);
        c->l1_kb = 3 * c->shared_kb;
    } else if (c->l1_kb < c->shared_kb) {
        c->shared_kb = c->l1_kb / 2;
    }
}

static void check_division(const struct onchip_ops *ops, const struct sm_cfg *c, const struct onchip *o)
{
    const struct onchip_arrays a = ops->arrays(c);
    uint32_t kb = ops->pool ? a.register_kb : a.kb;
    assert_true(a.banks && a.shared_kb <= kb && a.cache_kb <= kb && !(ops->pool && a.kb));
    assert_true(o->split.registers % c->partitions == 0);
    assert_true(o->split.shared_b <= a.shared_kb * KB);
    assert_true(o->split.cache_b <= a.cache_kb * (uint64_t)KB);
}

enum { HELD = 64 };

struct crowd {
    struct onchip o;
    struct rng r;
    struct sm_need needs[HELD];
    uint32_t warps[HELD][TR_WARPS];
    uint64_t taken[ONCHIP_PARTS];
    uint32_t n;
};

static void come(struct crowd *w, const struct sm_need *n, const uint8_t *where)
{
    uint32_t *at = w->warps[w->n];
    onchip_take(&w->o, n, where, at);
    for (uint32_t i = 0; i < n->warps; i++) {
        uint64_t bit = 1ull << (at[i] & 255);
        assert_true((at[i] & 255) < w->o.cfg->warps && !(w->taken[at[i] >> 8] & bit));
        w->taken[at[i] >> 8] |= bit;
    }
    w->needs[w->n++] = *n;
}

static void go(struct crowd *w, uint32_t i)
{
    onchip_give(&w->o, &w->needs[i], w->warps[i]);
    for (uint32_t k = 0; k < w->needs[i].warps; k++)
        w->taken[w->warps[i][k] >> 8] &= ~(1ull << (w->warps[i][k] & 255));
    w->n--;
    w->needs[i] = w->needs[w->n];
    memmove(w->warps[i], w->warps[w->n], sizeof w->warps[i]);
}

static void step(struct crowd *w, const struct onchip_ops *ops, struct arena *a)
{
    const struct sm_cfg *c = w->o.cfg;
    struct sm_need n = need(1 + rng_below(&w->r, 512), rng_below(&w->r, 64), rng_below(&w->r, 16 * KB));
    uint8_t where[TR_WARPS];
    for (uint32_t i = 0; i < n.warps; i++)
        where[i] = (uint8_t)rng_below(&w->r, c->partitions);
    if (!w->n) {
        onchip_divide(&w->o, &n);
        check_division(ops, c, &w->o);
    }
    bool room = onchip_place(&w->o, &n, where);
    assert_true(room || w->n || ops->cta_fits(c, &n, a));
    if (room && w->n < HELD)
        come(w, &n, where);
    while (w->n && rng_below(&w->r, 3) == 0)
        go(w, rng_below(&w->r, w->n));
}

/* Random CTAs come and go. Whoever fits by `cta_fits` has room on an empty SM; no slot is given twice; all comes back. */
static void come_and_go(const struct onchip_ops *ops, uint64_t seed)
{
    static struct crowd w;
    struct preset p;
    struct arena a = {0};
    w = (struct crowd){.r = {.s = seed}};
    preset_init(&p, NULL);
    roll(&p, &w.r);
    p.sm.onchip = ops->is.name;
    make_fit(&p, ops, &w.r);
    assert_true(!ops->is.fits || !ops->is.fits(&p.sm, &a));
    onchip_init(&w.o, &p.sm);
    for (uint32_t i = 0; i < 200; i++)
        step(&w, ops, &a);
    while (w.n)
        go(&w, w.n - 1);
    assert_int_equal(w.o.threads, p.sm.threads);
    assert_int_equal(w.o.shared_b, w.o.split.shared_b);
    for (uint32_t i = 0; i < p.sm.partitions; i++) {
        assert_int_equal(w.o.regs[i], w.o.split.registers / p.sm.partitions);
        assert_int_equal(__builtin_popcountll(w.o.slots[i]), p.sm.warps);
    }
    arena_free(&a);
    preset_free(&p);
}

static void contract(void **state)
{
    (void)state;
    for (uint32_t i = 0; onchip_list[i]; i++)
        for (uint64_t seed = 0; seed < 200; seed++)
            come_and_go(onchip_list[i], seed);
}

/* A policy that assigns warps to isolated schedulers: every fourth slot is of one, and the next takes who finds none there. */
static void isolated_places(void **state)
{
    (void)state;
    struct preset p;
    struct onchip o;
    uint32_t warps[TR_WARPS];
    preset_init(&p, "volta-accelsim");
    preset_set(&p, "sm.assign=srr");
    preset_set(&p, "sm.warps=8");
    onchip_init(&o, &p.sm);
    struct sm_need n = need(128, 16, 0);
    uint8_t where[TR_WARPS] = {3, 3, 1, 3};
    assert_true(onchip_place(&o, &n, where));
    onchip_take(&o, &n, where, warps);
    static const uint32_t slots[] = {3, 7, 1, 0};
    assert_memory_equal(warps, slots, sizeof slots);
    uint8_t again[TR_WARPS] = {1, 1, 1, 1};
    assert_true(onchip_place(&o, &n, again));
    onchip_take(&o, &n, again, warps);
    static const uint32_t rest[] = {5, 2, 6, 4};
    assert_memory_equal(warps, rest, sizeof rest);
    assert_false(onchip_place(&o, &n, again));
    preset_free(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fermi),           cmocka_unit_test(volta),  cmocka_unit_test(hopper),
        cmocka_unit_test(never),           cmocka_unit_test(places), cmocka_unit_test(contract),
        cmocka_unit_test(isolated_places), cmocka_unit_test(table1), cmocka_unit_test(whole_program),
        cmocka_unit_test(regions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
