/* L2 slices and their channel, event by event: a fill comes from DRAM, a hit leaves the pipeline, a request arrives. */
#include "mem/part.h"
#include "base/hint.h"

#include <assert.h>

enum { HEADER_B = 8 /* of a packet */, ALL_SECTORS = (1 << LINE_B / SECTOR_B) - 1 };

void mpart_init(struct mpart *p, const struct mem_cfg *cfg, double core_mhz, uint32_t id)
{
    *p = (struct mpart){.cfg = cfg,
                        .id = id,
                        .nslices = cfg->slices / cfg->channels,
                        .next = UINT64_MAX,
                        .slices_next = UINT64_MAX,
                        .fills_next = UINT64_MAX,
                        .free_waiter = WAIT_NONE,
                        .free_arrival = WAIT_NONE};
    p->slices = xcalloc(p->nslices, sizeof *p->slices);
    for (uint32_t i = 0; i < p->nslices; i++) {
        struct slice *s = &p->slices[i];
        s->id = i;
        s->next = UINT64_MAX;
        cache_init(&s->tags, (uint64_t)cfg->l2_kb * 1024 / cfg->slices, LINE_B, cfg->l2_ways);
        if (mem_by_channels(cfg) && cfg->l2_plain)
            cache_as_slice(&s->tags, cfg->interleave_b / LINE_B, cfg->slices);
        s->misses = xcalloc(cfg->l2_mshrs, sizeof *s->misses);
        for (uint32_t k = 0; k < cfg->l2_mshrs; k++)
            s->misses[k].next = (uint16_t)(k + 1 < cfg->l2_mshrs ? k + 1 : MISS_NONE);
    }
    for (p->inbox.slots = 64; p->inbox.slots < mem_window(cfg);)
        p->inbox.slots *= 2;
    dram_init(&p->dram, cfg, core_mhz, id);
}

void mpart_free(struct mpart *p)
{
    for (uint32_t i = 0; i < p->nslices; i++) {
        struct slice *s = &p->slices[i];
        cache_free(&s->tags);
        free(s->misses);
        free(s->hits.at);
    }
    free(p->slices);
    free(p->fills.at);
    free(p->writes.at);
    vec_free(&p->waiters);
    vec_free(&p->arrivals);
    vec_free(&p->out);
    dram_free(&p->dram);
}

/* ---- lines on their way ---- */

static struct miss *miss_new(struct mpart *p, struct slice *s, struct cache_line *to, uint64_t t)
{
    uint16_t i = s->free_miss;
    assert(s->misses); /* every slice has some; clang's analyser cannot know */
    struct miss *m = &s->misses[i];
    s->free_miss = m->next;
    *m = (struct miss){.to = to, .first = WAIT_NONE, .last = WAIT_NONE, .since = t};
    to->fill = i;
    to->pinned = 1;
    p->stats[MS_l2_miss_uses]++;
    return m;
}

static void miss_free(struct mpart *p, struct slice *s, struct miss *m, uint64_t t)
{
    p->stats[MS_l2_miss_cycles] += t - m->since;
    m->to->pinned = 0;
    m->next = s->free_miss;
    s->free_miss = (uint16_t)(m - s->misses);
}

static struct asker asker_of(const struct mem_req *r)
{
    struct asker a = {.tag = r->tag, .sm = r->sm, .kind = r->kind, .sectors = r->sectors};
    if (!r->wants_reply)
        a.kind = ASKER_SILENT;
    return a;
}

SELDOM static uint32_t more_waiters(struct mpart *p)
{
    uint32_t i = p->waiters.n;
    vec_resize(&p->waiters, i + 1);
    return i;
}

static void wait_for(struct mpart *p, struct miss *m, const struct mem_req *r, uint8_t missing)
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

/* ---- replies ---- */

