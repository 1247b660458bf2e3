/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/chunk.h"

#include <xxhash.h>
#include <zstd.h>

/* As PNG's: a byte that no text has, the name, and line ends that a careless copy would change. */
static const uint8_t file_magic[8] = {0x89, 'B', 'S', 'T', '\r', '\n', 0x1a, '\n'};
enum { CHUNK_MAGIC = 0x6b6e6843 /* "Chnk" */ };

const char *const chunk_names[CHUNK_TYPES] = {"?",      "info",    "kernel",     "launch",
                                              "copies", "streams", "launch end", "index"};

uint64_t file_head_write(uint8_t head[FILE_HEAD_B])
{
    memset(head, 0, FILE_HEAD_B);
    memcpy(head, file_magic, sizeof file_magic);
    store_le(head + 8, TRACE_VERSION, 4);
    uint64_t sum = XXH3_64bits_withSeed(head, FILE_HEAD_B - 8, 0);
    store_le(head + FILE_HEAD_B - 8, sum, 8);
    return sum;
}

const char *file_head_read(const uint8_t head[FILE_HEAD_B], uint64_t *sum, uint32_t *version)
{
    if (memcmp(head, file_magic, sizeof file_magic) != 0)
        return "this is no trace (.bst) file";
    *sum = load_le64(head + FILE_HEAD_B - 8);
    if (*sum != XXH3_64bits_withSeed(head, FILE_HEAD_B - 8, 0))
        return "damaged file header (checksum)";
    *version = load_le32(head + 8);
    if (*version < 1 || *version > TRACE_VERSION)
        return "a format version that this program does not read";
    for (unsigned i = 12; i < FILE_HEAD_B - 8; i++)
        if (head[i])
            return "reserved bytes of the file header are not 0";
    return NULL;
}

void chunk_seal(struct chunk *c, uint8_t *head, const uint8_t *payload, uint64_t before)
{
    store_le(head, CHUNK_MAGIC, 4);
    store_le(head + 4, (uint64_t)c->type | (uint64_t)c->packed << 8, 4);
    store_le(head + 8, c->seq, 4);
    store_le(head + 12, 0, 4);
    store_le(head + 16, c->stored_b, 4);
    store_le(head + 20, c->raw_b, 4);
    uint64_t check = XXH3_64bits_withSeed(head, 24, before);
    store_le(head + 24, check, 8);
    c->sum = XXH3_64bits_withSeed(payload, c->stored_b, check);
    store_le(head + 32, c->sum, 8);
}

const char *chunk_read_head(struct chunk *c, const uint8_t head[CHUNK_HEAD_B], uint32_t seq, uint64_t before)
{
    if (load_le32(head) != CHUNK_MAGIC)
        return "no chunk begins here";
    if (load_le64(head + 24) != XXH3_64bits_withSeed(head, 24, before))
        return "damaged chunk header, or a chunk that does not belong here (checksum)";
    *c = (struct chunk){
        .type = head[4],
        .packed = head[5] == 1,
        .seq = load_le32(head + 8),
        .stored_b = load_le32(head + 16),
        .raw_b = load_le32(head + 20),
        .sum = load_le64(head + 32),
    };
    if (c->type < CHUNK_INFO || c->type >= CHUNK_TYPES)
        return "a chunk of unknown type";
    if (c->seq != seq)
        return "a chunk with the wrong sequence number";
    if (head[5] > 1 || head[6] || head[7] || load_le32(head + 12))
        return "reserved bytes of a chunk header are not 0";
    bool may_pack = c->type == CHUNK_KERNEL || c->type == CHUNK_STREAMS;
    if (c->packed != may_pack || (!c->packed && c->raw_b != c->stored_b))
        return "a chunk header that contradicts itself";
    if (c->raw_b > (uint32_t)(c->type == CHUNK_STREAMS ? STREAMS_MAX_B : KERNEL_MAX_B) && c->packed)
        return "a chunk that is too large";
    return NULL;
}

const char *chunk_check(const struct chunk *c, const uint8_t head[CHUNK_HEAD_B], const uint8_t *payload)
{
    if (c->sum != XXH3_64bits_withSeed(payload, c->stored_b, load_le64(head + 24)))
        return "damaged chunk (checksum)";
    return NULL;
}

uint8_t *chunk_unpack(const struct chunk *c, const uint8_t *payload, size_t slack, const char **why)
{
    uint8_t *raw = xmalloc((size_t)c->raw_b + slack);
    memset(raw + c->raw_b, 0, slack);
    if (!c->packed) {
        memcpy(raw, payload, c->raw_b);
        return raw;
    }
    /* One frame, of the size that the header tells, with nothing behind it. */
    size_t n = ZSTD_findFrameCompressedSize(payload, c->stored_b);
    if (!ZSTD_isError(n) && n == c->stored_b)
        n = ZSTD_decompress(raw, c->raw_b, payload, c->stored_b);
    else
        n = (size_t)-1;
    if (n == c->raw_b)
        return raw;
    *why = "a chunk that does not unpack";
    free(raw);
    return NULL;
}
