/* An L2 slice: its lines, those on their way from DRAM, who waits for them, and what it answers. */
#include "mem/part.h"

#include <assert.h>

enum { ALL_SECTORS = (1 << LINE_B / SECTOR_B) - 1 };

static void lines_init(struct lines *l, const struct mem_cfg *cfg, uint64_t size_b)
{
    cache_init(&l->tags, size_b, LINE_B, cfg->l2_ways);
    l->misses = xcalloc(cfg->l2_mshrs, sizeof *l->misses);
    for (uint32_t k = 0; k < cfg->l2_mshrs; k++)
        l->misses[k].next = (uint16_t)(k + 1 < cfg->l2_mshrs ? k + 1 : MISS_NONE);
}

/* Halves have as much room for copies as for lines of their own. */
void slice_init(struct slice *s, const struct mem_cfg *cfg, uint32_t id)
{
    uint64_t size_b = (uint64_t)cfg->l2_kb * 1024 / cfg->slices;
    s->id = id;
    s->next = UINT64_MAX;
    lines_init(&s->own, cfg, cfg->halves ? size_b / 2 : size_b);
    if (cfg->halves)
        lines_init(&s->copies, cfg, size_b / 2);
    if (mem_by_channels(cfg) && cfg->l2_plain)
        cache_as_slice(&s->own.tags, cfg->interleave_b / LINE_B, cfg->slices);
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
    free(s->hits.at);
    free(s->back.at);
}

/* ---- lines on their way ---- */

struct miss *miss_new(struct mpart *p, struct lines *in, struct cache_line *to, uint64_t t)
{
    uint16_t i = in->free_miss;
    assert(in->misses); /* every slice has some; clang's analyser cannot know */
    struct miss *m = &in->misses[i];
    in->free_miss = m->next;
    *m = (struct miss){.to = to, .first = WAIT_NONE, .last = WAIT_NONE, .since = t};
    to->fill = i;
    to->pinned = 1;
    p->stats[MS_l2_miss_uses]++;
    return m;
}

static inline void miss_free(struct mpart *p, struct lines *in, uint32_t i, uint64_t t)
{
    struct miss *m = &in->misses[i];
    p->stats[MS_l2_miss_cycles] += t - m->since;
    m->next = in->free_miss;
    in->free_miss = (uint16_t)i;
    m->to->pinned = 0;
}

static inline struct asker asker_of(const struct mem_req *r)
{
    struct asker a = {.tag = r->tag, .sm = r->sm, .kind = r->kind, .sectors = r->sectors};
    if (r->kind == MEM_READ && r->wants_reply && !r->crossed)
        return a;
    if (!r->wants_reply)
        a.kind |= ASKER_SILENT;
    if (r->far && r->kind != MEM_READ)
        a.kind |= ASKER_FAR;
    if (r->crossed)
        a.kind |= ASKER_CROSSED;
    return a;
}

SELDOM static uint32_t more_waiters(struct mpart *p)
{
    uint32_t i = p->waiters.n;
    vec_resize(&p->waiters, i + 1);
    return i;
}

/* Behind others. */
ASIDE static void wait_behind(struct mpart *p, struct miss *m, const struct mem_req *r, uint8_t missing)
{
    uint32_t i = p->free_waiter;
    if (i == WAIT_NONE)
        i = more_waiters(p);
    else
        p->free_waiter = p->waiters.at[i].next;
    p->waiters.at[i] = (struct waiter){.who = asker_of(r), .missing = missing, .next = WAIT_NONE};
    if (m->first == WAIT_NONE)
        m->first = i;
    else
        p->waiters.at[m->last].next = i;
    m->last = i;
}

static inline void waits(struct mpart *p, struct miss *m, const struct mem_req *r, uint8_t missing)
{
    if (m->missing || m->first != WAIT_NONE) {
        wait_behind(p, m, r, missing);
        return;
    }
    m->who = asker_of(r);
    m->missing = missing;
}

void wait_for(struct mpart *p, struct miss *m, const struct mem_req *r, uint8_t missing)
{
    waits(p, m, r, missing);
}

/* ---- replies ---- */

