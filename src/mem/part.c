/* L2 slices and their channel, event by event: a fill comes from DRAM or from the other half, a hit leaves the pipeline, a
 * request arrives. */
#include "mem/part.h"

void mpart_init(struct mpart *p, const struct mem_cfg *cfg, double core_mhz, uint32_t id)
{
    *p = (struct mpart){.cfg = cfg,
                        .id = id,
                        .nslices = cfg->slices / cfg->channels,
                        .next = UINT64_MAX,
                        .free_waiter = WAIT_NONE};
    p->slices = xcalloc(p->nslices, sizeof *p->slices);
    for (uint32_t i = 0; i < p->nslices; i++)
        slice_init(&p->slices[i], cfg, i);
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
    vec_free(&p->inbox);
    vec_free(&p->order);
    vec_free(&p->out);
    dram_free(&p->dram);
}

void mpart_push(struct mpart *p, const struct arrival *a)
{
    p->stats[MS_icnt_requests]++;
    p->stats[MS_icnt_request_b] += packet_b(&a->req);
    vec_push(&p->inbox, *a);
    const struct slice *s = &p->slices[a->slice];
    cache_expect(a->req.far ? &s->copies.tags : &s->own.tags, a->req.line / LINE_B);
    if (a->req.at < p->next)
        p->next = a->req.at;
}

/* Requests came SM by SM; within the window they arrive by cycle, those of one cycle by SM. The times of one window span
 * less than the lookahead, so they are sorted by counting. */
static void sort_arrivals(struct mpart *p)
{
    uint64_t first = UINT64_MAX, last = 0;
    vec_each (&p->inbox, a) {
        first = a->req.at < first ? a->req.at : first;
        last = a->req.at > last ? a->req.at : last;
    }
    uint32_t start[MAX_WINDOW + 1], n = (uint32_t)(last - first) + 1;
    memset(start, 0, sizeof start[0] * (n + 1));
    vec_each (&p->inbox, a)
        start[a->req.at - first + 1]++;
    for (uint32_t i = 0; i < n; i++)
        start[i + 1] += start[i];
    vec_resize(&p->order, p->inbox.n);
    vec_each (&p->inbox, a)
        p->order.at[start[a->req.at - first]++] = (uint32_t)(a - p->inbox.at);
    vec_each (&p->order, i) {
        const struct arrival *a = &p->inbox.at[*i];
        ring_push(&p->slices[a->slice].in.q, a->req);
    }
    vec_clear(&p->inbox);
    vec_clear(&p->order);
}

static uint64_t part_next(const struct mpart *p)
{
    uint64_t t = p->fills.n ? p->fills.at[p->fills.head].at : UINT64_MAX;
    for (uint32_t i = 0; i < p->nslices; i++) {
        uint64_t u = slice_next(&p->slices[i]);
        t = u < t ? u : t;
    }
    return t;
}

/* Everything that happens in cycle t. */
static void part_cycle(struct mpart *p, uint64_t t)
{
    bool room = false;
    while (p->fills.n && ring_head(&p->fills)->at <= t) {
        const struct dram_done *f = ring_head(&p->fills);
        struct slice *s = &p->slices[f->who >> 16];
        if (!f->write)
            slice_fill(p, s, &s->own, f->who & 0xffff, f->sectors, f->at);
        ring_pop(&p->fills);
        room = true;
    }
    mpart_drain(p, t);
    for (uint32_t i = 0; p->cfg->halves && i < p->nslices; i++)
        room |= cross_fills(p, &p->slices[i], t);
    for (uint32_t i = 0; i < p->nslices; i++)
        slice_cycle(p, &p->slices[i], t, room);
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
        const struct miss *m = &p->slices[f->who >> 16].own.misses[f->who & 0xffff];
        __builtin_prefetch(m->to, 1);
        __builtin_prefetch(&p->waiters.at[m->first], 1);
    }
}

/* Half of the memory may be farther away. Where the halves of a line lie by themselves, an access to both is near if both are. */
static uint64_t way_back(const struct mpart *p, uint8_t sectors)
{
    const struct mem_cfg *c = p->cfg;
    bool both = both_halves(sectors), far = p->id & (c->far_halves && both ? 3 : 1);
    return c->dram_cyc - c->dram_cyc / 2 + (far ? c->far_cyc : 0) + (both ? c->dram_line_cyc : 0);
}

/* By the cycle in which they are complete: one from farther away may come after a later one. */
static void add_fill(struct mpart *p, struct dram_done done)
{
    ring_push(&p->fills, done);
    uint32_t i = p->fills.head + p->fills.n - 1, last = p->fills.cap - 1;
    for (; i != p->fills.head && p->fills.at[(i - 1) & last].at > done.at; i--)
        p->fills.at[i & last] = p->fills.at[(i - 1) & last];
    p->fills.at[i & last] = done;
}

void mpart_step(struct mpart *p, uint64_t until)
{
    expect_fills(p, until);
    if (p->inbox.n)
        sort_arrivals(p);
    while (p->next < until) {
        uint64_t t = part_next(p);
        /* Accesses that the channel can start before anything else happens. */
        struct dram_done done;
        while (dram_next(&p->dram, t < until ? t + 1 : until, &done, p->stats)) {
            done.at += way_back(p, done.sectors);
            add_fill(p, done);
            t = done.at < t ? done.at : t;
            if (!done.write)
                __builtin_prefetch(&p->slices[done.who >> 16].own.misses[done.who & 0xffff], 1);
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
