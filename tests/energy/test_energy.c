/* SPDX-License-Identifier: Apache-2.0 */
/* Energy of events: counts by hand, and what it rests on. */
#include "energy/rf.h"

#include "machine.h"

#include "stat_at.h"

/* Hand counts of the rest, with coefficients of one. */
static void hand_counts(void **state)
{
    (void)state;
    struct machine m;
    struct energy_out e;
    machine(&m,
            "energy.sram_read1=1 energy.sram_read2=1 energy.sram_read3=1 energy.sram_write1=2 "
            "energy.sram_write2=2 energy.sram_write3=2 energy.insn_pj=3 energy.lane_pj=5 energy.wire_pj_mm=1 "
            "energy.icnt_mm=1 energy.dram_pj_bit=1 energy.sram_mw_kb=0");
    set(&m, "energy.sm_mw=1 energy.xbar_ref_mw=0 energy.ff_nw=0 energy.ff_fj=1");
    m.n[SS_reg_reads] = 1;
    m.n[SS_warp_insts] = 2;
    m.n[SS_thread_insts] = 3;
    m.n[SS_shared_accesses] = 1;
    m.n[SS_shared_conflicts] = 31; /* cost time only */
    m.n[SS_l1_reads] = 8;
    m.n[SS_l1_read_hits] = 3;
    m.n[SS_l1_read_merged] = 1;
    m.n[SS_l1_writes] = 2;
    m.n[SS_mem_lines] = 5;
    m.m[MS_icnt_request_b] = 8;
    m.m[MS_icnt_reply_b] = 32;
    m.m[MS_l2_reads] = 10;
    m.m[MS_l2_writes] = 4;
    m.m[MS_l2_atomics] = 1;
    m.m[MS_l2_writebacks] = 2;
    m.m[MS_dram_reads] = 6;
    m.m[MS_dram_writes] = 2;
    m.in.cycles = 7;
    m.in.of.sms = 3;
    energy_of(&m.in, &e);
    near(e.pj[EP_rf_banks], 8);
    near(e.pj[EP_collectors], 1.024);
    near(e.pj[EP_shared], 8 * 1.5);
    near(e.pj[EP_l1], 8 * 2 + (4 + 2) * 4 + 5);
    near(e.pj[EP_instruction], 2 * 3 + 3 * 5);
    near(e.pj[EP_icnt], 10);
    near(e.pj[EP_l2], (10 + 1 + 2) * 2 + (4 + 1 + 6) * 4 + (10 + 4 + 1));
    near(e.pj[EP_dram], 8 * 256);
    near(e.pj[EP_leak_sm], 3 * 7);
    assert_true(e.pj[EP_leak_rf] == 0 && e.pj[EP_leak_sram] == 0);
    double sum = 0;
    for (uint32_t i = 0; i < EP_COUNT; i++)
        sum += e.pj[i];
    assert_true(sum == e.total_pj);
    near(e.seconds, 7e-9);
    set(&m, "mem.simple=true");
    energy_of(&m.in, &e);
    assert_true(e.pj[EP_l2] == 0);
    near(e.pj[EP_dram], 8 * 256);
    done(&m);
}

static void nothing(void **state)
{
    (void)state;
    struct machine m;
    struct energy_out e;
    machine(&m, table3);
    energy_of(&m.in, &e);
    assert_true(e.total_pj == 0 && e.seconds == 0);
    /* Twice as much of everything costs twice as much: powers of two are exact. */
    for (uint32_t i = 0; i < SS_COUNT; i++)
        m.n[i] = 1000 - i;
    m.n[SS_l1_reads] = 100000;
    m.in.cycles = 12345;
    energy_of(&m.in, &e);
    double once = e.total_pj;
    for (uint32_t i = 0; i < SS_COUNT; i++)
        m.n[i] *= 2;
    m.in.cycles *= 2;
    energy_of(&m.in, &e);
    assert_true(e.total_pj == 2 * once && once > 0);
    done(&m);
}

