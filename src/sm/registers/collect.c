/* SPDX-License-Identifier: Apache-2.0 */
/* The collectors for those beside the stages: their units, and what few machines have. */
#include "sm/stages/collect.h"

static uint64_t bits(uint32_t from, uint32_t n) { return n ? ~0ull >> (64 - n) << from : 0; }

/* The first units are for all instructions that have none to themselves, then come those of the SFU, then those of memory. A port
 * of dispatch serves one set: the last two sets have as many as there are units behind them, if that leaves one for each of the
 * others, and the first one has the rest. */
static void divide(struct part *p)
{
    const struct sm_cfg *cfg = p->sm->cfg;
    struct collect *c = &p->collect;
    uint32_t sfu = cfg->collectors_sfu, mem = cfg->collectors_mem, first = c->n - sfu - mem;
    c->sets = sfu || mem;
    for (uint32_t i = 0; i < LATCH_UNITS; i++)
        c->of[i] = bits(0, first);
    if (sfu)
        c->of[UNIT_SFU] = bits(first, sfu);
    if (mem)
        c->of[UNIT_LSU] = bits(first + sfu, mem);
    uint32_t ports = cfg->dispatch_ports, at = ports, own = cfg->isolated ? c->n / cfg->schedulers : 1;
    for (uint32_t i = 0; i < c->n; i++)
        c->after[i] = (uint8_t)((i / own * own + own) % c->n);
    for (uint32_t i = 0; i < ports; i++)
        c->port[i] = bits(0, c->sets ? first : c->n);
    for (uint32_t i = mem ? p->sm->operands.units[UNIT_LSU] : 0; i && at > 1u + (sfu != 0); i--)
        c->port[--at] = c->of[UNIT_LSU];
    for (uint32_t i = sfu ? p->sm->operands.units[UNIT_SFU] : 0; i && at > 1; i--)
        c->port[--at] = c->of[UNIT_SFU];
}

void collect_init(struct part *p)
{
    const struct sm_cfg *cfg = p->sm->cfg;
    struct collect *c = &p->collect;
    struct arena *a = &p->sm->arena;
    c->n = sm_collectors(cfg);
    c->all = bits(0, c->n);
    c->busy_until = NEVER;
    c->runs_on[0] = c->all; /* as units[].runs_on say */
    c->words = (p->banks.n + 7) / 8;
    c->limited = p->banks.n * p->banks.reads > cfg->collector_ports;
    c->late = p->sm->operands.ops->late ? p->sm->operands.ops->late(cfg) : 0;
    c->units = arena_alloc(a, c->n * sizeof *c->units);
    c->wide = c->words > 1 ? arena_alloc(a, c->n * (NEED_WORDS - 1) * sizeof *c->wide) : NULL;
    c->schedulers = cfg->schedulers;
    for (uint32_t i = 0; i < 64; i++)
        c->scheduler[i] = (uint8_t)(i % c->schedulers);
    memset(c->kind, LATCH_UNITS, sizeof c->kind);
    c->wants[LATCH_UNITS] = ~0ull; /* as `kind` says of every slot */
    const uint32_t *by_unit = cfg->latch_by_unit && !cfg->isolated ? p->sm->operands.units : NULL;
    latch_init(&c->front, cfg->schedulers, cfg->isolated, by_unit, MAX_UNITS, a);
    latch_init(&c->back, cfg->schedulers, cfg->isolated, by_unit, MAX_UNITS, a);
    for (uint32_t i = 0; i < c->schedulers; i++) {
        uint32_t n = cfg->isolated ? c->n / c->schedulers : c->n;
        c->own[i] = bits(cfg->isolated ? i * n : 0, n);
    }
    divide(p);
    c->by_latch = cfg->issue_latch && !cfg->issue_to_free;
    c->each = c->sets || cfg->issue_latch || p->sm->operands.ops->reserve;
}

uint32_t collect_reserve(struct collect *c, uint32_t kind)
{
    uint32_t u = (uint32_t)__builtin_ctzll(c->of[kind] & ~c->used);
    collect_reserve_this(c, u);
    return u;
}

void collect_unreserve(struct collect *c, uint32_t u)
{
    c->used &= ~(1ull << u);
    c->crowded = false;
}

