/* SPDX-License-Identifier: Apache-2.0 */
/* Fences of GPU and system scope: a warp that issues one waits until L2 has answered what its SM had stored before.
 *
 * An SM counts stores and atomics that L2 has not answered in two epochs, the open one and the one before. A fence closes the
 * open epoch as soon as the one before is over, and waits for the end of the epoch that it has closed: so it also waits for
 * stores of other warps. Called by issue (fence_issue), L1 (fence_store, fence_stored) and events (fence_event); values are
 * never looked at. */
#ifndef SM_FENCE_H
#define SM_FENCE_H

#include <stdbool.h>
#include <stdint.h>

struct sm;
struct part;
struct flight;
struct tr_insn;

struct fences {
    uint64_t epoch;  /* the open one's number */
    uint32_t out[2]; /* stores and atomics on their way, by the lowest bit of their epoch */
    bool asked;      /* a fence waits for the open epoch to be closed */
    uint64_t free;   /* cycle from which the SM takes another fence */
};

struct fence {
    uint64_t epoch, at; /* the one that it waits for; cycle of issue */
    uint32_t cyc;       /* that it takes where nothing is on its way */
};

/* What a fence is to the timing of an SM: enum fence_scope. `facts`: TF_*. */
uint8_t fence_scope(const struct tr_insn *i, uint32_t facts);

void fence_issue(struct part *p, uint32_t warp, uint8_t scope, uint64_t t);
void fence_event(struct part *p, uint32_t warp, uint64_t t);
/* A store's or atomic's first line was sent; it has its last answer. */
void fence_store(struct sm *s, struct flight *l);
void fence_stored(struct sm *s, struct flight *l);

#endif
