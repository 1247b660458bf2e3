/* SPDX-License-Identifier: Apache-2.0 */
/* An L2 slice: its lines, those on their way from DRAM, who waits for them, and what it answers. */
#include "mem/part.h"

static void lines_init(struct lines *l, struct slice *of, const struct mem_cfg *cfg, uint64_t size_b)
{
    cache_init(&l->tags, size_b, LINE_B, cfg->l2_ways);
    l->misses = xmalloc(cfg->l2_mshrs * sizeof *l->misses);
    for (uint32_t k = cfg->l2_mshrs; k--;) {
        l->misses[k] = (struct miss){.of = of, .id = (uint16_t)k, .next = l->free_miss};
        l->free_miss = &l->misses[k];
    }
}

/* Halves have as much room for copies as for lines of their own, or one place for both. */
void slice_init(struct slice *s, const struct mem_cfg *cfg)
{
    uint64_t size_b = (uint64_t)cfg->l2_kb * 1024 / cfg->slices;
    s->next = UINT64_MAX;
    bool apart = cfg->halves && !cfg->halves_shared;
    lines_init(&s->own, s, cfg, apart ? size_b / 2 : size_b);
    if (cfg->halves)
        lines_init(&s->copies, s, cfg, apart ? size_b / 2 : LINE_B);
    s->met = cfg->join_cyc ? xcalloc(MEETINGS, sizeof *s->met) : NULL;
    s->copy_tags = apart ? &s->copies.tags : &s->own.tags;
    if (cfg->l2_plain) {
        bool twice = cfg->halves && cfg->interleave_twice;
        cache_as_slice(&s->own.tags, cfg->interleave_b / LINE_B, cfg->slices, twice);
        if (apart)
            cache_as_slice(&s->copies.tags, cfg->interleave_b / LINE_B, cfg->slices, twice);
    }
}

static void lines_free(struct lines *l)
{
    cache_free(&l->tags);
    free(l->misses);
}

void slice_free(struct slice *s)
{
    lines_free(&s->own);
    lines_free(&s->copies);
    free(s->in.q.at);
    free(s->crossed.q.at);
    free(s->hits.at);
    free(s->back.at);
    free(s->joined.at);
    free(s->met);
}

/* ---- DRAM ---- */

ASIDE static void push_writes(struct mpart *p, uint64_t now)
{
    while (p->writes.n && !dram_full(&p->dram, true)) {
        struct evicted *w = ring_head(&p->writes);
        dram_push(&p->dram, later(now, w->at), w->line, 0, w->sectors, true);
        ring_pop(&p->writes);
    }
}

void mpart_drain(struct mpart *p, uint64_t now)
{
    if (p->writes.n)
        push_writes(p, now);
}

/* Dirty sectors of a line that is replaced; they wait outside when the channel is full, and go before new reads. */
ASIDE static void write_back(struct mpart *p, const struct cache_line *old, uint64_t now)
{
    p->stats[MS_l2_writebacks] += mem_sectors(old->dirty);
    ring_push(&p->writes,
              (struct evicted){.at = now, .line = (old->tag - 1) * LINE_B, .sectors = old->dirty});
}

/* A store that L2 does not keep: before the fetch of its line. */
static void write_through(struct mpart *p, const struct mem_req *r, uint64_t t)
{
    ring_push(&p->writes, (struct evicted){.at = t + p->to_dram_cyc, .line = r->line, .sectors = r->sectors});
    mpart_drain(p, t);
}

/* A miss's sectors are read; that is DRAM's name for it. */
static inline void fetch_for(struct mpart *p, struct miss *m, uint64_t line, uint8_t sectors, uint64_t t)
{
    dram_push(&p->dram, t + p->to_dram_cyc, line, (uintptr_t)m, sectors, false);
}

/* ---- requests ---- */

/* Where a read meets others of its line and group. */
static struct meeting *meeting_of(const struct slice *s, const struct mem_req *r)
{
    return &s->met[cache_hash(r->line / LINE_B << 8 | r->group) >> (32 - MEETING_BITS)];
}

/* With the data of the read that it has met, as far as that is known. */
static void join_hit(struct slice *s, const struct mem_req *r, uint64_t ready, uint64_t t)
{
    const struct meeting *q = meeting_of(s, r);
    if (q->line == r->line && q->group == r->group && q->ready && q->ready < ready)
        ready = later(q->ready, t);
    ring_push(&s->joined, (struct hit){.ready = ready, .who = asker_of(r)});
    for (uint32_t i = s->joined.n - 1; i && ring_from_head(&s->joined, i - 1)->ready > ready; i--) {
        struct hit last = *ring_from_head(&s->joined, i);
        *ring_from_head(&s->joined, i) = *ring_from_head(&s->joined, i - 1);
        *ring_from_head(&s->joined, i - 1) = last;
    }
}

