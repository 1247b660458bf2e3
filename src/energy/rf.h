/* SPDX-License-Identifier: Apache-2.0 */
/* Inside src/energy: what an access to the register file costs, and what the file costs while nothing happens. */
#ifndef ENERGY_RF_H
#define ENERGY_RF_H

#include "energy/energy.h"

struct rf_shape {
    double bits, rows; /* all of the SM, with what else is in the same array; of a bank */
    double banks;      /* of a partition, as if their rows were whole registers */
    double columns;    /* all of the SM: what the periphery grows with */
};
struct rf_shape rf_shape_of(const struct energy_machine *of);

/* What register access takes over what geometry gives at 32 nm. */
double rf_scale_of(const struct energy_cfg *c);
bool rf_of_cells(const struct energy_cfg *c);
/* A warp's register to or from a bank of that many rows of flip-flops. */
double rf_cells_pj(const struct energy_cfg *c, double rows, bool write);
/* A warp's register, 128 bytes. */
double rf_read_pj(const struct energy_machine *of);
double rf_write_pj(const struct energy_machine *of);
double rf_crossbar_pj(const struct energy_machine *of);

double rf_logic(const struct sm_cfg *sm);           /* share of the file that policies add to it as logic */
double rf_leak_mw(const struct energy_machine *of); /* of an SM */
double collector_bits(const struct sm_cfg *sm);     /* of an SM */

#endif
