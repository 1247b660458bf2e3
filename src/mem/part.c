/* L2 slices and their channel, event by event: a fill comes from DRAM or from the other half, a hit leaves the pipeline, a
 * request arrives. */
#include "mem/part.h"

static uint32_t packet_cyc(const struct mem_cfg *cfg, uint32_t data_b)
{
    return (HEADER_B + data_b + cfg->icnt_slice_b - 1) / cfg->icnt_slice_b;
}

/* Half of the memory may be farther away. Where the halves of a line lie by themselves, an access to both is near if both are. */
static uint32_t way_back(const struct mem_cfg *c, uint32_t id, bool both)
{
    bool far = id & (c->far_halves && both ? 3 : 1);
    return c->dram_cyc - c->dram_cyc / 2 + (far ? c->far_cyc : 0) + (both ? c->dram_line_cyc : 0);
}

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
    for (uint32_t i = 0; i < p->nslices; i++)
        slice_init(&p->slices[i], cfg, i);
    p->plain = !cfg->halves && !cfg->l2_store_fetch && cfg->l2_fetch_b <= SECTOR_B;
    p->read_cyc = packet_cyc(cfg, 0);
    for (uint32_t i = 0; i <= LINE_SECTORS; i++)
        p->reply_cyc[i] = packet_cyc(cfg, i * SECTOR_B);
    p->icnt_cyc = cfg->icnt_cyc;
    p->to_dram_cyc = cfg->dram_cyc / 2;
    for (uint32_t both = 0; both < 2; both++)
        p->back_cyc[both] = way_back(cfg, id, both);
    for (p->inbox.slots = 64; p->inbox.slots < mem_window(cfg);)
        p->inbox.slots *= 2;
    dram_init(&p->dram, cfg, core_mhz, id);
}

void mpart_free(struct mpart *p)
{
    for (uint32_t i = 0; i < p->nslices; i++)
        slice_free(&p->slices[i]);
    free(p->slices);
    free(p->fills.at);
    free(p->writes.at);
    vec_free(&p->waiters);
    vec_free(&p->arrivals);
    vec_free(&p->out);
    dram_free(&p->dram);
}

SELDOM uint32_t more_arrivals(struct mpart *p)
{
    uint32_t i = p->arrivals.n;
    vec_resize(&p->arrivals, i + 1);
    return i;
}

void mpart_push(struct mpart *p, const struct mem_req *sent, const struct route *routes, uint32_t first)
{
    struct inbox *in = &p->inbox;
    uint64_t bytes = 0, earliest = in->words ? in->first : UINT64_MAX;
    uint32_t n = 0, words = in->words;
    for (uint32_t k = first; k != UINT32_MAX; k = routes[k].next, n++) {
        const struct mem_req *r = &sent[k];
        uint32_t slot = (uint32_t)r->at & (in->slots - 1), word = slot / 64, i = take_arrival(p);
        uint64_t bit = 1ull << slot % 64, has = in->has[word];
        const struct slice *s = &p->slices[routes[k].slice];
        const struct cache *tags = r->far ? &s->copies.tags : &s->own.tags;
        struct cache_at at = cache_at(tags, r->line / LINE_B);
        cache_expect(tags, at);
        struct arrival *a = &p->arrivals.at[i];
        a->req = *r;
        a->local = routes[k].local;
        a->at = at;
        a->slice = routes[k].slice;
        append_arrival(p, &in->cycles[slot], !(has & bit), i);
        in->has[word] = has | bit;
        words |= 1u << word;
        earliest = sooner(earliest, r->at);
        bytes += packet_b(r);
    }
    in->first = earliest;
    in->words = words;
    p->stats[MS_icnt_requests] += n;
    p->stats[MS_icnt_request_b] += bytes;
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
                struct slice *s = &p->slices[p->arrivals.at[i].slice];
                next = p->arrivals.at[i].next;
                slice_push(p, s, &s->in, i);
                if (i == l->tail)
                    break;
            }
        }
    }
    p->next = sooner(p->next, in->first);
}

static uint64_t part_next(const struct mpart *p) { return sooner(p->slices_next, p->fills_next); }

/* Everything that happens in cycle t. */
ASIDE static void part_cycle(struct mpart *p, uint64_t t)
{
    bool room = p->fills_next <= t && mpart_fills(p, t);
    mpart_drain(p, t);
    struct slice *first = p->slices, *end = first + p->nslices;
    for (struct slice *s = first; p->cfg->halves && s < end; s++)
        room |= cross_fills(p, s, t);
    if (p->slices_next > t && !(room && p->nblocked))
        return;
    for (struct slice *s = first; s < end; s++)
        if (s->next <= t || (room && (s->in.blocked || s->crossed.blocked)))
            slice_cycle(p, s, t, room);
    /* Only now: one may have given another something to do. */
    p->slices_next = UINT64_MAX;
    for (const struct slice *s = first; s < end; s++)
        p->slices_next = sooner(p->slices_next, s->next);
}

/* The same, if it is plain. */
static inline void part_cycle_plain(struct mpart *p, uint64_t t)
{
    bool room = p->fills_next <= t && mpart_fills(p, t);
    mpart_drain(p, t);
    room &= p->nblocked != 0;
    if (p->slices_next > t && !room)
        return;
    uint64_t next = UINT64_MAX;
    for (struct slice *s = p->slices, *end = s + p->nslices; s < end; s++) {
        if (s->next <= t || (room && s->in.blocked))
            slice_cycle_plain(p, s, t, room);
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
        __builtin_prefetch(p->slices[f->who >> 16].own.misses[f->who & 0xffff].to, 1);
    }
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
    uint32_t replies = p->out.n;
    expect_fills(p, until);
    if (p->inbox.words)
        sort_arrivals(p);
    while (p->next < until) {
        uint64_t t = part_next(p);
        /* Accesses that the channel can start before anything else happens. */
        struct dram_done done;
        while (dram_next(&p->dram, t < until ? t + 1 : until, &done, p->stats)) {
            done.at += p->back_cyc[both_halves(done.sectors)];
            add_fill(p, done);
            t = done.at < t ? done.at : t;
            if (!done.write)
                __builtin_prefetch(&p->slices[done.who >> 16].own.misses[done.who & 0xffff], 1);
        }
        if (t >= until)
            break;
        if (p->plain)
            part_cycle_plain(p, t);
        else
            part_cycle(p, t);
    }
    p->stats[MS_icnt_replies] += p->out.n - replies;
    uint64_t t = part_next(p), d = dram_when(&p->dram);
    if (t < until)
        t = until;
    p->next = d < t ? (d < until ? until : d) : t;
}
