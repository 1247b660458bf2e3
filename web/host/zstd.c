/* SPDX-License-Identifier: Apache-2.0 */
#include "zstd.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* RFC 8878, section 3.1.1: magic number, descriptor (one segment, content size in 4 bytes, no checksum), size; then blocks of at
 * most BLOCK_B bytes, each after 3 bytes: is it the last, type (0: raw), size. */
enum { HEAD_B = 9, BLOCK_HEAD_B = 3, BLOCK_B = 128 << 10, DESCRIPTOR = 0xa0 };
static const uint8_t magic[4] = {0x28, 0xb5, 0x2f, 0xfd};
#define WRONG ((size_t)-1)

struct web_zstd {
    int none;
};
static struct web_zstd only;

ZSTD_CCtx *ZSTD_createCCtx(void) { return &only; }
size_t ZSTD_freeCCtx(ZSTD_CCtx *c) { return (void)c, 0; }
size_t ZSTD_CCtx_setParameter(ZSTD_CCtx *c, ZSTD_cParameter p, int value)
{
    return (void)c, (void)p, (void)value, 0;
}
unsigned ZSTD_isError(size_t n) { return n == WRONG; }
const char *ZSTD_getErrorName(size_t n)
{
    return n == WRONG ? "no frame of raw blocks, or no room for it" : "";
}

static size_t blocks_of(size_t raw_b) { return raw_b ? (raw_b + BLOCK_B - 1) / BLOCK_B : 1; }
size_t ZSTD_compressBound(size_t raw_b) { return HEAD_B + raw_b + blocks_of(raw_b) * BLOCK_HEAD_B; }

size_t ZSTD_compress2(ZSTD_CCtx *c, void *to, size_t room_b, const void *from, size_t raw_b)
{
    uint8_t *out = to;
    const uint8_t *in = from;
    (void)c;
    if (room_b < ZSTD_compressBound(raw_b) || raw_b > UINT32_MAX)
        return WRONG;
    memcpy(out, magic, sizeof magic);
    out[4] = DESCRIPTOR;
    for (unsigned i = 0; i < 4; i++)
        out[5 + i] = (uint8_t)(raw_b >> 8 * i);
    out += HEAD_B;
    for (size_t left = raw_b, n = blocks_of(raw_b); n; n--) {
        size_t b = left < BLOCK_B ? left : BLOCK_B, head = (n == 1) | b << 3;
        for (unsigned i = 0; i < BLOCK_HEAD_B; i++)
            *out++ = (uint8_t)(head >> 8 * i);
        memcpy(out, in, b);
        out += b;
        in += b;
        left -= b;
    }
    return (size_t)(out - (uint8_t *)to);
}

/* Walks over the frame's blocks, and copies them where `to` is not NULL. *raw_b: what the blocks hold. */
static size_t walk(const uint8_t *from, size_t n, uint8_t *to, size_t room_b, size_t *raw_b)
{
    size_t at = HEAD_B, size = 0;
    if (n < HEAD_B || memcmp(from, magic, sizeof magic) != 0 || from[4] != DESCRIPTOR)
        return WRONG;
    for (bool last = false; !last;) {
        if (n - at < BLOCK_HEAD_B)
            return WRONG;
        size_t head = from[at] | (size_t)from[at + 1] << 8 | (size_t)from[at + 2] << 16, b = head >> 3;
        at += BLOCK_HEAD_B;
        last = head & 1;
        if ((head >> 1 & 3) != 0 || b > n - at || (to && b > room_b - size))
            return WRONG;
        if (to)
            memcpy(to + size, from + at, b);
        at += b;
        size += b;
    }
    *raw_b = size;
    return at;
}

size_t ZSTD_findFrameCompressedSize(const void *from, size_t n)
{
    size_t raw_b;
    return walk(from, n, NULL, 0, &raw_b);
}

size_t ZSTD_decompress(void *to, size_t room_b, const void *from, size_t n)
{
    size_t raw_b, end = walk(from, n, to, room_b, &raw_b);
    return end == n ? raw_b : WRONG;
}
