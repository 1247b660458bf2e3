/* SPDX-License-Identifier: Apache-2.0 */
#include "sm/operands/ccu/table.h"

int table_victim(const struct table *t, bool by_reuse, struct rng *r)
{
    uint32_t some = (uint32_t)((1ull << t->n) - 1) & ~t->locked, far = some & ~t->near;
    if (some & ~t->valid)
        return __builtin_ctz(some & ~t->valid);
    if (!some)
        return -1;
    if (by_reuse && far) {
        uint32_t n = 0;
        for (uint32_t m = far; m; m &= m - 1)
            n++;
        for (uint32_t skip = rng_below(r, n); skip; skip--)
            far &= far - 1;
        return __builtin_ctz(far);
    }
    uint32_t oldest = (uint32_t)__builtin_ctz(some);
    for (uint32_t m = some & (some - 1); m; m &= m - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(m);
        oldest = (int32_t)(t->used[i] - t->used[oldest]) < 0 ? i : oldest;
    }
    return (int)oldest;
}
