/* SPDX-License-Identifier: Apache-2.0 */
/* The writer's CTA side: each warp of an open CTA has an encoder; finished pieces go into the batch that becomes the next
 * streams chunk. What all of it holds together is bounded. */
#include "trace/write/writer.h"

#include <assert.h>

/* ---- the batch ---- */

void writer_batch(struct tr_writer *w)
{
    if (!w->batch.groups.n)
        return;
    struct buf *b = writer_payload(w);
    put_varint(b, w->batch.groups.n);
    const struct buf *const parts[] = {&w->table, &w->ctl, &w->addr, &w->val};
    for (unsigned i = 0; i < 4; i++)
        put_bytes(b, parts[i]->at, parts[i]->n);
    writer_chunk(w, CHUNK_STREAMS);
    w->table.n = w->ctl.n = w->addr.n = w->val.n = 0;
    vec_clear(&w->batch.groups);
    w->batch.insts = w->batch.threads = 0;
}

static size_t batch_bytes(const struct tr_writer *w) { return w->table.n + w->ctl.n + w->addr.n + w->val.n; }

/* Most pieces have all lanes active most of the time: lanes that were not are the smaller number. */
static void add_piece(struct tr_writer *w, struct encoder *e)
{
    encode_end(e);
    put_varint(&w->table, e->insts);
    put_varint(&w->table, e->insts * TR_LANES - e->threads);
    put_varint(&w->table, e->ctl.n);
    put_varint(&w->table, e->addr.n);
    put_varint(&w->table, e->val.n);
    put_bytes(&w->ctl, e->ctl.at, e->ctl.n);
    put_bytes(&w->addr, e->addr.at, e->addr.n);
    put_bytes(&w->val, e->val.at, e->val.n);
}

/* The pieces of all warps of the CTA so far; its encoders start anew. */
static void add_group(struct tr_writer *w, struct open_cta *c, bool last)
{
    uint32_t before = w->batch.groups.n ? w->batch.groups.at[w->batch.groups.n - 1].cta : UINT32_MAX;
    struct group g = {.cta = c->id,
                      .flags = (uint8_t)((c->begun ? 0 : GROUP_FIRST) | (last ? GROUP_LAST : 0))};
    put_varint(&w->table, zigzag((uint64_t)c->id - (uint32_t)(before + 1)) << 2 | g.flags);
    for (uint32_t i = 0; i < w->nwarps; i++) {
        struct encoder *e = &c->warps[i];
        add_piece(w, e);
        g.insts += e->insts;
        g.threads += e->threads;
        encoder_start(e);
    }
    c->begun = true;
    c->insts += g.insts;
    c->threads += g.threads;
    w->batch.insts += g.insts;
    w->batch.threads += g.threads;
    vec_push(&w->batch.groups, g);
    if (batch_bytes(w) >= w->batch_b || w->batch.groups.n == GROUPS_MAX)
        writer_batch(w);
}

/* ---- open CTAs ---- */

struct open_cta *writer_find_cta(struct tr_writer *w, uint32_t id)
{
    if (w->recent && w->recent->id == id)
        return w->recent;
    struct open_cta *c = w->buckets[id % CTA_BUCKETS];
    while (c && c->id != id)
        c = c->chain;
    return w->recent = c;
}

static void unlink_cta(struct tr_writer *w, struct open_cta *c)
{
    struct open_cta **p = &w->buckets[c->id % CTA_BUCKETS];
    while (*p != c)
        p = &(*p)->chain;
    *p = c->chain;
    *(c->prev ? &c->prev->next : &w->first) = c->next;
    *(c->next ? &c->next->prev : &w->last) = c->prev;
    if (w->recent == c)
        w->recent = NULL;
}

static void release_buffers(struct tr_writer *w, struct open_cta *c)
{
    for (uint32_t i = 0; i < w->nwarps; i++)
        encoder_free(&c->warps[i]);
    w->held_b -= c->held_b;
    c->held_b = 0;
}

void writer_free_cta(struct tr_writer *w, struct open_cta *c)
{
    release_buffers(w, c);
    free(c);
}

/* One closed CTA is kept: most launches have one open at a time, and the next one finds its buffers made. */
static void retire(struct tr_writer *w, struct open_cta *c)
{
    unlink_cta(w, c);
    if (w->spare || c->held_b > w->cta_held_b)
        writer_free_cta(w, c);
    else
        w->spare = c;
}

void writer_drop_ctas(struct tr_writer *w)
{
    while (w->first) {
        struct open_cta *c = w->first;
        unlink_cta(w, c);
        writer_free_cta(w, c);
    }
    if (w->spare)
        writer_free_cta(w, w->spare);
    w->spare = NULL;
}

void tr_begin_cta(struct tr_writer *w, uint32_t cta)
{
    assert(w->in_launch && cta < w->nctas && !writer_find_cta(w, cta));
    struct open_cta *c = w->spare;
    if (!c)
        c = xcalloc(1, sizeof *c + w->nwarps * sizeof c->warps[0]);
    w->spare = NULL;
    c->id = cta;
    c->begun = false;
    c->insts = c->threads = 0;
    for (uint32_t i = 0; i < w->nwarps; i++)
        encoder_start(&c->warps[i]);
    c->chain = w->buckets[cta % CTA_BUCKETS];
    w->buckets[cta % CTA_BUCKETS] = c;
    c->prev = w->last;
    c->next = NULL;
    *(w->last ? &w->last->next : &w->first) = c;
    w->last = w->recent = c;
}

void tr_end_cta(struct tr_writer *w, uint32_t cta)
{
    struct open_cta *c = writer_find_cta(w, cta);
    assert(c);
    add_group(w, c, true);
    w->recorded++;
    w->insts += c->insts;
    w->threads += c->threads;
    retire(w, c);
}

static void flush(struct tr_writer *w, struct open_cta *c)
{
    add_group(w, c, false);
    release_buffers(w, c);
}

/* Before a buffer grows is when a CTA may have to write what it has. */
void writer_make_room(struct tr_writer *w, struct open_cta *c, struct encoder *e)
{
    if (c->held_b > w->cta_held_b)
        flush(w, c);
    else if (w->held_b > w->all_held_b)
        for (struct open_cta *o = w->first; o; o = o->next)
            flush(w, o);
    size_t before =
        e->ctl.cap + e->addr.cap + e->val.cap + (e->base ? w->code->nslots * sizeof e->base[0] : 0);
    encoder_reserve(e, w->code);
    size_t after =
        e->ctl.cap + e->addr.cap + e->val.cap + (e->base ? w->code->nslots * sizeof e->base[0] : 0);
    c->held_b += after - before;
    w->held_b += after - before;
}

void tr_insn(struct tr_writer *w, uint32_t cta, uint32_t warp, uint32_t at, uint32_t mask, uint8_t space,
             const uint64_t *const addrs[2], const uint8_t *values)
{
    struct open_cta *c = writer_find_cta(w, cta);
    assert(c && warp < w->nwarps && at < w->code->n);
    struct encoder *e = &c->warps[warp];
    struct codec_sets sets = {0};
    if (addrs)
        memcpy(sets.list, addrs, sizeof sets.list);
    writer_room(w, c, e, w->code->insns[at].naddr || w->code->insns[at].nparam);
    encode_insn(e, w->code, at, mask, space, &sets, values);
}
