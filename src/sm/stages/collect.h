/* SPDX-License-Identifier: Apache-2.0 */
/* Write-back, and the collectors: each holds an instruction until its operands are there (need.h), and gives it to its unit of
 * execution, or to the latch before that. */
#ifndef SM_STAGES_COLLECT_H
#define SM_STAGES_COLLECT_H

#include "sm/stages/need.h"

/* The first stage of a cycle: each bank takes one write, or all where they do not queue. `written` are banks that results of this
 * cycle have come to at once (write_at_once). */
STAGE void write_banks(struct part *p, features on)
{
    struct banks *b = &p->banks;
    uint64_t now = b->pending, all = b->written | now;
    bool queues = !(on & F_WRITES) || b->write_queue;
    for (uint64_t m = queues ? now & ~b->written : now; m; m &= m - 1) {
        uint32_t bank = (uint32_t)__builtin_ctzll(m);
        do {
            uint64_t what = banks_take(b, bank);
            if (on & F_POLICY && what & BANKS_KEPT)
                banks_write_register(p, what);
            else
                write_result(p, (uint32_t)(what >> 4), what & 15, on);
        } while (!queues && b->pending >> bank & 1);
    }
    b->write_now = on & F_WRITES && b->write_port ? 0 : all;
    b->written = 0;
    if (on & (F_POLICY | F_FOLLOWED)) {
        b->read_now = 0;
        b->wrote_now = all;
    }
}

/* The same where nothing waits to be written. */
STAGE void rest_banks(struct banks *b, features on)
{
    b->write_now = on & F_WRITES && b->write_port ? 0 : b->written;
    if (on & (F_POLICY | F_FOLLOWED)) {
        b->read_now = 0;
        b->wrote_now = b->written;
    }
    b->written = 0;
}

/* Flight f takes unit u in cycle t, and begins to read what the policy does not have. With nothing to read from a bank it has no
 * cycle of reading; one without operands has it all the same, unless it comes from a latch. `reads`: it is known to read. */
STAGE void enter_unit(struct part *p, uint32_t f, const struct kinsn *k, uint32_t bank0, uint32_t u,
                      uint64_t t, bool reads, features on)
{
    struct sm *s = p->sm;
    struct collect *c = &p->collect;
    const struct operands_ops *o = stage_ops(s, on);
    uint32_t found = o->find ? o->find(p->operands, f, u) : 0, nfound = 0;
    struct unit *unit = &c->units[u];
    unit->flight = f;
    unit->since = (uint32_t)t + 1;
    c->used |= 1ull << u;
    if (keeps_busy(on) && unit->runs_on != k->unit) {
        c->runs_on[unit->runs_on] &= ~(1ull << u);
        c->runs_on[k->unit] |= 1ull << u;
        unit->runs_on = k->unit;
    }
    if (on & F_POLICY) {
        unit->found = (uint16_t)found;
        nfound = few_bits(found);
        if (o->caches) {
            s->stats[SS_cache_reads] += k->nread;
            s->stats[SS_cache_hits] += nfound;
        }
    }
    bool some = need_of(p, u, k, bank0, found, on);
    s->stats[SS_reg_read_self] += k->self_wait && found ? need_self_wait(p, u, k, found, on) : k->self_wait;
    probe_collects(p, f, u, found, t, on);
    if (some || (reads && !(on & F_POLICY))) {
        c->order[c->nreading++] = (uint8_t)u;
        return;
    }
    bool at_once = has_issue_latch(s, on) || (nfound && nfound == k->nread);
    unit->ready = t + (at_once ? 1 : COLLECT_CYC);
    if (keeps_busy(on))
        c->ready_by = unit->ready > c->ready_by ? unit->ready : c->ready_by;
    c->full |= 1ull << u;
}

/* An issued instruction takes a unit of collection, or waits for one in a latch; or it goes past these. */
STAGE void to_collector(struct part *p, struct flight *l, uint32_t f, uint64_t t, bool reads, features on)
{
    struct collect *c = &p->collect;
    const struct operands_ops *o = stage_ops(p->sm, on);
    const struct kinsn *k = l->i.k;
    if (!(on & (F_POLICY | F_LATCHES | F_SCHEDULERS))) {
        enter_unit(p, f, k, l->bank0, (uint32_t)__builtin_ctzll(~c->used), t, reads, on);
        return;
    }
    uint32_t n = on & F_SCHEDULERS ? part_scheduler(p, l->warp) : 0;
    uint32_t own = o->unit ? o->unit(p->operands, f) : COLLECT_ANY;
    if (on & F_LATCHES)
        l->latched = c->issued++ << LATCHED_AGE | f;
    if (o->reserve && k->route == ROUTE_UNIT) {
        uint64_t at = o->reserve(p->operands, f, t);
        operands_left(p, l, f, at, on);
        (void)start_flight(p, l, f, at, t, false, on);
        return;
    }
    if (!has_issue_latch(p->sm, on)) {
        uint64_t any =
            on & (F_LATCHES | F_SCHEDULERS) ? collect_units_of(c, n, k->latch) : collect_free_units(c);
        uint64_t can = own == COLLECT_ANY ? any : 1ull << own;
        enter_unit(p, f, k, l->bank0, (uint32_t)__builtin_ctzll(can), t, false, on);
        return;
    }
    l->unit = (uint8_t)own;
    if (own != COLLECT_ANY)
        collect_reserve_this(c, own);
    latch_put(&c->front, k->latch, n, l->latched, is_isolated(p->sm, on));
    c->crowded = false;
}

