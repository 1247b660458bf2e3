/* SPDX-License-Identifier: Apache-2.0 */
/* The L1 data cache: turns of its clients, lookups, requests into the interconnect, replies from it. Which access comes when is
 * the clients' business. */
#include "sm/async/async.h"
#include "sm/l1/replies.h"

#include <assert.h>

const char *l1_hash_name(uint32_t i)
{
    static const char *const names[] = {"fold", "fermi", "plain"};
    return i < sizeof names / sizeof names[0] ? names[i] : NULL;
}

static void new_tags(struct sm *s)
{
    cache_init(&s->l1.cache, s->onchip.split.cache_b, LINE_B, s->cfg->l1_ways);
    if (strcmp(s->cfg->l1_hash, "fermi") == 0)
        cache_as_fermi(&s->l1.cache);
    else if (strcmp(s->cfg->l1_hash, "plain") == 0)
        cache_as_slice(&s->l1.cache, 1, 1, false);
    s->l1.expected = UINT64_MAX;
}

/* Cycles that a reply with these sectors takes in a port of so many bytes. */
static uint8_t port_cyc(uint32_t sectors, uint32_t rate)
{
    return (uint8_t)((L1_HEADER_B + SECTOR_B * mem_sectors(sectors) + rate - 1) / rate);
}

void l1_init(struct sm *s)
{
    const struct sm_cfg *c = s->cfg;
    mshrs_init(&s->l1.mshrs, c->l1_mshrs, c->bypass_mshrs, &s->arena);
    s->l1.mshrs.by_sector = lsu_find(c->lsu)->by_sector;
    s->lsu.shared_array = &s->l1.arrays[0];
    s->l1.array = &s->l1.arrays[1];
    s->lsu.shared_array->accesses = 1;
    s->l1.array->accesses = c->l1_lines;
    s->lsu.free_block = NONE16;
    for (uint32_t i = 0; i < 16; i++) {
        s->port.reply_cyc[i] = port_cyc(i, c->reply_b);
        s->port.copy_cyc[i] = port_cyc(i, c->copy_reply_b ? c->copy_reply_b : c->reply_b);
    }
    s->port.plain_misses = (s->l1.mshrs.by_sector && !c->l1_sectors) || s->onchip.follows ? 0 : 15;
    cache_init(&s->code.konst, c->const_b, c->const_line_b, 8);
    if (c->const_first_b)
        cache_init(&s->code.konst_first, c->const_first_b, c->const_line_b, 4);
    cache_init(&s->code.l1i, c->l1i_b, LINE_B, 8);
    new_tags(s);
}

/* A client may have asked for lines that come when the last CTA has ended: they have no place any more. */
void l1_resize(struct sm *s)
{
    for (uint32_t i = 0; i < s->l1.mshrs.nl1; i++) {
        struct mshr *m = &s->l1.mshrs.at[i];
        if (!m->pending || !m->to)
            continue;
        m->to = 0;
        mshr_hash(&s->l1.mshrs, i);
    }
    cache_free(&s->l1.cache);
    new_tags(s);
}

void l1_done(struct sm *s)
{
    cache_free(&s->l1.cache);
    cache_free(&s->code.l1i);
    cache_free(&s->code.konst);
    cache_free(&s->code.konst_first);
    mshrs_done(&s->l1.mshrs);
    rows_done(&s->rows);
    vec_free(&s->l1.clients);
    vec_free(&s->l1.client_at);
    free(s->lsu.blocks);
}

/* ---- clients ---- */

uint32_t l1_add(struct sm *s, const struct l1_client *c)
{
    uint32_t number = s->l1.clients.n, at = number;
    assert(number < UINT8_MAX); /* mwait.client */
    while (at && s->l1.clients.at[at - 1].priority > c->priority)
        at--;
    vec_insert(&s->l1.clients, at, *c);
    vec_each (&s->l1.client_at, i)
        *i = (uint8_t)(*i + (*i >= at));
    vec_push(&s->l1.client_at, (uint8_t)at);
    s->l1.lsu_alone = s->lsu.ops->alone && !number && !s->onchip.follows;
    s->l1.due = 0;
    return number;
}

void l1_tick(struct sm *s, uint64_t t)
{
    if (s->l1.lsu_alone) {
        const struct l1_client *lsu = s->l1.clients.at;
        lsu->tick(lsu->ctx, t);
        s->l1.due = s->l1.clients.at->next(s->l1.clients.at->ctx);
        return;
    }
    if (s->rows.fills.n || (s->trust.check && s->onchip.follows))
        rows_tick(s, t);
    for (uint32_t i = 0; i < s->l1.clients.n; i++) /* one may be added meanwhile */
        s->l1.clients.at[i].tick(s->l1.clients.at[i].ctx, t);
}

