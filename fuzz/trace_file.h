/* SPDX-License-Identifier: Apache-2.0 */
/* The input of a fuzzer of traces as a file: a real trace as it is, an open one (trace_mutate.h) packed, sealed and indexed. */
#ifndef FUZZ_TRACE_FILE_H
#define FUZZ_TRACE_FILE_H

#define _GNU_SOURCE /* memfd_create */
#include "trace_mutate.h"

#include <sys/mman.h>
#include <unistd.h>
#include <xxhash.h>
#include <zstd.h>

#define CHECK(c)                                                                                             \
    do {                                                                                                     \
        if (!(c))                                                                                            \
            __builtin_trap();                                                                                \
    } while (0)

struct sealer {
    struct buf file, index;
    uint64_t sum;
    uint32_t n, nkernels;
    uint32_t nwarps; /* of the launch at hand, for the index */
    struct patch {
        const uint8_t *at;
        size_t n;
    } patch[3]; /* of the index; of the next chunk's header, and of its packed payload */
};

static void apply(struct patch *p, uint8_t *to, size_t n)
{
    for (size_t i = 0; n && i + 3 <= p->n; i += 3)
        to[(p->at[i] | (size_t)p->at[i + 1] << 8) % n] ^= p->at[i + 2];
    *p = (struct patch){0};
}

/* As chunk_seal, but over whatever the header says. */
static uint64_t seal_again(uint8_t *head, size_t n, uint64_t before)
{
    store_le(head + 24, XXH3_64bits_withSeed(head, 24, before), 8);
    uint64_t sum = XXH3_64bits_withSeed(head + CHUNK_HEAD_B, n, load_le64(head + 24));
    store_le(head + 32, sum, 8);
    return sum;
}

static void seal(struct sealer *s, unsigned type, const uint8_t *payload, size_t n)
{
    struct chunk c = {.type = (uint8_t)type, .seq = s->n++, .raw_b = (uint32_t)n, .stored_b = (uint32_t)n};
    struct buf out = {0};
    c.packed = type == CHUNK_KERNEL || type == CHUNK_STREAMS;
    buf_reserve(&out, CHUNK_HEAD_B + ZSTD_compressBound(n));
    if (c.packed)
        c.stored_b = (uint32_t)ZSTD_compress(out.at + CHUNK_HEAD_B, ZSTD_compressBound(n), payload, n, 1);
    else if (n)
        memcpy(out.at + CHUNK_HEAD_B, payload, n);
    apply(&s->patch[2], out.at + CHUNK_HEAD_B, c.stored_b);
    chunk_seal(&c, out.at, out.at + CHUNK_HEAD_B, s->sum);
    apply(&s->patch[1], out.at, 24);
    c.sum = s->sum = seal_again(out.at, c.stored_b, s->sum);
    put_bytes(&s->file, out.at, CHUNK_HEAD_B + c.stored_b);
    buf_free(&out);
    if (type == CHUNK_INDEX)
        return;
    struct streams st = {0};
    if (type == CHUNK_STREAMS) {
        uint8_t *raw = xcalloc(n + CODEC_SLACK_B, 1);
        if (n)
            memcpy(raw, payload, n);
        streams_parse(&st, raw, (uint32_t)n, s->nwarps);
    }
    index_put(&s->index, &c, &st.entry);
    streams_free(&st);
}

/* The warps of a CTA, where the reader would find them. */
static void note_launch(struct sealer *s, const uint8_t *payload, size_t n)
{
    struct cursor c = cursor_of(payload, n);
    uint64_t threads = 1;
    for (unsigned i = 0; i < 4; i++)
        get_varint(&c);
    for (unsigned i = 0; i < 3; i++)
        threads *= get_u32(&c, TR_WARPS * TR_LANES);
    s->nwarps = threads && threads <= TR_WARPS * TR_LANES ? (uint32_t)(threads + TR_LANES - 1) / TR_LANES : 1;
}

static struct buf file_of(const uint8_t *data, size_t size)
{
    struct sealer s = {.nwarps = 1};
    uint8_t head[FILE_HEAD_B];
    unsigned type;
    const uint8_t *payload;
    size_t len;
    s.sum = file_head_write(head);
    put_bytes(&s.file, head, sizeof head);
    for (size_t at = 1; next_record(data, size, &at, &type, &payload, &len);) {
        if (type >= OPEN_PATCH && type <= OPEN_PATCH_PACKED) {
            s.patch[type - OPEN_PATCH] = (struct patch){payload, len};
            continue;
        }
        s.nkernels += type == CHUNK_KERNEL;
        if (type == CHUNK_LAUNCH)
            note_launch(&s, payload, len);
        seal(&s, type, payload, len);
    }
    if (data[0] & OPEN_INDEX) {
        struct buf b = {0};
        put_le(&b, s.n, 4);
        put_bytes(&b, s.index.at, s.index.n);
        put_varint(&b, 0);
        put_string(&b, "./program");
        for (uint32_t i = 0; i < s.nkernels; i++)
            put_string(&b, i % 2 ? "" : "folder/");
        apply(&s.patch[0], b.at, b.n);
        trailer_put(&b, s.file.n);
        seal(&s, CHUNK_INDEX, b.at, b.n);
        buf_free(&b);
    }
    if (data[0] & OPEN_CUT)
        s.file.n -= s.file.n > 100 ? size % 100 : 0;
    buf_free(&s.index);
    return s.file;
}

/* Open, at its beginning; of memory. */
static int open_input(const uint8_t *data, size_t size)
{
    struct buf file = {0};
    if (size && !is_sealed(data, size))
        file = file_of(data, size);
    else
        put_bytes(&file, data, size);
    int fd = memfd_create("trace", MFD_CLOEXEC);
    CHECK(fd >= 0 && write(fd, file.at, file.n) == (ssize_t)file.n);
    buf_free(&file);
    return fd;
}

#endif
