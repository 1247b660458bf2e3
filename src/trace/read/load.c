/* SPDX-License-Identifier: Apache-2.0 */
/* Chunks in memory. Those that open CTAs are in stay; a few that nobody uses any more stay a while, since the next CTA is
 * most often in the chunk of the one before. */
#include "trace/read/reader.h"

#include <errno.h>
#include <unistd.h>

enum { IDLE_MAX_B = 16 << 20 };

bool reader_read(const struct tr_reader *r, uint64_t at, void *to, size_t n)
{
    for (size_t done = 0; done < n;) {
        ssize_t got = pread(r->fd, (char *)to + done, n - done, (off_t)(at + done));
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        done += (size_t)got;
    }
    return true;
}

uint8_t *reader_payload(const struct tr_reader *r, uint32_t chunk, uint32_t *raw_b, const char **why)
{
    const struct reader_chunk *rc = &r->chunks.at[chunk];
    uint64_t before = chunk ? r->chunks.at[chunk - 1].sum : r->head_sum;
    uint8_t *bytes = xmalloc(CHUNK_HEAD_B + (size_t)rc->stored_b), *raw = NULL;
    struct chunk c;
    if (!reader_read(r, rc->at, bytes, CHUNK_HEAD_B + (size_t)rc->stored_b))
        *why = "the file cannot be read";
    else if (!(*why = chunk_read_head(&c, bytes, chunk, before))) {
        if (c.type != rc->type || c.stored_b != rc->stored_b || c.sum != rc->sum)
            *why = "a chunk that is not what the index says";
        else if (!(*why = chunk_check(&c, bytes, bytes + CHUNK_HEAD_B)))
            raw = chunk_unpack(&c, bytes + CHUNK_HEAD_B, CODEC_SLACK_B, why);
        *raw_b = c.raw_b;
    }
    free(bytes);
    return raw;
}

static struct loaded *load(const struct tr_reader *r, uint32_t chunk, const char **why)
{
    const struct reader_chunk *rc = &r->chunks.at[chunk];
    uint32_t raw_b, nwarps = r->launches.at[rc->launch].info.nwarps;
    uint8_t *raw = reader_payload(r, chunk, &raw_b, why);
    if (!raw)
        return NULL;
    struct loaded *l = xcalloc(1, sizeof *l);
    *why = streams_parse(&l->s, raw, raw_b, nwarps);
    const struct stream_entry *e = &l->s.entry;
    if (!*why && (e->groups.n != rc->ngroups || e->insts != rc->insts || e->threads != rc->threads))
        *why = "pieces that are not those of the index";
    if (*why) {
        streams_free(&l->s);
        free(l);
        return NULL;
    }
    l->chunk = chunk;
    l->bytes = raw_b + (size_t)e->groups.n * nwarps * sizeof l->s.pieces[0];
    return l;
}

static void drop_oldest(struct tr_reader *r)
{
    struct loaded *l = r->oldest_idle;
    r->oldest_idle = l->newer;
    if (!r->oldest_idle)
        r->newest_idle = NULL;
    r->idle_b -= l->bytes;
    r->chunks.at[l->chunk].mem = NULL;
    streams_free(&l->s);
    free(l);
}

static void leave_idle(struct tr_reader *r, struct loaded *l)
{
    struct loaded **p = &r->oldest_idle, *before = NULL;
    while (*p != l) {
        before = *p;
        p = &before->newer;
    }
    *p = l->newer;
    if (r->newest_idle == l)
        r->newest_idle = before;
    r->idle_b -= l->bytes;
}

/* CTAs are mostly read in the order in which they were written, so what lies behind is asked for next. */
static void note_asked(struct tr_reader *r, uint32_t chunk)
{
    if (chunk < r->farthest)
        return;
    uint32_t next = r->farthest = chunk + 1;
    while (next < r->chunks.n && r->chunks.at[next].type != CHUNK_STREAMS)
        next++;
    if (next < r->chunks.n && !r->chunks.at[next].mem)
        __atomic_store_n(&r->ahead, next, __ATOMIC_RELAXED);
}

/* asked: it is needed now. */
static struct loaded *acquire(struct tr_reader *r, uint32_t chunk, uint32_t users, bool asked,
                              const char **why)
{
    struct reader_chunk *rc = &r->chunks.at[chunk];
    pthread_mutex_lock(&r->lock);
    if (asked)
        note_asked(r, chunk);
    while (rc->loading)
        pthread_cond_wait(&r->changed, &r->lock);
    struct loaded *l = rc->mem;
    if (!l) {
        rc->loading = true;
        pthread_mutex_unlock(&r->lock);
        l = load(r, chunk, why);
        pthread_mutex_lock(&r->lock);
        rc->loading = false;
        rc->mem = l;
        pthread_cond_broadcast(&r->changed);
    } else if (!l->refs) {
        leave_idle(r, l);
    }
    if (l)
        l->refs += users;
    pthread_mutex_unlock(&r->lock);
    return l;
}

struct loaded *reader_acquire(struct tr_reader *r, uint32_t chunk, uint32_t users, const char **why)
{
    return acquire(r, chunk, users, true, why);
}

bool tr_wants_ahead(const struct tr_reader *r) { return __atomic_load_n(&r->ahead, __ATOMIC_RELAXED) != 0; }

void tr_read_ahead(struct tr_reader *r)
{
    const char *why; /* who needs it will hear of it */
    uint32_t chunk = __atomic_exchange_n(&r->ahead, 0, __ATOMIC_RELAXED);
    struct loaded *l = chunk ? acquire(r, chunk, 1, false, &why) : NULL;
    if (l)
        reader_release(r, l, 1);
}

void reader_release(struct tr_reader *r, struct loaded *l, uint32_t users)
{
    pthread_mutex_lock(&r->lock);
    if ((l->refs -= users) == 0) {
        l->newer = NULL;
        *(r->newest_idle ? &r->newest_idle->newer : &r->oldest_idle) = l;
        r->newest_idle = l;
        r->idle_b += l->bytes;
        while (r->idle_b > IDLE_MAX_B && r->oldest_idle != l)
            drop_oldest(r);
    }
    pthread_mutex_unlock(&r->lock);
}

void reader_free_loaded(struct tr_reader *r)
{
    while (r->oldest_idle)
        drop_oldest(r);
}
