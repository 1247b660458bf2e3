/* SPDX-License-Identifier: Apache-2.0 */
/* BOW's window, hit by hit. */
#include "cached.h"

/* R2 is read, then `gap` instructions come that do not, then it is read again. */
static uint64_t hits_after(struct cached *x, uint32_t gap, const char *set)
{
    cached_open(x, "bow");
    if (set)
        cached_set(x, set);
    fp32(x, none, 2, none, none);
    for (uint32_t i = 0; i < gap; i++)
        fp32(x, none, 10 + (int)i, none, none);
    fp32(x, none, 2, none, none);
    cached_run(x);
    return count_of(x, cache_hits);
}

static void sources(void **state)
{
    struct cached *x = *state;
    for (uint32_t gap = 0; gap < 6; gap++) {
        assert_int_equal(hits_after(x, gap, NULL), gap < 3);
        assert_int_equal(hits_after(x, gap, "bow.window=1"), gap < 1);
        assert_int_equal(hits_after(x, gap, "bow.window=5"), gap < 5);
    }
}

/* A hit carries the value on: the window begins again. */
static void carried_on(void **state)
{
    struct cached *x = *state;
    cached_open(x, "bow");
    for (uint32_t i = 0; i < 10; i++)
        fp32(x, none, i % 3 ? 10 + (int)i : 2, none, none);
    cached_run(x);
    counted(x, cache_hits, 3); /* at 3, 6 and 9 */
}

/* A result that comes while its instruction is in the window is forwarded; the bank is written all the same. */
static void destination(void **state)
{
    struct cached *x = *state;
    cached_open(x, "bow");
    fp32(x, 1, 2, none, none);
    fp32(x, 2, 1, none, none);
    fp32(x, 3, 2, none, none); /* the new R2: the old copy has ended */
    cached_run(x);
    counted(x, cache_hits, 2);
    counted(x, cache_writes, 3);
    counted(x, cache_lost, 0);
}

/* Three instructions later the slow one has slid out: its result is in the bank only. */
static void slid_out(void **state)
{
    struct cached *x = *state;
    cached_open(x, "bow");
    cached_set(x, "latency.SFU=40");
    mini_op(&x->m, TC_SFU, 1, 2, none, none);
    for (uint32_t i = 0; i < 3; i++)
        fp32(x, none, 10 + (int)i, none, none);
    fp32(x, none, 1, none, none);
    cached_run(x);
    counted(x, cache_hits, 0);
    counted(x, cache_lost, 1);
}

/* Some lanes: no value where none was, and where one was it gets the lanes. */
static void some_lanes(void **state)
{
    struct cached *x = *state;
    for (uint32_t had = 0; had < 2; had++) {
        cached_open(x, "bow");
        lanes(x, fp32(x, 1, had ? 1 : 2, none, none), 0xff);
        fp32(x, none, 1, none, none);
        cached_run(x);
        counted(x, cache_hits, had);
        counted(x, cache_lost, !had);
    }
}

/* Six sources are kept, and two destinations. */
static void sizes(void **state)
{
    struct cached *x = *state;
    cached_open(x, "bow");
    struct tr_insn *i = &x->m.insns[mini_op(&x->m, TC_HMMA, none, 8, none, none)];
    i->src[0].n = 8;
    i->dst[i->ndst++] = (struct tr_opnd){.kind = TO_REG, .n = 4, .val = 16};
    i = &x->m.insns[mini_op(&x->m, TC_HMMA, none, 8, 16, none)];
    i->src[0].n = 8;
    i->src[1].n = 4;
    cached_run(x);
    counted(x, cache_hits, 6 + 2);
    counted(x, cache_writes, 2);
    counted(x, cache_lost, 2);
}

/* One instruction of a warp at a time in its collector; with all operands forwarded it is there for one cycle less. */
static void one_cycle_less(void **state)
{
    struct cached *x = *state;
    uint64_t cycles[2];
    for (uint32_t hit = 0; hit < 2; hit++) {
        cached_open(x, "bow");
        fp32(x, none, 2, none, none);
        mini_op(&x->m, TC_INT, none, hit ? 2 : 3, none, none);
        mini_op(&x->m, TC_SFU, 5, 4, none, none);
        cycles[hit] = cached_run(x);
    }
    assert_int_equal(cycles[1], cycles[0] - 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {CACHED(sources),       CACHED(carried_on), CACHED(destination),
                                       CACHED(slid_out),      CACHED(some_lanes), CACHED(sizes),
                                       CACHED(one_cycle_less)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
