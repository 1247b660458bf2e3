/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of a text file that may be compressed (plain, xz, gzip, zstd: the first bytes tell), in bounded memory. */
#ifndef TRACE_TEXT_IN_H
#define TRACE_TEXT_IN_H

#include "base/diag.h"

enum {
    TEXT_LINE_MAX = 1 << 16, /* bytes of one line */
    TEXT_BEHIND_B =
        256, /* that may be read from the start of a line or from any place in it, whatever they are */
};

struct text_in;

/* NULL after reporting why. `name` is what messages call it. */
struct text_in *text_open(const char *path, struct diag *d);
struct text_in *text_from_memory(const char *name, const void *bytes, size_t n);
/* The next line without its end, zero-terminated, valid until the next call. NULL: the end, or a failure (text_error). */
char *text_line(struct text_in *t, size_t *n);
const char *text_error(const struct text_in *t); /* NULL: none */
const char *text_name(const struct text_in *t);
uint64_t text_line_number(const struct text_in *t); /* of the line read last, from 1 */
uint64_t text_bytes(const struct text_in *t);       /* of text so far */
void text_close(struct text_in *t);

#endif
