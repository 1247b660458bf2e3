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

/* What an SM has sent in a window. */
struct outbox {
    VEC(struct arrival) sent; /* in the order of their times */
    uint32_t *first, *last;   /* by channel: those that go there */
    uint64_t *to;             /* channels that have any */
};

/* What a channel has answered in a window. */
struct answers {
    mem_replies sent;
    VEC(uint32_t) next;     /* of each of them: the next to the same SM */
    uint32_t *first, *last; /* by SM */
};

/* What others ask of a channel between two windows; channels themselves lie far apart, in the caches of other processors. */
struct channel {
    uint64_t next;
    uint64_t answers; /* cycle of the first of the window `until` */
    uint64_t until;
};

/* What SMs and channels have sent each other in a window. */
struct mail {
    struct outbox *out;      /* by SM */
    struct answers *answers; /* by channel */
    uint64_t *senders;       /* by channel: a bit for each SM that has sent it something */
    uint64_t *answered;      /* by SM: a bit for each channel that has answered */
};

struct memsys {
    const struct mem_cfg *cfg;
    struct mem_map map;
    struct mpart *parts;
    struct channel *channels;
    uint32_t nparts, nsm;
    uint32_t sm_words, part_words; /* for a bit each */
    struct mail mail[2];           /* what is written in one window is read in the next */
    uint32_t turn;                 /* which is written */
    uint64_t until;                /* of this window: channels that were stepped in it say so */
    uint64_t *simple_free;         /* by SM: its share of the simple memory's bandwidth, in bytes delivered */
    mem_replies simple_out;
    uint64_t simple_stats[MS_COUNT];
};

static void mail_init(struct memsys *m, struct mail *x)
{
    x->out = xcalloc(m->nsm, sizeof *x->out);
    if (!m->nparts)
        return;
    x->senders = xcalloc((size_t)m->nparts * m->sm_words, sizeof *x->senders);
    x->answered = xcalloc((size_t)m->nsm * m->part_words, sizeof *x->answered);
    x->answers = xcalloc(m->nparts, sizeof *x->answers);
    for (uint32_t i = 0; i < m->nsm; i++) {
        x->out[i].first = xcalloc(m->nparts, sizeof *x->out[i].first);
        x->out[i].last = xcalloc(m->nparts, sizeof *x->out[i].last);
        x->out[i].to = xcalloc(m->part_words, sizeof *x->out[i].to);
    }
    for (uint32_t i = 0; i < m->nparts; i++) {
        x->answers[i].first = xcalloc(m->nsm, sizeof *x->answers[i].first);
        x->answers[i].last = xcalloc(m->nsm, sizeof *x->answers[i].last);
    }
}

static void mail_free(const struct memsys *m, struct mail *x)
{
    for (uint32_t i = 0; i < m->nsm; i++) {
        vec_free(&x->out[i].sent);
        free(x->out[i].first);
        free(x->out[i].last);
        free(x->out[i].to);
    }
    for (uint32_t i = 0; i < m->nparts; i++) {
        vec_free(&x->answers[i].sent);
        vec_free(&x->answers[i].next);
        free(x->answers[i].first);
        free(x->answers[i].last);
    }
    free(x->out);
    free(x->answers);
    free(x->senders);
    free(x->answered);
}

struct memsys *memsys_new(const struct mem_cfg *cfg, double core_mhz, uint32_t nsm)
{
    struct memsys *m = xcalloc(1, sizeof *m);
    m->cfg = cfg;
    m->nsm = nsm;
    m->nparts = cfg->simple ? 0 : cfg->channels;
    if (m->nparts)
        m->map = mem_map(cfg);
    m->sm_words = (nsm + 63) / 64;
    m->part_words = (m->nparts + 63) / 64;
    for (uint32_t i = 0; i < 2; i++)
        mail_init(m, &m->mail[i]);
    m->simple_free = xcalloc(nsm, sizeof *m->simple_free);
    m->channels = xcalloc(m->nparts + 1, sizeof *m->channels);
    m->parts = xcalloc(m->nparts + 1, sizeof *m->parts);
    for (uint32_t i = 0; i < m->nparts; i++) {
        mpart_init(&m->parts[i], cfg, core_mhz, i);
        m->channels[i].next = m->parts[i].next;
    }
    return m;
}

void memsys_free(struct memsys *m)
{
    for (uint32_t i = 0; i < m->nparts; i++)
        mpart_free(&m->parts[i]);
    for (uint32_t i = 0; i < 2; i++)
        mail_free(m, &m->mail[i]);
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

void memsys_begin(struct memsys *m, uint64_t until)
{
    m->turn = !m->turn;
    m->until = until;
}

/* Finds each request's channel, and makes the channels' lists. */
static void address(struct memsys *m, uint32_t sm, const struct mem_req *from)
{
    struct mail *x = &m->mail[m->turn];
    struct outbox *o = &x->out[sm];
    uint64_t way = m->cfg->icnt_cyc + m->cfg->rop_cyc, self = 1ull << sm % 64, *to = o->to;
    uint32_t *first = o->first, *last = o->last, n = o->sent.n;
    memset(to, 0, sizeof *to * m->part_words);
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
            __atomic_fetch_or(&x->senders[(size_t)at.part * m->sm_words + sm / 64], self, __ATOMIC_RELAXED);
        }
        last[at.part] = i;
    }
}

