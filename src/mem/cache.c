/* SPDX-License-Identifier: Apache-2.0 */
#include "mem/cache.h"

#include "base/arena.h"

#include <stdlib.h>
#include <string.h>

/* The ways of a set, from the first on, as if used in that order. */
static void in_order(struct cache *c, uint32_t s)
{
    struct cache_line *set = c->lines + (size_t)s * c->ways;
    for (uint32_t i = 0; i < c->ways; i++) {
        set[i].newer = (uint16_t)(i + 1);
        set[i].older = (uint16_t)(i - 1);
    }
    set[0].older = (uint16_t)(c->ways - 1);
    set[c->ways - 1].newer = 0;
}

/* The index of a set without any; the first way is the oldest. What is behind a line is written with it. */
static void no_lines(struct cache *c, uint32_t s)
{
    memset(&c->index[(size_t)s * c->stride], 0, (1 + c->buckets) * sizeof *c->index);
}

/* Are its sets a power of two? */
static bool has_power(const struct cache *c) { return (c->sets & (c->sets - 1)) == 0; }

void cache_init(struct cache *c, uint64_t size_b, uint32_t line_b, uint32_t ways)
{
    uint64_t lines = size_b / line_b;
    c->ways = lines < ways ? (lines ? (uint32_t)lines : 1) : ways;
    c->sets = (uint32_t)(lines / c->ways ? lines / c->ways : 1);
    c->sets_are = has_power(c) ? SETS_FOLDED : SETS_ODD;
    c->fold[0] = (uint8_t)__builtin_ctz(c->sets);
    c->fold[1] = (uint8_t)(2 * c->fold[0]);
    for (c->buckets = 2, c->drop = 31; c->buckets < c->ways * (c->ways > 64 ? 2 : 1); c->drop--)
        c->buckets *= 2;
    c->lines = xmalloc((size_t)c->sets * c->ways * sizeof *c->lines);
    enum { UNIT = HOST_LINE_B / sizeof *c->index };
    c->stride = (1 + c->buckets + c->ways + UNIT - 1) / UNIT * UNIT;
    c->index = xraw_lines((size_t)c->sets * c->stride, sizeof *c->index);
    memset(c->lines, 0, c->ways * sizeof *c->lines);
    in_order(c, 0);
    for (uint32_t s = 1; s < c->sets; s++)
        memcpy(c->lines + (size_t)s * c->ways, c->lines, c->ways * sizeof *c->lines);
    for (uint32_t s = 0; s < c->sets; s++)
        no_lines(c, s);
}

void cache_free(struct cache *c)
{
    free(c->lines);
    free(c->index);
    *c = (struct cache){0};
}

void cache_as_fermi(struct cache *c) { c->sets_are = SETS_FERMI; }

void cache_as_slice(struct cache *c, uint32_t block, uint32_t caches, bool twice)
{
    c->block = block;
    c->turns = twice ? 2 : 1;
    c->apart = twice ? 2 * block : block * caches;
    c->blocks = block * caches * c->turns;
    c->sets_are = has_power(c) && caches == 1 ? SETS_ORDERED : SETS_BLOCKS;
    c->fold[0] = c->fold[1] = 63;
}

static uint32_t fermi_set(const struct cache *c, uint64_t line)
{
    uint64_t high = (line >> 6 & 7) | (line >> 10 & 1) << 3 | (line >> 12 & 1) << 4;
    return (uint32_t)((line ^ high) % c->sets);
}

ASIDE uint32_t cache_set_divided(const struct cache *c, uint64_t line)
{
    if (c->sets_are == SETS_FERMI)
        return fermi_set(c, line);
    if (c->sets_are == SETS_BLOCKS)
        return (uint32_t)(((line / c->blocks * c->turns + line / c->apart % c->turns) * c->block +
                           line % c->block) %
                          c->sets);
    return (uint32_t)((line ^ line / c->sets ^ (line / c->sets) / c->sets) % c->sets);
}

void cache_clear(struct cache *c)
{
    bool used = c->used;
    c->used = false;
    for (uint32_t s = 0; used && s < c->sets; s++) {
        struct cache_line *set = c->lines + (size_t)s * c->ways;
        uint16_t *index = &c->index[s * c->stride];
        for (uint32_t i = 0; i < c->ways; i++) {
            struct cache_line *l = &set[i], keep = {.tag = l->tag, .fill = l->fill, .pinned = l->pinned};
            *l = l->pinned ? keep : (struct cache_line){0};
            c->used |= l->pinned;
        }
        in_order(c, s);
        no_lines(c, s);
        for (uint32_t i = 0; i < c->ways; i++) {
            struct cache_at at = cache_at_in(c, s, set[i].tag - 1);
            if (!set[i].tag)
                continue;
            *cache_behind(c, index, i + 1) = index[at.bucket];
            index[at.bucket] = (uint16_t)((i + 1) | at.mark);
        }
    }
}

void cache_renew(struct cache_at at, uint32_t way)
{
    struct cache_line *set = at.set, *l = &set[way];
    uint16_t *oldest = at.index, newest = set[*oldest].older, i = (uint16_t)way;
    if (i == newest)
        return;
    if (i == *oldest) {
        *oldest = l->newer; /* the ring turns by one */
        return;
    }
    set[l->newer].older = l->older;
    set[l->older].newer = l->newer;
    l->older = newest;
    l->newer = *oldest;
    set[newest].newer = i;
    set[*oldest].older = i;
}

ASIDE bool cache_full(const struct cache *c, uint64_t line)
{
    const struct cache_line *set = c->lines + (size_t)cache_set(c, line) * c->ways;
    for (uint32_t i = 0; i < c->ways; i++)
        if (!set[i].pinned)
            return false;
    return true;
}

struct cache_line *cache_alloc_at(struct cache *c, struct cache_at at, uint64_t line, struct cache_line *old)
{
    struct cache_line *l = cache_victim(c, at);
    if (!l)
        return NULL;
    *old = *l;
    cache_replace(c, at, l, line);
    return l;
}
