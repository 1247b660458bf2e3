/* SPDX-License-Identifier: Apache-2.0 */
/* The register file: what its geometry costs. Everything is in relation to one file that was designed and measured (stealing
 * paper, Table III): cells by capacity, periphery by columns, the crossbar's area by banks x collectors and its wires' length by
 * banks + collectors. */
#include "energy/rf.h"

#include "sm/onchip/onchip.h"

enum { REG_B = 128, REG_PIECES = REG_B / 16 }; /* a warp's register; the SRAM points are for 16 bytes */

const char *rf_model_name(uint32_t i)
{
    static const char *const names[] = {"sram", "cells", "cells-banked"};
    return i < sizeof names / sizeof names[0] ? names[i] : NULL;
}

bool rf_of_cells(const struct energy_cfg *c) { return c->rf_model[0] == 'c'; }

/* Is a clock gated for a bank as a whole, and not for each of its registers? */
static bool clocks_bank(const struct energy_cfg *c) { return strcmp(c->rf_model, rf_model_name(2)) == 0; }

/* 32-bit registers that the banks of an SM hold: a policy may do with fewer than warps are given. */
static double registers(const struct sm_cfg *sm)
{
    const struct policy *p = policy_of(sm, SEAM_OPERANDS);
    return p->file ? 32.0 * p->file(sm) : sm->registers;
}

struct rf_shape rf_shape_of(const struct energy_machine *of)
{
    const struct sm_cfg *sm = of->sm;
    uint32_t kb = onchip_find(sm->onchip)->arrays(sm).register_kb;
    struct rf_shape s = {.bits = kb ? kb * 8192.0 : 32.0 * registers(sm), .banks = sm->banks};
    s.rows = s.bits / 8 / sm->partitions / sm->banks / REG_B;
    s.columns = 8.0 * REG_B * sm->banks * sm->partitions;
    return s;
}

static double ref_rows(const struct energy_cfg *c) { return c->rf_ref_kb * 1024 / c->rf_ref_banks / REG_B; }

/* Register accesses of the measured file over those that the SRAM points give for its rows. */
static double level(const struct energy_cfg *c)
{
    double rows = ref_rows(c), mean = (sram_read_pj(c, rows) + sram_write_pj(c, rows)) / 2 * REG_PIECES;
    return c->rf_ref_pj > 0 && mean > 0 ? c->rf_ref_pj / mean : 1;
}

/* ---- banks of cells ---- */

/* mm2 of a bank: a flip-flop for each bit, and all but one of them a multiplexer of the tree that chooses. */
static double bank_mm2(const struct energy_cfg *c, double rows)
{
    return rows * REG_B * 8 * (c->ff_um2 + c->mux_um2) * 1e-6;
}

static double root(double x)
{
    double r = x > 1 ? x : 1;
    for (uint32_t i = 0; i < 60 && x > 0; i++)
        r = (r + x / r) / 2;
    return x > 0 ? r : 0;
}

/* A register's way over its bank: as long as the bank's side. */
static double bank_wire_pj(const struct energy_cfg *c, double rows)
{
    return REG_B / 4.0 * c->wire_pj_mm * root(bank_mm2(c, rows));
}

/* Of ff_fj: a clock cycle of a flip-flop that keeps its value [DFF_X1, kit.c]. */
#define FF_CLOCK (8.0 / 13.0)

/* Read: of the multiplexers of a tree that chooses one of `rows`, one for each row, those whose select changes (half) pass
 * another value on in half of the cases. Written: the clock of a register that is not written is gated, or that of a bank in
 * which nothing is written; data pass by all of the bank. */
double rf_cells_pj(const struct energy_cfg *c, double rows, bool write)
{
    double others = clocks_bank(c) && rows > 1 ? (rows - 1) * FF_CLOCK : 0;
    return REG_B * 8 * (write ? (1 + others) * c->ff_fj : rows / 4 * c->mux_fj) * 1e-3 +
           bank_wire_pj(c, rows);
}

