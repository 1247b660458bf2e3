/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/watch/distinct.h"
#include "base/arena.h"

#include <stdlib.h>

enum { FIRST_CAP = 1 << 10 };

static bool wanted(const struct distinct *d, uint64_t hash) { return !(hash & ((1ull << d->zeros) - 1)); }

/* False: it was there. */
static bool insert(struct distinct *d, uint64_t hash)
{
    uint32_t mask = d->cap - 1, i = (uint32_t)(hash >> 32) & mask; /* low bits are those of the sample */
    while (d->slots[i]) {
        if (d->slots[i] == hash)
            return false;
        i = (i + 1) & mask;
    }
    d->slots[i] = hash;
    d->n++;
    return true;
}

static void rebuild(struct distinct *d, uint32_t cap)
{
    uint64_t *old = d->slots;
    uint32_t n = d->cap;
    d->slots = xcalloc(cap, sizeof *d->slots);
    d->cap = cap;
    d->n = 0;
    for (uint32_t i = 0; old && i < n; i++) {
        if (old[i] && wanted(d, old[i]))
            insert(d, old[i]);
    }
    free(old);
}

void distinct_add_hash(struct distinct *d, uint64_t hash)
{
    hash = hash ? hash : 1ull << 63;
    if (!wanted(d, hash))
        return;
    if (!d->slots)
        rebuild(d, FIRST_CAP);
    if (!insert(d, hash) || d->n < d->cap / 2)
        return;
    if (d->n < DISTINCT_MAX) {
        rebuild(d, 2 * d->cap);
        return;
    }
    d->zeros++;
    rebuild(d, d->cap);
}

uint64_t distinct_count(const struct distinct *d) { return (uint64_t)d->n << d->zeros; }

bool distinct_exact(const struct distinct *d) { return d->zeros == 0; }

void distinct_free(struct distinct *d)
{
    free(d->slots);
    *d = (struct distinct){0};
}
