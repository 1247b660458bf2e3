/* The collectors for those beside the stages: their units, and what few machines have. */
#include "sm/stages/collect.h"

/* Reads that a reserved unit waits for: it cannot leave before its warp issues. */
enum { RESERVED_LEFT = 255 };

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
    uint32_t ports = cfg->dispatch_ports, at = ports;
    for (uint32_t i = 0; i < ports; i++)
        c->port[i] = bits(0, c->sets ? first : c->n);
    for (uint32_t i = mem ? p->sm->units[UNIT_LSU] : 0; i && at > 1u + (sfu != 0); i--)
        c->port[--at] = c->of[UNIT_LSU];
    for (uint32_t i = sfu ? p->sm->units[UNIT_SFU] : 0; i && at > 1; i--)
        c->port[--at] = c->of[UNIT_SFU];
}

void collect_init(struct part *p)
{
    const struct sm_cfg *cfg = p->sm->cfg;
    struct collect *c = &p->collect;
    struct arena *a = &p->sm->arena;
    c->n = sm_collectors(cfg);
    c->all = bits(0, c->n);
    for (c->cap = 1; c->cap < c->n * MAX_OPERANDS;)
        c->cap *= 2;
    c->limited = p->banks.n * p->banks.reads > cfg->collector_ports;
    c->late = p->sm->ops->late ? p->sm->ops->late(cfg) : 0;
    c->units = arena_alloc(a, c->n * sizeof *c->units);
    c->banks = arena_alloc(a, p->banks.n * sizeof *c->banks);
    c->schedulers = cfg->schedulers;
    const uint32_t *by_unit = cfg->latch_by_unit && !cfg->isolated ? p->sm->units : NULL;
    latch_init(&c->front, cfg->schedulers, cfg->isolated, by_unit, MAX_UNITS, a);
    latch_init(&c->back, cfg->schedulers, cfg->isolated, by_unit, MAX_UNITS, a);
    for (uint32_t i = 0; i < c->schedulers; i++) {
        uint32_t n = cfg->isolated ? c->n / c->schedulers : c->n;
        c->own[i] = bits(cfg->isolated ? i * n : 0, n);
    }
    divide(p);
    c->each = c->sets || cfg->issue_latch || p->sm->ops->reserve;
    for (uint32_t b = 0; b < p->banks.n; b++)
        c->banks[b].q = arena_alloc(a, c->cap * sizeof *c->banks[b].q);
}

static void put_unit(struct collect *c, uint32_t u, struct unit what)
{
    c->units[u] = what;
    c->used |= 1ull << u;
    c->full |= (uint64_t)!what.left << u;
}

static void reserve(struct collect *c, uint32_t u)
{
    put_unit(c, u, (struct unit){.left = RESERVED_LEFT, .ready = NEVER});
}

uint32_t collect_reserve(struct collect *c, uint32_t kind)
{
    uint32_t u = (uint32_t)__builtin_ctzll(c->of[kind] & ~c->used);
    reserve(c, u);
    return u;
}

void collect_unreserve(struct collect *c, uint32_t u) { c->used &= ~(1ull << u); }

void collect_issue(struct part *p, uint32_t f, uint64_t t)
{
    struct collect *c = &p->collect;
    const struct operands_ops *o = p->sm->ops;
    struct flight *l = &p->flights[f];
    uint32_t n = part_scheduler(p, l->warp), own = o->unit ? o->unit(p->operands, f) : COLLECT_ANY;
    l->age = c->issued++;
    if (o->reserve && l->i.k->route == ROUTE_UNIT) {
        flight_leave(p, f, o->reserve(p->operands, f, t));
        return;
    }
    if (!p->sm->cfg->issue_latch) {
        uint64_t can = own == COLLECT_ANY ? collect_units_of(c, n, l->i.k->latch) : 1ull << own;
        collect_enter(p, f, (uint32_t)__builtin_ctzll(can), t);
        return;
    }
    l->unit = (uint8_t)own;
    if (own != COLLECT_ANY)
        reserve(c, own);
    latch_put(&c->front, l->i.k->latch, n, (struct latched){.age = l->age, .flight = f});
}

/* Operands of the instruction in unit u queue at their banks, but for those that were found elsewhere. */
static void queue_reads(struct part *p, const struct flight *l, uint32_t u, uint32_t found)
{
    struct collect *c = &p->collect;
    const struct kinsn *k = l->i.k;
    uint32_t last = c->cap - 1, bank0 = l->bank0;
    uint64_t waiting = c->waiting;
    for (uint32_t i = 0, n = k->nread; i < n; i++) {
        if (found >> i & 1)
            continue;
        uint32_t b = bank_of(p, k->read_bank[i], bank0);
        struct bankq *q = &c->banks[b];
        q->q[q->end++ & last] = (struct read){.unit = (uint8_t)u, .operand = (uint8_t)i};
        waiting |= 1ull << b;
    }
    c->waiting = waiting;
}

/* With nothing to read from a bank an instruction has no cycle of reading; one without operands has it all the
 * same, unless it comes from a latch. */
