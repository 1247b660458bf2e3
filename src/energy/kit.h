/* SPDX-License-Identifier: Apache-2.0 */
/* A partition's scheduler, collectors and register banks as if synthesised with a 45 nm design kit: the partition paper's Fig.
 * 13. Gates are counted bottom up from the configuration; nothing is fitted. */
#ifndef ENERGY_KIT_H
#define ENERGY_KIT_H

#include "energy/energy.h"

enum kit_part {
#define PART(name, help) KP_##name,
#include "energy/kit_parts.def"
#undef PART
    KP_COUNT
};
extern const struct energy_part_info kit_parts[KP_COUNT];

/* Standard cells and SRAM, at 1.1 V. */
struct kit {
    const char *name;
    double ff_um2, mux_um2, add_um2; /* flip-flop, multiplexer of two, full adder */
    double clock_fj, bit_fj;         /* a flip-flop's clock cycle; a change of what it stores */
    double input_fj;                 /* a change at a multiplexer's input */
    double gate_nw_um2;              /* leakage of logic */
    double sram_um2, sram_nw;        /* a bit in a bank */
    double column_fj;                /* an access, for each column of a bank of 256 rows */
};
extern const struct kit kits[];
extern const uint32_t nkits;

struct kit_out {
    double um2[KP_COUNT], mw[KP_COUNT]; /* of one partition */
    double total_um2, total_mw;
};
/* At 1 GHz; `use` is the share of cycles in which a bank is accessed. */
void kit_of(const struct kit *k, const struct energy_machine *of, double use, struct kit_out *out);

#endif
