/* SPDX-License-Identifier: Apache-2.0 */
/* WarpPool's structures, looked at between two cycles: what they merge, that each stalls when it is full, and that all drains. */
#include "collected.h"
#include "one.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include "sm/lsu/warppool/warppool.h"

#include "stat_at.h"

#include <cmocka.h>

#define LINE(n) (0x10000000ull + (uint64_t)(n)*128)

static void begin(struct mini *m, uint32_t warps, const char *const *sets)
{
    mini_init(m);
    m->warps = warps;
    mini_set(m, "sm.lsu=warppool");
    for (; sets && *sets; sets++)
        mini_set(m, *sets);
}

/* Some warps load a line. */
static uint32_t load(struct mini *m, uint32_t warps, int d, uint64_t addr, int64_t stride)
{
    uint32_t i = mini_mem(m, TC_LDG, d, MINI_NONE, 4, addr, stride);
    m->warps_mask[i] = warps;
    return i;
}

static uint32_t store(struct mini *m, uint32_t warps, uint64_t addr, int64_t stride)
{
    uint32_t i = mini_mem(m, TC_STG, MINI_NONE, MINI_NONE, 4, addr, stride);
    m->warps_mask[i] = warps;
    return i;
}

/* Some warps come later than the others. */
static void delay(struct mini *m, uint32_t warps)
{
    for (int i = 0; i < 10; i++)
        m->warps_mask[mini_op(m, TC_FP32, 3, 3, MINI_NONE, MINI_NONE)] = warps;
}

static struct pool *start(struct one *o, struct mini *m, uint32_t cycles)
{
    one_init(o, m);
    while (cycles--)
        one_step(o);
    return o->s->lsu.st;
}

/* Everything is where it was at the beginning. */
static void finish(struct one *o, struct mini *m)
{
    const struct pool *p = o->s->lsu.st;
    one_finish(o, 10);
    uint32_t loads = 0;
    for (uint32_t i = p->free_load; i != UINT32_MAX; i = p->loads.at[i].next)
        loads++;
    assert_int_equal(loads, p->loads.n);
    assert_int_equal(p->maps_free, p->cfg->maps);
    assert_int_equal(p->oldest, POOL_NONE);
    assert_int_equal(p->newest, POOL_NONE);
    assert_int_equal(p->back.n + p->aside.ring.n, 0);
    assert_int_equal(p->filled, 0);
    one_free(o);
    mini_free(m);
}

static uint32_t tags_used(const struct pool *p)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < p->cfg->sets * p->cfg->tags; i++)
        n += p->tags[i].used;
    return n;
}

static uint32_t coalescers_used(const struct pool *p)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < p->cfg->coalescers; i++)
        n += p->co[i].used;
    return n;
}

/* A hit and a miss take as much longer as there are stages. */
static void added_stages(void **state)
{
    (void)state;
    for (int loads = 1; loads <= 2; loads++) {
        struct mini m;
        mini_init(&m);
        for (int i = 0; i < loads; i++) {
            mini_mem(&m, TC_LDG, 4, i ? 5 : 1, 4, LINE(0), 4);
            mini_op(&m, TC_FP32, 5, 4, MINI_NONE, MINI_NONE);
        }
        uint64_t plain = mini_cycles(&m);
        mini_set(&m, "sm.lsu=warppool");
        assert_int_equal(mini_cycles(&m) - plain, 6 * loads);
        mini_set(&m, "warppool.cyc=11");
        assert_int_equal(mini_cycles(&m) - plain, 11 * loads);
        mini_free(&m);
    }
}

/* Behind a miss that has the only entry, five warps ask for one line: four become one request, and the fifth another. */
static void merges(void **state)
{
    (void)state;
    static const char *const sets[] = {"sm.l1_mshrs=1", NULL};
    struct mini m;
    struct one o;
    begin(&m, 6, sets);
    load(&m, 1, 4, LINE(0), 4);
    delay(&m, 0x3e);
    load(&m, 0x3e, 4, LINE(1), 4);
    struct pool *p = start(&o, &m, 300);
    assert_int_equal(o.sent.n, 1);
    assert_int_equal(tags_used(p), 2);
    assert_int_equal(p->tags[p->oldest].n, 4);
    assert_int_equal(p->tags[p->newest].n, 1);
    assert_true(p->blocked);
    while (!o.ended) {
        one_answer(&o, 1);
        one_step(&o);
    }
    assert_int_equal(o.sent.n, 2);
    assert_int_equal(o.s->stats[SS_lsu_requests], 3);
    assert_int_equal(o.s->stats[SS_lsu_served], 6);
    finish(&o, &m);
}

