/* SPDX-License-Identifier: Apache-2.0 */
/* A sectored, set-associative tag store with least-recently-used replacement. It knows which sectors of which lines are
 * there and which are dirty; who waits for what is its owner's business. */
#ifndef MEM_CACHE_H
#define MEM_CACHE_H

#include "base/hint.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Sixteen bytes, so that the host's caches can hold the tags of all SMs and slices. */
struct cache_line {
    uint64_t tag;                 /* line number + 1; 0: empty */
    uint16_t newer, older;        /* ways: neighbours in the set's order of use, a ring */
    uint16_t fill;                /* pinned: its owner's name for what is on its way */
    uint8_t valid : 4, dirty : 4; /* sector masks */
    uint8_t pinned;               /* a fill is on its way: not replaced */
};

/* Ways may be hundreds: each set has a hash table of its lines. What a lookup reads of it lies together: by set, `stride` of them
 * each, the oldest way; the first lines of the buckets; by way the line behind that one in its bucket. A line there is 1 + its
 * way, 0: none, and a mark, which seldom is another line's in the bucket: most of those are passed over without a look at their
 * tags. */
enum { CACHE_WAY = 1023 };
/* The set of a line; only the first two need no divisions. */
enum cache_sets {
    SETS_FOLDED, /* its low bits, with higher ones folded in, so that power-of-two strides do not share one */
    SETS_ORDERED, /* its low bits */
    SETS_ODD,     /* as folded, where sets are no power of two */
    SETS_FERMI,   /* cache_as_fermi */
    SETS_BLOCKS   /* cache_as_slice */
};
struct cache {
    struct cache_line *lines;
    uint16_t *index;
    uint32_t stride;
    uint32_t sets, ways;
    uint32_t buckets; /* a power of two, more than one */
    uint32_t drop;    /* buckets = 1 << (32 - drop) */
    enum cache_sets sets_are;
    /* SETS_FOLDED: how far the bits that are folded in are moved for that, twice; SETS_ORDERED: so far that none are left */
    uint8_t fold[2];
    bool used; /* it has lines, or had some */
    /* SETS_BLOCKS: lines of a block of one cache; of all blocks up to its next ones; how many of its own are in these; lines
     * from one of them to the next */
    uint32_t block, blocks, turns, apart;
};

void cache_init(struct cache *c, uint64_t size_b, uint32_t line_b, uint32_t ways);
void cache_free(struct cache *c);
/* Right after cache_init: the set of a line as in Fermi's L1 (Nugteren et al., HPCA'14), for lines of 128 bytes. Bits 7 to 11 of
 * an address with its bits 13, 14, 15, 17 and 19; further bits of the set are those from 12 on. */
void cache_as_fermi(struct cache *c);
/* Right after cache_init: one of several caches that have blocks of so many lines in turn; twice: two of them in turn, and again,
 * before the next two. Its own lines take its sets in order. */
void cache_as_slice(struct cache *c, uint32_t block, uint32_t caches, bool twice);
/* Forgets all lines. Pinned ones keep their place, without valid sectors: what is on its way still comes. */
void cache_clear(struct cache *c);

/* The set that the line belongs to. */
uint32_t cache_set_divided(const struct cache *c, uint64_t line);
static inline uint32_t cache_set(const struct cache *c, uint64_t line)
{
    if (c->sets_are > SETS_ORDERED)
        return cache_set_divided(c, line);
    return (uint32_t)(line ^ line >> c->fold[0] ^ line >> c->fold[1]) & (c->sets - 1);
}

/* Where a line is looked for: who asks for it several times works that out once. `line` is a line number (address / line
 * size). */
