/* SPDX-License-Identifier: Apache-2.0 */
/* The seam `onchip`: how the memory of an SM is divided into registers, shared memory and L1, and whether a CTA could ever fit.
 * A policy answers from the configuration alone and keeps no state. What the CTAs hold of the division is counted here, the same
 * for all policies (onchip.c): cta.c places a CTA, takes its room when it starts and gives it back when it ends. Nothing here
 * knows of warps' contents or of the lines in L1.
 *
 * A policy with one pool for all three says in `split` how much of it registers and shared memory get, and leaves L1 the rest;
 * or it divides the pool once for a whole run (`plan`). Where accesses to the pool meet is followed in rows.h. Since a split
 * changes on an empty SM only, no region is in use when it moves; L1 starts anew. A CTA that is parked (park.c) gives back all
 * it has with onchip_give; to come back it is placed and takes room again, perhaps in other partitions and slots. */
#ifndef SM_ONCHIP_ONCHIP_H
#define SM_ONCHIP_ONCHIP_H

#include "sm/sm.h"

/* What an SM's CTAs and its L1 have. */
struct onchip_split {
    uint32_t registers; /* the same number for each partition */
    uint32_t shared_b;
    uint64_t cache_b; /* 0: no L1, all loads bypass it */
};

/* The arrays that accesses go to, for the price of an access and of leakage. */
struct onchip_arrays {
    uint32_t banks;               /* of each array */
    uint32_t shared_kb, cache_kb; /* the array that holds shared memory, and L1; it may be the same */
    uint32_t register_kb;         /* ... and registers, if it holds them, too; 0: they have their own */
    uint32_t kb;                  /* of all, each counted once, but for the one with registers */
    double wire;                  /* energy of the way to other clusters over that of an access */
};

/* A launch of a run. */
struct onchip_use {
    struct sm_need need;
    uint32_t kernel;
    uint64_t insts; /* warp instructions */
};

struct onchip_ops {
    struct policy is;
    /* Why an empty SM has no room for such a CTA, with the arithmetic; NULL: it has. */
    const char *(*cta_fits)(const struct sm_cfg *cfg, const struct sm_need *n, struct arena *a);
    /* The division of an empty SM whose next CTA needs `n`; NULL: of one that has had none yet. */
    struct onchip_split (*split)(const struct sm_cfg *cfg, const struct sm_need *n);
    /* One division for all launches of a run (sm.onchip_scope = program). Returns why there is none, with the arithmetic. NULL:
     * the policy knows nothing of programs. */
    const char *(*plan)(const struct sm_cfg *cfg, const struct onchip_use *uses, uint32_t n,
                        struct onchip_split *to, struct arena *a);
    struct onchip_arrays (*arrays)(const struct sm_cfg *cfg);
    bool pool; /* registers lie in the banks of shared memory and L1 */
    bool many; /* ... of which an access may take several in one cluster at once */
};

extern const struct onchip_ops *const onchip_list[]; /* NULL-terminated */
const struct onchip_ops *onchip_find(const char *name);

/* For policies whose registers and shared memory have sizes of their own. */
const char *onchip_cta_fits(const struct sm_cfg *cfg, const struct sm_need *n, struct arena *a);

enum { ONCHIP_PARTS = 16 };

/* What is free of an SM. */
struct onchip {
    const struct sm_cfg *cfg;
    const struct onchip_ops *ops;
    struct onchip_split split;
    bool planned;          /* for the whole run */
    bool insn;             /* sm.conflicts = insn */
    bool follows;          /* rows.h follows which rows an access touches */
    uint32_t threads_most; /* that were there at a time */
    uint32_t threads, shared_b;
    uint32_t regs[ONCHIP_PARTS];  /* by partition */
    uint64_t slots[ONCHIP_PARTS]; /* ... of its warp slots, by bit */
    uint32_t shares;      /* places that warps are assigned to in a partition: isolated schedulers, or one */
    uint64_t of_share[8]; /* the slots of each */
};

void onchip_init(struct onchip *o, const struct sm_cfg *cfg);
/* Nobody holds anything: divides anew. True: another division than before. */
bool onchip_divide(struct onchip *o, const struct sm_need *next);
/* The division for all launches of a run, where the policy makes one: *has. Returns why there is none. */
const char *onchip_plan(const struct sm_cfg *cfg, const struct onchip_use *uses, uint32_t n,
                        struct onchip_split *to, bool *has, struct arena *a);
void onchip_keep(struct onchip *o, const struct onchip_split *plan); /* before the first CTA */
/* Are there threads and shared memory for one more? Then onchip_place looks at the warps. */
static inline bool onchip_may(const struct onchip *o, uint32_t threads, uint32_t shared_b)
{
    return o->threads >= threads && o->shared_b >= shared_b;
}
/* Finds each warp's place, a partition or a scheduler of it: `where` says which one it would best go to, and then which one it
 * goes to, the next with room. False: not all of the CTA fits now. */
bool onchip_place(const struct onchip *o, const struct sm_need *n, uint8_t *where);
/* Takes what a CTA needs, after onchip_place. warps: partition << 8 | slot. */
void onchip_take(struct onchip *o, const struct sm_need *n, const uint8_t *where, uint32_t *warps);
void onchip_give(struct onchip *o, const struct sm_need *n, const uint32_t *warps);

#endif
