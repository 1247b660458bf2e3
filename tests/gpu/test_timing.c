/* SPDX-License-Identifier: Apache-2.0 */
/* Exact cycles of micro-kernels, counted by hand: arithmetic, registers, warps, code. core.h has the hand count of one
 * instruction; test_timing_memory.c has loads, stores and atomics. */
#include "mini.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/* ---- arithmetic ---- */

static void chain(struct mini *m, uint32_t i)
{
    (void)i;
    mini_op(m, TC_FP32, 1, 1, 2, MINI_NONE);
}

static void dependent(void **state)
{
    (void)state;
    assert_int_equal(mini_cost_of_all(chain, NULL, 1), MINI_STEPS * 4);
}

static void crossing_chain(struct mini *m, uint32_t i)
{
    mini_op(m, i % 2 ? TC_INT : TC_FP32, 1, 1, 2, MINI_NONE);
}

static void same_chain(struct mini *m, uint32_t i)
{
    mini_op(m, i % 2 ? TC_IMUL : TC_INT, 1, 1, 2, MINI_NONE);
}

/* From one unit to another and back: each result comes three cycles later there, but not to what a unit of its own has made. */
static void crossing(void **state)
{
    (void)state;
    const char *sets[] = {"sm.cross_cyc=3", "latency.IMUL=4", NULL};
    assert_int_equal(mini_cost_of_all(crossing_chain, NULL, 1), MINI_STEPS * 4);
    assert_int_equal(mini_cost_of_all(crossing_chain, sets, 1), MINI_STEPS * 7);
    assert_int_equal(mini_cost_of_all(same_chain, sets, 1), MINI_STEPS * 4);
}

static void independent_op(struct mini *m, uint32_t i)
{
    mini_op(m, TC_FP32, (int)(4 + i % 20), 2, 3, MINI_NONE);
}

/* The unit takes a warp every two cycles. */
static void independent(void **state)
{
    (void)state;
    assert_int_equal(mini_cost_of_all(independent_op, NULL, 1), MINI_STEPS * 2);
}

static void tensor_op(struct mini *m, uint32_t i) { mini_op(m, TC_HMMA, (int)(8 + i % 16), 2, 3, MINI_NONE); }

static void wide_tensor_op(struct mini *m, uint32_t i)
{
    tensor_op(m, i);
    struct tr_insn *t = &m->insns[m->n - 1];
    t->src[0] = (struct tr_opnd){.kind = TO_REG, .val = 4, .n = 4};
}

/* Four registers of A are two steps, which keep the unit for twice the time. */
static void tensor_steps(void **state)
{
    (void)state;
    const char *sets[] = {"interval.HMMA=7", NULL};
    assert_int_equal(mini_cost_of_all(tensor_op, sets, 1), MINI_STEPS * 7);
    assert_int_equal(mini_cost_of_all(wide_tensor_op, sets, 1), MINI_STEPS * 14);
}

static void apart_op(struct mini *m, uint32_t i)
{
    mini_op(m, TC_FP32, (int)(5 + 2 * (i % 10)), 2, MINI_NONE, MINI_NONE);
}

/* With a unit as wide as a warp, two collectors of two cycles each allow one instruction per cycle: read from bank 0, written
 * to bank 1. */
static void independent_wide(void **state)
{
    (void)state;
    const char *sets[] = {"interval.FP32=1", NULL};
    assert_int_equal(mini_cost_of_all(apart_op, sets, 1), MINI_STEPS);
}

/* Two reads and a write for two banks that do one of either per cycle: a cycle and a half. */
static void reads_and_writes(void **state)
{
    (void)state;
    const char *sets[] = {"interval.FP32=1", "sm.collectors=8", NULL};
    assert_int_equal(mini_cost_of_all(independent_op, sets, 1), MINI_STEPS * 3 / 2);
}

/* One collector is taken for two cycles by each instruction. */
static void one_collector(void **state)
{
    (void)state;
    const char *sets[] = {"interval.FP32=1", "sm.collectors=1", NULL};
    assert_int_equal(mini_cost_of_all(apart_op, sets, 1), MINI_STEPS * 2);
}

static void same_bank_chain(struct mini *m, uint32_t i)
{
    (void)i;
    mini_op(m, TC_FP32, 1, 1, 3, MINI_NONE);
}

