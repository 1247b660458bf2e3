/* Column pages for the database programs, encoded as columnar files encode them. A page is a word (the width
 * of its values in bits, and above bit 16 the byte they begin at), then the levels, a 1 for each row that has
 * a value and a 0 for each that is null, then the values of the rows that have one: plain numbers (width 32),
 * or dictionary indices. Levels and indices are streams of runs. A run is a header (7 bits a byte, low first,
 * bit 7: more follows) and its content: header 2 * n, one value in whole bytes: it occurs n times; header 2 *
 * n + 1: 8 * n packed values.
 *
 * The device's decoder is warp-specialised, as the ones of GPU data frame libraries are: in a CTA of four
 * warps, warp 0 decodes levels and indices, 32 rows at a time, into shared memory; the three helpers fetch
 * the page before, and look up and write the rows that were decoded in the batch before. */
#ifndef RLE_H
#define RLE_H

#include "workload.h"

#define RLE_BLOCK 128             /* threads: one decoding warp, three helpers */
#define RLE_HELPERS 96            /* threads */
#define RLE_ROWS 512              /* of a page at most */
#define RLE_BATCH 256             /* rows between two barriers */
#define RLE_WORDS (RLE_ROWS + 24) /* of an encoded page at most: head, levels, plain numbers */

static inline int rle_bits(unsigned most)
{
    int bits = 0;
    while (bits < 31 && most >> bits)
        bits++;
    return bits;
}

static inline int rle_header(uint8_t *to, unsigned value)
{
    int n = 0;
    for (; value > 127; value >>= 7)
        to[n++] = (uint8_t)(value | 128);
    to[n++] = (uint8_t)value;
    return n;
}

static inline int rle_packed(uint8_t *to, const unsigned *index, int n, int width)
{
    int groups = (n + 7) / 8, at = rle_header(to, (unsigned)groups * 2 + 1);
    memset(to + at, 0, (size_t)groups * width);
    for (int i = 0; i < n; i++)
        for (int b = 0; b < width; b++)
            to[at + (i * width + b) / 8] |= (uint8_t)((index[i] >> b & 1) << (i * width + b) % 8);
    return at + groups * width;
}

static inline int rle_run(uint8_t *to, unsigned index, int n, int width)
{
    int at = rle_header(to, (unsigned)n * 2);
    for (int b = 0; b < width; b += 8)
        to[at++] = (uint8_t)(index >> b);
    return at;
}

/* A stream of n values below 2^width; returns its bytes. What repeats eight times and more becomes a run;
 * packed stretches end at multiples of eight, as the format wants. */
static inline int rle_stream(uint8_t *to, const unsigned *value, int n, int width)
{
    int out = 0, from = 0, at = 0;
    while (at < n) {
        int same = 1;
        while (at + same < n && value[at + same] == value[at])
            same++;
        if (same < 8 || (at - from) % 8) {
            at++;
            continue;
        }
        if (at > from)
            out += rle_packed(to + out, value + from, at - from, width);
        out += rle_run(to + out, value[at], same, width);
        at += same;
        from = at;
    }
    if (n > from)
        out += rle_packed(to + out, value + from, n - from, width);
    return out;
}

/* Encodes a page of `rows` <= RLE_ROWS, `value` without those that are null; `to` has room for RLE_WORDS
 * words. Returns the bytes, a multiple of 4, with a word of 0 at the end, since unpacking reads pairs of
 * words. */
static inline int rle_encode(const unsigned *level, int rows, const unsigned *value, int values, int width,
                             uint8_t *to)
{
    int out = 4 + rle_stream(to + 4, level, rows, 1);
    while (out % 4)
        to[out++] = 0;
    uint32_t head = (uint32_t)(out << 16 | width);
    memcpy(to, &head, 4);
    if (width == 32) {
        memcpy(to + out, value, (size_t)values * 4);
        return out + 4 * values;
    }
    out += rle_stream(to + out, value, values, width);
    memset(to + out, 0, 7);
    return (out + 7) / 4 * 4;
}

/* A stream that the decoding warp reads; equal in all its lanes. */
struct rle_reader {
    int at, left, width, packed; /* the next byte; values left of the run */
    unsigned value, bit;         /* of a run; of a packed stretch */
};