/* Data leaves in the order of the lookups; that of a whole line, of both halves, takes longer. */
void slice_hit(struct mpart *p, struct slice *s, const struct mem_req *r, uint64_t t)
{
    uint64_t ready = t + p->hit_cyc[both_halves(r->sectors)];
    uint64_t last = s->hits.n ? ring_last(&s->hits)->ready : 0;
    ready = later(ready, last);
    if (r->joined) {
        join_hit(s, r, ready, t);
        return;
    }
    if (r->met)
        meeting_of(s, r)->ready = ready;
    ring_push(&s->hits, (struct hit){.ready = ready, .who = asker_of(r)});
}

/* Room for a line, or NULL: all of its set are on their way. */
INTO struct cache_line *make_room(struct mpart *p, struct cache *tags, struct cache_at at, uint64_t line,
                                  uint64_t t)
{
    struct cache_line *l = cache_victim(tags, at);
    if (!l)
        return NULL;
    p->stats[MS_l2_evictions] += l->tag != 0;
    if (l->dirty)
        write_back(p, l, t);
    cache_replace(tags, at, l, line);
    return l;
}

struct cache_line *slice_room(struct mpart *p, struct cache *tags, struct cache_at at, uint64_t line,
                              uint64_t t)
{
    return make_room(p, tags, at, line, t);
}

/* The same as home_access, of a read whose line is not there, if the partition is plain. */
INTO bool read_absent(struct mpart *p, struct slice *s, struct input *in, const struct mem_req *r, uint64_t t)
{
    struct lines *own = &s->own;
    uint8_t sectors = r->sectors;
    struct cache_line *l;
    in->absent = true;
    in->starved = channel_full(p);
    if (in->starved || !own->free_miss || !(l = make_room(p, &own->tags, in->at[0], r->line / LINE_B, t)))
        return false;
    p->stats[MS_l2_reads] += mem_sectors(sectors);
    struct miss *m = miss_new(p, own, l, t);
    m->pending = sectors;
    wait_first(m, r, sectors);
    fetch_for(p, m, r->line, sectors, t);
    return true;
}

/* Looks the request up at its home, at cycle t. False: it must wait for a fill or for room in the channel. */
INTO bool home_access(struct mpart *p, struct slice *s, struct input *in, const struct mem_req *r, uint64_t t,
                      bool plain)
{
    bool store_fetch = !plain && p->cfg->l2_store_fetch, stays = r->kind == MEM_WRITE && !store_fetch;
    uint64_t line = r->line / LINE_B;
    struct lines *own = &s->own;
    struct cache_line *l = plain && in->absent ? NULL : cache_find_at(&own->tags, in->at[0], line, true);
    if (plain && !l && r->kind == MEM_READ)
        return read_absent(p, s, in, r, t);
    uint8_t valid = l ? l->valid : 0, missing = stays ? 0 : (uint8_t)(r->sectors & ~valid), fetch = 0;
    bool through = missing && store_fetch && r->kind == MEM_WRITE;
    struct miss *m = NULL;
    if (missing) {
        m = l && l->pinned ? &own->misses[l->fill] : NULL;
        uint8_t pending = m ? m->pending : 0;
        if (m && store_fetch)
            missing = pending; /* what was asked for stands for the line */
        fetch = (uint8_t)(missing & ~pending);
        if (!plain)
            fetch = p->around[fetch] & (uint8_t) ~(valid | pending);
        in->starved = (fetch || through) && channel_full(p);
        in->absent = !l;
        if (in->starved || (fetch && !m && !own->free_miss))
            return false;
    }
    if (!l) {
        l = make_room(p, &own->tags, in->at[0], line, t);
        if (!l) {
            in->starved = false;
            return false;
        }
    }
    uint64_t n = mem_sectors(r->sectors);
    if (r->kind == MEM_READ) {
        p->stats[MS_l2_reads] += n;
        if (fetch != r->sectors) {
            p->stats[MS_l2_read_hits] += n - mem_sectors(missing);
            p->stats[MS_l2_read_merged] += mem_sectors(missing & ~fetch);
        }
    } else if (r->kind == MEM_WRITE) {
        p->stats[MS_l2_writes] += n;
        p->stats[MS_l2_write_hits] += mem_sectors(l->valid & r->sectors);
    } else {
        p->stats[MS_l2_atomics] += n;
    }
    if (r->kind != MEM_READ && !through)
        l->dirty |= r->sectors;
    if (stays)
        l->valid |= r->sectors;
    if (through)
        write_through(p, r, t);
    if (!plain && p->cfg->halves && (r->kind == MEM_ATOMIC || (r->kind == MEM_WRITE && !r->far)))
        copy_drop(s, r);
    if (!missing) {
        slice_hit(p, s, r, t);
        return true;
    }
    bool first = !m;
    if (first)
        m = miss_new(p, own, l, t);
    if (fetch) {
        m->pending |= fetch;
        fetch_for(p, m, r->line, fetch, t);
    }
    if (first || fetch != missing || !wait_as_first(m, r, missing))
        wait_for(p, m, r, missing);
    return true;
}