uint64_t l1_next(const struct sm *s)
{
    if (s->rows.fills.n)
        return s->clock.now;
    uint64_t t = NEVER;
    vec_each (&s->l1.clients, c) {
        uint64_t u = c->next(c->ctx);
        t = u < t ? u : t;
    }
    return t;
}

/* ---- requests ---- */

bool l1_port(const struct sm *s, uint64_t t) { return s->port.out_free <= t + s->cfg->request_queue; }

uint64_t l1_port_opens(const struct sm *s) { return s->port.out_free - s->cfg->request_queue; }

bool l1_open(const struct sm *s, uint64_t t) { return array_open(s->l1.array, t) && l1_port(s, t); }

SELDOM static void more_out(struct sm *s) { vec_reserve(&s->port.out, s->port.out.n + 1); }

static inline void into_port(struct sm *s, uint64_t t, uint64_t line, uint8_t sectors, enum mem_kind kind,
                             uint32_t tag, bool wants_reply)
{
    uint32_t bytes = kind == MEM_READ ? 0 : SECTOR_B * mem_sectors(sectors);
    uint64_t at = t + 1 > s->port.out_free ? t + 1 : s->port.out_free;
    s->stats[SS_request_wait] += at - (t + 1);
    s->port.out_free = at + (L1_HEADER_B + bytes + s->cfg->request_b - 1) / s->cfg->request_b;
    if (s->port.out.n == s->port.out.cap)
        more_out(s);
    s->port.out.at[s->port.out.n++] = (struct mem_req){.at = at,
                                                       .line = line,
                                                       .tag = tag,
                                                       .sm = (uint16_t)s->id,
                                                       .kind = (uint8_t)kind,
                                                       .sectors = sectors,
                                                       .bytes = (uint8_t)bytes,
                                                       .wants_reply = wants_reply};
}

void l1_send(struct sm *s, uint64_t t, uint64_t line, uint8_t sectors, enum mem_kind kind, uint32_t tag,
             bool wants_reply)
{
    into_port(s, t, line, sectors, kind, tag, wants_reply);
}

/* A place for a line that is not there; NULL: none. Only local memory is ever dirty in L1: the rest is written through. */
static inline struct cache_line *make_place(struct sm *s, struct cache_at at, uint64_t line, uint64_t t)
{
    struct cache_line *c = cache_victim(&s->l1.cache, at);
    if (!c)
        return NULL;
    if (c->dirty)
        l1_send(s, t, (c->tag - 1) * LINE_B, c->dirty, MEM_WRITE, 0, false);
    cache_replace(&s->l1.cache, at, c, line / LINE_B);
    return c;
}

/* Texture fetches are: where global loads bypass L1, as by default on sm_5x, its cache is the textures'. */
bool l1_caches(const struct sm *s, const struct flight *l)
{
    return s->onchip.split.cache_b && !l->i.k->bypass &&
           (s->cfg->l1_loads || l->i.space == SPACE_LOCAL || l->i.k->cls == TC_TEX);
}

bool l1_holds(struct sm *s, const struct flight *l, uint64_t line, uint8_t sectors)
{
    const struct cache_line *c = l1_caches(s, l) ? cache_find(&s->l1.cache, line / LINE_B, false) : NULL;
    return c && !((s->cfg->l1_sectors ? sectors : 15) & ~c->valid);
}

static inline uint32_t take_entry(struct sm *s, enum mshr_pool pool, uint64_t line, uint64_t t)
{
    s->stats[pool == MSHR_L1 ? SS_mshr_uses : SS_bypass_uses]++;
    return mshr_take(&s->l1.mshrs, pool, line, t);
}

/* Those who wait for what is missing of a line. Nobody does for what nobody has fetched. */
static uint32_t merged(const struct sm *s, const struct mshr *m, uint8_t missing, uint8_t fetch)
{
    return !s->l1.mshrs.by_sector ? m->n : fetch == missing ? 0 : mshr_waiting(&s->l1.mshrs, m, missing);
}

/* Somebody may have to wait for the next reply, or asks again when the port has room. */
static inline bool refuse(struct sm *s, bool for_port)
{
    s->l1.refused |= !for_port;
    s->l1.lacks_port = for_port;
    return false;
}

