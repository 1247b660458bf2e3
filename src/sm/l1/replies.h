/* SPDX-License-Identifier: Apache-2.0 */
/* Replies of the memory system on their way into the SM: in the order of their times, equal ones by tag. The port takes one after
 * the other, one in a cycle. */
#ifndef SM_REPLIES_H
#define SM_REPLIES_H

#include "sm/core.h"

/* expect.c: brings the warps that wait for the first ones into the host's cache. */
void expect_warps(const struct sm *s);

/* Those that sm_replies has got since the last call. */
void replies_sort(struct sm *s);

/* The cycle in which the port takes the next one; NEVER: there is none. */
static inline uint64_t reply_next(const struct sm *s) { return s->port.replies.next; }
/* ... not before this one. */
void replies_hold(struct sm *s, uint64_t until);

/* The one that the port takes in cycle t. */
void replies_take(struct sm *s, uint64_t t);
/* Those that come before cycle `until`, which have their cycles for themselves as long as nothing comes of them. False: something
 * has, in cycle s->clock.now. */
bool replies_take_alone(struct sm *s, uint64_t until);
/* In L1's turn: the one that the port takes in cycle t, the next one, in which nobody else has anything to do. False: something
 * has come of it for that cycle. */
bool replies_take_early(struct sm *s, uint64_t t);

/* Replies that are plain, one after the other. Most are: one of several lines that a load still waits for, and nobody else does.
 * What is changed or noted once for all of them is kept here until the end. */
struct reply_run {
    const struct mem_reply *next;
    uint64_t last, t; /* cycles of the last one, and of the next */
    uint64_t port, waited, held;
    uint32_t n;
    uint32_t nspare; /* free miss entries of L1, of which its user may take the last */
    /* Of the SM. */
    struct mshr *entries;
    uint16_t *spare;
    struct cache_line *lines;
    struct part *parts;
    const uint8_t *cyc;
    uint32_t nentries; /* 0: L1's clients wait to be told of a reply, or loads for their turn to be served */
};
static inline struct reply_run reply_run(const struct sm *s)
{
    return (struct reply_run){
        .next = s->port.replies.n ? s->port.replies.at + s->port.replies.head : NULL,
        .t = s->port.replies.next,
        .nspare = s->l1.mshrs.nspare[MSHR_L1],
        .entries = s->l1.mshrs.at,
        .spare = s->l1.mshrs.spare,
        .lines = s->l1.cache.lines,
        .parts = s->parts,
        .cyc = s->port.reply_cyc,
        .nentries = s->l1.refused || s->lsu.served >= s->port.replies.next ? 0 : s->l1.mshrs.nl1};
}
/* The next one, in cycle r->t, which the caller may have set to a later one. False: it is not plain, and nothing was done. (It is
 * built into its callers as a whole: calls would take the run from the host's registers.) */
INTO bool reply_run_on(struct reply_run *r)
{
    const struct mem_reply *x = r->next;
    uint32_t tag = x->tag, sectors = x->sectors;
    if (tag >= r->nentries) /* one of L1's clients, which have no entry */
        return false;
    struct mshr *m = &r->entries[tag];
    uint32_t left = m->plain ^ sectors;
    if (left & sectors)
        return false;
    struct flight *l = &r->parts[m->who.part].flights[m->who.name];
    if (l->lines_left == 1)
        return false;
    struct cache_line *c = &r->lines[m->to - 1];
    uint64_t t = r->t, at = x[1].at, port = t + r->cyc[sectors];
    r->n++;
    r->last = t;
    r->port = port;
    r->waited += t - x->at;
    r->next = x + 1;
    r->t = at > port ? at : port;
    c->valid |= sectors & 15;
    l->lines_left--;
    m->pending = (uint8_t)left;
    if (RARE(left)) { /* others come by themselves */
        m->plain = m->who.missing = (uint8_t)left;
        return true;
    }
    r->held += (uint32_t)t - m->since;
    c->pinned = 0;
    r->spare[r->nspare++] = (uint16_t)tag;
    return true;
}
static inline void reply_run_end(struct sm *s, const struct reply_run *r)
{
    s->l1.mshrs.nspare[MSHR_L1] = r->nspare;
    if (!r->n)
        return;
    s->port.replies.head += r->n;
    s->port.replies.n -= r->n;
    s->port.replies.next = r->t;
    s->port.free = r->port;
    s->stats[SS_reply_wait] += r->waited;
    s->stats[SS_mshr_cycles] += r->held;
    s->lsu.served = r->last;
    if (s->l1.mshrs.by_sector)
        s->l1.mshrs.sectors -= r->n;
}

#endif
