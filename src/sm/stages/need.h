/* Reads of a plain machine, where a bank gives one register a cycle to whoever came first, and an instruction takes any number
 * of them: no queue of each bank is needed, only what each unit has yet to get from each bank. That is a word with a byte for
 * every bank (unit.need, kinsn.need); the units in the order in which they came are c->reading, four bits each, the first one
 * lowest. The highest bit of a byte stands for its bank where banks are chosen. */
#ifndef SM_STAGES_NEED_H
#define SM_STAGES_NEED_H

#include "sm/stages/flight.h"

#define NEED_ONE 0x0101010101010101ull

/* Banks, by bit, as highest bits of bytes. */
STAGE uint64_t need_banks(uint64_t banks)
{
    return ((banks * NEED_ONE & 0x8040201008040201ull) + 0x7f * NEED_ONE) & 0x80 * NEED_ONE;
}

/* Flight f, issued in cycle t, begins to read. `reads`: it is known to do so. */
STAGE void need_begin(struct part *p, uint32_t f, const struct kinsn *k, uint32_t bank0, uint64_t t,
                      bool reads)
{
    struct collect *c = &p->collect;
    uint32_t u = (uint32_t)__builtin_ctzll(~c->used);
    struct unit *unit = &c->units[u];
    p->sm->stats[SS_reg_read_self] += k->self_wait;
    unit->flight = f;
    unit->since = (uint32_t)t + 1;
    unit->need = k->need[bank0];
    c->used |= 1ull << u;
    if (!reads && !k->nread) {
        unit->ready = t + COLLECT_CYC;
        c->full |= 1ull << u;
        return;
    }
    c->reading |= (uint64_t)u << 4 * c->nreading++;
}

/* `got` registers came, at most one from each bank, a byte each, `waited` cycles after they could have. Bytes are counted in as
 * long as they cannot overflow. */
STAGE void need_count(struct part *p, const struct unit *u, uint64_t got, uint32_t waited, enum way way)
{
    struct banks *b = &p->banks;
    struct sm *s = p->sm;
    uint32_t n = (uint32_t)(got * NEED_ONE >> 56);
    s->reads_now += n;
    b->got += got;
    if (waited) {
        b->got_late += got;
        s->stats[SS_reg_read_wait] += waited * n;
        if (plain_watched(way))
            blame_reads(p, u->flight, n, waited * n);
    }
    if (RARE(b->got & 0x80 * NEED_ONE))
        banks_count(b);
}

/* What a unit gets from banks that are open. */
STAGE uint64_t need_get(struct part *p, struct unit *u, uint64_t open, uint64_t t, enum way way)
{
    uint64_t got = (u->need + 0x7f * NEED_ONE) & open;
    uint32_t waited = (uint32_t)t - u->since;
    if (plain_checked(way) && RARE(p->check->exact))
        check_read_banks(p, u, got);
    u->need -= got >> 7;
    if (got)
        need_count(p, u, got >> 7, waited, way);
    if (!u->need)
        u->ready = t + 1;
    return got;
}

/* Several units read. */
STAGE void need_several(struct part *p, uint64_t open, uint64_t t, enum way way)
{
    struct collect *c = &p->collect;
    uint64_t left = 0, list = c->reading;
    uint32_t n = 0;
    for (uint32_t i = c->nreading; i; i--, list >>= 4) {
        uint32_t r = list & 15;
        struct unit *u = &c->units[r];
        open ^= need_get(p, u, open, t, way);
        if (u->need)
            left |= (uint64_t)r << 4 * n++;
        else
            c->full |= 1ull << r;
    }
    c->reading = left;
    c->nreading = n;
}

/* Each bank that no write has taken gives its register to the first unit that needs one. */
STAGE void need_read(struct part *p, uint64_t t, enum way way)
{
    struct collect *c = &p->collect;
    uint64_t open = 0x80 * NEED_ONE;
    if (p->banks.write_now)
        open ^= need_banks(p->banks.write_now);
    if (c->nreading > 1) {
        need_several(p, open, t, way);
        return;
    }
    uint32_t r = c->reading & 15;
    struct unit *u = &c->units[r];
    (void)need_get(p, u, open, t, way);
    if (u->need)
        return;
    c->full |= 1ull << r;
    c->reading = c->nreading = 0;
}

/* Does a read wait for another one, or has one waited before cycle t? */
STAGE bool need_conflicts(const struct collect *c, uint64_t t)
{
    uint64_t once = 0;
    uint64_t list = c->reading;
    if (c->nreading && (int32_t)(c->units[list & 15].since - (uint32_t)t) < 0)
        return true;
    for (uint32_t i = c->nreading; i; i--, list >>= 4) {
        uint64_t need = c->units[list & 15].need;
        if (need & (~NEED_ONE | once))
            return true;
        once |= need;
    }
    return false;
}

#endif
