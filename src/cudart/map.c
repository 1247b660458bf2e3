/* SPDX-License-Identifier: Apache-2.0 */
/* Open addressing with linear probing, at most half full; removal closes the gap, so there are no tombstones. */
#include "cudart/map.h"

#include "base/arena.h"

#include <stdlib.h>

enum { FIRST_CAP = 64 };

/* Fibonacci hashing: handles differ in their middle bits. */
static uint32_t home(const struct rt_map *m, uint64_t key)
{
    return (uint32_t)((key * 0x9e3779b97f4a7c15ull) >> 32) & (m->cap - 1);
}

/* The slot that holds the key, or the empty one where it would go. The map is not empty. */
static struct rt_map_slot *find(const struct rt_map *m, uint64_t key)
{
    uint32_t i = home(m, key);
    while (m->slots[i].key && m->slots[i].key != key)
        i = (i + 1) & (m->cap - 1);
    return &m->slots[i];
}

void *rt_map_get(const struct rt_map *m, uint64_t key) { return m->cap && key ? find(m, key)->value : NULL; }

static void grow(struct rt_map *m)
{
    struct rt_map old = *m;
    m->cap = old.cap ? 2 * old.cap : FIRST_CAP;
    m->slots = xcalloc(m->cap, sizeof *m->slots);
    for (uint32_t i = 0; i < old.cap; i++) {
        if (old.slots[i].key)
            *find(m, old.slots[i].key) = old.slots[i];
    }
    free(old.slots);
}

void rt_map_put(struct rt_map *m, uint64_t key, void *value)
{
    if (2 * (m->n + 1) > m->cap)
        grow(m);
    struct rt_map_slot *s = find(m, key);
    m->n += !s->key;
    *s = (struct rt_map_slot){key, value};
}

void rt_map_remove(struct rt_map *m, uint64_t key)
{
    if (!m->cap || !key)
        return;
    uint32_t gap = (uint32_t)(find(m, key) - m->slots);
    if (!m->slots[gap].key)
        return;
    m->n--;
    for (uint32_t i = gap;;) {
        i = (i + 1) & (m->cap - 1);
        if (!m->slots[i].key)
            break;
        /* The entry may move into the gap unless its home lies (cyclically) after the gap. */
        uint32_t from_home = (i - home(m, m->slots[i].key)) & (m->cap - 1);
        if (from_home >= ((i - gap) & (m->cap - 1))) {
            m->slots[gap] = m->slots[i];
            gap = i;
        }
    }
    m->slots[gap] = (struct rt_map_slot){0};
}

void rt_map_free(struct rt_map *m)
{
    free(m->slots);
    *m = (struct rt_map){0};
}