/* Two tags in one queue: the third line waits in its coalescer, the fourth too, the rest in instruction queues. */
static void tags_full(void **state)
{
    (void)state;
    static const char *const sets[] = {"sm.l1_mshrs=1", "warppool.sets=1", NULL};
    struct mini m;
    struct one o;
    begin(&m, 8, sets);
    load(&m, 1, 4, LINE(0), 4);
    delay(&m, 0xfe);
    for (uint32_t i = 1; i < 8; i++)
        load(&m, 1u << i, 4, LINE(i), 4);
    struct pool *p = start(&o, &m, 300);
    assert_int_equal(tags_used(p), 2);
    assert_int_equal(coalescers_used(p), 2);
    assert_true(p->filled != 0);
    finish(&o, &m);
}

/* One queue with one entry: dispatch waits for it. */
static void queues_full(void **state)
{
    (void)state;
    static const char *const sets[] = {
        "sm.l1_mshrs=1",   "warppool.queues=1",     "warppool.entries=1", "warppool.sets=1",
        "warppool.tags=1", "warppool.coalescers=1", "warppool.merges=1",  NULL};
    struct mini m;
    struct one o;
    begin(&m, 8, sets);
    for (int k = 0; k < 4; k++)
        load(&m, 0xff, 4 + k, LINE(k * 8), 128);
    struct pool *p = start(&o, &m, 300);
    assert_int_equal(tags_used(p), 1);
    assert_int_equal(coalescers_used(p), 1);
    assert_int_equal(p->queues[0].n, 1);
    uint32_t waiting = 0;
    for (uint32_t i = 0; i < 4; i++)
        for (uint32_t f = 0; f < o.s->parts[i].nflights; f++)
            waiting += in_collector(&o.s->parts[i], f);
    assert_true(waiting > 0);
    finish(&o, &m);
}

/* Every second word is none of the patterns: a second such line waits for the only entry of the table. */
static void maps_full(void **state)
{
    (void)state;
    static const char *const sets[] = {"sm.l1_mshrs=1", "warppool.maps=1", NULL};
    struct mini m;
    struct one o;
    begin(&m, 4, sets);
    load(&m, 1, 4, LINE(0), 4);
    delay(&m, 0xe);
    for (uint32_t i = 1; i < 4; i++)
        load(&m, 1u << i, 4, LINE(10 * i), 8);
    struct pool *p = start(&o, &m, 300);
    assert_int_equal(p->maps_free, 0);
    assert_int_equal(tags_used(p), 1);
    assert_int_equal(coalescers_used(p), 2);
    finish(&o, &m);
}

/* Three lines that four warps wait for each come in three cycles in a row: a warp per cycle gets its words, and the third line is
 * not taken before there is room. */
static void writeback_full(void **state)
{
    (void)state;
    static const char *const sets[] = {"sm.reply_b=1024", "warppool.merges=1", NULL};
    struct mini m;
    struct one o;
    begin(&m, 4, sets);
    for (int k = 0; k < 3; k++)
        load(&m, 0xf, 4 + k, LINE(k), 4);
    struct pool *p = start(&o, &m, 200);
    assert_int_equal(o.sent.n, 3);
    assert_int_equal(o.s->stats[SS_lsu_served], 12);
    one_answer(&o, 3);
    static const uint32_t lines[] = {1, 2, 2, 1, 2, 2, 2, 1}, replies[] = {2, 1, 1, 1, 0, 0, 0, 0};
    for (uint32_t i = 0; i < 8; i++) {
        one_step(&o);
        assert_int_equal(p->back.n, lines[i]);
        assert_int_equal(o.s->port.replies.n, replies[i]);
        assert_int_equal(o.s->stats[SS_loads_done], i + 1);
    }
    one_step(&o);
    finish(&o, &m);
}

