#include "mem/dram.h"

#include "base/hint.h"

static void set_bit(uint64_t *m, uint32_t i) { m[i / 64] |= 1ull << i % 64; }
static void clear_bit(uint64_t *m, uint32_t i) { m[i / 64] &= ~(1ull << i % 64); }
static bool has_bit(const uint64_t *m, uint32_t i) { return m[i / 64] >> i % 64 & 1; }

static void choose_anew(struct dram *d)
{
    for (uint32_t i = 0; i < d->nbanks; i++)
        set_bit(d->stale, i);
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
                       .words = (cfg->banks + 63) / 64,
                       .nbanks = cfg->banks,
                       .most = {cfg->queue, cfg->write_queue},
                       .turns = cfg->write_batches,
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
    d->after[cfg->banks] = d->before[cfg->banks] = (uint16_t)cfg->banks;
    uint32_t cap = cfg->queue + cfg->write_queue;
    d->q = xcalloc(cap, sizeof *d->q);
    for (uint32_t i = 0; i < cfg->banks; i++)
        d->banks[i] = (struct dram_bank){.q = {{DRAM_NONE, DRAM_NONE}, {DRAM_NONE, DRAM_NONE}},
                                         .refresh = d->refi + first_refresh(cfg, d->refi, id) +
                                                    (cfg->refresh_banks ? d->refi * i / cfg->banks : 0)};
    for (uint32_t i = 0; i < cap; i++)
        d->q[i].next = (uint16_t)(i + 1 < cap ? i + 1 : DRAM_NONE);
    choose_anew(d);
}

void dram_free(struct dram *d)
{
    free(d->banks);
    free(d->q);
}

/* The list that reads, or writes, are in. */
static struct dram_list *list_of(const struct dram *d, struct dram_bank *b, bool write)
{
    return &b->q[d->turns & write];
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
    return true;
}

static void take_out(struct dram *d, uint32_t bank)
{
    d->after[d->before[bank]] = d->after[bank];
    d->before[d->after[bank]] = d->before[bank];
    clear_bit(d->closed, bank);
}

/* Found from behind: most are ready after all others. */
static void put_in(struct dram *d, uint32_t bank, uint64_t ready)
{
    uint32_t none = d->nbanks, at = d->before[none];
    while (at != none && d->ready[at] > ready)
        at = d->before[at];
    d->ready[bank] = ready;
    d->before[bank] = (uint16_t)at;
    d->after[bank] = d->after[at];
    d->before[d->after[at]] = (uint16_t)bank;
    d->after[at] = (uint16_t)bank;
    set_bit(d->closed, bank);
}

/* The bank's choice: a request to the open row that is there before the row would be closed for the oldest, else that one. */
static void choose(struct dram *d, uint32_t bank)
{
    struct dram_bank *b = &d->banks[bank];
    uint16_t first = list_of(d, b, d->write)->head;
    clear_bit(d->stale, bank);
    clear_bit(d->open, bank);
    if (has_bit(d->closed, bank))
        take_out(d, bank);
    b->pick = first;
    b->prev = DRAM_NONE;
    if (first == DRAM_NONE)
        return;
    uint64_t at = d->q[first].at;
    if (d->refi && refreshed(d, b, later(at, b->row ? b->cas_ready : b->pre_ready)))
        b->last = b->pre_ready;
    uint64_t close = later(at, b->pre_ready), row = b->row;
    uint64_t until = d->cfg->bank_holds ? later(at, b->last) : close;
    for (uint16_t prev = DRAM_NONE, i = row ? first : DRAM_NONE; i != DRAM_NONE; prev = i, i = d->q[i].next) {
        const struct dram_req *r = &d->q[i];
        if (r->row + 1 != row || r->at > until)
            continue;
        b->pick = i;
        b->prev = prev;
        d->ready[bank] = later(b->cas_ready, r->at);
        set_bit(d->open, bank);
        return;
    }
    put_in(d, bank, close + (row ? d->rp : 0));
}

/* What the channel itself allows for the next access. */
struct terms {
    uint64_t lat;   /* command to data */
    uint64_t floor; /* no data before this */
    uint64_t act;   /* no activation before this */
};

