/* Collector units: each holds one instruction until the banks have delivered its operands. Every bank has a queue of reads
 * and serves its head, unless a write has taken the bank in this cycle or the head's collector has no port left. */
#include "sm/core.h"

struct read {
    uint32_t since; /* cycle, its low bits */
    uint16_t unit;  /* collector */
    uint8_t operand;
};

struct bankq {
    struct read *q; /* ring, one entry per operand of every collector */
    uint32_t head, n;
};

struct unit {
    uint64_t ready; /* cycle it may leave, once its reads are done */
    uint32_t flight;
    uint8_t left; /* reads */
    uint8_t got;  /* operands in this cycle, where that is limited */
};

struct collectors {
    struct part *p;
    struct unit *units;
    struct bankq *banks;
    uint32_t n, cap;  /* collectors; ring capacity */
    uint64_t all;     /* collectors */
    uint64_t used;    /* of these: with an instruction */
    uint64_t full;    /* of these: with all operands */
    bool limited;     /* the banks can deliver more in a cycle than a collector can take */
    uint64_t waiting; /* banks with reads */
    uint32_t next;    /* collector that dispatches first: rotates, so that none starves */
};

static void col_init(void *st, struct part *p)
{
    struct collectors *c = st;
    c->p = p;
    c->n = p->sm->cfg->collectors;
    c->all = c->n == 64 ? ~0ull : (1ull << c->n) - 1;
    c->cap = c->n * MAX_OPERANDS;
    c->limited = p->sm->cfg->banks * p->sm->cfg->bank_reads > p->sm->cfg->collector_ports;
    c->units = xcalloc(c->n, sizeof *c->units);
    c->banks = xcalloc(p->sm->cfg->banks, sizeof *c->banks);
    for (uint32_t b = 0; b < p->sm->cfg->banks; b++)
        c->banks[b].q = xcalloc(c->cap, sizeof *c->banks[b].q);
}

static void col_free(void *st)
{
    struct collectors *c = st;
    for (uint32_t b = 0; b < c->p->sm->cfg->banks; b++)
        free(c->banks[b].q);
    free(c->banks);
    free(c->units);
}

static bool col_room(void *st, uint32_t warp)
{
    const struct collectors *c = st;
    (void)warp;
    return c->used != c->all;
}

static void col_issue(void *st, uint32_t f, uint64_t t)
{
    struct collectors *c = st;
    uint32_t u = (uint32_t)__builtin_ctzll(~c->used);
    struct flight *l = &c->p->flights[f];
    c->units[u] = (struct unit){.flight = f, .left = l->reads_left, .ready = t + COLLECT_CYC};
    c->used |= 1ull << u;
    if (!l->reads_left)
        c->full |= 1ull << u;
    for (uint32_t i = 0; i < l->i.k->nread; i++) {
        uint32_t b = bank_of(c->p, l->i.k->read_bank[i], l);
        struct bankq *q = &c->banks[b];
        uint32_t at = q->head + q->n++;
        q->q[at < c->cap ? at : at - c->cap] =
            (struct read){.unit = (uint16_t)u, .operand = (uint8_t)i, .since = (uint32_t)t + 1};
        c->waiting |= 1ull << b;
    }
}

static void col_dispatch(void *st, uint64_t t)
{
    struct collectors *c = st;
    for (uint32_t k = 0; c->full && k < c->n; k++) {
        uint32_t i = c->next + k < c->n ? c->next + k : c->next + k - c->n;
        const struct unit *u = &c->units[i];
        if (!(c->full >> i & 1) || u->ready > t || !exec_dispatch(c->p, u->flight, t))
            continue;
        c->used &= ~(1ull << i);
        c->full &= ~(1ull << i);
        c->next = i + 1 < c->n ? i + 1 : 0;
    }
}

static void serve(struct collectors *c, uint32_t b, uint64_t t)
{
    struct bankq *q = &c->banks[b];
    for (uint32_t ports = c->p->sm->cfg->bank_reads; ports && q->n; ports--) {
        struct read *r = &q->q[q->head];
        struct unit *u = &c->units[r->unit];
        if (r->since == (uint32_t)t + 1 || (c->limited && u->got >= c->p->sm->cfg->collector_ports))
            break;
        if (c->p->check) {
            const struct flight *l = &c->p->flights[u->flight];
            check_read(c->p, u->flight, r->operand, check_bank(c->p, l->warp, l->i.k->read[r->operand]));
        }
        u->got++;
        if (--u->left == 0)
            c->full |= 1ull << r->unit;
        if (u->ready < t + 1)
            u->ready = t + 1;
        count_read(c->p, b, (uint32_t)t - r->since);
        q->head = q->head + 1 < c->cap ? q->head + 1 : 0;
        q->n--;
    }
    if (!q->n) {
        q->head = 0;
        c->waiting &= ~(1ull << b);
    }
}

static void col_collect(void *st, uint64_t t)
{
    struct collectors *c = st;
    if (!c->waiting)
        return;
    for (uint32_t i = 0; c->limited && i < c->n; i++)
        c->units[i].got = 0;
    for (uint64_t m = c->waiting & ~c->p->bank_used; m; m &= m - 1)
        serve(c, (uint32_t)__builtin_ctzll(m), t);
}

static uint64_t col_next(const void *st, uint64_t t)
{
    const struct collectors *c = st;
    uint64_t next = c->waiting ? t + 1 : NEVER;
    for (uint64_t m = c->full; m && next > t + 1; m &= m - 1) {
        const struct unit *u = &c->units[__builtin_ctzll(m)];
        uint64_t at = exec_next(c->p, u->flight);
        at = at < u->ready ? u->ready : at;
        next = at < next ? at : next;
    }
    return next > t ? next : t + 1;
}

/* All collectors are taken: a full one that cannot leave tells most, then reads that queue behind others. */
static unsigned col_why(const void *st, uint64_t t)
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

const struct operands_ops operands_collectors = {
    .name = "collectors",
    .help = "collector units over banked registers",
    .state_b = sizeof(struct collectors),
    .init = col_init,
    .free = col_free,
    .room = col_room,
    .issue = col_issue,
    .dispatch = col_dispatch,
    .collect = col_collect,
    .next = col_next,
    .why = col_why,
};
