/* SPDX-License-Identifier: Apache-2.0 */
/* One pool and the conflicts of the unified paper, in hand-counted cycles: dependent chains, so that what an instruction takes
 * longer is seen as often as there are instructions. */
#include "mini.h"
#include "sm/onchip/rows.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { LINKS = 10, none = MINI_NONE };

static const char *const machine[] = {
    "sm.partitions=1",         "sm.warps=8",      "sm.banks=4",     "sm.clusters=8",
    "sm.bank_write_port=true", "sm.l1_kb=64",     "sm.l1_ways=4",   "sm.l1_local_through=true",
    "sm.shared_kb=64",         "sm.collectors=8", "latency.FP32=8", "interval.FP32=1",
    "sm.l1_sectors=false",
};

static void start(struct mini *m, const char *onchip, const char *conflicts)
{
    char text[64];
    mini_init(m);
    for (uint32_t i = 0; i < sizeof machine / sizeof machine[0]; i++)
        mini_set(m, machine[i]);
    snprintf(text, sizeof text, "sm.onchip=%s", onchip);
    mini_set(m, text);
    snprintf(text, sizeof text, "sm.conflicts=%s", conflicts);
    mini_set(m, text);
    m->shared_b = 16384;
}

static uint64_t end(struct mini *m)
{
    struct gpu_result r;
    uint64_t cycles = mini_run(m, &r, 1);
    gpu_result_free(&r);
    mini_free(m);
    return cycles;
}

/* Cycles of a chain R0 = op(R0, b). */
static uint64_t chain(const char *onchip, const char *conflicts, const char *operands, int b)
{
    struct mini m;
    char text[64];
    start(&m, onchip, conflicts);
    snprintf(text, sizeof text, "sm.operands=%s", operands);
    mini_set(&m, text);
    for (uint32_t i = 0; i < LINKS; i++)
        mini_op(&m, TC_FP32, 0, 0, b, none);
    return end(&m);
}

/* R0 and R4 lie in one bank, R0 and R5 do not. If the result before is in the last-result file, one operand is left for the
 * banks. */
static void registers(void **state)
{
    (void)state;
    static const char *const conflicts[] = {"insn", "cycle"}, *const onchips[] = {"partitioned", "unified"};
    for (uint32_t i = 0; i < 4; i++) {
        const char *o = onchips[i / 2], *c = conflicts[i % 2];
        assert_int_equal(chain(o, c, "collectors", 4) - chain(o, c, "collectors", 5), LINKS);
        /* The first one of the chain finds nothing there. */
        assert_int_equal(chain(o, c, "swrfc", 4) - chain(o, c, "swrfc", 5), 1);
    }
}

/* A chain of shared loads R0 = [R0] of `width` bytes, and how often instructions were counted by their accesses to one bank. */
static uint64_t shared(const char *onchip, const char *conflicts, uint32_t width, uint64_t base,
                       int64_t stride, uint64_t *max)
{
    struct mini m;
    struct gpu_result r;
    start(&m, onchip, conflicts);
    for (uint32_t i = 0; i < LINKS; i++)
        mini_mem(&m, TC_LDS, 0, 0, width, base, stride);
    uint64_t cycles = mini_run(&m, &r, 1);
    for (uint32_t i = 0; max && i < ROWS_MAX; i++)
        max[i] = r.arrays[SA_bank_max][i];
    gpu_result_free(&r);
    mini_free(&m);
    return cycles;
}

/* Cycles that each load takes beyond one that finds every bank free. */
static void strides(void **state)
{
    (void)state;
    static const struct {
        uint32_t width;
        uint64_t base;
        int64_t stride;
        uint32_t partitioned, unified, multi; /* n - 1 */
    } rows[] = {
        {4, 128, 4, 0, 0, 0},   /* a line in bank 1 */
        {4, 0, 4, 0, 1, 1},     /* in bank 0, which the address is read from */
        {4, 0, 16, 3, 3, 1},    /* 4 rows in each cluster, one of them in bank 0 */
        {4, 0, 32, 7, 7, 2},    /* 8 rows, two in a bank, and the address */
        {4, 0, 128, 31, 31, 8}, /* 32 rows, eight in a bank, and the address */
        {16, 0, 16, 3, 3, 3},   /* 512 bytes */
    };
    for (uint32_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        static const char *const names[] = {"partitioned", "unified", "unified-multi"};
        const uint32_t want[] = {rows[i].partitioned, rows[i].unified, rows[i].multi};
        for (uint32_t k = 0; k < 3; k++) {
            uint64_t max[ROWS_MAX], free = shared(names[k], "insn", 4, 128, 4, NULL);
            uint64_t n = shared(names[k], "insn", rows[i].width, rows[i].base, rows[i].stride, max) - free;
            assert_int_equal(n, (uint64_t)want[k] * LINKS);
            assert_int_equal(max[want[k] < ROWS_MAX - 1 ? want[k] : ROWS_MAX - 1], LINKS + (want[k] ? 0 : 1));
        }
    }
}

