/* Snappy-style LZ for the database programs: the host's encoder and the device's decoder. A stream is a row
 * of symbols: tag byte (low bits 0: literal of 1 to 60 bytes, or longer with its length in one or two more
 * bytes; 1: copy of 4 to 11 bytes from up to 2047 back; 2: copy of 1 to 64 bytes from up to 65535 back),
 * offsets and lengths low byte first.
 *
 * The decoder is warp-specialised, as the ones of GPU data frame libraries are: in a CTA of four warps,
 * warp 0 reads tags and copies bytes, symbol after symbol, while the three helpers fetch the next chunk of
 * the stream into shared memory and carry finished output to global memory. So one warp in four executes
 * nearly all instructions. */
#ifndef LZ_H
#define LZ_H

#include "workload.h"

#define LZ_BLOCK 128   /* threads: one decoding warp, three helpers */
#define LZ_HELPERS 96  /* threads */
#define LZ_CHUNK_B 512 /* of compressed input per step */

/* Words that the stream of n bytes takes at most: a literal tag of two bytes comes at most every 61 bytes. */
#define LZ_WORDS(n) ((n) / 4 + (n) / 120 + 2)

/* One page: where its stream and its output lie, in words of 4 bytes; lengths in bytes, the output's a
 * multiple of 4. */
struct lz_page {
    unsigned in_word, in_bytes, out_word, out_bytes;
};

static inline uint32_t lz_load4(const uint8_t *p)
{
    uint32_t v;
    memcpy(&v, p, 4);
    return v;
}

static inline int lz_literal(uint8_t *to, const uint8_t *from, int n)
{
    int at = 0;
    if (n <= 60) {
        to[at++] = (uint8_t)((n - 1) << 2);
    } else if (n <= 256) {
        to[at++] = 60 << 2;
        to[at++] = (uint8_t)(n - 1);
    } else {
        to[at++] = 61 << 2;
        to[at++] = (uint8_t)(n - 1);
        to[at++] = (uint8_t)((n - 1) >> 8);
    }
    memcpy(to + at, from, (size_t)n);
    return at + n;
}

static inline int lz_copy(uint8_t *to, int back, int n)
{
    if (n >= 4 && n <= 11 && back < 2048) {
        to[0] = (uint8_t)(1 | (n - 4) << 2 | (back >> 8) << 5);
        to[1] = (uint8_t)back;
        return 2;
    }
    to[0] = (uint8_t)(2 | (n - 1) << 2);
    to[1] = (uint8_t)back;
    to[2] = (uint8_t)(back >> 8);
    return 3;
}

/* At most 65535 bytes; `to` has room for 2 * n + 8. Returns the stream's bytes. Greedy, by a hash of four
 * bytes. */
static inline int lz_encode(const uint8_t *from, int n, uint8_t *to)
{
    enum { BITS = 12 };
    int *seen = (int *)host_alloc(sizeof(int) << BITS), at = 0, literal = 0, out = 0;
    while (at + 4 <= n) {
        uint32_t four = lz_load4(from + at);
        int *slot = &seen[four * 2654435761u >> (32 - BITS)], match = *slot - 1; /* 0 in the table: nothing */
        *slot = at + 1;
        if (match < 0 || lz_load4(from + match) != four) {
            at++;
            continue;
        }
        int len = 4;
        while (at + len < n && len < 64 && from[match + len] == from[at + len])
            len++;
        if (at > literal)
            out += lz_literal(to + out, from + literal, at - literal);
        out += lz_copy(to + out, at - match, len);
        at += len;
        literal = at;
    }
    if (n > literal)
        out += lz_literal(to + out, from + literal, n - literal);
    free(seen);
    return out;
}

/* Where the decoding warp stands; equal in all its lanes. */
struct lz_state {
    int in, out, literal;
};

/* Warp 0 copies n bytes that do not reach into each other. */
__device__ static inline void lz_move(const uint8_t *from, uint8_t *to, int n)
{
#pragma unroll 1
    for (int i = threadIdx.x % 32; i < n; i += 32)
        to[i] = from[i];
    __syncwarp();
}

