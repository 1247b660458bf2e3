/* SPDX-License-Identifier: Apache-2.0 */
/* The way of a partition's registers to the load-store unit and of words back, and when registers may be overwritten: cycles
 * counted by hand, which silicon/holds.cu measures on an H200. */
#include "mini.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void load(struct mini *m, uint32_t i) { mini_mem(m, TC_LDS, (int)(10 + i % 60), 2, 4, 0, 4); }
/* Its data is in register 3. */
static uint32_t stored(struct mini *m)
{
    uint32_t at = mini_mem(m, TC_STS, MINI_NONE, 2, 4, 0, 4);
    m->insns[at].src[m->insns[at].nsrc++] = (struct tr_opnd){.kind = TO_REG, .n = 1, .val = 3};
    return at;
}
static void store(struct mini *m, uint32_t i)
{
    (void)i;
    (void)stored(m);
}
static void meet(struct mini *m, uint32_t i) { mini_mem(m, TC_LDS, (int)(10 + i % 60), 2, 4, 0, 128); }
static void chain(struct mini *m, uint32_t i)
{
    (void)i;
    mini_mem(m, TC_LDS, 2, 2, 4, 0, 128);
}

/* A load sends its address, a store its data as well: 2 cycles each. All lanes in one bank make 32 passes: 2 cycles each to one
 * partition, and one for the SM, which two partitions and more keep busy. H200: 2, 4, 64 and 128 for four partitions. */
static void registers(void **state)
{
    (void)state;
    const char *port[] = {"sm.port_cyc=2", NULL};
    assert_true(mini_cost(load, NULL, 1) < MINI_STEPS * 2);
    assert_int_equal(mini_cost(load, port, 1), MINI_STEPS * 2);
    assert_true(mini_cost(store, NULL, 1) < MINI_STEPS * 3);
    assert_int_equal(mini_cost(store, port, 1), MINI_STEPS * 4);
    assert_int_equal(mini_cost(meet, NULL, 1), MINI_STEPS * 32);
    assert_int_equal(mini_cost(meet, port, 1), MINI_STEPS * 64);
    assert_int_equal(mini_cost_of_all(meet, port, 4), MINI_STEPS * 128);
}

/* The last of 32 passes is there 31 cycles later, or 62 at 2 each. */
static void passes(void **state)
{
    (void)state;
    const char *port[] = {"sm.port_cyc=2", NULL};
    uint64_t none = mini_cost(chain, NULL, 1);
    assert_int_equal(none, MINI_STEPS * (20 + 31));
    assert_int_equal(mini_cost(chain, port, 1), MINI_STEPS * (20 + 62));
}

static uint32_t code(uint32_t stall, uint32_t reads, uint32_t waits)
{
    return stall | 1u << 4 | (uint32_t)TR_CTL_NONE << 5 | reads << 8 | waits << 11;
}

/* n times an access, then an addition that waits until the access has read its registers. */
static uint64_t accesses(uint32_t n, enum tr_class cls, const char *const *sets)
{
    struct mini m;
    mini_init(&m);
    m.coded = true;
    mini_set(&m, "sm.partitions=1");
    mini_set(&m, "sm.control_codes=true");
    for (; *sets; sets++)
        mini_set(&m, *sets);
    for (uint32_t i = 0; i < n; i++) {
        int to = (int)(40 + i % 60);
        bool special = cls == TC_SFU;
        uint32_t at = special         ? mini_op(&m, cls, to, 2, MINI_NONE, MINI_NONE)
                      : cls == TC_STS ? stored(&m)
                                      : mini_mem(&m, cls, to, 2, 4, 0, cls == TC_LDC ? 0 : 4);
        if (cls == TC_LDC)
            m.insns[at].space = SPACE_CONST;
        m.insns[at].ctl = code(2, 1, 0);
        at = mini_op(&m, TC_FP32, 10 + (int)(i % 8), 4, MINI_NONE, MINI_NONE);
        m.insns[at].ctl = code(1, TR_CTL_NONE, 1u << 1);
    }
    uint64_t cycles = mini_cycles(&m);
    mini_free(&m);
    return cycles;
}

static uint64_t each(enum tr_class cls, const char *const *sets)
{
    uint64_t cycles = accesses(MINI_LONG, cls, sets) - accesses(MINI_SHORT, cls, sets);
    return cycles / MINI_STEPS;
}

