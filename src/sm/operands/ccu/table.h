/* SPDX-License-Identifier: Apache-2.0 */
/* The cache table of a caching collector (Malekeh paper, sections III-C and IV-A1): registers of one warp, fully associative. It
 * knows nothing of time; ccu.c asks it. */
#ifndef SM_OPERANDS_TABLE_H
#define SM_OPERANDS_TABLE_H

#include "base/rng.h"
#include "sm/operands/kept.h"

#include <stdbool.h>
#include <stdint.h>

enum { TABLE_MAX = 32 };

struct table {
    uint32_t n, clock;
    /* Entries, by bit: */
    uint32_t locked;              /* are operands of the instruction in the collector */
    uint32_t valid;               /* have a register */
    uint32_t near;                /* ... whose next read is expected soon */
    uint64_t regs[TABLE_MAX / 8]; /* their registers, a byte each */
    uint32_t used[TABLE_MAX];     /* stamps of the last use */
    uint32_t version[TABLE_MAX];  /* --check: of the values */
};

static inline uint8_t table_reg(const struct table *t, uint32_t i)
{
    return (uint8_t)(t->regs[i / 8] >> i % 8 * 8);
}

static inline int table_find(const struct table *t, uint8_t reg)
{
    for (uint32_t i = 0; i < t->n; i += 8) {
        uint32_t at = names_in(t->regs[i / 8], reg) & t->valid >> i;
        if (at)
            return (int)(i + (uint32_t)__builtin_ctz(at));
    }
    return -1;
}

/* The entry to replace: never a locked one; an empty one if there is any; with `by_reuse` one of the far ones at random; else the
 * least recently used. -1: all are locked. */
int table_victim(const struct table *t, bool by_reuse, struct rng *r);
/* What an entry has is used again. */
static inline void table_renew(struct table *t, uint32_t i, bool near)
{
    t->near = (t->near & ~(1u << i)) | (uint32_t)near << i;
    t->used[i] = ++t->clock;
}
/* Puts a register into an entry, or renews what is known of it. */
static inline void table_put(struct table *t, uint32_t i, uint8_t reg, bool near, uint32_t version)
{
    uint64_t *word = &t->regs[i / 8];
    uint32_t at = i % 8 * 8;
    *word = (*word & ~(0xffull << at)) | (uint64_t)reg << at;
    t->valid |= 1u << i;
    t->version[i] = version;
    table_renew(t, i, near);
}
static inline bool table_has_near(const struct table *t) { return t->valid & t->near; }
static inline void table_flush(struct table *t) { t->valid = t->locked = 0; }

#endif