/* ---- needs of many banks, and of few ports ---- */

static uint32_t need_at(const struct collect *c, uint32_t u, uint32_t bank)
{
    return *need_word(c, u, bank / 8) >> bank % 8 * 8 & 255;
}

uint32_t collect_reads(const struct collect *c, uint32_t bank)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < c->nreading; i++)
        sum += need_at(c, c->order[i], bank);
    return sum;
}

uint32_t collect_operands(const struct part *p, uint32_t unit, const uint64_t *got)
{
    const struct unit *u = &p->collect.units[unit];
    const struct flight *l = &p->flights[u->flight];
    const struct kinsn *k = l->i.k;
    uint8_t before[64] = {0}; /* by bank: have been read */
    uint32_t operands = 0;
    uint64_t gives[NEED_WORDS];
    memcpy(gives, got, p->collect.words * sizeof *got);
    for (uint32_t i = 0; i < k->nread; i++)
        before[bank_of(p, k->read_bank[i], l->bank0)] += !(u->found >> i & 1);
    for (uint32_t b = 0; b < p->banks.n; b++)
        before[b] = (uint8_t)(before[b] - need_at(&p->collect, unit, b));
    for (uint32_t i = 0; i < k->nread; i++) {
        uint32_t b = bank_of(p, k->read_bank[i], l->bank0), at = b % 8 * 8;
        if (u->found >> i & 1)
            continue;
        if (before[b]) {
            before[b]--;
        } else if (gives[b / 8] >> at & 255) {
            gives[b / 8] -= 1ull << at;
            operands |= 1u << i;
        }
    }
    return operands;
}

void need_tell(const struct part *p, uint32_t unit, const uint64_t *got, uint64_t t, uint32_t waited)
{
    const struct flight *l = &p->flights[p->collect.units[unit].flight];
    for (uint32_t m = collect_operands(p, unit, got); m; m &= m - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(m);
        step_read(p, p->collect.units[unit].flight, i, bank_of(p, l->i.k->read_bank[i], l->bank0), t, waited);
    }
}

bool need_of_wide(struct part *p, uint32_t u, const struct kinsn *k, uint32_t bank0, uint32_t found)
{
    struct collect *c = &p->collect;
    uint32_t operands = ((1u << k->nread) - 1) & ~found;
    for (uint32_t i = 0; i < c->words; i++)
        *need_word(c, u, i) = 0;
    for (uint32_t m = operands; m; m &= m - 1) {
        uint32_t b = bank_of(p, k->read_bank[__builtin_ctz(m)], bank0);
        *need_word(c, u, b / 8) += 1ull << b % 8 * 8;
    }
    return operands != 0;
}

/* Of banks that have something for a unit in cycle t, the `nth` to be served: the lowest comes first, or they have turns. With
 * turns the order is that of GPGPU-Sim's allocator, which goes through the diagonals of a square of banks and units, a turn later
 * in every cycle: bank b comes to unit u on diagonal u - b - t. */
static uint32_t bank_in_turn(const struct part *p, uint32_t u, uint32_t nth, uint64_t t)
{
    uint32_t n = p->banks.n > p->collect.n ? p->banks.n : p->collect.n;
    return p->sm->cfg->read_turns ? (u + 2 * n - nth - (uint32_t)(t % n)) % n : nth;
}
static uint32_t bank_turns(const struct part *p)
{
    return p->sm->cfg->read_turns && p->collect.n > p->banks.n ? p->collect.n : p->banks.n;
}

void need_limit(const struct part *p, uint32_t u, uint64_t *got, uint64_t t)
{
    uint32_t ports = p->sm->cfg->collector_ports, sum = 0;
    for (uint32_t i = 0; i < p->collect.words; i++)
        sum += need_sum(got[i]);
    if (sum <= ports)
        return;
    for (uint32_t i = 0, n = bank_turns(p); i < n; i++) {
        uint32_t b = bank_in_turn(p, u, i, t);
        if (b >= p->banks.n)
            continue;
        uint32_t at = b % 8 * 8, has = got[b / 8] >> at & 255, gets = has < ports ? has : ports;
        got[b / 8] -= (uint64_t)(has - gets) << at;
        ports -= gets;
    }
}

