/* SPDX-License-Identifier: Apache-2.0 */
#include "prog.h"

#include <unistd.h>

void quiet_begin(struct quiet *q)
{
    fflush(stderr);
    q->saved = dup(2);
    q->file = tmpfile();
    assert_non_null(q->file);
    dup2(fileno(q->file), 2);
}

void quiet_end(struct quiet *q, char *text, size_t n)
{
    fflush(stderr);
    dup2(q->saved, 2);
    close(q->saved);
    rewind(q->file);
    size_t got = text ? fread(text, 1, n - 1, q->file) : 0;
    if (text)
        text[got] = 0;
    fclose(q->file);
}