/* Is there room for what is missing of a line? `i`: its entry. */
static inline bool has_room(const struct sm *s, uint32_t i, bool cached, const struct cache_line *c,
                            uint64_t line, uint8_t missing, uint8_t fetch)
{
    const struct mshrs *a = &s->l1.mshrs;
    if (i != MSHR_NONE ? merged(s, &a->at[i], missing, fetch) >= s->cfg->l1_merges
                       : !a->nspare[cached ? MSHR_L1 : MSHR_BYPASS])
        return false;
    if (fetch && cached && a->by_sector && a->sectors >= s->cfg->l1_mshrs)
        return false;
    return !(cached && !c && s->cfg->l1_full_waits && cache_full(&s->l1.cache, line / LINE_B));
}

/* Where the line is in L1. */
static inline struct cache_at place_of(const struct sm *s, uint64_t line)
{
    return s->l1.expected == line ? s->l1.expected_at : cache_at(&s->l1.cache, line / LINE_B);
}

/* One line that a flight of a partition wants, or a client under a name (1 + its number): it is at `c` of L1; NULL: it is not
 * there. The array is open. */
INTO enum l1_answer look_up_at(struct sm *s, struct mwait who, bool cached, uint64_t line, struct cache_at at,
                               struct cache_line *c, uint8_t sectors, uint64_t t)
{
    if (cached && !s->cfg->l1_sectors)
        sectors = 15;
    struct mshrs *a = &s->l1.mshrs;
    uint8_t missing = (uint8_t)(sectors & ~(cached && c ? c->valid : 0));
    if (!missing) {
        array_claim(s->l1.array, t);
        s->stats[SS_l1_reads] += mem_sectors(sectors);
        s->stats[SS_l1_read_hits] += mem_sectors(sectors);
        return L1_HIT;
    }
    uint32_t i = mshr_find(a, c, line);
    uint8_t pending = i == MSHR_NONE ? 0 : a->at[i].pending, fetch = (uint8_t)(missing & ~pending);
    if (fetch && !l1_port(s, t))
        return L1_LACKS_PORT;
    if (!has_room(s, i, cached, c, line, missing, fetch))
        return L1_WAIT;
    array_claim(s->l1.array, t);
    if (cached) {
        uint32_t n = mem_sectors(sectors);
        s->stats[SS_l1_reads] += n;
        if (sectors != fetch) {
            s->stats[SS_l1_read_hits] += n - mem_sectors(missing);
            s->stats[SS_l1_read_merged] += mem_sectors(missing & ~fetch);
        }
    }
    bool first = i == MSHR_NONE;
    if (first)
        i = take_entry(s, cached ? MSHR_L1 : MSHR_BYPASS, line, t);
    struct mshr *m = &a->at[i];
    if (cached && !c)
        c = make_place(s, at, line, t);
    if (cached && c) {
        c->pinned = 1;
        c->fill = (uint16_t)i;
        m->to = (uint32_t)(c - s->l1.cache.lines) + 1;
    } else if (first) {
        mshr_hash(a, i);
    }
    who.missing = missing;
    bool more =
        !first && a->by_sector && who.client == L1_FLIGHT && fetch == missing && mshr_wait_more(m, who);
    if (!more)
        mshr_wait(a, m, who);
    if (!fetch)
        return L1_JOINED;
    m->pending = pending | fetch;
    if (first && m->to && who.client == L1_FLIGHT)
        m->plain = missing & s->port.plain_misses;
    else if (more && m->plain & ~MSHR_HASHED)
        m->plain |= fetch;
    else
        m->plain &= MSHR_HASHED;
    if (a->by_sector && mshr_pool(a, i) == MSHR_L1)
        a->sectors += mem_sectors(fetch);
    into_port(s, t, line, fetch, MEM_READ, i, true);
    return L1_MISS;
}

static inline struct cache_line *find(const struct sm *s, struct cache_at at, uint64_t line, bool cached)
{
    return s->onchip.split.cache_b ? cache_find_at(&s->l1.cache, at, line / LINE_B, cached) : NULL;
}

INTO enum l1_answer look_up(struct sm *s, struct mwait who, bool cached, uint64_t line, uint8_t sectors,
                            uint64_t t)
{
    if (!array_open(s->l1.array, t))
        return L1_WAIT;
    struct cache_at at = place_of(s, line);
    return look_up_at(s, who, cached, line, at, find(s, at, line, cached), sectors, t);
}

void l1_expect(struct sm *s, uint64_t line)
{
    s->l1.expected = line;
    s->l1.expected_at = cache_at(&s->l1.cache, line / LINE_B);
    cache_expect(s->l1.expected_at);
}

