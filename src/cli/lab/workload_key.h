/* SPDX-License-Identifier: Apache-2.0 */
/* A digest of everything a bundled program's trace is made from, as 16 hexadecimal digits. */
#ifndef CLI_LAB_WORKLOAD_KEY_H
#define CLI_LAB_WORKLOAD_KEY_H

#include "base/diag.h"

/* Of the program alone: its source, the headers beside it, CUDA headers, device library, compiler, the rules by which
 * bankshot cc calls it and changes its code (a digest: cli/cc/rules.h), the architecture. NULL after reporting. */
const char *workload_program_key(struct arena *a, const char *source, const char *arch, const char *rules,
                                 struct diag *d);
/* Of a recording: the program's key, the runtime that executes it, the arguments, the register limit (0: none), the
 * kind of code as file names have it ("", "-ptx", "-sm1x", "-sm75") and the file with its machine code (NULL: none). */
const char *workload_trace_key(struct arena *a, const char *program_key, const char *args, uint32_t max_regs,
                               const char *code, const char *file, struct diag *d);

/* Of a program that is there already, with a text that its trace depends on. */
const char *workload_file_key(struct arena *a, const char *program, const char *with, struct diag *d);

#endif
