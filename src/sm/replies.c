#include "sm/replies.h"

static bool before(const struct mem_reply *a, const struct mem_reply *b)
{
    return a->at != b->at ? a->at < b->at : a->tag < b->tag;
}

/* The host's cache gets what the new replies will touch, step by step along their pointers, each step for all of them.
 * (Somebody waits for every reply, mostly a flight.) */
static void expect(const struct sm *s)
{
    if (s->cfg->store_acks || s->async)
        return; /* acknowledgements and replies to the copy engine have no miss entry */
    vec_each (&s->in, r)
        __builtin_prefetch(&s->mshrs.at[r->tag], 1);
    vec_each (&s->in, r) {
        const struct mshr *m = &s->mshrs.at[r->tag];
        __builtin_prefetch(&s->l1.lines[m->to], 1);
        if (m->who.client == L1_FLIGHT)
            __builtin_prefetch(&s->parts[m->who.part].flights[m->who.name].lines_left, 1);
    }
}

SELDOM static void grow(struct replies *q, uint32_t want)
{
    uint32_t cap = q->cap ? q->cap : 16;
    while (cap < want)
        cap *= 2;
    struct mem_reply *at = xmalloc(sizeof *at * cap);
    for (uint32_t i = 0; i < q->n; i++)
        at[i] = q->at[(q->head + i) & (q->cap - 1)];
    free(q->at);
    *q = (struct replies){.at = at, .n = q->n, .cap = cap};
}

/* Each finds its place from behind: most are later than those that are there. */
void replies_sort(struct sm *s)
{
    struct replies *q = &s->replies;
    if (!s->in.n)
        return;
    expect(s);
    if (q->n + s->in.n > q->cap)
        grow(q, q->n + s->in.n);
    uint32_t mask = q->cap - 1;
    vec_each (&s->in, r) {
        uint32_t i = q->head + q->n++;
        for (; i != q->head && before(r, &q->at[(i - 1) & mask]); i--)
            q->at[i & mask] = q->at[(i - 1) & mask];
        q->at[i & mask] = *r;
    }
    vec_clear(&s->in);
}

void sm_receive(struct sm *s, mem_replies *from)
{
    if (s->in.n) {
        vec_each (from, r)
            vec_push(&s->in, *r);
        vec_clear(from);
    } else {
        mem_replies empty = s->in;
        s->in = *from;
        *from = empty;
    }
}

/* The first one, in cycle t. False: nothing has come of it yet but that a line is there. */
static bool take(struct sm *s, uint64_t t)
{
    struct replies *q = &s->replies;
    struct mem_reply r = q->at[q->head];
    q->head = (q->head + 1) & (q->cap - 1);
    q->n--;
    uint32_t bytes = 8 + (r.kind == MEM_WRITE ? 0 : SECTOR_B * mem_sectors(r.sectors));
    s->stats[SS_reply_wait] += t - r.at;
    s->port_free = t + (bytes + s->cfg->reply_b - 1) / s->cfg->reply_b;
    return l1_reply(s, &r, t);
}

void replies_take(struct sm *s, uint64_t t)
{
    while (reply_next(s) <= t)
        take(s, t);
}

bool replies_take_alone(struct sm *s, uint64_t until)
{
    for (uint64_t t; (t = reply_next(s)) < until; s->now++) {
        s->now = t > s->now ? t : s->now;
        if (take(s, s->now))
            return false;
    }
    return true;
}

bool replies_take_early(struct sm *s, uint64_t t)
{
    uint64_t now = s->now;
    int32_t ticking = s->ticking;
    s->now = t;
    s->ticking = -1;
    bool more = take(s, t);
    s->now = now;
    s->ticking = ticking;
    return !more;
}
