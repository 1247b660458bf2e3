/* SPDX-License-Identifier: Apache-2.0 */
/* Lines on their way to a slice, who waits for them, and what a slice answers. */
#include "mem/part.h"

struct miss *miss_new(struct mpart *p, struct lines *in, struct cache_line *to, uint64_t t)
{
    struct miss *m = in->free_miss;
    in->free_miss = m->next;
    m->since = t;
    m->first = m->last = WAIT_NONE;
    m->to = to;
    m->pending = m->missing = m->alone = 0;
    to->fill = m->id;
    to->pinned = 1;
    p->stats[MS_l2_miss_uses]++;
    return m;
}

static inline void miss_free(struct mpart *p, struct lines *in, struct miss *m, uint64_t t)
{
    p->stats[MS_l2_miss_cycles] += t - m->since;
    m->next = in->free_miss;
    in->free_miss = m;
}

SELDOM static uint32_t more_waiters(struct mpart *p)
{
    uint32_t i = p->waiters.n;
    vec_resize(&p->waiters, i + 1);
    return i;
}

/* Behind others. */
ASIDE static void wait_behind(struct mpart *p, struct miss *m, const struct mem_req *r, uint8_t missing)
{
    uint32_t i = p->free_waiter;
    if (i == WAIT_NONE)
        i = more_waiters(p);
    else
        p->free_waiter = p->waiters.at[i].next;
    p->waiters.at[i] = (struct waiter){.who = asker_of(r), .missing = missing, .next = WAIT_NONE};
    m->alone = 0;
    if (m->first == WAIT_NONE)
        m->first = i;
    else
        p->waiters.at[m->last].next = i;
    m->last = i;
}

void wait_for(struct mpart *p, struct miss *m, const struct mem_req *r, uint8_t missing)
{
    if (m->missing || m->first != WAIT_NONE) {
        wait_behind(p, m, r, missing);
        return;
    }
    wait_first(m, r, missing);
}

/* ---- replies ---- */

/* Where the reply goes. */
static inline mem_replies *reply_list(const struct mpart *p, const struct asker *r)
{
    return &p->to[r->sm & p->to_sm];
}

/* A reply leaves, `back` cycles later than the interconnect's latency says. Its list has room. */
static inline void leave(struct mpart *p, struct slice *s, mem_replies *to, uint64_t ready,
                         const struct asker *r, uint32_t sectors, uint64_t back)
{
    uint64_t at = s->left = later(ready, s->out_free);
    uint32_t busy = s->out_rest + p->reply_cyc[sectors];
    s->out_rest = busy % CYCLE;
    s->out_free = at + busy / CYCLE;
    p->stats[MS_icnt_reply_b] += HEADER_B + SECTOR_B * sectors;
    p->stats[MS_icnt_reply_wait] += at - ready;
    at += back + p->answer_cyc[r->sm];
    p->replies++;
    p->first_reply = sooner(p->first_reply, at);
    to->at[to->n++] = (struct mem_reply){.at = at, .who = r->who};
}

/* A list that has room for the reply. */
static mem_replies *reply_room(const struct mpart *p, const struct asker *r)
{
    mem_replies *to = reply_list(p, r);
    vec_reserve(to, to->n + 1);
    return to;
}

/* With the packet of another, which leaves in that cycle: it takes nothing of the port. */
static void leave_with(struct mpart *p, uint64_t leaves, uint64_t ready, const struct asker *r)
{
    mem_replies *to = reply_room(p, r);
    struct asker who = *r;
    uint64_t at = leaves + p->answer_cyc[r->sm];
    who.kind &= (uint8_t)~ASKER_JOINED;
    p->stats[MS_icnt_joined]++;
    p->stats[MS_icnt_reply_wait] += leaves - ready;
    p->replies++;
    p->first_reply = sooner(p->first_reply, at);
    to->at[to->n++] = (struct mem_reply){.at = at, .who = who.who};
}

/* To others than plain reads. */
ASIDE static void reply_aside(struct mpart *p, struct slice *s, uint64_t ready, const struct asker *r)
{
    if (r->kind & ASKER_JOINED) {
        leave_with(p, later(ready, s->left), ready, r);
    } else if (r->kind & ASKER_CROSSED) {
        cross_back(p, s, ready, r);
    } else if (!(r->kind & ASKER_SILENT)) {
        struct asker to = *r;
        to.kind &= (uint8_t)~ASKER_FAR;
        leave(p, s, reply_room(p, r), ready, &to, to.kind == MEM_WRITE ? 0 : mem_sectors(r->sectors),
              r->kind & ASKER_FAR ? p->from_half_cyc : 0);
    }
}

