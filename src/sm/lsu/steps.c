/* SPDX-License-Identifier: Apache-2.0 */
#include "sm/lsu/steps.h"

void lsu_queue_init(struct lsu_queue *q, struct sm *s)
{
    q->s = s;
    q->ring.cap = s->cfg->lsu_queue;
    q->who = xcalloc(q->ring.cap, sizeof *q->who);
}

void lsu_queue_free(struct lsu_queue *q) { free(q->who); }

bool lsu_queue_room(const void *st, uint32_t part, uint32_t flight)
{
    (void)part;
    (void)flight;
    return !ring_full(&((const struct lsu_queue *)st)->ring);
}

void lsu_queue_push(void *st, uint32_t part, uint32_t flight)
{
    struct lsu_queue *q = st;
    if (q->s->cfg->const_aside && lsu_at(q->s, lsu_pack(part, flight))->i.space == SPACE_CONST) {
        (void)lsu_aside(q->s, lsu_pack(part, flight), q->s->clock.now);
        return;
    }
    q->who[ring_push(&q->ring)] = lsu_pack(part, flight);
}

void lsu_queue_pop(struct lsu_queue *q, uint64_t t)
{
    if (ring_full(&q->ring))
        lsu_freed(q->s, t);
    ring_pop(&q->ring);
}

static bool store(struct sm *s, uint32_t who, const struct flight *l, uint64_t line, uint8_t sectors,
                  uint64_t t)
{
    bool local = l->i.space == SPACE_LOCAL;
    if (s->cfg->store_waits && !s->cfg->store_acks && !local)
        return l1_store_waits(s, lsu_part(who), lsu_flight(who), line, sectors, t);
    if (!l1_store(s, line, sectors, local, t))
        return false;
    if (s->cfg->store_acks && !local)
        l1_want_ack(s, lsu_part(who), lsu_flight(who));
    return true;
}

bool lsu_ask(struct sm *s, uint32_t who, struct flight *l, uint64_t line, uint8_t sectors, uint64_t t)
{
    uint8_t mem = l->i.k->mem;
    return mem & TM_ATOMIC ? l1_atomic(s, lsu_part(who), lsu_flight(who), line, sectors, t)
           : mem & TM_LOAD ? l1_load(s, l, lsu_part(who), lsu_flight(who), line, sectors, t)
                           : store(s, who, l, line, sectors, t);
}

bool lsu_line(struct sm *s, uint32_t who, struct flight *l, uint64_t at, uint64_t t)
{
    uint64_t line = line_addr(at);
    bool ok = lsu_ask(s, who, l, line, line_sectors(at), t);
    if (ok && s->trust.check)
        order_line(&s->parts[lsu_part(who)], lsu_flight(who), line);
    return ok;
}

static void count_access(struct sm *s, const struct flight *l)
{
    const uint64_t *at = lines_at(s, &l->i.lines);
    const struct kinsn *k = l->i.k;
    s->stats[l->i.space == SPACE_LOCAL ? SS_local_accesses
             : k->mem & TM_ATOMIC      ? SS_atomics
             : k->mem & TM_LOAD        ? SS_global_loads
                                       : SS_global_stores]++;
    s->stats[SS_mem_lines] += l->i.lines.n;
    uint32_t sectors = 0;
    for (const uint64_t *end = at + l->i.lines.n; at < end; at++)
        sectors += mem_sectors(line_sectors(*at));
    s->stats[SS_mem_sectors] += sectors;
}

uint32_t lsu_hit_cyc(const struct sm *s, const struct kinsn *k)
{
    uint32_t way = sm_way_cyc(s->cfg), hit = k->unit == UNIT_TEX ? k->exec_cyc + way : s->cfg->l1_cyc;
    return hit > way ? hit - way : 1;
}

void lsu_counted(struct sm *s, uint32_t who)
{
    struct flight *l = lsu_at(s, who);
    count_access(s, l);
    lines_walked(s, &l->i.lines);
}

/* How much later than its last lookup a load's words are there that lie in one bank of L1: a load's lookups and its passes over
 * the banks follow each other, those of different loads are made at the same time. */
static uint32_t words_late(const struct sm *s, const struct flight *l)
{
    uint32_t passes = l->i.passes, lookups = (l->i.lines.n + s->cfg->l1_lines - 1) / s->cfg->l1_lines;
    if (!s->cfg->l1_words || passes < 2 || l->i.k->mem & TM_ATOMIC)
        return 0;
    uint32_t took = passes > lookups ? passes : lookups;
    return (passes - 1) * s->cfg->l1_pass_cyc + lookups - took;
}

