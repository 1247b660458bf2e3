#include "mem/dram.h"

#include "base/hint.h"

/* The word of a set that has this bank. `plain`, here and below: as of the channel. */
INTO uint32_t word_of(uint32_t bank, bool plain) { return plain ? 0 : bank / 64; }
INTO uint64_t bit_of(uint32_t bank) { return 1ull << bank % 64; }
static bool has_bit(const uint64_t *m, uint32_t i) { return m[i / 64] >> i % 64 & 1; }

static void choose_anew(struct dram *d)
{
    for (uint32_t i = 0; i < d->nbanks; i++)
        d->stale[word_of(i, false)] |= bit_of(i);
}

/* Four stacks are refreshed together, each further one a quarter of the period after the one before. */
static uint64_t first_refresh(const struct mem_cfg *cfg, uint64_t refi, uint32_t channel)
{
    uint32_t stack = channel * cfg->stacks / cfg->channels;
    return stack < 4 ? 0 : refi * (stack - 3) / 4;
}

void dram_init(struct dram *d, const struct mem_cfg *cfg, double core_mhz, uint32_t id)
{
    double k = core_mhz / cfg->dram_mhz * DRAM_SCALE;
#define SCALED(t) (uint64_t)((t)*k + 0.5)
    *d = (struct dram){.cfg = cfg,
                       .map = mem_map(cfg),
                       .words = (cfg->banks + 63) / 64,
                       .nbanks = cfg->banks,
                       .most = {cfg->queue, cfg->write_queue},
                       .turns = cfg->write_batches,
                       .holds = cfg->bank_holds,
                       .plain = cfg->write_batches && !cfg->t_ccdl && cfg->banks <= DRAM_FEW,
                       .bound = UINT64_MAX,
                       .rcd = SCALED(cfg->t_rcd),
                       .ras = SCALED(cfg->t_ras),
                       .rp = SCALED(cfg->t_rp),
                       .rrd = SCALED(cfg->t_rrd),
                       .cl = SCALED(cfg->t_cl),
                       .wl = SCALED(cfg->t_wl),
                       .wr = SCALED(cfg->t_wr),
                       .cdlr = SCALED(cfg->t_cdlr),
                       .rtw = SCALED(cfg->t_rtw),
                       .ccdl = SCALED(cfg->t_ccdl),
                       .refi = SCALED(cfg->t_refi),
                       .rfc = cfg->t_refi ? SCALED(cfg->t_rfc) : 0,
                       .burst_cyc = SCALED((double)cfg->burst_b / cfg->bus_b),
                       .sector_cyc = SCALED((double)SECTOR_B / cfg->bus_b)};
#undef SCALED
    d->banks = xcalloc(cfg->banks, sizeof *d->banks);
    d->after[DRAM_FEW] = d->before[DRAM_FEW] = DRAM_FEW;
    d->act_ready = d->rrd;
    d->data_ready[0] = d->cdlr + d->cl;
    d->data_ready[1] = d->wl;
    uint32_t cap = cfg->queue + cfg->write_queue;
    d->q = xcalloc(cap, sizeof *d->q);
    for (uint32_t i = 0; i < cfg->banks; i++)
        d->banks[i].refresh = d->refi + first_refresh(cfg, d->refi, id) +
                              (cfg->refresh_banks ? d->refi * i / cfg->banks : 0);
    d->free = d->q;
    for (uint32_t i = 0; i + 1 < cap; i++)
        d->q[i].next = &d->q[i + 1];
    choose_anew(d);
}

void dram_free(struct dram *d)
{
    free(d->banks);
    free(d->q);
}

/* The bank would do something at t. If it is to be refreshed before that, its row is closed, and nothing done until the end. */
static bool refreshed(const struct dram *d, struct dram_bank *b, uint64_t t)
{
    if (t < b->refresh)
        return false;
    b->refresh += (t - b->refresh) / d->refi * d->refi; /* those before are over */
    b->pre_ready = later(b->pre_ready, b->refresh + d->rfc);
    b->refresh += d->refi;
    b->row = 0;
    b->cas_ready = b->pre_ready;
    return true;
}

