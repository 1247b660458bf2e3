#include "trace/value.h"

typedef uint32_t u32x4 __attribute__((vector_size(16), may_alias));
typedef uint64_t u64x2 __attribute__((vector_size(16), may_alias));

enum { HALF = TR_LANES / 2 };

static inline bool any(u32x4 v)
{
    u64x2 w = (u64x2)v;
    return (w[0] | w[1]) != 0;
}

/* Is lane i of each half that half's lane 0 + step * i? */
static inline bool halves_step(const uint32_t *row, uint32_t step)
{
    const u32x4 *lo = (const void *)row, *hi = lo + HALF / 4;
    uint32_t a = row[0], b = row[HALF];
    u32x4 lane = {0, step, 2 * step, 3 * step}, next = {4 * step, 4 * step, 4 * step, 4 * step};
    u32x4 want_lo = lane + (u32x4){a, a, a, a}, want_hi = lane + (u32x4){b, b, b, b}, off = {0};
    for (unsigned k = 0; k < HALF / 4; k++, want_lo += next, want_hi += next)
        off |= (lo[k] ^ want_lo) | (hi[k] ^ want_hi);
    return !any(off);
}

static enum tr_value by_step(uint32_t step, bool halves)
{
    switch (step) {
    case 0: return halves ? TV_OTHER : TV_CONST;
    case 1: return halves ? TV_HALF1 : TV_STRIDE1;
    default: return halves ? TV_HALF4 : TV_STRIDE4;
    }
}

enum tr_value tr_value_part(const uint32_t *row, unsigned n)
{
    uint32_t step = n > 1 ? row[1] - row[0] : 0;
    if (step != 0 && step != 1 && step != 4)
        return TV_OTHER;
    for (unsigned l = 0; l < n; l++) {
        unsigned start = l < HALF ? 0 : HALF;
        if (row[l] != row[start] + step * (l - start))
            return TV_OTHER;
    }
    return by_step(step, n > HALF && row[HALF] != row[0] + HALF * step);
}

/* The step is one of the classes'. */
enum tr_value tr_value_full(const uint32_t *row)
{
    uint32_t step = row[1] - row[0];
    if (!halves_step(row, step))
        return TV_OTHER;
    return by_step(step, row[HALF] != row[0] + HALF * step);
}
