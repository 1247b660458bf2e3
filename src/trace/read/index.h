/* SPDX-License-Identifier: Apache-2.0 */
/* The index: what a reader must know of each chunk to find a CTA without reading the file. A closed file ends with it; for
 * a partial one the reader makes the same entries from the chunks themselves. */
#ifndef TRACE_INDEX_H
#define TRACE_INDEX_H

#include "trace/chunk.h"

#include "base/vec.h"

/* A group: the pieces of one CTA in one chunk. */
enum { GROUP_FIRST = 1, GROUP_LAST = 2 };
struct group {
    uint32_t cta;
    uint8_t flags;
    uint64_t insts, threads; /* not in the index */
};

/* A streams chunk. */
struct stream_entry {
    VEC(struct group) groups;
    uint64_t insts, threads; /* of all groups */
};

/* For every chunk but the index: type, size, checksum, and for streams their entry. */
void index_put(struct buf *b, const struct chunk *c, const struct stream_entry *s);
/* s->groups is refilled for streams. False if the bytes make no sense. */
bool index_get(struct cursor *c, struct chunk *out, struct stream_entry *s);

/* The identity of a closed trace: of the first n bytes of the index's payload, entries and the number of missing launches. What
 * follows them, places, may differ from folder to folder. `sum`: of the chunk before the index, and so of all. */
uint64_t index_identity(const uint8_t *payload, size_t n, uint64_t sum);

/* Up to and with the last slash. */
size_t folder_length(const char *path);

/* The end of the index, and of the file. */
void trailer_put(struct buf *b, uint64_t index_at);
bool trailer_get(const uint8_t *last_bytes, uint64_t *index_at);

#endif
