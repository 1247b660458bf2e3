/* SPDX-License-Identifier: Apache-2.0 */
/* Energy and area of storage: the published points that the model stands on come out again, and what is between them behaves. */
#include "energy/rf.h"

#include "machine.h"

#include "stat_at.h"

/* Unified paper, Table 4. */
static void sram_points(void **state)
{
    (void)state;
    struct machine m;
    machine(&m, "sm.banks=16");
    static const double at[3][3] = {{128, 3.9, 5.1}, {512, 9.8, 11.8}, {768, 12.1, 14.9}};
    for (int i = 0; i < 3; i++) {
        near(sram_read_pj(&m.energy, at[i][0]), at[i][1]);
        near(sram_write_pj(&m.energy, at[i][0]), at[i][2]);
    }
    for (double rows = 1; rows < 5000; rows++)
        assert_true(sram_read_pj(&m.energy, rows) > 0 &&
                    sram_read_pj(&m.energy, rows + 1) > sram_read_pj(&m.energy, rows) &&
                    sram_write_pj(&m.energy, rows) > sram_read_pj(&m.energy, rows));
    done(&m);
}

/* Software RFC: of three operands found one is in the last-result file, of two results one. The operand file is an SRAM of 2 * 4
 * rows. */
static void register_files(void **state)
{
    (void)state;
    struct machine m;
    struct energy_out e;
    machine(&m, "sm.operands=swrfc swrfc.orf_entries=4 active.warps=2");
    m.n[SS_cache_hits] = 3;
    m.n[stat_at("swrfc.lrf_reads")] = 1;
    m.n[SS_cache_writes] = 2;
    m.n[stat_at("swrfc.lrf_writes")] = 1;
    energy_of(&m.in, &e);
    double latch = 1.024 * m.energy.ff_fj;
    near(e.pj[EP_rf_cache], 8 * (2 * sram_read_pj(&m.energy, 8) + sram_write_pj(&m.energy, 8)) + 4 * latch);
    done(&m);
}

/* A register of the throughput processor: eight pieces of 16 bytes in banks of 8 KB. */
static void unified_register(void **state)
{
    (void)state;
    struct machine m;
    struct energy_out e;
    machine(&m, "sm.registers=65536 sm.banks=4 sm.clusters=8");
    m.n[SS_reg_reads] = 1;
    energy_of(&m.in, &e);
    near(e.pj[EP_rf_banks], 8 * 9.8);
    m.n[SS_reg_reads] = 0;
    m.n[SS_reg_writes] = 10;
    energy_of(&m.in, &e);
    near(e.pj[EP_rf_banks], 8 * 118);
    assert_true(e.pj[EP_rf_crossbar] == 0 && e.pj[EP_collectors] == 0);
    done(&m);
}

/* One pool: 12 KB banks of 768 rows for registers, shared memory and cache; a tenth more for the way between clusters; leakage
 * of all of it is that of the array with the registers. */
static void unified_pool(void **state)
{
    (void)state;
    struct machine m, p;
    struct energy_out e;
    machine(&m, "sm.registers=65536 sm.banks=4 sm.clusters=8 sm.onchip=unified sm.onchip_kb=384");
    m.n[SS_reg_reads] = 1;
    m.n[SS_shared_accesses] = 2;
    m.n[SS_l1_reads] = 4;
    m.n[SS_l1_read_hits] = 4;
    energy_of(&m.in, &e);
    near(e.pj[EP_rf_banks], 8 * 12.1);
    near(e.pj[EP_shared], 8 * (12.1 + 14.9));
    near(e.pj[EP_l1], 8 * 12.1);
    near(e.pj[EP_onchip_wire], 0.1 * 8 * (12.1 + 14.9 + 12.1));
    done(&m);
    machine(&p,
            "sm.registers=65536 sm.banks=4 sm.clusters=8 sm.onchip=partitioned sm.shared_kb=64 sm.l1_kb=64");
    p.n[SS_shared_accesses] = 2;
    energy_of(&p.in, &e);
    near(e.pj[EP_shared], 8 * (3.9 + 5.1));
    assert_true(e.pj[EP_onchip_wire] == 0);
    done(&p);
}

