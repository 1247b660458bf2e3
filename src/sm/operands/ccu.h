/* Inside the caching collectors, for ccu.c and its tests. */
#ifndef SM_OPERANDS_CCU_H
#define SM_OPERANDS_CCU_H

#include "sm/core.h"
#include "sm/operands/table.h"

/* What a caching collector has beyond a collector. */
struct cached {
    struct table table;
    uint64_t
        owner; /* 1 + number of the warp whose registers it holds (its age, which no other warp ever has); 0: none */
    uint8_t warp;   /* its slot */
    uint64_t wrote; /* 1 + cycle in which port D was used last */
    /* --check, the operand collector table: by operand of the instruction in it, 1 + its entry; 0: it was not given one */
    uint8_t entry[MAX_OPERANDS];
};

struct ccu {
    struct part *p;
    struct cached *units;
    uint8_t unit_of[64]; /* by slot: the collector it was given last */
    struct rng rng;
    uint64_t waited;  /* 1 + cycle in which nobody got a collector, to keep what is in them */
    uint32_t counter; /* ... how often in a row: of the SM, kept by its first partition */
    bool by_reuse, private, exact;
};

extern const struct operands_ops operands_ccu;

#endif
