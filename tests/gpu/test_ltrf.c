/* The register cache with prefetched working sets, event by event and in cycles. */
#include "mini.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include "stat_at.h"

#include <cmocka.h>

static const int none = MINI_NONE;

static void open_mini(struct mini *m, const char *operands)
{
    mini_init(m);
    mini_set(m, operands);
    mini_set(m, "sm.partitions=1");
    mini_set(m, "sm.warps=4");
    mini_set(m, "sm.registers=16384");
}

static void open_ltrf(struct mini *m, const char *regs, bool live)
{
    open_mini(m, "sm.operands=ltrf");
    mini_set(m, regs);
    mini_set(m, live ? "ltrf.live=true" : "ltrf.live=false");
}

static void run(struct mini *m, struct gpu_result *r)
{
    mini_run(m, r, 1);
    mini_free(m);
    assert_int_equal(r->sm[SS_cache_reads] + r->sm[SS_cache_prefetches],
                     r->sm[SS_cache_hits] + r->sm[SS_reg_reads]);
}

/* ---- cycles ---- */

static uint64_t cycles_of(const char *operands, const char *slow, int a, int b, int c, uint32_t chain)
{
    struct mini m;
    open_mini(&m, operands);
    mini_set(&m, slow);
    mini_op(&m, TC_FP32, 1, a, b, c);
    for (uint32_t i = 0; i < chain; i++)
        mini_op(&m, TC_FP32, 1, 1, none, none);
    uint64_t t = mini_cycles(&m);
    mini_free(&m);
    return t;
}

/* A warp's first instruction could issue in cycle t. Plain collectors: reads from t+1 on, n - 1 of them behind others in the same bank;
 * it leaves at t + 1 + n. Prefetched: asked for at t, read in the same cycles, it issues at t + 1 + n and leaves a cycle later. So
 * one cycle more, however many there are. From then on everything is there: each of a chain leaves a cycle earlier. */
static void timing(void **state)
{
    (void)state;
    const char *plain = "sm.operands=collectors", *ltrf = "sm.operands=ltrf", *fast = "ltrf.main_cyc=0";
    assert_int_equal(cycles_of(ltrf, fast, 2, 3, none, 0), cycles_of(plain, fast, 2, 3, none, 0) + 1);
    assert_int_equal(cycles_of(ltrf, fast, 2, 4, none, 0), cycles_of(plain, fast, 2, 4, none, 0) + 1);
    assert_int_equal(cycles_of(ltrf, fast, 2, 4, 6, 0), cycles_of(plain, fast, 2, 4, 6, 0) + 1);
    assert_int_equal(cycles_of(ltrf, fast, 2, 4, 6, 9), cycles_of(plain, fast, 2, 4, 6, 9) + 1 - 9);
    /* Slow banks cost their latency once. */
    assert_int_equal(cycles_of(ltrf, "ltrf.main_cyc=30", 2, 4, 6, 9), cycles_of(ltrf, fast, 2, 4, 6, 9) + 30);
    /* Nothing to read: the operation alone. */
    assert_int_equal(cycles_of(ltrf, "ltrf.main_cyc=30", none, none, none, 0),
                     cycles_of(plain, fast, none, none, none, 0) + 1);
}

/* While one warp waits for its working set the other goes on. Sixteen registers in two banks, eight cycles: asked for at t and t+1,
 * read from t+1 to t+16 one after the other, so the second waits for both. */
static void other_warps(void **state)
{
    (void)state;
    uint64_t t[2];
    for (uint32_t i = 0; i < 2; i++) {
        struct mini m;
        struct gpu_result r;
        open_ltrf(&m, "ltrf.regs=16", false);
        m.warps = i + 1;
        for (int k = 0; k < 16; k += 2)
            mini_op(&m, TC_FP32, none, k, k + 1, none);
        mini_run(&m, &r, 1);
        t[i] = r.cycles;
        assert_int_equal(r.sm[SS_cache_prefetches], 16 * m.warps);
        assert_int_equal(r.sm[stat_at("ltrf.prefetches")], m.warps);
        /* A cycle to ask and eight to read: they are charged, but to the first warp's instructions once it has it. */
        if (i == 0)
            assert_int_equal(r.sm[SS_stall_prefetch], 9);
        gpu_result_free(&r);
        mini_free(&m);
    }
    /* FP32 takes an instruction every two cycles, so the first warp has issued its eight when the second begins. */
    assert_true(t[1] >= t[0] + 8 && t[1] <= t[0] + 16);
}

