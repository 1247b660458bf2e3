/* The seam `operands`: how an issued instruction's operands are stored and reach it. The partition decides who issues and
 * what is written where; a policy decides when operands are there, and calls exec_dispatch with a flight that has them all.
 * One state per partition. */
#ifndef SM_OPERANDS_OPERANDS_H
#define SM_OPERANDS_OPERANDS_H

#include "sm/storage.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct part;
struct sm_cfg;

struct operands_ops {
    const char *name, *help;
    size_t state_b;
    bool reuse;     /* kernels must be prepared with reuse distances (sm_kernel_reuse) */
    bool last_use;  /* ... and must know last uses of registers (annotate/last_use.h) */
    bool intervals; /* ... and be divided into register intervals (annotate/intervals.h) */
    bool strands;   /* ... and strands with places for their values (annotate/strands.h) */
    bool tuned;     /* sm.sthld is set anew from time to time (sm/tune.h) */
    /* Why it cannot serve such an SM; NULL: it can. The function may be NULL: it always can. */
    const char *(*fits)(const struct sm_cfg *cfg);
    uint32_t (*units)(const struct sm_cfg *cfg); /* collectors of a partition; NULL: sm.collectors */
    void (*init)(void *st, struct part *p);
    void (*free)(void *st);
    /* Before issue: is there a place for an instruction of this warp? */
    bool (*room)(void *st, uint32_t warp);
    /* Policies that keep registers for warps have this one; the others have the same room for all. In a cycle in which warps are ready
     * those of them that it has a place for, and in *holding those with registers in it. While it has any place (`room`) the
     * partition does not sleep, so it is asked in every cycle in which warps are ready. */
    uint64_t (*may)(void *st, uint64_t ready, uint64_t t, uint64_t *holding);
    /* A scheduler has chosen the warp for its next instruction, in cycle t. False: it lacks something that the policy has begun to bring;
     * the scheduler's cycle is lost, and the policy may let the warp wait (BLOCK_PREFETCH, until an EV_UNHOLD). May be NULL. */
    bool (*prepare)(void *st, uint32_t warp, uint64_t t);
    /* Issued in cycle t: takes it. */
    void (*issue)(void *st, uint32_t flight, uint64_t t);
    /* First half of a cycle: instructions with all operands leave. Then the banks not in p->bank_used are read. */
    void (*dispatch)(void *st, uint64_t t);
    void (*collect)(void *st, uint64_t t);
    /* Destination i of a flight reaches its bank in cycle t; before the warp's next instruction can see it. May be NULL. */
    void (*write)(void *st, uint32_t flight, uint32_t i, uint64_t t);
    /* A flight has destination i: true if the policy takes it, and it does not go to its bank now. A policy that does so hands it to
     * exec_write_register when it must. May be NULL. */
    bool (*result)(void *st, uint32_t flight, uint32_t i);
    /* The scheduler of the slots `mine`, if it has an active set, before each of its issues: those that are active now. May be NULL. */
    void (*active)(void *st, uint64_t active, uint64_t mine);
    /* After cycle t: the next cycle in which dispatch or collect can do something. UINT64_MAX: not before something is issued,
     * or the load-store unit, for which a full collector waits, has room again. */
    uint64_t (*next)(const void *st, uint64_t t);
    /* Reads that wait at each bank, for schedulers that look at them. */
    void (*queued)(const void *st, uint8_t *by_bank);
    /* Policies that look ahead have both of these, the others neither. After scheduler n has issued in cycle t: the slot that lost
     * against the one that issued, or -1. And before it issues: a slot that it must issue now if that one is ready, whatever its own
     * order and `room` say, or -1. */
    void (*runner_up)(void *st, uint32_t n, int slot, uint64_t t);
    int (*forced)(const void *st, uint32_t n);
    /* No room: why. One of SS_stall_collector, _bank, _unit, _lsu; or _policy: it keeps its places free for others. */
    unsigned (*why)(const void *st, uint64_t t);
    /* Rows of what it adds to an SM with plain collectors; returns how many. NULL: nothing. */
    uint32_t (*storage)(const struct sm_cfg *cfg, struct storage_row rows[STORAGE_MAX]);
};

extern const struct operands_ops *const operands_list[]; /* NULL-terminated */
const struct operands_ops *operands_find(const char *name);

#endif