/* The request of warp 2 was there before that of warp 0. */
static void selection(void **state)
{
    (void)state;
    static const struct {
        const char *set;
        uint64_t second, third;
    } rows[] = {{"warppool.select=oldest", LINE(2), LINE(3)}, {"warppool.select=warp", LINE(3), LINE(2)}};
    for (uint32_t i = 0; i < 2; i++) {
        const char *sets[] = {"sm.l1_mshrs=1", rows[i].set, NULL};
        struct mini m;
        struct one o;
        begin(&m, 3, sets);
        load(&m, 2, 4, LINE(1), 4);
        delay(&m, 5);
        load(&m, 4, 4, LINE(2), 4);
        delay(&m, 1);
        load(&m, 1, 4, LINE(3), 4);
        start(&o, &m, 300);
        while (o.sent.n < 3) {
            one_answer(&o, 1);
            one_step(&o);
        }
        assert_int_equal(o.sent.at[0].line, LINE(1));
        assert_int_equal(o.sent.at[1].line, rows[i].second);
        assert_int_equal(o.sent.at[2].line, rows[i].third);
        finish(&o, &m);
    }
}

/* Two requests for one line stay in their order, whoever asks: warp 5 is in both, and warp 3 only in the second. --check tells if
 * it overtakes itself. */
static void one_line_in_order(void **state)
{
    (void)state;
    static const char *const sets[] = {"sm.l1_mshrs=1", "warppool.select=warp", "warppool.merges=2", NULL};
    struct mini m;
    struct one o;
    begin(&m, 8, sets);
    load(&m, 0x80, 4, LINE(0), 4);
    delay(&m, 0x68);
    load(&m, 0x60, 4, LINE(1), 4);
    delay(&m, 0x28);
    load(&m, 0x08, 4, LINE(1), 4);
    delay(&m, 0x20);
    load(&m, 0x20, 5, LINE(1), 4);
    struct pool *p = start(&o, &m, 400);
    assert_int_equal(tags_used(p), 2);
    assert_int_equal(p->tags[p->oldest].low, 5);
    assert_int_equal(p->tags[p->newest].low, 3);
    finish(&o, &m);
}

/* A quantum of misses changes the order, one of hits leaves it. */
static void toggle(void **state)
{
    (void)state;
    static const char *const sets[] = {"warppool.quantum=1000", NULL};
    struct mini m;
    struct one o;
    begin(&m, 1, sets);
    for (int k = 0; k < 4; k++)
        load(&m, 1, 4 + k, LINE(k), 4);
    for (int i = 0; i < 700; i++)
        mini_op(&m, TC_FP32, 4, 4, MINI_NONE, MINI_NONE);
    for (int k = 0; k < 4; k++)
        load(&m, 1, 4 + k, LINE(k), 4);
    struct pool *p = start(&o, &m, 200);
    one_answer(&o, 4);
    assert_int_equal(p->select, POOL_OLDEST);
    assert_int_equal(p->misses, 4);
    while (o.now < 1001)
        one_step(&o);
    while (p->quantum == 0)
        one_step(&o);
    assert_int_equal(p->select, POOL_WARP);
    assert_int_equal(o.s->stats[stat_at("warppool.toggles")], 1);
    one_finish(&o, 10);
    assert_int_equal(o.sent.n, 4);
    assert_int_equal(p->select, POOL_WARP);
    finish(&o, &m);
}

/* A load that comes while a store's 32 lines leave does not wait for the last of them. */
static void loads_before_stores(void **state)
{
    (void)state;
    static const char *const sets[] = {"sm.request_b=256", NULL};
    struct mini m;
    struct one o;
    begin(&m, 2, sets);
    store(&m, 1, LINE(0), 128);
    delay(&m, 2);
    m.n -= 7; /* not too late */
    load(&m, 2, 4, LINE(100), 4);
    start(&o, &m, 200);
    uint32_t at = 0;
    while (at < o.sent.n && o.sent.at[at].kind != MEM_READ)
        at++;
    assert_int_equal(o.sent.n, 33);
    assert_true(at > 0 && at < 30);
    finish(&o, &m);
}

