/* SPDX-License-Identifier: Apache-2.0 */
#include "fatmake.h"

#include <lz4.h>
#include <zstd.h>

static void put(struct fat *f, const void *p, size_t n)
{
    uint32_t at = f->b.n;
    vec_resize(&f->b, at + n);
    if (n)
        memcpy(f->b.at + at, p, n);
}

void fat_begin(struct fat *f)
{
    const struct fatbin_header h = {.magic = FATBIN_MAGIC, .version = 1, .header_b = sizeof h};
    f->header = f->b.n;
    put(f, &h, sizeof h);
}

uint32_t fat_add(struct fat *f, enum fatbin_kind kind, uint32_t arch, const void *data, size_t n,
                 enum fat_pack pack)
{
    struct fatbin_entry e = {
        .kind = (uint16_t)kind, .version = 0x0101, .header_b = sizeof e, .major = 7, .arch = arch};
    size_t room = pack == PACK_LZ4    ? (size_t)LZ4_compressBound((int)n)
                  : pack == PACK_ZSTD ? ZSTD_compressBound(n)
                                      : n;
    char *packed = xmalloc(room + 8);
    size_t packed_b = n;
    uint32_t at = f->b.n;
    e.flags = 0x11;
    if (pack == PACK_LZ4)
        packed_b = (size_t)LZ4_compress_default(data, packed, (int)n, (int)room);
    else if (pack == PACK_ZSTD)
        packed_b = ZSTD_compress(packed, room, data, n, 3);
    else if (n)
        memcpy(packed, data, n);
    if (pack != PACK_PLAIN) {
        e.flags |= pack == PACK_LZ4 ? FATBIN_FLAG_LZ4 : FATBIN_FLAG_ZSTD;
        e.compressed_b = (uint32_t)packed_b;
        e.plain_b = n;
    }
    e.payload_b = (packed_b + 7) / 8 * 8;
    memset(packed + packed_b, 0, e.payload_b - packed_b);
    put(f, &e, sizeof e);
    put(f, packed, e.payload_b);
    free(packed);
    return at;
}

void fat_end(struct fat *f)
{
    struct fatbin_header h;
    memcpy(&h, f->b.at + f->header, sizeof h);
    h.payload_b = f->b.n - f->header - sizeof h;
    memcpy(f->b.at + f->header, &h, sizeof h);
}

void fat_free(struct fat *f) { vec_free(&f->b); }

struct fatbin_entry fat_entry(const struct fat *f, uint32_t at)
{
    struct fatbin_entry e;
    memcpy(&e, f->b.at + at, sizeof e);
    return e;
}

void fat_set_entry(struct fat *f, uint32_t at, const struct fatbin_entry *e)
{
    memcpy(f->b.at + at, e, sizeof *e);
}