/* The load-store unit has no room for the access in unit i, nor for others that have their operands, unless it asks each. */
STAGE void refuse_access(struct part *p, uint32_t i, uint64_t t, features on)
{
    struct collect *c = &p->collect;
    c->refused |= 1ull << i;
    if (keeps_busy(on) && !p->sm->lsu.ops->each && c->ready_by <= t)
        c->refused |= c->runs_on[c->units[i].runs_on] & c->full;
}

/* An access with all its operands, in unit i: may it leave? Else it is not asked again before the load-store unit has room again
 * (lsu_freed), or its turn has come (next_access). */
STAGE bool access_leaves(struct part *p, const struct flight *l, uint32_t i, uint64_t t, features on)
{
    struct collect *c = &p->collect;
    if (!has_turn(p, l)) {
        c->behind |= 1ull << i;
        c->behind_of[l->warp] |= 1ull << i;
        return false;
    }
    if (has_unit_latch(p->sm, on) || memory_takes(p, c->units[i].flight))
        return true;
    refuse_access(p, i, t, on);
    return false;
}

/* An access of the warp has left: the next one may. */
STAGE void next_access(struct part *p, uint32_t warp)
{
    struct collect *c = &p->collect;
    c->behind &= ~c->behind_of[warp];
    c->behind_of[warp] = 0;
}

/* What unit i is to leave for is taken, and it is not asked again before that can be free: the latch, if there are some, before
 * one of its scheduler's is free (latches_to_units); or the units of execution (dispatch_units). False, for leave_unit. */
STAGE bool stays_in_unit(struct part *p, uint32_t i, uint64_t t, features on)
{
    struct collect *c = &p->collect;
    if (has_unit_latch(p->sm, on)) {
        c->refused |= 1ull << i;
        return false;
    }
    if (keeps_busy(on)) {
        uint32_t f = c->units[i].flight;
        const struct kinsn *k = p->flights[f].i.k;
        /* What waits for more than any one of its units says nothing of others. */
        bool alone = p->sm->operands.own_units[k->unit] || (on & F_DELAYS && (k->from_unit | k->across_cyc));
        uint64_t at = earliest_start(p, f, on), alike = alone ? 0 : c->runs_on[k->unit];
        c->busy |= 1ull << i;
        uint64_t left = alike & c->full & ~c->busy;
        if (c->ready_by <= t)
            c->busy |= left;
        else
            for (; left; left &= left - 1)
                c->busy |= c->units[__builtin_ctzll(left)].ready <= t ? left & -left : 0;
        c->busy_until = at < c->busy_until ? at : c->busy_until;
    }
    return false;
}

/* Unit i has all its operands. False: it cannot leave yet. */
STAGE bool leave_unit(struct part *p, uint32_t i, uint64_t t, features on)
{
    struct collect *c = &p->collect;
    const struct operands_ops *o = stage_ops(p->sm, on);
    const struct unit *u = &c->units[i];
    uint64_t others = ~(1ull << i);
    if (u->ready > t)
        return false;
    const struct flight *l = &p->flights[u->flight];
    if (RARE(l->i.k->route == ROUTE_MEMORY)) {
        if (!access_leaves(p, l, i, t, on))
            return false;
        if (!dispatch_flight(p, u->flight, t, true, on))
            return stays_in_unit(p, i, t, on);
        next_access(p, l->warp);
    } else if (!dispatch_flight(p, u->flight, t, false, on)) {
        return stays_in_unit(p, i, t, on);
    }
    c->crowded = false;
    c->used &= others;
    c->full &= others;
    if (o->left)
        o->left(p->operands, u->flight, i);
    return true;
}

/* Where ports of dispatch have turns of their own: each takes the first of its units that can leave after the one it served last;
 * where schedulers are isolated, after all of that one's scheduler. */
STAGE void dispatch_ports(struct part *p, uint64_t t, features on)
{
    const struct sm_cfg *cfg = p->sm->cfg;
    struct collect *c = &p->collect;
    for (uint32_t d = 0, n = cfg->dispatch_ports; d < n && c->full; d++) {
        uint32_t first = c->after[c->last[d]], i = 0;
        uint64_t left = c->port[d] & c->full & ~(c->refused | c->behind | c->busy);
        while (left) {
            uint64_t behind = left >> first << first;
            i = (uint32_t)__builtin_ctzll(behind ? behind : left);
            if (leave_unit(p, i, t, on))
                break;
            left &= ~(1ull << i | c->busy);
        }
        if (left)
            c->last[d] = (uint8_t)i;
        else if (!c->sets)
            return; /* nor can another port find one */
    }
}

