/* SPDX-License-Identifier: Apache-2.0 */
/* Fixed-size bit sets over small integers, as plain arrays of 64-bit words. */
#ifndef BASE_BITSET_H
#define BASE_BITSET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define BITSET_WORDS(n) (((size_t)(n) + 63) / 64)

static inline bool bit_get(const uint64_t *s, uint32_t i) { return s[i >> 6] >> (i & 63) & 1; }
static inline void bit_set(uint64_t *s, uint32_t i) { s[i >> 6] |= 1ull << (i & 63); }
static inline void bit_clear(uint64_t *s, uint32_t i) { s[i >> 6] &= ~(1ull << (i & 63)); }

/* dst |= src; tells whether dst changed. */
static inline bool bits_or(uint64_t *dst, const uint64_t *src, size_t words)
{
    uint64_t diff = 0;
    for (size_t w = 0; w < words; w++) {
        uint64_t v = dst[w] | src[w];
        diff |= v ^ dst[w];
        dst[w] = v;
    }
    return diff != 0;
}

static inline uint32_t bits_count(const uint64_t *s, size_t words)
{
    uint32_t n = 0;
    for (size_t w = 0; w < words; w++)
        n += (uint32_t)__builtin_popcountll(s[w]);
    return n;
}

/* The first set bit at or after i, or limit. */
static inline uint32_t bits_next(const uint64_t *s, uint32_t i, uint32_t limit)
{
    while (i < limit) {
        uint64_t w = s[i >> 6] >> (i & 63);
        if (w) {
            i += (uint32_t)__builtin_ctzll(w);
            return i < limit ? i : limit;
        }
        i = (i | 63) + 1;
    }
    return limit;
}

#define bits_each(s, i, limit)                                                                               \
    for (uint32_t i = bits_next((s), 0, (limit)); i < (limit); i = bits_next((s), i + 1, (limit)))

#endif
