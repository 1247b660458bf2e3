/* SPDX-License-Identifier: Apache-2.0 */
#include "sm/operands/ccu/table.h"

int table_victim(const struct table *t, bool by_reuse, struct rng *r)
{
    int oldest = -1;
    uint32_t far = 0, nfar = 0;
    for (uint32_t i = 0; i < t->n; i++) {
        const struct table_entry *e = &t->e[i];
        if (t->locked >> i & 1)
            continue;
        if (!e->valid)
            return (int)i;
        if (!e->near) {
            far |= 1u << i;
            nfar++;
        }
        if (oldest < 0 || (int32_t)(e->used - t->e[oldest].used) < 0)
            oldest = (int)i;
    }
    if (!by_reuse || !nfar)
        return oldest;
    for (uint32_t skip = rng_below(r, nfar); skip; skip--)
        far &= far - 1;
    return __builtin_ctz(far);
}

void table_put(struct table *t, uint32_t i, uint8_t reg, bool near, uint32_t version)
{
    t->e[i] =
        (struct table_entry){.valid = true, .near = near, .reg = reg, .used = ++t->clock, .version = version};
}

bool table_has_near(const struct table *t)
{
    for (uint32_t i = 0; i < t->n; i++)
        if (t->e[i].valid && t->e[i].near)
            return true;
    return false;
}

bool table_empty(const struct table *t)
{
    for (uint32_t i = 0; i < t->n; i++)
        if (t->e[i].valid)
            return false;
    return true;
}

void table_flush(struct table *t)
{
    for (uint32_t i = 0; i < t->n; i++)
        t->e[i].valid = false;
    t->locked = 0;
}
