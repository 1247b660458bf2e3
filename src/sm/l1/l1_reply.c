/* SPDX-License-Identifier: Apache-2.0 */
/* What L1 does with a reply: the line is there, loads that waited for it go on, clients hear of it. */
#include "sm/async/async.h"

void load_done(struct sm *s, uint32_t part, uint32_t f, uint64_t t)
{
    const struct flight *l = &s->parts[part].flights[f];
    s->stats[SS_load_cycles] += t - l->issued;
    s->stats[SS_loads_done]++;
    if (!s->trust.watch)
        return;
    const struct sm_warp *w = &s->parts[part].warps[l->warp];
    const struct sm_load told = {.from = l->issued,
                                 .to = t,
                                 /* The list is there, even if its block was given back. */
                                 .line = line_addr(l->i.lines.at[0]) - s->ctas.at[w->cta].k->space,
                                 .tenant = s->ctas.at[w->cta].k->id.tenant,
                                 .cta = w->cta,
                                 .index = w->index,
                                 .part = part,
                                 .cls = l->i.k->cls,
                                 .lines = l->i.lines.n};
    s->trust.watch->load(s->trust.watch->ctx, &told);
}

/* The load has its last line at `at`, in this cycle or later. */
static void load_complete(struct sm *s, uint32_t part, uint32_t f, uint64_t at, uint64_t t)
{
    struct part *p = &s->parts[part];
    struct flight *l = &p->flights[f];
    fence_stored(s, l);
    if ((l->i.k->mem & TM_LOAD && !(l->i.k->mem & TM_ATOMIC)) ||
        l->i.k->nwrite) /* others were only waited for */
        load_done(s, part, f, at);
    if (at + l->late > t) {
        event_at(s, at + l->late, l->i.k->cls == TC_LDGSTS ? EV_COPIED : EV_RESULT, part, f);
        return;
    }
    if (l->i.k->cls == TC_LDGSTS)
        async_done(p, l->warp, l->group);
    flight_result(p, f);
    part_wake(p, t);
}

/* To others than miss entries. */
ASIDE static void reply_aside(struct sm *s, const struct mem_reply *r, uint64_t t)
{
    if (r->tag & L1_ACK) {
        if (s->tenants.cyc)
            tenant_acked(s, r->tag & ~(uint32_t)L1_ACK);
    } else if (r->tag & L1_COPY) {
        async_reply(s, r->tag, t);
    } else {
        s->stats[SS_cast_b] += SECTOR_B * mem_sectors(r->sectors);
        async_cast_reply(s, r->tag, t);
    }
}

/* All that this one waited for of its line is there. True: something has come of it. */
static inline bool line_there(struct sm *s, struct mwait w, uint64_t t)
{
    if (w.client != L1_FLIGHT) {
        const struct l1_client *c = &s->l1.clients.at[s->l1.client_at.at[w.client - 1]];
        c->arrived(c->ctx, w.name, t);
        s->l1.refused = true; /* whoever took note does the rest when it is told of the reply */
        return true;
    }
    struct flight *l = &s->parts[w.part].flights[w.name];
    s->lsu.served = s->cfg->reply_turns && s->lsu.served >= t ? s->lsu.served + 1 : t;
    if (--l->lines_left || l->next_line != l->i.lines.n)
        return false;
    load_complete(s, w.part, w.name, s->lsu.served, t);
    return true;
}

ASIDE static bool line_there_behind(struct sm *s, struct mshr *m, uint8_t sectors, uint64_t t)
{
    bool more = false;
    for (struct mwait w; mshr_arrived_behind(&s->l1.mshrs, m, sectors, &w);)
        more |= line_there(s, w, t);
    return more;
}

/* The clients are told. True: one of them has work now. */
ASIDE static bool tell_replied(struct sm *s, uint64_t t)
{
    s->l1.refused = false;
    s->l1.due = 0;
    vec_each (&s->l1.clients, c)
        c->replied(c->ctx, t);
    return l1_next(s) <= t;
}

bool l1_reply(struct sm *s, const struct mem_reply *r, uint64_t t)
{
    if (r->tag & (L1_ACK | L1_COPY | L1_CAST)) {
        reply_aside(s, r, t);
        return true;
    }
    struct mshrs *a = &s->l1.mshrs;
    struct mshr *m = &a->at[r->tag];
    struct mwait who = m->who;
    uint8_t sectors = r->sectors, pending = m->pending & (uint8_t)~sectors;
    bool more = false, is_l1 = mshr_pool(a, r->tag) == MSHR_L1;
    if (a->by_sector && is_l1)
        a->sectors -= mem_sectors(m->pending & sectors);
    if (m->to) {
        struct cache_line *c = &s->l1.cache.lines[m->to - 1];
        c->valid |= sectors;
        c->pinned = pending != 0;
        if (s->onchip.follows)
            rows_fill(s, (uint32_t)(m->to - 1) / s->l1.cache.ways);
    }
    m->pending = pending;
    m->plain &= MSHR_HASHED; /* what is left comes otherwise */
    m->who.missing = who.missing & (uint8_t)~sectors;
    if (who.missing & sectors && (who.each || !m->who.missing)) {
        m->n -= !m->who.missing;
        more = line_there(s, who, t);
    }
    if (m->last != UINT32_MAX)
        more |= line_there_behind(s, m, sectors, t);
    if (!pending) {
        s->stats[is_l1 ? SS_mshr_cycles : SS_bypass_cycles] += (uint32_t)t - m->since;
        mshr_free(a, r->tag);
    }
    if (s->l1.refused)
        more |= tell_replied(s, t);
    return more;
}