void lsu_lines_done(struct sm *s, uint32_t who, uint64_t t)
{
    uint32_t part = lsu_part(who), f = lsu_flight(who);
    struct flight *l = lsu_at(s, who);
    const struct kinsn *k = l->i.k;
    uint32_t late = l->lines_left ? 0 : words_late(s, l);
    lsu_counted(s, who);
    if (s->lsu.ops->holds)
        lsu_reached(&s->parts[part], f, t);
    if (l->lines_left)
        return; /* the last reply completes it */
    if (is_load(k)) {
        uint32_t wait = lsu_hit_cyc(s, k) + l->late + late;
        load_done(s, part, f, t + wait);
        event_at(s, t + wait, k->cls == TC_LDGSTS ? EV_COPIED : EV_RESULT, part, f);
    } else {
        event_at(s, t + 1, EV_RESULT, part, f);
    }
}

uint32_t lsu_shared_cyc(const struct sm *s, bool atomic)
{
    uint32_t cyc = atomic && s->cfg->shared_atom_cyc ? s->cfg->shared_atom_cyc : s->cfg->shared_cyc;
    uint32_t way = sm_way_cyc(s->cfg);
    return cyc > way ? cyc - way : 1;
}

static uint64_t step_shared(struct sm *s, uint32_t who, uint64_t t)
{
    const struct flight *l = lsu_at(s, who);
    uint32_t passes = l->i.passes ? l->i.passes : 1, busy = passes, until = passes;
    uint32_t wait = lsu_shared_cyc(s, l->i.k->mem & TM_ATOMIC);
    if (s->onchip.follows) {
        rows_shared(s, l, &busy, &until);
        s->stats[is_load(l->i.k) ? SS_shared_loads : SS_shared_stores]++;
    }
    uint64_t from = array_claim_all(s->lsu.shared_array, t, busy);
    s->stats[SS_shared_accesses]++;
    s->stats[SS_shared_conflicts] += passes - 1;
    if (s->trust.watch && passes > 1)
        blame_shared(&s->parts[lsu_part(who)], lsu_flight(who), passes - 1);
    if (l->i.k->ported)
        wait += (passes - 1) * (s->cfg->port_cyc - 1);
    event_at(s, from + until - 1 + (l->i.k->nwrite ? wait : 1),
             l->i.k->cls == TC_LDGSTS ? EV_COPIED : EV_RESULT, lsu_part(who), lsu_flight(who));
    return from + busy;
}

/* It passes the load-store unit, and waits for the constant cache, which gives out one word after the other. */
ASIDE static uint64_t step_const(struct sm *s, uint32_t who, uint64_t t)
{
    const struct flight *l = lsu_at(s, who);
    const uint64_t *at = lines_at(s, &l->i.lines);
    uint32_t words = l->i.passes ? l->i.passes : 1, wait = 0;
    uint64_t from = s->lsu.const_free > t ? s->lsu.const_free : t;
    s->lsu.const_free = from + words * s->cfg->const_word_cyc;
    enum konst_by by = l->i.k->uniform ? KONST_UNIFORM : KONST_LOAD;
    for (uint32_t i = 0; i < l->i.lines.n; i++)
        for (uint32_t m = line_sectors(at[i]); m; m &= m - 1) {
            /* Apart from the lines of operands, which are lines of their kernel's banks. */
            uint64_t in = (uint64_t)__builtin_ctz(m) * SECTOR_B;
            uint32_t w = konst_wait(s, (line_addr(at[i]) + in) / s->cfg->const_line_b + (1ull << 40), by, t);
            wait = w > wait ? w : wait;
        }
    event_at(s, from + (words - 1) * s->cfg->const_more_cyc + wait + l->i.k->exec_cyc, EV_RESULT,
             lsu_part(who), lsu_flight(who));
    return t + 1;
}

uint64_t lsu_aside(struct sm *s, uint32_t who, uint64_t t)
{
    const struct ientry *e = &lsu_at(s, who)->i;
    return e->space == SPACE_CONST ? step_const(s, who, t)
           : e->lines.n            ? far_step(s, who, t)
                                   : step_shared(s, who, t);
}