/* A partition of 512 registers of 1,024 bits and 4 collectors of three: 536,576 bits of 6.384 um2 are 3.4255 mm2, a square whose
 * side is 1.85081 mm. Half of that for 32 words at 1.9 pJ: 56.26 pJ. An eighth of the registers: 77,824 bits, 21.43 pJ. */
static void crossbar_of_cells(void **state)
{
    (void)state;
    struct machine m;
    struct access_out x;
    machine(&m, "energy.rf_model=cells sm.partitions=1 sm.registers=16384 sm.banks=8 sm.collectors=4");
    access_of(&m.in.of, &x);
    near(x.value[XP_crossbar_pj], 32 * 1.9 * sqrt(536576 * 6.384e-6) / 2);
    done(&m);
    machine(&m, "energy.rf_model=cells sm.partitions=1 sm.registers=2048 sm.banks=8 sm.collectors=4");
    access_of(&m.in.of, &x);
    near(x.value[XP_crossbar_pj], 32 * 1.9 * sqrt(77824 * 6.384e-6) / 2);
    done(&m);
}

/* Two banks of 64 registers: a write clocks the 63 others where the bank is gated as a whole, 8 of 13 parts of what it takes to
 * put a bit into a flip-flop; a read costs the same. */
static void bank_of_cells_clocked_as_a_whole(void **state)
{
    (void)state;
    struct machine m;
    struct access_out by_register, by_bank;
    machine(&m, "energy.rf_model=cells sm.partitions=1 sm.registers=4096 sm.banks=2 sm.collectors=4");
    access_of(&m.in.of, &by_register);
    done(&m);
    machine(&m, "energy.rf_model=cells-banked sm.partitions=1 sm.registers=4096 sm.banks=2 sm.collectors=4");
    access_of(&m.in.of, &by_bank);
    near(by_bank.value[XP_write_pj] - by_register.value[XP_write_pj], 63 * 1024 * 6.2e-3 * 8 / 13);
    near(by_bank.value[XP_read_pj], by_register.value[XP_read_pj]);
    done(&m);
}

/* Stealing paper, Table III: 185 pJ for an access, 71 pJ through the crossbar, 384.4 and 11.2 mW, 0.565 and 0.225 mm2. */
static void table_iii(void **state)
{
    (void)state;
    struct machine m;
    struct energy_out e;
    struct area_out a;
    struct access_out x;
    machine(&m, table3);
    m.n[SS_reg_reads] = m.n[SS_reg_writes] = 1;
    m.in.cycles = 1000; /* a microsecond at 1 GHz: a mW is 1,000 pJ */
    energy_of(&m.in, &e);
    near(e.pj[EP_rf_banks], 2 * 185);
    near(e.pj[EP_rf_crossbar], 71);
    near(e.pj[EP_leak_rf], 1000 * (384.4 + 11.2 + 10 * 3 * 1024 * 46.0e-6));
    area_of(&m.in.of, &a);
    near(a.mm2[AP_rf_cells] + a.mm2[AP_rf_periphery], 0.565);
    near(a.mm2[AP_rf_crossbar], 0.225);
    near(a.mm2[AP_rf_cells], 1048576 * 0.299e-6);
    assert_true(a.mm2[AP_rf_arbiter] == 0);
    access_of(&m.in.of, &x);
    near((x.value[XP_read_pj] + x.value[XP_write_pj]) / 2, 185);
    near(x.value[XP_crossbar_pj], 71);
    near(x.value[XP_banks_mw], 384.4);
    near(x.value[XP_crossbar_mw], 11.2);
    near(x.value[XP_bank_ns], 0.31);
    near(x.value[XP_crossbar_ns], 0.31);
    done(&m);
}

