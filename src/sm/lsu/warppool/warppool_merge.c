/* SPDX-License-Identifier: Apache-2.0 */
/* The inter-warp queues and the request selector. A line belongs to the queue that its set of L1 tells; each queue takes one
 * request per cycle. Requests leave in the order in which their tags were taken, or those of the lowest warp first; two for the
 * same line never change places, so that no warp's loads of it do. */
#include "sm/lsu/warppool/warppool.h"

const char *pool_select_name(uint32_t i)
{
    static const char *const names[] = {"toggle", "oldest", "warp"};
    return i < sizeof names / sizeof names[0] ? names[i] : NULL;
}

void pool_merge_init(struct pool *p)
{
    p->tags = xcalloc((size_t)p->cfg->sets * p->cfg->tags, sizeof *p->tags);
    p->inserted = xcalloc(p->cfg->sets, sizeof *p->inserted);
    p->oldest = p->newest = POOL_NONE;
    p->select = strcmp(p->cfg->select, "warp") == 0 ? POOL_WARP : POOL_OLDEST;
}

void pool_unblock(struct pool *p, uint64_t t)
{
    if (!p->blocked)
        return;
    p->s->stats[SS_l1_stall] += t - p->blocked;
    p->blocked = 0;
}

/* ---- insertion ---- */

static void append(struct pool *p, uint16_t i)
{
    p->tags[i].older = p->newest;
    p->tags[i].newer = POOL_NONE;
    if (p->newest != POOL_NONE)
        p->tags[p->newest].newer = i;
    else
        p->oldest = i;
    p->newest = i;
}

static void remove_tag(struct pool *p, uint16_t i)
{
    struct pool_tag *g = &p->tags[i];
    *(g->older != POOL_NONE ? &p->tags[g->older].newer : &p->oldest) = g->newer;
    *(g->newer != POOL_NONE ? &p->tags[g->newer].older : &p->newest) = g->older;
    g->used = false;
}

/* A tag of the queue that takes one more load of this line, or a free one; POOL_NONE: neither. */
static uint16_t find_tag(const struct pool *p, uint32_t set, uint64_t line, bool cached)
{
    uint16_t free = POOL_NONE;
    for (uint32_t i = set * p->cfg->tags; i < (set + 1) * p->cfg->tags; i++) {
        const struct pool_tag *g = &p->tags[i];
        if (!g->used)
            free = free == POOL_NONE ? (uint16_t)i : free;
        else if (g->line == line && g->cached == cached && g->n < p->cfg->merges)
            return (uint16_t)i;
    }
    return free;
}

/* Does another coalescer hold an earlier load of the same warp, with this line still to come? */
static bool is_behind(const struct pool *p, const struct pool_coalescer *c, uint64_t line)
{
    const struct sm *s = p->s;
    for (uint32_t k = 0; k < p->cfg->coalescers; k++) {
        const struct pool_coalescer *o = &p->co[k];
        if (!o->used || o == c || lsu_warp(s, o->who) != lsu_warp(s, c->who) ||
            (int32_t)(o->turn - c->turn) > 0)
            continue;
        const struct flight *l = lsu_at(s, o->who);
        const uint64_t *at = lines_at(s, &l->i.lines);
        for (uint32_t i = l->next_line; i < l->i.lines.n; i++)
            if (line_addr(at[i]) == line)
                return true;
    }
    return false;
}

static void add_load(struct pool *p, struct pool_tag *g, uint32_t who, uint64_t at)
{
    uint32_t i = pool_load_new(p), warp = lsu_warp(p->s, who);
    p->loads.at[i] = (struct pool_load){
        .line = line_addr(at), .who = who, .next = UINT32_MAX, .map = (uint8_t)line_map(at)};
    if (g->n++)
        p->loads.at[g->last].next = i;
    else
        g->first = i;
    g->last = i;
    g->sectors |= line_sectors(at);
    g->low = warp < g->low ? warp : g->low;
    p->maps_free -= line_map(at) == MAP_OTHER;
    if (line_map(at) != MAP_NONE)
        p->count[POOL_consecutive + (uint32_t)line_map(at) - MAP_CONSECUTIVE]++;
}

