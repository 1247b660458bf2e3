/* SPDX-License-Identifier: Apache-2.0 */
/* Inside the reader: open.c finds out what the file has, load.c keeps the chunks that open CTAs are in, reader.c gives
 * streams out. */
#ifndef TRACE_READER_H
#define TRACE_READER_H

#include "trace/chunk.h"
#include "trace/codec.h"
#include "trace/read/streams.h"

#include <pthread.h>

/* Where a group of a CTA is. */
struct place {
    uint32_t cta, chunk;
    uint32_t seq; /* among the groups of its launch, in the file's order */
    uint16_t group, flags;
};

struct reader_launch {
    struct tr_launch_info info;
    VEC(struct place) places; /* by CTA, then in the file's order; whole CTAs only */
    uint64_t insts, threads;  /* of all groups, whole CTAs or not */
};

struct loaded {
    struct streams s;
    uint32_t chunk, refs;
    size_t bytes;
    struct loaded *newer; /* of those that nobody uses */
};

struct reader_chunk {
    uint64_t at, sum;
    uint64_t insts, threads;
    uint32_t stored_b, launch, ngroups;
    uint8_t type;
    bool loading;
    struct loaded *mem;
};

struct tr_reader {
    int fd;
    char *path;
    struct arena arena;
    uint64_t size_b, head_sum, identity, missing;
    uint32_t version;
    bool closed;
    struct tr_info info;
    VEC(struct tr_kernel *) kernels;
    VEC(struct codec_code *) codes; /* of the kernels */
    VEC(struct reader_launch) launches;
    VEC(struct tr_copy) copies;
    VEC(struct reader_chunk) chunks; /* all but the index */

    pthread_mutex_t lock; /* what follows, and loading and mem of the chunks */
    pthread_cond_t changed;
    struct loaded *oldest_idle, *newest_idle;
    size_t idle_b;
    uint32_t farthest; /* 1 + the last chunk of those that were asked for */
    uint32_t ahead;    /* the streams chunk behind it, if it is yet to be read; 0: none. Atomic */
};

/* As tr_open; takes fd over. */
struct tr_reader *tr_open_fd(int fd, const char *path, struct diag *d);

/* ---- load.c ---- */

bool reader_read(const struct tr_reader *r, uint64_t at, void *to, size_t n);
/* The payload of a chunk whose place and sum are known, unpacked, with slack behind it: free() it. NULL and *why. */
uint8_t *reader_payload(const struct tr_reader *r, uint32_t chunk, uint32_t *raw_b, const char **why);
/* A streams chunk for `users` users; NULL and *why. Any thread. */
struct loaded *reader_acquire(struct tr_reader *r, uint32_t chunk, uint32_t users, const char **why);
void reader_release(struct tr_reader *r, struct loaded *l, uint32_t users);
void reader_free_loaded(struct tr_reader *r);

#endif
