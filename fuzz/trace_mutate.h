/* SPDX-License-Identifier: Apache-2.0 */
/* Traces under mutation. A changed byte of a trace is found by a checksum, and nothing behind it is ever reached; so most
 * inputs of the fuzzer are open traces: the chunks' raw payloads, which the target packs, seals and indexes before it opens
 * the result. The mutator turns real traces (the seeds) into open ones, and changes these chunk by chunk.
 *
 * An open trace: a byte of flags, then records of type (1 byte), length (3 bytes) and payload. */
#ifndef FUZZ_TRACE_MUTATE_H
#define FUZZ_TRACE_MUTATE_H

#include "base/rng.h"
#include "trace/read/reader.h"

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);

enum {
    OPEN_INDEX = 1, /* flags: end with an index */
    OPEN_CUT = 2,   /* leave out the last bytes of the file */
    OPEN_REC_B = 4,
    /* Records that are no chunks: a place (2 bytes) and what to xor there, once or more; in the index, in the next chunk's
     * header, in its packed payload. */
    OPEN_PATCH = 0x70,
    OPEN_PATCH_HEAD,
    OPEN_PATCH_PACKED,
};

static inline bool is_sealed(const uint8_t *d, size_t n) { return n >= FILE_HEAD_B && d[0] == 0x89; }

/* The record at *at, its length cut to what is there. False at the end. */
static inline bool next_record(const uint8_t *d, size_t n, size_t *at, unsigned *type,
                               const uint8_t **payload, size_t *len)
{
    if (n - *at < OPEN_REC_B)
        return false;
    *type = d[*at];
    *len = d[*at + 1] | (size_t)d[*at + 2] << 8 | (size_t)d[*at + 3] << 16;
    *payload = d + *at + OPEN_REC_B;
    if (*len > n - *at - OPEN_REC_B)
        *len = n - *at - OPEN_REC_B;
    *at += OPEN_REC_B + *len;
    return true;
}

static inline void put_record(struct buf *b, unsigned type, const uint8_t *payload, size_t len)
{
    put_le(b, type, 1);
    put_le(b, len, 3);
    put_bytes(b, payload, len);
}

/* The open form of a trace; empty if it makes no sense. */
static inline struct buf open_form(const uint8_t *d, size_t n)
{
    struct buf b = {0};
    put_le(&b, OPEN_INDEX, 1);
    for (size_t at = FILE_HEAD_B; n - at >= CHUNK_HEAD_B;) {
        struct chunk c = {.type = d[at + 4],
                          .packed = d[at + 5] == 1,
                          .stored_b = load_le32(d + at + 16),
                          .raw_b = load_le32(d + at + 20)};
        const uint8_t *payload = d + at + CHUNK_HEAD_B;
        const char *why;
        if (c.stored_b > n - at - CHUNK_HEAD_B || c.raw_b >= 1 << 24 || c.type == CHUNK_INDEX ||
            (!c.packed && c.raw_b != c.stored_b))
            break;
        uint8_t *raw = chunk_unpack(&c, payload, 0, &why);
        if (!raw)
            break;
        put_record(&b, c.type, raw, c.raw_b);
        free(raw);
        at += CHUNK_HEAD_B + c.stored_b;
    }
    return b;
}

/* Changes one record's payload, or drops, doubles or moves a record; the flags now and then. */
static inline struct buf mutate_records(struct rng *r, const uint8_t *d, size_t n, size_t max)
{
    struct buf out = {0};
    unsigned count = 0, type, chosen, how = rng_below(r, 12);
    const uint8_t *payload;
    size_t len;
    for (size_t at = 1; next_record(d, n, &at, &type, &payload, &len);)
        count++;
    chosen = count ? rng_below(r, count) : 0;
    put_le(&out, how == 0 ? d[0] ^ 1u << rng_below(r, 2) : d[0], 1);
    unsigned i = 0;
    for (size_t at = 1; next_record(d, n, &at, &type, &payload, &len); i++) {
        if (i != chosen || how == 0) {
            put_record(&out, type, payload, len);
        } else if (how == 1) {
            continue;
        } else if (how == 2) {
            put_record(&out, type, payload, len);
            put_record(&out, type, payload, len);
        } else if (how == 3) {
            put_record(&out, 1 + rng_below(r, CHUNK_TYPES), payload, len);
        } else if (how == 4) {
            const uint8_t patch[3] = {(uint8_t)rng_u32(r), 0, (uint8_t)(1u << rng_below(r, 8))};
            put_record(&out, OPEN_PATCH + rng_below(r, 3), patch, sizeof patch);
            put_record(&out, type, payload, len);
        } else {
            size_t room = len + (max > n ? max - n : 0) / 2 + 8;
            uint8_t *changed = xmalloc(room);
            memcpy(changed, payload, len);
            len = LLVMFuzzerMutate(changed, len, room);
            put_record(&out, type, changed, len);
            free(changed);
        }
    }
    return out;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    struct rng r = {seed};
    if (!size || rng_below(&r, 10) == 0)
        return LLVMFuzzerMutate(data, size, max_size);
    struct buf b = {0};
    if (is_sealed(data, size))
        b = open_form(data, size);
    else
        put_bytes(&b, data, size);
    for (unsigned k = 1 + rng_below(&r, 3); k; k--) {
        struct buf changed = mutate_records(&r, b.at, b.n, max_size);
        buf_free(&b);
        b = changed;
    }
    size = b.n < max_size ? b.n : max_size;
    memcpy(data, b.at, size);
    buf_free(&b);
    return size;
}

#endif
