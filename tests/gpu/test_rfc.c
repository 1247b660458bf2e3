/* The register file cache and its scheduler, event by event. */
#include "mini.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static const int none = MINI_NONE;

static void open_mini(struct mini *m)
{
    mini_init(m);
    mini_set(m, "sm.operands=rfc");
    mini_set(m, "sm.partitions=1");
    mini_set(m, "sm.warps=4");
    mini_set(m, "sm.registers=16384");
}

static void run(struct mini *m, struct gpu_result *r)
{
    mini_run(m, r, 1);
    mini_free(m);
    assert_int_equal(r->sm[SS_cache_reads], r->sm[SS_cache_hits] + r->sm[SS_reg_reads]);
}

/* A result goes to the cache and not to its bank; sources that miss make no entry; what is left at the end is dropped. */
static void results(void **state)
{
    (void)state;
    struct mini m;
    struct gpu_result r;
    open_mini(&m);
    mini_op(&m, TC_FP32, 1, 2, none, none);
    mini_op(&m, TC_FP32, 3, 1, 2, none);
    run(&m, &r);
    assert_int_equal(r.sm[SS_cache_hits], 1);
    assert_int_equal(r.sm[SS_reg_reads], 2);
    assert_int_equal(r.sm[SS_reg_writes], 0);
    assert_int_equal(r.sm[SS_cache_writes], 2);
    gpu_result_free(&r);
}

/* First in, first out; writing a register again is no new entry, and does not renew its place. */
static void order(void **state)
{
    (void)state;
    for (uint32_t again = 0; again < 2; again++) {
        struct mini m;
        struct gpu_result r;
        open_mini(&m);
        for (int i = 1; i <= 6; i++)
            mini_op(&m, TC_FP32, i, none, none, none);
        if (again)
            mini_op(&m, TC_FP32, 1, none, none, none);
        mini_op(&m, TC_FP32, 7, none, none, none); /* R1 leaves */
        mini_op(&m, TC_FP32, none, 1, 2, 7);
        run(&m, &r);
        assert_int_equal(r.sm[SS_cache_hits], 2);
        assert_int_equal(r.sm[SS_reg_reads], 1);
        assert_int_equal(r.sm[SS_reg_writes], 1);
        assert_int_equal(r.sm[SS_cache_writebacks], 1);
        gpu_result_free(&r);
    }
}

/* A value that was read for the last time leaves without a write, unless some lanes have not read it. */
static void last_read(void **state)
{
    (void)state;
    for (uint32_t part = 0; part < 2; part++) {
        struct mini m;
        struct gpu_result r;
        open_mini(&m);
        mini_op(&m, TC_FP32, 1, none, none, none);
        m.mask[mini_op(&m, TC_FP32, none, 1, none, none)] = part ? 0xff : ~0u;
        for (int i = 2; i <= 7; i++)
            mini_op(&m, TC_FP32, i, none, none, none);
        run(&m, &r);
        assert_int_equal(r.sm[SS_cache_dead], !part);
        assert_int_equal(r.sm[SS_cache_writebacks], part);
        assert_int_equal(r.sm[SS_reg_writes], part);
        gpu_result_free(&r);
    }
}

/* Some lanes: to the bank, or into the entry that has the others. */
static void some_lanes(void **state)
{
    (void)state;
    for (uint32_t had = 0; had < 2; had++) {
        struct mini m;
        struct gpu_result r;
        open_mini(&m);
        if (had)
            mini_op(&m, TC_FP32, 1, none, none, none);
        m.mask[mini_op(&m, TC_FP32, 1, none, none, none)] = 0xff;
        mini_op(&m, TC_FP32, none, 1, none, none);
        run(&m, &r);
        assert_int_equal(r.sm[SS_cache_hits], had);
        assert_int_equal(r.sm[SS_reg_writes], !had);
        assert_int_equal(r.sm[SS_cache_lost], !had);
        gpu_result_free(&r);
    }
}

/* Two warps, one of which may be active. Each makes R1 and waits for a load: it leaves the set with R1, which is in its bank when it
 * comes back. The load's result comes while the warp is away and goes to the bank. */
static void swap(void **state)
{
    (void)state;
    struct mini m;
    struct gpu_result r;
    open_mini(&m);
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
    assert_true(r.sm[SS_cache_lost] >= 1);
    gpu_result_free(&r);
}

/* The three states of the Malekeh paper's Fig. 10. While the active warp waits for its own results a ready one stands outside: those
 * cycles are the scheduler's fault. With room for both in the set there are none. */
static void three_states(void **state)
{
    (void)state;
    for (uint32_t active = 1; active <= 2; active++) {
        struct mini m;
        struct gpu_result r;
        open_mini(&m);
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
        gpu_result_free(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(results),   cmocka_unit_test(order),
                                       cmocka_unit_test(last_read), cmocka_unit_test(some_lanes),
                                       cmocka_unit_test(swap),      cmocka_unit_test(three_states)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
