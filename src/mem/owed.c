/* SPDX-License-Identifier: Apache-2.0 */
#include "mem/owed.h"

void owed_init(struct owed *o, uint32_t nparts)
{
    *o = (struct owed){.nparts = nparts};
    o->lines = xcalloc((size_t)nparts * OWED_PIECES, sizeof *o->lines);
    o->any = xcalloc(nparts, sizeof *o->any);
}

void owed_free(struct owed *o)
{
    for (uint32_t i = 0; i < o->nparts * OWED_PIECES; i++)
        vec_free(&o->lines[i]);
    vec_free(&o->ranges);
    free(o->lines);
    free(o->any);
}

void owed_add(struct owed *o, uint64_t first, uint64_t n)
{
    vec_push(&o->ranges, (struct line_range){first, n});
    o->n += n;
}

/* Of all lines, those from one place on, up to another. */
void owed_sort(struct owed *o, const struct mem_map *map, uint32_t piece)
{
    uint64_t from = o->n * piece / OWED_PIECES, to = o->n * (piece + 1) / OWED_PIECES, at = 0;
    vec_each (&o->ranges, r) {
        uint64_t i = from > at ? from - at : 0, end = to > at ? to - at : 0;
        for (end = end < r->n ? end : r->n; i < end; i++)
            vec_push(owed_lines(o, map_slice(map, (r->first + i) * LINE_B).part, piece), r->first + i);
        at += r->n;
    }
}

void owed_sorted(struct owed *o)
{
    memset(o->any, true, sizeof *o->any * o->nparts);
    owed_forget(o);
}

void owed_forget(struct owed *o)
{
    vec_clear(&o->ranges);
    o->n = 0;
}
