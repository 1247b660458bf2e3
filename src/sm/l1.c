/* The L1 data cache: lookups, lines on their way, requests into the interconnect, replies from it. Which access comes when
 * is the load-store unit's business (the seam sm/lsu). */
#include "sm/core.h"

enum { HEADER_B = 8 };
#define NAMED 0x80000000u /* a waiter that is no flight but a name of the load-store unit's policy */

void l1_init(struct sm *s)
{
    const struct sm_cfg *c = s->cfg;
    uint32_t cap = 16;
    while (cap < c->l1_mshrs * 2)
        cap *= 2;
    s->mshrs = xcalloc(c->l1_mshrs, sizeof *s->mshrs);
    s->mshr_of = xcalloc(cap, sizeof *s->mshr_of);
    s->mshr_mask = cap - 1;
    for (uint32_t i = 0; i < c->l1_mshrs; i++)
        s->mshrs[i].next = (uint16_t)(i + 1 < c->l1_mshrs ? i + 1 : NONE16);
    s->free_wait = UINT32_MAX;
    s->free_block = NONE16;
    cache_init(&s->konst, c->const_b, LINE_B, 8);
    cache_init(&s->l1i, c->l1i_b, LINE_B, 8);
    cache_init(&s->l1, s->onchip.split.cache_b, LINE_B, c->l1_ways);
}

void l1_resize(struct sm *s)
{
    cache_free(&s->l1);
    cache_init(&s->l1, s->onchip.split.cache_b, LINE_B, s->cfg->l1_ways);
}

void l1_done(struct sm *s)
{
    cache_free(&s->l1);
    cache_free(&s->l1i);
    cache_free(&s->konst);
    free(s->mshrs);
    free(s->mshr_of);
    free(s->blocks);
    vec_free(&s->waits);
}

/* ---- lines on their way ---- */

static uint32_t home(const struct sm *s, uint64_t line)
{
    return (uint32_t)(line / LINE_B * 0x9e3779b97f4a7c15ull >> 32) & s->mshr_mask;
}

/* `c`: L1's line, or NULL. */
static struct mshr *mshr_find(const struct sm *s, const struct cache_line *c, uint64_t line)
{
    if (c && c->pinned)
        return &s->mshrs[c->fill];
    if (!s->nhashed)
        return NULL;
    for (uint32_t h = home(s, line); s->mshr_of[h]; h = (h + 1) & s->mshr_mask)
        if (s->mshrs[s->mshr_of[h] - 1].line == line)
            return &s->mshrs[s->mshr_of[h] - 1];
    return NULL;
}

/* An entry that others do not find, unless L1's line names it. */
static struct mshr *mshr_take(struct sm *s, uint64_t line, uint64_t t)
{
    struct mshr *m = &s->mshrs[s->free_mshr];
    s->free_mshr = m->next;
    *m = (struct mshr){.line = line, .first = UINT32_MAX, .last = UINT32_MAX, .since = (uint32_t)t};
    s->stats[SS_mshr_uses]++;
    return m;
}

static void mshr_hash(struct sm *s, struct mshr *m)
{
    uint32_t h = home(s, m->line);
    while (s->mshr_of[h])
        h = (h + 1) & s->mshr_mask;
    s->mshr_of[h] = (uint16_t)(m - s->mshrs + 1);
    m->hashed = true;
    s->nhashed++;
}

/* Closes the gap that a removed entry leaves in its probe sequence. */
static void mshr_unhash(struct sm *s, struct mshr *m)
{
    uint32_t i = home(s, m->line);
    while (s->mshr_of[i] != m - s->mshrs + 1)
        i = (i + 1) & s->mshr_mask;
    for (uint32_t j = i;;) {
        j = (j + 1) & s->mshr_mask;
        if (!s->mshr_of[j])
            break;
        uint32_t h = home(s, s->mshrs[s->mshr_of[j] - 1].line);
        if (((j - h) & s->mshr_mask) >= ((j - i) & s->mshr_mask)) {
            s->mshr_of[i] = s->mshr_of[j];
            i = j;
        }
    }
    s->mshr_of[i] = 0;
    s->nhashed--;
}

static void mshr_free(struct sm *s, struct mshr *m, uint64_t t)
{
    s->stats[SS_mshr_cycles] += (uint32_t)t - m->since;
    if (m->hashed)
        mshr_unhash(s, m);
    m->next = s->free_mshr;
    s->free_mshr = (uint16_t)(m - s->mshrs);
}