/* A partition of the partition paper: 64 KB in two banks, 16 warps. By hand, in the cells that its design kit has. */
static void synthesised(void **state)
{
    (void)state;
    struct machine m;
    struct kit_out two, four, rba;
    const struct kit *k = &kits[0];
    machine(&m, "sm.partitions=4 sm.registers=65536 sm.banks=2 sm.collectors=2 sm.warps=16 sm.wsched=gto");
    kit_of(k, &m.in.of, 0.4, &two);
    near(two.um2[KP_banks], 524288 * 1.283);
    near(two.um2[KP_operands], 2 * 3 * 1024 * 7.978);
    near(two.um2[KP_crossbar], 2 * 3 * 1024 * 3.754);
    near(two.um2[KP_dispatch], 3 * 1024 * 3.754);
    near(two.um2[KP_scheduler], 16 * 54 * 7.978 + 15 * (4 * 8.917 + 8 * 3.754));
    assert_true(two.um2[KP_score] == 0 && two.mw[KP_score] == 0);
    near(two.mw[KP_banks], 0.8 * 1024 * 85.5e-3 + 524288 * 1.01e-6);
    set(&m, "sm.collectors=4");
    kit_of(k, &m.in.of, 0.4, &four);
    near(four.total_um2 - two.total_um2, 2 * 3072 * (7.978 + 2 * 3.754));
    assert_true(four.total_mw > two.total_mw && four.mw[KP_banks] == two.mw[KP_banks]);
    set(&m, "sm.collectors=2 sm.wsched=rba");
    kit_of(k, &m.in.of, 0.4, &rba);
    near(rba.total_um2 - two.total_um2,
         80 * 7.978 + 15 * 5 * (8.917 + 3.754) + 16 * (3 * 3 * 3.754 + 2 * 5 * 8.917) + 2 * (6 - 3) * 8.917);
    done(&m);
}

static void contradiction(void **state)
{
    (void)state;
    struct machine m;
    machine(&m, "");
    assert_null(energy_contradiction(&m.energy));
    set(&m, "energy.cell_um2=0.6");
    assert_non_null(energy_contradiction(&m.energy));
    done(&m);
}

/* Eight active warps with 16 registers are 128 rows. Found and written back: read; results and prefetches: written. A prefetch
 * passes no collector. */
static void prefetched(void **state)
{
    (void)state;
    struct machine m;
    struct energy_out e;
    machine(&m, "sm.operands=ltrf ltrf.regs=16 active.warps=8");
    double latch = 1024 * m.energy.ff_fj * 1e-3;
    m.n[SS_cache_hits] = 10;
    m.n[SS_cache_writebacks] = 3;
    m.n[SS_cache_writes] = 4;
    m.n[SS_cache_prefetches] = 5;
    m.n[SS_reg_reads] = 7;
    energy_of(&m.in, &e);
    near(e.pj[EP_rf_cache], 8 * (13 * 3.9 + 9 * 5.1) + 10 * latch);
    near(e.pj[EP_collectors], 2 * latch);
    done(&m);
}

/* What goes past the collectors and L1: an accumulator costs a read and a write of its bank; shared memory of 256 KB in 32 banks
 * has 512 rows, 9.8 and 11.8 pJ for 16 bytes. */
static void asynchronous(void **state)
{
    (void)state;
    struct machine m;
    struct energy_out e;
    machine(&m, "sm.onchip=partitioned sm.shared_kb=256 energy.wire_pj_mm=2 energy.far_mm=3");
    m.n[SS_product_regs] = 10;
    m.n[SS_product_a_regs] = 4;
    m.n[SS_product_shared_b] = 1600;
    m.n[SS_copy_in_b] = 160;
    m.n[SS_cast_b] = 320;
    m.n[SS_copy_out_b] = 48;
    m.n[SS_far_b] = 80;
    energy_of(&m.in, &e);
    near(e.pj[EP_product_rf], 14 * rf_read_pj(&m.in.of) + 10 * rf_write_pj(&m.in.of));
    near(e.pj[EP_product_shared], 100 * 9.8);
    near(e.pj[EP_copy_shared], 30 * 11.8 + 3 * 9.8);
    near(e.pj[EP_far], 400 / 4 * 2 * 3);
    done(&m);
}

