/* SPDX-License-Identifier: Apache-2.0 */
/* Miss entries: lines on their way to an SM, and who waits for each. L1 (l1.c) takes, finds and frees them; an entry's index is
 * the tag of its request. What bypasses L1 has entries of its own, but joins a line that is on its way to L1, and the other way
 * round. Nothing here knows what a waiter is. */
#ifndef SM_MSHR_H
#define SM_MSHR_H

#include "base/vec.h"
#include "mem/cache.h"

enum { MSHR_NONE = 0xffff, MSHR_HASHED = 0x80 };
enum mshr_pool { MSHR_L1, MSHR_BYPASS, MSHR_POOLS };

struct mwait {
    uint32_t name;
    uint8_t client, part, missing; /* sectors it lacks */
    bool each; /* it has asked for them one by one, and hears of each; else of the last one */
};

/* If a line is to be kept in L1, its place there names the entry (cache_line.fill); the other entries are found by hash. */
struct mshr {
    uint64_t line;    /* address */
    struct mwait who; /* the first who waits; missing = 0: it does not any more */
    uint32_t to;      /* 1 + L1's line, pinned; 0: it is not kept */
    uint32_t since;   /* cycle it was taken, its low bits */
    uint32_t last;    /* of those behind it, a ring; UINT32_MAX: there are none */
    uint16_t n;       /* of all of them */
    uint8_t pending;  /* sectors */
    /* What is pending, if a reply with all of that, or with some where the first one hears of each, is a plain one (replies.h);
     * 0: it is not, MSHR_HASHED: nor can it be */
    uint8_t plain;
};
_Static_assert(sizeof(struct mshr) == 32, "two in a line of the host's cache");

struct mwaits {
    struct mwait who;
    uint32_t next;
};

struct mshrs {
    struct mshr *at;
    uint32_t nl1;    /* the first are L1's */
    uint16_t *spare; /* those that are free, by pool: a stack of L1's, from nl1 on one of the others */
    uint32_t nspare[MSHR_POOLS];
    uint16_t *hash; /* open addressing by line: 1 + index, of those that were taken without a line of L1 */
    uint32_t mask, nhashed;
    bool by_sector;   /* the load-store unit's */
    uint32_t sectors; /* by_sector: on their way to L1 */
    VEC(struct mwaits) waits;
    uint32_t free_wait;
};

void mshrs_init(struct mshrs *a, uint32_t l1, uint32_t bypass, struct arena *from);
void mshrs_done(struct mshrs *a);
static inline enum mshr_pool mshr_pool(const struct mshrs *a, uint32_t i)
{
    return i < a->nl1 ? MSHR_L1 : MSHR_BYPASS;
}
/* The entry of a line; MSHR_NONE: it has none. `c` is the line's place in L1, or NULL. */
uint32_t mshr_hashed(const struct mshrs *a, uint64_t line);
static inline uint32_t mshr_find(const struct mshrs *a, const struct cache_line *c, uint64_t line)
{
    return c && c->pinned ? c->fill : a->nhashed ? mshr_hashed(a, line) : MSHR_NONE;
}
static inline uint16_t *mshr_spare(const struct mshrs *a, enum mshr_pool pool)
{
    return a->spare + (pool == MSHR_L1 ? 0 : a->nl1);
}
/* A free entry; there must be one. Nobody else finds it until a line of L1 names it or mshr_hash was called. */
static inline uint32_t mshr_take(struct mshrs *a, enum mshr_pool pool, uint64_t line, uint64_t t)
{
    uint32_t i = mshr_spare(a, pool)[--a->nspare[pool]];
    a->at[i] = (struct mshr){.line = line, .last = UINT32_MAX, .since = (uint32_t)t};
    return i;
}
void mshr_hash(struct mshrs *a, uint32_t i);
void mshr_unhash(struct mshrs *a, uint32_t i);
static inline void mshr_free(struct mshrs *a, uint32_t i)
{
    enum mshr_pool pool = mshr_pool(a, i);
    if (a->at[i].plain == MSHR_HASHED)
        mshr_unhash(a, i);
    mshr_spare(a, pool)[a->nspare[pool]++] = (uint16_t)i;
}
void mshr_wait_behind(struct mshrs *a, struct mshr *m, struct mwait w);
static inline void mshr_wait(struct mshrs *a, struct mshr *m, struct mwait w)
{
    if (m->n++)
        mshr_wait_behind(a, m, w);
    else
        m->who = w;
}
/* The first who waits has asked for further sectors of the line by themselves. False: somebody else is the first. */
static inline bool mshr_wait_more(struct mshr *m, struct mwait w)
{
    struct mwait *who = &m->who;
    if (who->name != w.name || who->client != w.client || who->part != w.part || !who->missing)
        return false;
    who->missing |= w.missing;
    who->each = true;
    return true;
}
/* Those behind the first who have all that they wait for when these sectors are there, one after the other: takes the next out
 * of the entry. False: there is none. */
bool mshr_arrived_behind(struct mshrs *a, struct mshr *m, uint8_t sectors, struct mwait *w);
/* Those who wait for any of these sectors. */
uint32_t mshr_waiting(const struct mshrs *a, const struct mshr *m, uint8_t sectors);

#endif