static void mshr_wait(struct sm *s, struct mshr *m, uint32_t part, uint32_t flight, uint8_t missing)
{
    uint32_t i = s->free_wait;
    if (i == UINT32_MAX) {
        i = s->waits.n;
        vec_resize(&s->waits, i + 1);
    } else {
        s->free_wait = s->waits.at[i].next;
    }
    s->waits.at[i] =
        (struct mwait){.flight = flight, .part = (uint8_t)part, .missing = missing, .next = UINT32_MAX};
    if (m->first == UINT32_MAX)
        m->first = i;
    else
        s->waits.at[m->last].next = i;
    m->last = i;
    m->n++;
}

/* ---- requests ---- */

bool l1_port_room(const struct sm *s, uint64_t t) { return s->out_free <= t + s->cfg->request_queue; }

static void send(struct sm *s, uint64_t t, uint64_t line, uint8_t sectors, enum mem_kind kind, uint32_t tag,
                 bool wants_reply)
{
    uint32_t bytes = kind == MEM_READ ? 0 : SECTOR_B * (uint32_t)__builtin_popcount(sectors);
    uint64_t at = t + 1 > s->out_free ? t + 1 : s->out_free;
    s->stats[SS_request_wait] += at - (t + 1);
    s->out_free = at + (HEADER_B + bytes + s->cfg->request_b - 1) / s->cfg->request_b;
    vec_push(&s->out, (struct mem_req){.at = at,
                                       .line = line,
                                       .tag = tag,
                                       .sm = (uint16_t)s->id,
                                       .kind = (uint8_t)kind,
                                       .sectors = sectors,
                                       .bytes = (uint8_t)bytes,
                                       .wants_reply = wants_reply});
}

/* Only local memory is ever dirty in L1: the rest is written through. */
static void write_back(struct sm *s, const struct cache_line *old, uint64_t t)
{
    if (old->tag && old->dirty)
        send(s, t, (old->tag - 1) * LINE_B, old->dirty, MEM_WRITE, 0, false);
}

bool l1_caches(const struct sm *s, const struct flight *l)
{
    return s->onchip.split.cache_b && !l->i.k->bypass && (s->cfg->l1_loads || l->i.space == SPACE_LOCAL);
}

bool l1_holds(struct sm *s, const struct flight *l, uint64_t line, uint8_t sectors)
{
    const struct cache_line *c = l1_caches(s, l) ? cache_find(&s->l1, line / LINE_B, false) : NULL;
    return c && !((s->cfg->l1_sectors ? sectors : 15) & ~c->valid);
}

/* One line that a load, or the load-store unit's policy under a name of its own, wants. */
static enum l1_answer look_up(struct sm *s, uint32_t part, uint32_t waiter, bool cached, uint64_t line,
                              uint8_t sectors, uint64_t t)
{
    if (cached && !s->cfg->l1_sectors)
        sectors = 15;
    struct cache_line old, *c = s->onchip.split.cache_b ? cache_find(&s->l1, line / LINE_B, cached) : NULL;
    uint8_t missing = (uint8_t)(sectors & ~(cached && c ? c->valid : 0));
    struct mshr *m = missing ? mshr_find(s, c, line) : NULL;
    uint8_t fetch = (uint8_t)(missing & ~(m ? m->pending : 0));
    if (missing) {
        if (m ? m->n >= s->cfg->l1_merges : s->free_mshr == NONE16)
            return L1_WAIT;
        if (fetch && !l1_port_room(s, t))
            return L1_WAIT;
        if (cached && !c && s->cfg->l1_full_waits && cache_full(&s->l1, line / LINE_B))
            return L1_WAIT;
    }
    uint64_t n = (uint64_t)__builtin_popcount(sectors);
    if (cached) {
        s->stats[SS_l1_reads] += n;
        s->stats[SS_l1_read_hits] += n - (uint64_t)__builtin_popcount(missing);
        s->stats[SS_l1_read_merged] += (uint64_t)__builtin_popcount(missing & ~fetch);
    }
    if (!missing)
        return L1_HIT;
    bool first = !m;
    if (first)
        m = mshr_take(s, line, t);
    if (cached && !c && (c = cache_alloc(&s->l1, line / LINE_B, &old)))
        write_back(s, &old, t);
    if (cached && c) {
        c->pinned = 1;
        c->fill = (uint16_t)(m - s->mshrs);
        m->to = (uint32_t)(c - s->l1.lines) + 1;
    } else if (first) {
        mshr_hash(s, m);
    }
    if (fetch) {
        m->pending |= fetch;
        send(s, t, line, fetch, MEM_READ, (uint32_t)(m - s->mshrs), true);
    }
    mshr_wait(s, m, part, waiter, missing);
    return fetch ? L1_MISS : L1_JOINED;
}

/* False: no miss entry, or no place in the request queue. */
bool l1_load(struct sm *s, uint32_t part, uint32_t flight, uint64_t line, uint8_t sectors, uint64_t t)
{
    struct flight *l = &s->parts[part].flights[flight];
    enum l1_answer a = look_up(s, part, flight, l1_caches(s, l), line, sectors, t);
    l->lines_left += a > L1_HIT;
    return a != L1_WAIT;
}