/* Two cycles to the unit, two or eight of its interval for what leaves, then free_cyc; and a cycle of the addition. */
static void free_registers(void **state)
{
    (void)state;
    const char *at_once[] = {"interval.SFU=8", "latency.LDC=28", NULL};
    const char *later[] = {"interval.SFU=8", "latency.LDC=28", "sm.port_cyc=2", "sm.free_cyc=4", NULL};
    assert_true(each(TC_LDS, at_once) < 5);
    assert_int_equal(each(TC_LDS, later), 2 + 2 + 4 + 1);           /* H200: 9.3 */
    assert_int_equal(each(TC_STS, later), each(TC_LDS, later) + 2); /* 12.3 */
    assert_int_equal(each(TC_SFU, later), 2 + 8 + 4 + 1);           /* 15.3 */
    assert_int_equal(each(TC_LDC, later), 28 + 1);                  /* 29.3: its result */
}

/* Of products of 64 bits. */
static uint64_t wide(uint32_t n, enum tr_class cls, uint32_t stall, bool coded)
{
    struct mini m;
    mini_init(&m);
    m.coded = coded;
    mini_set(&m, "sm.partitions=1");
    mini_set(&m, "sm.control_codes=true");
    mini_set(&m, "sm.wide_cyc=2");
    mini_set(&m, "latency.WIDE=6");
    for (uint32_t i = 0; i < n; i++) {
        int r = coded ? (int)(10 + i % 60) : 10;
        m.insns[mini_op(&m, cls, r, coded ? 2 : r, 3, MINI_NONE)].ctl = code(stall, TR_CTL_NONE, 0);
    }
    uint64_t cycles = mini_cycles(&m);
    mini_free(&m);
    return cycles;
}

static void products(void **state)
{
    (void)state;
    /* H200: 8.3 */
    assert_int_equal(wide(MINI_LONG, TC_WIDE, 6, true) - wide(MINI_SHORT, TC_WIDE, 6, true), MINI_STEPS * 8);
    assert_int_equal(wide(MINI_LONG, TC_MULHI, 6, true) - wide(MINI_SHORT, TC_MULHI, 6, true),
                     MINI_STEPS * 8);
    assert_int_equal(wide(MINI_LONG, TC_IMUL, 6, true) - wide(MINI_SHORT, TC_IMUL, 6, true), MINI_STEPS * 6);
    assert_int_equal(wide(MINI_LONG, TC_WIDE, 0, false) - wide(MINI_SHORT, TC_WIDE, 0, false),
                     MINI_STEPS * 8);
}

/* A constant behind a load of 32 lines, and an addition that needs the constant. */
static uint64_t behind(uint32_t lines, bool aside)
{
    struct mini m;
    mini_init(&m);
    mini_set(&m, "sm.partitions=1");
    if (aside)
        mini_set(&m, "sm.const_aside=true");
    for (uint32_t i = 0; i < 2; i++) { /* the second time all of it is there */
        mini_mem(&m, TC_LDG, 20, 2, 4, 0x10000, lines > 1 ? 128 : 4);
        mini_op(&m, TC_FP32, 21, 20, MINI_NONE, MINI_NONE);
        mini_op(&m, TC_FP32, 2, 21, MINI_NONE, MINI_NONE);
    }
    mini_mem(&m, TC_LDG, 22, 2, 4, 0x10000, lines > 1 ? 128 : 4);
    m.insns[mini_mem(&m, TC_LDC, 23, 3, 4, 0, 0)].space = SPACE_CONST;
    mini_op(&m, TC_FP32, 24, 23, MINI_NONE, MINI_NONE);
    for (uint32_t i = 0; i < 400; i++)
        mini_op(&m, TC_FP32, 24, 24, MINI_NONE, MINI_NONE);
    uint64_t cycles = mini_cycles(&m);
    mini_free(&m);
    return cycles;
}

static void constants(void **state)
{
    (void)state;
    uint64_t first = behind(32, false) - behind(32, true), second = behind(1, false) - behind(1, true);
    assert_int_equal(first - second, 31); /* one lookup a cycle */
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(registers), cmocka_unit_test(passes),
                                       cmocka_unit_test(free_registers), cmocka_unit_test(products),
                                       cmocka_unit_test(constants)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
