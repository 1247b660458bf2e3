/* SPDX-License-Identifier: Apache-2.0 */
/* How much the values that a program computes and loads toggle: the energy of an adder, a wire or a tensor core goes by the
 * bits that change from one value to the next (docs/energy.md). A trace has no values; this is the summary of them that
 * energy needs.
 *
 * Called by the loop of warp.c where a launch is observed and the device counts values; never changes what a kernel computes. */
#ifndef EXEC_VALUES_H
#define EXEC_VALUES_H

#include "exec/exec.h"
#include "exec/xop.h"

enum { VALUE_SOURCES = 3, VALUE_WORDS = 4, REG_WORDS = 2 };

/* Per kind, over all lanes: what changed, and what the same number of random values would have changed. */
struct values {
    struct exec_values sum;
    /* By source, then the result; words of loads, then of stores */
    uint32_t last[EV_KINDS][2 * VALUE_WORDS][LANES];
};

/* The instruction has executed for the lanes in `mask`. */
void values_see(struct values *v, const struct xop *x, struct xwarp *w, uint32_t mask);

#endif