void collect_enter(struct part *p, uint32_t f, uint32_t u, uint64_t t)
{
    const struct flight *l = &p->flights[f];
    struct collect *c = &p->collect;
    const struct kinsn *k = l->i.k;
    uint64_t *stats = p->sm->stats;
    const struct operands_ops *o = p->sm->ops;
    bool at_once = p->sm->cfg->issue_latch;
    uint32_t found = o->find ? o->find(p->operands, f, u) : 0, n = (uint32_t)__builtin_popcount(found);
    put_unit(c, u,
             (struct unit){.flight = f,
                           .since = (uint32_t)t + 1,
                           .left = (uint8_t)(k->nread - n),
                           .ready = at_once || (n && n == k->nread) ? t + 1 : t + COLLECT_CYC});
    if (RARE(p->sm->steps)) {
        step_collects(p, f, u, t);
        step_found(p, f, found, t);
    }
    queue_reads(p, l, u, found);
    if (p->sm->onchip.follows)
        rows_issued(p, f, found);
    stats[SS_reg_read_self] += found ? kinsn_self_wait(k, ~found, p->sm->cfg) : k->self_wait;
    if (o->caches) {
        stats[SS_cache_reads] += k->nread;
        stats[SS_cache_hits] += n;
    }
}

/* Each port takes the first of its units that can leave after the one it served last; where schedulers are isolated, after all of
 * that one's scheduler. */
void collect_dispatch_ports(struct part *p, uint64_t t)
{
    const struct sm_cfg *cfg = p->sm->cfg;
    struct collect *c = &p->collect;
    uint32_t own = cfg->isolated ? c->n / cfg->schedulers : 1;
    for (uint32_t d = 0; d < cfg->dispatch_ports && c->full; d++) {
        uint32_t first = c->last[d] / own * own + own, k = 0;
        while (k < c->n && !((c->port[d] & c->full) >> (first + k) % c->n & 1 &&
                             leave_unit(p, (first + k) % c->n, t, ANY)))
            k++;
        if (k < c->n)
            c->last[d] = (uint8_t)((first + k) % c->n);
        else if (!c->sets)
            return; /* nor can another port find one */
    }
}

void collect_dispatch(struct part *p, uint64_t t) { dispatch_units(p, t, ANY); }
void collect_read(struct part *p, uint64_t t) { read_banks(p, t, ANY); }
unsigned collect_why(const struct part *p, uint64_t t) { return why_no_unit(p, t, ANY); }

/* The order in which banks with reads are served in cycle t; how many there are. With turns it is that of GPGPU-Sim's allocator,
 * which goes through the diagonals of a square of banks and units, a turn later in every cycle: bank b comes to its head's unit u
 * on diagonal u - b - t. */
uint32_t collect_order(const struct part *p, uint64_t banks, uint64_t t, uint8_t order[64])
{
    const struct collect *c = &p->collect;
    uint32_t n = p->banks.n > c->n ? p->banks.n : c->n, k = 0;
    uint64_t on[64] = {0}, diagonals = 0;
    for (uint64_t m = banks; m; m &= m - 1) {
        uint32_t b = (uint32_t)__builtin_ctzll(m), u = head_of(c, b)->unit;
        uint32_t d = p->sm->cfg->read_turns ? (u + 2 * n - b - (uint32_t)(t % n)) % n : 0;
        on[d] |= m & -m;
        diagonals |= 1ull << d;
    }
    for (; diagonals; diagonals &= diagonals - 1)
        for (uint64_t m = on[__builtin_ctzll(diagonals)]; m; m &= m - 1)
            order[k++] = (uint8_t)__builtin_ctzll(m);
    return k;
}

uint64_t collect_grants(const struct part *p, uint64_t t)
{
    const struct collect *c = &p->collect;
    uint8_t order[64], got[64] = {0};
    uint32_t n = collect_order(p, c->waiting, t, order);
    uint64_t granted = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t u = head_of(c, order[i])->unit;
        if (got[u]++ < p->sm->cfg->collector_ports)
            granted |= 1ull << order[i];
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
        const struct sm_warp *w = &p->warps[__builtin_ctzll(m)];
        const struct kinsn *k = w->next.k;
        if (k->collects &&
            (latch ? !latch_free(&c->front, k->latch, n) || (spare && !collect_spare(p, n, k->latch))
                   : !collect_units_of(c, n, k->latch)))
            ready &= ~(m & -m);
    }
    return ready;
}

uint64_t collect_room(const struct part *p, uint32_t n, uint64_t ready)
{
    const struct collect *c = &p->collect;
    if (c->each)
        return room_for_each(p, n, ready);
    return collect_units_of(c, n, 0) ? ready : 0;
}

void collect_queued(const struct part *p, uint8_t *by_bank)
{
    for (uint32_t b = 0; b < p->banks.n; b++) {
        uint32_t n = collect_reads(&p->collect, b);
        by_bank[b] = (uint8_t)(n < UINT8_MAX ? n : UINT8_MAX);
    }
    if (p->sm->ops->queued)
        p->sm->ops->queued(p->operands, by_bank);
}
