/* SPDX-License-Identifier: Apache-2.0 */
/* Between the halves of L2. A request for a line whose home is in the other half comes to the slice's partner in its own half
 * first. What that has a copy of is read there. Everything else crosses: reads come back with data, which stays as a copy; writes
 * change the copy on their way; atomics are done at home. A write or an atomic at home ends the copy.
 *
 * Copies are never dirty, and home never waits for them, so nothing can go round in a circle. Where both lie in one place a copy
 * on its way leaves a line of its set to those at home. */
#include "mem/part.h"

/* When sectors that are there at t, perhaps with a mask of their bytes, reach the other half. */
static uint64_t cross(struct mpart *p, struct slice *from, uint64_t t, uint32_t sectors, bool mask,
                      uint32_t cyc)
{
    uint64_t leave = later(t * CYCLE, from->cross_free);
    from->cross_free = leave + p->cross_cyc[mask][sectors];
    leave = (leave + CYCLE - 1) / CYCLE;
    p->stats[MS_l2_crossed] += sectors;
    p->stats[MS_l2_cross_wait] += leave - t;
    return leave + cyc;
}

/* A read takes nothing of the way but its data's. */
static void send_home(struct mpart *p, struct slice *s, struct mem_req r, uint64_t t)
{
    uint32_t sectors = r.kind == MEM_READ ? 0 : mem_sectors(r.sectors);
    r.at = cross(p, s, t, sectors, r.partial, p->to_half_cyc);
    slice_push(p, s->partner, &r);
}

/* Does a new copy leave a line of its set to those at home? */
static bool leaves_room(const struct mpart *p, const struct slice *s, struct cache_at at)
{
    if (!p->cfg->halves_shared)
        return true;
    uint32_t free = 0;
    for (uint32_t i = 0; i < s->copy_tags->ways && free < 2; i++)
        free += !at.set[i].pinned;
    return free > 1;
}

static bool read_copy(struct mpart *p, struct slice *s, const struct mem_req *r, struct cache_at at,
                      uint64_t t)
{
    struct lines *c = &s->copies;
    struct cache_line *l = cache_find_at(s->copy_tags, at, r->line / LINE_B, true);
    uint8_t missing = (uint8_t)(r->sectors & ~(l ? l->valid : 0));
    struct miss *m = missing && l && l->pinned ? &c->misses[l->fill] : NULL;
    uint8_t fetch = (uint8_t)(missing & ~(m ? m->pending : 0));
    if (missing && !m && !c->free_miss)
        return false;
    if (!l && (!leaves_room(p, s, at) || !(l = slice_room(p, s->copy_tags, at, r->line / LINE_B, t))))
        return false;
    /* What crosses is counted at home. */
    uint32_t found = mem_sectors(r->sectors & (uint8_t)~missing),
             merged = mem_sectors(missing & (uint8_t)~fetch);
    p->stats[MS_l2_reads] += found + merged;
    p->stats[MS_l2_read_hits] += found;
    p->stats[MS_l2_read_merged] += merged;
    p->stats[MS_l2_copy_hits] += found;
    if (!missing) {
        slice_hit(p, s, r, t);
        return true;
    }
    if (!m)
        m = miss_new(p, c, l, t);
    if (fetch) {
        struct mem_req home = *r;
        m->pending |= fetch;
        home.sectors = fetch;
        home.tag = (uint32_t)(m - c->misses);
        home.crossed = home.wants_reply = 1;
        send_home(p, s, home, t);
    }
    wait_for(p, m, r, missing);
    return true;
}

bool copy_access(struct mpart *p, struct slice *s, const struct mem_req *r, struct cache_at at, uint64_t t)
{
    if (r->kind == MEM_READ)
        return read_copy(p, s, r, at, t);
    if (r->kind == MEM_WRITE) {
        struct cache_line *l = cache_find_at(s->copy_tags, at, r->line / LINE_B, true);
        if (l || (l = slice_room(p, s->copy_tags, at, r->line / LINE_B, t)))
            l->valid |= r->sectors;
    }
    send_home(p, s, *r, t);
    return true;
}

void copy_drop(const struct slice *home, const struct mem_req *r)
{
    const struct cache *tags = home->partner->copy_tags;
    uint64_t line = r->line / LINE_B;
    struct cache_line *l = cache_find_at(tags, cache_at_in(tags, r->set, line), line, false);
    if (l)
        l->valid &= (uint8_t)~r->sectors;
}

void cross_back(struct mpart *p, struct slice *home, uint64_t ready, const struct asker *r)
{
    uint32_t cyc = p->from_half_cyc;
    uint64_t at = cross(p, home, ready, mem_sectors(r->sectors), false, cyc);
    struct slice *to = home->partner;
    ring_push(&to->back, (struct crossing){.at = at, .miss = r->tag, .sectors = r->sectors});
    p->backs_next = sooner(p->backs_next, ring_head(&to->back)->at);
}

uint64_t cross_fills(struct mpart *p, struct slice *s, uint64_t t)
{
    while (s->back.n) {
        struct crossing c = *ring_head(&s->back);
        if (c.at > t)
            return c.at;
        ring_pop(&s->back);
        slice_fill(p, &s->copies, &s->copies.misses[c.miss], c.sectors, c.at);
    }
    return UINT64_MAX;
}
