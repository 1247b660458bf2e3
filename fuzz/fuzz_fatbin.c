/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a fat binary: a refusal with its reason, or text of bounded size; never a read outside the buffer.
 *
 * Random bytes do not compress, so the mutator works on whole fields and whole files: it flips, cuts, extends and splices,
 * repairs the sizes half of the time, and packs the text anew. The first byte of an input chooses how it is read. */
#include "cudart/code/fatbin.h"

#include "base/rng.h"

#include <lz4.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#define CHECK(c)                                                                                             \
    do {                                                                                                     \
        if (!(c))                                                                                            \
            __builtin_trap();                                                                                \
    } while (0)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);
size_t LLVMFuzzerMutate(uint8_t *data, size_t n, size_t room);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t n, size_t room, unsigned seed);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    static const uint32_t sms[] = {80, 0, 52, 75, 90, 0xffffffff};
    if (!n)
        return 0;
    struct fatbin_text t;
    enum fatbin_status s = fatbin_read(data + 1, n - 1, sms[data[0] % 6], &t);
    CHECK(s <= FATBIN_TOO_NEW);
    CHECK((s == FATBIN_OK) == (t.text != NULL));
    CHECK((s == FATBIN_OK) == (t.why[0] == 0));
    if (t.text) {
        CHECK(t.n <= FATBIN_TEXT_MAX && strlen(t.text) == t.n);
        free(t.text);
    }
    return 0;
}

/* The k-th entry from the start, following the sizes; 0: none. */
static size_t find_entry(const uint8_t *d, size_t n, unsigned k)
{
    size_t at = sizeof(struct fatbin_header);
    for (; at + sizeof(struct fatbin_entry) <= n; k--) {
        struct fatbin_entry e;
        memcpy(&e, d + at, sizeof e);
        if (k == 0)
            return at;
        if (e.header_b > n || e.payload_b > n || at + e.header_b + e.payload_b >= n)
            return 0;
        at += e.header_b + e.payload_b;
    }
    return 0;
}

static void spoil_entry(struct rng *r, uint8_t *d, size_t n)
{
    static const uint64_t odd[] = {
        0, 1, 63, 64, 65, 0x7fffffff, 0x80000000, 0xffffffff, 1ull << 32, UINT64_MAX - 63, UINT64_MAX};
    struct fatbin_entry e;
    size_t at = find_entry(d, n, rng_below(r, 4));
    if (!at)
        return;
    memcpy(&e, d + at, sizeof e);
    uint64_t v = odd[rng_below(r, sizeof odd / sizeof *odd)];
    int64_t step = (int64_t)rng_below(r, 33) - 16;
    switch (rng_below(r, 10)) {
    case 0: e.kind = (uint16_t)v; break;
    case 1: e.header_b = (uint32_t)v; break;
    case 2: e.payload_b = v; break;
    case 3: e.payload_b += (uint64_t)step; break;
    case 4: e.compressed_b = (uint32_t)v; break;
    case 5: e.compressed_b += (uint32_t)step; break;
    case 6: e.plain_b = v; break;
    case 7: e.plain_b += (uint64_t)step; break;
    case 8: e.arch = (uint32_t)v; break;
    default: e.flags ^= 1ull << rng_below(r, 17); break;
    }
    memcpy(d + at, &e, sizeof e);
}

/* An entry whose compressed data is what an entry of that size could hold, up to bombs. */
static size_t append_entry(struct rng *r, uint8_t *d, size_t n, size_t room)
{
    enum { PLAIN = 1 << 16 };
    static char plain[PLAIN], packed[PLAIN + 4096];
    struct fatbin_entry e = {.kind = FATBIN_PTX,
                             .version = 0x101,
                             .header_b = sizeof e,
                             .arch = 30 + rng_below(r, 100),
                             .flags = 0x11};
    size_t plain_b = 1 + rng_below(r, PLAIN - 1), packed_b;
    memset(plain, rng_below(r, 2) ? ' ' : 'a' + (int)rng_below(r, 26), plain_b);
    memcpy(plain, ".version 7.0", plain_b < 12 ? plain_b : 12);
    if (rng_below(r, 2)) {
        packed_b = (size_t)LZ4_compress_default(plain, packed, (int)plain_b, sizeof packed);
        e.flags |= FATBIN_FLAG_LZ4;
    } else {
        packed_b = ZSTD_compress(packed, sizeof packed, plain, plain_b, 1);
        e.flags |= FATBIN_FLAG_ZSTD;
    }
    e.compressed_b = (uint32_t)packed_b;
    e.plain_b = plain_b;
    e.payload_b = (packed_b + 7) / 8 * 8;
    if (n + sizeof e + e.payload_b > room)
        return n;
    memcpy(d + n, &e, sizeof e);
    memset(d + n + sizeof e, 0, e.payload_b);
    memcpy(d + n + sizeof e, packed, packed_b);
    return n + sizeof e + e.payload_b;
}

static void repair_size(uint8_t *d, size_t n)
{
    struct fatbin_header h = {.magic = FATBIN_MAGIC, .version = 1, .header_b = sizeof h};
    if (n < sizeof h)
        return;
    h.payload_b = n - sizeof h;
    memcpy(d, &h, sizeof h);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t n, size_t room, unsigned seed)
{
    struct rng r = {.s = seed};
    if (n < 2 || room < 64)
        return LLVMFuzzerMutate(data, n, room);
    uint8_t *d = data + 1;
    size_t m = n - 1;
    switch (rng_below(&r, 6)) {
    case 0: m = LLVMFuzzerMutate(d, m, room - 1); break;
    case 1: m = 1 + rng_below(&r, (uint32_t)m); break; /* truncate */
    case 2: m = append_entry(&r, d, m, room - 1); break;
    case 3: { /* splice: a piece over another place */
        size_t len = 1 + rng_below(&r, (uint32_t)m), from = rng_below(&r, (uint32_t)(m - len + 1)),
               to = rng_below(&r, (uint32_t)(m - len + 1));
        memmove(d + to, d + from, len);
        break;
    }
    case 4: data[0] = (uint8_t)rng_u32(&r); break;
    default: spoil_entry(&r, d, m); break;
    }
    if (rng_below(&r, 2))
        repair_size(d, m);
    return m + 1;
}
