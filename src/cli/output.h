/* SPDX-License-Identifier: Apache-2.0 */
/* Files that commands write answers to, aside until they are complete (base/aside.h). "-" is standard output. Whether a file
 * may be written at all has been asked before (cli/files.h). */
#ifndef CLI_OUTPUT_H
#define CLI_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

struct arena;

struct output {
    FILE *f; /* to write to; NULL: it could not be opened, which was said */
    const char *path;
    struct aside *aside;
};

/* The path must outlive it. */
struct output output_open(const char *path);
/* Gives the file its name. False after a message: not all of it was written, and what had the name is as it was. */
bool output_close(struct output *o);
/* Without giving it its name: what had it is as it was. */
void output_drop(struct output *o);

/* Closes a file of a folder that is the caller's alone, which needs no such care; NULL: it could not be opened. False after a
 * message: not all of it was written. */
bool output_end(FILE *f, const char *path);

/* The name that a trace has while it is recorded: what there is of it can be read even if recording ends beyond recall. */
const char *output_part(struct arena *a, const char *path);

/* For a program that writes the file by itself: the name to give it, and what it wrote gets its own. NULL and false after a
 * message. */
const char *output_draft(struct arena *a, const char *path);
bool output_take(const char *draft, const char *path);

static inline bool output_is_stdout(const char *path) { return path && path[0] == '-' && !path[1]; }

#endif
