/* Files that commands write answers to. "-" is standard output. */
#ifndef CLI_OUTPUT_H
#define CLI_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

/* Could the file be written, as far as can be told without touching it? Asked before work that takes long. NULL: no file is asked
 * for. False after a message. */
bool output_check(const char *path);
/* NULL after a message. */
FILE *output_open(const char *path);
/* False after a message: not all of it was written. */
bool output_close(FILE *f, const char *path);

static inline bool output_is_stdout(const char *path) { return path && path[0] == '-' && !path[1]; }

#endif