/* ---- events ---- */

/* A working set is left for another. A result that was written back, or dropped: R1 is not read again. */
static void leaving(void **state)
{
    (void)state;
    for (uint32_t live = 0; live < 2; live++) {
        struct mini m;
        struct gpu_result r;
        open_ltrf(&m, "ltrf.regs=2", live);
        mini_op(&m, TC_FP32, 1, 2, none, none);
        mini_op(&m, TC_FP32, none, 1, none, none); /* R1 is there */
        mini_op(&m, TC_FP32, 3, 4, none, none);
        run(&m, &r);
        assert_int_equal(r.sm[stat_at("ltrf.prefetches")], 2);
        assert_int_equal(r.sm[SS_cache_prefetches], live ? 2 : 4);
        assert_int_equal(r.sm[SS_cache_writebacks], !live);
        assert_int_equal(r.sm[SS_cache_dead], live);
        assert_int_equal(r.sm[SS_reg_writes], !live);
        assert_int_equal(r.sm[SS_cache_writes], 2);
        assert_int_equal(r.sm[SS_cache_hits], 3);
        gpu_result_free(&r);
    }
}

/* A register of both sets stays where it is; one that is needed again later is written back and read again. */
static void keeping(void **state)
{
    (void)state;
    struct mini m;
    struct gpu_result r;
    open_ltrf(&m, "ltrf.regs=3", true);
    mini_op(&m, TC_FP32, 1, 2, 3, none);
    mini_op(&m, TC_FP32, 3, 1, none, none);
    mini_op(&m, TC_FP32, none, 3, none, none);
    mini_op(&m, TC_FP32, 4, 1, 5, none); /* R1, R4, R5: R1 stays, R3 leaves */
    mini_op(&m, TC_FP32, none, 1, 4, none);
    mini_op(&m, TC_FP32, none, 3, 6, none); /* R3, R6 */
    run(&m, &r);
    assert_int_equal(r.sm[stat_at("ltrf.prefetches")], 3);
    assert_int_equal(r.sm[SS_cache_prefetches], 2 + 1 + 2);
    assert_int_equal(r.sm[SS_cache_writebacks], 1); /* R3 */
    assert_int_equal(r.sm[SS_cache_dead], 2);       /* R1, R4 */
    assert_int_equal(r.sm[SS_cache_hits], r.sm[SS_cache_reads]);
    gpu_result_free(&r);
}

/* Results on their way when the set changes. R5's has a place in the new one and is not read; R3's has none and goes to its bank. */
static void in_flight(void **state)
{
    (void)state;
    for (uint32_t live = 0; live < 2; live++) {
        struct mini m;
        struct gpu_result r;
        open_ltrf(&m, "ltrf.regs=3", live);
        mini_mem(&m, TC_LDG, 5, 2, 4, 0x200000000000, 4);
        mini_op(&m, TC_FP32, 3, 2, none, none);
        mini_op(&m, TC_FP32, 1, 4, none, none); /* R1, R4, R5 */
        mini_op(&m, TC_FP32, 4, 5, none, none);
        run(&m, &r);
        assert_int_equal(r.sm[stat_at("ltrf.prefetches")], 2);
        assert_int_equal(r.sm[SS_cache_prefetches], live ? 1 + 1 : 3 + 2);
        assert_int_equal(r.sm[SS_cache_writes], 3);
        assert_int_equal(r.sm[SS_cache_lost], 1);
        assert_int_equal(r.sm[SS_reg_writes], 1);
        gpu_result_free(&r);
    }
}