__device__ static inline void rle_next_run(const uint8_t *byte, struct rle_reader *r)
{
    unsigned head = 0, part;
    int shift = 0;
#pragma unroll 1
    do {
        part = byte[r->at++];
        head |= (part & 127) << shift;
        shift += 7;
    } while (part & 128);
    r->packed = (int)(head & 1);
    r->left = (int)(head >> 1);
    if (r->packed) {
        r->bit = (unsigned)r->at * 8;
        r->at += r->left * r->width;
        r->left *= 8;
        return;
    }
    r->value = 0;
#pragma unroll 1
    for (shift = 0; shift < r->width; shift += 8)
        r->value |= (unsigned)byte[r->at++] << shift;
}

/* The next n <= 32 values, one a lane; 0 in the others. */
__device__ static inline unsigned rle_read(const uint32_t *in, struct rle_reader *r, int n)
{
    int lane = threadIdx.x % 32, got = 0;
    unsigned value = 0, mask = (1u << r->width) - 1;
#pragma unroll 1
    while (got < n) {
        if (!r->left)
            rle_next_run((const uint8_t *)in, r);
        int now = min(r->left, n - got), place = lane - got;
        if (place >= 0 && place < now) {
            unsigned bit = r->bit + (unsigned)(place * r->width);
            value = r->packed ? __funnelshift_r(in[bit / 32], in[bit / 32 + 1], bit) & mask : r->value;
        }
        r->bit += (unsigned)(now * r->width);
        r->left -= now;
        got += now;
    }
    return value;
}

/* What a CTA that decodes a page keeps in shared memory beside the page. */
struct rle_work {
    unsigned index[RLE_ROWS]; /* of the values, in their order */
    short place[RLE_ROWS];    /* of each row among the values; -1: null */
};

/* Rows [row, end) of the page; `values` counts those before that have a value. */
__device__ static inline void rle_decode(const uint32_t *in, struct rle_work *w, struct rle_reader *levels,
                                         struct rle_reader *indices, int *values, int row, int end)
{
    int lane = threadIdx.x % 32;
#pragma unroll 1
    for (; row < end; row += 32) {
        unsigned level = rle_read(in, levels, min(32, end - row));
        unsigned valid = __ballot_sync(0xffffffffu, level);
        if (row + lane < end)
            w->place[row + lane] = (short)(level ? *values + __popc(valid & ((1u << lane) - 1)) : -1);
        int n = __popc(valid);
        if (indices->width < 32) {
            unsigned index = rle_read(in, indices, n);
            if (lane < n)
                w->index[*values + lane] = index;
        }
        *values += n;
    }
}

/* A CTA of RLE_BLOCK threads turns the complete page in shared memory at `in` into numbers at `to`, 0 for
 * null. Ends with a barrier. */
__device__ static inline void rle_decode_page(const uint32_t *in, int rows, const int *dictionary,
                                              struct rle_work *w, int *to)
{
    int helper = (int)threadIdx.x - 32, width = (int)(in[0] & 255), from = (int)(in[0] >> 16), values = 0;
    struct rle_reader levels = {4, 0, 1, 0, 0, 0}, indices = {from, 0, width, 0, 0, 0};
#pragma unroll 1
    for (int first = 0; first < rows + RLE_BATCH; first += RLE_BATCH) {
        if (helper < 0) {
            rle_decode(in, w, &levels, &indices, &values, first, min(rows, first + RLE_BATCH));
        } else if (first) {
            int end = min(rows, first);
#pragma unroll 1
            for (int i = first - RLE_BATCH + helper; i < end; i += RLE_HELPERS) {
                int place = w->place[i], number = 0;
                if (place >= 0)
                    number = width == 32 ? (int)in[from / 4 + place] : dictionary[w->index[place]];
                to[i] = number;
            }
        }
        __syncthreads();
    }
}

/* The helpers fetch an encoded page; a barrier must follow. */
__device__ static inline void rle_fetch_page(const uint32_t *from, int words, uint32_t *in)
{
    if (threadIdx.x < 32)
        return;
#pragma unroll 1
    for (int i = (int)threadIdx.x - 32; i < words; i += RLE_HELPERS)
        in[i] = from[i];
}

#endif
/* SPDX-License-Identifier: Apache-2.0 */
