/* Miss entries: lines on their way to an SM, and who waits for each. L1 (l1.c) takes, finds and frees them; an entry's index is
 * the tag of its request. What bypasses L1 has entries of its own, but joins a line that is on its way to L1, and the other way
 * round. Nothing here knows what a waiter is. */
#ifndef SM_MSHR_H
#define SM_MSHR_H

#include "base/vec.h"
#include "mem/cache.h"

enum { MSHR_NONE = 0xffff };
enum mshr_pool { MSHR_L1, MSHR_BYPASS, MSHR_POOLS };

/* If a line is to be kept in L1, its place there names the entry (cache_line.fill); the other entries are found by hash. */
struct mshr {
    uint64_t line;        /* address */
    uint32_t to;          /* 1 + L1's line, pinned; 0: it is not kept */
    uint32_t since;       /* cycle it was taken, its low bits */
    uint32_t first, last; /* waiters */
    uint16_t n;           /* of these */
    uint16_t next;        /* free list */
    uint8_t pending;      /* sectors */
    bool hashed;
};

struct mwait {
    uint32_t name, next;
    uint8_t client, part, missing; /* sectors it lacks */
};

struct mshrs {
    struct mshr *at;
    uint32_t nl1;              /* the first are L1's */
    uint16_t free[MSHR_POOLS]; /* MSHR_NONE: all are taken */
    uint16_t *hash; /* open addressing by line: 1 + index, of those that were taken without a line of L1 */
    uint32_t mask, nhashed;
    uint32_t sectors; /* on their way to L1 */
    VEC(struct mwait) waits;
    uint32_t free_wait;
};

void mshrs_init(struct mshrs *a, uint32_t l1, uint32_t bypass);
void mshrs_done(struct mshrs *a);
static inline uint32_t mshr_index(const struct mshrs *a, const struct mshr *m)
{
    return (uint32_t)(m - a->at);
}
static inline enum mshr_pool mshr_pool(const struct mshrs *a, const struct mshr *m)
{
    return mshr_index(a, m) < a->nl1 ? MSHR_L1 : MSHR_BYPASS;
}
/* The entry of a line; NULL: it has none. `c` is the line's place in L1, or NULL. */
struct mshr *mshr_find(const struct mshrs *a, const struct cache_line *c, uint64_t line);
/* A free entry; there must be one. Nobody else finds it until a line of L1 names it or mshr_hash was called. */
static inline struct mshr *mshr_take(struct mshrs *a, enum mshr_pool pool, uint64_t line, uint64_t t)
{
    struct mshr *m = &a->at[a->free[pool]];
    a->free[pool] = m->next;
    *m = (struct mshr){.line = line, .first = UINT32_MAX, .last = UINT32_MAX, .since = (uint32_t)t};
    return m;
}
void mshr_hash(struct mshrs *a, struct mshr *m);
void mshr_free(struct mshrs *a, struct mshr *m);
uint32_t mshr_more_waits(struct mshrs *a); /* none is free: gives a new one */
static inline void mshr_wait(struct mshrs *a, struct mshr *m, struct mwait w)
{
    uint32_t i = a->free_wait;
    if (i == UINT32_MAX)
        i = mshr_more_waits(a);
    else
        a->free_wait = a->waits.at[i].next;
    w.next = UINT32_MAX;
    a->waits.at[i] = w;
    if (m->first == UINT32_MAX)
        m->first = i;
    else
        a->waits.at[m->last].next = i;
    m->last = i;
    m->n++;
}
/* Those who wait for any of these sectors. */
uint32_t mshr_waiting(const struct mshrs *a, const struct mshr *m, uint8_t sectors);

#endif