/* Both operands in bank 1: the second is read a cycle later. */
static void same_bank(void **state)
{
    (void)state;
    assert_int_equal(mini_cost_of_all(same_bank_chain, NULL, 1), MINI_STEPS * 5);
    const char *sets[] = {"sm.bank_reads=2", NULL};
    assert_int_equal(mini_cost_of_all(same_bank_chain, sets, 1), MINI_STEPS * 4);
}

static void twice_chain(struct mini *m, uint32_t i)
{
    (void)i;
    mini_op(m, TC_FP32, 1, 1, 1, 1);
}

/* The same register three times is read once. */
static void same_register(void **state)
{
    (void)state;
    assert_int_equal(mini_cost_of_all(twice_chain, NULL, 1), MINI_STEPS * 4);
}

static void three_operands(struct mini *m, uint32_t i)
{
    mini_op(m, TC_FP32, (int)(8 + 2 * (i % 8)), 1, 3, 2);
}

/* Two of three operands in bank 1; results go to bank 0, where the third operand is: bank 1 is the bottleneck with two
 * reads per instruction. */
static void bank_bound(void **state)
{
    (void)state;
    const char *sets[] = {"interval.FP32=1", "sm.collectors=8", NULL};
    assert_int_equal(mini_cost_of_all(three_operands, sets, 1), MINI_STEPS * 2);
}

/* Issued at t, the first result is written at t + 4, in the cycle in which the instruction issued at t + 3 reads R3 of bank 1. A
 * write to the same bank goes first and costs the reader a cycle; one to bank 0 costs nothing. */
static void write_priority(void **state)
{
    (void)state;
    uint64_t cycles[2], waits[2];
    for (int k = 0; k < 2; k++) {
        struct mini m;
        struct gpu_result r;
        mini_init(&m);
        mini_op(&m, TC_FP32, 4 + k, 2, MINI_NONE, MINI_NONE);
        mini_op(&m, TC_NOP, MINI_NONE, MINI_NONE, MINI_NONE, MINI_NONE);
        mini_op(&m, TC_NOP, MINI_NONE, MINI_NONE, MINI_NONE, MINI_NONE);
        mini_op(&m, TC_FP32, 6, 3, MINI_NONE, MINI_NONE);
        cycles[k] = mini_run(&m, &r, 1);
        waits[k] = r.sm[SS_reg_read_wait];
        gpu_result_free(&r);
        mini_free(&m);
    }
    assert_int_equal(waits[0], 0);
    assert_int_equal(waits[1], 1);
    assert_int_equal(cycles[1], cycles[0] + 1);
}

/* R1 and R3 are in bank 1: the second waits for the first, whoever else reads. R2 in bank 0 waits for nobody. */
static void self_wait(void **state)
{
    (void)state;
    static const struct {
        int regs[3];
        const char *set;
        uint64_t self;
    } rows[] = {{{1, 3, 2}, "sm.bank_reads=1", 1},
                {{1, 3, 5}, "sm.bank_reads=1", 3},
                {{1, 3, 5}, "sm.bank_reads=2", 1},
                {{1, 2, 3}, "sm.banks=4", 0}};
    for (uint32_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct mini m;
        struct gpu_result r;
        mini_init(&m);
        mini_set(&m, rows[i].set);
        mini_op(&m, TC_FP32, 8, rows[i].regs[0], rows[i].regs[1], rows[i].regs[2]);
        mini_run(&m, &r, 1);
        assert_int_equal(r.sm[SS_reg_read_self], rows[i].self);
        assert_int_equal(r.sm[SS_reg_read_wait], rows[i].self);
        gpu_result_free(&r);
        mini_free(&m);
    }
}

/* ---- several warps ---- */

/* Four chains of one partition share the unit: each gets it every four cycles, so the chains run at full speed with two
 * warps, and the unit is the bound with four. */
static void latency_hidden(void **state)
{
    (void)state;
    const char *one_part[] = {"sm.partitions=1",      "sm.warps=16",     "sm.banks=16",
                              "sm.bank_swizzle=true", "sm.collectors=4", NULL};
    assert_int_equal(mini_cost_of_all(chain, one_part, 2), MINI_STEPS * 4);
    assert_int_equal(mini_cost_of_all(chain, one_part, 4), MINI_STEPS * 8);
}

/* Warps of different partitions do not see each other. */
static void partitions_independent(void **state)
{
    (void)state;
    assert_int_equal(mini_cost_of_all(chain, NULL, 4), MINI_STEPS * 4);
}

