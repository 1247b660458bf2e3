/* SPDX-License-Identifier: Apache-2.0 */
/* What can be told of files from their bytes. */
#ifndef CLI_PROGRAM_H
#define CLI_PROGRAM_H

#include <stdbool.h>

/* Does the file start like a trace? */
bool cli_is_trace(const char *path);

/* Does it start like a program of the host, or like machine code of NVIDIA's (both are ELF files)? */
bool program_is_elf(const char *path);

/* Why running the program may have left no trace: not a CUDA program, linked with the static runtime, ... */
const char *program_no_trace(const char *program);

#endif