/* As many ports into the units as there are schedulers, with one turn for all, or as the configuration says. */
STAGE void dispatch_units(struct part *p, uint64_t t, features on)
{
    struct collect *c = &p->collect;
    if (keeps_busy(on) && c->busy_until <= t) {
        c->busy = 0;
        c->busy_until = NEVER;
    }
    if (on & F_LATCHES && p->sm->cfg->dispatch_ports) {
        dispatch_ports(p, t, on);
        return;
    }
    uint32_t ports = on & F_SCHEDULERS ? c->schedulers : 1, i = c->next;
    /* With several ports an access may leave, and the next one of its warp behind it. */
    bool one = ports == 1;
    uint64_t left = c->full & ~(c->busy | (one ? c->refused | c->behind : 0));
    for (; left && ports; left &= ~(1ull << i | c->busy | (one ? c->refused : 0))) {
        uint64_t after = left >> i << i;
        i = (uint32_t)__builtin_ctzll(after ? after : left);
        if (!leave_unit(p, i, t, on))
            continue;
        c->next = i + 1 < c->n ? i + 1 : 0;
        ports--;
    }
}

/* Does the load-store unit take the access in this slot behind the units? Else it is not asked again before there is room
 * (lsu_freed). */
STAGE bool latched_taken(struct part *p, uint32_t slot, uint32_t f)
{
    struct collect *c = &p->collect;
    if (c->held_up >> slot & 1)
        return false;
    if (memory_takes(p, f))
        return true;
    c->held_up |= (uint8_t)(1u << slot);
    return false;
}

/* After cycle t: the next cycle in which instructions leave the latches. NEVER: those before the units of collection wait for one
 * of these, those behind them for room in the load-store unit. */
STAGE uint64_t latches_next(struct part *p, uint64_t t, features on)
{
    const struct collect *c = &p->collect;
    const struct latches *b = &c->back;
    uint64_t next = NEVER;
    if (c->front.units && !c->crowded)
        return t + 1;
    for (uint32_t units = b->units; units; units &= units - 1) {
        uint32_t unit = (uint32_t)__builtin_ctz(units);
        for (uint32_t i = 0; i < b->n[unit]; i++) {
            uint32_t slot = latched_slot(b->at[unit][i]), f = latched_flight(b->at[unit][i]);
            if (p->flights[f].i.k->route == ROUTE_MEMORY && !latched_taken(p, slot, f))
                continue;
            uint64_t at = earliest_start(p, f, on);
            next = at < next ? at : next;
        }
    }
    return next;
}

/* After cycle t: the next cycle in which dispatch_units or read_banks can do something. NEVER: not before another instruction is
 * issued, or the load-store unit has room again for one that waits for it. */
STAGE uint64_t collect_next(struct part *p, uint64_t t, features on)
{
    struct collect *c = &p->collect;
    const struct operands_ops *o = stage_ops(p->sm, on);
    uint64_t next = c->nreading ? t + 1 : NEVER;
    if (next == NEVER && on & F_LATCHES)
        next = latches_next(p, t, on);
    if (next > t + 1 && o->next) {
        uint64_t at = o->next(p->operands, t);
        next = at < next ? at : next;
    }
    if (keeps_busy(on))
        next = c->busy_until < next ? c->busy_until : next;
    uint64_t asked = 0;
    for (uint64_t m; (m = c->full & ~(c->refused | c->behind | c->busy | asked)) && next > t + 1;) {
        uint32_t i = (uint32_t)__builtin_ctzll(m);
        const struct unit *u = &c->units[i];
        const struct flight *l = &p->flights[u->flight];
        uint64_t at;
        asked |= 1ull << i;
        if (u->ready > t) /* the cause of waiting may be another then, even if it cannot leave */
            at = u->ready;
        else if (has_unit_latch(p->sm, on))
            at = t + 1;
        else if (l->i.k->route == ROUTE_MEMORY && !access_leaves(p, l, i, t, on))
            continue;
        else
            at = earliest_start(p, u->flight, on);
        next = at < next ? at : next;
    }
    return next > t ? next : t + 1;
}

/* As collect_why. All units are taken: a full one that cannot leave tells most, then reads that wait behind others. */
STAGE unsigned why_no_unit(const struct part *p, uint64_t t, features on)
{
    const struct collect *c = &p->collect;
    const struct operands_ops *o = stage_ops(p->sm, on);
    unsigned why = o->why ? o->why(p->operands, t) : 0;
    if (why)
        return why;
    for (uint64_t m = c->full; m; m &= m - 1) {
        const struct unit *u = &c->units[__builtin_ctzll(m)];
        if (u->ready <= t)
            return p->flights[u->flight].i.k->route == ROUTE_MEMORY ? SS_stall_lsu : SS_stall_unit;
    }
    return need_conflicts(c, t, on) ? SS_stall_bank : SS_stall_collector;
}

#endif
