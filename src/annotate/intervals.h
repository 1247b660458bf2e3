/* SPDX-License-Identifier: Apache-2.0 */
/* Register intervals (Sadrosadati et al., "LTRF", ASPLOS 2018): parts of the code that are entered at one instruction and name
 * few registers, so that these can be brought to a small store once and be used there until the part is left. Made for a kernel
 * that is prepared for the timing model; it changes nothing.
 *
 * Two passes. The first grows an interval from a block as classical interval analysis does: a block joins if all that lead to it
 * are inside. Where the registers would be more than the limit a block is cut, and its rest begins an interval. Blocks that can
 * be reached from inside and have not joined begin intervals too, as does the code behind a call. The second does the same with
 * whole intervals in the place of blocks, again and again: it is what takes loops in. Code that the graph does not reach begins
 * intervals of its own.
 *
 * An instruction that names more registers than the limit is an interval of its own, with as many of them as fit: its sources
 * first, those of small numbers first. */
#ifndef ANNOTATE_INTERVALS_H
#define ANNOTATE_INTERVALS_H

#include "annotate/regset.h"

struct interval {
    uint32_t entry; /* the instruction it is entered at */
    regset regs;    /* its working set */
};

struct intervals {
    struct interval *at; /* by number, which follows the order of their first instructions */
    uint32_t n;
    uint32_t *of; /* by instruction: its interval */
    regset *live; /* by instruction: registers that are live before it (annotate/live.h) */
};

/* `limit`: registers of a working set, 1 or more. */
struct intervals *intervals_new(const struct tr_kernel *k, uint32_t limit);
void intervals_free(struct intervals *v); /* NULL: nothing */

#endif
