/* SPDX-License-Identifier: Apache-2.0 */
/* The hash-function table that replaces the round robin counter (partition paper, section IV-B): an entry is one byte and places
 * four consecutive warps. Its upper four bits drive select line 0 of the multiplexer over the partitions, its lower four bits
 * select line 1; the first of the four warps has the most significant bit of each half. After the last entry the table is used
 * from its start again. Two select lines reach four partitions. */
#ifndef SM_ASSIGN_HASH_H
#define SM_ASSIGN_HASH_H

#include "sm/sm.h"

enum { HASH_ENTRIES = 16, HASH_PER_ENTRY = 4 };

#define HASH_OPTIONS(T, OPT, NAME)                                                                           \
    OPT(T, entries, U32, 4, 1, 16, "bytes of the hash-function table, four warps each",                      \
        "sm.partitions!=1 sm.isolated=true")
CONF_STRUCT(hash_cfg, HASH_OPTIONS);
extern const struct conf_table hash_options;

struct hash {
    uint8_t entry[HASH_ENTRIES];
    uint32_t n;
};

static inline void hash_put(struct hash *h, uint32_t warp, uint32_t partition)
{
    uint32_t bit = HASH_PER_ENTRY - 1 - warp % HASH_PER_ENTRY;
    uint8_t *e = &h->entry[warp / HASH_PER_ENTRY];
    *e = (uint8_t)(*e & ~(0x11u << bit));
    *e = (uint8_t)(*e | (partition & 1) << (bit + 4) | (partition >> 1 & 1) << bit);
}

static inline uint32_t hash_get(const struct hash *h, uint64_t warp)
{
    uint32_t bit = HASH_PER_ENTRY - 1 - (uint32_t)(warp % HASH_PER_ENTRY);
    uint8_t e = h->entry[warp / HASH_PER_ENTRY % h->n];
    return (e >> (bit + 4) & 1u) | (e >> bit & 1u) << 1;
}

/* Partitions, or isolated schedulers, that warps are assigned to. */
static inline uint32_t hash_places(const struct sm_cfg *cfg)
{
    return cfg->partitions * (cfg->isolated ? cfg->schedulers : 1);
}

/* What both policies need of a configuration: partitions that divide the table's period. */
static inline const char *hash_fits(const struct sm_cfg *cfg, struct arena *a)
{
    uint32_t n = hash_places(cfg);
    if (n == 1 || n == 2 || n == 4)
        return NULL;
    return cfg->isolated
               ? arena_printf(a,
                              "the hash-function table has two select lines, for 1, 2 or 4 schedulers, and "
                              "sm.partitions = %u have sm.schedulers = %u each",
                              cfg->partitions, cfg->schedulers)
               : arena_printf(a,
                              "the hash-function table has two select lines, for 1, 2 or 4 partitions, and "
                              "sm.partitions = %u",
                              cfg->partitions);
}

#endif