static void reply(struct mpart *p, struct slice *s, uint64_t ready, const struct asker *r)
{
    if (r->kind == ASKER_SILENT)
        return;
    uint32_t bytes = HEADER_B + (r->kind == MEM_WRITE ? 0 : SECTOR_B * mem_sectors(r->sectors));
    uint64_t leave = later(ready, s->out_free);
    s->out_free = leave + (bytes + p->cfg->icnt_slice_b - 1) / p->cfg->icnt_slice_b;
    p->stats[MS_icnt_replies]++;
    p->stats[MS_icnt_reply_b] += bytes;
    p->stats[MS_icnt_reply_wait] += leave - ready;
    vec_push(&p->out, (struct mem_reply){.at = leave + p->cfg->icnt_cyc,
                                         .tag = r->tag,
                                         .sm = r->sm,
                                         .kind = r->kind,
                                         .sectors = r->sectors});
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

static inline void drain_writes(struct mpart *p, uint64_t now)
{
    if (p->writes.n)
        push_writes(p, now);
}

/* Dirty sectors of a replaced line; they wait outside when the channel is full, and go before new reads. */
static void write_back(struct mpart *p, const struct cache_line *old, uint64_t now)
{
    if (old->tag)
        p->stats[MS_l2_evictions]++;
    if (!old->dirty)
        return;
    p->stats[MS_l2_writebacks] += mem_sectors(old->dirty);
    ring_push(&p->writes,
              (struct evicted){.at = now, .line = (old->tag - 1) * LINE_B, .sectors = old->dirty});
}

/* A store that L2 does not keep: before the fetch of its line. */
static void write_through(struct mpart *p, const struct mem_req *r, uint64_t t)
{
    ring_push(&p->writes,
              (struct evicted){.at = t + p->cfg->dram_cyc / 2, .line = r->line, .sectors = r->sectors});
    drain_writes(p, t);
}

/* DRAM's name for a read: which miss of which slice it is for. */
static uint32_t name_of(const struct slice *s, const struct miss *m)
{
    return s->id << 16 | (uint32_t)(m - s->misses);
}

static void on_fill(struct mpart *p, const struct dram_done *f)
{
    struct slice *s = &p->slices[f->who >> 16];
    struct miss *m = &s->misses[f->who & 0xffff];
    struct cache_line *l = m->to;
    m->pending &= (uint8_t)~f->sectors;
    l->valid |= p->cfg->l2_store_fetch ? ALL_SECTORS : f->sectors;
    uint32_t *link = &m->first, last = WAIT_NONE;
    while (*link != WAIT_NONE) {
        uint32_t i = *link;
        struct waiter *w = &p->waiters.at[i];
        w->missing &= (uint8_t)~f->sectors;
        if (w->missing) {
            last = i;
            link = &w->next;
            continue;
        }
        reply(p, s, f->at, &w->who);
        *link = w->next;
        w->next = p->free_waiter;
        p->free_waiter = i;
    }
    m->last = last;
    if (!m->pending)
        miss_free(p, s, m, f->at);
}

/* ---- requests ---- */

static bool channel_full(const struct mpart *p)
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

static bool both_halves(uint8_t sectors)
{
    enum { HALF = 3 };
    return sectors & HALF && sectors & ~HALF;
}

/* Data leaves in the order of the lookups; that of a whole line, of both halves, takes longer. */
static uint64_t hit_ready(const struct mpart *p, const struct slice *s, const struct mem_req *r, uint64_t t)
{
    uint64_t ready = t + p->cfg->l2_cyc + (both_halves(r->sectors) ? p->cfg->l2_line_cyc : 0);
    uint64_t last = s->hits.n ? s->hits.at[(s->hits.head + s->hits.n - 1) & (s->hits.cap - 1)].ready : 0;
    return ready > last ? ready : last;
}

/* Looks the request up at cycle t. False: it must wait for a fill or for room in the channel. */
static bool access_slice(struct mpart *p, struct slice *s, const struct arrival *a, uint64_t t)
{
    const struct mem_req *r = &a->req;
    uint64_t line = r->line / LINE_B;
    struct cache_line *l = cache_find_at(&s->tags, a->at, line, true);
    bool stays = r->kind == MEM_WRITE && !p->cfg->l2_store_fetch;
    uint8_t missing = stays ? 0 : (uint8_t)(r->sectors & ~(l ? l->valid : 0));
    struct miss *m = missing && l && l->pinned ? &s->misses[l->fill] : NULL;
    if (m && p->cfg->l2_store_fetch)
        missing = m->pending; /* what was asked for stands for the line */
    uint8_t fetch = (uint8_t)(missing & ~(m ? m->pending : 0));
    if (fetch && p->cfg->l2_fetch_b > SECTOR_B)
        fetch = (uint8_t)(neighbours(p, fetch) & ~((l ? l->valid : 0) | (m ? m->pending : 0)));
    bool through = missing && r->kind == MEM_WRITE;
    s->starved = (fetch || through) && channel_full(p);
    if (s->starved || (fetch && !m && s->free_miss == MISS_NONE))
        return false;
    if (!l) {
        struct cache_line old;
        l = cache_alloc_at(&s->tags, a->at, line, &old);
        if (!l)
            return false;
        write_back(p, &old, t);
    }
    uint64_t n = mem_sectors(r->sectors);
    switch ((enum mem_kind)r->kind) {
    case MEM_READ:
        p->stats[MS_l2_reads] += n;
        p->stats[MS_l2_read_hits] += n - mem_sectors(missing);
        p->stats[MS_l2_read_merged] += mem_sectors(missing & ~fetch);
        break;
    case MEM_WRITE:
        p->stats[MS_l2_writes] += n;
        p->stats[MS_l2_write_hits] += mem_sectors(l->valid & r->sectors);
        break;
    case MEM_ATOMIC: p->stats[MS_l2_atomics] += n; break;
    }
    if (r->kind != MEM_READ && !through)
        l->dirty |= r->sectors;
    if (stays)
        l->valid |= r->sectors;
    if (through)
        write_through(p, r, t);
    if (!missing) {
        uint64_t ready = hit_ready(p, s, r, t);
        ring_push(&s->hits, (struct hit){.ready = ready, .who = asker_of(r)});
        return true;
    }
    if (!m)
        m = miss_new(p, s, l, t);
    if (fetch) {
        m->pending |= fetch;
        dram_push(&p->dram, t + p->cfg->dram_cyc / 2, a->local, name_of(s, m), fetch, false);
    }
    wait_for(p, m, r, missing);
    return true;
}

static uint32_t packet_b(const struct mem_req *r) { return HEADER_B + (r->kind == MEM_READ ? 0 : r->bytes); }

/* Cycles that a request takes the input of its slice for. */
static uint64_t input_cyc(struct mpart *p, struct slice *s, const struct mem_req *r)
{
    uint64_t cyc = (packet_b(r) + p->cfg->icnt_slice_b - 1) / p->cfg->icnt_slice_b;
    if (r->kind != MEM_ATOMIC || p->cfg->atom_cyc == 0)
        return cyc;
    uint32_t passes = mem_sectors(r->sectors) + r->again;
    uint32_t busy = s->atom_rest + (uint32_t)(passes * p->cfg->atom_cyc * 256);
    s->atom_rest = busy % 256;
    return busy / 256 > cyc ? busy / 256 : cyc;
}

/* The cycle at which the head of a slice's input can be served, if nothing keeps it. */
static inline uint64_t serve_next(const struct mpart *p, const struct slice *s)
{
    return later(p->arrivals.at[s->in.head].req.at, s->in_free);
}

/* The head of a slice's input at cycle t. False: it has to wait. */
static bool serve(struct mpart *p, struct slice *s, uint64_t t)
{
    struct arrival *a = &p->arrivals.at[s->in.head];
    const struct mem_req *r = &a->req;
    bool served = access_slice(p, s, a, t);
    drain_writes(p, t);
    if (!served) {
        if (!s->blocked) {
            s->blocked = t;
            p->nblocked++;
        }
        return false;
    }
    if (s->blocked) {
        p->stats[MS_l2_stall] += t - s->blocked;
        s->blocked = 0;
        p->nblocked--;
    }
    p->stats[MS_icnt_wait] += t - r->at;
    s->in_free = t + input_cyc(p, s, r);
    uint32_t i = s->in.head;
    s->in.head = a->next;
    s->nin--;
    a->next = p->free_arrival;
    p->free_arrival = i;
    return true;
}

static inline void append(struct mpart *p, struct arrivals *l, bool empty, uint32_t i)
{
    if (empty)
        l->head = i;
    else
        p->arrivals.at[l->tail].next = i;
    l->tail = i;
}

SELDOM static uint32_t more_arrivals(struct mpart *p)
{
    uint32_t i = p->arrivals.n;
    vec_resize(&p->arrivals, i + 1);
    return i;
}

static inline uint32_t take_arrival(struct mpart *p)
{
    uint32_t i = p->free_arrival;
    if (i == WAIT_NONE)
        return more_arrivals(p);
    p->free_arrival = p->arrivals.at[i].next;
    return i;
}

void mpart_push(struct mpart *p, const struct mem_req *r, const struct route *to)
{
    struct inbox *in = &p->inbox;
    uint32_t slot = (uint32_t)r->at & (in->slots - 1), word = slot / 64, i = take_arrival(p);
    uint64_t bit = 1ull << slot % 64;
    p->stats[MS_icnt_requests]++;
    p->stats[MS_icnt_request_b] += packet_b(r);
    p->arrivals.at[i] = (struct arrival){.req = *r, .local = to->local, .slice = to->slice};
    append(p, &in->cycles[slot], !(in->has[word] & bit), i);
    in->first = !in->words || r->at < in->first ? r->at : in->first;
    in->has[word] |= bit;
    in->words |= 1u << word;
}

static uint64_t sooner(uint64_t a, uint64_t b) { return a < b ? a : b; }

static inline void arrives(struct mpart *p, uint32_t i)
{
    struct arrival *a = &p->arrivals.at[i];
    struct slice *s = &p->slices[a->slice];
    a->at = cache_at(&s->tags, a->req.line / LINE_B);
    cache_expect(&s->tags, a->at);
    append(p, &s->in, !s->nin, i);
    if (!s->nin++ && !s->blocked) {
        s->next = sooner(s->next, later(a->req.at, s->in_free));
        p->slices_next = sooner(p->slices_next, s->next);
    }
}

/* From the inbox to the slices, cycle by cycle. */
static void sort_arrivals(struct mpart *p)
{
    struct inbox *in = &p->inbox;
    _Static_assert(INBOX / 64 == 16 && MAX_WINDOW <= INBOX, "a bit for every word, a list for every cycle");
    uint64_t part = ~0ull << in->first % 64; /* what lies in the first word before the first one comes last */
    uint32_t words = in->slots / 64, word = (uint32_t)in->first / 64 & (words - 1);
    for (; in->words; word = (word + 1) & (words - 1), part = ~0ull) {
        uint64_t bits = in->has[word] & part;
        in->has[word] &= ~bits;
        if (!in->has[word])
            in->words &= ~(1u << word);
        for (; bits; bits &= bits - 1) {
            const struct arrivals *l = &in->cycles[word * 64 + (uint32_t)__builtin_ctzll(bits)];
            for (uint32_t i = l->head, next;; i = next) {
                next = p->arrivals.at[i].next;
                arrives(p, i);
                if (i == l->tail)
                    break;
            }
        }
    }
    p->next = sooner(p->next, in->first);
}

static uint64_t part_next(const struct mpart *p) { return sooner(p->slices_next, p->fills_next); }

static void slice_cycle(struct mpart *p, struct slice *s, bool room, uint64_t t)
{
    while (s->hits.n && ring_head(&s->hits)->ready <= t) {
        reply(p, s, ring_head(&s->hits)->ready, &ring_head(&s->hits)->who);
        ring_pop(&s->hits);
    }
    /* Nothing but room lets a starved one go on: what it lacks was not asked for by others. */
    bool may = !s->blocked || (room && !(s->starved && channel_full(p)));
    uint64_t next = UINT64_MAX;
    while (s->nin && may) {
        next = s->blocked ? t : serve_next(p, s);
        if (next > t)
            break;
        may = serve(p, s, next);
    }
    next = s->nin && !s->blocked ? next : UINT64_MAX;
    s->next = s->hits.n ? sooner(next, ring_head(&s->hits)->ready) : next;
}

/* Everything that happens in cycle t. */
static void part_cycle(struct mpart *p, uint64_t t)
{
    bool room = false;
    while (p->fills_next <= t) {
        if (!ring_head(&p->fills)->write)
            on_fill(p, ring_head(&p->fills));
        ring_pop(&p->fills);
        p->fills_next = p->fills.n ? ring_head(&p->fills)->at : UINT64_MAX;
        room = true;
    }
    drain_writes(p, t);
    if (p->slices_next > t && !(room && p->nblocked))
        return;
    uint64_t next = UINT64_MAX;
    for (struct slice *s = p->slices, *end = s + p->nslices; s < end; s++) {
        if (s->next <= t || (room && s->blocked))
            slice_cycle(p, s, room, t);
        next = sooner(next, s->next);
    }
    p->slices_next = next;
}

/* The host's cache gets what the fills of this window touch, all at once. */
static void expect_fills(const struct mpart *p, uint64_t until)
{
    for (uint32_t i = 0; i < p->fills.n; i++) {
        const struct dram_done *f = &p->fills.at[(p->fills.head + i) & (p->fills.cap - 1)];
        if (f->at >= until)
            return;
        if (f->write)
            continue;
        const struct miss *m = &p->slices[f->who >> 16].misses[f->who & 0xffff];
        __builtin_prefetch(m->to, 1);
        __builtin_prefetch(&p->waiters.at[m->first], 1);
    }
}

/* Half of the memory is farther away. Where the halves of a line lie by themselves, an access to both is near if both are. */
static uint64_t far_cyc(const struct mpart *p, uint8_t sectors)
{
    bool both = p->cfg->far_halves && both_halves(sectors);
    return p->id & (both ? 3 : 1) ? p->cfg->far_cyc : 0;
}

/* By the cycle in which they are complete: one from farther away may come after a later one. */
static void add_fill(struct mpart *p, struct dram_done done)
{
    ring_push(&p->fills, done);
    p->fills_next = sooner(p->fills_next, done.at);
    uint32_t i = p->fills.head + p->fills.n - 1, last = p->fills.cap - 1;
    if (i == p->fills.head || p->fills.at[(i - 1) & last].at <= done.at)
        return;
    for (; i != p->fills.head && p->fills.at[(i - 1) & last].at > done.at; i--)
        p->fills.at[i & last] = p->fills.at[(i - 1) & last];
    p->fills.at[i & last] = done;
}

void mpart_step(struct mpart *p, uint64_t until)
{
    expect_fills(p, until);
    if (p->inbox.words)
        sort_arrivals(p);
    while (p->next < until) {
        uint64_t t = part_next(p);
        /* Accesses that the channel can start before anything else happens. */
        struct dram_done done;
        while (dram_next(&p->dram, t < until ? t + 1 : until, &done, p->stats)) {
            done.at += p->cfg->dram_cyc - p->cfg->dram_cyc / 2 + far_cyc(p, done.sectors);
            add_fill(p, done);
            t = done.at < t ? done.at : t;
            if (!done.write)
                __builtin_prefetch(&p->slices[done.who >> 16].misses[done.who & 0xffff], 1);
        }
        if (t >= until)
            break;
        part_cycle(p, t);
    }
    uint64_t t = part_next(p), d = dram_when(&p->dram);
    if (t < until)
        t = until;
    p->next = d < t ? (d < until ? until : d) : t;
}