bool pool_insert(struct pool *p, const struct pool_coalescer *c, uint64_t t)
{
    struct sm *s = p->s;
    struct flight *l = lsu_at(s, c->who);
    uint64_t at = lines_at(s, &l->i.lines)[l->next_line], line = line_addr(at);
    uint32_t set = cache_set(&s->l1.cache, line / LINE_B) % p->cfg->sets;
    bool cached = l1_caches(s, l);
    uint16_t i = find_tag(p, set, line, cached);
    if (i == POOL_NONE || p->inserted[set] == t + 1 || (line_map(at) == MAP_OTHER && !p->maps_free) ||
        is_behind(p, c, line))
        return false;
    struct pool_tag *g = &p->tags[i];
    uint32_t low = g->used ? g->low : UINT32_MAX;
    if (!g->used) {
        *g = (struct pool_tag){.line = line, .cached = cached, .used = true, .low = UINT32_MAX};
        append(p, i);
    }
    add_load(p, g, c->who, at);
    p->inserted[set] = t + 1;
    l->lines_left++;
    l->queued++;
    l->next_line++;
    if (p->select == POOL_WARP && g->low < low)
        pool_unblock(p, t); /* it may come before the one that waits */
    return true;
}

/* ---- selection ---- */

static uint16_t choose(const struct pool *p)
{
    uint16_t best = p->oldest;
    if (p->select == POOL_OLDEST)
        return best;
    for (uint16_t i = best; i != POOL_NONE; i = p->tags[i].newer)
        if (p->tags[i].low < p->tags[best].low)
            best = i;
    /* An older request for the same line goes first. */
    for (uint16_t i = p->tags[best].older; i != POOL_NONE; i = p->tags[i].older)
        if (p->tags[i].line == p->tags[best].line)
            best = i;
    return best;
}

static void sent(struct pool *p, const struct pool_tag *g, uint64_t t)
{
    struct sm *s = p->s;
    for (uint32_t i = g->first; i != UINT32_MAX; i = p->loads.at[i].next) {
        uint32_t who = p->loads.at[i].who;
        struct part *part = &s->parts[lsu_part(who)];
        struct flight *l = lsu_at(s, who);
        if (s->trust.check)
            order_line(part, lsu_flight(who), g->line);
        if (--l->queued == 0 && l->next_line == l->i.lines.n)
            lsu_reached(part, lsu_flight(who), t);
    }
    s->stats[SS_lsu_requests]++;
    s->stats[SS_lsu_served] += g->n;
    s->stats[SS_lsu_cycles]++;
}

bool pool_send(struct pool *p, uint64_t t)
{
    struct sm *s = p->s;
    if (p->oldest == POOL_NONE || p->blocked || pool_back_full(p))
        return false;
    uint16_t i = choose(p);
    struct pool_tag *g = &p->tags[i];
    enum l1_answer a = l1_fetch(s, L1_LSU, g->first, g->cached, g->line, g->sectors, t);
    if (a == L1_WAIT) {
        if (l1_open(s, t))
            p->blocked = t;
        else
            s->stats[SS_l1_stall]++;
        p->moved |= !p->blocked;
        return false;
    }
    p->lookups += g->cached;
    p->misses += g->cached && a == L1_MISS;
    sent(p, g, t);
    if (a == L1_HIT)
        pool_back_put(p, g->first, true);
    remove_tag(p, i);
    return true;
}

void pool_count_quantum(struct pool *p, uint64_t t)
{
    if (t / p->cfg->quantum == p->quantum)
        return;
    p->quantum = t / p->cfg->quantum;
    if (strcmp(p->cfg->select, "toggle") == 0 && p->misses * 100 > p->lookups * (uint64_t)p->cfg->miss_pct) {
        p->select = p->select == POOL_OLDEST ? POOL_WARP : POOL_OLDEST;
        p->count[POOL_toggles]++;
        pool_unblock(p, t);
    }
    p->lookups = p->misses = 0;
}
