/* SPDX-License-Identifier: Apache-2.0 */
/* Lanes of a warp that have gone another way: for each block of the static code, the registers that such lanes may still want
 * while others execute the block. Liveness of one thread (annotate/live.h) says when the lanes that are here are done with a
 * register; a register of the whole warp is dead only if the lanes elsewhere are done with it, too. Other passes ask; it
 * changes nothing.
 *
 * Lanes part at a branch and meet at its immediate post-dominator. While some are in a block that one way of a branch leads to,
 * the others are in what the branch's other ways lead to, or wait where they meet. That the branch dominates the block is not
 * asked: those who have left a loop wait at its end while the others go round, and the branch that they left by comes after
 * most of the blocks that are executed meanwhile. Where it is not known where lanes meet they may be anywhere that they can get
 * to.
 *
 * Lanes stand still at the start of a block, at barriers and where they meet; what is live only between these is wanted by
 * nobody who stands still. In functions, and where code leaves for places that it does not tell, everything may be wanted. */
#ifndef ANNOTATE_APART_H
#define ANNOTATE_APART_H

#include "annotate/regset.h"

bool apart_meets(const struct tr_insn *i); /* lanes that have parted meet here: BSYNC */
bool apart_waits(const struct tr_insn *i); /* lanes may stand here until others come */

/* By block. `after` is live_after of the kernel. The caller frees it. */
regset *apart_wanted(const struct tr_kernel *k, const regset *after);

#endif
