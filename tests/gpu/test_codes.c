/* SPDX-License-Identifier: Apache-2.0 */
/* sm.control_codes: cycles of instructions whose codes say when their warp goes on, counted by hand. */
#include "mini.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { SHORT = 80, LONG = 240, STEPS = LONG - SHORT };

static uint32_t code(uint32_t stall, uint32_t writes, uint32_t reads, uint32_t waits)
{
    return stall | 1u << 4 | writes << 5 | reads << 8 | waits << 11;
}

static void machine(struct mini *m, bool by_codes)
{
    mini_init(m);
    m->coded = true;
    mini_set(m, "sm.partitions=1");
    mini_set(m, by_codes ? "sm.control_codes=true" : "sm.control_codes=false");
}

/* n additions that do not depend on each other. */
static uint64_t additions(uint32_t n, uint32_t stall, bool by_codes)
{
    struct mini m;
    machine(&m, by_codes);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t at = mini_op(&m, TC_FP32, 10 + (int)(i % 8), 1, 2, MINI_NONE);
        m.insns[at].ctl = code(stall, TR_CTL_NONE, TR_CTL_NONE, 0);
    }
    uint64_t cycles = mini_cycles(&m);
    mini_free(&m);
    return cycles;
}

static void stalls(void **state)
{
    (void)state;
    for (uint32_t stall = 4; stall < 16; stall += 3)
        assert_int_equal(additions(LONG, stall, true) - additions(SHORT, stall, true), STEPS * stall);
    assert_int_equal(additions(LONG, 15, false), additions(LONG, 1, false)); /* not asked for: as without */
    assert_true(additions(LONG, 15, false) < additions(LONG, 15, true));
}

/* A load, and an addition that needs nothing of it and waits for barriers or not. */
static uint64_t load_and_add(uint32_t writes, uint32_t reads, uint32_t waits, uint32_t loads)
{
    struct mini m;
    machine(&m, true);
    for (uint32_t i = 0; i < loads; i++) {
        uint32_t at = mini_mem(&m, TC_LDG, 20 + (int)i, 3, 4, 0x10000 + 4096 * i, 4);
        m.insns[at].ctl = code(1, writes, reads, 0);
    }
    for (uint32_t i = 0; i < 200; i++) {
        uint32_t at = mini_op(&m, TC_FP32, 10, 1, 2, MINI_NONE);
        m.insns[at].ctl = code(8, TR_CTL_NONE, TR_CTL_NONE, i ? 0 : waits);
    }
    uint64_t cycles = mini_cycles(&m);
    mini_free(&m);
    return cycles;
}

static void barriers(void **state)
{
    (void)state;
    uint64_t free = load_and_add(2, TR_CTL_NONE, 0, 1), other = load_and_add(2, TR_CTL_NONE, 1u << 3, 1);
    uint64_t result = load_and_add(2, TR_CTL_NONE, 1u << 2, 1);
    uint64_t reads = load_and_add(TR_CTL_NONE, 2, 1u << 2, 1);
    assert_int_equal(free, other);    /* a barrier that counts nothing */
    assert_true(result > free + 50);  /* memory's answer comes first */
    assert_true(reads > free);        /* the address has been read ... */
    assert_true(reads < result - 50); /* ... long before */
    uint64_t two = load_and_add(2, TR_CTL_NONE, 1u << 2, 2);
    assert_true(two > result); /* it counts both */
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(stalls), cmocka_unit_test(barriers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
