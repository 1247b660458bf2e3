/* Collector units: each holds one instruction until the banks have delivered its operands. Every bank has a queue of reads
 * and serves its head, unless a write has taken the bank in this cycle or the head's collector has no port left. */
#include "sm/operands/collectors.h"

void collectors_init_n(struct collectors *c, struct part *p, uint32_t n)
{
    c->p = p;
    c->n = n;
    c->cap = c->n * MAX_OPERANDS;
    c->limited = p->sm->cfg->banks * p->sm->cfg->bank_reads > p->sm->cfg->collector_ports;
    c->units = xcalloc(c->n, sizeof *c->units);
    c->banks = xcalloc(p->sm->cfg->banks, sizeof *c->banks);
    for (uint32_t b = 0; b < p->sm->cfg->banks; b++)
        c->banks[b].q = xcalloc(c->cap, sizeof *c->banks[b].q);
}

void collectors_init(void *st, struct part *p) { collectors_init_n(st, p, p->sm->cfg->collectors); }

void collectors_free(void *st)
{
    struct collectors *c = st;
    for (uint32_t b = 0; b < c->p->sm->cfg->banks; b++)
        free(c->banks[b].q);
    free(c->banks);
    free(c->units);
}

bool collectors_room(void *st, uint32_t warp)
{
    const struct collectors *c = st;
    (void)warp;
    return c->used != ~0ull >> (64 - c->n);
}

uint32_t collectors_free_unit(const struct collectors *c) { return (uint32_t)__builtin_ctzll(~c->used); }

void collectors_put(struct collectors *c, uint32_t u, struct unit what)
{
    c->units[u] = what;
    c->used |= 1ull << u;
    c->full |= (uint64_t)!what.left << u;
}

uint64_t collectors_free_units(const struct collectors *c) { return ~0ull >> (64 - c->n) & ~c->used; }

static inline void queue(struct collectors *c, const struct flight *l, uint32_t u, uint32_t i, uint64_t t)
{
    uint32_t b = bank_of(c->p, l->i.k->read_bank[i], l->bank0);
    struct bankq *q = &c->banks[b];
    uint32_t at = q->head + q->n++;
    q->q[at < c->cap ? at : at - c->cap] =
        (struct read){.unit = (uint16_t)u, .operand = (uint8_t)i, .since = (uint32_t)t + 1};
    c->waiting |= 1ull << b;
}

void collectors_queue(struct collectors *c, uint32_t u, uint32_t i, uint64_t t)
{
    queue(c, &c->p->flights[c->units[u].flight], u, i, t);
}

void collectors_take_cached(struct collectors *c, uint32_t u, uint32_t f, uint32_t hits, uint64_t t)
{
    const struct kinsn *k = c->p->flights[f].i.k;
    uint64_t *stats = c->p->sm->stats;
    uint32_t n = k->nread, found = (uint32_t)__builtin_popcount(hits);
    stats[SS_cache_reads] += n;
    stats[SS_cache_hits] += found;
    stats[SS_reg_read_self] += kinsn_self_wait(k, ~hits, c->p->sm->cfg->bank_reads);
    collectors_put(c, u,
                   (struct unit){.flight = f,
                                 .left = (uint8_t)(n - found),
                                 .ready = n && n == found ? t + 1 : t + COLLECT_CYC});
    for (uint32_t i = 0; i < n; i++)
        if (!(hits >> i & 1))
            collectors_queue(c, u, i, t);
}

void collectors_issue(void *st, uint32_t f, uint64_t t)
{
    struct collectors *c = st;
    uint32_t u = collectors_free_unit(c);
    const struct flight *l = &c->p->flights[f];
    collectors_put(c, u, (struct unit){.flight = f, .left = l->reads_left, .ready = t + COLLECT_CYC});
    for (uint32_t i = 0; i < l->i.k->nread; i++)
        queue(c, l, u, i, t);
    c->p->sm->stats[SS_reg_read_self] += l->i.k->self_wait;
}

/* As many ports into the units as there are schedulers. */
void collectors_dispatch(void *st, uint64_t t)
{
    struct collectors *c = st;
    if (!c->full)
        return;
    uint32_t ports = c->p->sm->cfg->schedulers, first = c->next;
    for (uint32_t k = 0; k < c->n && ports; k++) {
        uint32_t i = first + k < c->n ? first + k : first + k - c->n;
        const struct unit *u = &c->units[i];
        if (!(c->full >> i & 1) || u->ready > t || !exec_dispatch(c->p, u->flight, t))
            continue;
        c->used &= ~(1ull << i);
        c->full &= ~(1ull << i);
        c->next = i + 1 < c->n ? i + 1 : 0;
        ports--;
    }
}

