/* SPDX-License-Identifier: Apache-2.0 */
/* Metadata of loads on their way, and write-back: a line that comes from L1 or from memory waits in a short queue until each of
 * the warps that want it has got its words, one warp per cycle. While that queue is full nothing is asked of L1, and no reply
 * taken.
 *
 * Hits go through the queue when they are looked up, and their data follows after the time of a hit: the queue's order and its
 * stalls are those of a queue at the end of that time. */
#include "sm/lsu/warppool/warppool.h"

uint32_t pool_load_new(struct pool *p)
{
    uint32_t i = p->free_load;
    if (i == UINT32_MAX) {
        i = p->loads.n;
        vec_resize(&p->loads, i + 1);
    } else {
        p->free_load = p->loads.at[i].next;
    }
    return i;
}

bool pool_back_full(const struct pool *p) { return ring_full(&p->back); }

static uint32_t last_of(const struct pool *p, uint32_t i)
{
    while (p->loads.at[i].next != UINT32_MAX)
        i = p->loads.at[i].next;
    return i;
}

void pool_back_put(struct pool *p, uint32_t first, bool hit)
{
    p->backs[ring_push(&p->back)] = (struct pool_back){.first = first, .last = last_of(p, first), .hit = hit};
}

/* Requests for one line that L1 has joined come back together. */
void pool_arrived(void *st, uint32_t name, uint64_t t)
{
    struct pool *p = st;
    (void)t;
    if (!p->replying) {
        p->replying = true;
        pool_back_put(p, name, false);
        return;
    }
    struct pool_back *b = &p->backs[ring_at(&p->back, p->back.n - 1)];
    p->loads.at[b->last].next = name;
    b->last = last_of(p, name);
}

static void give(struct pool *p, const struct pool_load *w, bool hit, uint64_t t)
{
    struct sm *s = p->s;
    uint32_t part = lsu_part(w->who), f = lsu_flight(w->who);
    struct flight *l = lsu_at(s, w->who);
    if (s->trust.check)
        order_back(&s->parts[part], f, w->line);
    if (--l->lines_left || l->next_line < l->i.lines.n)
        return;
    uint64_t at = t + (hit ? lsu_hit_cyc(s, l->i.k) : 1);
    load_done(s, part, f, at);
    event_at(s, at, l->i.k->cls == TC_LDGSTS ? EV_COPIED : EV_RESULT, part, f);
}

static void write_one(struct pool *p, uint64_t t)
{
    struct pool_back *b = &p->backs[p->back.head];
    uint32_t i = b->first;
    struct pool_load w = p->loads.at[i];
    p->loads.at[i].next = p->free_load;
    p->free_load = i;
    p->maps_free += w.map == MAP_OTHER;
    give(p, &w, b->hit, t);
    b->first = w.next;
    if (b->first == UINT32_MAX)
        ring_pop(&p->back);
}

bool pool_back_tick(struct pool *p, uint64_t t)
{
    uint32_t n = 0;
    for (; n < p->cfg->writes && p->back.n; n++)
        write_one(p, t);
    return n != 0;
}
