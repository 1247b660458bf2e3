/* SPDX-License-Identifier: Apache-2.0 */
/* Code that streams (sm.l0i_line_cyc): lines are on their way between three levels of instruction caches while warps wait for
 * others. Partitions have the first, SMs the second, a group of SMs the third, of which each SM keeps a view of its own: its
 * neighbours run the same code. Whoever goes to a line asks for those behind it, too. */
#include "sm/code/icache.h"
#include "sm/core.h"

/* The line is in the cache from cycle `at` on. */
static void put(struct cache *c, uint64_t *there, uint64_t line, uint64_t at)
{
    struct cache_line old;
    there[cache_alloc(c, line, &old) - c->lines] = at;
}

/* Cycles until L1 has a line that it lacks, from the SM's turn on: of the cache that it shares, or of none. */
static uint32_t latency_of(struct sm *s, uint64_t line)
{
    struct cache_line old;
    s->stats[SS_l1i_misses]++;
    if (s->cfg->l2i_b && cache_find(&s->code.l2i, line, true))
        return s->code.l2i_share + s->cfg->l2i_cyc;
    s->stats[SS_l2i_misses]++;
    if (s->cfg->l2i_b)
        cache_alloc(&s->code.l2i, line, &old);
    return s->code.l2i_share + s->cfg->l1i_miss_cyc;
}

/* A line comes to L1 which it lacks: `before` is the cycle in which the one before it comes, if that is on its way. So many lines
 * of a stream are on their way at a time (sm.l1i_flight). A group of SMs takes a request in each cycle, from its SMs in turn. */
static uint64_t bring_l1(struct sm *s, uint64_t line, uint64_t before, uint64_t t)
{
    uint64_t turn = s->code.l2i_free > t ? s->code.l2i_free : t;
    uint32_t cyc = latency_of(s, line), each = (cyc + s->cfg->l1i_cyc) / s->cfg->l1i_flight;
    uint64_t at = turn + cyc;
    s->code.l2i_free = turn + s->code.l2i_share;
    if (before > t && before + each > at)
        at = before + each;
    put(&s->code.l1i, s->code.l1i_at, line, at);
    return at;
}

/* The cycle in which L1 has the line. */
static uint64_t in_l1(struct sm *s, uint64_t line, uint64_t before, uint64_t t)
{
    const struct cache_line *l = cache_find(&s->code.l1i, line, true);
    return l ? s->code.l1i_at[l - s->code.l1i.lines] : bring_l1(s, line, before, t);
}

/* ... in which the partition has it. */
static uint64_t in_l0(struct part *p, uint64_t line, uint64_t t)
{
    struct sm *s = p->sm;
    const struct cache_line *l = cache_find(&p->l0i, line, true);
    if (l)
        return p->l0i_at[l - p->l0i.lines];
    uint64_t there = in_l1(s, line, 0, t), at = p->l0i_free > t ? p->l0i_free : t;
    p->l0i_free = at + s->cfg->l0i_line_cyc;
    at = (at > there ? at : there) + s->cfg->l1i_cyc;
    put(&p->l0i, p->l0i_at, line, at);
    return at;
}

uint32_t stream_line(struct part *p, uint64_t line, uint64_t t)
{
    struct sm *s = p->sm;
    if (p->l0i_last == line + 1 && p->l0i_by <= t) { /* nothing but these was touched since */
        s->stats[SS_l0i_hits]++;
        return s->cfg->fetch_cyc;
    }
    uint64_t at = in_l0(p, line, t), last = at, by = at;
    for (uint32_t i = 1; i <= s->cfg->l0i_ahead; i++) {
        last = in_l0(p, line + i, t);
        by = last > by ? last : by;
    }
    p->l0i_last = by <= t ? line + 1 : 0;
    p->l0i_by = by;
    s->stats[at > t ? SS_l0i_misses : SS_l0i_hits]++;
    if (last > t) { /* else what lies behind is there, too */
        uint64_t before = in_l1(s, line, 0, t);
        for (uint32_t i = 1; i <= s->cfg->l1i_ahead; i++)
            before = in_l1(s, line + i, before, t);
    }
    return s->cfg->fetch_cyc + (uint32_t)(at > t ? at - t : 0);
}

void stream_put_l1(struct sm *s, uint64_t line)
{
    if (!cache_find(&s->code.l1i, line, true))
        put(&s->code.l1i, s->code.l1i_at, line, 0);
}

void stream_put(struct part *p, uint64_t line)
{
    p->l0i_last = 0;
    if (!cache_find(&p->l0i, line, true))
        put(&p->l0i, p->l0i_at, line, 0);
    stream_put_l1(p->sm, line);
}

void stream_launch(struct sm *s, uint64_t ctas)
{
    uint64_t each = (ctas + s->cfg->l2i_groups - 1) / s->cfg->l2i_groups;
    s->code.l2i_share = each < s->cfg->l2i_sms ? (uint32_t)each : s->cfg->l2i_sms;
}

static uint64_t *times(const struct cache *c) { return xcalloc((size_t)c->sets * c->ways, sizeof(uint64_t)); }

void stream_init(struct sm *s)
{
    if (!s->code.streams)
        return;
    if (s->cfg->l2i_b)
        cache_init(&s->code.l2i, s->cfg->l2i_b, LINE_B, 8);
    s->code.l1i_at = times(&s->code.l1i);
    for (uint32_t i = 0; i < s->cfg->partitions; i++)
        s->parts[i].l0i_at = times(&s->parts[i].l0i);
}

void stream_done(struct sm *s)
{
    cache_free(&s->code.l2i);
    free(s->code.l1i_at);
    for (uint32_t i = 0; i < s->cfg->partitions; i++)
        free(s->parts[i].l0i_at);
}
