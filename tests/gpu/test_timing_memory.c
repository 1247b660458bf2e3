/* SPDX-License-Identifier: Apache-2.0 */
/* Exact cycles of micro-kernels, counted by hand: shared memory, textures, L1, L2, DRAM, atomics. */
#include "mini.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/* ---- shared memory ---- */

static void shared_chase(struct mini *m, uint32_t i)
{
    (void)i;
    mini_mem(m, TC_LDS, 1, 1, 4, 0, 4);
}

static void shared_latency(void **state)
{
    (void)state;
    assert_int_equal(mini_cost_of_all(shared_chase, NULL, 1), MINI_STEPS * 20);
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
    assert_int_equal(mini_cost_of_all(shared_add, NULL, 1), MINI_STEPS * 20);
    assert_int_equal(mini_cost_of_all(shared_add, sets, 1), MINI_STEPS * 34);
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
    assert_int_equal(mini_cost_of_all(texel_op, same, 1), MINI_STEPS * 90);
    assert_int_equal(mini_cost_of_all(texel_op, apart, 1), MINI_STEPS / 2 * (90 + 60));
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
    assert_int_equal(mini_cost_of_all(shared2, NULL, 1), MINI_STEPS * 2);
    assert_int_equal(mini_cost_of_all(shared4, NULL, 1), MINI_STEPS * 4);
    assert_int_equal(mini_cost_of_all(shared32, NULL, 1), MINI_STEPS * 32);
    assert_int_equal(mini_cost_of_all(shared33, NULL, 1), MINI_STEPS);
    assert_int_equal(mini_cost_of_all(broadcast, NULL, 1), MINI_STEPS);
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
    assert_int_equal(mini_cost_of_all(l1_chase, NULL, 1), MINI_STEPS * 30);
}

/* Issue, two cycles of collection, one to leave; the way there; L2; the way back. */
static void l2_hit(void **state)
{
    (void)state;
    const char *sets[] = {"sm.l1_loads=false", NULL};
    assert_int_equal(mini_cost_of_all(l1_chase, sets, 1), MINI_STEPS * (3 + 20 + 100 + 20));
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
    assert_int_equal(mini_cost_of_all(row_chase, sets, 1), MINI_STEPS * (3 + 20 + 10 + 12 + 4 + 20));
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
    assert_int_equal(mini_cost_of_all(conflict_chase, NULL, 1),
                     MINI_STEPS * (3 + 20 + 10 + 12 + 12 + 12 + 4 + 20));
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
    assert_int_equal(mini_cost_of_all(coalesced, NULL, 1), MINI_STEPS);
    assert_int_equal(mini_cost_of_all(divergent, NULL, 1), MINI_STEPS * 32);
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
    assert_int_equal(mini_cost_of_all(add_apart, slow, 1), MINI_STEPS * 4 * 10);
    assert_int_equal(mini_cost_of_all(add_together, slow, 1), MINI_STEPS * 32 * 10);
    assert_int_equal(mini_cost_of_all(add_together, unseen, 1), mini_cost_of_all(add_together, NULL, 1));
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
    assert_int_equal(mini_cost_of_all(add_float, sets, 1), MINI_STEPS * 32 * 30);
    assert_int_equal(mini_cost_of_all(add_floats, sets, 1), MINI_STEPS * 4 * 10);
    assert_int_equal(mini_cost_of_all(swap_apart, sets, 1), MINI_STEPS * 4 * 25);
    assert_int_equal(mini_cost_of_all(add_together, sets, 1), MINI_STEPS * 32 * 10);
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
    assert_int_equal(mini_cost_of_all(shared_counts, NULL, 1), MINI_STEPS * 32);
    assert_int_equal(mini_cost_of_all(shared_counts, sets, 1), MINI_STEPS);
    assert_int_equal(mini_cost_of_all(shared_adds, sets, 1), MINI_STEPS * 32);
    assert_int_equal(mini_cost_of_all(shared_swaps, NULL, 1), MINI_STEPS * 2);
    assert_int_equal(mini_cost_of_all(shared_swaps, sets, 1), MINI_STEPS * 2 * 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shared_latency),  cmocka_unit_test(shared_atomic_latency),
        cmocka_unit_test(texels_by_index), cmocka_unit_test(shared_conflicts),
        cmocka_unit_test(l1_hit),          cmocka_unit_test(l2_hit),
        cmocka_unit_test(dram_row_hit),    cmocka_unit_test(dram_row_conflict),
        cmocka_unit_test(coalescing),      cmocka_unit_test(atomics_at_l2),
        cmocka_unit_test(atomics_by_type), cmocka_unit_test(shared_atomics_by_type),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
