/* SPDX-License-Identifier: Apache-2.0 */
/* A small seeded generator (splitmix64), for tests, random programs and policies.
 * Same seed, same numbers, on every machine. */
#ifndef BASE_RNG_H
#define BASE_RNG_H

#include <stdint.h>

struct rng {
    uint64_t s;
};

static inline uint64_t rng_u64(struct rng *r)
{
    uint64_t z = (r->s += 0x9e3779b97f4a7c15ull);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
}

static inline uint32_t rng_u32(struct rng *r) { return (uint32_t)(rng_u64(r) >> 32); }

/* Uniform in [0, n); n > 0. */
static inline uint32_t rng_below(struct rng *r, uint32_t n)
{
    return (uint32_t)(((uint64_t)rng_u32(r) * n) >> 32);
}

#endif