bool l1_load(struct sm *s, struct flight *l, uint32_t part, uint32_t flight, uint64_t line, uint8_t sectors,
             uint64_t t)
{
    struct mwait who = {.name = flight, .client = L1_FLIGHT, .part = (uint8_t)part};
    enum l1_answer a = look_up(s, who, l1_caches(s, l), line, sectors, t);
    l->lines_left += a > L1_HIT;
    return a >= L1_HIT || refuse(s, a == L1_LACKS_PORT);
}

/* A sector of a line that the load has asked for sectors of before, if nobody else has, and this one is not there either. False:
 * nothing was done. */
INTO bool load_more(struct sm *s, struct mwait who, struct cache_line *c, uint64_t t)
{
    struct mshrs *a = &s->l1.mshrs;
    struct mshr *m = &a->at[c->fill];
    uint8_t sector = who.missing;
    if (!c->pinned || c->valid & sector || !(m->plain & ~MSHR_HASHED) || m->pending & sector ||
        a->sectors >= s->cfg->l1_mshrs || !l1_port(s, t) || !mshr_wait_more(m, who))
        return false;
    array_claim(s->l1.array, t);
    s->stats[SS_l1_reads]++;
    m->pending |= sector;
    m->plain |= sector;
    a->sectors++;
    into_port(s, t, m->line, sector, MEM_READ, c->fill, true);
    return true;
}

bool l1_load_sector(struct sm *s, struct flight *l, struct mwait who, uint64_t line, struct cache_at at,
                    uint64_t t)
{
    if (!array_open(s->l1.array, t))
        return refuse(s, false);
    bool cached = l1_caches(s, l);
    struct cache_line *c = find(s, at, line, cached);
    if (c && cached && s->cfg->l1_sectors && load_more(s, who, c, t)) {
        l->lines_left++;
        return true;
    }
    enum l1_answer answer = look_up_at(s, who, cached, line, at, c, who.missing, t);
    l->lines_left += answer > L1_HIT;
    return answer >= L1_HIT || refuse(s, answer == L1_LACKS_PORT);
}

enum l1_answer l1_fetch(struct sm *s, uint32_t client, uint32_t name, bool cached, uint64_t line,
                        uint8_t sectors, uint64_t t)
{
    struct mwait who = {.name = name, .client = (uint8_t)(client + 1)};
    enum l1_answer a = look_up(s, who, cached, line, sectors, t);
    if (a >= L1_HIT)
        return a;
    refuse(s, a == L1_LACKS_PORT);
    return L1_WAIT;
}

/* A miss entry of its own for an answer of L2's that is no line for others: they do not wait for it. Gives its tag. */
static uint32_t await(struct sm *s, uint32_t part, uint32_t flight, uint64_t line, uint8_t sectors,
                      uint64_t t)
{
    struct mwait who = {.name = flight, .client = L1_FLIGHT, .part = (uint8_t)part, .missing = sectors};
    uint32_t i = take_entry(s, MSHR_BYPASS, line, t);
    s->l1.mshrs.at[i].pending = sectors;
    mshr_wait(&s->l1.mshrs, &s->l1.mshrs.at[i], who);
    s->parts[part].flights[flight].lines_left++;
    fence_store(s, &s->parts[part].flights[flight]);
    return i;
}

/* Parameters come with the launch (sm.param_cyc), and loads to uniform registers do not see the first level. */
uint32_t konst_wait(struct sm *s, uint64_t line, enum konst_by by, uint64_t t)
{
    const struct sm_cfg *c = s->cfg;
    struct code *k = &s->code;
    struct cache_line old;
    uint32_t wait = 0;
    if (line == k->konst_last && k->konst_at <= t)
        return 0; /* and still the newest */
    k->konst_last = line;
    bool table = by != KONST_PARAMETER && c->const_table_cyc;
    if (!cache_find(&k->konst, line, true)) {
        cache_alloc(&k->konst, line, &old);
        s->stats[SS_const_misses]++;
        wait = table ? c->const_table_cyc : c->const_cyc;
        if (table) {
            k->konst_line = line;
            k->konst_at = t + wait;
        }
    } else if (line == k->konst_line && k->konst_at > t) {
        wait = (uint32_t)(k->konst_at - t);
    }
    if (c->const_first_b && table && by != KONST_UNIFORM && !cache_find(&k->konst_first, line, true)) {
        cache_alloc(&k->konst_first, line, &old);
        wait = wait ? wait : c->const_first_cyc;
    }
    return wait;
}