/* Decodes while whole tags lie before `ready`; at the end of the stream ready is in_bytes and `last` is
 * set. */
__device__ static inline void lz_decode(const uint8_t *in, uint8_t *out, struct lz_state *s, int ready,
                                        bool last)
{
    int at = s->in, to = s->out, literal = s->literal, end = last ? ready : ready - 2;
    if (literal) {
        int n = min(literal, ready - at);
        lz_move(in + at, out + to, n);
        at += n, to += n, literal -= n;
    }
#pragma unroll 1
    while (!literal && at < end) {
        int tag = in[at], n = (tag >> 2) + 1;
        if ((tag & 3) == 0) {
            at++;
            if (n > 60) {
                int more = n - 60;
                n = 1 + in[at];
                if (more == 2)
                    n += in[at + 1] << 8;
                at += more;
            }
            literal = n;
            n = min(n, ready - at);
            lz_move(in + at, out + to, n);
            literal -= n;
            at += n, to += n;
            continue;
        }
        int back = in[at + 1];
        if ((tag & 3) == 1) {
            n = 4 + (tag >> 2 & 7);
            back |= (tag >> 5) << 8;
            at += 2;
        } else {
            back |= in[at + 2] << 8;
            at += 3;
        }
        if (back >= n) {
            lz_move(out + to - back, out + to, n);
        } else { /* it repeats its own beginning */
#pragma unroll 1
            for (int i = threadIdx.x % 32; i < n; i += 32)
                out[to + i] = out[to - back + (int)((unsigned)i % (unsigned)back)];
            __syncwarp();
        }
        to += n;
    }
    s->in = at, s->out = to, s->literal = literal;
}

/* A CTA of LZ_BLOCK threads decodes one page: the stream at `from` by way of `in` into `out` (both in
 * shared memory), and on to `to` unless that is NULL. `done` is two words of shared memory. Ends with a
 * barrier. */
__device__ static inline void lz_decode_page(const uint32_t *from, int in_bytes, uint32_t *in, uint32_t *out,
                                             uint32_t *to, int *done)
{
    int steps = (in_bytes + LZ_CHUNK_B - 1) / LZ_CHUNK_B, words = (in_bytes + 3) / 4, stored = 0;
    int helper = (int)threadIdx.x - 32;
    struct lz_state s = {0, 0, 0};
    /* Step s fetches chunk s, decodes chunk s - 1 and stores what chunk s - 2 gave. */
#pragma unroll 1
    for (int step = 0; step <= steps + 1; step++) {
        if (helper < 0) {
            if (step >= 1 && step <= steps) {
                lz_decode((const uint8_t *)in, (uint8_t *)out, &s, min(in_bytes, step * LZ_CHUNK_B),
                          step == steps);
                done[step & 1] = s.out;
            }
        } else {
            int end = min(words, (step + 1) * (LZ_CHUNK_B / 4));
#pragma unroll 1
            for (int i = step * (LZ_CHUNK_B / 4) + helper; i < end; i += LZ_HELPERS)
                in[i] = from[i];
            if (step >= 2 && to) {
                end = done[(step - 1) & 1] / 4;
#pragma unroll 1
                for (int i = stored + helper; i < end; i += LZ_HELPERS)
                    to[i] = out[i];
                stored = end;
            }
        }
        __syncthreads();
    }
}

/* One CTA a page of at most MAX_B bytes, compressed or not. */
template <int MAX_B>
__global__ void __launch_bounds__(LZ_BLOCK)
    lz_decode_pages(const struct lz_page *pages, const uint32_t *from, uint32_t *to)
{
    __shared__ uint32_t in[LZ_WORDS(MAX_B)], out[MAX_B / 4];
    __shared__ int done[2];
    struct lz_page p = pages[blockIdx.x];
    lz_decode_page(from + p.in_word, (int)p.in_bytes, in, out, to + p.out_word, done);
}

#endif
/* SPDX-License-Identifier: Apache-2.0 */
