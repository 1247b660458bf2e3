/* SPDX-License-Identifier: Apache-2.0 */
/* How many different numbers came by, in bounded memory: exact up to DISTINCT_MAX of them, then from a sample of the
 * numbers whose hash ends in zeros (adaptive sampling; the error is about 1 / sqrt(DISTINCT_MAX / 2), 0.14%). */
#ifndef CLI_WATCH_DISTINCT_H
#define CLI_WATCH_DISTINCT_H

#include <stdbool.h>
#include <stdint.h>

enum { DISTINCT_MAX = 1 << 20 };

struct distinct {
    uint64_t *slots; /* hashes; 0: empty */
    uint32_t cap, n;
    uint32_t zeros; /* low bits of the hash that must be 0 */
    uint64_t last;
};

void distinct_add_hash(struct distinct *d, uint64_t hash);
uint64_t distinct_count(const struct distinct *d);
bool distinct_exact(const struct distinct *d);
void distinct_free(struct distinct *d);

static inline void distinct_add(struct distinct *d, uint64_t v)
{
    /* splitmix64's finaliser: one to one, so equal hashes are equal numbers */
    uint64_t z = v + 0x9e3779b97f4a7c15ull;
    if (z == d->last && d->slots)
        return;
    d->last = z;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    distinct_add_hash(d, z ^ (z >> 31));
}

#endif
