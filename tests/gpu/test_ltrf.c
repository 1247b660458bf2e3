/* SPDX-License-Identifier: Apache-2.0 */
/* The register cache with prefetched working sets, event by event and in cycles. */
#include "cached.h"

static void open_ltrf(struct cached *x, const char *regs, bool live)
{
    cached_open(x, "ltrf");
    cached_set(x, regs);
    cached_set(x, live ? "ltrf.live=true" : "ltrf.live=false");
}

/* ---- cycles ---- */

static uint64_t cycles_of(struct cached *x, const char *operands, const char *slow, int a, int b, int c,
                          uint32_t chain)
{
    cached_open(x, operands);
    cached_set(x, slow);
    fp32(x, 1, a, b, c);
    for (uint32_t i = 0; i < chain; i++)
        fp32(x, 1, 1, none, none);
    return cached_run(x);
}

/* A warp's first instruction could issue in cycle t. Plain collectors: reads from t+1 on, n - 1 of them behind others in the same
 * bank; it leaves at t + 1 + n. Prefetched: asked for at t, read in the same cycles, it issues at t + 1 + n and leaves a cycle
 * later. So one cycle more, however many there are. From then on everything is there: each of a chain leaves a cycle earlier. */
static void timing(void **state)
{
    struct cached *x = *state;
    const char *plain = "collectors", *ltrf = "ltrf", *fast = "ltrf.main_cyc=0";
    assert_int_equal(cycles_of(x, ltrf, fast, 2, 3, none, 0), cycles_of(x, plain, fast, 2, 3, none, 0) + 1);
    assert_int_equal(cycles_of(x, ltrf, fast, 2, 4, none, 0), cycles_of(x, plain, fast, 2, 4, none, 0) + 1);
    assert_int_equal(cycles_of(x, ltrf, fast, 2, 4, 6, 0), cycles_of(x, plain, fast, 2, 4, 6, 0) + 1);
    assert_int_equal(cycles_of(x, ltrf, fast, 2, 4, 6, 9), cycles_of(x, plain, fast, 2, 4, 6, 9) + 1 - 9);
    /* Slow banks cost their latency once. */
    assert_int_equal(cycles_of(x, ltrf, "ltrf.main_cyc=30", 2, 4, 6, 9),
                     cycles_of(x, ltrf, fast, 2, 4, 6, 9) + 30);
    /* Nothing to read: the operation alone. */
    assert_int_equal(cycles_of(x, ltrf, "ltrf.main_cyc=30", none, none, none, 0),
                     cycles_of(x, plain, fast, none, none, none, 0) + 1);
}

/* While one warp waits for its working set the other goes on. Sixteen registers in two banks, eight cycles: asked for at t and
 * t+1, read from t+1 to t+16 one after the other, so the second waits for both. */
static void other_warps(void **state)
{
    struct cached *x = *state;
    uint64_t t[2];
    for (uint32_t i = 0; i < 2; i++) {
        open_ltrf(x, "ltrf.regs=16", false);
        x->m.warps = i + 1;
        for (int k = 0; k < 16; k += 2)
            fp32(x, none, k, k + 1, none);
        t[i] = cached_run(x);
        counted(x, cache_prefetches, 16 * x->m.warps);
        counted_own(x, "ltrf.prefetches", x->m.warps);
        /* A cycle to ask and eight to read: they are charged, but to the first warp's instructions once it has it. */
        if (i == 0)
            counted(x, stall_prefetch, 9);
    }
    /* FP32 takes an instruction every two cycles, so the first warp has issued its eight when the second begins. */
    assert_true(t[1] >= t[0] + 8 && t[1] <= t[0] + 16);
}

/* ---- events ---- */

