#include "mem/cache.h"

#include "base/arena.h"

#include <stdlib.h>
#include <string.h>

void cache_init(struct cache *c, uint64_t size_b, uint32_t line_b, uint32_t ways)
{
    uint64_t lines = size_b / line_b;
    c->ways = lines < ways ? (lines ? (uint32_t)lines : 1) : ways;
    c->sets = (uint32_t)(lines / c->ways ? lines / c->ways : 1);
    c->lines = xcalloc((size_t)c->sets * c->ways, sizeof *c->lines);
    c->clock = 0;
    c->shift = (c->sets & (c->sets - 1)) == 0 ? (uint32_t)__builtin_ctz(c->sets) : UINT32_MAX;
}

void cache_free(struct cache *c)
{
    free(c->lines);
    c->lines = NULL;
}

void cache_clear(struct cache *c) { memset(c->lines, 0, sizeof *c->lines * c->sets * c->ways); }

/* The set: low bits with higher ones folded in, so that power-of-two strides do not share one (sets may be any number). */
static struct cache_line *set_of(const struct cache *c, uint64_t line)
{
    if (c->shift != UINT32_MAX) {
        uint64_t h = line ^ line >> c->shift ^ line >> 2 * c->shift;
        return c->lines + (size_t)(h & (c->sets - 1)) * c->ways;
    }
    uint64_t h = line ^ line / c->sets ^ (line / c->sets) / c->sets;
    return c->lines + (size_t)(h % c->sets) * c->ways;
}

struct cache_line *cache_find(struct cache *c, uint64_t line, bool touch)
{
    struct cache_line *l = set_of(c, line);
    for (uint32_t i = 0; i < c->ways; i++) {
        if (l[i].tag == line + 1) {
            if (touch)
                l[i].used = ++c->clock;
            return &l[i];
        }
    }
    return NULL;
}

struct cache_line *cache_alloc(struct cache *c, uint64_t line, struct cache_line *old)
{
    struct cache_line *l = set_of(c, line), *best = NULL;
    for (uint32_t i = 0; i < c->ways; i++) {
        if (l[i].pinned)
            continue;
        if (!best || l[i].used < best->used)
            best = &l[i];
    }
    if (!best)
        return NULL;
    *old = *best;
    *best = (struct cache_line){.tag = line + 1, .used = ++c->clock};
    return best;
}
