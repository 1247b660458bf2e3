/* SPDX-License-Identifier: Apache-2.0 */
/* Inside the register file cache, for rfc.c and its tests. */
#ifndef SM_OPERANDS_RFC_H
#define SM_OPERANDS_RFC_H

#include "sm/core.h"

enum { RFC_MAX = 32 };

#define RFC_OPTIONS(T, OPT, NAME) OPT(T, entries, U32, 6, 1, RFC_MAX, "registers kept for each active warp")
CONF_STRUCT(rfc_cfg, RFC_OPTIONS);

struct rfc_entry {
    bool valid, dead; /* dead: nobody reads it again */
    uint8_t reg;
    uint32_t version; /* --check */
};

struct rfc_warp {
    uint64_t owner;  /* 1 + number of the warp (its age) */
    uint32_t next;   /* the entry that was written first */
    uint8_t at[256]; /* by register: 1 + its entry; 0: it has none */
    struct rfc_entry e[RFC_MAX];
};

struct rfc {
    struct part *p;
    struct rfc_warp *warps; /* by slot */
    uint32_t n;             /* entries */
    uint64_t active;        /* slots whose warps may keep registers */
};

extern const struct operands_ops operands_rfc;

#endif
