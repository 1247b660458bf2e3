/* SPDX-License-Identifier: Apache-2.0 */
/* Inside the writer: chunks go out one by one (writer.c), CTAs gather their pieces (writer_cta.c). */
#ifndef TRACE_WRITER_H
#define TRACE_WRITER_H

#include "trace/chunk.h"
#include "trace/codec.h"
#include "trace/read/index.h"

#include <zstd.h>

enum {
    /* Pieces of finished CTAs wait until a chunk is worth compressing. */
    BATCH_B = 256 << 10,
    /* A CTA that holds more writes what it has, so that a chunk stays small; */
    CTA_HELD_B = 1 << 20,
    /* and so do all when they hold more together (cooperative launches have thousands open). */
    ALL_HELD_B = 64 << 20,
    CTA_BUCKETS = 1024,
    COPIES_MAX = 1024, /* copies that wait for a chunk */
};

struct open_cta {
    uint32_t id;
    bool begun; /* a chunk has pieces of it */
    uint64_t insts, threads;
    size_t held_b;
    struct open_cta *chain, *prev, *next; /* of its bucket; in order of opening */
    struct encoder warps[];
};

/* A chunk that waits for its place in the file. */
struct held_chunk {
    enum chunk_type type;
    uint32_t raw_b;
    struct buf out; /* room for the header, and the payload as it is stored */
    struct stream_entry streams;
};
struct tr_part {
    VEC(struct held_chunk) chunks;
    size_t held_b;
};

struct tr_writer {
    bool helps; /* chunks are held in `part` */
    struct tr_part part;
    int fd;
    char *path;
    char *failed; /* why nothing more is written */
    uint64_t size_b, sum;
    uint32_t nchunks;
    ZSTD_CCtx *zstd;
    struct buf out;    /* the chunk that is being made: header, payload */
    struct buf packed; /* what it was before it was packed */
    struct buf index;

    size_t batch_b, cta_held_b, all_held_b; /* BATCH_B, ...; tests make them small */

    VEC(struct codec_code *) kernels;
    struct buf folders; /* of their source files, as strings */
    uint64_t missing;
    char *command;
    uint32_t ninsns; /* of all kernels */
    uint64_t kernels_b;
    struct buf copies;
    uint32_t ncopies;

    /* The launch that is open. */
    uint32_t nlaunches;
    bool in_launch;
    const struct codec_code *code;
    uint32_t nwarps;
    uint64_t nctas, recorded, insts, threads;

    struct open_cta *buckets[CTA_BUCKETS], *first, *last;
    struct open_cta *recent; /* where the last instruction went */
    struct open_cta *spare;  /* a closed one, with its buffers */
    size_t held_b;

    /* The streams chunk that is being filled. */
    struct buf table, ctl, addr, val;
    struct stream_entry batch;
};

/* Writes w->out, whose payload (raw bytes) begins at CHUNK_HEAD_B, as one chunk, and adds it to the index. */
void writer_chunk(struct tr_writer *w, enum chunk_type type);
/* The same for one that is packed already, if its type is to be. */
void writer_put(struct tr_writer *w, enum chunk_type type, uint32_t raw_b, struct buf *out,
                const struct stream_entry *streams);
void writer_start(struct tr_writer *w); /* a new one: limits, compression */
void writer_free(struct tr_writer *w);
void writer_flush_copies(struct tr_writer *w);
struct buf *writer_payload(struct tr_writer *w); /* w->out, empty, with room for the header */
void writer_batch(struct tr_writer *w);          /* writes the streams chunk, if there is something in it */
struct open_cta *writer_find_cta(struct tr_writer *w, uint32_t id); /* NULL: it is not open */
/* Room for one more instruction of a warp, with or without addresses. */
static inline void writer_room(struct tr_writer *w, struct open_cta *c, struct encoder *e, bool addrs);
void writer_make_room(struct tr_writer *w, struct open_cta *c, struct encoder *e);
void writer_drop_ctas(struct tr_writer *w);
void writer_free_cta(struct tr_writer *w, struct open_cta *c);

static inline void writer_room(struct tr_writer *w, struct open_cta *c, struct encoder *e, bool addrs)
{
    if (e->tight || (addrs && e->addr.cap - e->addr.n < CODEC_ADDR_MAX_B))
        writer_make_room(w, c, e);
}

#endif
