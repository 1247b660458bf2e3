/* BOW's window, hit by hit. */
#include "mini.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

struct outcome {
    uint64_t hits, reads, banks, writes, lost, cycles;
};

static void open_mini(struct mini *m)
{
    mini_init(m);
    mini_set(m, "sm.operands=bow");
}

static struct outcome run(struct mini *m)
{
    struct gpu_result r = {0};
    struct outcome o = {.cycles = mini_run(m, &r, 1)};
    o.hits = r.sm[SS_cache_hits];
    o.reads = r.sm[SS_cache_reads];
    o.banks = r.sm[SS_reg_reads];
    o.writes = r.sm[SS_cache_writes];
    o.lost = r.sm[SS_cache_lost];
    gpu_result_free(&r);
    mini_free(m);
    assert_int_equal(o.reads, o.hits + o.banks);
    return o;
}

/* R2 is read, then `gap` instructions come that do not, then it is read again. */
static uint64_t hits_after(uint32_t gap, const char *set)
{
    struct mini m;
    open_mini(&m);
    if (set)
        mini_set(&m, set);
    mini_op(&m, TC_FP32, MINI_NONE, 2, MINI_NONE, MINI_NONE);
    for (uint32_t i = 0; i < gap; i++)
        mini_op(&m, TC_FP32, MINI_NONE, 10 + (int)i, MINI_NONE, MINI_NONE);
    mini_op(&m, TC_FP32, MINI_NONE, 2, MINI_NONE, MINI_NONE);
    return run(&m).hits;
}

static void sources(void **state)
{
    (void)state;
    for (uint32_t gap = 0; gap < 6; gap++) {
        assert_int_equal(hits_after(gap, NULL), gap < 3);
        assert_int_equal(hits_after(gap, "bow.window=1"), gap < 1);
        assert_int_equal(hits_after(gap, "bow.window=5"), gap < 5);
    }
}

/* A hit carries the value on: the window begins again. */
static void carried_on(void **state)
{
    (void)state;
    struct mini m;
    open_mini(&m);
    for (uint32_t i = 0; i < 10; i++)
        mini_op(&m, TC_FP32, MINI_NONE, i % 3 ? 10 + (int)i : 2, MINI_NONE, MINI_NONE);
    assert_int_equal(run(&m).hits, 3); /* at 3, 6 and 9 */
}

/* A result that comes while its instruction is in the window is forwarded; the bank is written all the same. */
static void destination(void **state)
{
    (void)state;
    struct mini m;
    open_mini(&m);
    mini_op(&m, TC_FP32, 1, 2, MINI_NONE, MINI_NONE);
    mini_op(&m, TC_FP32, 2, 1, MINI_NONE, MINI_NONE);
    mini_op(&m, TC_FP32, 3, 2, MINI_NONE, MINI_NONE); /* the new R2: the old copy has ended */
    struct outcome o = run(&m);
    assert_int_equal(o.hits, 2);
    assert_int_equal(o.writes, 3);
    assert_int_equal(o.lost, 0);
}

/* Three instructions later the slow one has slid out: its result is in the bank only. */
static void slid_out(void **state)
{
    (void)state;
    struct mini m;
    open_mini(&m);
    mini_set(&m, "latency.SFU=40");
    mini_op(&m, TC_SFU, 1, 2, MINI_NONE, MINI_NONE);
    for (uint32_t i = 0; i < 3; i++)
        mini_op(&m, TC_FP32, MINI_NONE, 10 + (int)i, MINI_NONE, MINI_NONE);
    mini_op(&m, TC_FP32, MINI_NONE, 1, MINI_NONE, MINI_NONE);
    struct outcome o = run(&m);
    assert_int_equal(o.hits, 0);
    assert_int_equal(o.lost, 1);
}

/* Some lanes: no value where none was, and where one was it gets the lanes. */
static void some_lanes(void **state)
{
    (void)state;
    for (uint32_t had = 0; had < 2; had++) {
        struct mini m;
        open_mini(&m);
        m.mask[mini_op(&m, TC_FP32, 1, had ? 1 : 2, MINI_NONE, MINI_NONE)] = 0xff;
        mini_op(&m, TC_FP32, MINI_NONE, 1, MINI_NONE, MINI_NONE);
        struct outcome o = run(&m);
        assert_int_equal(o.hits, had);
        assert_int_equal(o.lost, !had);
    }
}

/* Six sources are kept, and two destinations. */
static void sizes(void **state)
{
    (void)state;
    struct mini m;
    open_mini(&m);
    struct tr_insn *i = &m.insns[mini_op(&m, TC_HMMA, MINI_NONE, 8, MINI_NONE, MINI_NONE)];
    i->src[0].n = 8;
    i->dst[i->ndst++] = (struct tr_opnd){.kind = TO_REG, .n = 4, .val = 16};
    i = &m.insns[mini_op(&m, TC_HMMA, MINI_NONE, 8, 16, MINI_NONE)];
    i->src[0].n = 8;
    i->src[1].n = 4;
    struct outcome o = run(&m);
    assert_int_equal(o.hits, 6 + 2);
    assert_int_equal(o.writes, 2);
    assert_int_equal(o.lost, 2);
}

/* One instruction of a warp at a time in its collector; with all operands forwarded it is there for one cycle less. */
static void one_cycle_less(void **state)
{
    (void)state;
    struct mini m;
    uint64_t cycles[2];
    for (uint32_t hit = 0; hit < 2; hit++) {
        open_mini(&m);
        mini_op(&m, TC_FP32, MINI_NONE, 2, MINI_NONE, MINI_NONE);
        mini_op(&m, TC_INT, MINI_NONE, hit ? 2 : 3, MINI_NONE, MINI_NONE);
        mini_op(&m, TC_SFU, 5, 4, MINI_NONE, MINI_NONE);
        cycles[hit] = run(&m).cycles;
    }
    assert_int_equal(cycles[1], cycles[0] - 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(sources),       cmocka_unit_test(carried_on),
                                       cmocka_unit_test(destination),   cmocka_unit_test(slid_out),
                                       cmocka_unit_test(some_lanes),    cmocka_unit_test(sizes),
                                       cmocka_unit_test(one_cycle_less)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