static double cell_mw(const struct energy_machine *of)
{
    const struct energy_cfg *c = of->cfg;
    return rf_shape_of(of).bits * (c->ff_nw + c->mux_um2 * c->gate_nw_um2) * 1e-6;
}

/* ---- an access ---- */

double rf_scale_of(const struct energy_cfg *c)
{
    return strcmp(c->basis, energy_basis_name(0)) == 0 ? 1 : c->rf_scale * c->process;
}

double rf_read_pj(const struct energy_machine *of)
{
    if (rf_of_cells(of->cfg))
        return rf_cells_pj(of->cfg, rf_shape_of(of).rows, false) * rf_scale_of(of->cfg);
    return sram_read_pj(of->cfg, rf_shape_of(of).rows) * REG_PIECES * level(of->cfg) * rf_scale_of(of->cfg);
}

double rf_write_pj(const struct energy_machine *of)
{
    if (rf_of_cells(of->cfg))
        return rf_cells_pj(of->cfg, rf_shape_of(of).rows, true) * rf_scale_of(of->cfg);
    return sram_write_pj(of->cfg, rf_shape_of(of).rows) * REG_PIECES * level(of->cfg) * rf_scale_of(of->cfg);
}

/* Crossbars of a partition, among which its banks and collectors are divided. */
static double crossbars(const struct sm_cfg *sm) { return sm->isolated ? sm->schedulers : 1; }

/* Ports that a register passes in the crossbar, over those of the measured one: the length of its wires. */
static double ports(const struct energy_machine *of)
{
    const struct energy_cfg *c = of->cfg;
    return (rf_shape_of(of).banks + sm_collectors(of->sm)) / crossbars(of->sm) /
           (c->rf_ref_banks + c->rf_ref_collectors);
}

/* mm from a bank of cells to the collectors among them: half the side of the square that both fill, which is how far its places
 * are from the middle on average, along the wires. */
static double cells_way_mm(const struct energy_machine *of)
{
    const struct energy_cfg *c = of->cfg;
    double bits = rf_shape_of(of).bits + collector_bits(of->sm);
    return root(bits * (c->ff_um2 + c->mux_um2) * 1e-6 / of->sm->partitions / crossbars(of->sm)) / 2;
}

double rf_crossbar_pj(const struct energy_machine *of)
{
    if (rf_of_cells(of->cfg))
        return REG_B / 4.0 * of->cfg->wire_pj_mm * cells_way_mm(of) * rf_scale_of(of->cfg);
    return of->cfg->xbar_ref_pj * ports(of) * rf_scale_of(of->cfg);
}

static double ref_cells_mm2(const struct energy_cfg *c) { return c->rf_ref_kb * 8192 * c->cell_um2 * 1e-6; }

const char *energy_contradiction(const struct energy_cfg *c)
{
    return c->rf_ref_mm2 < ref_cells_mm2(c)
               ? "energy.rf_ref_mm2 is less than the cells of energy.rf_ref_kb take at energy.cell_um2"
               : NULL;
}

/* um2 of periphery for each column: what the measured file has beside its cells. */
static double column_um2(const struct energy_cfg *c)
{
    return (c->rf_ref_mm2 - ref_cells_mm2(c)) * 1e6 / (c->rf_ref_banks * REG_B * 8);
}

double rf_logic(const struct sm_cfg *sm)
{
    double sum = 0;
    for (enum seam s = 0; s < SEAMS; s++) {
        const struct policy *p = policy_of(sm, s);
        sum += p->logic ? p->logic(sm) : 0;
    }
    return sum;
}

static double latches(const struct sm_cfg *sm)
{
    const struct policy *p = policy_of(sm, SEAM_OPERANDS);
    return p->latches ? p->latches(sm) : 0;
}

/* What a policy has in the place of the file beside its registers. */
static double latches_mm2(const struct energy_machine *of)
{
    return latches(of->sm) * of->cfg->ff_um2 * 1e-6;
}

double collector_bits(const struct sm_cfg *sm)
{
    enum { OPERANDS = 3 };
    return (double)sm->partitions * sm_collectors(sm) * OPERANDS * REG_B * 8;
}

