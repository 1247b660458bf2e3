/* SPDX-License-Identifier: Apache-2.0 */
/* Moving data between rows and host memory, and the address patterns that make it fast: consecutive, all the same. */
#ifndef EXEC_LANES_H
#define EXEC_LANES_H

#include "exec/run.h"

typedef uint32_t u32x4 __attribute__((vector_size(16), may_alias));
typedef uint64_t u64x2 __attribute__((vector_size(16), may_alias));

static inline u32x4 u32x4_all(uint32_t v) { return (u32x4){v, v, v, v}; }
static inline bool u32x4_any(u32x4 v)
{
    u64x2 w = (u64x2)v;
    return (w[0] | w[1]) != 0;
}
/* Lanes 4k to 4k + 3 of a mask as words of ones and zeros. */
static inline u32x4 u32x4_lanes(uint32_t mask, unsigned k)
{
    u32x4 bits = {1, 2, 4, 8};
    return (u32x4)((u32x4_all(mask >> (4 * k)) & bits) == bits);
}

enum pattern {
    PAT_UNIT, /* lane l at base + l * step */
    PAT_SAME, /* all lanes at one address */
    PAT_ANY,
};

struct shape {
    enum pattern pat;
    bool one_hi;       /* the high words are equal; always true for 32-bit addresses */
    uint32_t min, max; /* of the low words, only for PAT_ANY */
    uint32_t low_bits; /* or of the low words, only for PAT_ANY */
};

#define LANES_INLINE static inline __attribute__((always_inline))

LANES_INLINE u32x4 lanes_on(uint32_t mask, unsigned k, const bool full)
{
    return full ? u32x4_all(~0u) : u32x4_lanes(mask, k);
}

/* The extremes of the low words: of the lanes that are not active, the first active one's counts again. */
LANES_INLINE void shape_span(struct shape *s, const u32x4 *lo, uint32_t first, uint32_t bias, uint32_t mask,
                             const bool full)
{
    u32x4 b = u32x4_all(bias), base = u32x4_all(first), min = base + b, max = min, bits = min;
    for (unsigned k = 0; k < LANES / 4; k++) {
        u32x4 on = lanes_on(mask, k, full), v = ((lo[k] & on) | (base & ~on)) + b;
        u32x4 less = (u32x4)(v < min), more = (u32x4)(v > max);
        min = (v & less) | (min & ~less);
        max = (v & more) | (max & ~more);
        bits |= v;
    }
    s->min = s->max = min[0];
    for (unsigned k = 0; k < 4; k++) {
        s->min = min[k] < s->min ? min[k] : s->min;
        s->max = max[k] > s->max ? max[k] : s->max;
    }
    s->low_bits = bits[0] | bits[1] | bits[2] | bits[3];
}

/* Two lanes tell which pattern is possible, and the others whether it is that one. */
LANES_INLINE struct shape shape_of(const uint32_t *lo, const uint32_t *hi, uint32_t bias, uint32_t mask,
                                   uint32_t first, uint32_t second, uint32_t step, const bool full)
{
    const u32x4 *l4 = (const void *)lo, *h4 = (const void *)hi;
    bool unit = lo[second] - lo[first] == (second - first) * step;
    uint32_t by = unit ? step : 0, at0 = lo[first] - first * by;
    u32x4 off = {0}, wide = {0}, want = u32x4_all(at0) + (u32x4){0, by, 2 * by, 3 * by};
    for (unsigned k = 0; k < LANES / 4; k++, want += u32x4_all(4 * by)) {
        u32x4 on = lanes_on(mask, k, full);
        off |= (l4[k] ^ want) & on;
        if (hi)
            wide |= (h4[k] ^ u32x4_all(hi[first])) & on;
    }
    struct shape s = {.pat = unit ? PAT_UNIT : PAT_SAME, .one_hi = true};
    if (__builtin_expect(!u32x4_any(off | wide), 1))
        return s;
    s.one_hi = !u32x4_any(wide);
    if (u32x4_any(off)) {
        s.pat = PAT_ANY;
        shape_span(&s, l4, lo[first], bias, mask, full);
    }
    return s;
}

