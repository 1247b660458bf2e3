/* SPDX-License-Identifier: Apache-2.0 */
/* Regions for operands that are staged (RegLess: thesis, section 4.4): parts of blocks that a warp executes only when the
 * registers they need are there, and with which registers of others come and go. Made for a kernel that is prepared for the
 * timing model; it changes nothing.
 *
 * A block is divided as Algorithm 1 does. A region is valid if few enough registers are occupied at a time, in each bank and in
 * all, and if it has no global load (section 4.4.2) together with the first instruction that touches its result. An invalid one
 * is split in the window from the place that parts most loads from their uses, six instructions or later, to the first
 * instruction that makes it invalid: where the halves have the fewest inputs and outputs, at the last such place. Regions also
 * end after barriers and wherever lanes may wait for others, since a warp must not hold registers there, and after calls. Leading
 * BSYNCs of a block belong to no region: lanes come to them one after the other.
 *
 * A register is occupied from the region's start if its value comes from outside, else from its first write, to its last
 * access, or to the region's end where a load from far memory writes it (section 4.5.1). It is dead for the warp if no lane wants
 * it, here (annotate/live.h) or elsewhere (annotate/apart.h). A write that must leave old values to some lanes is soft; the
 * register is then brought like an input. */
#ifndef ANNOTATE_REGIONS_H
#define ANNOTATE_REGIONS_H

#include "annotate/regset.h"

enum {
    REGION_BANKS = 64,
    REGION_NONE = 0xffffffff,
};

struct region {
    uint32_t start, n;
    uint32_t block;
    regset preload;    /* brought before it starts */
    regset invalidate; /* of the others: not wanted any more, by no lane; some way to here had them live */
    uint32_t most;     /* registers occupied at a time */
    uint32_t need[REGION_BANKS]; /* by bank, register modulo banks: the most at a time */
    uint32_t words;              /* metadata before its first instruction */
};

/* Of an instruction: registers whose last access in the region it is, for that of them that no lane wants afterwards, and those
 * that it must not write without their old value. */
struct region_insn {
    regset last, dead, soft;
};

struct regions {
    struct region *at; /* in the order of the code */
    uint32_t n;
    uint32_t banks;
    uint32_t *of;              /* by instruction: its region, REGION_NONE: none */
    struct region_insn *insns; /* by instruction */
    regset *live;              /* by instruction: what its lanes may read after it (annotate/live.h) */
};

/* What the hardware has. */
struct region_limits {
    uint32_t banks, lines; /* of a staging unit; lines of a bank */
    uint32_t most;         /* registers that a region may occupy at a time */
};

struct regions *regions_new(const struct tr_kernel *k, const struct region_limits *l);
void regions_free(struct regions *r); /* NULL: nothing */

/* What must be brought if the region is entered at one of its instructions, which need not be the first. */
regset regions_preload_at(const struct regions *r, const struct tr_kernel *k, uint32_t insn);
/* Words of metadata (section 4.5.4): n instructions, p preloads and invalidations. */
uint32_t regions_words(uint32_t p, uint32_t n);
/* An instruction that needs more lines of a bank than there are; REGION_NONE: none. */
uint32_t regions_too_large(const struct regions *r, uint32_t lines);

#endif
