/* Write-back, and the collectors: every bank has a queue of reads and serves its head, unless a write has taken the bank in this
 * cycle or the head's unit has no port left. */
#ifndef SM_STAGES_COLLECT_H
#define SM_STAGES_COLLECT_H

#include "sm/stages/need.h"

/* collect.c: dispatch and reads where ports or turns decide. */
ASIDE void collect_dispatch_ports(struct part *p, uint64_t t);
ASIDE uint32_t collect_order(const struct part *p, uint64_t banks, uint64_t t, uint8_t order[64]);

/* As banks_rest; nobody asks a plain machine who has used its banks. */
STAGE void rest_banks(struct banks *b, enum way way)
{
    if (way == ANY)
        banks_rest(b);
    b->write_now = way != ANY ? b->written : 0;
    b->written = 0;
}

/* The first stage of a cycle: each bank takes one write, or all where they do not queue. */
STAGE void write_banks(struct part *p, enum way way)
{
    struct banks *b = &p->banks;
    if (way == ANY) {
        b->read_now = 0;
        b->wrote_now = b->pending;
    }
    b->write_now = way == ANY && b->write_port ? 0 : b->pending | b->written;
    uint64_t now = b->pending & ~b->written;
    b->written = 0;
    for (uint64_t m = now; m; m &= m - 1) {
        uint32_t bank = (uint32_t)__builtin_ctzll(m);
        do {
            uint64_t what = banks_take(b, bank);
            if (way == ANY && what & BANKS_KEPT)
                banks_write_register(p, what);
            else
                write_result(p, (uint32_t)(what >> 4), what & 15, way);
        } while (way == ANY && !b->write_queue && b->pending >> bank & 1);
    }
}

/* Unit i has all its operands. False: it cannot leave yet. */
STAGE bool leave_unit(struct part *p, uint32_t i, uint64_t t, enum way way)
{
    struct collect *c = &p->collect;
    const struct operands_ops *o = stage_ops(p->sm, way);
    const struct unit *u = &c->units[i];
    uint64_t others = ~(1ull << i);
    if (u->ready > t)
        return false;
    const struct flight *l = &p->flights[u->flight];
    if (RARE(l->i.k->route == ROUTE_MEMORY)) {
        if (way != ANY && !memory_takes(p, l, u->flight)) {
            c->refused |= ~others;
            return false;
        }
        c->refused = 0; /* the next one of its warp may be among them */
        if (!dispatch_flight(p, u->flight, t, true, way))
            return false;
    } else if (!dispatch_flight(p, u->flight, t, false, way)) {
        return false;
    }
    c->used &= others;
    c->full &= others;
    if (o->left)
        o->left(p->operands, u->flight, i);
    return true;
}

/* As collect_dispatch. As many ports into the units as there are schedulers, with one turn for all, or as the configuration
 * says. */
STAGE void dispatch_units(struct part *p, uint64_t t, enum way way)
{
    struct collect *c = &p->collect;
    if (way == ANY && p->sm->cfg->dispatch_ports) {
        collect_dispatch_ports(p, t);
        return;
    }
    uint32_t ports = way != ANY ? 1 : c->schedulers, i = c->next;
    for (uint64_t left = c->full & ~(way != ANY ? c->refused : 0); left && ports; left &= ~(1ull << i)) {
        uint64_t after = left >> i << i;
        i = (uint32_t)__builtin_ctzll(after ? after : left);
        if (!leave_unit(p, i, t, way))
            continue;
        c->next = i + 1 < c->n ? i + 1 : 0;
        ports--;
    }
}

/* A bank with reads gives out what it can in cycle t. */
STAGE void serve_bank(struct part *p, uint32_t b, uint64_t t)
{
    struct collect *c = &p->collect;
    struct bankq *q = &c->banks[b];
    uint32_t ports = p->banks.reads, head = q->head, end = q->end;
    do {
        struct read r = q->q[head & (c->cap - 1)];
        struct unit *u = &c->units[r.unit];
        uint32_t waited = (uint32_t)t - u->since;
        if ((int32_t)waited < 0 || (c->limited && u->got >= p->sm->cfg->collector_ports))
            break;
        if (p->banks.kept >> b & 1) {
            const struct flight *l = &p->flights[u->flight];
            if (banks_keeps(p, b, l->warp, l->i.k->read[r.operand]))
                break;
        }
        if (p->check)
            check_read_bank(p, u->flight, r.operand);
        if (c->limited)
            u->got++;
        if (--u->left == 0) {
            c->full |= 1ull << r.unit;
            u->ready = t + 1 + c->late;
        }
        banks_read(p, b, waited);
        if (waited && p->sm->watch)
            blame_reads(p, u->flight, 1, waited);
        if (RARE(p->sm->steps))
            step_read(p, u->flight, r.operand, b, t, waited);
        head++;
    } while (--ports && head != end);
    q->head = head;
    if (head == end)
        c->waiting &= ~(1ull << b);
}

