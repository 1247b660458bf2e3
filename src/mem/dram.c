/* SPDX-License-Identifier: Apache-2.0 */
#include "mem/dram.h"

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
                       .few = cfg->banks <= DRAM_FEW,
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
    d->refresh = xcalloc(cfg->banks, sizeof *d->refresh);
    d->after[DRAM_BANKS] = d->before[DRAM_BANKS] = DRAM_BANKS;
    d->act_ready = d->rrd;
    d->data_ready[0] = d->cdlr + d->cl;
    d->data_ready[1] = d->wl;
    uint32_t cap = cfg->queue + cfg->write_queue;
    d->q = xcalloc(cap, sizeof *d->q);
    for (uint32_t i = 0; i < cfg->banks; i++) {
        uint32_t groups = cfg->bank_groups;
        d->banks[i].group = (uint8_t)(cfg->group_apart ? i % groups : i * groups / cfg->banks);
        d->refresh[i] =
            d->refi + first_refresh(cfg, d->refi, id) + (cfg->refresh_banks ? d->refi * i / cfg->banks : 0);
        for (uint32_t w = 0; w < 2; w++)
            d->banks[i].q[w].end = &d->banks[i].q[w].head;
    }
    d->free = d->q;
    for (uint32_t i = 0; i + 1 < cap; i++)
        d->q[i].next = &d->q[i + 1];
    dram_choose_anew(d);
}

void dram_free(struct dram *d)
{
    free(d->banks);
    free(d->refresh);
    free(d->q);
}

/* Does a request at the end of its queue change what the bank does next? Only if it is the first of its kind there, or the
 * bank would close the row that the request is to, and it comes before that. */
INTO bool matters(const struct dram *d, uint32_t bank, const struct dram_req *r, bool plain)
{
    const struct dram_bank *b = &d->banks[bank];
    uint32_t word = dram_word(bank, plain);
    if (d->stale[word] & dram_bit(bank))
        return true;
    if (((plain || d->turns) && r->write != d->write) || d->open[word] & dram_bit(bank))
        return false;
    const struct dram_req *pick = *b->pick;
    return !pick || (r->row == b->row && r->at <= later(pick->at, d->holds ? b->cas_ready : b->pre_ready));
}

/* plain: a read, too. */
INTO void push(struct dram *d, struct dram_place to, struct dram_req now, bool plain)
{
    struct dram_bank *b = &d->banks[to.bank];
    struct dram_list *l = &b->q[plain ? 0 : d->turns & now.write];
    struct dram_req *r = d->free;
    d->free = r->next;
    *r = now;
    bool changed = matters(d, to.bank, r, plain);
    *l->end = r;
    l->end = &r->next;
    if (changed)
        d->stale[dram_word(to.bank, plain)] |= dram_bit(to.bank);
    /* A request changes only what its bank can do; where reads and writes have turns, if reads have theirs: then a write
     * changes nothing. */
    bool turns = plain || d->turns, only = d->n[0] + d->n[1];
    if (!only)
        d->oldest = now.at;
    if (turns)
        only = d->n[0] && !d->draining && d->n[1] + now.write < d->most[1];
    d->n[now.write]++;
    if (!only)
        d->bound = 0;
    else if (changed && !(turns && now.write) && d->bound)
        dram_compare(d, to.bank);
}

ASIDE static void push_any(struct dram *d, struct dram_place to, struct dram_req now)
{
    push(d, to, now, false);
}

void dram_push(struct dram *d, uint64_t at, uint64_t local, uint64_t who, uint8_t sectors, bool write)
{
    struct dram_place to = map_bank(&d->map, local);
    struct dram_req now = {.at = at * DRAM_SCALE, .who = who, .row = to.row + 1, .sectors = sectors};
    if (!write && d->plain) {
        push(d, to, now, true);
    } else {
        now.write = write;
        push_any(d, to, now);
    }
}

uint64_t dram_when(const struct dram *d)
{
    return d->n[0] + d->n[1] ? later(d->oldest, d->bus_free) / DRAM_SCALE : UINT64_MAX;
}

/* What the bank has chosen leaves its list. */
static struct dram_req *unlink_pick(struct dram *d, struct dram_bank *b)
{
    struct dram_req *r = *b->pick, *next = r->next;
    *b->pick = next;
    if (!next)
        b->q[d->write].end = b->pick;
    r->next = d->free;
    d->free = r;
    return r;
}

static uint64_t bursts(const struct dram *d, uint8_t sectors)
{
    return (mem_sectors(sectors) * SECTOR_B + d->cfg->burst_b - 1) / d->cfg->burst_b;
}

/* `read`: of a plain channel. */
INTO struct dram_done start(struct dram *d, uint64_t *stats, bool read)
{
    struct dram_offer best = d->best;
    struct dram_bank *b = &d->banks[best.bank];
    struct dram_req *r = unlink_pick(d, b);
    bool write = !read && r->write;
    uint32_t sectors = mem_sectors(r->sectors);
    uint64_t busy = sectors * d->sector_cyc, end = best.start + busy;
    uint64_t cas = best.start - (write ? d->wl : d->cl), pre_ready = b->pre_ready;
    d->n[write]--;
    d->stale[dram_word(best.bank, read)] |= dram_bit(best.bank);
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
        d->group_ready[b->group] = cas + d->ccdl * bursts(d, r->sectors);
    if (write)
        d->data_ready[0] = end + d->cdlr + d->cl;
    else if (d->rtw)
        d->data_ready[1] = end - d->burst_cyc - d->cl + d->rtw + d->wl; /* from its last command */
    stats[MS_dram_busy] += busy;
    stats[MS_dram_wait] += end - r->at;
    stats[write ? MS_dram_writes : MS_dram_reads] += sectors;
    return (struct dram_done){
        .at = (end + DRAM_SCALE - 1) / DRAM_SCALE, .who = r->who, .sectors = r->sectors, .write = write};
}

ASIDE static struct dram_done start_any(struct dram *d, uint64_t *stats) { return start(d, stats, false); }

struct dram_done dram_start(struct dram *d, uint64_t *stats)
{
    return d->plain && !d->write ? start(d, stats, true) : start_any(d, stats);
}
