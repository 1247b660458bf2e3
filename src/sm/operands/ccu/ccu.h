/* SPDX-License-Identifier: Apache-2.0 */
/* Inside the caching collectors, for ccu.c and its tests. */
#ifndef SM_OPERANDS_CCU_H
#define SM_OPERANDS_CCU_H

#include "sm/core.h"
#include "sm/operands/ccu/table.h"

#define CCU_OPTIONS(T, OPT, NAME)                                                                            \
    OPT(T, entries, U32, 8, 1, 32, "registers a collector keeps")                                            \
    OPT(T, reuse, BOOL, 1, 0, 1,                                                                             \
        "what is kept, replaced and waited for follows reuse distances; else least recently used, and no "   \
        "waiting")                                                                                           \
    OPT(T, private, BOOL, 0, 0, 1, "every warp slot has a collector of its own")                             \
    OPT(T, any, BOOL, 0, 0, 1,                                                                               \
        "an instruction takes any free collector, at random, also if another has its warp's registers",      \
        "reuse=false&private=false")                                                                         \
    OPT(T, sthld, U32, 0, 0, 255,                                                                            \
        "cycles that warps without a collector wait while those free hold near values (STHLD); at the "      \
        "start, if it is dynamic",                                                                           \
        "reuse=true&private=false")                                                                          \
    OPT(T, sthld_dynamic, BOOL, 1, 0, 1, "sthld follows the GPU's IPC", "reuse=true&private=false")          \
    OPT(T, sthld_cyc, U32, 10000, 100, 1000000000, "interval of that",                                       \
        "reuse=true&private=false&sthld_dynamic=true")                                                       \
    OPT(T, sthld_launch, BOOL, 1, 0, 1, "it starts anew with each launch",                                   \
        "reuse=true&private=false&sthld_dynamic=true")                                                       \
    OPT(T, sthld_step, U32, 1, 1, 64, "sthld is raised and lowered by this",                                 \
        "reuse=true&private=false&sthld_dynamic=true")
CONF_STRUCT(ccu_cfg, CCU_OPTIONS);
extern const struct conf_table ccu_options;
static inline const struct ccu_cfg *ccu_cfg_of(const struct sm_cfg *cfg)
{
    return policy_options(cfg, &ccu_options);
}

/* Reuse distances (annotate/reuse.h). */
#define REUSE_OPTIONS(T, OPT, NAME)                                                                          \
    OPT(T, near, U32, 12, 1, 1000, "reuse distances up to this are near (RTHLD)")                            \
    OPT(T, exact, BOOL, 0, 0, 1,                                                                             \
        "every access is near or far by its own distance, which no compiler knows; else by that of most")    \
    OPT(T, share, F64, 0.0001, 0, 1,                                                                         \
        "share of a kernel's warps that reuse distances are taken from; one warp at least", "exact=false")
CONF_STRUCT(reuse_cfg, REUSE_OPTIONS);
extern const struct conf_table reuse_options;
/* distances.c: policy.profile, which marks registers whose next read is near; operands_ops.near. */
bool ccu_profile(struct sm_kernel *k, struct tr_reader *trace, const struct sm_cfg *cfg, struct diag *d);
uint32_t ccu_near(const struct sm_cfg *cfg);

/* What the collectors of an SM have in common: how often in a row nobody got one, to keep what is in them. */
struct ccu_shared {
    uint32_t waits;
};

/* What a caching collector has beyond a collector. */
struct cached {
    struct table table;
    /* 1 + number of the warp whose registers it holds (its age, which no other warp ever has); 0: none. */
    uint64_t owner;
    uint8_t warp; /* its slot */
    /* By bit: the slot of the warp whose registers it has, which was given no other one since; 0: none */
    uint64_t holds;
    uint64_t wrote; /* 1 + cycle in which port D was used last */
    /* --check, the operand collector table: by operand of the instruction in it, 1 + its entry; 0: it was not given one */
    uint8_t entry[MAX_OPERANDS];
};

struct ccu {
    struct part *p;
    struct cached *units;
    uint8_t unit_of[64]; /* by slot: the collector it was given last */
    uint64_t held;       /* `holds` of all collectors */
    struct rng rng;
    uint64_t waited; /* 1 + cycle in which nobody got a collector, to keep what is in them */
    struct ccu_shared *shared;
    uint32_t sthld; /* how often in a row they wait */
    bool by_reuse, private, any, exact;
};

extern const struct operands_ops operands_ccu;
extern const struct control_ops ccu_control; /* tune.c */

#endif