/* Do an access's lanes bring `each` bytes to each of these sectors? They are taken for spread evenly over its lines. */
static bool has_bytes(const struct flight *l, uint8_t sectors, uint32_t each)
{
    uint32_t lanes = l->i.mask == UINT32_MAX ? TR_LANES : (uint32_t)__builtin_popcount(l->i.mask);
    return lanes * l->i.k->width_b >= l->i.lines.n * each * mem_sectors(sectors);
}

/* Atomics are done at L2; L1's copy is stale from then on. */
ASIDE bool l1_atomic(struct sm *s, uint32_t part, uint32_t flight, uint64_t line, uint8_t sectors, uint64_t t)
{
    struct flight *l = &s->parts[part].flights[flight];
    bool wants = l->i.k->nwrite || s->cfg->red_waits;
    if (!l1_open(s, t) || (wants && !s->l1.mshrs.nspare[MSHR_BYPASS]))
        return refuse(s, !l1_port(s, t));
    array_claim(s->l1.array, t);
    struct cache_line *c = cache_find(&s->l1.cache, line / LINE_B, false);
    if (c)
        c->valid &= (uint8_t)~sectors;
    uint32_t m = wants ? await(s, part, flight, line, sectors, t) : 0;
    l1_send(s, t, line, sectors, MEM_ATOMIC, m, wants);
    /* Lanes that meet are few in most accesses, and then it matters little in which line: the first has them all. */
    struct mem_req *r = &s->port.out.at[s->port.out.n - 1];
    r->again = l->next_line ? 0 : l->i.passes;
    r->is_float = l->i.k->is_float;
    r->is_wide = l->i.k->is_wide && has_bytes(l, sectors, SECTOR_B / 2 + 1);
    return true;
}

/* Global stores are written through, a line that L1 holds stays valid; local ones stay in L1 until they are replaced, unless they
 * are written through, too. */
bool l1_store(struct sm *s, uint64_t line, uint8_t sectors, bool local, uint64_t t)
{
    if (!l1_open(s, t))
        return refuse(s, !l1_port(s, t));
    array_claim(s->l1.array, t);
    s->stats[SS_l1_writes] += mem_sectors(sectors);
    bool allocates = s->cfg->l1_store_alloc > (local ? 0 : 1);
    if ((local || allocates) && s->onchip.split.cache_b) {
        struct cache_at at = cache_at(&s->l1.cache, line / LINE_B);
        struct cache_line *c = cache_find_at(&s->l1.cache, at, line / LINE_B, true);
        if (!c && allocates)
            c = make_place(s, at, line, t);
        if (c)
            c->valid |= sectors;
        if (c && local && !s->cfg->l1_local_through) {
            c->dirty |= sectors;
            return true;
        }
    }
    l1_send(s, t, line, sectors, MEM_WRITE, 0, false);
    return true;
}

ASIDE bool l1_store_waits(struct sm *s, uint32_t part, uint32_t flight, uint64_t line, uint8_t sectors,
                          uint64_t t)
{
    if (!s->l1.mshrs.nspare[MSHR_BYPASS])
        return refuse(s, false);
    if (!l1_store(s, line, sectors, false, t))
        return false;
    struct mem_req *r = &s->port.out.at[s->port.out.n - 1];
    r->wants_reply = true;
    r->partial = !has_bytes(&s->parts[part].flights[flight], sectors, SECTOR_B);
    r->tag = await(s, part, flight, line, sectors, t);
    return true;
}

bool l1_keep(struct sm *s, uint64_t line, uint64_t t) { return l1_store(s, line, 15, true, t); }

void l1_forget(struct sm *s, uint64_t line)
{
    struct cache_line *c = s->onchip.split.cache_b ? cache_find(&s->l1.cache, line / LINE_B, false) : NULL;
    if (c && !c->pinned)
        c->valid = c->dirty = 0;
}

bool l1_drop(struct sm *s, uint64_t line, uint64_t t)
{
    if (!array_open(s->l1.array, t))
        return refuse(s, false);
    array_claim(s->l1.array, t);
    l1_forget(s, line);
    return true;
}

void l1_want_ack(struct sm *s, uint32_t part, uint32_t f)
{
    struct flight *l = &s->parts[part].flights[f];
    struct mem_req *r = &s->port.out.at[s->port.out.n - 1];
    r->wants_reply = true;
    r->tag = L1_ACK | s->ctas.at[s->parts[part].warps[l->warp].cta].k->id.tenant;
    l->acks++;
}
