/* The whole: options, the exchange between windows, and the simple memory. */
#include "mem/part.h"

const struct conf_opt mem_opts[] = {
#define OPT(name, type, def, lo, hi, ...) CONF_ROW_OPT(struct mem_cfg, name, type, def, lo, hi, __VA_ARGS__)
#include "mem/mem.def"
#undef OPT
};
const uint32_t mem_nopts = sizeof mem_opts / sizeof mem_opts[0];

static const struct stat_info stat_rows[] = {
#define STAT(name, unit, help) {#name, unit, help},
#include "mem/mem_stats.def"
#undef STAT
};
const struct stat_table mem_stats = {"mem", stat_rows, MS_COUNT};

/* What an SM has sent in this window. */
struct outbox {
    VEC(struct arrival) sent; /* in the order of their times */
    uint32_t *first, *last;   /* by channel: those that go there */
    uint64_t *to;             /* channels that have any */
};

/* What others ask of a channel between two windows; channels themselves lie far apart, in the caches of other processors. */
struct channel {
    uint64_t next;
    bool replies;
};

struct memsys {
    const struct mem_cfg *cfg;
    struct mem_map map;
    struct mpart *parts;
    struct channel *channels;
    uint32_t nparts;
    struct outbox *out; /* by SM */
    uint32_t nsm;
    uint64_t *senders;     /* by channel: a bit for each SM that has sent it something in this window */
    uint32_t words;        /* of them for a channel */
    uint64_t *simple_free; /* by SM: its share of the simple memory's bandwidth, in bytes delivered */
    mem_replies simple_out;
    uint64_t simple_stats[MS_COUNT];
};

struct memsys *memsys_new(const struct mem_cfg *cfg, double core_mhz, uint32_t nsm)
{
    struct memsys *m = xcalloc(1, sizeof *m);
    m->cfg = cfg;
    m->nsm = nsm;
    m->simple_free = xcalloc(nsm, sizeof *m->simple_free);
    m->out = xcalloc(nsm, sizeof *m->out);
    if (cfg->simple)
        return m;
    m->map = mem_map(cfg);
    m->nparts = cfg->channels;
    m->channels = xcalloc(m->nparts, sizeof *m->channels);
    m->words = (nsm + 63) / 64;
    m->senders = xcalloc((size_t)m->nparts * m->words, sizeof *m->senders);
    for (uint32_t i = 0; i < nsm; i++) {
        m->out[i].first = xcalloc(m->nparts, sizeof *m->out[i].first);
        m->out[i].last = xcalloc(m->nparts, sizeof *m->out[i].last);
        m->out[i].to = xcalloc((m->nparts + 63) / 64, sizeof *m->out[i].to);
    }
    m->parts = xcalloc(m->nparts, sizeof *m->parts);
    for (uint32_t i = 0; i < m->nparts; i++)
        mpart_init(&m->parts[i], cfg, core_mhz, i);
    for (uint32_t i = 0; i < m->nparts; i++)
        m->channels[i].next = m->parts[i].next;
    return m;
}

void memsys_free(struct memsys *m)
{
    for (uint32_t i = 0; i < m->nparts; i++)
        mpart_free(&m->parts[i]);
    for (uint32_t i = 0; i < m->nsm; i++) {
        vec_free(&m->out[i].sent);
        free(m->out[i].first);
        free(m->out[i].last);
        free(m->out[i].to);
    }
    free(m->out);
    free(m->senders);
    free(m->channels);
    free(m->parts);
    free(m->simple_free);
    vec_free(&m->simple_out);
    free(m);
}

uint32_t memsys_nparts(const struct memsys *m) { return m->nparts; }
/* CTAs start where a window begins. One as long as the simple memory's latency, which is DRAM's, would let the place of one that
 * has ended stand empty for hundreds of cycles. */
uint32_t mem_window(const struct mem_cfg *cfg)
{
    enum { SIMPLE_WINDOW = 20 };
    uint32_t cyc = cfg->simple ? cfg->simple_cyc : cfg->icnt_cyc;
    uint32_t most = cfg->simple ? SIMPLE_WINDOW : MAX_WINDOW;
    return cyc < most ? cyc : most;
}

