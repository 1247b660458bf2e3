/* Replies of the memory system on their way into the SM: in the order of their times, equal ones by tag. The port takes one after
 * the other, one in a cycle. */
#ifndef SM_REPLIES_H
#define SM_REPLIES_H

#include "sm/core.h"

/* Those that sm_replies has got since the last call. */
void replies_sort(struct sm *s);

/* The cycle in which the port takes the next one; NEVER: there is none. */
static inline uint64_t reply_next(const struct sm *s) { return s->replies.next; }
/* ... not before this one. */
void replies_hold(struct sm *s, uint64_t until);

/* The one that the port takes in cycle t. */
void replies_take(struct sm *s, uint64_t t);
/* Those that come before cycle `until`, which have their cycles for themselves as long as nothing comes of them. False: something
 * has, in cycle s->now. */
bool replies_take_alone(struct sm *s, uint64_t until);
/* In L1's turn: the one that the port takes in cycle t, the next one, in which nobody else has anything to do. False: something
 * has come of it for that cycle. */
bool replies_take_early(struct sm *s, uint64_t t);

/* What most replies are: one of several lines that a load still waits for, and nobody else does, in cycle t. False: there is more
 * to it; nothing was done. *held gets the cycles that it had a miss entry. */
static inline bool reply_plain(struct sm *s, const struct mem_reply *r, uint64_t t, uint64_t *held)
{
    struct mshrs *a = &s->mshrs;
    struct mshr *m = &a->at[r->tag];
    if (r->tag >= a->nl1 || m->plain != r->sectors)
        return false;
    struct flight *l = &s->parts[m->who.part].flights[m->who.name];
    if (l->lines_left == 1)
        return false;
    struct cache_line *c = &s->l1.lines[m->to - 1];
    c->valid |= r->sectors & 15;
    c->pinned = 0;
    l->lines_left--;
    *held += (uint32_t)t - m->since;
    m->n = a->free[MSHR_L1];
    a->free[MSHR_L1] = (uint16_t)r->tag;
    return true;
}

/* Several of them, one after the other: what is noted of all together. */
struct reply_run {
    struct sm *s;
    const struct mem_reply *next;
    uint64_t last, t; /* cycles of the last one, and of the next */
    uint64_t port, waited, held;
    uint32_t n;
};
static inline struct reply_run reply_run(struct sm *s)
{
    return (struct reply_run){.s = s, .next = s->replies.at + s->replies.head, .t = s->replies.next};
}
/* The next one, in cycle r->t, which the caller may have set to a later one. False: it is not plain, or L1's clients wait to be
 * told of it. */
static inline bool reply_run_on(struct reply_run *r)
{
    struct sm *s = r->s;
    const struct mem_reply *x = r->next;
    if (s->refused || !reply_plain(s, x, r->t, &r->held))
        return false;
    r->n++;
    r->last = r->t;
    r->waited += r->t - x->at;
    r->port = r->t + s->reply_cyc[x->sectors];
    r->next = ++x;
    r->t = x->at > r->port ? x->at : r->port;
    return true;
}
static inline void reply_run_end(const struct reply_run *r)
{
    struct sm *s = r->s;
    if (!r->n)
        return;
    s->replies.head += r->n;
    s->replies.n -= r->n;
    s->replies.next = r->t;
    s->port_free = r->port;
    s->stats[SS_reply_wait] += r->waited;
    s->stats[SS_mshr_cycles] += r->held;
}

#endif
