/* SPDX-License-Identifier: Apache-2.0 */
#include "sm/l1/replies.h"

static bool before(const struct mem_reply *a, const struct mem_reply *b)
{
    return a->at != b->at ? a->at < b->at : a->tag < b->tag;
}

/* The cycle of the first one, after that or the port has changed. */
static inline void see_next(struct sm *s)
{
    struct replies *q = &s->port.replies;
    uint64_t at = q->n ? q->at[q->head].at : NEVER;
    q->next = at > s->port.free ? at : s->port.free;
}

void replies_hold(struct sm *s, uint64_t until)
{
    s->port.free = until;
    see_next(s);
}

SELDOM static void grow(struct replies *q, uint32_t want)
{
    q->cap = q->cap ? q->cap : 16;
    while (q->cap < want)
        q->cap *= 2;
    q->at = xrealloc(q->at, sizeof *q->at * q->cap);
}

/* Those that are there begin at the first place, and there is room behind them. */
static inline void make_room(struct replies *q, uint32_t more)
{
    for (uint32_t i = 0; q->head && i < q->n; i++)
        q->at[i] = q->at[q->head + i];
    q->head = 0;
    if (q->n + more + 1 > q->cap)
        grow(q, q->n + more + 1);
}

/* Each finds its place from behind: most are later than those that are there. */
void replies_sort(struct sm *s)
{
    struct replies *q = &s->port.replies;
    if (!s->port.in.n)
        return;
    make_room(q, s->port.in.n);
    struct mem_reply *first = q->at, *end = q->at + q->n;
    vec_each (&s->port.in, r) {
        const struct mem_reply x = *r;
        struct mem_reply *to = end++;
        for (; to != first && before(&x, to - 1); to--)
            *to = to[-1];
        *to = x;
    }
    end->at = NEVER;
    q->n += s->port.in.n;
    vec_clear(&s->port.in);
    see_next(s);
    expect_warps(s);
}

void sm_receive(struct sm *s, mem_replies *from)
{
    if (s->port.in.n) {
        vec_each (from, r)
            vec_push(&s->port.in, *r);
        vec_clear(from);
    } else {
        mem_replies empty = s->port.in;
        s->port.in = *from;
        *from = empty;
    }
}

static inline bool is_copy(const struct mem_reply *r)
{
    return r->tag & (L1_COPY | L1_CAST) && !(r->tag & L1_ACK);
}

/* The first one, in cycle t. False: nothing has come of it yet but that a line is there. */
FLAT ASIDE static bool take(struct sm *s, uint64_t t)
{
    struct replies *q = &s->port.replies;
    struct mem_reply r = q->at[q->head];
    q->head++;
    q->n--;
    s->stats[SS_reply_wait] += t - r.at;
    const uint8_t *cyc = is_copy(&r) ? s->port.copy_cyc : s->port.reply_cyc;
    s->port.free = t + cyc[r.kind == MEM_WRITE ? 0 : r.sectors];
    see_next(s);
    return l1_reply(s, &r, t);
}

void replies_take(struct sm *s, uint64_t t)
{
    struct reply_run r = reply_run(s);
    r.t = t;
    if (reply_run_on(&r))
        reply_run_end(s, &r);
    else
        take(s, t);
}

bool replies_take_alone(struct sm *s, uint64_t until)
{
    for (;;) {
        struct reply_run r = reply_run(s);
        r.t = r.t > s->clock.now ? r.t : s->clock.now;
        while (r.t < until && reply_run_on(&r))
            ;
        reply_run_end(s, &r);
        s->clock.now = r.n ? r.last + 1 : s->clock.now;
        if (r.t >= until)
            return true;
        s->clock.now = r.t;
        if (take(s, r.t))
            return false;
        s->clock.now++;
    }
}

ASIDE bool replies_take_early(struct sm *s, uint64_t t)
{
    uint64_t now = s->clock.now;
    int32_t ticking = s->clock.ticking;
    s->clock.now = t;
    s->clock.ticking = -1;
    bool more = take(s, t);
    s->clock.now = now;
    s->clock.ticking = ticking;
    return !more;
}
