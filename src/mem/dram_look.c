/* SPDX-License-Identifier: Apache-2.0 */
/* What a DRAM channel does next: each bank chooses among its own requests, the channel among the banks. `few`: as of the
 * channel. */
#include "mem/dram.h"

static bool has_bit(const uint64_t *m, uint32_t i) { return m[i / 64] >> i % 64 & 1; }

void dram_choose_anew(struct dram *d)
{
    for (uint32_t i = 0; i < d->nbanks; i++)
        d->stale[dram_word(i, false)] |= dram_bit(i);
}

/* The bank would do something at t. If it is to be refreshed before that, its row is closed, and nothing done until the end. */
static bool refreshed(struct dram *d, uint32_t bank, uint64_t t)
{
    struct dram_bank *b = &d->banks[bank];
    uint64_t *next = &d->refresh[bank];
    if (t < *next)
        return false;
    *next += (t - *next) / d->refi * d->refi; /* those before are over */
    b->pre_ready = later(b->pre_ready, *next + d->rfc);
    *next += d->refi;
    b->row = 0;
    b->cas_ready = b->pre_ready;
    return true;
}

INTO void take_out(struct dram *d, uint32_t bank, bool few)
{
    uint64_t *due = &d->due[dram_word(bank, few)];
    if (*due & dram_bit(bank)) {
        *due &= ~dram_bit(bank);
        return;
    }
    d->after[d->before[bank]] = d->after[bank];
    d->before[d->after[bank]] = d->before[bank];
}

/* Its place is found from both ends: a bank that has just done something is ready after most others, one that a request has come
 * to before most. The list's end, which is no bank, is always ready. */
INTO void put_in(struct dram *d, uint32_t bank, uint64_t ready)
{
    uint32_t at = d->before[DRAM_BANKS], next = DRAM_BANKS, first = d->after[DRAM_BANKS];
    while (d->ready[at] > ready) {
        next = at;
        at = d->before[at];
        if (d->ready[first] > ready) {
            next = first;
            at = d->before[first];
            break;
        }
        first = d->after[first];
    }
    d->before[bank] = (uint16_t)at;
    d->after[bank] = (uint16_t)next;
    d->before[next] = (uint16_t)bank;
    d->after[at] = (uint16_t)bank;
}

/* Closed banks that are ready at `enough` are due from now on. */
INTO void see_due(struct dram *d, uint64_t enough, bool few)
{
    uint32_t bank = d->after[DRAM_BANKS];
    if (bank == DRAM_BANKS || d->ready[bank] > enough)
        return;
    do {
        d->due[dram_word(bank, few)] |= dram_bit(bank);
        bank = d->after[bank];
    } while (bank != DRAM_BANKS && d->ready[bank] <= enough);
    d->after[DRAM_BANKS] = (uint16_t)bank;
    d->before[bank] = DRAM_BANKS;
}

/* The bank's choice: a request to the open row that is there before the row would be closed for the oldest, else that one. */
INTO void choose(struct dram *d, uint32_t bank, bool few)
{
    struct dram_bank *b = &d->banks[bank];
    struct dram_req **list = &b->q[d->write].head, *first = *list;
    uint32_t word = dram_word(bank, few);
    uint64_t bit = dram_bit(bank), closed = d->closed[word], row = b->row;
    d->stale[word] &= ~bit;
    d->open[word] &= ~bit;
    d->closed[word] = closed & ~bit;
    if (closed & bit)
        take_out(d, bank, few);
    b->pick = list;
    if (!first)
        return;
    uint64_t at = first->at;
    if (d->refi && refreshed(d, bank, later(at, row ? b->cas_ready : b->pre_ready)))
        row = 0;
    uint64_t close = later(at, b->pre_ready);
    if (row) {
        uint64_t until = d->holds ? later(at, b->cas_ready) : close;
        for (struct dram_req **link = list, *r; (r = *link); link = &r->next) {
            if (r->row != row || r->at > until)
                continue;
            b->pick = link;
            d->ready[bank] = later(b->cas_ready, r->at);
            d->open[word] |= bit;
            return;
        }
        close += d->rp;
    }
    put_in(d, bank, close);
    d->ready[bank] = close;
    d->closed[word] |= bit;
}

