/* SPDX-License-Identifier: Apache-2.0 */
/* The seam `wsched`: which of the warps that can issue does. A policy sees masks over warp slots and keeps a state of its
 * own, one per scheduler. */
#ifndef SM_WSCHED_WSCHED_H
#define SM_WSCHED_WSCHED_H

#include "sm/policy.h"

/* Bits are warp slots of the partition; all masks are within this scheduler's slots. */
struct wsched_view {
    uint64_t ready; /* can issue now and have a place for their operands; never empty when pick is called */
    /* Where the policy has an active set (`active`), else 0. Wait for a result from memory or at a barrier; where it asks for
     * strands: stand between two of them. */
    uint64_t waiting;
    uint64_t resident; /* ... have not ended */
    uint64_t slots;    /* ... all of the scheduler's, with and without a warp */
    uint64_t holding;  /* of the ready ones: have registers in a collector */
    bool computing; /* where the policy asks: the warp that issued last waits for a result of fixed latency */
    const uint64_t *age; /* by slot: launch order, smaller is older */
    /* By slot, for those that are ready, where the policy asks for scores (sm/registers/score.h); else NULL. */
    const uint8_t *score;
};

enum { WSCHED_NONE = -1 };

struct wsched_ops {
    struct policy is;
    /* How many cycles old the bank queues are that the scores in its view are made of. NULL: it wants no scores. */
    uint32_t (*score_late)(const struct sm_cfg *cfg);
    /* A warp that waits is put aside between strands only: instructions are marked with KM_STARTS and KM_WAITS (sm/core.h). */
    bool strands;
    /* It is greedy, then oldest, and nothing else: its state is a struct gto (gto.h), and stages choose without a call. */
    bool greedy;
    /* `pick` takes the warp that issued last if that is ready, and does nothing else then. Its state begins with that warp's
     * slot, as a struct gto: the SM notes it there, and does not call `issued`. */
    bool sticks;
    bool asks;                                        /* v->computing is wanted; only with `sticks` */
    void (*init)(void *st, const struct sm_cfg *cfg); /* may be NULL */
    /* A slot of v->ready, or WSCHED_NONE: issue nothing. Called each cycle in which some warp is ready and the operands'
     * policy has room; and perhaps once more with fewer ready warps, to learn who would have won among these. */
    int (*pick)(void *st, const struct wsched_view *v);
    void (*issued)(void *st, uint32_t slot); /* may be NULL */
    /* Only warps of an active set may issue: its state begins with their slots as `pick` left them (struct wsched_active). */
    bool active;
};

/* What the state of a policy with an active set begins with. */
struct wsched_active {
    uint64_t slots; /* that may issue now, by bit */
};
static inline uint64_t wsched_active_slots(const void *st)
{
    return ((const struct wsched_active *)st)->slots;
}

extern const struct wsched_ops *const wsched_list[]; /* NULL-terminated */
const struct wsched_ops *wsched_find(const char *name);
/* The one that an SM has: by name, which may be that of a caller's own (sm_cfg.guest). */
const struct wsched_ops *wsched_of(const struct sm_cfg *cfg);

/* The oldest of a mask that is not empty. */
static inline uint32_t wsched_oldest(uint64_t mask, const uint64_t *age)
{
    uint32_t best = (uint32_t)__builtin_ctzll(mask);
    for (mask &= mask - 1; mask; mask &= mask - 1) {
        uint32_t i = (uint32_t)__builtin_ctzll(mask);
        best = age[i] < age[best] ? i : best;
    }
    return best;
}

#endif
