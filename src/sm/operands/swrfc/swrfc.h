/* SPDX-License-Identifier: Apache-2.0 */
/* Inside the software-managed register files, for swrfc.c and its tests. */
#ifndef SM_OPERANDS_SWRFC_H
#define SM_OPERANDS_SWRFC_H

#include "annotate/strands.h"
#include "sm/core.h"

#define SWRFC_STATS(STAT)                                                                                    \
    STAT(SWRFC, lrf_reads, "access",                                                                         \
         "of cache_hits, those in the last-result file; the others are in the operand file")                 \
    STAT(SWRFC, lrf_writes, "access", "of cache_writes, those into it")
enum { SWRFC_STATS(STAT_ID) };
extern const struct stat_table swrfc_stats;

struct swrfc_entry {
    bool valid;
    bool only; /* its bank has an older version */
    bool dead; /* was read for the last time */
    uint8_t reg;
    uint32_t version, lanes; /* --check: what it holds, and of whom */
};

/* Lanes that go through a piece of code together. */
struct swrfc_warp {
    uint64_t owner;       /* 1 + number of the warp (its age) */
    uint32_t run;         /* counts them */
    uint32_t piece, last; /* 1 + piece, and its instruction that issued last */
    uint32_t mask;        /* lanes; 0: not known, only guarded instructions so far */
    bool whole;           /* all that have not exited */
    struct swrfc_entry e[STRAND_ENTRIES];
};

struct swrfc {
    struct part *p;
    uint64_t *count;          /* its counters */
    struct swrfc_warp *warps; /* by slot */
    VEC(uint32_t) run;        /* by flight: the run it was issued in */
    uint32_t lrf, n;          /* entries: of the last-result file, of both */
    uint64_t active;          /* slots whose warps may keep registers */
};

extern const struct operands_ops operands_swrfc;

#endif
