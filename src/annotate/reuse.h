/* SPDX-License-Identifier: Apache-2.0 */
/* Reuse distances of register operands (Malekeh paper, section III-A): the number of a warp's dynamic instructions from an access
 * to a register, source or destination, to the next read of the value it leaves there; the next instruction is at distance 1.
 * Taken from the streams of the first warps of a kernel, and kept for each operand of the static code: how often the next read
 * was near, and how often it was far or never came because the register was written again or the warp ended. The majority is the
 * bit that the compiler puts into the instruction.
 *
 * Distances count all instructions of the stream, also those that a guard has switched off. Whoever prepares kernels for the
 * timing model calls it, and `bankshot inspect --reuse`; it changes nothing. */
#ifndef ANNOTATE_REUSE_H
#define ANNOTATE_REUSE_H

#include "trace/trace.h"

struct reuse_opnd {
    uint64_t near, far;    /* accesses, by distance */
    uint64_t reused, dist; /* accesses that were followed by a read, and the sum of their distances */
};

struct reuse_insn {
    struct reuse_opnd src[TR_SRCS], dst[TR_DSTS];
};

enum { REUSE_HIST = 33 }; /* distances 1 to 32, and the last for all beyond */

struct reuse {
    uint32_t n; /* instructions */
    struct reuse_insn *insns;
    uint64_t warps, of;        /* profiled, of the kernel's */
    uint64_t hist[REUSE_HIST]; /* reads by distance from the access before */
    uint64_t unused;           /* accesses whose value nobody read again */
};

/* Profiles the first warps of a kernel, over all its launches in their order: `share` of them (0 to 1), one at least. Distances
 * up to `near` are near. False after reporting a damaged stream. reuse_free in both cases. */
bool reuse_profile(struct tr_reader *r, uint32_t kernel, double share, uint32_t near, struct reuse *out,
                   struct diag *d);
void reuse_free(struct reuse *u);

/* The bit: was the next read near most of the time? Operands that were never executed are far. */
static inline bool reuse_is_near(const struct reuse_opnd *o) { return o->near > o->far; }

#endif