/* What the channel itself allows for the next access. */
struct terms {
    uint64_t lat;   /* command to data */
    uint64_t floor; /* no data before this */
    uint64_t act;   /* no activation before this */
};

static struct terms terms_of(const struct dram *d, bool write)
{
    return (struct terms){
        .lat = write ? d->wl : d->cl, .floor = later(d->bus_free, d->data_ready[write]), .act = d->act_ready};
}

/* A command to the bank at `t`, or when its group takes the next one. */
INTO uint64_t in_group(const struct dram *d, uint32_t bank, uint64_t t)
{
    return d->ccdl ? later(t, d->group_ready[d->banks[bank].group]) : t;
}

INTO struct dram_offer open_offer(const struct dram *d, uint32_t bank, const struct terms *c)
{
    return (struct dram_offer){.start = later(in_group(d, bank, d->ready[bank]) + c->lat, c->floor),
                               .bank = bank};
}

INTO struct dram_offer closed_offer(const struct dram *d, uint32_t bank, const struct terms *c)
{
    uint64_t act = later(d->ready[bank], c->act);
    return (struct dram_offer){
        .start = later(in_group(d, bank, act + d->rcd) + c->lat, c->floor), .act = act, .bank = bank};
}

/* The lowest bank among equals is first. */
INTO bool beats(const struct dram_offer *a, const struct dram_offer *b)
{
    return a->start < b->start || (a->start == b->start && a->bank < b->bank);
}

ASIDE void dram_compare(struct dram *d, uint32_t bank)
{
    if (d->few)
        choose(d, bank, true);
    else
        choose(d, bank, false);
    struct terms c = terms_of(d, (*d->banks[bank].pick)->write);
    struct dram_offer o = has_bit(d->open, bank) ? open_offer(d, bank, &c) : closed_offer(d, bank, &c);
    if (beats(&o, &d->best) || (bank == d->best.bank && o.start == d->best.start)) {
        d->best = o;
        d->bound = o.start;
    } else if (bank == d->best.bank) {
        d->bound = 0;
    }
}

/* Whose turn is it, reads' or writes'? */
static void take_turns(struct dram *d)
{
    if (d->n[1] == d->most[1])
        d->draining = true;
    else if (d->n[1] <= d->most[1] / 4)
        d->draining = false;
    bool write = d->draining || !d->n[0];
    if (write != d->write)
        dram_choose_anew(d);
    d->write = write;
}

INTO uint32_t words(const struct dram *d, bool few) { return few ? 1 : d->words; }

INTO void choose_stale(struct dram *d, bool few)
{
    for (uint32_t k = 0; k < words(d, few); k++)
        for (uint64_t m = d->stale[k]; m; m &= m - 1)
            choose(d, k * 64 + (uint32_t)__builtin_ctzll(m), few);
}

/* What the bank offers, if that is better than `best`, which is then that. both: c has terms of reads and of writes; else those
 * of all. */
INTO void compare(const struct dram *d, uint32_t bank, const struct terms *c, bool both, bool open,
                  struct dram_offer *best)
{
    const struct terms *own = both ? &c[(*d->banks[bank].pick)->write] : c;
    struct dram_offer o = open ? open_offer(d, bank, own) : closed_offer(d, bank, own);
    if (beats(&o, best))
        *best = o;
}

/* The best offer of the banks in the set, or `best`. None of theirs starts before `least`: one that starts then cannot be beaten
 * by a higher bank. */
INTO struct dram_offer best_of(const struct dram *d, const uint64_t *set, const struct terms *c, bool both,
                               uint64_t least, bool open, bool few, struct dram_offer best)
{
    for (uint32_t k = 0; k < words(d, few); k++)
        for (uint64_t m = set[k]; m; m &= m - 1) {
            uint32_t bank = k * 64 + (uint32_t)__builtin_ctzll(m);
            compare(d, bank, c, both, open, &best);
            if (best.start <= least && best.bank <= bank)
                return best;
        }
    return best;
}

/* How long before `floor` that is; 0: after it. */
static uint64_t before(uint64_t floor, uint64_t lat) { return floor > lat ? floor - lat : 0; }

