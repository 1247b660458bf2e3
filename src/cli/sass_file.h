/* SPDX-License-Identifier: Apache-2.0 */
/* bankshot sass FILE: the machine code of NVIDIA's in a file. */
#ifndef CLI_SASS_FILE_H
#define CLI_SASS_FILE_H

#include <stdbool.h>

struct sass_file_opts {
    const char *path;
    const char *kernel; /* only this one; NULL: all */
    bool list;          /* kernels and what they take, no code */
    bool control;
};

/* Prints it; the status of the command. */
int sass_print_file(const struct sass_file_opts *o);

#endif