struct cache_at {
    struct cache_line *set; /* the first of its ways */
    uint16_t *index;        /* of the set */
    uint16_t bucket, mark;  /* bucket: its place there */
};
static inline uint32_t cache_hash(uint64_t line) { return (uint32_t)line * 0x9e3779b1u; }
static inline uint16_t cache_bucket(const struct cache *c, uint32_t hash)
{
    return (uint16_t)(1 + (hash >> c->drop));
}
static inline struct cache_at cache_at_in(const struct cache *c, uint32_t set, uint64_t line)
{
    uint32_t h = cache_hash(line);
    return (struct cache_at){.set = c->lines + (size_t)set * c->ways,
                             .index = c->index + (size_t)set * c->stride,
                             .bucket = cache_bucket(c, h),
                             .mark = (uint16_t)(h >> 8 & ~(uint32_t)CACHE_WAY)};
}
static inline struct cache_at cache_at(const struct cache *c, uint64_t line)
{
    return cache_at_in(c, cache_set(c, line), line);
}
/* The line behind that one in its bucket. */
static inline uint16_t *cache_behind(const struct cache *c, uint16_t *index, uint32_t of)
{
    return &index[c->buckets + (of & CACHE_WAY)];
}
/* A way, and it is not its set's newest: it becomes that. */
void cache_renew(struct cache_at at, uint32_t way);
/* The line, or NULL. touch: counts as a use. */
static inline struct cache_line *cache_find_at(const struct cache *c, struct cache_at at, uint64_t line,
                                               bool touch)
{
    for (uint32_t i = at.index[at.bucket]; i; i = *cache_behind(c, at.index, i)) {
        if ((i ^ at.mark) > CACHE_WAY)
            continue;
        uint32_t way = (i & CACHE_WAY) - 1;
        struct cache_line *l = &at.set[way];
        if (l->tag != line + 1)
            continue;
        if (touch && l->newer != at.index[0])
            cache_renew(at, way);
        return l;
    }
    return NULL;
}
/* The way for a line that is not there: an empty one, else the least recently used that is not pinned; NULL: all pinned. */
static inline struct cache_line *cache_victim(const struct cache *c, struct cache_at at)
{
    struct cache_line *l = &at.set[at.index[0]];
    for (uint32_t n = c->ways; l->pinned; l = &at.set[l->newer])
        if (!--n)
            return NULL;
    return l;
}
/* The line takes that way: it has the tag set and no valid sectors. */
static inline void cache_replace(struct cache *c, struct cache_at at, struct cache_line *l, uint64_t line)
{
    uint16_t *index = at.index, *in;
    uint32_t way = (uint32_t)(l - at.set), self = (way + 1) | at.mark;
    uint16_t *behind = cache_behind(c, index, self);
    if (l->tag) {
        in = &index[cache_bucket(c, cache_hash(l->tag - 1))];
        while ((*in & CACHE_WAY) != way + 1)
            in = cache_behind(c, index, *in);
        *in = *behind;
    }
    *behind = index[at.bucket];
    index[at.bucket] = (uint16_t)self;
    l->tag = line + 1;
    c->used = true;
    if (index[0] == way)
        index[0] = l->newer; /* the ring turns by one: it is the newest */
    else
        cache_renew(at, way);
    l->valid = l->dirty = l->pinned = 0;
}
/* Both, and the old content of the way in *old. */
struct cache_line *cache_alloc_at(struct cache *c, struct cache_at at, uint64_t line, struct cache_line *old);
/* The line will be asked for soon: brings what that reads into the host's cache; first of the index, later of the lines. */
INTO void cache_expect_index(struct cache_at at)
{
    __builtin_prefetch(at.index, 1);
    __builtin_prefetch(at.index + HOST_LINE_B / sizeof *at.index, 1);
}
INTO void cache_expect_line(struct cache_at at) { __builtin_prefetch(&at.set[at.index[0]], 1); }
INTO void cache_expect(struct cache_at at)
{
    __builtin_prefetch(&at.index[at.bucket]);
    cache_expect_line(at);
}
bool cache_full(const struct cache *c, uint64_t line); /* are all lines of its set pinned? */

static inline struct cache_line *cache_find(struct cache *c, uint64_t line, bool touch)
{
    return cache_find_at(c, cache_at(c, line), line, touch);
}
static inline struct cache_line *cache_alloc(struct cache *c, uint64_t line, struct cache_line *old)
{
    return cache_alloc_at(c, cache_at(c, line), line, old);
}

#endif
