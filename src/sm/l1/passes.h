/* SPDX-License-Identifier: Apache-2.0 */
/* Cycles that shared memory needs for the lanes of an access, or L1 for the words of one: as many as the most different words
 * that one bank is asked for (atomics: the most lanes). Loops ask for the same few patterns again and again: answers are kept. */
#ifndef SM_PASSES_H
#define SM_PASSES_H

#include "trace/trace.h"

enum { PASSES_KEPT = 64 };

/* Lanes of an access as banks see them, and its answer. */
struct passes {
    int64_t stride, jump;
    uint32_t mask, base;
    uint32_t what; /* form, log2, words, atomic: a byte each; 0: none is kept here */
    uint8_t passes;
};

struct passes_cache {
    struct passes at[PASSES_KEPT];
};

/* Cycles that shared memory needs for these lanes, or L1: the most different words that one bank is asked for (atomics: the most
 * lanes). */
uint8_t passes_count(uint32_t banks, const uint64_t *addr, uint32_t mask, uint32_t width, bool atomic);

/* The same for addresses as a trace has them. `banks` is the same in all calls with one cache. */
uint8_t passes_of(struct passes_cache *c, uint32_t banks, const struct tr_addr *a, uint32_t mask,
                  uint32_t width, bool atomic);

#endif
