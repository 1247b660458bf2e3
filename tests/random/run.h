/* SPDX-License-Identifier: Apache-2.0 */
/* One random program through parse, compile and execute under one set of options. */
#ifndef TESTS_RANDOM_RUN_H
#define TESTS_RANDOM_RUN_H

#include "prog.h"

struct config {
    uint32_t max_regs;
    bool no_opt, no_schedule;
    bool replay;       /* the launch is recorded, and the trace must give what was executed */
    const char *isa;   /* NULL: the best */
    const char *trace; /* NULL, or the file to record the launch in */
};

/* NULL: the memory afterwards is what the interpreter left. Else what is wrong, in buf. */
const char *run_check(const struct prog *p, const struct config *c, char *buf, size_t n);

#endif
