/* SPDX-License-Identifier: Apache-2.0 */
/* Code on its way to warps: the instruction caches, and what issue wants of a step's data (fetch.c). */
#ifndef SM_ICACHE_H
#define SM_ICACHE_H

#include "sm/part.h"

/* Of an SM. Partitions have an L0 of their own (part.l0i). */
struct code {
    uint32_t fetch_below; /* a warp with fewer instructions in its buffer fetches */
    uint32_t fetch_full;  /* ... and has so many after the same cycle, if it hits; 0: fetching takes longer */
    struct cache l1i, konst;       /* instructions; constants */
    struct cache konst_first;      /* ... the level before it (sm.const_first_b) */
    uint64_t konst_line, konst_at; /* line of a table that has missed last, and the cycle it comes */
    uint64_t konst_last;           /* line of constants that was asked for last */
    uint64_t line, at;             /* line of code that missed L1 last, and the cycle it comes */
    uint64_t launch;               /* whose code was brought, as cta_launch has it; 0: none */
    uint64_t begins;               /* cycle from which the first instruction of that launch is there */
};

void fetch_arrived(struct part *p, uint32_t w);
void fetch_failed(struct sm *s, const struct tr_cta *stream); /* it is damaged: the SM's error */
/* The first CTA of a launch comes to the SM: the beginning of its code is in the L1 instruction cache (sm.code_kb). */
void fetch_launch(struct sm *s, const struct sm_kernel *k, uint64_t launch);

/* What is known of the lanes' data when an instruction issues: for each that has some and is not switched off by its guard. The
 * rest of e, of which k, at and mask are there; nothing, if it neither goes to memory nor asks. */
ASIDE void fetch_data(struct part *p, uint32_t w, struct ientry *e);
/* Does the warp's next instruction go to lines of memory? It is not taken. */
ASIDE bool fetch_sees_lines(const struct part *p, uint32_t w);

/* The instruction's line of code is in the caches as if the warp had fetched it. */
void fetch_touch(struct part *p, struct sm_warp *w, const struct kinsn *k);

#endif
