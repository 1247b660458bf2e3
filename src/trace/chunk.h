/* SPDX-License-Identifier: Apache-2.0 */
/* The chain of chunks that a trace file is: headers, checksums, compression. Knows nothing about what chunks hold. */
#ifndef TRACE_CHUNK_H
#define TRACE_CHUNK_H

#include "trace/bytes.h"

enum chunk_type {
    CHUNK_INFO = 1,
    CHUNK_KERNEL,
    CHUNK_LAUNCH,
    CHUNK_COPIES,
    CHUNK_STREAMS,
    CHUNK_LAUNCH_END,
    CHUNK_INDEX,
    CHUNK_TYPES
};

enum {
    TRACE_VERSION = 2, /* 1 has folders in names, and nothing behind the entries of its index */
    FILE_HEAD_B = 32,
    CHUNK_HEAD_B = 40,
    TRAILER_B = 16, /* the last bytes of the index chunk's payload, and of a closed file */
    /* Bounds on what a reader allocates for one chunk. A writer stays far below the first. */
    STREAMS_MAX_B = 4 << 20,
    KERNEL_MAX_B = 64 << 20,
    KERNELS_MAX_B = 128 << 20, /* of all kernels of a file */
    GROUPS_MAX = 1024,
};

extern const char *const chunk_names[CHUNK_TYPES];

struct chunk {
    uint8_t type;
    bool packed;       /* the payload is one zstd frame */
    uint32_t seq;      /* 0 for the first */
    uint32_t stored_b; /* payload in the file */
    uint32_t raw_b;    /* payload unpacked */
    uint64_t sum;      /* over everything up to its end */
};

/* The file's first bytes; gives the checksum that the first chunk's builds on. */
uint64_t file_head_write(uint8_t head[FILE_HEAD_B]);
/* NULL, or what is wrong. */
const char *file_head_read(const uint8_t head[FILE_HEAD_B], uint64_t *sum, uint32_t *version);

/* Fills the header in front of a payload of c->stored_b bytes, and c->sum. `before`: sum of the chunk before. */
void chunk_seal(struct chunk *c, uint8_t *head, const uint8_t *payload, uint64_t before);
/* The header alone: type, sizes and sequence number are right if the check is. NULL, or what is wrong. */
const char *chunk_read_head(struct chunk *c, const uint8_t head[CHUNK_HEAD_B], uint32_t seq, uint64_t before);
const char *chunk_check(const struct chunk *c, const uint8_t head[CHUNK_HEAD_B], const uint8_t *payload);

/* The raw payload with `slack` zero bytes behind it (free() it), or NULL and *why. */
uint8_t *chunk_unpack(const struct chunk *c, const uint8_t *payload, size_t slack, const char **why);

#endif
