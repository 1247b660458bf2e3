/* SPDX-License-Identifier: Apache-2.0 */
/* A run instruction by instruction: for each warp instruction of one SM, in a window of cycles, when it was fetched, issued, had
 * its operands, was executed and had its result written; where each operand came from, and how long it waited for its bank.
 * Written as a Kanata log, which the viewer Konata opens, or as JSON (docs/json.md) where the file's name ends in .json.
 *
 * What is kept is bounded by the options; when the run ends, or fails, it is written. */
#ifndef CLI_WATCH_PIPELINE_H
#define CLI_WATCH_PIPELINE_H

#include "cli/watch/watch.h"

enum { PIPELINE_CYCLES = 2000, PIPELINE_MOST = 20000, PIPELINE_WARPS = 64 };
#define PIPELINE_ANY UINT32_MAX

struct pipeline_opts {
    const char *path;
    uint32_t sm;
    uint32_t launch;   /* PIPELINE_ANY: of all */
    uint32_t warps;    /* the first so many that issue */
    uint64_t from, to; /* cycles of issue; to UINT64_MAX: PIPELINE_CYCLES after the first */
    uint32_t most;     /* instructions */
};

struct pipeline;
/* What the file says of the run beside what was seen. */
struct pipeline_head {
    const char *gpu, *mechs; /* as given */
};
/* NULL after printing why. The configuration and the programs must outlive it. */
struct pipeline *pipeline_open(const struct pipeline_opts *o, const struct pipeline_head *h,
                               const struct gpu_conf *c, const struct watched *programs, uint32_t n);
const struct gpu_observer *pipeline_observer(const struct pipeline *p);
/* Writes the file and frees. False after printing why it could not be written. */
bool pipeline_close(struct pipeline *p);

/* ---- what was seen, for those who write it ---- */

enum { PIPELINE_OPERANDS = 16, PIPELINE_NEEDS = 8, PIPELINE_SPANS = 7 };
#define PIPELINE_NEVER UINT64_MAX

struct pipeline_operand {
    uint64_t at;      /* cycle: read; written */
    uint32_t waited;  /* cycles for its bank, of a read */
    uint32_t bank;    /* SM_STEP_NONE: no bank */
    const char *from; /* a read that no bank gave */
    uint8_t reg;
};

/* Cycles are PIPELINE_NEVER where it did not come so far, or does not have that stage. */
struct pipeline_insn {
    uint32_t warp, code; /* numbers in the lists below */
    uint32_t lanes;
    const char *unit; /* NULL: none */
    uint64_t asked, fetched, issued, collects, left, started, result, over;
    uint32_t collector;
    uint32_t lines, passes;
    uint8_t nreads, nwrites, nneeds;
    struct pipeline_operand reads[PIPELINE_OPERANDS], writes[PIPELINE_OPERANDS];
    uint32_t needs[PIPELINE_NEEDS]; /* instructions whose results it uses */
};
struct pipeline_code {
    uint32_t tenant, kernel, insn;
};
struct pipeline_warp {
    uint32_t tenant, launch, cta, warp, part, slot;
};
struct pipeline_seen {
    const struct pipeline_opts *o;
    const struct pipeline_head *head;
    const struct gpu_conf *c;
    const struct watched *programs;
    uint32_t nprograms;
    uint64_t from, to;               /* cycles of issue */
    char cut[96];                    /* why there is not everything; "": there is */
    VEC(struct pipeline_insn) insns; /* by cycle of issue */
    VEC(struct pipeline_code) codes;
    VEC(struct pipeline_warp) warps;
};

struct pipeline_span {
    const char *stage; /* a word of PIPELINE_STAGES */
    uint64_t from, to; /* cycles [from, to) */
};
#define PIPELINE_STAGES "fetch buffer issue latch operands wait execute memory write"
/* The stages of an instruction, without gap or overlap; returns how many. */
uint32_t pipeline_spans(const struct pipeline_insn *i, struct pipeline_span to[PIPELINE_SPANS]);

bool pipeline_kanata(const struct pipeline_seen *s, FILE *to);
bool pipeline_json(const struct pipeline_seen *s, FILE *to);
struct json_shape;
extern const struct json_shape pipeline_shape;

#endif