/* Reads of a bank, in their order, up to the first of a register that a policy's write to the bank is before. */
static uint32_t reads_before_kept(const struct part *p, uint32_t bank, uint32_t most)
{
    const struct collect *c = &p->collect;
    uint32_t n = 0;
    for (uint32_t i = 0; i < c->nreading && n < most; i++) {
        const struct unit *u = &c->units[c->order[i]];
        const struct flight *l = &p->flights[u->flight];
        const struct kinsn *k = l->i.k;
        uint32_t need = need_at(c, c->order[i], bank), all = 0;
        for (uint32_t j = 0; j < k->nread; j++)
            all += !(u->found >> j & 1) && bank_of(p, k->read_bank[j], l->bank0) == bank;
        /* The last `need` of them are still to be read. */
        for (uint32_t j = 0, at = 0; j < k->nread && n < most; j++) {
            if (u->found >> j & 1 || bank_of(p, k->read_bank[j], l->bank0) != bank || at++ < all - need)
                continue;
            if (banks_keeps(p, bank, l->warp, k->read[j]))
                return n;
            n++;
        }
    }
    return most;
}

void need_behind_kept(const struct part *p, uint64_t *left)
{
    for (uint64_t m = p->banks.kept; m; m &= m - 1) {
        uint32_t b = (uint32_t)__builtin_ctzll(m), at = b % 8 * 8, has = left[b / 8] >> at & 255;
        uint32_t gives = has ? reads_before_kept(p, b, has) : 0;
        left[b / 8] -= (uint64_t)(has - gives) << at;
    }
}

/* ---- dispatch ---- */

unsigned collect_why(const struct part *p, uint64_t t) { return why_no_unit(p, t, FEATURES_ALL); }

uint64_t collect_grants(const struct part *p, uint64_t t)
{
    const struct collect *c = &p->collect;
    uint64_t granted = 0, left[NEED_WORDS];
    for (uint32_t w = 0; w < c->words; w++)
        left[w] = NEED_ONE;
    for (uint32_t i = 0; i < c->nreading; i++) {
        uint64_t got[NEED_WORDS];
        for (uint32_t w = 0; w < c->words; w++) {
            uint64_t need = *need_word(c, c->order[i], w);
            got[w] = need_less(need, left[w], 0);
            left[w] &= ~need_any(need); /* those behind it wait for it */
        }
        need_limit(p, c->order[i], got, t);
        for (uint32_t w = 0; w < c->words; w++)
            granted |= need_bits(got[w]) << 8 * w;
    }
    return granted;
}

/* Where there are latches before the units, or sets of these. */
ASIDE static uint64_t room_for_each(const struct part *p, uint32_t n, uint64_t ready)
{
    const struct collect *c = &p->collect;
    bool latch = p->sm->cfg->issue_latch, spare = latch && p->sm->cfg->issue_to_free;
    if (!c->sets && spare && !collect_spare(p, n, 0))
        return 0;
    for (uint64_t m = ready; m; m &= m - 1) {
        const struct kinsn *k = p->warps[__builtin_ctzll(m)].next.k;
        bool fits = latch ? latch_free(&c->front, k->latch, n, c->front.isolated) &&
                                !(spare && !collect_spare(p, n, k->latch))
                          : collect_units_of(c, n, k->latch) != 0;
        if (k->collects && !fits)
            ready &= ~(m & -m);
    }
    return ready;
}

uint64_t collect_room(const struct part *p, uint32_t n, uint64_t ready)
{
    const struct collect *c = &p->collect;
    if (!c->sets && !p->sm->cfg->issue_latch && collect_units_of(c, n, 0))
        return ready;
    return c->each ? room_for_each(p, n, ready) : 0;
}

void collect_queued(const struct part *p, uint8_t *by_bank)
{
    for (uint32_t b = 0; b < p->banks.n; b++) {
        uint32_t n = collect_reads(&p->collect, b);
        by_bank[b] = (uint8_t)(n < UINT8_MAX ? n : UINT8_MAX);
    }
    if (p->sm->operands.ops->queued)
        p->sm->operands.ops->queued(p->operands, by_bank);
}
