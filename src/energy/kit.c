/* SPDX-License-Identifier: Apache-2.0 */
/* See docs/energy.md, "A synthesised partition", for the sources. */
#include "energy/kit.h"
#include "energy/rf.h"
#include "sm/wsched/wsched.h"

const struct energy_part_info kit_parts[KP_COUNT] = {
#define PART(name, help) {#name, help},
#include "energy/kit_parts.def"
#undef PART
};

/* SRAM of both: OpenRAM's macro of 1,024 words of 136 bits for FreePDK45, 256 rows by 544 columns: 178,640 um2, 0.1406 mW of
 * leakage, 46.5 pJ for a clock cycle. */
#define OPENRAM .sram_um2 = 1.283, .sram_nw = 1.01, .column_fj = 85.5
const struct kit kits[] = {
    /* gscl45nm.lib at the fastest input slope: DFFPOSX1, MUX2X1, FAX1. Clock: 16.4 fJ inside, 8.2 fF outside. */
    {.name = "osu",
     .ff_um2 = 7.978,
     .mux_um2 = 3.754,
     .add_um2 = 8.917,
     .clock_fj = 26.4,
     .bit_fj = 15.4,
     .input_fj = 1.7,
     .gate_nw_um2 = 6.9,
     OPENRAM},
    /* NangateOpenCellLibrary, typical: DFF_X1, MUX2_X1, FA_X1. Clock: 6.9 fJ inside, 0.95 fF outside. */
    {.name = "nangate",
     .ff_um2 = 4.522,
     .mux_um2 = 1.862,
     .add_um2 = 4.256,
     .clock_fj = 8.0,
     .bit_fj = 8.2,
     .input_fj = 0.6,
     .gate_nw_um2 = 17.5,
     OPENRAM},
};
const uint32_t nkits = sizeof kits / sizeof kits[0];

enum {
    REG_BITS = 1024,
    OPERANDS = 3,
    PC_BITS = 48, /* of an entry of the warp table */
    FLAGS = 2,    /* valid, ready */
    SCORE_BITS = 5,
};

static double bits_for(uint32_t n)
{
    double b = 0;
    while (n > 1) {
        n = (n + 1) / 2;
        b++;
    }
    return b;
}

/* A node of the selection tree compares two keys (a subtracter) and passes the smaller on. */
static double tree_um2(const struct kit *k, uint32_t warps, double key_bits, double passed_bits)
{
    return (warps - 1) * (key_bits * k->add_um2 + passed_bits * k->mux_um2);
}

struct logic {
    double um2, ffs; /* all; flip-flops of it */
};

static struct logic scheduler(const struct kit *k, const struct sm_cfg *sm)
{
    double id = bits_for(sm->warps), ffs = sm->warps * (PC_BITS + FLAGS + id);
    return (struct logic){.um2 = ffs * k->ff_um2 + tree_um2(k, sm->warps, id, 2 * id), .ffs = ffs};
}

/* Five more bits in each entry and at each node; for each entry three queue lengths, chosen by the operand's bank, are added; a
 * queue's length is the number of valid ones among its ports. */
static struct logic score(const struct kit *k, const struct sm_cfg *sm)
{
    uint32_t ports = OPERANDS * sm->collectors;
    double ffs = (double)sm->warps * SCORE_BITS, length = bits_for(ports + 1);
    double sum = OPERANDS * length * (sm->banks - 1) * k->mux_um2 + (OPERANDS - 1) * SCORE_BITS * k->add_um2;
    double count = sm->banks * (ports - length > 0 ? ports - length : 1) * k->add_um2;
    return (struct logic){.um2 = ffs * k->ff_um2 + tree_um2(k, sm->warps, SCORE_BITS, SCORE_BITS) +
                                 sm->warps * sum + count,
                          .ffs = ffs};
}

/* Nothing gates the clock: a flip-flop costs its clock in every cycle. Half of the bits of an operand change; those of a bank are
 * seen by every multiplexer behind it. A gate of the scheduler changes as often as a bit of an operand. */
static void power(const struct kit *k, const struct energy_machine *of, const struct rf_shape *s, double use,
                  const struct logic *sched, const struct logic *scores, struct kit_out *out)
{
    const struct sm_cfg *sm = of->sm;
    double *mw = out->mw, reads = use * sm->banks, cus = sm->collectors;
    double changes = reads * REG_BITS / 2, fj = 1e-3; /* fJ each nanosecond are uW */
    double macro = sram_read_pj(of->cfg, 256), rows = macro > 0 ? sram_read_pj(of->cfg, s->rows) / macro : 1;
    mw[KP_banks] = reads * REG_BITS * k->column_fj * rows * fj + s->bits / sm->partitions * k->sram_nw * 1e-6;
    mw[KP_operands] = (cus * OPERANDS * REG_BITS * k->clock_fj + changes * k->bit_fj) * fj;
    mw[KP_crossbar] = changes * OPERANDS * cus * k->input_fj * fj;
    mw[KP_dispatch] = changes * bits_for(sm->collectors) * k->input_fj * fj;
    mw[KP_scheduler] = sched->ffs * k->clock_fj * fj;
    mw[KP_score] = scores->ffs * (k->clock_fj + use * k->bit_fj) * fj;
    for (uint32_t i = KP_operands; i < KP_COUNT; i++)
        mw[i] += out->um2[i] * k->gate_nw_um2 * 1e-6;
}

void kit_of(const struct kit *k, const struct energy_machine *of, double use, struct kit_out *out)
{
    const struct sm_cfg *sm = of->sm;
    struct rf_shape s = rf_shape_of(of);
    double operand_bits = (double)sm->collectors * OPERANDS * REG_BITS;
    struct logic sched = scheduler(k, sm), scores = {0};
    if (wsched_of(sm)->score_late)
        scores = score(k, sm);
    memset(out, 0, sizeof *out);
    out->um2[KP_banks] = s.bits / sm->partitions * k->sram_um2;
    out->um2[KP_operands] = operand_bits * k->ff_um2;
    out->um2[KP_crossbar] = operand_bits * (sm->banks - 1) * k->mux_um2;
    out->um2[KP_dispatch] = (sm->collectors - 1.0) * OPERANDS * REG_BITS * k->mux_um2;
    out->um2[KP_scheduler] = sched.um2;
    out->um2[KP_score] = scores.um2;
    power(k, of, &s, use, &sched, &scores, out);
    for (uint32_t i = 0; i < KP_COUNT; i++) {
        out->total_um2 += out->um2[i];
        out->total_mw += out->mw[i];
    }
}