uint32_t memsys_lookahead(const struct memsys *m) { return mem_window(m->cfg); }

uint32_t memsys_reply_cyc(const struct memsys *m)
{
    return m->cfg->simple ? m->cfg->simple_cyc : 2 * m->cfg->icnt_cyc;
}

/* Fixed latency after the SM's share of the bandwidth has carried the sectors. */
static void simple_request(struct memsys *m, const struct mem_req *r)
{
    uint64_t bytes = SECTOR_B * mem_sectors(r->sectors), rate = m->cfg->simple_b;
    uint64_t *f = &m->simple_free[r->sm]; /* in units of 1/rate cycle */
    uint64_t start = r->at * rate > *f ? r->at * rate : *f;
    *f = start + bytes;
    m->simple_stats[r->kind == MEM_WRITE ? MS_dram_writes : MS_dram_reads] += bytes / SECTOR_B;
    if (r->wants_reply)
        vec_push(&m->simple_out, (struct mem_reply){.at = (*f + rate - 1) / rate + m->cfg->simple_cyc,
                                                    .tag = r->tag,
                                                    .sm = r->sm,
                                                    .sectors = r->sectors,
                                                    .kind = r->kind});
}

/* An SM's requests go to slices of its own half. */
static uint32_t near_slice(const struct mem_cfg *cfg, struct mem_req *r, uint32_t home)
{
    uint32_t half = cfg->slices / cfg->channels / 2;
    r->far = home / half != mem_half(r->sm);
    return r->far ? (home + half) % (2 * half) : home;
}

/* Finds each request's channel, and makes the channels' lists. */
static void address(struct memsys *m, uint32_t sm, const struct mem_req *from)
{
    struct outbox *o = &m->out[sm];
    uint64_t way = m->cfg->icnt_cyc + m->cfg->rop_cyc, self = 1ull << sm % 64, *to = o->to;
    uint32_t *first = o->first, *last = o->last, n = o->sent.n;
    memset(to, 0, sizeof *to * ((m->nparts + 63) / 64));
    struct arrival *sent = o->sent.at;
    const struct mem_map map = m->map;
    bool halves = m->cfg->halves;
    for (uint32_t i = 0; i < n; i++) {
        struct arrival *a = &sent[i];
        struct mem_place at = map_slice(&map, from[i].line);
        uint64_t bit = 1ull << at.part % 64, had = to[at.part / 64];
        a->req = from[i];
        a->req.at += way;
        a->local = at.local;
        a->slice = (uint16_t)(halves ? near_slice(m->cfg, &a->req, at.slice) : at.slice);
        a->next = UINT32_MAX;
        if (had & bit) {
            sent[last[at.part]].next = i;
        } else {
            first[at.part] = i;
            to[at.part / 64] = had | bit;
            /* Other SMs may be at it, too. */
            __atomic_fetch_or(&m->senders[(size_t)at.part * m->words + sm / 64], self, __ATOMIC_RELAXED);
        }
        last[at.part] = i;
    }
}

uint32_t memsys_send(struct memsys *m, uint32_t sm, mem_reqs *from, uint64_t until)
{
    struct outbox *o = &m->out[sm];
    uint32_t n = from->n;
    while (n && from->at[n - 1].at >= until)
        n--;
    if (!n)
        return 0;
    uint32_t asks = 0;
    vec_reserve(&o->sent, n);
    for (uint32_t i = 0; i < n; i++)
        asks += from->at[i].wants_reply;
    o->sent.n = n;
    if (m->nparts)
        address(m, sm, from->at);
    else
        for (uint32_t i = 0; i < n; i++)
            o->sent.at[i].req = from->at[i];
    from->n -= n;
    if (from->n)
        memmove(from->at, from->at + n, sizeof *from->at * from->n);
    return asks;
}

uint32_t memsys_waiting(const struct memsys *m)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < m->nsm; i++)
        n += m->out[i].sent.n;
    return n;
}