/* R1 leaves while a load is about to overwrite it: the old value goes nowhere, the new one to the bank. If the load is of some lanes, both. */
static void overwritten(void **state)
{
    (void)state;
    for (uint32_t part = 0; part < 2; part++) {
        struct mini m;
        struct gpu_result r;
        open_ltrf(&m, "ltrf.regs=2", false);
        mini_op(&m, TC_FP32, 1, 2, none, none);
        mini_op(&m, TC_FP32, none, 1, none, none);
        m.mask[mini_mem(&m, TC_LDG, 1, 2, 4, 0x200000000000, 4)] = part ? 0xff : ~0u;
        mini_op(&m, TC_FP32, none, 3, 4, none);
        mini_op(&m, TC_FP32, none, 1, none, none);
        run(&m, &r);
        assert_int_equal(r.sm[SS_cache_dead], !part);
        assert_int_equal(r.sm[SS_cache_writebacks], part);
        assert_int_equal(r.sm[SS_reg_writes], 1 + part);
        gpu_result_free(&r);
    }
}

/* R1 is dead where the interval begins. If all lanes write it, it is never read; if some do, it is read first for the others. */
static void some_lanes(void **state)
{
    (void)state;
    for (uint32_t part = 0; part < 2; part++) {
        struct mini m;
        struct gpu_result r;
        open_ltrf(&m, "ltrf.regs=16", true);
        mini_op(&m, TC_FP32, 4, 2, none, none);
        m.mask[mini_op(&m, TC_FP32, 1, 4, none, none)] = part ? 0xff : ~0u;
        mini_op(&m, TC_FP32, none, 1, none, none);
        if (part)
            m.mask[m.n - 1] = 0xff;
        run(&m, &r);
        assert_int_equal(r.sm[stat_at("ltrf.prefetches")], 1);
        assert_int_equal(r.sm[SS_cache_prefetches], 1 + part);
        assert_int_equal(r.sm[SS_cache_lost], 0);
        assert_int_equal(r.sm[SS_cache_hits], r.sm[SS_cache_reads]);
        gpu_result_free(&r);
    }
}

/* Lanes that are elsewhere may need what is dead for those that are here: a set that is entered by some lanes is read whole. */
static void diverged(void **state)
{
    (void)state;
    struct mini m;
    struct gpu_result r;
    open_ltrf(&m, "ltrf.regs=2", true);
    m.mask[mini_op(&m, TC_FP32, 1, 2, none, none)] = 0xff;
    m.mask[mini_op(&m, TC_FP32, none, 1, none, none)] = 0xff;
    m.mask[mini_op(&m, TC_FP32, 3, 4, none, none)] = 0xff;
    run(&m, &r);
    assert_int_equal(r.sm[SS_cache_prefetches], 4);
    assert_int_equal(r.sm[SS_cache_writebacks], 1);
    gpu_result_free(&r);
}

/* More operands than the set holds: the others are read from and written to their banks. */
static void wide(void **state)
{
    (void)state;
    struct mini m;
    struct gpu_result r;
    open_ltrf(&m, "ltrf.regs=2", true);
    mini_op(&m, TC_FP32, 4, 1, 2, 3);
    run(&m, &r);
    assert_int_equal(r.sm[SS_cache_prefetches], 2);
    assert_int_equal(r.sm[SS_cache_hits], 2);
    assert_int_equal(r.sm[SS_reg_reads], 3);
    assert_int_equal(r.sm[SS_cache_lost], 1);
    assert_int_equal(r.sm[SS_reg_writes], 1);
    gpu_result_free(&r);
}

/* ---- the active set ---- */

/* Two warps, one of which may be active. Each makes R1 and waits for a load: it leaves the set with R1, and has its working set read
 * again when it comes back. */
static void swap(void **state)
{
    (void)state;
    struct mini m;
    struct gpu_result r;
    open_ltrf(&m, "ltrf.regs=16", true);
    mini_set(&m, "sm.wsched=two-level");
    mini_set(&m, "active.warps=1");
    m.warps = 2;
    mini_op(&m, TC_FP32, 1, none, none, none);
    mini_op(&m, TC_FP32, none, 1, none, none); /* R1 is there */
    mini_mem(&m, TC_LDG, 2, none, 4, 0x200000000000, 4);
    mini_op(&m, TC_FP32, 3, 2, 1, none);
    run(&m, &r);
    assert_true(r.sm[SS_cache_flushes] >= 1);
    assert_int_equal(r.sm[SS_cache_writebacks], r.sm[SS_cache_flushes]);
    assert_int_equal(r.sm[stat_at("ltrf.prefetches")], 2 + r.sm[SS_cache_flushes]);
    assert_int_equal(r.sm[SS_cache_prefetches], 2 * r.sm[SS_cache_flushes]); /* R1, and R2 from its bank */
    gpu_result_free(&r);
}

