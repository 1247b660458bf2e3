/* SPDX-License-Identifier: Apache-2.0 */
/* Inside the importer's passes: the list of what is imported (accelsim_list.c), the pass that learns the code
 * (accelsim_import.c) and the one that writes (accelsim_write.c). */
#ifndef TRACE_ACCELSIM_IMPORT_H
#define TRACE_ACCELSIM_IMPORT_H

#include "base/in_order.h"
#include "trace/accelsim/accelsim_in.h"

/* A line of kernelslist.g that means something. */
struct command {
    const char *path; /* a kernel; NULL: a copy */
    struct tr_copy copy;
    /* Known after the first pass. */
    uint32_t launch, code;
    uint32_t *after, nafter; /* launches that end before */
};

struct import {
    const struct accelsim_import *o;
    struct accelsim_report *r;
    struct diag *d;
    struct arena arena;
    VEC(struct command) list;
    VEC(struct as_code *) codes; /* those of the trace's kernels, with the same numbers */
    VEC(uint32_t) ends;          /* launches that nothing waits for yet, one per stream */
    VEC(uint64_t) streams;
    uint32_t nlaunches;
};

bool import_list(struct import *im);  /* reads kernelslist.g */
bool import_write(struct import *im); /* the second pass: the trace. No file is left after a failure */

/* A file that one thread reads, in either pass. */
struct reading {
    struct import *im;
    struct in_order *order;
    const struct command *command;
    struct as_code *code;
    struct as_head head;
    struct as_body body;
    struct diag d;
    uint64_t text_b;
};
/* The header, `begin`, the thread blocks. False after reporting to r->d. r->head stays until import_done. */
bool import_read(struct reading *r, bool (*begin)(struct reading *r), const struct as_visitor *v);
void import_done(struct reading *r);
/* Another file has failed: this one need not be read to its end. */
const char *import_go_on(const struct reading *r);

#endif