/* Reads and writes have turns, or go alike. Closed banks that are not due are asked in the order in which they are ready, until
 * they are too late. */
INTO struct dram_offer best_with(struct dram *d, const struct terms *c, bool both, bool few)
{
    /* The least latency of any offer, its earliest data, and from its activation to that. */
    uint64_t lat = both && c[1].lat < c[0].lat ? c[1].lat : c->lat;
    uint64_t floor = both && c[1].floor < c[0].floor ? c[1].floor : c->floor;
    uint64_t closed = d->rcd + lat;
    struct dram_offer best =
        best_of(d, d->open, c, both, floor, true, few, (struct dram_offer){.start = UINT64_MAX});
    see_due(d, later(c->act, before(floor, closed)), few);
    best = best_of(d, d->due, c, both, later(c->act + closed, floor), false, few, best);
    for (uint32_t bank = d->after[DRAM_BANKS];
         bank != DRAM_BANKS && later(d->ready[bank] + closed, floor) <= best.start; bank = d->after[bank])
        compare(d, bank, c, both, false, &best);
    return best;
}

INTO struct dram_offer best_of_all(struct dram *d, bool few)
{
    if (d->turns)
        take_turns(d);
    choose_stale(d, few);
    if (!d->turns && d->n[0] && d->n[1]) {
        const struct terms c[2] = {terms_of(d, false), terms_of(d, true)};
        return best_with(d, c, true, few);
    }
    const struct terms one = terms_of(d, d->turns ? d->write : !d->n[0]);
    return best_with(d, &one, false, few);
}

/* ---- the same for plain channels ---- */

/* The bank that is ready first, the lowest among equals; being ready before `enough` wins it nothing. There is one. */
static uint32_t first_open(const struct dram *d, uint64_t enough)
{
    uint32_t first = DRAM_FEW;
    uint64_t when = UINT64_MAX;
    for (uint64_t m = d->open[0]; m; m &= m - 1) {
        uint32_t bank = (uint32_t)__builtin_ctzll(m);
        if (d->ready[bank] <= enough)
            return bank;
        if (d->ready[bank] < when) {
            when = d->ready[bank];
            first = bank;
        }
    }
    return first;
}

static uint32_t first_closed(struct dram *d, uint64_t enough)
{
    see_due(d, enough, true);
    if (*d->due)
        return (uint32_t)__builtin_ctzll(*d->due);
    uint32_t bank = d->after[DRAM_BANKS], first = bank;
    uint64_t when = d->ready[bank];
    while ((bank = d->after[bank]) != DRAM_BANKS && d->ready[bank] == when)
        first = bank < first ? bank : first;
    return first;
}

/* take_turns was called, if it had anything to do. */
INTO void look_plain(struct dram *d)
{
    const struct terms c = terms_of(d, d->write);
    for (uint64_t m = d->stale[0]; m; m &= m - 1)
        choose(d, (uint32_t)__builtin_ctzll(m), true);
    uint64_t when = UINT64_MAX, act = 0;
    uint32_t bank = 0;
    if (d->closed[0]) {
        bank = first_closed(d, later(c.act, before(c.floor, d->rcd + c.lat)));
        act = later(d->ready[bank], c.act);
        when = later(act + d->rcd + c.lat, c.floor);
    }
    if (d->open[0]) {
        uint32_t open = first_open(d, before(c.floor, c.lat));
        uint64_t hit = later(d->ready[open] + c.lat, c.floor);
        if (hit < when || (hit == when && open < bank)) {
            bank = open;
            act = 0;
            when = hit;
        }
    }
    d->bound = d->best.start = when;
    d->best.act = act;
    d->best.bank = bank;
}

ASIDE static void look_any(struct dram *d)
{
    if (d->plain) {
        take_turns(d);
        look_plain(d);
    } else {
        d->best = d->few ? best_of_all(d, true) : best_of_all(d, false);
        d->bound = d->best.start;
    }
}

void dram_look(struct dram *d)
{
    if (d->plain && !d->n[1] && !d->write && d->n[0]) /* reads go on */
        look_plain(d);
    else
        look_any(d);
}
