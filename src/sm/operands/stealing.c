/* SPDX-License-Identifier: Apache-2.0 */
/* Bank stealing (stealing paper, section IV): collector units, and reads a cycle ahead. While the operands of the warps that have
 * issued are arbitrated, the runner-up of each scheduler is looked at. An operand of it is read at once if
 *   - its bank has nothing else to do in this cycle (normal reads and writes come first),
 *   - in the next cycle its bank would have more than one read, so that this one saves a conflict (section IV-B; stealing.rule
 *     = idle leaves this out, as the abstract's "fill the idle banks" may be read), and
 *   - a collector is free to hold it.
 * Such a warp issues next, whatever the scheduler's order says. It is ready: its sources have their last values, and no
 * instruction of its own that could change them comes before it.
 *
 * Behind a latch (sm.issue_latch) all of it is a cycle later: an instruction that issues at t takes a collector at t + 1 and
 * reads at t + 2, as in Fig. 5. There the plan is made at t, when it is known what the banks will read at t + 1, and the warp
 * issues; at t + 1, as it takes its collector, the operands of the plan are read from those banks that no result has come to. If
 * it waits in the latch for a collector it reads, as it takes one, what can be read ahead then. */
#include "sm/core.h"

#define STAGE_POLICY operands_stealing
#include "sm/stages/tick.h"

enum { SCHEDULERS = 8 };

static const char *rule_name(uint32_t i)
{
    static const char *const names[] = {"conflict", "idle"};
    return i < sizeof names / sizeof names[0] ? names[i] : NULL;
}

enum { LATER, NEXT, BEFORE };

static const char *collector_name(uint32_t i)
{
    static const char *const names[] = {[LATER] = "later", [NEXT] = "next", [BEFORE] = "before"};
    return i < sizeof names / sizeof names[0] ? names[i] : NULL;
}

#define STEALING_OPTIONS(T, OPT, NAME)                                                                       \
    NAME(T, rule, "conflict", rule_name,                                                                     \
         "what is read ahead: what saves a conflict, or all that finds its bank idle")                       \
    NAME(T, collector, "later", collector_name,                                                              \
         "behind a latch: operands are read ahead as their instruction takes its collector, whenever that "  \
         "is "                                                                                               \
         "(later), or only if that is in the cycle after its issue (next), or only if a collector was free " \
         "even before it issued (before)",                                                                   \
         "sm.issue_latch=true")                                                                              \
    OPT(T, arbiter, F64, 0.005, 0, 1,                                                                        \
        "its arbiter: share of the register file's area [stealing paper, IV-C: less than 0.5%], and of its " \
        "energy")
CONF_STRUCT(stealing_cfg, STEALING_OPTIONS);
CONF_TABLE(stealing_options, "stealing", stealing_cfg, STEALING_OPTIONS);

#define STEALING_STATS(STAT)                                                                                 \
    STAT(STEALING, reads_ahead, "access",                                                                    \
         "operands read a cycle before their instruction issued, from a bank that was idle")
enum { STEALING_STATS(STAT_ID) };
STAT_TABLE(stealing_stats, "stealing", STEALING_STATS);

extern const struct operands_ops operands_stealing;

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

/* Behind a latch: what the warp that issues in cycle t is to read at t + 1. */
struct plan {
    uint64_t t;
    uint8_t warp;
    uint32_t operands; /* by bit; 0: there is none */
};

struct stealing {
    struct part *p;
    uint64_t *count; /* its counters */
    uint32_t schedulers;
    uint32_t least;      /* reads of a bank in the next cycle for one of them to be moved */
    uint32_t collector;  /* stealing.collector */
    uint64_t marked[64]; /* by warp slot: 1 + cycle in which its instruction issued as a candidate */
    struct candidate next[SCHEDULERS];
    struct held held[SCHEDULERS];
    struct plan plan[SCHEDULERS][2]; /* of even and odd cycles */
    uint64_t planned;                /* 1 + cycle */
};