/* The pattern of the addresses lo + bias (hi: NULL for 32-bit addresses) of accesses of `step` bytes. One lane is PAT_UNIT. */
LANES_INLINE struct shape shape_rows(const uint32_t *lo, const uint32_t *hi, uint32_t bias, uint32_t mask,
                                     uint32_t step)
{
    uint32_t first = lane_first(mask), rest = mask & (mask - 1);
    return mask == ~0u ? shape_of(lo, hi, bias, mask, 0, 1, step, true)
                       : shape_of(lo, hi, bias, mask, first, rest ? lane_first(rest) : first, step, false);
}

/* Copies whole rows for the lanes in mask. */
static inline void row_copy(uint32_t *dst, const uint32_t *src, uint32_t mask)
{
    if (mask == ~0u) {
        memcpy(dst, src, ROW_B);
        return;
    }
    u32x4 *d = (void *)dst;
    const u32x4 *s = (const void *)src;
    for (unsigned k = 0; k < LANES / 4; k++) {
        u32x4 on = u32x4_lanes(mask, k);
        d[k] = (s[k] & on) | (d[k] & ~on);
    }
}

static inline void row_fill(uint32_t *dst, uint32_t v, uint32_t mask)
{
    u32x4 *d = (void *)dst;
    for (unsigned k = 0; k < LANES / 4; k++) {
        u32x4 on = u32x4_lanes(mask, k);
        d[k] = (u32x4_all(v) & on) | (d[k] & ~on);
    }
}

/* One lane's access at p, as d says. */
static inline void lane_load(const struct dop *d, uint32_t *dst, uint32_t l, const unsigned char *p)
{
    if (d->elem_b >= 4) {
        for (unsigned k = 0; k < d->access_b / 4u; k++)
            memcpy(&dst[k * LANES + l], p + 4 * k, 4);
        return;
    }
    for (unsigned e = 0; e < d->nelem; e++) {
        if (d->elem_b == 1) {
            dst[e * LANES + l] = d->sext ? (uint32_t)(int32_t)(int8_t)p[e] : p[e];
        } else {
            uint16_t v;
            memcpy(&v, p + 2 * e, 2);
            dst[e * LANES + l] = d->sext ? (uint32_t)(int32_t)(int16_t)v : v;
        }
    }
}

static inline void lane_store(const struct dop *d, const uint32_t *src, uint32_t l, unsigned char *p)
{
    if (d->elem_b >= 4) {
        for (unsigned k = 0; k < d->access_b / 4u; k++)
            memcpy(p + 4 * k, &src[k * LANES + l], 4);
        return;
    }
    for (unsigned e = 0; e < d->nelem; e++) {
        if (d->elem_b == 1)
            p[e] = (unsigned char)src[e * LANES + l];
        else {
            uint16_t v = (uint16_t)src[e * LANES + l];
            memcpy(p + 2 * e, &v, 2);
        }
    }
}

/* The data of all lanes in mask: lane l's is at base + at[l], or base + l * step where at is NULL. Later lanes overwrite
 * earlier ones. base is an integer because it may point before the object, as long as every lane's sum is inside. */
void lanes_load(const struct dop *d, uint32_t *dst, uint32_t mask, uintptr_t base, const uint32_t *at);
void lanes_store(const struct dop *d, const uint32_t *src, uint32_t mask, uintptr_t base, const uint32_t *at);
void lanes_load_same(const struct dop *d, uint32_t *dst, uint32_t mask, const unsigned char *p);

/* local.c: the interleaved stack. addr: rows of 32-bit addresses. */
bool local_load(struct run *r, struct warp *w, struct dop *d, uint32_t mask, const uint32_t *addr);
bool local_store(struct run *r, struct warp *w, struct dop *d, uint32_t mask, const uint32_t *addr);
/* System calls read for one lane, from a generic address: n bytes, or a C string that is cut at max - 1 characters.
 * False: error. */
bool lane_read(struct run *r, struct warp *w, uint32_t lane, uint64_t addr, void *to, uint32_t n);
/* As lane_read; false: nothing is there, and no error is told. */
bool lane_peek(struct run *r, struct warp *w, uint32_t lane, uint64_t addr, void *to, uint32_t n);
bool lane_string(struct run *r, struct warp *w, uint32_t lane, uint64_t addr, char *to, uint32_t max);

#endif