/* Sectors follow each other at the slice's rate. Lanes that meet in a word wait for each other, and so do additions of
 * floating point on one sector, which take longer. Where all take the same, they are counted before they are multiplied:
 * the caller rounds the product to 1/CYCLE. */
static double atom_cyc(const struct mem_cfg *c, struct slice *s, const struct mem_req *r)
{
    uint32_t sectors = mem_sectors(r->sectors);
    bool is_float = r->is_float && c->atom_float_cyc > 0, is_wide = r->is_wide && c->atom_wide_cyc > 0;
    if (!is_float && !is_wide)
        return (sectors + r->again) * c->atom_cyc;
    double first = sectors * (is_wide ? c->atom_wide_cyc : c->atom_cyc);
    if (!is_float)
        return first + r->again * c->atom_cyc;
    bool same = s->atom_line == r->line && s->atom_sectors & r->sectors;
    s->atom_line = r->line;
    s->atom_sectors = r->sectors;
    return (same && first < c->atom_float_cyc ? c->atom_float_cyc : first) + r->again * c->atom_float_cyc;
}

/* Cycles that a request takes the input of its slice for. An atomic takes longer where it is done: `home`. */
static inline uint64_t input_cyc(struct mpart *p, struct slice *s, const struct mem_req *r, bool home)
{
    uint32_t takes = r->kind == MEM_READ ? p->read_cyc : packet_cyc(p, packet_b(r));
    bool slow = r->kind == MEM_ATOMIC && home && p->cfg->atom_cyc > 0;
    uint32_t busy = s->in_rest + (slow ? (uint32_t)(atom_cyc(p->cfg, s, r) * p->l2_cycle) : takes);
    s->in_rest = busy % CYCLE;
    return slow && busy / CYCLE < takes / CYCLE ? takes / CYCLE : busy / CYCLE;
}

static void block(struct mpart *p, struct input *in, uint64_t t)
{
    in->again = false;
    if (in->blocked)
        return;
    in->blocked = t;
    p->nblocked++;
}

static void unblock(struct mpart *p, struct input *in, uint64_t t)
{
    p->stats[MS_l2_stall] += t - in->blocked;
    in->blocked = 0;
    in->again = false;
    p->nblocked--;
}

/* Is there a read of its group by another SM with its sectors, whose packet has not left? If not others may go with this one. */
ASIDE static bool meets(const struct mpart *p, struct slice *s, const struct mem_req *r, uint64_t t)
{
    struct meeting *q = meeting_of(s, r);
    if (q->until >= r->at && q->line == r->line && q->group == r->group && q->sm != r->sm &&
        !(r->sectors & ~q->sectors))
        return true;
    *q = (struct meeting){.until = later(t, s->out_free) + p->join_cyc,
                          .line = r->line,
                          .sm = r->sm,
                          .group = r->group,
                          .sectors = r->sectors};
    return false;
}

/* The head of an input at cycle t. False: it has to wait. */
INTO bool serve(struct mpart *p, struct slice *s, struct input *in, uint64_t t, bool plain)
{
    struct mem_req *r = ring_head(&in->q);
    if (s->met && r->kind == MEM_READ && r->wants_reply && !r->crossed && !r->met) {
        r->met = 1;
        r->joined = meets(p, s, r, t);
    }
    bool home = plain || !r->far || in != &s->in;
    bool served = home ? home_access(p, s, in, r, t, plain) : copy_access(p, s, r, in->at[0], t);
    mpart_drain(p, t);
    if (!served) {
        block(p, in, t);
        return false;
    }
    if (in->blocked)
        unblock(p, in, t);
    p->stats[MS_icnt_wait] += t - r->at;
    s->in_free = t + input_cyc(p, s, r, home);
    ring_pop(&in->q);
    in->absent = false;
    if (in->q.n) {
        in->at[0] = in->at[1];
        if (plain)
            cache_expect_line(in->at[0]);
        if (in->q.n > 1)
            input_expect(s, in, 1, plain);
    }
    return true;
}