SELDOM static void more_replies(struct mpart *p) { vec_reserve(&p->out, p->out.n + 1); }

/* A reply leaves, `back` cycles later than the interconnect's latency says. */
static inline void leave(struct mpart *p, struct slice *s, uint64_t ready, const struct asker *r,
                         uint32_t sectors, uint64_t back)
{
    uint64_t at = later(ready, s->out_free);
    s->out_free = at + p->reply_cyc[sectors];
    p->stats[MS_icnt_reply_b] += HEADER_B + SECTOR_B * sectors;
    p->stats[MS_icnt_reply_wait] += at - ready;
    if (p->out.n == p->out.cap)
        more_replies(p);
    p->out.at[p->out.n++] = (struct mem_reply){
        .at = at + back + p->icnt_cyc, .tag = r->tag, .sm = r->sm, .kind = r->kind, .sectors = r->sectors};
}

/* To others than plain reads. */
ASIDE static void reply_aside(struct mpart *p, struct slice *s, uint64_t ready, const struct asker *r)
{
    if (r->kind & ASKER_CROSSED) {
        cross_back(p, s, ready, r);
    } else if (!(r->kind & ASKER_SILENT)) {
        struct asker to = *r;
        to.kind &= (uint8_t)~ASKER_FAR;
        leave(p, s, ready, &to, to.kind == MEM_WRITE ? 0 : mem_sectors(r->sectors),
              r->kind & ASKER_FAR ? p->cfg->cross_cyc - p->cfg->cross_cyc / 2 : 0);
    }
}

static inline void reply(struct mpart *p, struct slice *s, uint64_t ready, const struct asker *r)
{
    if (r->kind == MEM_READ)
        leave(p, s, ready, r, mem_sectors(r->sectors), 0);
    else
        reply_aside(p, s, ready, r);
}

/* ---- DRAM ---- */

static uint64_t local_of(const struct mpart *p, uint64_t line) { return mem_place(p->cfg, line).local; }

