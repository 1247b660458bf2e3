/* SPDX-License-Identifier: Apache-2.0 */
/* The writer's file side: every chunk is one append, so that at any moment the file is a chain of whole chunks and at most
 * one torn one at its end. */
#include "trace/write/writer.h"

#include "trace/code/kernel_io.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

/* zstd's level: measured in docs/trace.md. */
enum { ZSTD_LEVEL = 1 };

static void fail(struct tr_writer *w, const char *why)
{
    if (w->failed)
        return;
    struct arena a = {0};
    w->failed =
        xstrdup(arena_printf(&a, "%s: %s (after %llu bytes)", w->path, why, (unsigned long long)w->size_b));
    arena_free(&a);
}

static void append(struct tr_writer *w, const uint8_t *at, size_t n)
{
    for (size_t done = 0; done < n && !w->failed;) {
        ssize_t got = write(w->fd, at + done, n - done);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            fail(w, strerror(errno));
        else
            done += (size_t)got;
    }
    w->size_b += n;
}

struct buf *writer_payload(struct tr_writer *w)
{
    w->out.n = 0;
    put_bytes(&w->out, (const uint8_t[CHUNK_HEAD_B]){0}, CHUNK_HEAD_B);
    return &w->out;
}

/* Replaces the payload in `out` by its zstd frame. The buffers change places: new memory costs more. */
static void pack(struct tr_writer *w)
{
    size_t raw = w->out.n - CHUNK_HEAD_B, bound = ZSTD_compressBound(raw);
    struct buf packed = w->packed;
    packed.n = 0;
    buf_reserve(&packed, CHUNK_HEAD_B + bound);
    size_t n = ZSTD_compress2(w->zstd, packed.at + CHUNK_HEAD_B, bound, w->out.at + CHUNK_HEAD_B, raw);
    if (ZSTD_isError(n)) {
        fail(w, ZSTD_getErrorName(n));
        n = 0;
    }
    packed.n = CHUNK_HEAD_B + n;
    w->packed = w->out;
    w->out = packed;
}

void writer_put(struct tr_writer *w, enum chunk_type type, uint32_t raw_b, struct buf *out,
                const struct stream_entry *streams)
{
    if (w->nchunks == UINT32_MAX)
        fail(w, "the file is too large for its index");
    if (w->failed)
        return;
    struct chunk c = {.type = (uint8_t)type,
                      .packed = type == CHUNK_KERNEL || type == CHUNK_STREAMS,
                      .seq = w->nchunks,
                      .stored_b = (uint32_t)(out->n - CHUNK_HEAD_B),
                      .raw_b = raw_b};
    chunk_seal(&c, out->at, out->at + CHUNK_HEAD_B, w->sum);
    append(w, out->at, out->n);
    w->sum = c.sum;
    w->nchunks++;
    if (type != CHUNK_INDEX)
        index_put(&w->index, &c, streams);
}

/* The batch's list of CTAs goes along: the next batch begins with an empty one. */
static void hold(struct tr_writer *w, enum chunk_type type, uint32_t raw_b)
{
    struct held_chunk h = {.type = type, .raw_b = raw_b, .out = w->out};
    h.out.at = xrealloc(h.out.at, h.out.n);
    h.out.cap = h.out.n;
    if (type == CHUNK_STREAMS) {
        h.streams = w->batch;
        w->batch = (struct stream_entry){0};
    }
    vec_push(&w->part.chunks, h);
    w->part.held_b += w->out.n;
    w->out = (struct buf){0};
}

void writer_chunk(struct tr_writer *w, enum chunk_type type)
{
    size_t raw = w->out.n - CHUNK_HEAD_B;
    if (raw > UINT32_MAX)
        fail(w, "the file is too large for its index");
    if (w->failed)
        return;
    if (type == CHUNK_KERNEL || type == CHUNK_STREAMS)
        pack(w);
    if (w->helps)
        hold(w, type, (uint32_t)raw);
    else
        writer_put(w, type, (uint32_t)raw, &w->out, &w->batch);
}

void writer_start(struct tr_writer *w)
{
    w->batch_b = BATCH_B;
    w->cta_held_b = CTA_HELD_B;
    w->all_held_b = ALL_HELD_B;
    w->zstd = ZSTD_createCCtx();
    if (!w->zstd) {
        fail(w, "out of memory");
        return;
    }
    ZSTD_CCtx_setParameter(w->zstd, ZSTD_c_compressionLevel, ZSTD_LEVEL);
    ZSTD_CCtx_setParameter(w->zstd, ZSTD_c_checksumFlag, 0); /* chunks have their own */
}

struct tr_writer *tr_create(const char *path, const struct tr_info *info, struct diag *d)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0666);
    if (fd < 0) {
        diag_plain(d, "%s: %s", path, strerror(errno));
        return NULL;
    }
    return tr_create_at(fd, path, info);
}

struct tr_writer *tr_create_at(int fd, const char *path, const struct tr_info *info)
{
    struct tr_writer *w = xcalloc(1, sizeof *w);
    w->fd = fd;
    w->path = xstrdup(path);
    w->command = xstrdup(info->command ? info->command : info->program ? info->program : "");
    writer_start(w);
    uint8_t head[FILE_HEAD_B];
    w->sum = file_head_write(head);
    append(w, head, sizeof head);
    struct buf *b = writer_payload(w);
    put_string(b, info->program ? info->program : "");
    put_string(b, info->maker ? info->maker : "");
    writer_chunk(w, CHUNK_INFO);
    return w;
}

