/* SPDX-License-Identifier: Apache-2.0 */
/* Last uses: the sources of an instruction whose registers are dead after it (annotate/live.h). They are last uses of a thread; a
 * warp may drop the value only if all its lanes execute the instruction. Made for a kernel that is prepared for the timing model;
 * it changes nothing. */
#ifndef ANNOTATE_LAST_USE_H
#define ANNOTATE_LAST_USE_H

#include "trace/code/kernel.h"

/* For each instruction its sources, by bit, whose registers nobody reads again; one of several registers only if nobody reads any
 * of them again. The caller frees the array. */
uint8_t *last_uses(const struct tr_kernel *k);

#endif