/* A working set is left for another. A result that was written back, or dropped: R1 is not read again. */
static void leaving(void **state)
{
    struct cached *x = *state;
    for (uint32_t live = 0; live < 2; live++) {
        open_ltrf(x, "ltrf.regs=2", live);
        fp32(x, 1, 2, none, none);
        fp32(x, none, 1, none, none); /* R1 is there */
        fp32(x, 3, 4, none, none);
        cached_run(x);
        counted_own(x, "ltrf.prefetches", 2);
        counted(x, cache_prefetches, live ? 2 : 4);
        counted(x, cache_writebacks, !live);
        counted(x, cache_dead, live);
        counted(x, reg_writes, !live);
        counted(x, cache_writes, 2);
        counted(x, cache_hits, 3);
    }
}

/* A register of both sets stays where it is; one that is needed again later is written back and read again. */
static void keeping(void **state)
{
    struct cached *x = *state;
    open_ltrf(x, "ltrf.regs=3", true);
    fp32(x, 1, 2, 3, none);
    fp32(x, 3, 1, none, none);
    fp32(x, none, 3, none, none);
    fp32(x, 4, 1, 5, none); /* R1, R4, R5: R1 stays, R3 leaves */
    fp32(x, none, 1, 4, none);
    fp32(x, none, 3, 6, none); /* R3, R6 */
    cached_run(x);
    counted_own(x, "ltrf.prefetches", 3);
    counted(x, cache_prefetches, 2 + 1 + 2);
    counted(x, cache_writebacks, 1); /* R3 */
    counted(x, cache_dead, 2);       /* R1, R4 */
    counted(x, cache_hits, count_of(x, cache_reads));
}

/* Results on their way when the set changes. R5's has a place in the new one and is not read; R3's has none and goes to its
 * bank. */
static void in_flight(void **state)
{
    struct cached *x = *state;
    for (uint32_t live = 0; live < 2; live++) {
        open_ltrf(x, "ltrf.regs=3", live);
        load(x, 5, 2);
        fp32(x, 3, 2, none, none);
        fp32(x, 1, 4, none, none); /* R1, R4, R5 */
        fp32(x, 4, 5, none, none);
        cached_run(x);
        counted_own(x, "ltrf.prefetches", 2);
        counted(x, cache_prefetches, live ? 1 + 1 : 3 + 2);
        counted(x, cache_writes, 3);
        counted(x, cache_lost, 1);
        counted(x, reg_writes, 1);
    }
}

/* R1 leaves while a load is about to overwrite it: the old value goes nowhere, the new one to the bank. If the load is of some
 * lanes, both. */
static void overwritten(void **state)
{
    struct cached *x = *state;
    for (uint32_t part = 0; part < 2; part++) {
        open_ltrf(x, "ltrf.regs=2", false);
        fp32(x, 1, 2, none, none);
        fp32(x, none, 1, none, none);
        lanes(x, load(x, 1, 2), part ? 0xff : ~0u);
        fp32(x, none, 3, 4, none);
        fp32(x, none, 1, none, none);
        cached_run(x);
        counted(x, cache_dead, !part);
        counted(x, cache_writebacks, part);
        counted(x, reg_writes, 1 + part);
    }
}

/* R1 is dead where the interval begins. If all lanes write it, it is never read; if some do, it is read first for the others. */
static void some_lanes(void **state)
{
    struct cached *x = *state;
    for (uint32_t part = 0; part < 2; part++) {
        open_ltrf(x, "ltrf.regs=16", true);
        fp32(x, 4, 2, none, none);
        lanes(x, fp32(x, 1, 4, none, none), part ? 0xff : ~0u);
        fp32(x, none, 1, none, none);
        if (part)
            x->m.mask[x->m.n - 1] = 0xff;
        cached_run(x);
        counted_own(x, "ltrf.prefetches", 1);
        counted(x, cache_prefetches, 1 + part);
        counted(x, cache_lost, 0);
        counted(x, cache_hits, count_of(x, cache_reads));
    }
}