void area_of(const struct energy_machine *of, struct area_out *out)
{
    const struct energy_cfg *c = of->cfg;
    const struct sm_cfg *sm = of->sm;
    struct rf_shape s = rf_shape_of(of);
    double *a = out->mm2, bits = collector_bits(sm);
    a[AP_rf_cells] = s.bits * (rf_of_cells(c) ? c->ff_um2 : c->cell_um2) * 1e-6;
    a[AP_rf_periphery] =
        (rf_of_cells(c) ? s.bits * c->mux_um2 : s.columns * column_um2(c)) * 1e-6 + latches_mm2(of);
    a[AP_rf_crossbar] = c->xbar_ref_mm2 * sm->partitions * s.banks * sm_collectors(sm) / crossbars(sm) /
                        (c->rf_ref_banks * c->rf_ref_collectors);
    a[AP_rf_arbiter] = rf_logic(sm) * (a[AP_rf_cells] + a[AP_rf_periphery] + a[AP_rf_crossbar]);
    /* Out of n collectors a tree of n - 1 multiplexers chooses. */
    double n = sm_collectors(sm) / crossbars(sm);
    a[AP_collectors] = bits * (c->ff_um2 + c->mux_um2 * (n - 1) / n) * 1e-6;
    out->total_mm2 = 0;
    for (uint32_t i = 0; i < AP_COUNT; i++)
        out->total_mm2 += a[i];
}

/* Banks leak by their area. Where they were not measured, SRAM's leakage is that of banks of 512 rows. */
static double banks_mw(const struct energy_machine *of, const struct area_out *a)
{
    enum { SRAM_ROWS = 512 };
    const struct energy_cfg *c = of->cfg;
    struct rf_shape s = rf_shape_of(of);
    double plain = c->cell_um2 + column_um2(c) / SRAM_ROWS;
    if (rf_of_cells(c))
        return cell_mw(of);
    if (c->rf_ref_mw > 0 && c->rf_ref_mm2 > 0)
        return c->rf_ref_mw * (a->mm2[AP_rf_cells] + a->mm2[AP_rf_periphery]) / c->rf_ref_mm2;
    return c->sram_mw_kb * s.bits / 8192 * (plain > 0 ? (c->cell_um2 + column_um2(c) / s.rows) / plain : 1);
}

static double crossbar_mw(const struct energy_cfg *c, const struct area_out *a)
{
    return c->xbar_ref_mm2 > 0 ? c->xbar_ref_mw * a->mm2[AP_rf_crossbar] / c->xbar_ref_mm2 : 0;
}

static double collectors_mw(const struct energy_machine *of)
{
    return collector_bits(of->sm) * of->cfg->ff_nw * 1e-6;
}

double rf_leak_mw(const struct energy_machine *of)
{
    struct area_out a;
    area_of(of, &a);
    return (banks_mw(of, &a) + crossbar_mw(of->cfg, &a)) * (1 + rf_logic(of->sm)) + collectors_mw(of) +
           latches(of->sm) * of->cfg->ff_nw * 1e-6;
}

void access_of(const struct energy_machine *given, struct access_out *out)
{
    const struct energy_cfg effective = energy_effective(given->cfg), *c = &effective;
    struct energy_machine here = *given, *of = &here;
    here.cfg = c;
    struct area_out a;
    double rows = rf_shape_of(of).rows / ref_rows(c);
    area_of(of, &a);
    out->value[XP_read_pj] = rf_read_pj(of);
    out->value[XP_write_pj] = rf_write_pj(of);
    out->value[XP_crossbar_pj] = rf_crossbar_pj(of);
    out->value[XP_banks_mw] = banks_mw(of, &a) * c->leak_scale;
    out->value[XP_crossbar_mw] = crossbar_mw(c, &a) * c->leak_scale;
    out->value[XP_collectors_mw] = collectors_mw(of) * c->leak_scale;
    out->value[XP_bank_ns] = c->rf_ref_ns * (1 - c->bitline_ns + c->bitline_ns * rows);
    out->value[XP_crossbar_ns] = c->xbar_ref_ns * ports(of);
}
