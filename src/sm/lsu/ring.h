/* SPDX-License-Identifier: Apache-2.0 */
/* Places of a ring with a fixed number of them: which one is next to be filled, and which one comes first. What lies in them is
 * the owner's, so that one allocation may hold many rings. */
#ifndef SM_LSU_RING_H
#define SM_LSU_RING_H

#include <stdbool.h>
#include <stdint.h>

struct ring {
    uint32_t cap, head, n;
};

static inline bool ring_full(const struct ring *r) { return r->n == r->cap; }
/* The place of the i-th in line. */
static inline uint32_t ring_at(const struct ring *r, uint32_t i)
{
    uint32_t at = r->head + i;
    return at < r->cap ? at : at - r->cap;
}
/* The place behind the last one, which is taken now. */
static inline uint32_t ring_push(struct ring *r) { return ring_at(r, r->n++); }
static inline void ring_pop(struct ring *r)
{
    r->head = ring_at(r, 1);
    r->n--;
}

#endif
