/* SPDX-License-Identifier: Apache-2.0 */
/* A CUDA program on the runtime stand-in, for commands that run one. */
#ifndef CLI_HOST_H
#define CLI_HOST_H

#include "cli/child.h"
#include "cli/cli.h"

struct host_opts {
    const char *code, *nvtx;
    const char *cubin;  /* machine code in place of the program's own; NULL: none */
    const char *values; /* a file for what values toggle; NULL: none */
    uint32_t max_regs;
    uint64_t memory_mb;
    bool no_schedule, short_addr, quiet, verbose;
};

/* Rows of the options that say how it is run. */
#define HOST_OPTS(o)                                                                                         \
    {"max-regs", CLI_U32, &(o)->max_regs, 16, 255, "N", "registers per thread, 16 to 255"},                  \
        {"no-schedule",                                                                                      \
         CLI_FLAG,                                                                                           \
         &(o)->no_schedule,                                                                                  \
         0,                                                                                                  \
         0,                                                                                                  \
         NULL,                                                                                               \
         "instructions in the order of the PTX, not as an assembler orders them"},                           \
        {"code",                                                                                             \
         CLI_STR,                                                                                            \
         &(o)->code,                                                                                         \
         0,                                                                                                  \
         0,                                                                                                  \
         "sass|ptx|auto",                                                                                    \
         "run NVIDIA's machine code in the program, its PTX, or what it has"},                               \
        {"cubin",                                                                                            \
         CLI_IN,                                                                                             \
         &(o)->cubin,                                                                                        \
         0,                                                                                                  \
         0,                                                                                                  \
         "FILE",                                                                                             \
         "run the machine code of this cubin or fat binary in place of the program's device code"},          \
        {"memory", CLI_U64, &(o)->memory_mb, 1, 1 << 20, "MIB", "device memory"},                            \
    {                                                                                                        \
        "verbose", CLI_FLAG, &(o)->verbose, 0, 0, NULL, "each launch on stderr"                              \
    }

/* Runs it with what it is to do in the environment: two more variables. Its status, or -1 after a message. */
enum { HOST_MORE = 2 };
int host_run(struct arena *a, char *const *argv, const struct host_opts *o,
             const struct child_env more[HOST_MORE], double *seconds);

#endif