static void steal_init(void *st, struct part *p)
{
    struct stealing *s = st;
    s->p = p;
    s->count = p->sm->stats + policy_stats_at(&operands_stealing.is);
    s->schedulers = p->sm->cfg->schedulers;
    const struct stealing_cfg *own = policy_options(p->sm->cfg, &stealing_options);
    s->least = strcmp(own->rule, "idle") == 0 ? 1 : 2;
    s->collector = strcmp(own->collector, "later") == 0  ? LATER
                   : strcmp(own->collector, "next") == 0 ? NEXT
                                                         : BEFORE;
}

static void steal_runner_up(void *st, uint32_t n, int slot, uint64_t t)
{
    struct stealing *s = st;
    s->next[n] = slot >= 0 ? (struct candidate){.at = t + 1, .warp = (uint8_t)slot} : (struct candidate){0};
}

/* The next instruction of scheduler n's candidate, if its operands may be read ahead in cycle t. */
static const struct kinsn *candidate_insn(const struct stealing *s, uint32_t n, uint64_t t)
{
    const struct candidate *x = &s->next[n];
    const struct part *p = s->p;
    if (x->at != t || s->held[n].used || !(p->blocked[BLOCK_NOT] >> x->warp & 1))
        return NULL;
    /* The schedulers of a pool may have the same one: the first takes it. */
    for (uint32_t i = 0; i < s->schedulers; i++)
        if ((s->held[i].used && s->held[i].warp == x->warp) ||
            (i < n && s->next[i].at == t && s->next[i].warp == x->warp))
            return NULL;
    const struct sm_warp *w = &p->warps[x->warp];
    const struct inext *e = &w->next;
    bool reads = e->mask && (e->k->route == ROUTE_UNIT || e->k->route == ROUTE_MEMORY);
    return reads ? e->k : NULL;
}

/* The candidates of all schedulers. False: there is none. */
static inline bool candidates(const struct stealing *s, const struct kinsn **k, uint64_t t)
{
    bool any = false;
    for (uint32_t n = 0; n < s->schedulers; n++) {
        k[n] = candidate_insn(s, n, t);
        any |= k[n] != NULL;
    }
    return any;
}

/* What they ask of each bank, and what waits there: the reads of the next cycle. */
static void see_demand(const struct stealing *s, const struct kinsn *const *k, uint16_t *demand)
{
    const struct part *p = s->p;
    for (uint32_t b = 0; b < p->banks.n; b++)
        demand[b] = (uint16_t)collect_reads(&p->collect, b);
    for (uint32_t n = 0; n < s->schedulers; n++)
        for (uint32_t i = 0; k[n] && i < k[n]->nread; i++)
            demand[bank_of(p, k[n]->read_bank[i], p->warps[s->next[n].warp].bank0)]++;
}

/* Operand i of scheduler n's candidate: into its collector, which is reserved with the first. */
static void read_ahead(struct stealing *s, uint32_t n, const struct kinsn *k, uint32_t i, uint32_t bank)
{
    struct part *p = s->p;
    struct held *h = &s->held[n];
    if (!h->used)
        *h = (struct held){
            .used = true, .warp = s->next[n].warp, .unit = collect_reserve(&p->collect, k->latch)};
    h->operands |= 1u << i;
    if (p->check)
        h->version[i] = check_bank(p, h->warp, k->read[i]);
    banks_read(p, bank, 0);
    s->count[STEALING_reads_ahead]++;
}

/* In cycle t, before anybody issues: the collectors have taken what they take, so it is known what the banks will read at t + 1.
 * What they leave there may be read for the candidates, which issue at t and would read at t + 2. */