void memsys_step(struct memsys *m, uint32_t part, uint64_t until)
{
    struct mpart *p = &m->parts[part];
    uint64_t *senders = &m->senders[(size_t)part * m->words];
    for (uint32_t w = 0; w < m->words; w++) {
        for (uint64_t left = senders[w]; left; left &= left - 1) {
            const struct outbox *o = &m->out[w * 64 + (uint32_t)__builtin_ctzll(left)];
            mpart_push(p, o->sent.at, o->first[part]);
        }
        senders[w] = 0;
    }
    if (p->arrived || p->next < until)
        mpart_step(p, until);
    m->channels[part] = (struct channel){.next = p->next, .replies = p->out.n != 0};
}

static void hand_out(mem_replies *from, mem_replies *to_sm)
{
    vec_each (from, r) {
        mem_replies *to = &to_sm[r->sm];
        if (to->n == to->cap)
            vec_reserve(to, to->n + 1);
        to->at[to->n++] = *r;
    }
    vec_clear(from);
}

void memsys_give(struct memsys *m, mem_replies *to_sm)
{
    for (uint32_t i = 0; i < m->nsm; i++) {
        if (m->cfg->simple)
            vec_each (&m->out[i].sent, a)
                simple_request(m, &a->req);
        vec_clear(&m->out[i].sent);
    }
    hand_out(&m->simple_out, to_sm);
    for (uint32_t i = 0; i < m->nparts; i++)
        if (m->channels[i].replies)
            hand_out(&m->parts[i].out, to_sm);
}

uint64_t memsys_next(const struct memsys *m)
{
    uint64_t t = UINT64_MAX;
    for (uint32_t i = 0; i < m->nparts; i++)
        t = m->channels[i].next < t ? m->channels[i].next : t;
    return t;
}

void memsys_count(const struct memsys *m, uint64_t sum[MS_COUNT])
{
    memcpy(sum, m->simple_stats, sizeof m->simple_stats);
    for (uint32_t i = 0; i < m->nparts; i++)
        stat_add(sum, m->parts[i].stats, MS_COUNT);
    sum[MS_dram_busy] /= DRAM_SCALE;
    sum[MS_dram_wait] /= DRAM_SCALE;
}

static void put_line(struct memsys *m, uint64_t line, uint8_t sectors, bool written)
{
    struct mem_place at = map_slice(&m->map, line * LINE_B);
    struct slice *s = &m->parts[at.part].slices[at.slice];
    struct cache *c = &s->own.tags;
    struct cache_line old, *l = cache_find(c, line, true);
    s->in.absent = false;
    if (!l)
        l = cache_alloc(c, line, &old);
    if (!l)
        return;
    l->valid = (l->valid | sectors) & 0xf;
    if (written)
        l->dirty = (l->dirty | sectors) & 0xf;
}

void memsys_touch(struct memsys *m, uint64_t line, uint8_t sectors, bool written)
{
    if (m->nparts)
        put_line(m, line / LINE_B, sectors, written);
}

void memsys_warm(struct memsys *m, uint64_t addr, uint64_t bytes)
{
    if (!m->nparts || !bytes)
        return;
    uint64_t first = addr / LINE_B, last = (addr + bytes - 1) / LINE_B,
             fits = (uint64_t)m->cfg->l2_kb * 1024 / LINE_B;
    /* What comes earlier would be replaced again; four times what fits, since sets do not get equally many lines. */
    if (last - first > 4 * fits)
        first = last - 4 * fits;
    for (uint64_t line = first; line <= last; line++)
        put_line(m, line, 0xf, false);
}

void memsys_flush(struct memsys *m)
{
    for (uint32_t i = 0; i < m->nparts; i++)
        for (uint32_t j = 0; j < m->parts[i].nslices; j++) {
            struct slice *s = &m->parts[i].slices[j];
            cache_clear(&s->own.tags);
            if (m->cfg->halves)
                cache_clear(&s->copies.tags);
        }
}
