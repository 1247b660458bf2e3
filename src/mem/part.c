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
                        .free_waiter = WAIT_NONE};
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
    vec_free(&p->inbox.letters);
    vec_free(&p->out);
    dram_free(&p->dram);
}

SELDOM void *ring_grown(void *at, size_t size, uint32_t *head, uint32_t n, uint32_t *cap)
{
    uint32_t now = *cap ? *cap * 2 : 16, first = *cap - *head < n ? *cap - *head : n;
    char *grown = xmalloc(size * now);
    if (n) {
        memcpy(grown, (char *)at + size * *head, size * first);
        memcpy(grown + size * first, at, size * (n - first));
    }
    free(at);
    *head = 0;
    *cap = now;
    return grown;
}

SELDOM static void more_letters(struct inbox *in) { vec_reserve(&in->letters, in->letters.cap + 1); }

void mpart_push(struct mpart *p, const struct arrival *sent, uint32_t first)
{
    struct inbox *in = &p->inbox;
    uint64_t bytes = 0, earliest = in->words ? in->first : UINT64_MAX;
    uint32_t words = in->words, i = in->letters.n;
    for (uint32_t k = first; k != UINT32_MAX; k = sent[k].next, i++) {
        const struct arrival *a = &sent[k];
        uint32_t slot = (uint32_t)a->req.at & (in->slots - 1), word = slot / 64;
        uint64_t bit = 1ull << slot % 64, has = in->has[word];
        if (i == in->letters.cap)
            more_letters(in);
        in->letters.at[i].a = a;
        if (has & bit)
            in->letters.at[in->cycles[slot].tail].next = i;
        else
            in->cycles[slot].head = i;
        in->cycles[slot].tail = i;
        in->has[word] = has | bit;
        words |= 1u << word;
        earliest = sooner(earliest, a->req.at);
        bytes += packet_b(&a->req);
    }
    in->first = earliest;
    in->words = words;
    p->stats[MS_icnt_requests] += i - in->letters.n;
    p->stats[MS_icnt_request_b] += bytes;
    in->letters.n = i;
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
            uint32_t slot = word * 64 + (uint32_t)__builtin_ctzll(bits), last = in->cycles[slot].tail;
            for (uint32_t i = in->cycles[slot].head;; i = in->letters.at[i].next) {
                const struct arrival *a = in->letters.at[i].a;
                struct slice *s = &p->slices[a->slice];
                slice_push(p, s, &s->in, a);
                if (i == last)
                    break;
            }
        }
    }
    vec_clear(&in->letters);
    p->next = sooner(p->next, in->first);
}

static uint64_t part_next(const struct mpart *p) { return sooner(p->slices_next, p->fills_next); }

/* Everything that happens in cycle t. */
static inline void part_cycle(struct mpart *p, uint64_t t)
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

/* A fill that is complete before others, from which it has come after: those may be farther away. */
ASIDE static void insert_fill(struct mpart *p)
{
    uint32_t i = p->fills.head + p->fills.n - 1, last = p->fills.cap - 1;
    struct dram_done done = p->fills.at[i & last];
    for (; i != p->fills.head && p->fills.at[(i - 1) & last].at > done.at; i--)
        p->fills.at[i & last] = p->fills.at[(i - 1) & last];
    p->fills.at[i & last] = done;
    p->fills_next = ring_head(&p->fills)->at;
}

/* By the cycle in which they are complete. */
static inline void add_fill(struct mpart *p, struct dram_done done)
{
    uint64_t before = p->fills.n ? ring_last(&p->fills)->at : 0;
    ring_push(&p->fills, done);
    if (!before)
        p->fills_next = done.at;
    else if (done.at < before)
        insert_fill(p);
}

/* Accesses that the channel can start before anything else happens, which is in cycle t. Returns the cycle of the next event. */
INTO uint64_t run_dram(struct mpart *p, uint64_t t, uint64_t until)
{
    struct dram_done done;
    while (dram_next(&p->dram, t < until ? t + 1 : until, &done, p->stats)) {
        done.at += p->back_cyc[both_halves(done.sectors)];
        add_fill(p, done);
        t = sooner(t, done.at);
        if (!done.write)
            __builtin_prefetch(&p->slices[done.who >> 16].own.misses[done.who & 0xffff], 1);
    }
    return t;
}

static void run_plain(struct mpart *p, uint64_t until)
{
    for (uint64_t t; (t = run_dram(p, part_next(p), until)) < until;)
        part_cycle_plain(p, t);
}

ASIDE static void run_any(struct mpart *p, uint64_t until)
{
    for (uint64_t t; (t = run_dram(p, part_next(p), until)) < until;)
        part_cycle(p, t);
}

void mpart_step(struct mpart *p, uint64_t until)
{
    uint32_t replies = p->out.n;
    p->until = until;
    if (p->inbox.words)
        sort_arrivals(p);
    if (p->next < until)
        (p->plain ? run_plain : run_any)(p, until);
    p->stats[MS_icnt_replies] += p->out.n - replies;
    uint64_t t = part_next(p), d = dram_when(&p->dram);
    if (t < until)
        t = until;
    p->next = d < t ? (d < until ? until : d) : t;
}
