/* SPDX-License-Identifier: Apache-2.0 */
/* From a PTX file's name to a parsed module and one of its kernels, with messages for the user. */
#ifndef CLI_LOAD_H
#define CLI_LOAD_H

#include "ptx/ptx.h"

struct cli_ptx {
    struct ptx_module *m;
    struct diag diag; /* also for what follows: compiling, loading */
};

/* Prints why not. Close it either way. */
bool cli_ptx_open(struct cli_ptx *p, const char *path);
void cli_ptx_close(struct cli_ptx *p);

/* Prints what the sink holds and empties it. Returns CLI_USAGE. */
int cli_ptx_report(struct cli_ptx *p);

/* The kernel called `name`; NULL: the only one. NULL after a message that lists the kernels. */
const struct ptx_func *cli_ptx_kernel(const struct cli_ptx *p, const char *name);

#endif