ASIDE static void push_writes(struct mpart *p, uint64_t now)
{
    while (p->writes.n && !dram_full(&p->dram, true)) {
        struct evicted *w = ring_head(&p->writes);
        dram_push(&p->dram, later(now, w->at), local_of(p, w->line), 0, w->sectors, true);
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
    ring_push(&p->writes,
              (struct evicted){.at = t + p->cfg->dram_cyc / 2, .line = r->line, .sectors = r->sectors});
    mpart_drain(p, t);
}

/* DRAM's name for a read: which miss of which slice it is for. */
static uint32_t name_of(const struct slice *s, const struct miss *m)
{
    return s->id << 16 | (uint32_t)(m - s->own.misses);
}

/* Those behind the first that have all they wait for. */
ASIDE static void fill_others(struct mpart *p, struct slice *s, struct miss *m, uint8_t sectors, uint64_t at)
{
    uint32_t *link = &m->first, last = WAIT_NONE;
    while (*link != WAIT_NONE) {
        uint32_t i = *link;
        struct waiter *w = &p->waiters.at[i];
        w->missing &= (uint8_t)~sectors;
        if (w->missing) {
            last = i;
            link = &w->next;
            continue;
        }
        reply(p, s, at, &w->who);
        *link = w->next;
        w->next = p->free_waiter;
        p->free_waiter = i;
    }
    m->last = last;
}

static inline void fill(struct mpart *p, struct slice *s, struct lines *to, uint32_t miss, uint8_t sectors,
                        uint64_t at)
{
    struct miss *m = &to->misses[miss];
    uint8_t missing = m->missing, pending = m->pending & (uint8_t)~sectors;
    m->missing = missing & (uint8_t)~sectors;
    m->pending = pending;
    m->to->valid |= p->plain || !p->cfg->l2_store_fetch ? sectors : ALL_SECTORS;
    if (missing && !(missing & ~sectors))
        reply(p, s, at, &m->who);
    if (m->first != WAIT_NONE)
        fill_others(p, s, m, sectors, at);
    if (!pending)
        miss_free(p, to, miss, at);
}

void slice_fill(struct mpart *p, struct slice *s, struct lines *to, uint32_t miss, uint8_t sectors,
                uint64_t at)
{
    fill(p, s, to, miss, sectors, at);
}

bool mpart_fills(struct mpart *p, uint64_t t)
{
    do {
        const struct dram_done *f = ring_head(&p->fills);
        struct slice *s = &p->slices[f->who >> 16];
        if (!f->write)
            fill(p, s, &s->own, f->who & 0xffff, f->sectors, f->at);
        ring_pop(&p->fills);
        p->fills_next = p->fills.n ? ring_head(&p->fills)->at : UINT64_MAX;
    } while (p->fills_next <= t);
    return true;
}

/* ---- requests ---- */

static inline bool channel_full(const struct mpart *p)
{
    return dram_full(&p->dram, false) || p->writes.n > p->cfg->write_queue;
}

/* Whole blocks of l2_fetch_b. */
static uint8_t neighbours(const struct mpart *p, uint8_t sectors)
{
    uint8_t all = 0, block = (uint8_t)((1u << p->cfg->l2_fetch_b / SECTOR_B) - 1);
    for (; block; block = (uint8_t)(block << p->cfg->l2_fetch_b / SECTOR_B) & ALL_SECTORS)
        all |= block & sectors ? block : 0;
    return all;
}

/* Data leaves in the order of the lookups; that of a whole line, of both halves, takes longer. */
static inline void hits(struct mpart *p, struct slice *s, const struct mem_req *r, uint64_t t)
{
    uint64_t ready = t + p->cfg->l2_cyc + (both_halves(r->sectors) ? p->cfg->l2_line_cyc : 0);
    uint64_t last = s->hits.n ? s->hits.at[(s->hits.head + s->hits.n - 1) & (s->hits.cap - 1)].ready : 0;
    ring_push(&s->hits, (struct hit){.ready = later(ready, last), .who = asker_of(r)});
}

void slice_hit(struct mpart *p, struct slice *s, const struct mem_req *r, uint64_t t) { hits(p, s, r, t); }

/* Looks the request up at its home, at cycle t. False: it must wait for a fill or for room in the channel. */
INTO bool home_access(struct mpart *p, struct slice *s, struct input *in, const struct arrival *a, uint64_t t,
                      bool plain)
{
    const struct mem_req *r = &a->req;
    bool store_fetch = !plain && p->cfg->l2_store_fetch, stays = r->kind == MEM_WRITE && !store_fetch;
    uint64_t line = r->line / LINE_B;
    struct lines *own = &s->own;
    struct cache_line *l = cache_find_at(&own->tags, a->at, line, true);
    uint8_t valid = l ? l->valid : 0, missing = stays ? 0 : (uint8_t)(r->sectors & ~valid), fetch = 0;
    bool through = missing && store_fetch && r->kind == MEM_WRITE;
    struct miss *m = NULL;
    if (missing) {
        m = l && l->pinned ? &own->misses[l->fill] : NULL;
        uint8_t pending = m ? m->pending : 0;
        if (m && store_fetch)
            missing = pending; /* what was asked for stands for the line */
        fetch = (uint8_t)(missing & ~pending);
        if (!plain && fetch && p->cfg->l2_fetch_b > SECTOR_B)
            fetch = (uint8_t)(neighbours(p, fetch) & ~(valid | pending));
        in->starved = (fetch || through) && channel_full(p);
        if (in->starved || (fetch && !m && own->free_miss == MISS_NONE))
            return false;
    }
    if (!l) {
        l = cache_victim(&own->tags, a->at);
        if (!l) {
            in->starved = false;
            return false;
        }
        p->stats[MS_l2_evictions] += l->tag != 0;
        if (l->dirty)
            write_back(p, l, t);
        cache_replace(&own->tags, a->at, l, line);
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
        copy_drop(p, s, line, r->sectors);
    if (!missing) {
        hits(p, s, r, t);
        return true;
    }
    if (!m)
        m = miss_new(p, own, l, t);
    if (fetch) {
        m->pending |= fetch;
        dram_push(&p->dram, t + p->to_dram_cyc, a->local, name_of(s, m), fetch, false);
    }
    waits(p, m, r, missing);
    return true;
}

/* Cycles that a request takes the input of its slice for. */
static inline uint64_t input_cyc(struct mpart *p, struct slice *s, const struct mem_req *r)
{
    if (r->kind == MEM_READ)
        return p->read_cyc;
    uint64_t cyc = (packet_b(r) + p->cfg->icnt_slice_b - 1) / p->cfg->icnt_slice_b;
    if (r->kind != MEM_ATOMIC || p->cfg->atom_cyc == 0)
        return cyc;
    uint32_t passes = mem_sectors(r->sectors) + r->again;
    uint32_t busy = s->atom_rest + (uint32_t)(passes * p->cfg->atom_cyc * 256);
    s->atom_rest = busy % 256;
    return busy / 256 > cyc ? busy / 256 : cyc;
}

/* The cycle in which the head of an input can be served, if nothing keeps it. */
static inline uint64_t serve_next(const struct mpart *p, const struct slice *s, const struct input *in)
{
    return later(p->arrivals.at[in->q.head].req.at, s->in_free);
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

/* The head of an input at cycle t. False: it has to wait. */
INTO bool serve(struct mpart *p, struct slice *s, struct input *in, uint64_t t, bool plain)
{
    uint32_t i = in->q.head;
    const struct arrival *a = &p->arrivals.at[i];
    bool served;
    if (!plain && a->req.far && in == &s->in) {
        struct arrival far = *a; /* what crosses is put beside it, and the pool may move */
        served = copy_access(p, s, &far, t);
    } else {
        served = home_access(p, s, in, a, t, plain);
    }
    mpart_drain(p, t);
    if (!served) {
        block(p, in, t);
        return false;
    }
    struct arrival *done = &p->arrivals.at[i];
    if (in->blocked)
        unblock(p, in, t);
    p->stats[MS_icnt_wait] += t - done->req.at;
    s->in_free = t + input_cyc(p, s, &done->req);
    in->q.head = done->next;
    in->n--;
    done->next = p->free_arrival;
    p->free_arrival = i;
    return true;
}

/* Nothing but room lets a starved one go on: what it lacks was not asked for by others. The other input may have the slice first;
 * then it is looked at again when that is done. Returns the cycle of the next request. */
INTO uint64_t serve_all(struct mpart *p, struct slice *s, struct input *in, uint64_t t, bool room, bool plain)
{
    if (in->blocked && room && !(in->starved && channel_full(p)))
        in->again = true;
    while (in->n && (!in->blocked || in->again)) {
        uint64_t at = serve_next(p, s, in);
        if (at > t)
            return at;
        serve(p, s, in, in->blocked ? t : at, plain);
    }
    return UINT64_MAX;
}

/* What leaves the pipeline by cycle t. */
static inline void give_hits(struct mpart *p, struct slice *s, uint64_t t)
{
    while (s->hits.n) {
        const struct hit *h = ring_head(&s->hits);
        if (h->ready > t)
            return;
        reply(p, s, h->ready, &h->who);
        ring_pop(&s->hits);
    }
}

static inline uint64_t hits_next(const struct slice *s)
{
    return s->hits.n ? ring_head(&s->hits)->ready : UINT64_MAX;
}

void slice_cycle(struct mpart *p, struct slice *s, uint64_t t, bool room)
{
    give_hits(p, s, t);
    uint64_t next = UINT64_MAX;
    if (p->cfg->halves)
        next = serve_all(p, s, &s->crossed, t, room, false);
    next = sooner(next, serve_all(p, s, &s->in, t, room, false));
    if (s->back.n)
        next = sooner(next, ring_head(&s->back)->at);
    s->next = sooner(next, hits_next(s));
}

void slice_cycle_plain(struct mpart *p, struct slice *s, uint64_t t, bool room)
{
    give_hits(p, s, t);
    uint64_t next = serve_all(p, s, &s->in, t, room, true);
    s->next = sooner(next, hits_next(s));
}

void slice_push(struct mpart *p, struct slice *s, struct input *in, uint32_t i)
{
    append_arrival(p, &in->q, !in->n, i);
    if (!in->n++ && !in->blocked)
        slice_due(p, s, serve_next(p, s, in));
}