uint32_t tr_add_kernel(struct tr_writer *w, const struct tr_kernel *k)
{
    vec_push(&w->kernels, codec_code_new(k));
    size_t folder = folder_length(k->file);
    put_varint(&w->folders, folder);
    put_bytes(&w->folders, k->file, folder);
    w->ninsns += k->n < TRACE_MAX_INSNS ? k->n : TRACE_MAX_INSNS;
    if (k->n > KERNEL_MAX_INSNS || w->ninsns > TRACE_MAX_INSNS)
        fail(w, "more static code than a trace may hold");
    struct buf *b = writer_payload(w);
    if (!w->failed)
        kernel_put(b, k);
    w->kernels_b += b->n - CHUNK_HEAD_B;
    if (b->n - CHUNK_HEAD_B > KERNEL_MAX_B || w->kernels_b > KERNELS_MAX_B)
        fail(w, "more static code than a trace may hold");
    writer_chunk(w, CHUNK_KERNEL);
    return w->kernels.n - 1;
}

void writer_flush_copies(struct tr_writer *w)
{
    if (!w->ncopies)
        return;
    struct buf *b = writer_payload(w);
    put_varint(b, w->ncopies);
    put_bytes(b, w->copies.at, w->copies.n);
    writer_chunk(w, CHUNK_COPIES);
    w->ncopies = 0;
    w->copies.n = 0;
}

void tr_add_copy(struct tr_writer *w, const struct tr_copy *c)
{
    struct buf *b = &w->copies;
    put_le(b, c->kind, 1);
    put_varint(b, w->nlaunches);
    put_varint(b, c->stream);
    put_varint(b, c->addr);
    put_varint(b, c->bytes);
    if (++w->ncopies == COPIES_MAX && !w->in_launch)
        writer_flush_copies(w);
}

uint32_t tr_begin_launch(struct tr_writer *w, const struct tr_launch *l)
{
    assert(!w->in_launch && l->kernel < w->kernels.n);
    writer_flush_copies(w);
    uint64_t threads = (uint64_t)l->block[0] * l->block[1] * l->block[2];
    assert(threads && threads <= TR_WARPS * TR_LANES);
    w->nwarps = (uint32_t)((threads + TR_LANES - 1) / TR_LANES);
    w->nctas = (uint64_t)l->grid[0] * l->grid[1] * l->grid[2];
    w->code = w->kernels.at[l->kernel];
    w->recorded = w->insts = w->threads = 0;
    w->in_launch = true;
    struct buf *b = writer_payload(w);
    put_varint(b, l->kernel);
    for (unsigned i = 0; i < 3; i++)
        put_varint(b, l->grid[i]);
    for (unsigned i = 0; i < 3; i++)
        put_varint(b, l->block[i]);
    put_varint(b, l->dyn_shared_b);
    put_varint(b, l->flags);
    put_varint(b, l->stream);
    put_varint(b, l->nafter);
    for (uint32_t i = 0; i < l->nafter; i++) {
        assert(l->after[i] < w->nlaunches);
        put_varint(b, w->nlaunches - l->after[i]);
    }
    for (unsigned i = 0; i < 3 && tr_cluster(l) > 1; i++) /* as in a file of before there were any */
        put_varint(b, l->cluster[i]);
    writer_chunk(w, CHUNK_LAUNCH);
    return w->nlaunches++;
}

void tr_end_launch(struct tr_writer *w, bool complete)
{
    assert(w->in_launch);
    complete = complete && !w->first;
    writer_drop_ctas(w);
    writer_batch(w);
    struct buf *b = writer_payload(w);
    put_le(b, complete, 1);
    put_varint(b, w->recorded);
    put_varint(b, w->insts);
    put_varint(b, w->threads);
    writer_chunk(w, CHUNK_LAUNCH_END);
    w->in_launch = false;
    if (w->ncopies >= COPIES_MAX)
        writer_flush_copies(w);
}

void tr_miss_launch(struct tr_writer *w) { w->missing++; }

const char *tr_failed(const struct tr_writer *w) { return w->failed; }

void writer_free(struct tr_writer *w)
{
    if (w->spare)
        writer_free_cta(w, w->spare);
    vec_each (&w->kernels, k)
        if (!w->helps)
            free(*k);
    if (!w->helps)
        vec_free(&w->kernels);
    struct buf *const bufs[] = {&w->out,   &w->packed, &w->index, &w->copies, &w->folders,
                                &w->table, &w->ctl,    &w->addr,  &w->val};
    for (unsigned i = 0; i < sizeof bufs / sizeof bufs[0]; i++)
        buf_free(bufs[i]);
    vec_free(&w->batch.groups);
    ZSTD_freeCCtx(w->zstd);
    free(w->path);
    free(w->command);
    free(w->failed);
    free(w);
}

bool tr_close(struct tr_writer *w, struct diag *d)
{
    if (w->in_launch)
        tr_end_launch(w, false);
    writer_flush_copies(w);
    uint64_t index_at = w->size_b;
    struct buf *b = writer_payload(w);
    put_le(b, w->nchunks, 4);
    put_bytes(b, w->index.at, w->index.n);
    put_varint(b, w->missing);
    put_string(b, w->command);
    put_bytes(b, w->folders.at, w->folders.n);
    trailer_put(b, index_at);
    writer_chunk(w, CHUNK_INDEX);
    if (close(w->fd) != 0)
        fail(w, strerror(errno));
    bool ok = !w->failed;
    if (!ok)
        diag_plain(d, "%s", w->failed);
    writer_free(w);
    return ok;
}
