/* SPDX-License-Identifier: Apache-2.0 */
/* Liveness over the blocks of the static code, thread by thread: registers whose values may be read. Where the code cannot tell
 * what comes next (an indirect branch or call, a return), everything is live; behind a call of a function that calls nothing in
 * turn, what lives there and what the function reads. A barrier's or a system call's result ends nothing. Other passes ask it;
 * it changes nothing. */
#ifndef ANNOTATE_LIVE_H
#define ANNOTATE_LIVE_H

#include "annotate/regset.h"

/* By instruction: live after it. The caller frees it. */
regset *live_after(const struct tr_kernel *k);
/* From what is live after an instruction to what is live before it, in two steps. A guarded write leaves the old value to some
 * lanes. */
void live_overwrite(regset *s, const struct tr_insn *i);
void live_use(regset *s, const struct tr_insn *i);

bool is_control(const struct tr_insn *i); /* no unit: the timing model moves no operands for it */
/* An indirect branch, a return, a call: its block goes on where a call returns to, and does not tell of the function. */
bool leaves_code(const struct tr_kernel *k, const struct tr_block *b, const struct tr_insn *i);

#endif