/* A store waits until the warp's load has reached L1, a load for the store; a load behind a load does not. */
static void warps_keep_their_order(void **state)
{
    (void)state;
    static const char *const sets[] = {"sm.l1_mshrs=1", NULL};
    struct mini m;
    struct one o;
    begin(&m, 2, sets);
    load(&m, 1, 4, LINE(0), 4);
    delay(&m, 2);
    load(&m, 2, 5, LINE(1), 4);
    load(&m, 2, 6, LINE(2), 4);
    store(&m, 2, LINE(3), 4);
    load(&m, 2, 7, LINE(4), 4);
    struct pool *p = start(&o, &m, 300);
    const struct sm_warp *w = &o.s->parts[1].warps[0];
    assert_int_equal(tags_used(p), 2);
    assert_int_equal(w->mem_before, 2);
    assert_int_equal(w->block, BLOCK_ORDER);
    while (o.sent.n < 5) {
        one_answer(&o, 1);
        one_step(&o);
    }
    for (uint32_t i = 0; i < 5; i++)
        assert_int_equal(o.sent.at[i].line, LINE(i));
    finish(&o, &m);
}

static void patterns(void **state)
{
    (void)state;
    struct mini m;
    struct gpu_result r;
    begin(&m, 1, NULL);
    load(&m, 1, 4, LINE(0), 4);                       /* one line */
    load(&m, 1, 5, LINE(1) + 8, 0);                   /* one line */
    load(&m, 1, 6, LINE(2), 128);                     /* 32 lines */
    load(&m, 1, 7, LINE(40) + 64, 4);                 /* two */
    load(&m, 1, 8, LINE(50), 8);                      /* two */
    load(&m, 1, 9, LINE(60), -4);                     /* one lane and 31 backwards: a line each */
    m.mask[load(&m, 1, 10, LINE(70), 4)] = 0xff0;     /* eight lanes, their own words */
    m.mask[load(&m, 1, 11, LINE(80), 4)] = 0xf0f;     /* two groups, their own words */
    mini_mem(&m, TC_LDL, 12, MINI_NONE, 8, 0x100, 0); /* local: two lines, lanes side by side */
    mini_run(&m, &r, 1);
    assert_int_equal(r.sm[stat_at("warppool.consecutive")], 1 + 2 + 2);
    assert_int_equal(r.sm[stat_at("warppool.broadcast")], 1);
    assert_int_equal(r.sm[stat_at("warppool.single")], 32 + 1);
    assert_int_equal(r.sm[stat_at("warppool.range")], 2);
    assert_int_equal(r.sm[stat_at("warppool.other")], 2 + 1);
    gpu_result_free(&r);
    mini_free(&m);
}

/* Table 3.1, on the machine that it is for. */
static void storage(void **state)
{
    (void)state;
    static const uint64_t bytes[] = {592, 512, 992, 321, 2944};
    struct mini m;
    struct storage_row rows[STORAGE_MAX];
    static const char *const sets[] = {"sm.l1_mshrs=32", "sm.l1_merges=8", NULL};
    begin(&m, 1, sets);
    uint32_t n = pool_storage(&m.conf.sm, rows);
    assert_int_equal(n, 5);
    for (uint32_t i = 0; i < n; i++)
        assert_int_equal((uint64_t)rows[i].n * rows[i].bits, 8 * bytes[i]);
    mini_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(added_stages),
        cmocka_unit_test(merges),
        cmocka_unit_test(tags_full),
        cmocka_unit_test(queues_full),
        cmocka_unit_test(maps_full),
        cmocka_unit_test(writeback_full),
        cmocka_unit_test(selection),
        cmocka_unit_test(toggle),
        cmocka_unit_test(one_line_in_order),
        cmocka_unit_test(patterns),
        cmocka_unit_test(loads_before_stores),
        cmocka_unit_test(storage),
        cmocka_unit_test(warps_keep_their_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