static void barrier_op(struct mini *m, uint32_t i)
{
    (void)i;
    mini_bar(m);
}

/* All warps arrive in the same cycle and go on barrier_cyc later. */
static void barrier_release(void **state)
{
    (void)state;
    assert_int_equal(mini_cost_of_all(barrier_op, NULL, 4), MINI_STEPS * 6);
}

/* ... or one warp of the SM after the other: the last of four 3 x 2 cycles after the first. */
static void barrier_in_turn(void **state)
{
    (void)state;
    const char *sets[] = {"sm.barrier_warp_cyc=2", NULL};
    assert_int_equal(mini_cost_of_all(barrier_op, sets, 1), MINI_STEPS * 6);
    assert_int_equal(mini_cost_of_all(barrier_op, sets, 4), MINI_STEPS * (6 + 3 * 2));
}

/* ---- code that no cache of the SM has ---- */

static void straight(struct mini *m, uint32_t i)
{
    mini_op(m, TC_FP32, (int)(2 + i % 20), 1, MINI_NONE, MINI_NONE);
}

/* A line has eight instructions of 16 bytes. The next one is asked for in the cycle in which the first of them issues, which is
 * the first of its latency, and has its first issued in the last of it. */
static void cold_code(void **state)
{
    (void)state;
    const char *each[] = {"sm.l1i_miss_cyc=200", "interval.FP32=1", NULL};
    const char *brought[] = {"sm.l1i_miss_cyc=200", "sm.code_kb=64", "sm.l1i_cyc=20", "interval.FP32=1",
                             NULL};
    const char *part[] = {"sm.l1i_miss_cyc=200", "sm.code_kb=2", "sm.l1i_cyc=20", "interval.FP32=1", NULL};
    assert_int_equal(mini_cost_of_all(straight, each, 1), MINI_STEPS / 8 * (200 - 1));
    assert_int_equal(mini_cost_of_all(straight, brought, 1), MINI_STEPS / 8 * (20 - 1));
    /* 2 KB are 16 lines. The short code has 11 with its EXIT, the long one 31. */
    assert_int_equal(mini_cost_of_all(straight, part, 1), 5 * (20 - 1) + 15 * (200 - 1));
}

/* The first instruction of every launch comes so much later; parameters are waited for in SASS traces only. */
static void code_arrives(void **state)
{
    (void)state;
    uint64_t cycles[2];
    for (uint32_t k = 0; k < 2; k++) {
        struct mini m;
        mini_init(&m);
        mini_set(&m, "sm.code_kb=64");
        mini_set(&m, "sm.param_cyc=1000");
        mini_set(&m, k ? "sm.code_cyc=300" : "sm.code_cyc=100");
        straight(&m, 0);
        m.launches = 3;
        cycles[k] = mini_cycles(&m);
        mini_free(&m);
    }
    assert_int_equal(cycles[1], cycles[0] + 3 * 200);
}

/* An imported trace does not show where parameters are read, and waits for them before its first instruction. A
 * GPU's own code, which was recorded with its control codes and constants, waits where it reads them. */
static void parameters_arrive(void **state)
{
    (void)state;
    uint64_t cycles[3];
    for (uint32_t k = 0; k < 3; k++) {
        struct mini m;
        mini_init(&m);
        mini_set(&m, "sm.code_kb=64");
        mini_set(&m, "sm.code_cyc=100");
        mini_set(&m, "sm.param_cyc=1000");
        m.arch = k ? 90 : 0;
        m.coded = k == 2;
        straight(&m, 0);
        m.launches = 3;
        cycles[k] = mini_cycles(&m);
        mini_free(&m);
    }
    assert_int_equal(cycles[1], cycles[0] + 3 * 1000);
    assert_int_equal(cycles[2], cycles[0]);
}

static void much_shared(struct mini *m, uint32_t i) { mini_mem(m, TC_LDS, (int)(5 + i % 20), 2, 4, 0, 128); }

