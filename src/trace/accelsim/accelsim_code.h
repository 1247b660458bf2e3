/* SPDX-License-Identifier: Apache-2.0 */
/* Inside the importer's static code: accelsim_code.c finds it, accelsim_kernel.c makes a kernel of it. */
#ifndef TRACE_ACCELSIM_CODE_H
#define TRACE_ACCELSIM_CODE_H

#include "trace/accelsim/accelsim_in.h"
#include "trace/accelsim/accelsim_scan.h"

#define NONE UINT32_MAX

struct edge {
    uint32_t from, to, next; /* of the same branch */
    bool late;               /* seen only when its lanes were seen again */
};

struct found {
    uint32_t pc, next; /* of the same hash chain */
    const char *text;
    uint32_t text_n, line;
    int64_t imm;
    bool addresses;
    bool written; /* its target is in the trace, as its immediate */
    bool guarded; /* was executed by fewer lanes than the line before it */
    bool falls;   /* was seen to go on to the next instruction */
    uint8_t flow; /* enum sass_flow */
    uint8_t form; /* enum as_form */
    uint8_t ntargets;
    uint64_t count;
    uint32_t edge; /* the first; NONE */
    uint32_t at;   /* index in the kernel, at last */
};

struct as_code {
    struct arena arena;
    char *name;
    uint32_t arch, regs, shared_b;
    uint8_t *note;
    size_t note_n;
    bool names_preds;         /* the trace names predicates */
    bool by_index;            /* note: PCs are 16 times the index */
    struct tr_kernel *kernel; /* from the note at once, or from what was found at the end */
    VEC(struct found) all;
    uint32_t *chains, mask;
    VEC(struct edge) edges;
    /* The warp that is being read. */
    uint32_t last, last_mask, before_mask; /* instruction before; its lanes; those of the one before it */
    uint32_t waiting;                      /* lanes that have left a branch and were not seen since */
    uint32_t left[TR_LANES];               /* the branch */
};

static inline uint32_t as_code_hash(uint32_t pc) { return (pc >> 3) * 0x9e3779b1u >> 7; }

#endif