/* Lanes that are elsewhere may need what is dead for those that are here: a set that is entered by some lanes is read whole. */
static void diverged(void **state)
{
    struct cached *x = *state;
    open_ltrf(x, "ltrf.regs=2", true);
    lanes(x, fp32(x, 1, 2, none, none), 0xff);
    lanes(x, fp32(x, none, 1, none, none), 0xff);
    lanes(x, fp32(x, 3, 4, none, none), 0xff);
    cached_run(x);
    counted(x, cache_prefetches, 4);
    counted(x, cache_writebacks, 1);
}

/* More operands than the set holds: the others are read from and written to their banks. */
static void wide(void **state)
{
    struct cached *x = *state;
    open_ltrf(x, "ltrf.regs=2", true);
    fp32(x, 4, 1, 2, 3);
    cached_run(x);
    counted(x, cache_prefetches, 2);
    counted(x, cache_hits, 2);
    counted(x, reg_reads, 3);
    counted(x, cache_lost, 1);
    counted(x, reg_writes, 1);
}

/* ---- the active set ---- */

/* A warp leaves the set with R1, and has its working set read again when it comes back. */
static void swap(void **state)
{
    struct cached *x = *state;
    open_ltrf(x, "ltrf.regs=16", true);
    cached_swap(x, "sm.wsched=two-level");
    assert_true(count_of(x, cache_flushes) >= 1);
    counted(x, cache_writebacks, count_of(x, cache_flushes));
    counted_own(x, "ltrf.prefetches", 2 + count_of(x, cache_flushes));
    counted(x, cache_prefetches, 2 * count_of(x, cache_flushes)); /* R1, and R2 from its bank */
}

/* Prefetches are none of the scheduler's: the third state. */
static void three_states(void **state)
{
    struct cached *x = *state;
    for (uint32_t active = 1; active <= 2; active++) {
        open_ltrf(x, "ltrf.regs=16", true);
        cached_three_states(x, active);
        assert_true(count_of(x, stall_prefetch) >= 1);
    }
}

/* One warp may issue, the oldest that is not at a barrier. While it is at one the other begins to get its registers; then that is
 * beyond the limit, and still gets them before it is put aside. */
static void beyond_the_limit(void **state)
{
    struct cached *x = *state;
    open_ltrf(x, "ltrf.regs=16", true);
    cached_set(x, "sm.wsched=two-level");
    cached_set(x, "sm.warp_limit=1");
    cached_set(x, "sm.banks=1"); /* twelve registers take twelve cycles, the barrier six */
    x->m.ctas = 2;
    mini_bar(&x->m);
    for (int i = 0; i < 4; i++)
        fp32(x, 1, 2 + 3 * i, 3 + 3 * i, 4 + 3 * i);
    cached_run(x);
    counted(x, warp_insts, 2 * (1 + 4 + 1));
}

static void refuse(struct cached *x, const char *set, const char *more, bool yes)
{
    struct diag d = {0};
    open_ltrf(x, "ltrf.regs=16", true);
    cached_set(x, "sm.schedulers=2");
    cached_set(x, set);
    cached_set(x, more);
    fp32(x, 1, 2, none, none);
    assert_int_equal(mini_try(&x->m, &x->r, 1, &d), yes ? GPU_REFUSED : GPU_OK);
    if (yes)
        assert_non_null(strstr(d.msg[0].text, "sm.operands = ltrf"));
    diag_free(&d);
}

static void refused(void **state)
{
    struct cached *x = *state;
    refuse(x, "sm.bank_write_port=true", "sm.wsched=gto", true);
    refuse(x, "sm.warp_pool=true", "sm.wsched=two-level", true);
    refuse(x, "sm.warp_pool=true", "sm.wsched=gto", false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CACHED(timing),       CACHED(other_warps),      CACHED(leaving),  CACHED(keeping), CACHED(in_flight),
        CACHED(overwritten),  CACHED(some_lanes),       CACHED(diverged), CACHED(wide),    CACHED(swap),
        CACHED(three_states), CACHED(beyond_the_limit), CACHED(refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
