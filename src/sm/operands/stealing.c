/* Bank stealing (stealing paper, section IV): collector units, and reads a cycle ahead. While the operands of the warps that have
 * issued are arbitrated, the runner-up of each scheduler is looked at. An operand of it is read at once if
 *   - its bank has nothing else to do in this cycle (normal reads and writes come first),
 *   - in the next cycle its bank would have more than one read, so that this one saves a conflict, and
 *   - a collector is free to hold it.
 * Such a warp issues next, whatever the scheduler's order says. It is ready: its sources have their last values, and no instruction
 * of its own that could change them comes before it. */
#include "sm/operands/collectors.h"

enum {
    SCHEDULERS = 8,
    HELD_LEFT = 255 /* reads that a reserved unit waits for: it cannot leave before its warp issues */
};

struct candidate {
    uint64_t at; /* 1 + cycle in which it lost */
    uint8_t warp;
};

/* A collector reserved for a warp, with operands in it. */
struct held {
    bool used;
    uint8_t warp;
    uint32_t unit;
    uint32_t operands;              /* that are there, by bit */
    uint32_t version[MAX_OPERANDS]; /* --check: what was read */
};

struct stealing {
    struct collectors c;
    uint32_t schedulers;
    struct candidate next[SCHEDULERS];
    struct held held[SCHEDULERS];
};

static void steal_init(void *st, struct part *p)
{
    struct stealing *s = st;
    collectors_init(&s->c, p);
    s->schedulers = p->sm->cfg->schedulers;
}

static void steal_runner_up(void *st, uint32_t n, int slot, uint64_t t)
{
    struct stealing *s = st;
    s->next[n] = slot >= 0 ? (struct candidate){.at = t + 1, .warp = (uint8_t)slot} : (struct candidate){0};
}

static int steal_forced(const void *st, uint32_t n)
{
    const struct stealing *s = st;
    return s->held[n].used ? s->held[n].warp : -1;
}

/* The next instruction of scheduler n's candidate, if its operands may be read ahead in cycle t. */
static const struct kinsn *candidate_insn(const struct stealing *s, uint32_t n, uint64_t t)
{
    const struct candidate *x = &s->next[n];
    const struct part *p = s->c.p;
    if (x->at != t || s->held[n].used || !(p->blocked[BLOCK_NOT] >> x->warp & 1))
        return NULL;
    /* The schedulers of a pool may have the same one: the first takes it. */
    for (uint32_t i = 0; i < s->schedulers; i++)
        if ((s->held[i].used && s->held[i].warp == x->warp) ||
            (i < n && s->next[i].at == t && s->next[i].warp == x->warp))
            return NULL;
    const struct warp *w = &p->warps[x->warp];
    const struct ientry *e = &w->ibuf[w->head];
    bool reads = e->mask && (e->k->route == ROUTE_UNIT || e->k->route == ROUTE_MEMORY);
    return reads ? e->k : NULL;
}

/* Operand i of scheduler n's candidate: into its collector, which is reserved with the first. */
static void read_ahead(struct stealing *s, uint32_t n, const struct kinsn *k, uint32_t i, uint32_t bank)
{
    struct collectors *c = &s->c;
    struct held *h = &s->held[n];
    if (!h->used) {
        *h = (struct held){.used = true, .warp = s->next[n].warp, .unit = collectors_free_unit(c)};
        collectors_put(c, h->unit, (struct unit){.left = HELD_LEFT, .ready = NEVER});
    }
    h->operands |= 1u << i;
    if (c->p->check)
        h->version[i] = check_bank(c->p, h->warp, k->read[i]);
    count_read(c->p, bank, 0);
    c->p->sm->stats[SS_reads_ahead]++;
}

static void steal(struct stealing *s, uint64_t busy, uint64_t t)
{
    struct collectors *c = &s->c;
    const struct kinsn *k[SCHEDULERS];
    uint32_t banks = c->p->sm->cfg->banks;
    uint16_t demand[64] = {0}; /* reads of the next cycle, by bank */
    bool any = false;
    for (uint32_t n = 0; n < s->schedulers; n++) {
        k[n] = candidate_insn(s, n, t);
        for (uint32_t i = 0; k[n] && i < k[n]->nread; i++)
            demand[bank_of(c->p, k[n]->read_bank[i], c->p->warps[s->next[n].warp].bank0)]++;
        any |= k[n] != NULL;
    }
    if (!any)
        return;
    for (uint32_t b = 0; b < banks; b++)
        demand[b] = (uint16_t)(demand[b] + c->banks[b].n);
    for (uint32_t n = 0; n < s->schedulers; n++) {
        uint32_t ports = c->p->sm->cfg->collector_ports;
        for (uint32_t i = 0; k[n] && i < k[n]->nread && ports; i++) {
            uint32_t b = bank_of(c->p, k[n]->read_bank[i], c->p->warps[s->next[n].warp].bank0);
            if (busy >> b & 1 || demand[b] < 2 || (!s->held[n].used && !collectors_room(c, 0)))
                continue;
            read_ahead(s, n, k[n], i, b);
            busy |= 1ull << b;
            demand[b]--;
            ports--;
        }
    }
}

static void steal_collect(void *st, uint64_t t)
{
    struct stealing *s = st;
    uint64_t read = collectors_serve(&s->c, t);
    steal(s, read | s->c.p->bank_used, t);
}

static void steal_issue(void *st, uint32_t f, uint64_t t)
{
    struct stealing *s = st;
    struct collectors *c = &s->c;
    const struct flight *l = &c->p->flights[f];
    struct held *h = NULL;
    for (uint32_t n = 0; n < s->schedulers; n++)
        if (s->held[n].used && s->held[n].warp == l->warp)
            h = &s->held[n];
    if (!h) {
        collectors_issue(c, f, t);
        return;
    }
    uint32_t u = h->unit, left = l->i.k->nread - (uint32_t)__builtin_popcount(h->operands);
    collectors_put(c, u, (struct unit){.flight = f, .left = (uint8_t)left, .ready = t + 1});
    for (uint32_t i = 0; i < l->i.k->nread; i++) {
        if (!(h->operands >> i & 1))
            collectors_queue(c, u, i, t);
        else if (c->p->check)
            check_read(c->p, f, i, h->version[i]);
    }
    c->p->sm->stats[SS_reg_read_self] += kinsn_self_wait(l->i.k, ~h->operands, c->p->sm->cfg->bank_reads);
    h->used = false;
}

/* A reserved warp that is ready issues in the next cycle, room or not. */
static uint64_t steal_next(const void *st, uint64_t t)
{
    const struct stealing *s = st;
    for (uint32_t n = 0; n < s->schedulers; n++)
        if (s->held[n].used && s->c.p->blocked[BLOCK_NOT] >> s->held[n].warp & 1)
            return t + 1;
    return collectors_next(&s->c, t);
}

const struct operands_ops operands_stealing = {
    .name = "stealing",
    .help = "collector units that read the next warp's operands ahead from idle banks",
    .state_b = sizeof(struct stealing),
    .init = steal_init,
    .free = collectors_free,
    .room = collectors_room,
    .issue = steal_issue,
    .dispatch = collectors_dispatch,
    .collect = steal_collect,
    .next = steal_next,
    .queued = collectors_queued,
    .runner_up = steal_runner_up,
    .forced = steal_forced,
    .why = collectors_why,
};
