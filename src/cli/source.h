/* SPDX-License-Identifier: Apache-2.0 */
/* The text of a source file that a trace names, line by line. A trace may name any file of this machine: only what looks like
 * source is opened. */
#ifndef CLI_SOURCE_H
#define CLI_SOURCE_H

#include "base/file.h"
#include "base/vec.h"

struct source {
    struct file_text text;
    VEC(uint32_t) lines; /* where they begin */
};

/* Written by a compiler, not by a person: its lines are instructions. */
bool source_is_ptx(const char *name);
/* A name as bankshot cc leaves it: of a bundled program (workloads/...) below the home folder, else as it is, from the current
 * folder. Leaves it empty where there is no such file. */
void source_read(struct source *s, const char *name);
void source_free(struct source *s);
/* Counted from 1, without the blanks before it; "" where there is none. Until source_free. */
const char *source_line(const struct source *s, uint32_t line);

#endif
