/* SPDX-License-Identifier: Apache-2.0 */
/* The whole: options, and what goes between SMs and channels. */
#include "mem/mail.h"
#include "mem/owed.h"
#include "mem/simple.h"

#include <assert.h>

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

/* What others ask of a channel between two windows; channels themselves lie far apart, in the caches of other processors. */
struct channel {
    uint64_t next;
    uint64_t answers; /* cycle of the first of the window `until` */
    uint64_t until;
};

struct memsys {
    const struct mem_cfg *cfg;
    double core_mhz;
    uint16_t *answer_cyc; /* from L2's port to each SM */
    struct mem_map map;
    /* As all slices have them: for the set of a line, which is not only for their owners to ask */
    struct cache tags;
    struct mpart *parts;
    struct owed owed;       /* unless one thread does all */
    const uint32_t *groups; /* of SMs; NULL: one */
    struct channel *channels;
    uint32_t nparts;
    bool alone;          /* memsys_alone: requests go to their channels at once; else by mail */
    struct mail mail[2]; /* what is written in one window is read in the next */
    uint32_t turn;       /* which is written */
    uint64_t until;      /* of this window: channels that were stepped in it say so */
    /* Alone: */
    uint64_t stepped; /* channels are in this cycle */
    uint64_t arrives; /* when the first of the requests that were sent since reaches its channel */
    bool unheard;     /* SMs have not been stepped since */
    struct simple simple;
};

/* How far an SM is from L2, 0 the nearest and 1 the farthest. As on an H200 (silicon/reach-h200.csv): the two SMs of a TPC are
 * equally far, and the TPCs, by number, make three groups; within each of them distance grows with the number. */
static double how_far(uint32_t sm, uint32_t nsm)
{
    static const struct {
        double end, first, last;
    } groups[] = {{0.364, 0.44, 1}, {0.697, 0.23, 0.78}, {1, 0.02, 0.2}};
    double at = (sm & ~1u) / (double)nsm, from = 0;
    uint32_t g = 0;
    for (; at >= groups[g].end; g++)
        from = groups[g].end;
    return groups[g].first + (groups[g].last - groups[g].first) * (at - from) / (groups[g].end - from);
}

static uint16_t *answers_to(const struct mem_cfg *cfg, uint32_t nsm)
{
    uint16_t *cyc = xcalloc(nsm, sizeof *cyc);
    for (uint32_t i = 0; i < nsm; i++)
        cyc[i] = (uint16_t)(cfg->icnt_cyc + cfg->reach_cyc * how_far(i, nsm) + 0.5);
    return cyc;
}

struct memsys *memsys_without(const struct mem_cfg *cfg, double core_mhz, uint32_t nsm)
{
    struct memsys *m = xcalloc(1, sizeof *m);
    m->cfg = cfg;
    m->core_mhz = core_mhz;
    if (cfg->simple) {
        simple_init(&m->simple, cfg, nsm);
        return m;
    }
    m->nparts = cfg->channels;
    m->answer_cyc = answers_to(cfg, nsm);
    m->map = mem_map(cfg);
    for (uint32_t i = 0; i < 2; i++)
        mail_init(&m->mail[i], nsm, m->nparts);
    m->channels = xcalloc(m->nparts, sizeof *m->channels);
    m->parts = xcalloc(m->nparts, sizeof *m->parts);
    owed_init(&m->owed, m->nparts);
    m->arrives = UINT64_MAX;
    return m;
}

void memsys_add(struct memsys *m, uint32_t part)
{
    mpart_init(&m->parts[part], m->cfg, m->core_mhz, m->answer_cyc, part);
    m->channels[part].next = m->parts[part].next;
    if (!part)
        m->tags = m->parts->slices->own.tags;
}

struct memsys *memsys_new(const struct mem_cfg *cfg, double core_mhz, uint32_t nsm)
{
    struct memsys *m = memsys_without(cfg, core_mhz, nsm);
    for (uint32_t i = 0; i < m->nparts; i++)
        memsys_add(m, i);
    return m;
}

void memsys_free(struct memsys *m)
{
    for (uint32_t i = 0; i < m->nparts; i++)
        mpart_free(&m->parts[i]);
    owed_free(&m->owed);
    for (uint32_t i = 0; i < 2; i++)
        mail_free(&m->mail[i]);
    simple_free(&m->simple);
    free(m->channels);
    free(m->answer_cyc);
    free(m->parts);
    free(m);
}

void memsys_groups(struct memsys *m, const uint32_t *of) { m->groups = of; }

