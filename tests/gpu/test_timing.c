/* SPDX-License-Identifier: Apache-2.0 */
/* Exact cycles of micro-kernels, counted by hand. Each test compares two lengths of the same kernel, so that start and end
 * fall out: what remains is the cost of the instructions in between. core.h has the hand count of one instruction. */
#include "mini.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { SHORT = 80, LONG = 240, STEPS = LONG - SHORT };

/* Fills the kernel with n instructions and returns its cycles. */
typedef void filler(struct mini *m, uint32_t i);

static uint64_t cost(filler *f, const char *const *sets, uint32_t warps)
{
    uint64_t c[2];
    for (uint32_t k = 0; k < 2; k++) {
        struct mini m;
        mini_init(&m);
        m.warps = warps;
        m.regs = 224;
        for (uint32_t i = 0; sets && sets[i]; i++)
            mini_set(&m, sets[i]);
        for (uint32_t i = 0; i < (k ? LONG : SHORT); i++)
            f(&m, i);
        c[k] = mini_cycles(&m);
        mini_free(&m);
    }
    return c[1] - c[0];
}

/* ---- arithmetic ---- */

static void chain(struct mini *m, uint32_t i)
{
    (void)i;
    mini_op(m, TC_FP32, 1, 1, 2, MINI_NONE);
}

static void dependent(void **state)
{
    (void)state;
    assert_int_equal(cost(chain, NULL, 1), STEPS * 4);
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
    assert_int_equal(cost(crossing_chain, NULL, 1), STEPS * 4);
    assert_int_equal(cost(crossing_chain, sets, 1), STEPS * 7);
    assert_int_equal(cost(same_chain, sets, 1), STEPS * 4);
}

static void independent_op(struct mini *m, uint32_t i)
{
    mini_op(m, TC_FP32, (int)(4 + i % 20), 2, 3, MINI_NONE);
}

/* The unit takes a warp every two cycles. */
static void independent(void **state)
{
    (void)state;
    assert_int_equal(cost(independent_op, NULL, 1), STEPS * 2);
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
    assert_int_equal(cost(tensor_op, sets, 1), STEPS * 7);
    assert_int_equal(cost(wide_tensor_op, sets, 1), STEPS * 14);
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
    assert_int_equal(cost(apart_op, sets, 1), STEPS);
}

/* Two reads and a write for two banks that do one of either per cycle: a cycle and a half. */
static void reads_and_writes(void **state)
{
    (void)state;
    const char *sets[] = {"interval.FP32=1", "sm.collectors=8", NULL};
    assert_int_equal(cost(independent_op, sets, 1), STEPS * 3 / 2);
}

/* One collector is taken for two cycles by each instruction. */
static void one_collector(void **state)
{
    (void)state;
    const char *sets[] = {"interval.FP32=1", "sm.collectors=1", NULL};
    assert_int_equal(cost(apart_op, sets, 1), STEPS * 2);
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
    assert_int_equal(cost(same_bank_chain, NULL, 1), STEPS * 5);
    const char *sets[] = {"sm.bank_reads=2", NULL};
    assert_int_equal(cost(same_bank_chain, sets, 1), STEPS * 4);
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
    assert_int_equal(cost(twice_chain, NULL, 1), STEPS * 4);
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
    assert_int_equal(cost(three_operands, sets, 1), STEPS * 2);
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
    assert_int_equal(cost(chain, one_part, 2), STEPS * 4);
    assert_int_equal(cost(chain, one_part, 4), STEPS * 8);
}

/* Warps of different partitions do not see each other. */
static void partitions_independent(void **state)
{
    (void)state;
    assert_int_equal(cost(chain, NULL, 4), STEPS * 4);
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
    assert_int_equal(cost(barrier_op, NULL, 4), STEPS * 6);
}

