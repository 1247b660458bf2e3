/* SPDX-License-Identifier: Apache-2.0 */
/* Accounting on micro-kernels whose counts are known: banks, reads per cycle, partitions, and who is waited for. */
#include "mini.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { SHORT = 40, LONG = 140, STEPS = LONG - SHORT };

typedef void filler(struct mini *m);

/* Runs n times the filler's instructions. */
static struct gpu_result run(filler *f, uint32_t n, uint32_t warps, const char *const *sets)
{
    struct mini m;
    struct gpu_result r;
    mini_init(&m);
    m.warps = warps;
    for (uint32_t i = 0; sets && sets[i]; i++)
        mini_set(&m, sets[i]);
    for (uint32_t i = 0; i < n; i++)
        f(&m);
    mini_run(&m, &r, 1);
    mini_free(&m);
    return r;
}

/* ---- register banks ---- */

static void same_bank(struct mini *m) { mini_op(m, TC_FP32, 5, 2, 4, MINI_NONE); }
static void two_banks(struct mini *m) { mini_op(m, TC_FP32, 5, 2, 7, MINI_NONE); }

/* Two operands of bank 0, one after the other; a result for bank 1. */
static void by_bank(void **state)
{
    (void)state;
    struct gpu_result r = run(same_bank, LONG, 1, NULL);
    assert_int_equal(r.arrays[SA_bank_reads][0], 2 * LONG);
    assert_int_equal(r.arrays[SA_bank_reads][1], 0);
    assert_int_equal(r.arrays[SA_bank_writes][0], 0);
    assert_int_equal(r.arrays[SA_bank_writes][1], LONG);
    assert_int_equal(r.arrays[SA_bank_conflicts][0], LONG);
    assert_int_equal(r.arrays[SA_bank_conflicts][1], 0);
    assert_int_equal(r.sm[SS_reg_reads], 2 * LONG);
    assert_int_equal(r.sm[SS_reg_writes], LONG);
    assert_int_equal(r.sm[SS_bank_conflict], LONG);
    assert_int_equal(r.sm[SS_bank_busy], 3 * LONG);
    gpu_result_free(&r);
}

/* Both at once, or one in each of two cycles; in all other cycles, slept through or not, none. */
static void reads_per_cycle(void **state)
{
    (void)state;
    struct gpu_result r = run(two_banks, LONG, 1, NULL), s = run(same_bank, LONG, 1, NULL);
    const uint64_t *a = r.arrays[SA_reads_per_cycle], *b = s.arrays[SA_reads_per_cycle];
    assert_int_equal(a[0], r.cycles - LONG);
    assert_int_equal(a[1], 0);
    assert_int_equal(a[2], LONG);
    assert_int_equal(b[0], s.cycles - 2 * LONG);
    assert_int_equal(b[1], 2 * LONG);
    assert_int_equal(b[2], 0);
    gpu_result_free(&r);
    gpu_result_free(&s);
}

/* Four partitions: their reads are added up per SM and cycle. */
static void reads_of_an_sm(void **state)
{
    (void)state;
    struct gpu_result r = run(two_banks, LONG, 4, NULL);
    uint64_t reads = 0, cycles = 0;
    for (uint32_t i = 0; i <= 4 * 2; i++) {
        reads += i * r.arrays[SA_reads_per_cycle][i];
        cycles += r.arrays[SA_reads_per_cycle][i];
    }
    assert_int_equal(reads, 4 * 2 * LONG);
    assert_int_equal(cycles, r.cycles);
    /* The partitions run the same code and soon keep step. */
    assert_true(r.arrays[SA_reads_per_cycle][8] + r.arrays[SA_reads_per_cycle][6] > LONG / 2);
    gpu_result_free(&r);
}

/* ---- partitions ---- */

/* Warp 0 executes three instructions and EXIT, the others EXIT alone: 4, 1, 1, 1. */
static void partitions(void **state)
{
    (void)state;
    struct mini m;
    struct gpu_result r;
    mini_init(&m);
    m.warps = 4;
    for (uint32_t i = 0; i < 3; i++)
        m.warps_mask[mini_op(&m, TC_FP32, 5, 2, MINI_NONE, MINI_NONE)] = 1;
    mini_run(&m, &r, 1);
    const uint64_t *v = r.arrays[SA_partition_issued];
    assert_int_equal(v[0], 4);
    assert_int_equal(v[1], 1);
    assert_int_equal(v[2], 1);
    assert_int_equal(v[3], 1);
    /* Mean 1.75, variance (2.25^2 + 3 * 0.75^2) / 4 = 1.6875. */
    double cov = gpu_issue_cov(&m.conf, &r);
    assert_true(cov * cov > 1.6875 / (1.75 * 1.75) - 1e-9 && cov * cov < 1.6875 / (1.75 * 1.75) + 1e-9);
    gpu_result_free(&r);
    mini_free(&m);
}

