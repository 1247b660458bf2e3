#include "mem/dram.h"

void dram_init(struct dram *d, const struct mem_cfg *cfg, double core_mhz)
{
    double k = core_mhz / cfg->dram_mhz * DRAM_SCALE;
#define SCALED(t) (uint64_t)((t)*k + 0.5)
    *d = (struct dram){.cfg = cfg,
                       .rcd = SCALED(cfg->t_rcd),
                       .ras = SCALED(cfg->t_ras),
                       .rp = SCALED(cfg->t_rp),
                       .rrd = SCALED(cfg->t_rrd),
                       .cl = SCALED(cfg->t_cl),
                       .wl = SCALED(cfg->t_wl),
                       .wr = SCALED(cfg->t_wr),
                       .cdlr = SCALED(cfg->t_cdlr),
                       .sector_cyc = SCALED((double)SECTOR_B / cfg->bus_b)};
#undef SCALED
    d->banks = xcalloc(cfg->banks, sizeof *d->banks);
    uint32_t cap = cfg->queue + cfg->write_queue;
    d->q = xcalloc(cap, sizeof *d->q);
    for (uint32_t i = 0; i < cfg->banks; i++)
        d->banks[i].head = d->banks[i].tail = DRAM_NONE;
    for (uint32_t i = 0; i < cap; i++)
        d->q[i].next = (uint16_t)(i + 1 < cap ? i + 1 : DRAM_NONE);
}

void dram_free(struct dram *d)
{
    free(d->banks);
    free(d->q);
}

bool dram_full(const struct dram *d, bool write)
{
    return d->n[write] == (write ? d->cfg->write_queue : d->cfg->queue);
}

/* The bank's choice: a request to the open row that is there before the row would be closed for the oldest, else that one. */
static void choose(const struct dram *d, struct dram_bank *b, bool write)
{
    uint16_t first = b->head, before = DRAM_NONE;
    while (first != DRAM_NONE && d->q[first].write != write) {
        before = first;
        first = d->q[first].next;
    }
    b->known = true;
    b->write = write;
    b->open = false;
    b->pick = first;
    b->prev = before;
    if (first == DRAM_NONE)
        return;
    uint64_t close = later(d->q[first].at, b->pre_ready);
    b->ready = close + (b->row ? d->rp : 0);
    for (uint16_t prev = before, i = first; b->row && i != DRAM_NONE; prev = i, i = d->q[i].next) {
        const struct dram_req *r = &d->q[i];
        if (r->write != write || r->row + 1 != b->row || r->at > close)
            continue;
        b->open = true;
        b->pick = i;
        b->prev = prev;
        b->ready = later(b->cas_ready, r->at);
        break;
    }
}

/* What the channel itself allows for the next access, of reads or of writes. */
struct terms {
    uint64_t lat;   /* command to data */
    uint64_t floor; /* no data before this */
    uint64_t act;   /* no activation before this */
    bool write;
};

static struct terms terms_of(const struct dram *d, bool write)
{
    return (struct terms){.lat = write ? d->wl : d->cl,
                          .floor = write ? d->bus_free : later(d->bus_free, d->write_end + d->cdlr + d->cl),
                          .act = d->last_act + d->rrd,
                          .write = write};
}

static struct dram_offer bank_offer(const struct dram *d, uint32_t bank, const struct terms *c)
{
    struct dram_bank *b = &d->banks[bank];
    if (!b->known || b->write != c->write)
        choose(d, b, c->write);
    if (b->pick == DRAM_NONE)
        return (struct dram_offer){.start = UINT64_MAX};
    uint64_t act = b->open ? 0 : later(b->ready, c->act);
    uint64_t cas = b->open ? b->ready : act + d->rcd;
    return (struct dram_offer){.start = later(cas + c->lat, c->floor), .act = act, .bank = bank};
}

/* A read has come to this bank: is the best offer still the best? The lowest bank among equals is. */
static void compare(struct dram *d, uint32_t bank)
{
    struct terms c = terms_of(d, false);
    struct dram_offer o = bank_offer(d, bank, &c);
    if (o.start < d->best.start || (o.start == d->best.start && bank <= d->best.bank))
        d->best = o;
    else if (bank == d->best.bank)
        d->sure = false;
}

/* Does a request at the end of its queue change what the bank does next? Only if it is the first of its kind there, or the
 * bank would close the row that the request is to, and it comes before that. */
static bool matters(const struct dram *d, const struct dram_bank *b, const struct dram_req *r)
{
    if (!b->known || b->write != r->write)
        return !b->known;
    if (b->pick == DRAM_NONE)
        return true;
    return !b->open && r->row + 1 == b->row && r->at <= later(d->q[b->pick].at, b->pre_ready);
}