/* Partitions that want the load-store unit all the time end at about the same time, if they take turns there. */
static void turns_at_lsu(void **state)
{
    (void)state;
    uint64_t drained[2];
    for (uint32_t k = 0; k < 2; k++) {
        struct mini m;
        struct gpu_result r = {0};
        mini_init(&m);
        m.warps = 4;
        mini_set(&m, k ? "sm.part_turns=true" : "sm.part_turns=false");
        for (uint32_t i = 0; i < 100; i++)
            much_shared(&m, i);
        mini_run(&m, &r, 1);
        drained[k] = r.sm[SS_stall_drained];
        gpu_result_free(&r);
        mini_free(&m);
    }
    assert_true(drained[0] > 3 * drained[1]);
}

/* ---- predicates and branches ---- */

static const struct tr_opnd P0 = {.kind = TO_PRED, .val = 0, .n = 1};

/* In turn a predicate from R1, and R1 where the predicate guards it. */
static void guard_op(struct mini *m, uint32_t i)
{
    uint32_t n = mini_op(m, TC_FP32, i % 2 ? 1 : MINI_NONE, 1, 2, MINI_NONE);
    if (i % 2) {
        m->insns[n].guard = P0;
    } else {
        m->insns[n].dst[0] = P0;
        m->insns[n].ndst = 1;
    }
}

/* ... and R1 where the predicate is an operand. */
static void select_op(struct mini *m, uint32_t i)
{
    guard_op(m, i);
    struct tr_insn *n = &m->insns[m->n - 1];
    if (i % 2) {
        n->guard = (struct tr_opnd){0};
        n->src[n->nsrc++] = P0;
    }
}

/* The same as guard_op, but the guarded instruction is a branch, and nobody passes it. */
static void branch_op(struct mini *m, uint32_t i)
{
    guard_op(m, i);
    m->insns[m->n - 1].cls = i % 2 ? TC_BRANCH : TC_FP32;
    m->insns[m->n - 1].ndst = i % 2 ? 0 : 1;
    m->mask[m->n - 1] = i % 2 ? 0 : ~0u;
}

static void guards_come_later(void **state)
{
    (void)state;
    const char *late[] = {"sm.guard_cyc=9", NULL}, *pass[] = {"sm.guard_cyc=9", "sm.pass_cyc=5", NULL};
    assert_int_equal(mini_cost_of_all(guard_op, NULL, 1), MINI_STEPS / 2 * (4 + 4));
    assert_int_equal(mini_cost_of_all(guard_op, late, 1), MINI_STEPS / 2 * (4 + 9 + 4));
    assert_int_equal(mini_cost_of_all(select_op, late, 1), MINI_STEPS / 2 * (4 + 4));
    assert_int_equal(mini_cost_of_all(branch_op, late, 1), MINI_STEPS / 2 * (4 + 9 + 1));
    assert_int_equal(mini_cost_of_all(branch_op, pass, 1), MINI_STEPS / 2 * (4 + 9 + 5));
}

static void meet_op(struct mini *m, uint32_t i)
{
    mini_op(m, TC_CONVERGE, MINI_NONE, MINI_NONE, MINI_NONE, MINI_NONE);
    m->insns[m->n - 1].text = i % 2 ? "BSYNC" : "BSSY";
}

static void joining_is_not_meeting(void **state)
{
    (void)state;
    const char *same[] = {"latency.CONVERGE=12", NULL},
               *join[] = {"latency.CONVERGE=12", "sm.join_cyc=2", NULL};
    assert_int_equal(mini_cost_of_all(meet_op, same, 1), MINI_STEPS * 12);
    assert_int_equal(mini_cost_of_all(meet_op, join, 1), MINI_STEPS / 2 * (12 + 2));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(guards_come_later), cmocka_unit_test(joining_is_not_meeting),
        cmocka_unit_test(dependent),         cmocka_unit_test(independent),
        cmocka_unit_test(tensor_steps),      cmocka_unit_test(independent_wide),
        cmocka_unit_test(reads_and_writes),  cmocka_unit_test(one_collector),
        cmocka_unit_test(same_bank),         cmocka_unit_test(same_register),
        cmocka_unit_test(bank_bound),        cmocka_unit_test(write_priority),
        cmocka_unit_test(crossing),          cmocka_unit_test(self_wait),
        cmocka_unit_test(latency_hidden),    cmocka_unit_test(partitions_independent),
        cmocka_unit_test(barrier_release),   cmocka_unit_test(barrier_in_turn),
        cmocka_unit_test(cold_code),         cmocka_unit_test(code_arrives),
        cmocka_unit_test(parameters_arrive), cmocka_unit_test(turns_at_lsu),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
