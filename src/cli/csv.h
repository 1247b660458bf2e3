/* SPDX-License-Identifier: Apache-2.0 */
/* Cells of the CSV that commands write: quoted where they have to be. */
#ifndef CLI_CSV_H
#define CLI_CSV_H

#include <stdio.h>
#include <string.h>

static inline void csv_cell(FILE *to, const char *text)
{
    if (!strpbrk(text, ",\"\r\n")) {
        fputs(text, to);
        return;
    }
    fputc('"', to);
    for (; *text; text++) {
        if (*text == '"')
            fputc('"', to);
        fputc(*text, to);
    }
    fputc('"', to);
}

#endif
