/* SPDX-License-Identifier: Apache-2.0 */
/* A line on the terminal that tells how far a long program has come: nobody should have to guess whether minutes of silence are
 * work. It shows itself while kernels run and goes before the program can print something. */
#ifndef CUDART_PROGRESS_H
#define CUDART_PROGRESS_H

#include "exec/exec.h"

struct rt_progress {
    int fd;              /* of a terminal; -1: none */
    bool shown;          /* a line is there */
    bool keep;           /* past the end of this call: launches are short, and it would only flicker */
    uint32_t launches;   /* ended */
    uint64_t warp_insts; /* of these */
    double first_s, began_s, next_s; /* first launch, this one, next time that it shows itself */
    const char *kernel;
};

/* where: a terminal's path; "0": none; NULL: stderr, if it is one. */
void progress_init(struct rt_progress *p, const char *where);
/* Around a launch. progress_begin gives what exec_launch should call, or NULL. */
exec_tick *progress_begin(struct rt_progress *p, const char *kernel);
void progress_end(struct rt_progress *p, const struct exec_counts *counts);
void progress_hide(struct rt_progress *p);

#endif