void slice_reply(struct mpart *p, struct slice *s, uint64_t ready, const struct asker *r)
{
    if (r->kind == MEM_READ)
        leave(p, s, reply_room(p, r), ready, r, mem_sectors(r->sectors), 0);
    else
        reply_aside(p, s, ready, r);
}

/* ---- fills ---- */

/* Those behind the first that have all they wait for. */
ASIDE static void fill_others(struct mpart *p, struct slice *s, struct miss *m, uint8_t sectors, uint64_t at)
{
    uint32_t *link = &m->first, last = WAIT_NONE;
    while (*link != WAIT_NONE) {
        uint32_t i = *link;
        struct waiter *w = &p->waiters.at[i];
        w->missing &= (uint8_t)~sectors;
        if (w->missing) {
            last = i;
            link = &w->next;
            continue;
        }
        slice_reply(p, s, at, &w->who);
        *link = w->next;
        w->next = p->free_waiter;
        p->free_waiter = i;
    }
    m->last = last;
}

void slice_fill(struct mpart *p, struct lines *to, struct miss *m, uint8_t sectors, uint64_t at)
{
    struct slice *s = m->of;
    uint8_t missing = m->missing, pending = m->pending & (uint8_t)~sectors;
    m->missing = missing & (uint8_t)~sectors;
    m->pending = pending;
    m->alone = 0;
    m->to->valid |= sectors | p->fill_more;
    if (missing & sectors && (m->each || !m->missing)) {
        struct asker who = m->who;
        if (m->each) {
            who.sectors = missing & sectors;
            m->who.sectors = m->missing;
        }
        slice_reply(p, s, at, &who);
    }
    if (m->first != WAIT_NONE)
        fill_others(p, s, m, sectors, at);
    if (pending)
        return;
    m->to->pinned = 0;
    miss_free(p, to, m, at);
}

/* What a fill is for; NULL: a write is done. */
static inline struct miss *miss_of(const struct dram_done *f) { return (struct miss *)(uintptr_t)f->who; }

/* The first is done. The host's cache gets what the next ones touch: the line of one, the miss of the one behind it. */
INTO void next_fill(struct mpart *p)
{
    ring_pop(&p->fills);
    p->fills_next = UINT64_MAX;
    if (!p->fills.n)
        return;
    const struct dram_done *f = ring_head(&p->fills);
    p->fills_next = f->at;
    if (miss_of(f))
        __builtin_prefetch(miss_of(f)->to, 1);
    if (p->fills.n > 1)
        __builtin_prefetch(miss_of(ring_from_head(&p->fills, 1)), 1);
}

/* The answer to one of the several reads that are the first; others of them wait for all the rest. What came with the sectors
 * that were asked for is not in it: the SM may be asking for that, and would be answered twice. */
static inline void fill_one(struct mpart *p, struct miss *m, const struct dram_done *f)
{
    struct asker who = m->who;
    who.sectors = m->missing & (uint8_t)f->sectors;
    m->to->valid |= f->sectors & ALL_SECTORS;
    m->alone &= (uint8_t)~f->sectors;
    m->pending = m->alone;
    m->who.sectors = m->missing &= (uint8_t)~f->sectors;
    leave(p, m->of, reply_room(p, &who), f->at, &who, mem_sectors(who.sectors), 0);
}

ASIDE static void fill_any(struct mpart *p)
{
    const struct dram_done *f = ring_head(&p->fills);
    struct miss *m = miss_of(f);
    if (m && m->each && m->alone & ~f->sectors && !p->fill_more)
        fill_one(p, m, f);
    else if (m)
        slice_fill(p, &m->of->own, m, f->sectors, f->at);
    next_fill(p);
}

/* Most are all that one read waits for, and nothing else is on its way to the line. */
void mpart_fill(struct mpart *p)
{
    const struct dram_done *f = ring_head(&p->fills);
    struct miss *m = miss_of(f);
    mem_replies *out = m ? reply_list(p, &m->who) : NULL;
    if (!out || m->alone != f->sectors || out->n == out->cap) {
        fill_any(p);
        return;
    }
    struct cache_line *l = m->to;
    l->valid |= (f->sectors | p->fill_more) & ALL_SECTORS;
    l->pinned = 0;
    leave(p, m->of, out, f->at, &m->who, mem_sectors(m->who.sectors), 0);
    miss_free(p, &m->of->own, m, f->at);
    next_fill(p);
}