void dram_push(struct dram *d, uint64_t at, uint64_t local, uint32_t who, uint8_t sectors, bool write)
{
    uint64_t row = local / d->cfg->row_b, bank = row % d->cfg->banks;
    row /= d->cfg->banks;
    /* Rows of one bank that are a power of two apart would meet again: the row number shifts the bank. */
    struct dram_bank *b = &d->banks[(bank + row) % d->cfg->banks];
    uint16_t i = d->free;
    d->free = d->q[i].next;
    d->q[i] = (struct dram_req){
        .at = at * DRAM_SCALE, .who = who, .row = row, .next = DRAM_NONE, .sectors = sectors, .write = write};
    bool changed = matters(d, b, &d->q[i]);
    if (b->head == DRAM_NONE)
        b->head = i;
    else
        d->q[b->tail].next = i;
    b->tail = i;
    b->known &= !changed;
    d->busy[(b - d->banks) / 64] |= 1ull << (b - d->banks) % 64;
    /* While reads have their turn, a write changes nothing and a read only what its bank can do. */
    bool reads = d->n[0] && !d->draining && d->n[1] + write < d->cfg->write_queue;
    if (!(d->n[0] + d->n[1]))
        d->oldest = at * DRAM_SCALE;
    d->n[write]++;
    if (!reads)
        d->sure = false;
    else if (!write && d->sure && changed)
        compare(d, (uint32_t)(b - d->banks));
}

uint64_t dram_when(const struct dram *d)
{
    return d->n[0] + d->n[1] ? later(d->oldest, d->bus_free) / DRAM_SCALE : UINT64_MAX;
}

static struct dram_req unlink_req(struct dram *d, struct dram_bank *b, uint16_t prev)
{
    uint16_t i = prev == DRAM_NONE ? b->head : d->q[prev].next;
    struct dram_req r = d->q[i];
    if (prev == DRAM_NONE)
        b->head = r.next;
    else
        d->q[prev].next = r.next;
    if (b->tail == i)
        b->tail = prev;
    if (b->head == DRAM_NONE)
        d->busy[(b - d->banks) / 64] &= ~(1ull << (b - d->banks) % 64);
    b->known = false;
    d->q[i].next = d->free;
    d->free = i;
    d->n[r.write]--;
    return r;
}

static struct dram_offer best_offer(struct dram *d)
{
    struct dram_offer best = {.start = UINT64_MAX};
    if (d->n[1] == d->cfg->write_queue)
        d->draining = true;
    else if (d->n[1] <= d->cfg->write_queue / 4)
        d->draining = false;
    bool write = d->draining || !d->n[0];
    struct terms c = terms_of(d, write);
    for (uint32_t k = 0; k * 64 < d->cfg->banks; k++) {
        for (uint64_t m = d->busy[k]; m && best.start > c.floor; m &= m - 1) {
            struct dram_offer o = bank_offer(d, k * 64 + (uint32_t)__builtin_ctzll(m), &c);
            if (o.start < best.start)
                best = o;
        }
    }
    return best;
}

bool dram_next(struct dram *d, uint64_t until, struct dram_done *out, uint64_t *stats)
{
    if (!(d->n[0] + d->n[1]))
        return false;
    if (!d->sure)
        d->best = best_offer(d);
    d->sure = true;
    struct dram_offer best = d->best;
    if (best.start >= until * DRAM_SCALE)
        return false;
    d->sure = false;
    struct dram_bank *b = &d->banks[best.bank];
    struct dram_req r = unlink_req(d, b, b->prev);
    if (best.act) {
        stats[b->row ? MS_dram_row_conflicts : MS_dram_row_opens]++;
        b->row = r.row + 1;
        b->pre_ready = best.act + d->ras;
        d->last_act = best.act;
    } else {
        stats[MS_dram_row_hits]++;
    }
    uint64_t busy = (uint64_t)__builtin_popcount(r.sectors) * d->sector_cyc, end = best.start + busy;
    uint64_t cas = best.start - (r.write ? d->wl : d->cl);
    b->cas_ready = cas + busy;
    b->pre_ready = later(b->pre_ready, r.write ? end + d->wr : cas + busy);
    d->bus_free = end;
    if (r.write)
        d->write_end = end;
    stats[MS_dram_busy] += busy;
    stats[MS_dram_wait] += end - r.at;
    stats[r.write ? MS_dram_writes : MS_dram_reads] += (uint64_t)__builtin_popcount(r.sectors);
    *out = (struct dram_done){
        .at = (end + DRAM_SCALE - 1) / DRAM_SCALE, .who = r.who, .sectors = r.sectors, .write = r.write};
    return true;
}
