/* SPDX-License-Identifier: Apache-2.0 */
/* What things cost, as a policy needs to know it to price itself: handed to it by src/energy, which knows the technology. */
#ifndef SM_PRICE_H
#define SM_PRICE_H

#include <stdbool.h>

/* pJ; a register is that of a warp, 128 bytes. */
struct price {
    double latch_pj;                    /* to put a register into flip-flops */
    double crossbar_pj;                 /* to move one from its bank to a collector, or back */
    double bank_read_pj, bank_write_pj; /* of the register banks */
    double compare_pj;                  /* a bit */
    double fetch_pj;                    /* a word of code that is fetched and decoded, and does not issue */
    /* Parts that a policy may add to, beside what it returns. */
    double *tags, *compressor, *instruction;
    /* To read or write one in an SRAM of that many rows of 16 bytes, eight side by side. */
    double (*sram_pj)(const void *tech, double rows, bool write);
    const void *tech;
};

#endif
