/* SPDX-License-Identifier: Apache-2.0 */
/* The cache table of a caching collector (Malekeh paper, sections III-C and IV-A1): registers of one warp, fully associative. It
 * knows nothing of time; ccu.c asks it. */
#ifndef SM_OPERANDS_TABLE_H
#define SM_OPERANDS_TABLE_H

#include "base/rng.h"

#include <stdbool.h>
#include <stdint.h>

enum { TABLE_MAX = 32 };

struct table_entry {
    bool valid;
    bool near;        /* its next read is expected soon */
    uint8_t reg;      /* tag */
    uint32_t used;    /* stamp of the last use */
    uint32_t version; /* --check: of the value */
};

struct table {
    uint32_t n, clock;
    uint32_t locked; /* entries that are operands of the instruction in the collector, by bit */
    struct table_entry e[TABLE_MAX];
};

static inline int table_find(const struct table *t, uint8_t reg)
{
    for (uint32_t i = 0; i < t->n; i++)
        if (t->e[i].valid && t->e[i].reg == reg)
            return (int)i;
    return -1;
}

/* The entry to replace: never a locked one; an empty one if there is any; with `by_reuse` one of the far ones at random; else the
 * least recently used. -1: all are locked. */
int table_victim(const struct table *t, bool by_reuse, struct rng *r);
/* Puts a register into an entry, or renews what is known of it. */
void table_put(struct table *t, uint32_t i, uint8_t reg, bool near, uint32_t version);
bool table_has_near(const struct table *t);
bool table_empty(const struct table *t);
void table_flush(struct table *t);

#endif