enum l1_answer l1_fetch(struct sm *s, uint32_t name, bool cached, uint64_t line, uint8_t sectors, uint64_t t)
{
    return look_up(s, 0, name | NAMED, cached, line, sectors, t);
}

/* Atomics are done at L2; L1's copy is stale from then on. */
bool l1_atomic(struct sm *s, uint32_t part, uint32_t flight, uint64_t line, uint8_t sectors, uint64_t t)
{
    struct flight *l = &s->parts[part].flights[flight];
    bool wants = l->i.k->nwrite != 0;
    if (!l1_port_room(s, t) || (wants && s->free_mshr == NONE16))
        return false;
    struct cache_line *c = cache_find(&s->l1, line / LINE_B, false);
    if (c)
        c->valid &= (uint8_t)~sectors;
    uint32_t m = 0;
    if (wants) {
        struct mshr *e = mshr_take(s, line, t); /* by itself: loads do not wait for atomics */
        e->pending = sectors;
        mshr_wait(s, e, part, flight, sectors);
        m = (uint32_t)(e - s->mshrs);
        l->lines_left++;
    }
    send(s, t, line, sectors, MEM_ATOMIC, m, wants);
    return true;
}

/* Global stores are written through, a line that L1 holds stays valid; local ones stay in L1 until they are replaced. */
bool l1_store(struct sm *s, uint64_t line, uint8_t sectors, bool local, uint64_t t)
{
    if (!l1_port_room(s, t))
        return false;
    s->stats[SS_l1_writes] += (uint64_t)__builtin_popcount(sectors);
    if (local && s->onchip.split.cache_b) {
        struct cache_line old, *c = cache_find(&s->l1, line / LINE_B, true);
        if (!c && (c = cache_alloc(&s->l1, line / LINE_B, &old)))
            write_back(s, &old, t);
        if (c) {
            c->valid |= sectors;
            c->dirty |= sectors;
            return true;
        }
    }
    send(s, t, line, sectors, MEM_WRITE, 0, false);
    return true;
}

/* ---- replies ---- */

void load_done(struct sm *s, uint32_t part, uint32_t f, uint64_t t)
{
    const struct flight *l = &s->parts[part].flights[f];
    s->stats[SS_load_cycles] += t - l->issued;
    s->stats[SS_loads_done]++;
    if (!s->watch)
        return;
    const struct warp *w = &s->parts[part].warps[l->warp];
    const struct sm_load told = {.from = l->issued,
                                 .to = t,
                                 .line =
                                     line_addr(l->i.lines.at[0]), /* there, even if the list was given back */
                                 .cta = w->cta,
                                 .index = w->index,
                                 .part = part,
                                 .cls = l->i.k->cls,
                                 .lines = l->i.lines.n};
    s->watch->load(s->watch->ctx, &told);
}

static void load_complete(struct sm *s, uint32_t part, uint32_t f, uint64_t t)
{
    struct part *p = &s->parts[part];
    struct flight *l = &p->flights[f];
    load_done(s, part, f, t);
    if (l->i.k->cls == TC_LDGSTS)
        async_done(p, l->warp, l->group);
    exec_result(p, f);
    part_wake(p, t);
}

void l1_reply(struct sm *s, const struct mem_reply *r, uint64_t t)
{
    struct mshr *m = &s->mshrs[r->tag];
    m->pending &= (uint8_t)~r->sectors;
    if (m->to) {
        struct cache_line *c = &s->l1.lines[m->to - 1];
        c->valid |= r->sectors;
        c->pinned = m->pending != 0;
    }
    for (uint32_t *link = &m->first; *link != UINT32_MAX;) {
        uint32_t i = *link;
        struct mwait *w = &s->waits.at[i];
        w->missing &= (uint8_t)~r->sectors;
        if (w->missing) {
            link = &w->next;
            continue;
        }
        uint32_t part = w->part, f = w->flight;
        *link = w->next;
        w->next = s->free_wait;
        s->free_wait = i;
        m->n--;
        if (f & NAMED) {
            s->lsu_ops->arrived(s->lsu, f & ~NAMED, t);
            continue;
        }
        struct flight *l = &s->parts[part].flights[f];
        if (--l->lines_left == 0 && l->next_line == l->i.lines.n)
            load_complete(s, part, f, t);
    }
    m->last = m->first; /* those that still wait are few: found again below */
    for (uint32_t i = m->first; i != UINT32_MAX; i = s->waits.at[i].next)
        m->last = i;
    if (!m->pending)
        mshr_free(s, m, t);
    s->lsu_ops->replied(s->lsu, t);
}
