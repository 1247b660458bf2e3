/* SPDX-License-Identifier: Apache-2.0 */
/* Accel-Sim's SASS traces in and out (docs/accelsim.md). */
#ifndef TRACE_ACCELSIM_H
#define TRACE_ACCELSIM_H

#include "trace/trace.h"

struct accelsim_unknown { /* an opcode that sass.def does not know */
    const char *opcode;
    uint64_t count; /* warp instructions */
    uint8_t cls;    /* guessed */
};

struct accelsim_report {
    struct arena arena;
    VEC(struct accelsim_unknown) unknown;
    uint64_t text_b; /* of one pass */
    uint64_t warp_insts;
    uint64_t missing_warps; /* that thread blocks do not mention */
    uint64_t copies;        /* in bulk: where from is not in the trace */
    uint64_t released;      /* waits for barrier objects that no arrival would have ended */
    uint32_t unnumbered;    /* instructions at barriers whose numbers are not */
    uint32_t launches, kernels;
};

enum { ACCELSIM_TENSORS = 16 };

struct accelsim_import {
    const char *dir; /* folder with kernelslist.g, or the list itself */
    const char *out;
    const char *maker;
    bool strict;        /* refuse unknown opcodes */
    bool allow_missing; /* take thread blocks that lack warps: those do nothing */
    /* Tensors that bulk copies read, in the order of their descriptors' addresses: bytes, and of a row (0: none, all is one
     * piece). The last counts for all that follow. */
    struct {
        uint64_t size_b, row_b;
    } tensors[ACCELSIM_TENSORS];
    uint32_t ntensors; /* that were named; 0: each has 1 MiB */
    uint32_t threads;  /* that read files at the same time; 0: one. The trace is the same */
};

/* False after reporting file, line and reason; then what had the name of the output is as it was. */
bool accelsim_import(const struct accelsim_import *o, struct accelsim_report *r, struct diag *d);
void accelsim_report_free(struct accelsim_report *r);

/* Names in the folder: launches are numbered from 1. */
#define ACCELSIM_KERNEL "kernel-%u.traceg"
#define ACCELSIM_LIST "kernelslist.g"

struct accelsim_export {
    struct tr_reader *from;
    const char *dir; /* made if it is not there */
    bool plain;      /* without the header lines that only we read */
};
bool accelsim_export(const struct accelsim_export *o, struct diag *d);

#endif
