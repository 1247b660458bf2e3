/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of a load, one after the other, as long as each is a hit or a new miss: what most loads do. l1_load does all of it. */
#include "sm/l1/replies.h"

/* The load, one of its flights, lacks these sectors of a line, which is to come to place `to` of L1, from cycle t on. */
INTO void put_entry(struct mshr *m, const struct mwait *who, uint64_t line, uint32_t sectors, uint32_t plain,
                    uint32_t to, uint64_t t)
{
    m->line = line;
    m->who = *who;
    m->who.missing = (uint8_t)sectors;
    m->to = to + 1;
    m->since = (uint32_t)t;
    m->last = UINT32_MAX;
    m->n = 1;
    m->pending = (uint8_t)sectors;
    m->plain = (uint8_t)plain;
}

INTO void put_request(struct mem_req *r, const struct mem_req *like, uint64_t line, uint32_t sectors,
                      uint32_t entry, uint64_t leaves)
{
    *r = *like;
    r->at = leaves;
    r->line = line;
    r->tag = entry;
    r->sectors = (uint8_t)sectors;
}

ASIDE uint32_t l1_load_run(struct sm *s, struct flight *l, const uint64_t *at, uint32_t n, struct l1_run *run)
{
    const struct sm_cfg *cfg = s->cfg;
    uint64_t t = run->t, until = run->until;
    if (!array_open(s->l1.array, t) || s->l1.mshrs.nhashed || !l1_caches(s, l))
        return 0;
    if (s->port.out.cap - s->port.out.n < n)
        vec_reserve(&s->port.out, s->port.out.n + n);
    struct cache *tags = &s->l1.cache;
    struct reply_run replies = reply_run(s);
    const struct mem_req read = {.sm = (uint16_t)s->id, .kind = MEM_READ, .wants_reply = true};
    struct mem_req *out = s->port.out.at + s->port.out.n;
    uint64_t free = s->port.out_free, waits = 0, stalled = 0;
    uint32_t i = 0, step = (L1_HEADER_B + cfg->request_b - 1) / cfg->request_b, queue = cfg->request_queue;
    uint32_t reads = 0, missed = 0, whole = cfg->l1_sectors ? 0 : 15, plain = s->port.plain_misses;
    struct cache_at place = cache_at(tags, at[0] / LINE_B);
    while (i < n && t < until) {
        if (RARE(replies.t <= t) && !reply_run_on(&replies))
            break;
        uint64_t line = line_addr(at[i]);
        uint32_t sectors = line_sectors(at[i]) | whole, missing = sectors;
        struct cache_line *c = cache_find_at(tags, place, line / LINE_B, true);
        if (c)
            missing &= ~(uint32_t)c->valid;
        if (missing) {
            if (c && c->pinned)
                break;
            if (RARE(free > t + queue)) { /* the port is full */
                uint64_t again = free - queue < replies.t ? free - queue : replies.t;
                again = again < until ? again : until;
                stalled += again - t;
                t = again;
                continue;
            }
            if (RARE(!replies.nspare)) { /* the next reply gives back an entry */
                uint64_t again = replies.t;
                run->blocked = again >= until || !reply_run_on(&replies);
                if (run->blocked)
                    break;
                stalled += again - t;
                t = again;
                continue;
            }
            if (!c) {
                c = cache_victim(tags, place);
                if (!c || c->dirty)
                    break;
                cache_replace(tags, place, c, line / LINE_B);
            }
            uint64_t leaves = t + 1 > free ? t + 1 : free;
            uint32_t entry = replies.spare[--replies.nspare];
            put_entry(&replies.entries[entry], &run->who, line, missing, missing & plain,
                      (uint32_t)(c - replies.lines), t);
            put_request(out++, &read, line, missing, entry, leaves);
            c->fill = (uint16_t)entry;
            c->pinned = 1;
            waits += leaves - (t + 1);
            free = leaves + step;
            missed += mem_sectors(missing);
        }
        reads += mem_sectors(sectors);
        run->last = t++;
        if (++i < n) {
            place = cache_at(tags, at[i] / LINE_B);
            cache_expect(place);
        }
    }
    run->t = t;
    reply_run_end(s, &replies);
    s->stats[SS_l1_stall] += stalled;
    if (!i)
        return 0;
    uint32_t misses = (uint32_t)(out - s->port.out.at) - s->port.out.n;
    array_claim(s->l1.array, run->last);
    s->port.out_free = free;
    s->port.out.n += misses;
    l->lines_left = (uint16_t)(l->lines_left + misses);
    s->stats[SS_request_wait] += waits;
    s->stats[SS_mshr_uses] += misses;
    s->stats[SS_l1_reads] += reads;
    s->stats[SS_l1_read_hits] += reads - missed;
    return i;
}
