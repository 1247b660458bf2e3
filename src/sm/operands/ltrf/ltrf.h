/* SPDX-License-Identifier: Apache-2.0 */
/* Inside the register cache with prefetched working sets, for ltrf.c and its tests. */
#ifndef SM_OPERANDS_LTRF_H
#define SM_OPERANDS_LTRF_H

#include "annotate/intervals.h"
#include "sm/core.h"

#define LTRF_OPTIONS(T, OPT, NAME)                                                                           \
    OPT(T, regs, U32, 16, 1, 64,                                                                             \
        "registers that the cache holds for each active warp: the limit of a register interval's working "   \
        "set")                                                                                               \
    OPT(T, live, BOOL, 1, 0, 1, "dead values are neither prefetched nor written back (LTRF+)")               \
    OPT(T, main_cyc, U32, 0, 0, 1000, "cycles that a read of the banks takes beyond the first")
CONF_STRUCT(ltrf_cfg, LTRF_OPTIONS);

#define LTRF_STATS(STAT)                                                                                     \
    STAT(LTRF, prefetches, "operation",                                                                      \
         "working sets asked for: register intervals entered, warps made active")
enum { LTRF_STATS(STAT_ID) };

/* Of a warp: its partition of the cache. */
struct ltrf_warp {
    uint64_t owner;    /* 1 + number of the warp (its age) */
    uint32_t interval; /* 1 + that of its working set; 0: it has none */
    regset regs;       /* the working set: registers that have a place */
    regset valid;      /* of these: their values are there */
    /* Of those: newer than in the banks. Of those that are coming: some lanes are there already, and newer. */
    regset dirty;
    regset coming;   /* of these: are being read from the banks */
    uint32_t left;   /* how many */
    regset expected; /* whole results that are on their way, so that no old value is needed */
};

struct ltrf_read {
    uint8_t warp, reg;
    uint32_t since; /* cycle, its low bits */
};

struct ltrf_queue {
    struct ltrf_read *q; /* ring, as long as all working sets */
    uint32_t head, n;
};

/* --check: what a register in the cache is. */
struct ltrf_value {
    uint32_t version, lanes; /* lanes that it is good for */
};

struct ltrf {
    struct part *p;
    const struct ltrf_cfg *cfg;
    uint64_t *count;                  /* its counters */
    struct ltrf_warp *warps;          /* by slot */
    struct ltrf_queue *banks;         /* prefetches, by bank */
    struct ltrf_value (*values)[256]; /* by slot; NULL: nobody checks */
    struct ltrf_value (*gone)[256];   /* ... as they were written back last */
    uint32_t cap;                     /* of a ring */
    uint64_t waiting;                 /* banks with prefetches */
    uint64_t active;                  /* slots whose warps have a partition of the cache */
};

extern const struct operands_ops operands_ltrf;

#endif
