/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/read/index.h"

#include <xxhash.h>

static const uint8_t trailer_magic[8] = {'B', 'S', 'T', ' ', 'e', 'n', 'd', '\n'};

/* CTAs that follow each other with the same flags are one entry: count, distance, flags. */
static void put_groups(struct buf *b, const struct stream_entry *s)
{
    uint32_t expect = 0;
    put_varint(b, s->groups.n);
    for (uint32_t i = 0, n; i < s->groups.n; i += n) {
        const struct group *g = &s->groups.at[i];
        for (n = 1; i + n < s->groups.n; n++)
            if (g[n].cta != g->cta + n || g[n].flags != g->flags)
                break;
        put_varint(b, (uint64_t)n << 2 | g->flags);
        put_varint(b, zigzag((uint64_t)g->cta - expect));
        expect = g->cta + n;
    }
}

static void get_groups(struct cursor *c, struct stream_entry *s)
{
    uint32_t expect = 0, want = get_u32(c, GROUPS_MAX);
    vec_clear(&s->groups);
    while (s->groups.n < want && !c->bad) {
        uint64_t head = get_varint(c), n = head >> 2, cta = expect + unzigzag(get_varint(c));
        if (!n || n > want - s->groups.n || cta > UINT32_MAX || n - 1 > UINT32_MAX - cta) {
            c->bad = true;
            return;
        }
        for (uint32_t i = 0; i < n; i++)
            vec_push(&s->groups, (struct group){.cta = (uint32_t)cta + i, .flags = head & 3});
        expect = (uint32_t)(cta + n);
    }
}

void index_put(struct buf *b, const struct chunk *c, const struct stream_entry *s)
{
    put_le(b, c->type, 1);
    put_varint(b, c->stored_b);
    put_le(b, c->sum, 8);
    if (c->type == CHUNK_STREAMS) {
        put_varint(b, s->insts);
        put_varint(b, s->threads);
        put_groups(b, s);
    }
}

bool index_get(struct cursor *c, struct chunk *out, struct stream_entry *s)
{
    *out = (struct chunk){.type = (uint8_t)get_le(c, 1)};
    out->stored_b = get_u32(c, UINT32_MAX);
    out->sum = get_le(c, 8);
    if (out->type == CHUNK_STREAMS) {
        s->insts = get_varint(c);
        s->threads = get_varint(c);
        get_groups(c, s);
    }
    return !c->bad && out->type >= CHUNK_INFO && out->type < CHUNK_INDEX;
}

uint64_t index_identity(const uint8_t *payload, size_t n, uint64_t sum)
{
    return XXH3_64bits_withSeed(payload, n, sum);
}

size_t folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash - path) + 1 : 0;
}

void trailer_put(struct buf *b, uint64_t index_at)
{
    put_le(b, index_at, 8);
    put_bytes(b, trailer_magic, sizeof trailer_magic);
}

bool trailer_get(const uint8_t *last_bytes, uint64_t *index_at)
{
    *index_at = load_le64(last_bytes);
    return memcmp(last_bytes + 8, trailer_magic, sizeof trailer_magic) == 0;
}
