/* SPDX-License-Identifier: Apache-2.0 */
/* The seam `lsu`: in which order warps' memory accesses reach L1, shared memory and constants, and how they are merged on the
 * way. The cache, its misses and replies are the SM's (sm/l1/l1.h), whose first client the load-store unit is: `tick` is its
 * turn. A policy calls l1_load, l1_store and l1_atomic line by line, and makes the events that complete an instruction. What
 * policies have in common is in steps.h. One state per SM.
 *
 * Accesses of one warp to one line reach L1 in the order in which the warp issued them, under every policy; --check (order.c)
 * proves it. */
#ifndef SM_LSU_LSU_H
#define SM_LSU_LSU_H

#include "sm/policy.h"

struct sm;

/* A barrier or fence promises that earlier accesses are done. Where a warp's accesses are not in their order behind dispatch, a
 * load waits for its earlier stores, and a store or atomic for all. */
enum lsu_holds { LSU_HOLDS_NOTHING, LSU_HOLDS_FENCES, LSU_HOLDS_ALL };

struct lsu_ops {
    struct policy is;
    bool reorders; /* accesses of different warps may overtake each other */
    /* What (enum lsu_holds) does not issue while accesses of its warp have not reached L1 (lsu_reached). */
    uint8_t holds;
    bool by_sector; /* it asks L1 for one sector at a time, and miss entries are counted by sector */
    bool in_rows;   /* its accesses wait for the rows of the banks that they lie in (sm/onchip/rows.h) */
    /* A cycle in which it has no work need not be its turn; those up to sm_quiet it may take in one. */
    bool alone;
    bool tells; /* it says when it cannot go on (tenants_stalled) */
    bool each;  /* `room` is a matter of the instruction; else there is room for all or for none */
    bool maps;  /* lines of loads carry how their words belong to lanes (enum line_map) */
    void (*init)(void *st, struct sm *s);
    void (*free)(void *st);
    /* Before dispatch: is there a place for this instruction? Those of one warp are dispatched in their order. */
    bool (*room)(const void *st, uint32_t part, uint32_t flight);
    void (*push)(void *st, uint32_t part, uint32_t flight);
    /* Once per cycle, after the partitions. When a full queue has room again: lsu_freed. */
    void (*tick)(void *st, uint64_t t);
    uint64_t (*next)(const void *st);      /* cycle it has work; UINT64_MAX: none, or it waits for a reply */
    void (*replied)(void *st, uint64_t t); /* as in l1.h */
    /* Policies that call l1_fetch: what was asked for under this name is there. Before `replied`, which ends the reply. */
    void (*arrived)(void *st, uint32_t name, uint64_t t);
};

extern const struct lsu_ops *const lsu_list[]; /* NULL-terminated */
const struct lsu_ops *lsu_find(const char *name);

#endif
