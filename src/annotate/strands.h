/* SPDX-License-Identifier: Apache-2.0 */
/* Strands, and where their values are kept, for a register file of three levels that a compiler manages (Gebhart, Keckler, Dally,
 * MICRO 2011): a last-result file of an entry or so, an operand file of a few, the banks. Made for a kernel that is prepared for
 * the timing model; it changes nothing.
 *
 * A strand needs no result from memory that it has asked for itself: it ends before the first instruction that would, so a warp
 * has to be put aside only between strands, until all such results are there. It also ends at barriers, after a branch back and
 * before the target of one, and where the code does not tell where it comes from.
 *
 * Values are placed within a piece of a strand: what lies in one block, and between points where lanes meet. What is read after
 * its piece is written to the banks; a copy may be kept beside that for reads in the piece. Entries hold nothing when a piece
 * begins. A value is in one of the two small files or in none. The last-result file serves the lanes' own units only; results
 * from memory and what branches and barriers read are in the banks. */
#ifndef ANNOTATE_STRANDS_H
#define ANNOTATE_STRANDS_H

#include "trace/code/kernel.h"

enum {
    STRAND_OPERANDS = 16, /* registers of an instruction that are told, each way */
    STRAND_ENTRIES = 40,  /* of both files */
    PLACE_BANK = 0xff,
};

/* Registers that an instruction reads or writes count by ascending number, each once. A place is an entry: those of the
 * last-result file come first. */
struct strand_insn {
    uint32_t piece;
    bool starts; /* a strand begins here */
    /* The strand begins when everything is there that was asked of memory before it; false where nothing can have been asked. */
    bool waits;
    bool guarded;
    uint8_t read[STRAND_OPERANDS];  /* by register read: place */
    uint8_t write[STRAND_OPERANDS]; /* by register written: place; PLACE_BANK: none */
    uint16_t last;                  /* of those read: the place is free afterwards, by bit */
    uint16_t banks;                 /* of those written: to the banks too, by bit */
};

struct strands {
    struct strand_insn *insns;
    uint32_t n, strands, pieces;
};

/* `lrf` and `orf` entries per thread; together at most STRAND_ENTRIES. */
struct strands *strands_new(const struct tr_kernel *k, uint32_t lrf, uint32_t orf);
void strands_free(struct strands *s);

#endif
