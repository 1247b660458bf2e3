/* SPDX-License-Identifier: Apache-2.0 */
/* A line on stderr that tells how far long work has come; nothing unless stderr is a terminal. */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include <stddef.h>
#include <stdint.h>

struct progress {
    const char *what;
    double next_s; /* when it shows itself again; 0: not started */
    int on;        /* a line is there; -1: never */
};

/* What is left of work that has taken so many seconds for done of total, as people say it: "2:05 left"; "" where too little
 * is done to tell. */
const char *progress_left(char *out, size_t n, double seconds, uint64_t done, uint64_t total);

/* May be called often. total 0: unknown. */
void progress_show(struct progress *p, uint64_t done, uint64_t total);
void progress_end(struct progress *p); /* removes the line */

#endif
