/* SPDX-License-Identifier: Apache-2.0 */
/* From a parsed module to executable kernels. compile.c lists the pipeline; each pass is one file and names what it
 * requires. Anything that cannot be compiled is reported into the sink by name, before anything runs. */
#ifndef COMPILE_COMPILE_H
#define COMPILE_COMPILE_H

#include "ir/code.h"
#include "ptx/ptx.h"

struct compile_opts {
    uint32_t max_regs; /* 16..255; 0: 255, or what .maxnreg / .maxntid / .minnctapersm allow */
    bool no_schedule;
    bool short_addr; /* global addresses are one register, as in machine code of sm_1x and 32-bit programs */
    bool no_opt;
    bool no_bank_aware;
    uint32_t banks; /* register banks that allocation avoids conflicts in; 0: 2 */
    bool verify;    /* run the verifier between passes */
    FILE *dump;     /* inspect: print the stages below */
    bool dump_code, dump_cfg, dump_live, dump_regs;
};

/* One kernel of the module. NULL after an error (reported). */
struct code *compile_kernel(const struct ptx_module *m, const struct ptx_func *f,
                            const struct compile_opts *o, struct diag *d);

#endif