ASIDE static void make_plans(struct stealing *s, uint64_t t)
{
    const struct part *p = s->p;
    const struct kinsn *k[SCHEDULERS];
    uint16_t demand[64]; /* reads at t + 2, by bank */
    if (!candidates(s, k, t))
        return;
    uint64_t granted = collect_grants(p, t + 1);
    see_demand(s, k, demand);
    for (uint32_t b = 0; b < p->banks.n; b++)
        demand[b] = (uint16_t)(demand[b] - (granted >> b & 1));
    for (uint32_t n = 0; n < s->schedulers; n++) {
        struct plan *x = &s->plan[n][t & 1];
        uint32_t ports = p->sm->cfg->collector_ports;
        if (!k[n] || (s->collector == BEFORE && !collect_spare(p, n, k[n]->latch)))
            continue;
        *x = (struct plan){.t = t, .warp = s->next[n].warp};
        for (uint32_t i = 0; i < k[n]->nread && ports; i++) {
            uint32_t b = bank_of(p, k[n]->read_bank[i], p->warps[x->warp].bank0);
            if (granted >> b & 1 || demand[b] < s->least)
                continue;
            x->operands |= 1u << i;
            granted |= 1ull << b;
            demand[b]--;
            ports--;
        }
        if (x->operands)
            s->marked[x->warp] = t + 1;
    }
}

static int steal_forced(void *st, uint32_t n)
{
    struct stealing *s = st;
    if (!s->p->sm->cfg->issue_latch)
        return s->held[n].used ? s->held[n].warp : -1;
    uint64_t t = s->p->sm->clock.now;
    if (s->planned != t + 1)
        make_plans(s, t);
    s->planned = t + 1;
    const struct plan *x = &s->plan[n][t & 1];
    return x->operands && x->t == t ? x->warp : -1;
}

/* Reads of the next cycle from a bank: what is queued, and what waits in the latches. */
static uint32_t next_reads(const struct part *p, uint32_t bank)
{
    const struct latches *f = &p->collect.front;
    uint32_t reads = collect_reads(&p->collect, bank);
    for (uint32_t units = f->units; units; units &= units - 1) {
        uint32_t unit = (uint32_t)__builtin_ctz(units);
        for (uint32_t at = 0; at < f->n[unit]; at++) {
            const struct flight *l = &p->flights[latched_flight(f->at[unit][at])];
            for (uint32_t i = 0; i < l->i.k->nread; i++)
                reads += bank_of(p, l->i.k->read_bank[i], l->bank0) == bank;
        }
    }
    return reads;
}

/* A flight takes its collector now, and would read in the next cycle: what it reads at once. */
ASIDE static uint32_t steal_entering(struct stealing *s, uint32_t f)
{
    struct part *p = s->p;
    const struct flight *l = &p->flights[f];
    const struct plan *x = &s->plan[part_scheduler(p, l->warp)][l->issued & 1];
    uint32_t found = 0, ports = p->sm->cfg->collector_ports;
    bool planned = x->t == l->issued && x->warp == l->warp && l->issued + 1 == p->sm->clock.now;
    if (s->marked[l->warp] != l->issued + 1 || (s->collector != LATER && !planned))
        return 0;
    for (uint32_t i = 0; i < l->i.k->nread && ports; i++) {
        uint32_t b = bank_of(p, l->i.k->read_bank[i], l->bank0);
        if (!(banks_idle(&p->banks) >> b & 1) ||
            (planned ? !(x->operands >> i & 1) : s->least > 1 && next_reads(p, b) < s->least))
            continue;
        if (p->check)
            check_read_bank(p, f, i);
        banks_read(p, b, 0);
        s->count[STEALING_reads_ahead]++;
        found |= 1u << i;
        ports--;
    }
    return found;
}

/* What the candidates ask of a bank in cycle t, and what waits there: its reads of the next cycle. */
static uint32_t demand_of(const struct stealing *s, const struct kinsn *const *k, uint32_t bank)
{
    const struct part *p = s->p;
    uint32_t demand = collect_reads(&p->collect, bank);
    for (uint32_t n = 0; n < s->schedulers; n++)
        for (uint32_t i = 0; k[n] && i < k[n]->nread; i++)
            demand += bank_of(p, k[n]->read_bank[i], p->warps[s->next[n].warp].bank0) == bank;
    return demand;
}

