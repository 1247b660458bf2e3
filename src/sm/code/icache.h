/* SPDX-License-Identifier: Apache-2.0 */
/* Code on its way to warps: the instruction caches, and what issue wants of a step's data (fetch.c). */
#ifndef SM_ICACHE_H
#define SM_ICACHE_H

#include "sm/part.h"

/* Of an SM. Partitions have an L0 of their own (part.l0i). */
struct code {
    bool streams;         /* lines are on their way between caches (stream.c) */
    uint32_t fetch_below; /* a warp with fewer instructions in its buffer fetches */
    /* ... and has so many after the same cycle, if it hits; 0: fetching takes longer, or warps that issue in one cycle may wait
     * for each other */
    uint32_t fetch_full;
    struct cache l1i, konst; /* instructions; constants */
    struct cache l2i;   /* instructions that the SMs of a group have in common: this one's view of them */
    uint64_t *l1i_at;   /* by line of l1i: the cycle it is there; kept where code streams */
    uint64_t l2i_free;  /* from then on that cache takes another request of this SM */
    uint32_t l2i_share; /* cycles from one to the next */
    struct cache konst_first;      /* ... the level before it (sm.const_first_b) */
    uint64_t konst_line, konst_at; /* line of a table that has missed last, and the cycle it comes */
    uint64_t konst_last;           /* line of constants that was asked for last */
    uint64_t launch;               /* whose code was brought, as cta_launch has it; 0: none */
    uint64_t begins;               /* cycle from which the first instruction of that launch is there */
};

void fetch_arrived(struct part *p, uint32_t w);
void fetch_failed(struct sm *s, const struct tr_cta *stream); /* it is damaged: the SM's error */
/* The first CTA of a launch comes to the SM: the beginning of its code is in the last instruction cache (sm.code_kb). */
void fetch_launch(struct sm *s, const struct sm_kernel *k, uint64_t launch, uint64_t ctas);

/* What is known of the lanes' data when an instruction issues: for each that has some and is not switched off by its guard. The
 * rest of e, of which k, at and mask are there; nothing, if it neither goes to memory nor asks. */
ASIDE void fetch_data(struct part *p, uint32_t w, struct ientry *e);
/* Does the warp's next instruction go to lines of memory? It is not taken. */
ASIDE bool fetch_sees_lines(const struct part *p, uint32_t w);

/* stream.c: cycles until the partition has a line that it lacks, or that is on its way to it, where code streams. */
uint32_t stream_line(struct part *p, uint64_t line, uint64_t t);
/* The line is in all of the partition's caches. */
void stream_put(struct part *p, uint64_t line);
void stream_put_l1(struct sm *s, uint64_t line); /* ... in the SM's */
/* The launch's CTAs say how many SMs ask for code. */
void stream_launch(struct sm *s, uint64_t ctas);
void stream_init(struct sm *s);
void stream_done(struct sm *s);

/* The instruction's line of code is in the caches as if the warp had fetched it. */
void fetch_touch(struct part *p, struct sm_warp *w, const struct kinsn *k);

#endif