/* ... or one warp of the SM after the other: the last of four 3 x 2 cycles after the first. */
static void barrier_in_turn(void **state)
{
    (void)state;
    const char *sets[] = {"sm.barrier_warp_cyc=2", NULL};
    assert_int_equal(cost(barrier_op, sets, 1), STEPS * 6);
    assert_int_equal(cost(barrier_op, sets, 4), STEPS * (6 + 3 * 2));
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
    const char *next[] = {"sm.l1i_miss_cyc=200", "sm.l1i_next_cyc=50", "interval.FP32=1", NULL};
    const char *brought[] = {"sm.l1i_miss_cyc=200", "sm.code_kb=64", "sm.l1i_cyc=20", "interval.FP32=1",
                             NULL};
    const char *part[] = {"sm.l1i_miss_cyc=200", "sm.code_kb=2", "sm.l1i_cyc=20", "interval.FP32=1", NULL};
    assert_int_equal(cost(straight, each, 1), STEPS / 8 * (200 - 1));
    assert_int_equal(cost(straight, next, 1), STEPS / 8 * (50 - 1));
    assert_int_equal(cost(straight, brought, 1), STEPS / 8 * (20 - 1));
    /* 2 KB are 16 lines. The short code has 11 with its EXIT, the long one 31. */
    assert_int_equal(cost(straight, part, 1), 5 * (20 - 1) + 15 * (200 - 1));
}

/* Four warps, each in a partition, want the same code at the same time: none has it before it comes. */
static void code_for_all(void **state)
{
    (void)state;
    const char *next[] = {"sm.l1i_miss_cyc=200", "sm.l1i_next_cyc=50", "interval.FP32=1", NULL};
    assert_int_equal(cost(straight, next, 4), STEPS / 8 * (50 - 1));
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
    assert_int_equal(cost(guard_op, NULL, 1), STEPS / 2 * (4 + 4));
    assert_int_equal(cost(guard_op, late, 1), STEPS / 2 * (4 + 9 + 4));
    assert_int_equal(cost(select_op, late, 1), STEPS / 2 * (4 + 4));
    assert_int_equal(cost(branch_op, late, 1), STEPS / 2 * (4 + 9 + 1));
    assert_int_equal(cost(branch_op, pass, 1), STEPS / 2 * (4 + 9 + 5));
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
    assert_int_equal(cost(meet_op, same, 1), STEPS * 12);
    assert_int_equal(cost(meet_op, join, 1), STEPS / 2 * (12 + 2));
}

/* ---- shared memory ---- */

static void shared_chase(struct mini *m, uint32_t i)
{
    (void)i;
    mini_mem(m, TC_LDS, 1, 1, 4, 0, 4);
}

static void shared_latency(void **state)
{
    (void)state;
    assert_int_equal(cost(shared_chase, NULL, 1), STEPS * 20);
}

static void shared_add(struct mini *m, uint32_t i)
{
    (void)i;
    mini_mem(m, TC_ATOMS, 1, 1, 4, 0, 4);
    m->insns[m->n - 1].mem = TM_LOAD | TM_ATOMIC;
}

static void shared_atomic_latency(void **state)
{
    (void)state;
    const char *sets[] = {"sm.shared_atom_cyc=34", NULL};
    assert_int_equal(cost(shared_add, NULL, 1), STEPS * 20);
    assert_int_equal(cost(shared_add, sets, 1), STEPS * 34);
}

static void texel_op(struct mini *m, uint32_t i)
{
    mini_mem(m, TC_TEX, 1, 1, 4, 0x200000000000, 4);
    m->insns[m->n - 1].text = i % 2 ? "TEX.2D.F32.F32" : "TEX.1D.F32.S32";
}

static void texels_by_index(void **state)
{
    (void)state;
    const char *same[] = {"latency.TEX=90", NULL}, *apart[] = {"latency.TEX=90", "sm.texel_cyc=60", NULL};
    assert_int_equal(cost(texel_op, same, 1), STEPS * 90);
    assert_int_equal(cost(texel_op, apart, 1), STEPS / 2 * (90 + 60));
}

static void shared2(struct mini *m, uint32_t i) { mini_mem(m, TC_LDS, (int)(4 + 2 * (i % 100)), 1, 4, 0, 8); }
static void shared4(struct mini *m, uint32_t i)
{
    mini_mem(m, TC_LDS, (int)(4 + 2 * (i % 100)), 1, 4, 0, 16);
}
static void shared32(struct mini *m, uint32_t i)
{
    mini_mem(m, TC_LDS, (int)(4 + 2 * (i % 100)), 1, 4, 0, 128);
}
static void shared33(struct mini *m, uint32_t i)
{
    mini_mem(m, TC_LDS, (int)(4 + 2 * (i % 100)), 1, 4, 0, 132);
}
static void broadcast(struct mini *m, uint32_t i)
{
    mini_mem(m, TC_LDS, (int)(4 + 2 * (i % 100)), 1, 4, 64, 0);
}

