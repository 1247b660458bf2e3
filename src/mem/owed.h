/* SPDX-License-Identifier: Apache-2.0 */
/* Lines that the host's copies leave in L2, where several threads step the channels: these sort them by channel, piece by piece,
 * and each channel puts its own where they belong before it goes on. Internal to mem/. */
#ifndef MEM_OWED_H
#define MEM_OWED_H

#include "base/vec.h"
#include "mem/map.h"

/* Pieces that are sorted by themselves. */
enum { OWED_PIECES = 64 };

struct line_range {
    uint64_t first, n;
};
typedef VEC(uint64_t) line_list;

struct owed {
    uint32_t nparts;
    VEC(struct line_range) ranges; /* to be sorted, in the order of the copies */
    uint64_t n;                    /* lines of them */
    line_list *lines;              /* that are sorted, by channel and piece */
    bool *any;                     /* by channel */
};

void owed_init(struct owed *o, uint32_t nparts);
void owed_free(struct owed *o);
void owed_add(struct owed *o, uint64_t first, uint64_t n);
/* All pieces, in parallel or not, when channels have taken what was sorted before; then owed_sorted. */
void owed_sort(struct owed *o, const struct mem_map *map, uint32_t piece);
void owed_sorted(struct owed *o);
static inline line_list *owed_lines(struct owed *o, uint32_t part, uint32_t piece)
{
    return &o->lines[(size_t)part * OWED_PIECES + piece];
}
void owed_forget(struct owed *o); /* what is not sorted */

#endif