static struct terms terms_of(const struct dram *d, bool write)
{
    return (struct terms){.lat = write ? d->wl : d->cl,
                          .floor = write ? later(d->bus_free, d->write_ready + d->wl)
                                         : later(d->bus_free, d->write_end + d->cdlr + d->cl),
                          .act = d->last_act + d->rrd};
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
    choose(d, bank);
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
static bool matters(const struct dram *d, uint32_t bank, const struct dram_req *r)
{
    const struct dram_bank *b = &d->banks[bank];
    if (has_bit(d->stale, bank))
        return true;
    if ((d->turns && r->write != d->write) || has_bit(d->open, bank))
        return false;
    if (b->pick == DRAM_NONE)
        return true;
    uint64_t last = d->cfg->bank_holds ? b->last : b->pre_ready;
    return r->row + 1 == b->row && r->at <= later(d->q[b->pick].at, last);
}

void dram_push(struct dram *d, uint64_t at, uint64_t local, uint32_t who, uint8_t sectors, bool write)
{
    struct dram_place place = dram_place(d->cfg, local);
    uint32_t at_bank = place.bank;
    struct dram_bank *b = &d->banks[at_bank];
    uint16_t i = d->free;
    d->free = d->q[i].next;
    d->q[i] = (struct dram_req){.at = at * DRAM_SCALE,
                                .who = who,
                                .row = place.row,
                                .next = DRAM_NONE,
                                .sectors = sectors,
                                .write = write};
    bool changed = matters(d, at_bank, &d->q[i]);
    struct dram_list *l = list_of(d, b, write);
    if (l->head == DRAM_NONE)
        l->head = i;
    else
        d->q[l->tail].next = i;
    l->tail = i;
    if (changed)
        set_bit(d->stale, at_bank);
    /* While reads have their turn, a write changes nothing and a read only what its bank can do. */
    bool reads = d->n[0] && !d->draining && d->n[1] + write < d->most[1];
    if (!(d->n[0] + d->n[1]))
        d->oldest = at * DRAM_SCALE;
    d->n[write]++;
    if (!reads || !d->turns)
        d->bound = 0;
    else if (!write && d->bound && changed)
        compare(d, at_bank);
}

uint64_t dram_when(const struct dram *d)
{
    return d->n[0] + d->n[1] ? later(d->oldest, d->bus_free) / DRAM_SCALE : UINT64_MAX;
}

/* What the bank has chosen leaves its list. */
static struct dram_req unlink_pick(struct dram *d, uint32_t bank)
{
    struct dram_bank *b = &d->banks[bank];
    uint16_t i = b->pick, prev = b->prev;
    struct dram_req r = d->q[i];
    struct dram_list *l = list_of(d, b, r.write);
    if (prev == DRAM_NONE)
        l->head = r.next;
    else
        d->q[prev].next = r.next;
    if (l->tail == i)
        l->tail = prev;
    set_bit(d->stale, bank);
    d->q[i].next = d->free;
    d->free = i;
    d->n[r.write]--;
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
            choose(d, k * 64 + (uint32_t)__builtin_ctzll(m));
}

/* Of reads and writes alike. */
static struct dram_offer best_of_both(struct dram *d)
{
    struct dram_offer best = {.start = UINT64_MAX};
    const struct terms c[2] = {terms_of(d, false), terms_of(d, true)};
    choose_stale(d);
    for (uint32_t i = 0; i < d->nbanks; i++) {
        if (d->banks[i].pick == DRAM_NONE)
            continue;
        const struct terms *own = &c[d->q[d->banks[i].pick].write];
        struct dram_offer o = has_bit(d->open, i) ? open_offer(d, i, own) : closed_offer(d, i, own);
        best = beats(&o, &best) ? o : best;
    }
    return best;
}

/* Of reads, or of writes, where banks are in groups. */
static struct dram_offer best_in_groups(const struct dram *d, const struct terms *c)
{
    struct dram_offer best = {.start = UINT64_MAX};
    for (uint32_t k = 0; k < d->words; k++) {
        for (uint64_t m = d->open[k] | d->closed[k]; m; m &= m - 1) {
            uint32_t bank = k * 64 + (uint32_t)__builtin_ctzll(m);
            struct dram_offer o = has_bit(d->open, bank) ? open_offer(d, bank, c) : closed_offer(d, bank, c);
            best = beats(&o, &best) ? o : best;
        }
    }
    return best;
}

/* The bank that is ready first, the lowest among equals; being ready before `enough` wins it nothing. UINT32_MAX: there is
 * none. */
static uint32_t first_open(const struct dram *d, uint64_t enough)
{
    uint32_t first = UINT32_MAX;
    uint64_t when = UINT64_MAX;
    for (uint32_t k = 0; k < d->words; k++) {
        for (uint64_t m = d->open[k]; m; m &= m - 1) {
            uint32_t bank = k * 64 + (uint32_t)__builtin_ctzll(m);
            if (d->ready[bank] <= enough)
                return bank;
            if (d->ready[bank] < when) {
                when = d->ready[bank];
                first = bank;
            }
        }
    }
    return first;
}

static uint32_t first_closed(const struct dram *d, uint64_t enough)
{
    uint32_t none = d->nbanks, bank = d->after[none], first = bank;
    if (bank == none)
        return UINT32_MAX;
    enough = later(enough, d->ready[bank]);
    while ((bank = d->after[bank]) != none && d->ready[bank] <= enough)
        first = bank < first ? bank : first;
    return first;
}

/* How long before `floor` that is; 0: after it. */
static uint64_t before(uint64_t floor, uint64_t lat) { return floor > lat ? floor - lat : 0; }

/* Of reads, or of writes. */
static struct dram_offer best_ready(const struct dram *d, const struct terms *c)
{
    struct dram_offer best = {.start = UINT64_MAX};
    uint32_t open = first_open(d, before(c->floor, c->lat));
    uint32_t closed = first_closed(d, later(c->act, before(c->floor, d->rcd + c->lat)));
    if (open != UINT32_MAX)
        best = open_offer(d, open, c);
    if (closed != UINT32_MAX) {
        struct dram_offer o = closed_offer(d, closed, c);
        best = beats(&o, &best) ? o : best;
    }
    return best;
}

void dram_look(struct dram *d)
{
    if (!d->turns) {
        d->best = best_of_both(d);
    } else {
        take_turns(d);
        struct terms c = terms_of(d, d->write);
        choose_stale(d);
        d->best = d->ccdl ? best_in_groups(d, &c) : best_ready(d, &c);
    }
    d->bound = d->best.start;
}

void dram_start(struct dram *d, struct dram_done *out, uint64_t *stats)
{
    struct dram_offer best = d->best;
    struct dram_bank *b = &d->banks[best.bank];
    struct dram_req r = unlink_pick(d, best.bank);
    d->bound = d->n[0] + d->n[1] ? 0 : UINT64_MAX;
    if (best.act) {
        stats[b->row ? MS_dram_row_conflicts : MS_dram_row_opens]++;
        b->row = r.row + 1;
        b->pre_ready = best.act + d->ras;
        d->last_act = best.act;
    } else {
        stats[MS_dram_row_hits]++;
    }
    uint64_t busy = mem_sectors(r.sectors) * d->sector_cyc, end = best.start + busy;
    uint64_t cas = best.start - (r.write ? d->wl : d->cl);
    b->cas_ready = cas + busy;
    b->last = cas + busy;
    if (d->ccdl)
        d->group_ready[group_of(d, best.bank)] = cas + d->ccdl * bursts(d, r.sectors);
    b->pre_ready = later(b->pre_ready, r.write ? end + d->wr : cas + busy);
    d->bus_free = end;
    if (r.write)
        d->write_end = end;
    else if (d->rtw)
        d->write_ready = end - d->burst_cyc - d->cl + d->rtw; /* from its last command */
    stats[MS_dram_busy] += busy;
    stats[MS_dram_wait] += end - r.at;
    stats[r.write ? MS_dram_writes : MS_dram_reads] += mem_sectors(r.sectors);
    *out = (struct dram_done){
        .at = (end + DRAM_SCALE - 1) / DRAM_SCALE, .who = r.who, .sectors = r.sectors, .write = r.write};
}