struct mem_sent memsys_send(struct memsys *m, uint32_t sm, mem_reqs *from)
{
    struct outbox *o = &m->mail[m->turn].out[sm];
    uint32_t n = from->n;
    while (n && from->at[n - 1].at >= m->until)
        n--;
    struct mem_sent sent = {.arrives = UINT64_MAX};
    vec_clear(&o->sent);
    if (!n)
        return sent;
    vec_reserve(&o->sent, n);
    for (uint32_t i = 0; i < n; i++)
        sent.asks += from->at[i].wants_reply;
    o->sent.n = sent.n = n;
    if (m->nparts) {
        address(m, sm, from->at);
        sent.arrives = o->sent.at[0].req.at;
    } else {
        for (uint32_t i = 0; i < n; i++)
            o->sent.at[i].req = from->at[i];
    }
    from->n -= n;
    if (from->n)
        memmove(from->at, from->at + n, sizeof *from->at * from->n);
    return sent;
}

/* What SMs have sent to a channel, SM by SM. */
static void collect(struct memsys *m, struct mail *x, uint32_t part)
{
    uint64_t *senders = &x->senders[(size_t)part * m->sm_words];
    for (uint32_t w = 0; w < m->sm_words; w++) {
        for (uint64_t left = senders[w]; left; left &= left - 1) {
            const struct outbox *o = &x->out[w * 64 + (uint32_t)__builtin_ctzll(left)];
            mpart_push(&m->parts[part], o->sent.at, o->first[part]);
        }
        senders[w] = 0;
    }
}

/* The channel's replies become those of this window; each SM has a list. Returns the cycle of the first. */
static uint64_t answer(struct memsys *m, uint32_t part)
{
    struct mail *x = &m->mail[m->turn];
    struct answers *a = &x->answers[part];
    mem_replies empty = a->sent;
    a->sent = m->parts[part].out;
    vec_clear(&empty);
    m->parts[part].out = empty;
    vec_reserve(&a->next, a->sent.n);
    uint64_t *mine = &x->answered[part / 64], self = 1ull << part % 64, first = UINT64_MAX;
    for (uint32_t i = 0; i < a->sent.n; i++) {
        const struct mem_reply *r = &a->sent.at[i];
        uint64_t *bits = mine + (size_t)r->sm * m->part_words;
        first = r->at < first ? r->at : first;
        a->next.at[i] = UINT32_MAX;
        /* Nobody else sets or clears this bit in this window. */
        if (__atomic_load_n(bits, __ATOMIC_RELAXED) & self) {
            a->next.at[a->last[r->sm]] = i;
        } else {
            a->first[r->sm] = i;
            __atomic_fetch_or(bits, self, __ATOMIC_RELAXED);
        }
        a->last[r->sm] = i;
    }
    return first;
}

void memsys_step(struct memsys *m, uint32_t part)
{
    struct mpart *p = &m->parts[part];
    collect(m, &m->mail[!m->turn], part);
    if (p->arrived || p->next < m->until)
        mpart_step(p, m->until);
    m->channels[part] = (struct channel){
        .next = p->next, .answers = p->out.n ? answer(m, part) : UINT64_MAX, .until = m->until};
}

bool memsys_answered(const struct memsys *m, uint32_t sm)
{
    if (!m->nparts)
        return false;
    const uint64_t *bits = &m->mail[!m->turn].answered[(size_t)sm * m->part_words];
    for (uint32_t w = 0; w < m->part_words; w++)
        if (bits[w])
            return true;
    return false;
}

static void take(const struct memsys *m, struct mail *x, uint32_t sm, mem_replies *to)
{
    if (!m->nparts)
        return;
    uint64_t *bits = &x->answered[(size_t)sm * m->part_words];
    for (uint32_t w = 0; w < m->part_words; w++) {
        for (uint64_t left = bits[w]; left; left &= left - 1) {
            const struct answers *a = &x->answers[w * 64 + (uint32_t)__builtin_ctzll(left)];
            for (uint32_t i = a->first[sm]; i != UINT32_MAX; i = a->next.at[i])
                vec_push(to, a->sent.at[i]);
        }
        bits[w] = 0;
    }
}

void memsys_take(struct memsys *m, uint32_t sm, mem_replies *to) { take(m, &m->mail[!m->turn], sm, to); }

void memsys_give(struct memsys *m, mem_replies *to_sm)
{
    struct mail *x = &m->mail[m->turn];
    for (uint32_t i = 0; i < m->nsm && m->cfg->simple; i++) {
        vec_each (&x->out[i].sent, a)
            simple_request(m, &a->req);
        vec_clear(&x->out[i].sent);
    }
    vec_each (&m->simple_out, r)
        vec_push(&to_sm[r->sm], *r);
    vec_clear(&m->simple_out);
    for (uint32_t i = 0; i < m->nsm && m->nparts; i++)
        take(m, x, i, &to_sm[i]);
}

uint64_t memsys_next(const struct memsys *m)
{
    uint64_t t = UINT64_MAX;
    for (uint32_t i = 0; i < m->nparts; i++)
        t = m->channels[i].next < t ? m->channels[i].next : t;
    return t;
}

uint64_t memsys_next_answer(const struct memsys *m)
{
    uint64_t t = UINT64_MAX;
    for (uint32_t i = 0; i < m->nparts; i++)
        if (m->channels[i].until == m->until && m->channels[i].answers < t)
            t = m->channels[i].answers;
    return t;
}

void memsys_count(struct memsys *m, uint64_t sum[MS_COUNT])
{
    /* What was sent in the last window counts as sent. */
    for (uint32_t i = 0; i < m->nparts; i++)
        collect(m, &m->mail[m->turn], i);
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