/* A bank that nobody uses in this cycle is asked for once: who has read from it uses it. */
static void steal_idle(void *st, uint64_t t)
{
    struct stealing *s = st;
    struct part *p = s->p;
    const struct kinsn *k[SCHEDULERS];
    if (!banks_idle_any(&p->banks) || p->sm->cfg->issue_latch || !candidates(s, k, t))
        return;
    for (uint32_t n = 0; n < s->schedulers; n++) {
        uint32_t ports = p->sm->cfg->collector_ports;
        for (uint32_t i = 0; k[n] && i < k[n]->nread && ports; i++) {
            uint32_t b = bank_of(p, k[n]->read_bank[i], p->warps[s->next[n].warp].bank0);
            if (!(banks_idle(&p->banks) >> b & 1) || demand_of(s, k, b) < s->least ||
                (!s->held[n].used && !collect_units_of(&p->collect, n, k[n]->latch)))
                continue;
            read_ahead(s, n, k[n], i, b);
            ports--;
        }
    }
}

static struct held *held_for(struct stealing *s, uint32_t warp)
{
    for (uint32_t n = 0; n < s->schedulers; n++)
        if (s->held[n].used && s->held[n].warp == warp)
            return &s->held[n];
    return NULL;
}

static uint32_t steal_unit(void *st, uint32_t f)
{
    struct stealing *s = st;
    const struct flight *l = &s->p->flights[f];
    const struct held *h = held_for(s, l->warp);
    return h ? h->unit : COLLECT_ANY;
}

static uint32_t steal_find(void *st, uint32_t f, uint32_t unit)
{
    struct stealing *s = st;
    struct held *h = held_for(s, s->p->flights[f].warp);
    (void)unit;
    if (s->p->sm->cfg->issue_latch)
        return steal_entering(s, f);
    if (!h)
        return 0;
    for (uint32_t m = s->p->check ? h->operands : 0; m; m &= m - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(m);
        check_read(s->p, f, i, h->version[i]);
    }
    h->used = false;
    return h->operands;
}

/* What was read ahead is read again when it comes back. */
static void steal_park(void *st, uint32_t warp)
{
    struct stealing *s = st;
    struct held *h = held_for(s, warp);
    if (!h)
        return;
    collect_unreserve(&s->p->collect, h->unit);
    h->used = false;
}

/* A reserved warp that is ready issues in the next cycle, room or not. */
static uint64_t steal_next(const void *st, uint64_t t)
{
    const struct stealing *s = st;
    for (uint32_t n = 0; n < s->schedulers; n++)
        if (s->held[n].used && s->p->blocked[BLOCK_NOT] >> s->held[n].warp & 1)
            return t + 1;
    return NEVER;
}

static double steal_logic(const struct sm_cfg *cfg)
{
    return ((const struct stealing_cfg *)policy_options(cfg, &stealing_options))->arbiter;
}

STAGES(stealing, F_POLICY);

const struct operands_ops operands_stealing = {
    .is = {.name = "stealing",
           .help = "collector units that read the next warp's operands ahead from idle banks",
           .state_b = sizeof(struct stealing),
           .options = {&stealing_options},
           .stats = &stealing_stats,
           .logic = steal_logic},
    .latched = true,
    .sets = true,
    .init = steal_init,
    .unit = steal_unit,
    .found = "ahead",
    .find = steal_find,
    .past =
        operands_keep_nothing, /* what is read ahead is of the warp's next instruction, and not of such a one */
    .park = steal_park,
    .runner_up = steal_runner_up,
    .forced = steal_forced,
    .idle = steal_idle,
    .next = steal_next,
    .stages = &stealing_stages};
