#include "mem/cache.h"

#include "base/arena.h"

#include <stdlib.h>
#include <string.h>

#define NO_LINE UINT32_MAX

void cache_init(struct cache *c, uint64_t size_b, uint32_t line_b, uint32_t ways)
{
    uint64_t lines = size_b / line_b;
    c->ways = lines < ways ? (lines ? (uint32_t)lines : 1) : ways;
    c->sets = (uint32_t)(lines / c->ways ? lines / c->ways : 1);
    c->shift = (c->sets & (c->sets - 1)) == 0 ? (uint32_t)__builtin_ctz(c->sets) : UINT32_MAX;
    c->mask = 1;
    while (c->mask < c->sets * c->ways)
        c->mask *= 2;
    c->lines = xcalloc((size_t)c->sets * c->ways, sizeof *c->lines);
    c->oldest = xcalloc(c->sets, sizeof *c->oldest);
    c->table = xcalloc(c->mask, sizeof *c->table);
    c->mask--;
    cache_clear(c);
}

void cache_free(struct cache *c)
{
    free(c->lines);
    free(c->oldest);
    free(c->table);
    *c = (struct cache){0};
}

void cache_clear(struct cache *c)
{
    memset(c->table, 0xff, sizeof *c->table * (c->mask + 1));
    for (uint32_t s = 0; s < c->sets; s++) {
        uint32_t first = s * c->ways;
        c->oldest[s] = first;
        for (uint32_t i = 0; i < c->ways; i++)
            c->lines[first + i] = (struct cache_line){.newer = first + (i + 1 < c->ways ? i + 1 : 0),
                                                      .older = first + (i ? i : c->ways) - 1,
                                                      .next = NO_LINE};
    }
}

/* The set: low bits with higher ones folded in, so that power-of-two strides do not share one (sets may be any number). */
static inline uint32_t set_of(const struct cache *c, uint64_t line)
{
    if (c->shift != UINT32_MAX)
        return (uint32_t)((line ^ line >> c->shift ^ line >> 2 * c->shift) & (c->sets - 1));
    return (uint32_t)((line ^ line / c->sets ^ (line / c->sets) / c->sets) % c->sets);
}

uint32_t cache_set(const struct cache *c, uint64_t line) { return set_of(c, line); }

static uint32_t *bucket(const struct cache *c, uint64_t line)
{
    return &c->table[(line * 0x9e3779b97f4a7c15ull >> 32) & c->mask];
}

/* The line becomes the newest of its set. */
static void use(struct cache *c, uint32_t set, uint32_t i)
{
    uint32_t *oldest = &c->oldest[set], newest = c->lines[*oldest].older;
    struct cache_line *l = &c->lines[i];
    if (i == newest)
        return;
    if (i == *oldest) {
        *oldest = l->newer; /* the ring turns by one */
        return;
    }
    c->lines[l->newer].older = l->older;
    c->lines[l->older].newer = l->newer;
    l->older = newest;
    l->newer = *oldest;
    c->lines[newest].newer = i;
    c->lines[*oldest].older = i;
}

struct cache_line *cache_find(struct cache *c, uint64_t line, bool touch)
{
    for (uint32_t i = *bucket(c, line); i != NO_LINE; i = c->lines[i].next) {
        if (c->lines[i].tag == line + 1) {
            if (touch)
                use(c, set_of(c, line), i);
            return &c->lines[i];
        }
    }
    return NULL;
}

void cache_expect(const struct cache *c, uint64_t line)
{
    __builtin_prefetch(bucket(c, line));
    __builtin_prefetch(&c->oldest[set_of(c, line)]);
}

void cache_expect_now(const struct cache *c, uint64_t line)
{
    uint32_t i = *bucket(c, line);
    if (i != NO_LINE)
        __builtin_prefetch(&c->lines[i], 1);
    __builtin_prefetch(&c->lines[c->oldest[set_of(c, line)]], 1);
}

static void forget(struct cache *c, uint32_t i)
{
    uint32_t *link = bucket(c, c->lines[i].tag - 1);
    while (*link != i)
        link = &c->lines[*link].next;
    *link = c->lines[i].next;
}

struct cache_line *cache_alloc(struct cache *c, uint64_t line, struct cache_line *old)
{
    uint32_t set = set_of(c, line), i = c->oldest[set];
    for (uint32_t n = 0; c->lines[i].pinned; i = c->lines[i].newer)
        if (++n == c->ways)
            return NULL;
    struct cache_line *l = &c->lines[i];
    *old = *l;
    if (l->tag)
        forget(c, i);
    uint32_t *head = bucket(c, line);
    l->tag = line + 1;
    l->valid = l->dirty = l->pinned = 0;
    l->next = *head;
    *head = i;
    use(c, set, i);
    return l;
}