static void take_out(struct dram *d, uint32_t bank)
{
    if (d->due & bit_of(bank)) {
        d->due &= ~bit_of(bank);
        return;
    }
    d->after[d->before[bank]] = d->after[bank];
    d->before[d->after[bank]] = d->before[bank];
}

/* Found from behind: most are ready after all others. */
static void put_in(struct dram *d, uint32_t bank, uint64_t ready)
{
    uint32_t at = d->before[DRAM_FEW], next = DRAM_FEW;
    for (; at != DRAM_FEW && d->ready[at] > ready; at = d->before[at])
        next = at;
    d->before[bank] = (uint8_t)at;
    d->after[bank] = (uint8_t)next;
    d->before[next] = (uint8_t)bank;
    d->after[at] = (uint8_t)bank;
}

/* The bank's choice: a request to the open row that is there before the row would be closed for the oldest, else that one. */
INTO void choose(struct dram *d, uint32_t bank, bool plain)
{
    struct dram_bank *b = &d->banks[bank];
    struct dram_req *first = b->q[d->write].head;
    uint32_t word = word_of(bank, plain);
    uint64_t bit = bit_of(bank), closed = d->closed[word], row = b->row;
    d->stale[word] &= ~bit;
    d->open[word] &= ~bit;
    d->closed[word] = closed & ~bit;
    if (plain && closed & bit)
        take_out(d, bank);
    b->pick = first;
    b->prev = NULL;
    if (!first)
        return;
    uint64_t at = first->at;
    if (d->refi && refreshed(d, b, later(at, row ? b->cas_ready : b->pre_ready)))
        row = 0;
    uint64_t close = later(at, b->pre_ready);
    if (row) {
        uint64_t until = d->holds ? later(at, b->cas_ready) : close;
        for (struct dram_req *prev = NULL, *r = first; r; prev = r, r = r->next) {
            if (r->row != row || r->at > until)
                continue;
            b->pick = r;
            b->prev = prev;
            d->ready[bank] = later(b->cas_ready, r->at);
            d->open[word] |= bit;
            return;
        }
        close += d->rp;
    }
    if (plain)
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

static uint32_t group_of(const struct dram *d, uint32_t bank)
{
    uint32_t n = d->cfg->bank_groups;
    return d->cfg->group_apart ? bank % n : bank * n / d->nbanks;
}

/* A command to the bank at `t`, or when its group takes the next one. */
static uint64_t in_group(const struct dram *d, uint32_t bank, uint64_t t)
{
    return d->ccdl ? later(t, d->group_ready[group_of(d, bank)]) : t;
}

static uint64_t bursts(const struct dram *d, uint8_t sectors)
{
    return (mem_sectors(sectors) * SECTOR_B + d->cfg->burst_b - 1) / d->cfg->burst_b;
}

static struct dram_offer open_offer(const struct dram *d, uint32_t bank, const struct terms *c)
{
    return (struct dram_offer){.start = later(in_group(d, bank, d->ready[bank]) + c->lat, c->floor),
                               .bank = bank};
}

static struct dram_offer closed_offer(const struct dram *d, uint32_t bank, const struct terms *c)
{
    uint64_t act = later(d->ready[bank], c->act);
    return (struct dram_offer){
        .start = later(in_group(d, bank, act + d->rcd) + c->lat, c->floor), .act = act, .bank = bank};
}

/* The lowest bank among equals is first. */
static bool beats(const struct dram_offer *a, const struct dram_offer *b)
{
    return a->start < b->start || (a->start == b->start && a->bank < b->bank);
}

/* A read has come to this bank while reads have their turn: is the best offer still the best? */
static void compare(struct dram *d, uint32_t bank)
{
    struct terms c = terms_of(d, d->write);
    if (d->plain)
        choose(d, bank, true);
    else
        choose(d, bank, false);
    struct dram_offer o = has_bit(d->open, bank) ? open_offer(d, bank, &c) : closed_offer(d, bank, &c);
    if (beats(&o, &d->best) || (bank == d->best.bank && o.start == d->best.start)) {
        d->best = o;
        d->bound = o.start;
    } else if (bank == d->best.bank) {
        d->bound = 0;
    }
}

/* Does a request at the end of its queue change what the bank does next? Only if it is the first of its kind there, or the
 * bank would close the row that the request is to, and it comes before that. */
INTO bool matters(const struct dram *d, uint32_t bank, const struct dram_req *r, bool plain)
{
    const struct dram_bank *b = &d->banks[bank];
    uint32_t word = word_of(bank, plain);
    if (d->stale[word] & bit_of(bank))
        return true;
    if ((d->turns && r->write != d->write) || d->open[word] & bit_of(bank))
        return false;
    if (!b->pick)
        return true;
    return r->row == b->row && r->at <= later(b->pick->at, d->holds ? b->cas_ready : b->pre_ready);
}

/* plain: a read, too. */
INTO void push(struct dram *d, struct dram_place to, struct dram_req now, bool plain)
{
    struct dram_bank *b = &d->banks[to.bank];
    struct dram_list *l = &b->q[d->turns & now.write];
    struct dram_req *r = d->free;
    d->free = r->next;
    *r = now;
    bool changed = matters(d, to.bank, r, plain);
    if (l->head)
        l->tail->next = r;
    else
        l->head = r;
    l->tail = r;
    if (changed)
        d->stale[word_of(to.bank, plain)] |= bit_of(to.bank);
    /* While reads have their turn, a write changes nothing and a read only what its bank can do. */
    bool reads = d->n[0] && !d->draining && d->n[1] + now.write < d->most[1];
    if (!(d->n[0] + d->n[1]))
        d->oldest = now.at;
    d->n[now.write]++;
    if (!reads || !d->turns)
        d->bound = 0;
    else if (changed && !now.write && d->bound)
        compare(d, to.bank);
}

void dram_push(struct dram *d, uint64_t at, uint64_t local, uint32_t who, uint8_t sectors, bool write)
{
    struct dram_place to = map_bank(&d->map, local);
    struct dram_req now = {.at = at * DRAM_SCALE, .who = who, .row = to.row + 1, .sectors = sectors};
    if (!write && d->plain) {
        push(d, to, now, true);
    } else {
        now.write = write;
        push(d, to, now, false);
    }
}

uint64_t dram_when(const struct dram *d)
{
    return d->n[0] + d->n[1] ? later(d->oldest, d->bus_free) / DRAM_SCALE : UINT64_MAX;
}

/* What the bank has chosen leaves its list. */
static struct dram_req *unlink_pick(struct dram *d, struct dram_bank *b)
{
    struct dram_req *r = b->pick, *prev = b->prev, *next = r->next;
    struct dram_list *l = &b->q[d->write];
    if (prev)
        prev->next = next;
    else
        l->head = next;
    if (!next)
        l->tail = prev;
    r->next = d->free;
    d->free = r;
    return r;
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
        choose_anew(d);
    d->write = write;
}

static void choose_stale(struct dram *d)
{
    for (uint32_t k = 0; k < d->words; k++)
        for (uint64_t m = d->stale[k]; m; m &= m - 1)
            choose(d, k * 64 + (uint32_t)__builtin_ctzll(m), false);
}

/* Of reads and writes alike. */
static struct dram_offer best_of_both(struct dram *d)
{
    struct dram_offer best = {.start = UINT64_MAX};
    const struct terms c[2] = {terms_of(d, false), terms_of(d, true)};
    choose_stale(d);
    for (uint32_t i = 0; i < d->nbanks; i++) {
        if (!d->banks[i].pick)
            continue;
        const struct terms *own = &c[d->banks[i].pick->write];
        struct dram_offer o = has_bit(d->open, i) ? open_offer(d, i, own) : closed_offer(d, i, own);
        best = beats(&o, &best) ? o : best;
    }
    return best;
}

/* Of reads, or of writes. */
static struct dram_offer best_in_turn(struct dram *d)
{
    struct dram_offer best = {.start = UINT64_MAX};
    take_turns(d);
    const struct terms c = terms_of(d, d->write);
    choose_stale(d);
    for (uint32_t k = 0; k < d->words; k++) {
        for (uint64_t m = d->open[k] | d->closed[k]; m; m &= m - 1) {
            uint32_t bank = k * 64 + (uint32_t)__builtin_ctzll(m);
            struct dram_offer o = has_bit(d->open, bank) ? open_offer(d, bank, &c) : closed_offer(d, bank, &c);
            best = beats(&o, &best) ? o : best;
        }
    }
    return best;
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
    uint32_t bank = d->after[DRAM_FEW];
    uint64_t due = d->due;
    if (bank != DRAM_FEW && d->ready[bank] <= enough) {
        do {
            due |= bit_of(bank);
            bank = d->after[bank];
        } while (bank != DRAM_FEW && d->ready[bank] <= enough);
        d->due = due;
        d->after[DRAM_FEW] = (uint8_t)bank;
        d->before[bank] = DRAM_FEW;
    }
    if (due)
        return (uint32_t)__builtin_ctzll(due);
    uint32_t first = bank;
    uint64_t when = d->ready[bank];
    while ((bank = d->after[bank]) != DRAM_FEW && d->ready[bank] == when)
        first = bank < first ? bank : first;
    return first;
}

/* How long before `floor` that is; 0: after it. */
static uint64_t before(uint64_t floor, uint64_t lat) { return floor > lat ? floor - lat : 0; }

static void look_plain(struct dram *d)
{
    if (d->n[1] || d->write || !d->n[0]) /* else reads go on */
        take_turns(d);
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

void dram_look(struct dram *d)
{
    if (d->plain) {
        look_plain(d);
        return;
    }
    d->best = d->turns ? best_in_turn(d) : best_of_both(d);
    d->bound = d->best.start;
}

/* `read`: of a plain channel. */
INTO void start(struct dram *d, struct dram_done *out, uint64_t *stats, bool read)
{
    struct dram_offer best = d->best;
    struct dram_bank *b = &d->banks[best.bank];
    struct dram_req *r = unlink_pick(d, b);
    bool write = !read && r->write;
    uint32_t sectors = mem_sectors(r->sectors);
    uint64_t busy = sectors * d->sector_cyc, end = best.start + busy;
    uint64_t cas = best.start - (write ? d->wl : d->cl), pre_ready = b->pre_ready;
    d->n[write]--;
    d->stale[word_of(best.bank, read)] |= bit_of(best.bank);
    d->bound = d->n[0] + d->n[1] ? 0 : UINT64_MAX;
    if (best.act) {
        stats[b->row ? MS_dram_row_conflicts : MS_dram_row_opens]++;
        b->row = r->row;
        pre_ready = best.act + d->ras;
        d->act_ready = best.act + d->rrd;
    } else {
        stats[MS_dram_row_hits]++;
    }
    b->cas_ready = cas + busy;
    b->pre_ready = later(pre_ready, write ? end + d->wr : cas + busy);
    d->bus_free = end;
    if (!read && d->ccdl)
        d->group_ready[group_of(d, best.bank)] = cas + d->ccdl * bursts(d, r->sectors);
    if (write)
        d->data_ready[0] = end + d->cdlr + d->cl;
    else if (d->rtw)
        d->data_ready[1] = end - d->burst_cyc - d->cl + d->rtw + d->wl; /* from its last command */
    stats[MS_dram_busy] += busy;
    stats[MS_dram_wait] += end - r->at;
    stats[write ? MS_dram_writes : MS_dram_reads] += sectors;
    *out = (struct dram_done){
        .at = (end + DRAM_SCALE - 1) / DRAM_SCALE, .who = r->who, .sectors = r->sectors, .write = write};
}

void dram_start(struct dram *d, struct dram_done *out, uint64_t *stats)
{
    if (d->plain && !d->write)
        start(d, out, stats, true);
    else
        start(d, out, stats, false);
}
