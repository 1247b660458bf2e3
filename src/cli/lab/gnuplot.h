/* SPDX-License-Identifier: Apache-2.0 */
/* Figures by gnuplot: data and a script become a file. */
#ifndef CLI_LAB_GNUPLOT_H
#define CLI_LAB_GNUPLOT_H

#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>

struct gnuplot {
    const char *what;   /* in messages */
    const char *style;  /* path: read first; knows format, out and rows */
    const char *script; /* path */
    const char *data;   /* path */
    const char *out;    /* path */
    const char *format; /* svg, pdf */
    const char *log;    /* path: what it printed, if it failed */
    const char *more;   /* another statement before all, or NULL */
    uint32_t rows;
};

/* False after a message. */
bool gnuplot_draw(struct arena *a, const struct gnuplot *g);
/* NAME = 'VALUE', as gnuplot reads it whatever the value is. */
char *gnuplot_string(struct arena *a, const char *name, const char *value);

#endif