/* ---- who is waited for ---- */

static void alu(struct mini *m) { mini_op(m, TC_FP32, 1, 1, 2, MINI_NONE); }
static void sfu(struct mini *m) { mini_op(m, TC_SFU, 1, 1, 2, MINI_NONE); }
static void fp64(struct mini *m) { mini_op(m, TC_FP64, 1, 1, 2, MINI_NONE); }
static void tensor(struct mini *m) { mini_op(m, TC_HMMA, 1, 1, 2, MINI_NONE); }
static void shuffle(struct mini *m) { mini_op(m, TC_SHFL, 1, 1, 2, MINI_NONE); }
static void shared(struct mini *m) { mini_mem(m, TC_LDS, 1, 1, 4, 0, 4); }
static void global(struct mini *m) { mini_mem(m, TC_LDG, 1, 1, 4, 0x200000000000, 4); }

/* A chain waits for its producer in all but one of the cycles from issue to issue. */
static void by_producer(void **state)
{
    (void)state;
    static const struct {
        filler *f;
        enum sm_stat cause;
        uint32_t latency;
    } rows[] = {
        {alu, SS_stall_alu, 4},        {sfu, SS_stall_sfu, 9},       {fp64, SS_stall_fp64, 11},
        {tensor, SS_stall_tensor, 17}, {shuffle, SS_stall_misc, 13}, {shared, SS_stall_shared, 20},
        {global, SS_stall_memory, 30},
    };
    const char *sets[] = {"latency.SFU=9", "latency.FP64=11", "latency.HMMA=17", "latency.SHFL=13", NULL};
    for (uint32_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct gpu_result a = run(rows[i].f, SHORT, 1, sets), b = run(rows[i].f, LONG, 1, sets);
        for (uint32_t s = SS_stall_no_warp + 1; s <= SS_stall_drained; s++) {
            uint64_t want = s == rows[i].cause ? STEPS * (rows[i].latency - 1) : 0;
            if (s == SS_stall_fetch)
                continue; /* at the start of a line, beside the rest */
            assert_int_equal(b.sm[s] - a.sm[s], want);
        }
        assert_int_equal(b.cycles - a.cycles, STEPS * rows[i].latency);
        gpu_result_free(&a);
        gpu_result_free(&b);
    }
}

/* R2 may be written only when the instruction before, which waits in its collector for the unit, has left with it. */
static void overwritten(struct mini *m)
{
    mini_op(m, TC_FP64, 6, 2, MINI_NONE, MINI_NONE);
    mini_op(m, TC_FP64, 8, 2, MINI_NONE, MINI_NONE);
    mini_op(m, TC_FP32, 2, 3, MINI_NONE, MINI_NONE);
}

static void by_reader(void **state)
{
    (void)state;
    const char *sets[] = {"interval.FP64=16", "latency.FP64=4", "sm.collectors=4", NULL};
    struct gpu_result r = run(overwritten, 1, 1, sets);
    /* Issued at t and t + 1, the FP64 instructions leave at t + 2 and t + 18, where the third issues: t + 2 to t + 17. */
    assert_int_equal(r.sm[SS_stall_read], 16);
    gpu_result_free(&r);
}

/* ---- memory ---- */

/* Each load is a miss of its own; a miss entry is taken when the line is looked up, two cycles after issue. */
static void misses(void **state)
{
    (void)state;
    const char *sets[] = {"sm.l1_loads=false", NULL};
    struct gpu_result a = run(global, SHORT, 1, sets), b = run(global, LONG, 1, sets);
    uint64_t each = (b.cycles - a.cycles) / STEPS;
    assert_int_equal(b.sm[SS_mshr_uses] + b.sm[SS_mshr_cycles], 0); /* L1's are not for them */
    assert_int_equal(b.sm[SS_bypass_uses], LONG);
    assert_int_equal(b.sm[SS_bypass_cycles] - a.sm[SS_bypass_cycles], STEPS * (each - 2));
    assert_int_equal(b.sm[SS_request_wait], 0);
    assert_int_equal(b.mem[MS_l2_miss_uses], 1);
    assert_int_equal(b.mem[MS_icnt_requests], LONG);
    assert_int_equal(b.mem[MS_dram_reads], 4);
    /* Activation, read, four sectors of a cycle each. */
    assert_int_equal(b.mem[MS_dram_wait], 12 + 12 + 4);
    gpu_result_free(&a);
    gpu_result_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_bank),    cmocka_unit_test(reads_per_cycle), cmocka_unit_test(reads_of_an_sm),
        cmocka_unit_test(partitions), cmocka_unit_test(by_producer),     cmocka_unit_test(by_reader),
        cmocka_unit_test(misses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
