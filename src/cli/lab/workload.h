/* SPDX-License-Identifier: Apache-2.0 */
/* Traces by name. Where a command takes a trace, a bundled program will do:
 *
 *   NAME[:SIZE][@REGISTERS][@ptx][@sm1x]    hotspot, hotspot:small, dgemm:default@24, sgemm@ptx
 *   NAME[:SIZE]@sm75                        hotspot@sm75
 *
 * With @ptx its kernels' instructions stay in the order of the PTX (record --no-schedule), with @sm1x global addresses are one
 * register, as in the machine code of that time (record --short-addresses). With @sm75 NVIDIA's machine code for sm_75 runs
 * (record --cubin workloads/PROGRAM/sm_75.fatbin), which nvcc made of the same source; not all programs have it.
 * It is compiled with bankshot cc and recorded on first use. Program and trace stay in the user's cache folder ($BANKSHOT_CACHE,
 * $XDG_CACHE_HOME/bankshot, ~/.cache/bankshot) under names that hold a digest of everything they were made from: source,
 * arguments, headers, device library, compiler and the rules of bankshot cc, runtime. Whatever ends in .bst or has a slash is a
 * file: a trace, or a CUDA program (built by nvcc or bankshot cc), which is recorded without arguments and kept alike. */
#ifndef CLI_LAB_WORKLOAD_H
#define CLI_LAB_WORKLOAD_H

#include "cli/lab/manifest.h"

/* The path of the trace, in the arena; NULL after reporting (also a program that fails its own check). Tells on stderr what takes
 * time, unless quiet. */
const char *workload_trace(struct arena *a, const char *name, bool quiet, struct diag *d);

/* Makes the traces of all names, at most `jobs` at a time, so that workload_trace finds them. False after messages on stderr. */
bool workload_prepare(const char *const *names, uint32_t n, uint32_t jobs, bool quiet);
/* Only their programs, for a machine that has no compiler: there the same cache gives the same traces. Of files: nothing. */
bool workload_compile(const char *const *names, uint32_t n, uint32_t jobs, bool quiet);
bool workload_is_file(const char *name);
/* a+b, programs that have a GPU together: how long the first part of the name is. A file's name is one part. */
size_t workload_part(const char *name);
/* Is it '@ptx' that this @ of a name begins? */
bool workload_is_ptx(const char *at);
bool workload_is_sm1x(const char *at);
bool workload_is_sm75(const char *at);

struct workload_list {
    VEC(const char *) names; /* in the arena that filled it */
};

/* What a user may write for several workloads: a name or file as above, `all`, or family:NAME, each with :SIZE, @REGISTERS and
 * @ptx behind it (family:general:small); or names joined by +. Appends in the manifest's order. False after reporting. */
bool workload_expand(struct arena *a, const char *text, struct workload_list *out, struct diag *d);

#endif