/* The three states of the Malekeh paper's Fig. 10, as for rfc. Prefetches are none of the scheduler's: the third. */
static void three_states(void **state)
{
    (void)state;
    for (uint32_t active = 1; active <= 2; active++) {
        struct mini m;
        struct gpu_result r;
        open_ltrf(&m, "ltrf.regs=16", true);
        mini_set(&m, "sm.wsched=two-level");
        mini_set(&m, active == 1 ? "active.warps=1" : "active.warps=2");
        m.warps = 2;
        for (uint32_t i = 0; i < 8; i++)
            mini_op(&m, TC_FP32, 1, 1, none, none);
        run(&m, &r);
        assert_int_equal(r.sm[SS_stall_policy] != 0, active == 1);
        uint64_t rest = 0;
        for (uint32_t i = SS_issued + 1; i <= SS_stall_drained; i++)
            rest += i == SS_stall_policy ? 0 : r.sm[i];
        assert_int_equal(r.sm[SS_issued] + r.sm[SS_stall_policy] + rest, r.sm[SS_cycles]);
        assert_true(r.sm[SS_stall_prefetch] >= 1);
        gpu_result_free(&r);
    }
}

/* One warp may issue, the oldest that is not at a barrier. While it is at one the other begins to get its registers; then that is
 * beyond the limit, and still gets them before it is put aside. */
static void beyond_the_limit(void **state)
{
    (void)state;
    struct mini m;
    struct gpu_result r;
    open_ltrf(&m, "ltrf.regs=16", true);
    mini_set(&m, "sm.wsched=two-level");
    mini_set(&m, "sm.warp_limit=1");
    mini_set(&m, "sm.partitions=1");
    mini_set(&m, "sm.banks=1"); /* twelve registers take twelve cycles, the barrier six */
    m.ctas = 2;
    mini_bar(&m);
    for (int i = 0; i < 4; i++)
        mini_op(&m, TC_FP32, 1, 2 + 3 * i, 3 + 3 * i, 4 + 3 * i);
    run(&m, &r);
    assert_int_equal(r.sm[SS_warp_insts], 2 * (1 + 4 + 1));
    gpu_result_free(&r);
}

static void refuse(const char *set, const char *more, bool yes)
{
    struct mini m;
    struct gpu_result r = {0};
    struct diag d = {0};
    open_ltrf(&m, "ltrf.regs=16", true);
    mini_set(&m, "sm.schedulers=2");
    mini_set(&m, set);
    mini_set(&m, more);
    mini_op(&m, TC_FP32, 1, 2, none, none);
    assert_int_equal(mini_try(&m, &r, 1, &d), yes ? GPU_REFUSED : GPU_OK);
    if (yes)
        assert_non_null(strstr(d.msg[0].text, "sm.operands = ltrf"));
    gpu_result_free(&r);
    diag_free(&d);
    mini_free(&m);
}

static void refused(void **state)
{
    (void)state;
    refuse("sm.bank_write_port=true", "sm.wsched=gto", true);
    refuse("sm.warp_pool=true", "sm.wsched=two-level", true);
    refuse("sm.warp_pool=true", "sm.wsched=gto", false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(timing),     cmocka_unit_test(other_warps),  cmocka_unit_test(leaving),
        cmocka_unit_test(keeping),    cmocka_unit_test(in_flight),    cmocka_unit_test(overwritten),
        cmocka_unit_test(some_lanes), cmocka_unit_test(diverged),     cmocka_unit_test(wide),
        cmocka_unit_test(swap),       cmocka_unit_test(three_states), cmocka_unit_test(beyond_the_limit),
        cmocka_unit_test(refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