/* A paper's energies do not know kinds of work, whatever these cost. */
static void paper_stays(void **state)
{
    (void)state;
    struct machine m;
    struct energy_out e, f;
    machine(&m, "energy.fp32_pj=7 energy.idle_w=50 energy.rf_scale=3 energy.process=2");
    m.in.cycles = 1000;
    m.n[SS_warp_insts] = 10;
    m.n[SS_thread_insts] = 320;
    m.n[SS_reg_reads] = 20;
    m.n[SS_cycles] = 1000;
    energy_of(&m.in, &e);
    m.n[SS_lanes_fp32] = 320;
    m.n[SS_lanes_shared] = 64;
    m.n[SS_product_work] = 5;
    m.m[MS_dram_row_opens] = 9;
    energy_of(&m.in, &f);
    near(f.total_pj, e.total_pj);
    near(e.pj[EP_instruction], 10 * 330 + 320 * 41.25);
    near(e.pj[EP_idle] + 1, 1);
    done(&m);
}

/* Of a chip that was measured: kinds of work, words of shared memory, conflicts beyond what wide accesses take, the idle chip;
 * twice that in a process that takes twice as much, but for DRAM and the idle chip. */
static void measured(void **state)
{
    (void)state;
    struct machine m;
    struct energy_out e;
    machine(&m, "energy.basis=measured energy.issue_pj=50 energy.fp32_pj=4 energy.int_pj=5 "
                "energy.shared_pj=12 energy.conflict_pj=40 "
                "energy.rf_scale=0.5 energy.rf_lanes=1 energy.active_pj=30 energy.idle_w=100 "
                "energy.dram_bit_pj=5 energy.row_pj=7 "
                "energy.hmma_pj=300");
    m.in.cycles = 1000; /* 1 us at 1 GHz */
    m.n[SS_cycles] = 1000;
    m.n[SS_stall_launch] = 300;
    m.n[SS_stall_no_warp] = 100;
    m.n[SS_warp_insts] = 10;
    m.n[SS_thread_insts] = 160; /* half of the lanes */
    m.n[SS_lanes_fp32] = 100;
    m.n[SS_lanes_int] = 60;
    m.n[SS_lanes_hmma] = 64;
    m.n[SS_lanes_shared] = 4 * 128; /* four accesses of 16 bytes a lane: 16 cycles without a conflict */
    m.n[SS_shared_accesses] = 4;
    m.n[SS_shared_conflicts] = 12 + 3;
    m.n[SS_reg_reads] = 20;
    m.m[MS_dram_reads] = 2;
    m.m[MS_dram_row_opens] = 1;
    for (int twice = 1; twice <= 2; twice++) {
        set(&m, twice == 2 ? "energy.basis=scaled energy.process=2" : "energy.process=1");
        energy_of(&m.in, &e);
        near(e.pj[EP_instruction], twice * (10 * 50 + 100 * 4 + 60 * 5));
        near(e.pj[EP_tensor], twice * 2 * 300);
        near(e.pj[EP_shared], twice * (512 * 12 + 3 * 40));
        near(e.pj[EP_active], twice * 600 * 30);
        near(e.pj[EP_rf_banks], 20 * rf_read_pj(&m.in.of) / 2);
        near(e.pj[EP_idle], 100e6);
        near(e.pj[EP_dram], 2 * 256 * 5 + 7);
    }
    done(&m);
}

/* Prices go by what data toggle, from where they stand still to random and beyond; never below nothing. */
static void data(void **state)
{
    (void)state;
    struct machine m;
    struct energy_out e;
    machine(&m,
            "energy.basis=measured energy.issue_pj=0 energy.fp32_pj=4 energy.fp32_swing=6 energy.int_pj=1 "
            "energy.int_swing=8 energy.hmma_pj=300 energy.hmma_swing=400");
    m.in.cycles = 1000;
    m.n[SS_lanes_fp32] = 100;
    m.n[SS_lanes_int] = 10;
    m.n[SS_lanes_hmma] = 32;
    energy_of(&m.in, &e);
    near(e.pj[EP_instruction], 100 * 4 + 10 * 1);
    set(&m, "energy.toggle_float=1 energy.toggle_int=0 energy.toggle_tensor=0.25");
    energy_of(&m.in, &e);
    near(e.pj[EP_instruction], 100 * (4 + 3) + 0);
    near(e.pj[EP_tensor], 300 - 100);
    double random = e.total_pj;
    set(&m, "energy.toggle_float=0");
    energy_of(&m.in, &e);
    assert_true(e.total_pj < random);
    set(&m, "energy.basis=paper"); /* papers know no data */
    energy_of(&m.in, &e);
    double paper = e.total_pj;
    set(&m, "energy.toggle_float=1 energy.toggle_memory=2");
    energy_of(&m.in, &e);
    near(e.total_pj, paper);
    done(&m);
}