void memsys_alone(struct memsys *m, mem_replies *to_sm)
{
    assert(!m->alone || !m->nparts || m->stepped >= m->until);
    m->alone = to_sm;
    for (uint32_t i = 0; i < m->nparts; i++)
        mpart_reply_to(&m->parts[i], to_sm);
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

/* An SM's requests go to slices of its own half. */
static uint32_t near_slice(const struct mem_cfg *cfg, struct mem_req *r, uint32_t home)
{
    uint32_t half = cfg->slices / cfg->channels / 2;
    r->far = home / half != mem_half(r->sm);
    return r->far ? (home + half) % (2 * half) : home;
}

static void step(struct memsys *m, uint32_t part, uint64_t until)
{
    struct mpart *p = &m->parts[part];
    if (!p->arrived && p->next >= until)
        return;
    mpart_step(p, until);
    if (p->out.n)
        mail_answer(&m->mail[m->turn], part, &p->out);
    m->channels[part] = (struct channel){.next = p->next, .answers = p->first_reply, .until = until};
}

/* Alone: before that cycle no reply will come that is not there now: what SMs send from now on comes to channels later than these
 * are. */
static uint64_t known(const struct memsys *m) { return m->stepped + mem_window(m->cfg); }

static void step_all(struct memsys *m, uint64_t until)
{
    for (uint32_t i = 0; i < m->nparts; i++)
        step(m, i, until);
    m->stepped = until;
    m->arrives = UINT64_MAX;
    m->unheard = true;
}

/* Somebody looks at the channels, or changes them, after the window. */
static void catch_up(struct memsys *m)
{
    if (m->alone && m->stepped < m->until)
        step_all(m, m->until);
}

static void put_line(struct memsys *m, uint64_t line, uint8_t sectors, bool written)
{
    struct mem_place to = map_slice(&m->map, line * LINE_B);
    struct slice *s = &m->parts[to.part].slices[to.slice];
    struct cache *c = &s->own.tags;
    uint64_t local = to.local / LINE_B;
    struct cache_at at = cache_at_in(c, cache_set(c, line), local);
    struct cache_line old, *l = cache_find_at(c, at, local, true);
    s->in.absent = false;
    if (!l)
        l = cache_alloc_at(c, at, local, &old);
    if (!l)
        return;
    l->valid = (l->valid | sectors) & 0xf;
    if (written)
        l->dirty = (l->dirty | sectors) & 0xf;
}

/* The lines that a channel is owed, in the order in which they came. */
static void settle(struct memsys *m, uint32_t part)
{
    if (!m->owed.any[part])
        return;
    m->owed.any[part] = false;
    for (uint32_t i = 0; i < OWED_PIECES; i++) {
        line_list *lines = owed_lines(&m->owed, part, i);
        vec_each (lines, line)
            put_line(m, *line, 0xf, false);
        vec_free(lines);
        *lines = (line_list){0};
    }
}

uint32_t memsys_pieces(const struct memsys *m) { return m->owed.n ? OWED_PIECES : 0; }
void memsys_sort(struct memsys *m, uint32_t piece) { owed_sort(&m->owed, &m->map, piece); }
void memsys_sorted(struct memsys *m) { owed_sorted(&m->owed); }

static void settle_all(struct memsys *m)
{
    for (uint32_t i = 0, n = memsys_pieces(m); i < n; i++)
        memsys_sort(m, i);
    memsys_sorted(m);
    for (uint32_t i = 0; i < m->nparts; i++)
        settle(m, i);
}

/* The others have sent what they had, and their channels are owed nothing. */
static void begin_shared(struct memsys *m)
{
    mail_begin(&m->mail[m->turn], m->until);
    mail_sum(&m->mail[!m->turn]);
    if (m->owed.n)
        settle_all(m);
}

uint64_t memsys_begin(struct memsys *m, uint64_t until, bool ahead)
{
    m->turn = !m->turn;
    m->until = until;
    if (m->nparts && !m->alone)
        begin_shared(m);
    if (!m->alone || !m->nparts)
        return until;
    /* All SMs are in the cycle in which the window begins, and what they have sent before is there. */
    if (until > known(m))
        step_all(m, ahead ? until : until - mem_window(m->cfg));
    m->unheard = false;
    return known(m);
}

void memsys_end(struct memsys *m) { catch_up(m); }

/* The request as its slice gets it. */
INTO struct mem_place find_slice(const struct memsys *m, struct mem_req *r)
{
    struct mem_place to = map_slice(&m->map, r->line);
    r->at += m->cfg->icnt_cyc + m->cfg->rop_cyc;
    r->set = cache_set(&m->tags, r->line / LINE_B);
    r->line = to.local;
    if (m->cfg->halves)
        to.slice = near_slice(m->cfg, r, to.slice);
    if (r->kind == MEM_READ)
        r->group = m->groups ? (uint8_t)m->groups[r->sm] : 0;
    return to;
}

static void post(struct memsys *m, struct mem_req *r, uint32_t n)
{
    for (; n; n--, r++) {
        struct mem_place to = find_slice(m, r);
        mail_put(&m->mail[m->turn], to.part, to.slice, r);
    }
}

/* To their channels: several at a time, whose inputs the host's cache gets first. */
static void send(struct memsys *m, struct mem_req *r, uint32_t n)
{
    enum { BATCH = 16 };
    struct mpart *part[BATCH];
    struct input *in[BATCH];
    for (uint32_t k; n; n -= k, r += k) {
        k = n < BATCH ? n : BATCH;
        for (uint32_t i = 0; i < k; i++) {
            struct mem_place to = find_slice(m, &r[i]);
            part[i] = &m->parts[to.part];
            in[i] = &part[i]->slices[to.slice].in;
            __builtin_prefetch(in[i], 1);
        }
        for (uint32_t i = 0; i < k; i++)
            mpart_push(part[i], in[i], &r[i]);
    }
}

struct mem_sent memsys_send(struct memsys *m, uint32_t sm, mem_reqs *from, uint64_t until)
{
    uint32_t n = from->n;
    while (n && from->at[n - 1].at >= until)
        n--;
    struct mem_sent sent = {.n = n, .arrives = UINT64_MAX};
    if (!n)
        return sent;
    if (m->nparts && !m->alone)
        mail_clear(&m->mail[m->turn], sm);
    for (uint32_t i = 0; i < n; i++)
        sent.asks += from->at[i].wants_reply;
    if (!m->nparts) {
        simple_send(&m->simple, sm, from->at, n);
    } else {
        sent.arrives = from->at[0].at + m->cfg->icnt_cyc + m->cfg->rop_cyc;
        if (m->alone) {
            m->arrives = sent.arrives < m->arrives ? sent.arrives : m->arrives;
            send(m, from->at, n);
        } else {
            post(m, from->at, n);
        }
    }
    from->n -= n;
    if (from->n)
        memmove(from->at, from->at + n, sizeof *from->at * from->n);
    return sent;
}

void memsys_step(struct memsys *m, uint32_t part)
{
    settle(m, part);
    mail_collect(&m->mail[!m->turn], part, &m->parts[part]);
    step(m, part, m->until);
}

bool memsys_answered(const struct memsys *m, uint32_t sm)
{
    return m->nparts && !m->alone && mail_answered(&m->mail[!m->turn], sm);
}

void memsys_take(struct memsys *m, uint32_t sm, mem_replies *to)
{
    if (m->nparts && !m->alone)
        mail_take(&m->mail[!m->turn], sm, to);
}

void memsys_give(struct memsys *m, mem_replies *to_sm)
{
    if (!m->nparts)
        simple_give(&m->simple, to_sm);
    for (uint32_t i = 0; i < m->mail[0].nsm && !m->alone; i++)
        mail_take(&m->mail[m->turn], i, &to_sm[i]);
    m->mail[m->turn].answered_in = 0;
}

uint64_t memsys_next(const struct memsys *m)
{
    uint64_t t = m->nparts ? m->arrives : UINT64_MAX;
    for (uint32_t i = 0; i < m->nparts; i++)
        t = m->channels[i].next < t ? m->channels[i].next : t;
    return t;
}

uint64_t memsys_next_answer(const struct memsys *m)
{
    uint64_t t = UINT64_MAX;
    for (uint32_t i = 0; i < m->nparts && (!m->alone || m->unheard); i++)
        if (m->channels[i].until == m->until && m->channels[i].answers < t)
            t = m->channels[i].answers;
    return t;
}

void memsys_count(struct memsys *m, uint64_t sum[MS_COUNT])
{
    catch_up(m);
    /* What was sent in the last window counts as sent. */
    for (uint32_t i = 0; i < m->nparts; i++)
        mail_collect(&m->mail[m->turn], i, &m->parts[i]);
    m->mail[m->turn].sent_in = 0;
    memcpy(sum, m->simple.stats, sizeof m->simple.stats);
    for (uint32_t i = 0; i < m->nparts; i++)
        stat_add(sum, m->parts[i].stats, MS_COUNT);
    sum[MS_dram_busy] /= DRAM_SCALE;
    sum[MS_dram_wait] /= DRAM_SCALE;
}

void memsys_touch(struct memsys *m, uint64_t line, uint8_t sectors, bool written)
{
    catch_up(m);
    if (!m->nparts)
        return;
    if (m->owed.n)
        settle_all(m);
    put_line(m, line / LINE_B, sectors, written);
}

void memsys_warm(struct memsys *m, uint64_t addr, uint64_t bytes)
{
    if (!m->nparts || !bytes)
        return;
    catch_up(m);
    uint64_t first = addr / LINE_B, last = (addr + bytes - 1) / LINE_B,
             fits = (uint64_t)m->cfg->l2_kb * 1024 / LINE_B;
    /* What comes earlier would be replaced again; four times what fits, since sets do not get equally many lines. */
    if (last - first > 4 * fits)
        first = last - 4 * fits;
    for (uint64_t line = first; line <= last && m->alone; line++)
        put_line(m, line, 0xf, false);
    if (m->alone)
        return;
    if (m->owed.n > 4 * fits)
        settle_all(m);
    owed_add(&m->owed, first, last + 1 - first);
}

void memsys_flush(struct memsys *m)
{
    catch_up(m);
    owed_forget(&m->owed);
    for (uint32_t i = 0; i < m->nparts; i++)
        for (uint32_t j = 0; j < m->parts[i].nslices; j++) {
            struct slice *s = &m->parts[i].slices[j];
            cache_clear(&s->own.tags);
            if (m->cfg->halves)
                cache_clear(&s->copies.tags);
        }
}