/* The load-store unit is taken for as many cycles as the worst bank has words. */
static void shared_conflicts(void **state)
{
    (void)state;
    assert_int_equal(cost(shared2, NULL, 1), STEPS * 2);
    assert_int_equal(cost(shared4, NULL, 1), STEPS * 4);
    assert_int_equal(cost(shared32, NULL, 1), STEPS * 32);
    assert_int_equal(cost(shared33, NULL, 1), STEPS);
    assert_int_equal(cost(broadcast, NULL, 1), STEPS);
}

/* ---- global memory ---- */

static void l1_chase(struct mini *m, uint32_t i)
{
    (void)i;
    mini_mem(m, TC_LDG, 1, 1, 4, 0x200000000000, 4);
}

static void l1_hit(void **state)
{
    (void)state;
    assert_int_equal(cost(l1_chase, NULL, 1), STEPS * 30);
}

/* Issue, two cycles of collection, one to leave; the way there; L2; the way back. */
static void l2_hit(void **state)
{
    (void)state;
    const char *sets[] = {"sm.l1_loads=false", NULL};
    assert_int_equal(cost(l1_chase, sets, 1), STEPS * (3 + 20 + 100 + 20));
}

static void row_chase(struct mini *m, uint32_t i)
{
    mini_mem(m, TC_LDG, 1, 1, 4, 0x200000000000 + 128 * (uint64_t)i, 4);
}

/* A new line of an open row each time: CAS latency and four sectors of a cycle each, ten cycles between L2 and DRAM. One line
 * in sixteen opens a row of its own (2 KiB): its bank was idle, so activation comes before. */
static void dram_row_hit(void **state)
{
    (void)state;
    const char *sets[] = {"mem.row_b=65536", NULL};
    assert_int_equal(cost(row_chase, sets, 1), STEPS * (3 + 20 + 10 + 12 + 4 + 20));
}

static void conflict_chase(struct mini *m, uint32_t i)
{
    /* 16 banks; row r of all of them lies in bank (r + r / 16) mod 16: these are all of bank 0. */
    uint64_t row = 16 * (uint64_t)i + (16 - i % 16) % 16;
    mini_mem(m, TC_LDG, 1, 1, 4, 0x200000000000 + row * 2048, 4);
}

/* Another row of the same bank each time: precharge and activate first. */
static void dram_row_conflict(void **state)
{
    (void)state;
    assert_int_equal(cost(conflict_chase, NULL, 1), STEPS * (3 + 20 + 10 + 12 + 12 + 12 + 4 + 20));
}

static void coalesced(struct mini *m, uint32_t i)
{
    mini_mem(m, TC_LDG, (int)(4 + 2 * (i % 100)), 1, 4, 0x200000000000, 4);
}
static void divergent(struct mini *m, uint32_t i)
{
    mini_mem(m, TC_LDG, (int)(4 + 2 * (i % 100)), 1, 4, 0x200000000000, 128);
}

/* Hits: a warp's load is one line, or one line per lane; the tags take one per cycle. */
static void coalescing(void **state)
{
    (void)state;
    assert_int_equal(cost(coalesced, NULL, 1), STEPS);
    assert_int_equal(cost(divergent, NULL, 1), STEPS * 32);
}

static void add_to(struct mini *m, int64_t stride)
{
    mini_mem(m, TC_REDG, MINI_NONE, 1, 4, 0x200000000000, stride);
    m->insns[m->n - 1].mem = TM_LOAD | TM_STORE | TM_ATOMIC;
    m->insns[m->n - 1].bypass = 1;
}
static void add_apart(struct mini *m, uint32_t i)
{
    (void)i;
    add_to(m, 4);
}
static void add_together(struct mini *m, uint32_t i)
{
    (void)i;
    add_to(m, 0);
}

/* A slice does a sector in atom_cyc, and each lane beyond the first of a word in as much again. Nobody waits for that, unless L2
 * answers. */
static void atomics_at_l2(void **state)
{
    (void)state;
    const char *slow[] = {"mem.atom_cyc=10", "sm.red_waits=true", NULL},
               *unseen[] = {"mem.atom_cyc=10", NULL};
    assert_int_equal(cost(add_apart, slow, 1), STEPS * 4 * 10);
    assert_int_equal(cost(add_together, slow, 1), STEPS * 32 * 10);
    assert_int_equal(cost(add_together, unseen, 1), cost(add_together, NULL, 1));
}

