/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes in and out, little-endian on every host: growing buffers for the writer, bounds-checked cursors for the reader.
 * Varints carry 7 bits a byte, low bits first; signed numbers are zigzagged (0, -1, 1, -2, ...). */
#ifndef TRACE_BYTES_H
#define TRACE_BYTES_H

#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { VARINT_MAX_B = 10 };

static inline uint64_t zigzag(uint64_t v) { return v << 1 ^ (0 - (v >> 63)); }
static inline uint64_t unzigzag(uint64_t v) { return v >> 1 ^ (0 - (v & 1)); }

static inline void store_le(uint8_t *p, uint64_t v, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++)
        p[i] = (uint8_t)(v >> 8 * i);
}
static inline void store_le64(uint8_t *p, uint64_t v)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    v = __builtin_bswap64(v);
#endif
    memcpy(p, &v, 8);
}
static inline uint32_t load_le32(const uint8_t *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}
static inline uint64_t load_le64(const uint8_t *p) { return load_le32(p) | (uint64_t)load_le32(p + 4) << 32; }

static inline uint8_t *varint_write(uint8_t *p, uint64_t v)
{
    while (v >= 0x80) {
        *p++ = (uint8_t)(v | 0x80);
        v >>= 7;
    }
    *p++ = (uint8_t)v;
    return p;
}

/* Reads at most VARINT_MAX_B bytes, whatever they are: the caller has that many behind p. */
static inline uint64_t varint_read(const uint8_t **pp)
{
    const uint8_t *p = *pp;
    uint64_t v = *p++;
    if (v >= 0x80) {
        v &= 0x7f;
        for (unsigned shift = 7; shift < 70; shift += 7) {
            uint8_t b = *p++;
            v |= (uint64_t)(b & 0x7f) << shift;
            if (b < 0x80)
                break;
        }
    }
    *pp = p;
    return v;
}

/* ---- out ---- */

struct buf {
    uint8_t *at;
    size_t n, cap;
};

static inline void buf_reserve(struct buf *b, size_t more)
{
    if (b->cap - b->n >= more)
        return;
    size_t cap = b->cap ? b->cap : 256;
    while (cap - b->n < more)
        cap *= 2;
    b->at = xrealloc(b->at, cap);
    b->cap = cap;
}
static inline void buf_free(struct buf *b)
{
    free(b->at);
    *b = (struct buf){0};
}
static inline void put_bytes(struct buf *b, const void *src, size_t n)
{
    buf_reserve(b, n);
    if (n)
        memcpy(b->at + b->n, src, n);
    b->n += n;
}
static inline void put_le(struct buf *b, uint64_t v, unsigned bytes)
{
    buf_reserve(b, bytes);
    store_le(b->at + b->n, v, bytes);
    b->n += bytes;
}
static inline void put_varint(struct buf *b, uint64_t v)
{
    buf_reserve(b, VARINT_MAX_B);
    b->n = (size_t)(varint_write(b->at + b->n, v) - b->at);
}
static inline void put_string(struct buf *b, const char *s)
{
    size_t n = strlen(s);
    put_varint(b, n);
    put_bytes(b, s, n);
}

/* ---- in ---- */

/* Once a read does not fit, `bad` is set and every further read gives 0. */
struct cursor {
    const uint8_t *at, *end;
    bool bad;
};

static inline struct cursor cursor_of(const uint8_t *at, size_t n)
{
    return (struct cursor){.at = at, .end = at + n};
}
static inline size_t cursor_left(const struct cursor *c) { return (size_t)(c->end - c->at); }
static inline const uint8_t *get_bytes(struct cursor *c, size_t n)
{
    if (c->bad || cursor_left(c) < n) {
        c->bad = true;
        c->at = c->end;
        return NULL;
    }
    const uint8_t *p = c->at;
    c->at += n;
    return p;
}
static inline uint64_t get_le(struct cursor *c, unsigned bytes)
{
    const uint8_t *p = get_bytes(c, bytes);
    uint64_t v = 0;
    for (unsigned i = 0; p && i < bytes; i++)
        v |= (uint64_t)p[i] << 8 * i;
    return v;
}
static inline uint64_t get_varint(struct cursor *c)
{
    uint64_t v = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        const uint8_t *p = get_bytes(c, 1);
        if (!p)
            return 0;
        v |= (uint64_t)(*p & 0x7f) << shift;
        if (*p < 0x80)
            return v;
    }
    c->bad = true;
    return 0;
}
/* A varint that must not exceed max. */
static inline uint32_t get_u32(struct cursor *c, uint32_t max)
{
    uint64_t v = get_varint(c);
    if (v > max) {
        c->bad = true;
        return 0;
    }
    return (uint32_t)v;
}
/* In the arena, with a zero behind it; zeros inside are refused. "" once the cursor is bad. */
static inline const char *get_string(struct cursor *c, struct arena *a)
{
    size_t n = get_u32(c, UINT32_MAX);
    const uint8_t *p = get_bytes(c, n);
    if (!p || memchr(p, 0, n)) {
        c->bad = true;
        return "";
    }
    return arena_strndup(a, (const char *)p, n);
}

#endif