/* True: the bank was read. */
static bool serve(struct collectors *c, uint32_t b, uint64_t t)
{
    struct bankq *q = &c->banks[b];
    uint32_t before = q->n;
    for (uint32_t ports = c->p->sm->cfg->bank_reads; ports && q->n; ports--) {
        struct read *r = &q->q[q->head];
        struct unit *u = &c->units[r->unit];
        if (r->since == (uint32_t)t + 1 || (c->limited && u->got >= c->p->sm->cfg->collector_ports))
            break;
        if (c->p->check)
            check_read_bank(c->p, u->flight, r->operand);
        u->got++;
        c->full |= (uint64_t)(--u->left == 0) << r->unit;
        if (u->ready < t + 1)
            u->ready = t + 1;
        count_read(c->p, b, (uint32_t)t - r->since);
        if (c->p->sm->watch && (uint32_t)t != r->since) {
            blame_event(c->p, u->flight, SS_bank_conflict, 1);
            blame_event(c->p, u->flight, SS_reg_read_wait, (uint32_t)t - r->since);
        }
        q->head = q->head + 1 < c->cap ? q->head + 1 : 0;
        q->n--;
    }
    bool any = q->n != before;
    if (!q->n) {
        q->head = 0;
        c->waiting &= ~(1ull << b);
    }
    return any;
}

uint64_t collectors_serve(struct collectors *c, uint64_t t)
{
    uint64_t read = 0;
    if (!c->waiting)
        return 0;
    for (uint32_t i = 0; c->limited && i < c->n; i++)
        c->units[i].got = 0;
    for (uint64_t m = c->waiting & ~c->p->bank_used; m; m &= m - 1) {
        uint32_t b = (uint32_t)__builtin_ctzll(m);
        read |= (uint64_t)serve(c, b, t) << b;
    }
    return read;
}

void collectors_collect(void *st, uint64_t t) { collectors_serve(st, t); }

uint64_t collectors_next(const void *st, uint64_t t)
{
    const struct collectors *c = st;
    uint64_t next = c->waiting ? t + 1 : NEVER;
    for (uint64_t m = c->full; m && next > t + 1; m &= m - 1) {
        const struct unit *u = &c->units[__builtin_ctzll(m)];
        /* When it becomes ready the cause of waiting may be another, even if it cannot leave then. */
        uint64_t at = u->ready > t ? u->ready : exec_next(c->p, u->flight);
        next = at < next ? at : next;
    }
    return next > t ? next : t + 1;
}

void collectors_queued(const void *st, uint8_t *by_bank)
{
    const struct collectors *c = st;
    for (uint32_t b = 0; b < c->p->sm->cfg->banks; b++)
        by_bank[b] = (uint8_t)(c->banks[b].n < UINT8_MAX ? c->banks[b].n : UINT8_MAX);
}

/* All collectors are taken: a full one that cannot leave tells most, then reads that queue behind others. */
unsigned collectors_why(const void *st, uint64_t t)
{
    const struct collectors *c = st;
    for (uint64_t m = c->full; m; m &= m - 1) {
        const struct unit *u = &c->units[__builtin_ctzll(m)];
        if (u->ready <= t)
            return c->p->flights[u->flight].i.k->route == ROUTE_MEMORY ? SS_stall_lsu : SS_stall_unit;
    }
    for (uint64_t m = c->waiting; m; m &= m - 1) {
        const struct bankq *q = &c->banks[__builtin_ctzll(m)];
        if (q->n > 1 || (int32_t)(q->q[q->head].since - (uint32_t)t) < 0)
            return SS_stall_bank;
    }
    return SS_stall_collector;
}

uint32_t collectors_storage(const struct sm_cfg *cfg, uint64_t units, uint64_t entries, uint64_t bits,
                            struct storage_row *rows)
{
    int64_t n = (int64_t)(cfg->partitions * units * entries);
    rows[0] = (struct storage_row){"registers kept", n, STORAGE_REG_BITS};
    rows[1] =
        (struct storage_row){"operands of plain collectors",
                             -(int64_t)cfg->partitions * cfg->collectors * OPERAND_SLOTS, STORAGE_REG_BITS};
    rows[2] = (struct storage_row){"tags and state", n, bits};
    return 3;
}

const struct operands_ops operands_collectors = {
    .name = "collectors",
    .help = "collector units over banked registers",
    .state_b = sizeof(struct collectors),
    .init = collectors_init,
    .free = collectors_free,
    .room = collectors_room,
    .issue = collectors_issue,
    .dispatch = collectors_dispatch,
    .collect = collectors_collect,
    .next = collectors_next,
    .queued = collectors_queued,
    .why = collectors_why,
};
