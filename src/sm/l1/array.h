/* SPDX-License-Identifier: Apache-2.0 */
/* The time of a memory array that whole warps access: shared memory, or the data of L1. The sibling of sm/registers/banks.h,
 * which owns the time of the register banks. Whoever accesses an array claims its time here, and nobody keeps it elsewhere: a
 * line of L1 takes one of the accesses of a cycle, shared memory takes all banks for as many cycles as its busiest bank has
 * words to serve.
 *
 * struct sm says which array shared memory and L1 are in. If both are in one, a claim for one of them keeps the other waiting. */
#ifndef SM_ARRAY_H
#define SM_ARRAY_H

#include <stdbool.h>
#include <stdint.h>

/* Its time is counted in accesses: those of cycle t are numbered from t * accesses on. */
struct array {
    uint64_t accesses; /* that it serves in a cycle */
    uint64_t next;     /* the first that nobody has claimed, or one that has passed */
};

/* Can it serve one more access in cycle t? Who finds that it cannot asks again in the next cycle. */
static inline bool array_open(const struct array *a, uint64_t t) { return a->next < (t + 1) * a->accesses; }

/* One access in cycle t, in which it is open. */
static inline void array_claim(struct array *a, uint64_t t)
{
    uint64_t first = t * a->accesses;
    a->next = (a->next > first ? a->next : first) + 1;
}

/* All of it for some cycles, from t on or as soon as it is free. Returns the first of them. */
static inline uint64_t array_claim_all(struct array *a, uint64_t t, uint32_t cycles)
{
    uint64_t free = (a->next + a->accesses - 1) / a->accesses, from = free > t ? free : t;
    a->next = (from + cycles) * a->accesses;
    return from;
}

#endif
