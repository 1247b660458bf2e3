/* Liveness over the blocks of the static code: the registers whose values a thread may still read. Where the code does not tell
 * what comes next (an indirect branch, a call, a return), every register is live. Only what a unit writes ends the life of the
 * value before it; the result of a barrier or of a system call does not. Other passes ask it; it changes nothing. */
#ifndef ANNOTATE_LIVE_H
#define ANNOTATE_LIVE_H

#include "annotate/regset.h"

/* For each instruction the registers that are live after it. The caller frees the array. */
regset *live_after(const struct tr_kernel *k);
/* Turns what is live after an instruction into what is live before it, in two steps: live_overwrite takes out what it writes,
 * live_use adds what it reads. A guarded write takes out nothing, since some lanes keep the old value. */
void live_overwrite(regset *s, const struct tr_insn *i);
void live_use(regset *s, const struct tr_insn *i);

bool is_control(const struct tr_insn *i); /* no unit: the timing model moves no operands for it */
/* Does the instruction lead where its block's successors do not tell? An indirect branch, a return and a call do: the successor
 * of a call is where it returns to, and not the function. */
bool leaves_code(const struct tr_kernel *k, const struct tr_block *b, const struct tr_insn *i);

#endif
