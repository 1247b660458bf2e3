/* SPDX-License-Identifier: Apache-2.0 */
/* Whether code waits long enough: control codes (stall counts, barriers) held against latencies, on every path of the static
 * code. The timing model's scoreboard stands behind the codes and would hide a value that is read before its time; a GPU has no
 * such scoreboard. */
#ifndef ANNOTATE_WAITS_H
#define ANNOTATE_WAITS_H

#include "trace/code/kernel.h"

struct waits_table {
    const uint32_t *lat; /* by enum tr_class: cycles from issue to the first issue that can read the result */
    uint32_t guard_cyc;  /* more until a predicate can guard */
    uint32_t pass_cyc;   /* from a branch that is not taken to the next issue */
};

struct waits_early {
    uint32_t producer, consumer; /* instructions */
    struct tr_opnd what;         /* the register or predicate, one of it */
    uint32_t short_cyc;          /* too early by so much; 0: a barrier that is not waited for */
};

/* The first value, in the order of the code, that may be read too early; false: none. Only where the kernel has codes. */
bool waits_too_short(const struct tr_kernel *k, const struct waits_table *t, struct waits_early *out);
/* Stall counts as an assembler gives them to code that has none: they alone keep an instruction as far behind what it reads of
 * fixed latency as it must be, since nobody knows how long what lies between waits. stall: for each instruction cycles to the
 * next. */
void waits_stalls(const struct tr_kernel *k, const struct waits_table *t, uint8_t *stall);
/* One line: both instructions, and what is wrong. */
const char *waits_tell(const struct tr_kernel *k, const struct waits_early *e, struct arena *a);

#endif