/* Cycle by cycle the address was read long before: only rows that meet in a cluster wait for each other. */
static void strides_by_cycle(void **state)
{
    (void)state;
    static const struct {
        uint32_t width;
        int64_t stride;
        uint32_t partitioned, unified, multi;
    } rows[] = {{4, 4, 0, 0, 0}, {4, 16, 3, 3, 0}, {4, 32, 7, 7, 1}, {4, 128, 31, 31, 7}, {16, 16, 3, 3, 3}};
    for (uint32_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        static const char *const names[] = {"partitioned", "unified", "unified-multi"};
        const uint32_t want[] = {rows[i].partitioned, rows[i].unified, rows[i].multi};
        for (uint32_t k = 0; k < 3; k++)
            assert_int_equal(shared(names[k], "cycle", rows[i].width, 0, rows[i].stride, NULL) -
                                 shared(names[k], "cycle", 4, 0, 4, NULL),
                             (uint64_t)want[k] * LINKS);
    }
}

/* Conflicts of one instruction delay nobody else: other loads follow the bytes of the one before, not its rows. */
static void busy(void **state)
{
    (void)state;
    static const struct {
        const char *conflicts;
        uint32_t width;
        int64_t stride;
        uint32_t each;
    } rows[] = {{"insn", 4, 128, 1}, {"insn", 16, 16, 4}, {"cycle", 4, 128, 32}, {"cycle", 16, 16, 4}};
    for (uint32_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint64_t cycles[2];
        for (uint32_t k = 0; k < 2; k++) {
            struct mini m;
            start(&m, "unified", rows[i].conflicts);
            for (uint32_t n = 0; n < 4 + k; n++)
                mini_mem(&m, TC_LDS, 8 + 4 * (int)n, none, rows[i].width, 0, rows[i].stride);
            cycles[k] = end(&m);
        }
        assert_int_equal(cycles[1] - cycles[0], rows[i].each);
    }
}

/* Warp 0 asks for a line of shared memory, warp 1 reads R8 from bank 0, a cycle later in each run: in one of them both meet. */
static void arbitration(void **state)
{
    (void)state;
    for (uint32_t bank = 0; bank < 4; bank++) {
        uint64_t waits = 0;
        for (uint32_t late = 0; late < 6; late++) {
            struct mini m;
            struct gpu_result r;
            start(&m, "unified", "cycle");
            mini_set(&m, "sm.wsched=lrr");
            m.warps = 2;
            m.warps_mask[mini_op(&m, TC_FP32, 1, none, none, none)] = 1;
            m.warps_mask[mini_op(&m, TC_FP32, 2, none, none, none)] = 1;
            m.warps_mask[mini_mem(&m, TC_LDS, 3, none, 4, bank * 128, 4)] = 1;
            for (uint32_t i = 0; i < late; i++)
                m.warps_mask[mini_op(&m, TC_FP32, 10 + (int)i, none, none, none)] = 2;
            m.warps_mask[mini_op(&m, TC_FP32, 4, 8, none, none)] = 2;
            mini_run(&m, &r, 1);
            waits += r.sm[SS_arbitration_wait];
            gpu_result_free(&r);
            mini_free(&m);
        }
        assert_int_equal(waits, bank == 0);
    }
}

/* The same kernel three times: it is divided once, and what L1 has stays. */
static void scope(void **state)
{
    (void)state;
    for (uint32_t kernel = 0; kernel < 2; kernel++) {
        struct mini m;
        struct gpu_result r;
        start(&m, "unified", "insn");
        mini_set(&m, kernel ? "sm.onchip_scope=kernel" : "sm.onchip_scope=program");
        mini_set(&m, "sm.l1_flush=false");
        m.launches = 3;
        mini_mem(&m, TC_LDG, 1, none, 4, 0x200000000000ull, 4);
        mini_run(&m, &r, 1);
        /* A warp of 32 registers; 384 KB less 4 and 16 are cache. */
        assert_int_equal(r.sm[SS_split_reg_b], 4096);
        assert_int_equal(r.sm[SS_split_shared_b], 16384);
        assert_int_equal(r.sm[SS_split_cache_b], 384 * 1024 - 4096 - 16384);
        assert_int_equal(r.sm[SS_split_threads], 32);
        assert_int_equal(r.sm[SS_repartitions], 0);
        assert_int_equal(r.sm[SS_l1_read_hits], 2 * 4); /* sectors of the line */
        gpu_result_free(&r);
        mini_free(&m);
    }
}

/* Local stores: kept until they are replaced, or sent at once. */
static void through(void **state)
{
    (void)state;
    for (uint32_t alloc = 0; alloc < 3; alloc++) {
        struct mini m;
        struct gpu_result r;
        char text[64];
        start(&m, "partitioned", "insn");
        snprintf(text, sizeof text, "sm.l1_store_alloc=%u", alloc);
        mini_set(&m, text);
        mini_mem(&m, TC_STL, none, none, 4, 0, 0);
        mini_mem(&m, TC_LDL, 1, none, 4, 0, 0);
        mini_mem(&m, TC_STG, none, none, 4, 0x200000000000ull, 4);
        mini_mem(&m, TC_LDG, 2, none, 4, 0x200000000000ull, 4);
        mini_run(&m, &r, 1);
        assert_int_equal(r.mem[MS_l2_writes], 8);
        assert_int_equal(r.sm[SS_l1_read_hits], 4 * alloc);
        gpu_result_free(&r);
        mini_free(&m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(registers), cmocka_unit_test(strides),     cmocka_unit_test(strides_by_cycle),
        cmocka_unit_test(busy),      cmocka_unit_test(arbitration), cmocka_unit_test(scope),
        cmocka_unit_test(through),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
