/* Row groups decoded and used in one kernel: a CTA of four warps brings one page of each of COLUMNS
 * columns into shared memory, unpacked (compressed only) and decoded by warp 0, with the three helpers
 * fetching and looking up; then the helpers go through the rows. One long warp in four. */
#ifndef FUSED_H
#define FUSED_H

#include "tables.h"

/* A table's columns as a kernel takes them: page `group` of column c is page[c * groups + group]. */
struct fused_table {
    const struct db_page *page;
    const struct lz_page *packed;
    const uint32_t *bytes;
    const int *dictionary;
    int groups;
};

static inline struct fused_table fused_table(const struct db *d)
{
    struct fused_table t = {d->d_page, d->d_packed, d->d_bytes, d->d_dictionary, d->column[0].pages};
    return t;
}

template <int COLUMNS> struct fused_rows {
    uint32_t packed[LZ_WORDS(RLE_WORDS * 4)], encoded[RLE_WORDS];
    struct rle_work work;
    int number[COLUMNS][RLE_ROWS];
    int done[2];
};

/* All threads call it; ends with a barrier. Returns the rows. */
template <int COLUMNS, bool PACKED>
__device__ static inline int fused_load(const struct fused_table &t, struct fused_rows<COLUMNS> *s)
{
    int rows = 0;
#pragma unroll 1
    for (int c = 0; c < COLUMNS; c++) {
        int page = c * t.groups + (int)blockIdx.x;
        struct db_page p = t.page[page];
        if (PACKED) {
            struct lz_page z = t.packed[page];
            lz_decode_page(t.bytes + z.in_word, (int)z.in_bytes, s->packed, s->encoded, NULL, s->done);
        } else {
            rle_fetch_page(t.bytes + p.word, (int)p.words, s->encoded);
            __syncthreads();
        }
        rows = (int)p.rows;
        rle_decode_page(s->encoded, rows, t.dictionary + p.dictionary, &s->work, s->number[c]);
    }
    return rows;
}

#endif
/* SPDX-License-Identifier: Apache-2.0 */
