/* SPDX-License-Identifier: Apache-2.0 */
/* Bulk copies, inside the executor: what one lane asks for. bulk.c copies bytes in a row, tensor.c boxes of tensors. All is done
 * at once, and the bytes are reported to the barrier object in the end. */
#ifndef EXEC_BULK_H
#define EXEC_BULK_H

#include "exec/memory/lanes.h"

struct bulk {
    struct run *r;
    struct warp *w;
    struct dop *d;
    uint32_t lane;
    uint32_t shared; /* address of the shared side; of a copy between CTAs, the source */
    uint64_t far;    /* global address, that of the tensor map, or the shared destination */
    bool arrives;
    uint32_t mbar, bytes;
    uint32_t ctas; /* ranks that receive a copy, a bit each; 0: the CTA that `shared` names */
};

/* The address with the CTA of that rank. */
static inline uint32_t bulk_in_cta(const struct bulk *b, uint32_t addr, uint32_t rank)
{
    return (addr & SHARED_OFFSET) | (rank + !b->r->ranked) << SHARED_RANK_BIT;
}

/* n bytes of shared memory at the address, for one that receives or sends; NULL after an error. */
unsigned char *bulk_shared(const struct bulk *b, uint32_t addr, uint32_t n, uint32_t align, struct cta **cta);
/* n bytes of global memory; NULL after an error. */
unsigned char *bulk_global(const struct bulk *b, uint64_t addr, uint64_t n);
/* Memory op= source, element by element. False: there is no such operation, as the message says. */
bool bulk_reduce(const struct bulk *b, enum ir_type t, bool shared, unsigned char *to,
                 const unsigned char *from, uint32_t n);
/* Reports n bytes to the barrier object at that address. */
bool bulk_arrive(const struct bulk *b, uint32_t mbar, uint32_t n);

/* tensor.c: a copy with a tensor map. Fills in what the trace gets. */
bool bulk_tensor(struct bulk *b);

#endif
