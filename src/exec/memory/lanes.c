/* SPDX-License-Identifier: Apache-2.0 */
/* The copying loops, one per access width, dense for full warps. */
#include "exec/memory/lanes.h"

#define ALWAYS static inline __attribute__((always_inline))

ALWAYS const unsigned char *place(uintptr_t base, const uint32_t *at, uint32_t l, uint32_t step)
{
    return (const unsigned char *)(base + (at ? at[l] : (uintptr_t)l * step));
}

ALWAYS void in_words(uint32_t *dst, uint32_t l, const unsigned char *p, const unsigned words)
{
    uint32_t v[4];
    memcpy(v, p, 4 * words);
    for (unsigned k = 0; k < words; k++)
        dst[k * LANES + l] = v[k];
}

ALWAYS void out_words(const uint32_t *src, uint32_t l, unsigned char *p, const unsigned words)
{
    uint32_t v[4];
    for (unsigned k = 0; k < words; k++)
        v[k] = src[k * LANES + l];
    memcpy(p, v, 4 * words);
}

/* Four lanes of four words, to the lanes of four rows or from them. */
ALWAYS void turn(const u32x4 in[4], u32x4 out[4])
{
    u32x4 a = __builtin_shufflevector(in[0], in[1], 0, 4, 2, 6),
          b = __builtin_shufflevector(in[0], in[1], 1, 5, 3, 7);
    u32x4 c = __builtin_shufflevector(in[2], in[3], 0, 4, 2, 6),
          d = __builtin_shufflevector(in[2], in[3], 1, 5, 3, 7);
    out[0] = __builtin_shufflevector(a, c, 0, 1, 4, 5);
    out[1] = __builtin_shufflevector(b, d, 0, 1, 4, 5);
    out[2] = __builtin_shufflevector(a, c, 2, 3, 6, 7);
    out[3] = __builtin_shufflevector(b, d, 2, 3, 6, 7);
}

ALWAYS void load_all(uint32_t *dst, uintptr_t base, const uint32_t *at, const unsigned words)
{
    if (words < 4) {
        for (uint32_t l = 0; l < LANES; l++)
            in_words(dst, l, place(base, at, l, 4 * words), words);
        return;
    }
    for (uint32_t l = 0; l < LANES; l += 4) {
        u32x4 in[4], out[4];
        for (unsigned k = 0; k < 4; k++)
            memcpy(&in[k], place(base, at, l + k, 16), 16);
        turn(in, out);
        for (unsigned k = 0; k < 4; k++)
            memcpy(dst + k * LANES + l, &out[k], 16);
    }
}

ALWAYS void store_all(const uint32_t *src, uintptr_t base, const uint32_t *at, const unsigned words)
{
    if (words < 4) {
        for (uint32_t l = 0; l < LANES; l++)
            out_words(src, l, (unsigned char *)place(base, at, l, 4 * words), words);
        return;
    }
    for (uint32_t l = 0; l < LANES; l += 4) {
        u32x4 in[4], out[4];
        for (unsigned k = 0; k < 4; k++)
            memcpy(&in[k], src + k * LANES + l, 16);
        turn(in, out);
        for (unsigned k = 0; k < 4; k++)
            memcpy((unsigned char *)place(base, at, l + k, 16), &out[k], 16);
    }
}

ALWAYS void load_words(uint32_t *dst, uint32_t mask, uintptr_t base, const uint32_t *at, const unsigned words)
{
    if (mask == ~0u) {
        load_all(dst, base, at, words);
    } else {
        lanes_each (mask, l)
            in_words(dst, l, place(base, at, l, 4 * words), words);
    }
}

ALWAYS void store_words(const uint32_t *src, uint32_t mask, uintptr_t base, const uint32_t *at,
                        const unsigned words)
{
    if (mask == ~0u) {
        store_all(src, base, at, words);
    } else {
        lanes_each (mask, l)
            out_words(src, l, (unsigned char *)place(base, at, l, 4 * words), words);
    }
}

void lanes_load(const struct dop *d, uint32_t *dst, uint32_t mask, uintptr_t base, const uint32_t *at)
{
    if (d->elem_b < 4) {
        lanes_each (mask, l)
            lane_load(d, dst, l, place(base, at, l, d->access_b));
        return;
    }
    switch (d->access_b) {
    case 4:
        if (!at && mask == ~0u)
            memcpy(dst, (const void *)base, ROW_B);
        else if (at)
            load_words(dst, mask, base, at, 1);
        else
            load_words(dst, mask, base, NULL, 1);
        return;
    case 8: at ? load_words(dst, mask, base, at, 2) : load_words(dst, mask, base, NULL, 2); return;
    default: at ? load_words(dst, mask, base, at, 4) : load_words(dst, mask, base, NULL, 4); return;
    }
}

void lanes_store(const struct dop *d, const uint32_t *src, uint32_t mask, uintptr_t base, const uint32_t *at)
{
    if (d->elem_b < 4) {
        lanes_each (mask, l)
            lane_store(d, src, l, (unsigned char *)place(base, at, l, d->access_b));
        return;
    }
    switch (d->access_b) {
    case 4:
        if (!at && mask == ~0u)
            memcpy((void *)base, src, ROW_B);
        else if (at)
            store_words(src, mask, base, at, 1);
        else
            store_words(src, mask, base, NULL, 1);
        return;
    case 8: at ? store_words(src, mask, base, at, 2) : store_words(src, mask, base, NULL, 2); return;
    default: at ? store_words(src, mask, base, at, 4) : store_words(src, mask, base, NULL, 4); return;
    }
}

void lanes_load_same(const struct dop *d, uint32_t *dst, uint32_t mask, const unsigned char *p)
{
    uint32_t one[4 * LANES];
    lane_load(d, one, 0, p);
    unsigned rows = d->elem_b < 4 ? d->nelem : d->access_b / 4u;
    for (unsigned k = 0; k < rows; k++)
        row_fill(dst + k * LANES, one[k * LANES], mask);
}
