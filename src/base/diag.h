/* SPDX-License-Identifier: Apache-2.0 */
/* What went wrong in a user's input, and where. Readers and compilers report into a sink and go on;
 * the command line prints the sink and exits with status 2. A message shows the source line and a caret:
 *
 *   saxpy.ptx:12:9: error: unknown modifier '.f33' of 'add'
 *      add.f33 %f1, %f2, %f3;
 *         ^
 */
#ifndef BASE_DIAG_H
#define BASE_DIAG_H

#include "base/arena.h"
#include "base/vec.h"

#include <stdbool.h>
#include <stdio.h>

struct diag_msg {
    const char *file;   /* NULL: no place */
    uint32_t line, col; /* 1-based; 0: unknown */
    const char *text;
    const char *src_line; /* the line's text without newline, or NULL */
};

enum { DIAG_MAX = 20 }; /* messages kept; further ones are only counted */

struct diag {
    struct arena arena;
    struct diag_msg msg[DIAG_MAX];
    uint32_t n;      /* messages kept */
    uint32_t errors; /* all that were reported */
};

/* src/src_len: the whole text of the file, from which the source line is cut; may be NULL. */
void diag_error(struct diag *d, const char *file, const char *src, size_t src_len, uint32_t line,
                uint32_t col, const char *fmt, ...) __attribute__((format(printf, 7, 8)));
/* Without a place. */
void diag_plain(struct diag *d, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* The messages of another sink, behind those that are there */
void diag_join(struct diag *d, const struct diag *from);
void diag_print(const struct diag *d, FILE *to);
void diag_free(struct diag *d);

#endif