static void add_float(struct mini *m, uint32_t i)
{
    add_together(m, i);
    m->insns[m->n - 1].text = "REDG.E.ADD.F32.FTZ.RN";
}
static void add_floats(struct mini *m, uint32_t i)
{
    add_apart(m, i);
    m->insns[m->n - 1].text = "REDG.E.ADD.F32.FTZ.RN";
}
static void swap_apart(struct mini *m, uint32_t i)
{
    add_apart(m, i);
    m->insns[m->n - 1].text = "ATOMG.E.CAS";
}

/* Additions of floating point wait for each other in a word, and from one instruction to the next in a sector; four sectors
 * of a line take longer than that wait. Compare-and-swaps of whole sectors have a rate of their own. */
static void atomics_by_type(void **state)
{
    (void)state;
    const char *sets[] = {"mem.atom_cyc=10", "mem.atom_float_cyc=30", "mem.atom_wide_cyc=25",
                          "sm.red_waits=true", NULL};
    assert_int_equal(cost(add_float, sets, 1), STEPS * 32 * 30);
    assert_int_equal(cost(add_floats, sets, 1), STEPS * 4 * 10);
    assert_int_equal(cost(swap_apart, sets, 1), STEPS * 4 * 25);
    assert_int_equal(cost(add_together, sets, 1), STEPS * 32 * 10);
}

static void shared_atomic(struct mini *m, const char *text, int64_t stride)
{
    mini_mem(m, TC_ATOMS, MINI_NONE, 1, 4, 0, stride);
    m->insns[m->n - 1].mem = TM_STORE | TM_ATOMIC;
    m->insns[m->n - 1].text = text;
}
static void shared_counts(struct mini *m, uint32_t i)
{
    (void)i;
    shared_atomic(m, "ATOMS.POPC.INC.32", 0);
}
static void shared_adds(struct mini *m, uint32_t i)
{
    (void)i;
    shared_atomic(m, "ATOMS.ADD", 0);
}
static void shared_swaps(struct mini *m, uint32_t i)
{
    (void)i;
    shared_atomic(m, "ATOMS.CAS", 8);
}

/* 32 lanes on one word: one after the other, unless they are counted; words 8 bytes apart: two in each of 16 banks. */
static void shared_atomics_by_type(void **state)
{
    (void)state;
    const char *sets[] = {"sm.shared_count=true", "sm.shared_cas=2", NULL};
    assert_int_equal(cost(shared_counts, NULL, 1), STEPS * 32);
    assert_int_equal(cost(shared_counts, sets, 1), STEPS);
    assert_int_equal(cost(shared_adds, sets, 1), STEPS * 32);
    assert_int_equal(cost(shared_swaps, NULL, 1), STEPS * 2);
    assert_int_equal(cost(shared_swaps, sets, 1), STEPS * 2 * 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(atomics_by_type),
        cmocka_unit_test(shared_atomics_by_type),
        cmocka_unit_test(shared_atomic_latency),
        cmocka_unit_test(atomics_at_l2),
        cmocka_unit_test(texels_by_index),
        cmocka_unit_test(guards_come_later),
        cmocka_unit_test(joining_is_not_meeting),
        cmocka_unit_test(dependent),
        cmocka_unit_test(independent),
        cmocka_unit_test(tensor_steps),
        cmocka_unit_test(independent_wide),
        cmocka_unit_test(reads_and_writes),
        cmocka_unit_test(one_collector),
        cmocka_unit_test(same_bank),
        cmocka_unit_test(same_register),
        cmocka_unit_test(bank_bound),
        cmocka_unit_test(write_priority),
        cmocka_unit_test(crossing),
        cmocka_unit_test(self_wait),
        cmocka_unit_test(latency_hidden),
        cmocka_unit_test(partitions_independent),
        cmocka_unit_test(barrier_release),
        cmocka_unit_test(barrier_in_turn),
        cmocka_unit_test(cold_code),
        cmocka_unit_test(code_for_all),
        cmocka_unit_test(code_arrives),
        cmocka_unit_test(parameters_arrive),
        cmocka_unit_test(turns_at_lsu),
        cmocka_unit_test(shared_latency),
        cmocka_unit_test(shared_conflicts),
        cmocka_unit_test(l1_hit),
        cmocka_unit_test(l2_hit),
        cmocka_unit_test(dram_row_hit),
        cmocka_unit_test(dram_row_conflict),
        cmocka_unit_test(coalescing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
