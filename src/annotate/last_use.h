/* Last uses: sources whose register is dead afterwards, by liveness over the blocks of the static code. Thread by thread: a warp may
 * drop the value only where all its lanes execute the instruction. Where the code cannot tell what comes next (an indirect branch, a
 * call, a return), everything is live. A barrier's or a system call's result ends nothing. Made for a kernel that is prepared for the timing model; it
 * changes nothing. */
#ifndef ANNOTATE_LAST_USE_H
#define ANNOTATE_LAST_USE_H

#include "trace/kernel.h"

/* By instruction: sources whose registers nobody reads again, by bit. A source of several registers: only if none of them is. The
 * caller frees it. */
uint8_t *last_uses(const struct tr_kernel *k);

#endif