/* Isolated schedulers have a crossbar each, as partitions have. */
static void isolated(void **state)
{
    (void)state;
    static const char *const sets[2][5] = {
        {"sm.partitions=4", "sm.schedulers=1", "sm.banks=2", "sm.collectors=2", "sm.isolated=false"},
        {"sm.partitions=1", "sm.schedulers=4", "sm.banks=8", "sm.collectors=8", "sm.isolated=true"}};
    double pj[2], mm2[2];
    for (uint32_t k = 0; k < 2; k++) {
        struct machine m;
        struct area_out a;
        struct access_out x;
        machine(&m, table3);
        for (uint32_t i = 0; i < 5; i++)
            set(&m, sets[k][i]);
        area_of(&m.in.of, &a);
        access_of(&m.in.of, &x);
        pj[k] = x.value[XP_crossbar_pj];
        mm2[k] = a.total_mm2;
        done(&m);
    }
    near(pj[1], pj[0]);
    near(mm2[1], mm2[0]);
}

/* Fewer banks: longer bit lines, less periphery, a shorter crossbar (Fig. 2 of that paper). */
static void fewer_banks(void **state)
{
    (void)state;
    static const char *const banks[] = {"sm.banks=32", "sm.banks=16", "sm.banks=8", "sm.banks=4"};
    struct energy_out before = {0};
    struct area_out area_before = {0};
    struct access_out access_before = {{0}};
    for (int i = 0; i < 4; i++) {
        struct machine m;
        struct energy_out e;
        struct area_out a;
        struct access_out x;
        machine(&m, table3);
        set(&m, banks[i]);
        m.n[SS_reg_reads] = 1;
        m.in.cycles = 1;
        energy_of(&m.in, &e);
        area_of(&m.in.of, &a);
        access_of(&m.in.of, &x);
        if (i) {
            assert_true(x.value[XP_bank_ns] > access_before.value[XP_bank_ns]);
            assert_true(x.value[XP_crossbar_ns] < access_before.value[XP_crossbar_ns]);
            assert_true(x.value[XP_banks_mw] < access_before.value[XP_banks_mw]);
            assert_true(e.pj[EP_rf_banks] > before.pj[EP_rf_banks]);
            assert_true(e.pj[EP_rf_crossbar] < before.pj[EP_rf_crossbar]);
            assert_true(e.pj[EP_leak_rf] < before.pj[EP_leak_rf]);
            assert_true(a.mm2[AP_rf_cells] == area_before.mm2[AP_rf_cells]);
            near(a.mm2[AP_rf_periphery], area_before.mm2[AP_rf_periphery] / 2);
            near(a.mm2[AP_rf_crossbar], area_before.mm2[AP_rf_crossbar] / 2);
        }
        before = e;
        area_before = a;
        access_before = x;
        done(&m);
    }
}

/* Stealing pays for its arbiter: 0.5% of the file. */
static void arbiter(void **state)
{
    (void)state;
    struct machine m;
    struct energy_out e;
    struct area_out a;
    machine(&m, "sm.operands=stealing");
    m.n[SS_reg_reads] = 100;
    energy_of(&m.in, &e);
    near(e.pj[EP_rf_arbiter], 0.005 * (e.pj[EP_rf_banks] + e.pj[EP_rf_crossbar]));
    area_of(&m.in.of, &a);
    near(a.mm2[AP_rf_arbiter], 0.005 * 0.79);
    done(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sram_points),       cmocka_unit_test(unified_register),
        cmocka_unit_test(unified_pool),      cmocka_unit_test(register_files),
        cmocka_unit_test(table_iii),         cmocka_unit_test(fewer_banks),
        cmocka_unit_test(isolated),          cmocka_unit_test(arbiter),
        cmocka_unit_test(crossbar_of_cells), cmocka_unit_test(bank_of_cells_clocked_as_a_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