/* As collect_read. */
STAGE void read_banks(struct part *p, uint64_t t, enum way way)
{
    struct collect *c = &p->collect;
    const struct operands_ops *o = stage_ops(p->sm, way);
    if (way != ANY) {
        need_read(p, t, way);
        return;
    }
    if (c->waiting) {
        for (uint32_t i = 0; c->limited && i < c->n; i++)
            c->units[i].got = 0;
        uint64_t open = c->waiting & banks_open(&p->banks);
        if (o->taken)
            open &= ~o->taken(p->operands, t);
        if (p->sm->cfg->read_turns) {
            uint8_t order[64];
            uint32_t n = collect_order(p, open, t, order);
            for (uint32_t i = 0; i < n; i++)
                serve_bank(p, order[i], t);
        } else {
            for (uint64_t m = open; m; m &= m - 1)
                serve_bank(p, (uint32_t)__builtin_ctzll(m), t);
        }
    }
    if (o->idle)
        o->idle(p->operands, t);
}

/* Does anything wait to be read? */
STAGE bool has_reads(const struct collect *c, enum way way) { return way != ANY ? c->nreading : c->waiting; }

/* After cycle t: the next cycle in which dispatch_units or read_banks can do something. NEVER: not before another instruction is
 * issued, or the load-store unit has room again for one that waits for it. */
STAGE uint64_t collect_next(struct part *p, uint64_t t, enum way way)
{
    struct collect *c = &p->collect;
    const struct operands_ops *o = stage_ops(p->sm, way);
    uint64_t next = has_reads(c, way) || (way == ANY && (c->front.units || c->back.units)) ? t + 1 : NEVER;
    if (next == NEVER && o->next)
        next = o->next(p->operands, t);
    for (uint64_t m = c->full & ~(way != ANY ? c->refused : 0); m && next > t + 1; m &= m - 1) {
        const struct unit *u = &c->units[__builtin_ctzll(m)];
        /* When it becomes ready the cause of waiting may be another, even if it cannot leave then. */
        uint64_t at = u->ready > t                           ? u->ready
                      : way == ANY && p->sm->cfg->unit_latch ? t + 1
                                                             : earliest_start(p, u->flight, way);
        if (way != ANY && at == NEVER)
            c->refused |= m & -m;
        next = at < next ? at : next;
    }
    return next > t ? next : t + 1;
}

STAGE const struct read *head_of(const struct collect *c, uint32_t b)
{
    return &c->banks[b].q[c->banks[b].head & (c->cap - 1)];
}

/* As collect_why. All units are taken: a full one that cannot leave tells most, then reads that queue behind others. */
STAGE unsigned why_no_unit(const struct part *p, uint64_t t, enum way way)
{
    const struct collect *c = &p->collect;
    const struct operands_ops *o = stage_ops(p->sm, way);
    unsigned why = o->why ? o->why(p->operands, t) : 0;
    if (why)
        return why;
    for (uint64_t m = c->full; m; m &= m - 1) {
        const struct unit *u = &c->units[__builtin_ctzll(m)];
        if (u->ready <= t)
            return p->flights[u->flight].i.k->route == ROUTE_MEMORY ? SS_stall_lsu : SS_stall_unit;
    }
    if (way != ANY)
        return need_conflicts(c, t) ? SS_stall_bank : SS_stall_collector;
    for (uint64_t m = c->waiting; m; m &= m - 1) {
        uint32_t b = (uint32_t)__builtin_ctzll(m);
        if (collect_reads(c, b) > 1 || (int32_t)(c->units[head_of(c, b)->unit].since - (uint32_t)t) < 0)
            return SS_stall_bank;
    }
    return SS_stall_collector;
}

#endif
