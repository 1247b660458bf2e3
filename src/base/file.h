/* SPDX-License-Identifier: Apache-2.0 */
/* Reading a whole file that a user named. Every failure is a message for the user, never a crash:
 * missing, a directory, unreadable, or larger than the caller is willing to hold. */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include "base/diag.h"

struct file_text {
    char *at; /* a zero byte follows; file_free it */
    size_t n; /* without that byte */
};

/* "-" reads the standard input. limit_b: the most bytes to accept. False after reporting why. */
bool file_read(const char *path, size_t limit_b, struct file_text *out, struct diag *d);
void file_free(struct file_text *t);

/* What was written to the file is on the disk. False after reporting why not: some file systems tell a failure only here. */
bool file_sync(const char *path, struct diag *d);

#endif