/* Operands of products in shared memory, lines of L1 and packets to L2 have prices of their own where a chip was measured. */
static void separated(void **state)
{
    (void)state;
    struct machine m;
    struct energy_out e;
    machine(&m, "energy.basis=measured energy.operand_pj=12 energy.line_pj=20 energy.memory_pj=15 "
                "energy.request_pj=700 "
                "energy.icnt_scale=0 energy.l2_swing=0 energy.memory_swing=0 energy.l1_scale=0 "
                "energy.texture_pj=100 energy.texture_swing=0");
    m.in.cycles = 1000;
    m.n[SS_product_shared_b] = 400;
    m.n[SS_mem_lines] = 32;
    m.n[SS_lanes_memory] = 32;
    m.n[SS_lanes_texture] = 3;
    energy_of(&m.in, &e);
    near(e.pj[EP_product_shared], 100 * 12);
    near(e.pj[EP_l1], 32 * 20 + 32 * 15 + 3 * 100);
    near(e.pj[EP_icnt] + 1, 1); /* all of them hit */
    m.m[MS_icnt_requests] = 3;
    energy_of(&m.in, &e);
    near(e.pj[EP_icnt], 3 * 700);
    set(&m, "energy.basis=paper");
    energy_of(&m.in, &e);
    near(e.pj[EP_icnt] + 1, 1);
    done(&m);
}

/* The clock gives way until the card takes what it may: less voltage, more time, the same events. */
static void limit(void **state)
{
    (void)state;
    struct machine m;
    struct energy_out free, held;
    machine(&m, "energy.basis=measured energy.fp32_pj=1000 energy.idle_w=100 energy.volt_slope=0.5 "
                "energy.leak_scale=0");
    m.in.cycles = 1000000;
    m.n[SS_lanes_fp32] = 900000; /* 0.9 mJ in 1 ms */
    energy_of(&m.in, &free);
    double watts = free.total_pj * 1e-12 / free.seconds;
    m.in.of.limit_w = watts * 1.01;
    energy_of(&m.in, &held);
    near(held.total_pj, free.total_pj);
    near(held.mhz, 1000);
    m.in.of.limit_w = watts * 0.8;
    energy_of(&m.in, &held);
    assert_true(fabs(held.total_pj * 1e-12 / held.seconds / m.in.of.limit_w - 1) < 1e-6);
    assert_true(held.mhz < 1000 && held.mhz > 500 && held.pj[EP_instruction] < free.pj[EP_instruction]);
    near(held.seconds * held.mhz, free.seconds * 1000);
    done(&m);
}

static void words(void **state)
{
    (void)state;
    struct machine m;
    char out[128];
    machine(&m, "energy.basis=measured energy.error=9");
    assert_string_equal(energy_words(&m.energy, out, sizeof out), "measured on the chip; mean error 9%");
    set(&m, "energy.basis=paper energy.error=0");
    assert_non_null(strstr(energy_words(&m.energy, out, sizeof out), "of a paper"));
    done(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hand_counts),   cmocka_unit_test(nothing),    cmocka_unit_test(synthesised),
        cmocka_unit_test(contradiction), cmocka_unit_test(prefetched), cmocka_unit_test(asynchronous),
        cmocka_unit_test(paper_stays),   cmocka_unit_test(measured),   cmocka_unit_test(limit),
        cmocka_unit_test(words),         cmocka_unit_test(data),       cmocka_unit_test(separated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
