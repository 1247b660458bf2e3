/* SPDX-License-Identifier: Apache-2.0 */
/* The rule for files that a command is told to write, in the one place that all commands have: no output may be an input, a
 * database that the command uses, another output, or an existing file of another kind, whatever path or link names it.
 * cli_parse asks for all files of a command's option table and arguments before the command begins; a command whose outputs
 * have names that are made of others asks again with those. */
#ifndef CLI_FILES_H
#define CLI_FILES_H

#include "cli/filekind.h"

#include <stdint.h>

enum file_role {
    FILE_INPUT,  /* only read; may be the name of something that is no file */
    FILE_OUTPUT, /* made, or takes the place of one of its kind */
    FILE_STORE,  /* a database: made, or added to */
};

struct cli_file {
    const char *option; /* as the user gave it: --json, or what the argument is called */
    const char *path;   /* NULL: not given; "-": standard input or output */
    enum file_role role;
    enum file_kind kind; /* of what is not an input */
};

/* False after a message. Nothing is touched. */
bool files_check(const struct cli_file *files, uint32_t n);

#endif