/* Nothing but room lets a starved one go on: what it lacks was not asked for by others. The other input may have the slice first;
 * then it is looked at again when that is done. Returns the cycle of the next request. */
INTO uint64_t serve_all(struct mpart *p, struct slice *s, struct input *in, uint64_t t, bool room)
{
    if (!in->q.n)
        return UINT64_MAX;
    if (in->blocked && room && !(in->starved && channel_full(p)))
        in->again = true;
    while (in->q.n && (!in->blocked || in->again)) {
        uint64_t at = serve_next(s, in);
        if (at > t)
            return at;
        serve(p, s, in, in->blocked ? t : at, false);
    }
    return UINT64_MAX;
}

/* What leaves the pipeline by cycle t. */
static inline void give_hits(struct mpart *p, struct slice *s, uint64_t t)
{
    for (; s->hits.n && ring_head(&s->hits)->ready <= t; ring_pop(&s->hits))
        slice_reply(p, s, ring_head(&s->hits)->ready, &ring_head(&s->hits)->who);
    for (; s->joined.n && ring_head(&s->joined)->ready <= t; ring_pop(&s->joined))
        slice_reply(p, s, ring_head(&s->joined)->ready, &ring_head(&s->joined)->who);
}

static inline uint64_t hits_next(const struct slice *s)
{
    uint64_t t = s->joined.n ? ring_head(&s->joined)->ready : UINT64_MAX;
    return s->hits.n ? sooner(t, ring_head(&s->hits)->ready) : t;
}

void slice_cycle(struct mpart *p, struct slice *s, uint64_t t, bool room)
{
    give_hits(p, s, t);
    uint64_t next = UINT64_MAX;
    if (p->cfg->halves)
        next = serve_all(p, s, &s->crossed, t, room);
    next = sooner(next, serve_all(p, s, &s->in, t, room));
    s->next = sooner(next, hits_next(s));
}

/* The head's turn is at `at`, the cycle after this one. Is it known now that it will have to wait for room in the channel? That
 * is full, and has reads to start, none before; what others send to it until then are writes, of which it can take some
 * more. */
INTO bool will_starve(const struct mpart *p, struct slice *s, const struct input *in, uint64_t at)
{
    const struct dram *d = &p->dram;
    const struct mem_req *r = ring_head(&in->q);
    return dram_full(d, false) && d->bound >= (at + 1) * DRAM_SCALE && !d->draining && !p->writes.n &&
           d->n[1] + 2 * p->nslices < d->most[1] && at < p->until && r->kind != MEM_WRITE &&
           !cache_find_at(&s->own.tags, in->at[0], r->line / LINE_B, false);
}

/* The same as serve_all, of the only input that there is: who waits has waited since the input was free. */
static inline uint64_t serve_plain(struct mpart *p, struct slice *s, uint64_t t, bool room)
{
    struct input *in = &s->in;
    if (!in->q.n || (in->blocked && !room))
        return UINT64_MAX;
    uint64_t at = in->blocked ? t : serve_next(s, in);
    for (; at <= t; at = serve_next(s, in))
        if (!serve(p, s, in, at, true) || !in->q.n)
            return UINT64_MAX;
    if (at > t + 1 || !will_starve(p, s, in, at))
        return at;
    block(p, in, at);
    in->starved = in->absent = true;
    return UINT64_MAX;
}

void slice_cycle_plain(struct mpart *p, struct slice *s, uint64_t t, bool room)
{
    if (s->hits.n)
        give_hits(p, s, t);
    uint64_t next = serve_plain(p, s, t, room);
    s->next = s->hits.n ? sooner(next, ring_head(&s->hits)->ready) : next;
}

void slice_push(struct mpart *p, struct slice *s, const struct mem_req *a)
{
    struct input *in = &s->crossed;
    ring_push(&in->q, *a);
    if (in->q.n > 2)
        return;
    input_expect(s, in, in->q.n - 1, false);
    if (in->q.n == 1)
        slice_due(p, s, serve_next(s, in));
}
