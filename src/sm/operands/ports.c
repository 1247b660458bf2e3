/* SPDX-License-Identifier: Apache-2.0 */
/* An operand path without collectors, as GPUs since Volta have it: an instruction of a unit reserves the reads of its registers
 * in the banks, in order, and has its result after a fixed time from then on. Memory instructions have the collectors to
 * themselves and read what is left of the banks.
 *
 * Behind issue comes a stage of one instruction, then the one that reserves. Each bank reads one register a cycle. An
 * instruction of which the fullest bank has n registers to read needs n cycles from the one in which it reserves; in these each
 * bank must have as many cycles left as it has registers to read there, in any order. Otherwise it waits, and all behind it
 * wait. How many cycles it reads does not change when its result is there: operands have as many cycles as any instruction of
 * three sources can need. (Huerta et al., 2025, describe the stages; the rule of n cycles is what 38 patterns of registers
 * measure on an H200, silicon/ports.cu: two of two registers of one bank need four cycles even if the third cycle of the first
 * is free.) What the reuse cache has is not read (reuse.h). */
#include "sm/across.h"
#include "sm/operands/reuse.h"

#define STAGE_POLICY operands_ports
#include "sm/stages/tick.h"

enum { HORIZON = 64 }; /* cycles ahead that banks are reserved for */

struct ports {
    struct reuse_cache cache;
    /* By cycle, its low bits: banks that are reserved in it, by bit; of cycles before `seen` none */
    uint64_t busy[HORIZON];
    uint64_t seen;    /* cycle that was looked at last */
    uint64_t end;     /* cycle behind the last with a reservation */
    uint64_t last;    /* cycle in which the last instruction has reserved, or will */
    uint64_t open;    /* ... in which it has left the stage behind issue */
    uint64_t refused; /* cycle + 1 in which a ready warp was kept from issuing; why */
    enum sm_stat why;
};

/* By unit, but for what waits for something else of it, too: all of one kind wait for the same. */
enum { KIND_PRODUCT = UNIT_COUNT, KIND_SHUFFLE, KINDS };
_Static_assert((int)KINDS <= (int)KIND_MEMORY, "kinds of their own");

static uint8_t kind_of(const struct kinsn *k)
{
    if (k->route != ROUTE_UNIT)
        return LATCH_UNITS;
    return k->across_cyc ? KIND_SHUFFLE : k->from_unit ? KIND_PRODUCT : k->unit;
}

/* What goes past the collectors needs none. */
static void *ports_annotate(struct sm_kernel *k, const struct sm_cfg *cfg)
{
    for (uint32_t n = 0; n < k->tr->n; n++) {
        struct kinsn *i = &k->insns[n];
        i->collects = i->route == ROUTE_MEMORY;
        i->kind = i->collects ? KIND_MEMORY : kind_of(i);
    }
    return reuse_cache_annotate(k, cfg);
}

static const char *ports_fits(const struct sm_cfg *cfg, struct arena *a)
{
    (void)a;
    if (cfg->schedulers != 1)
        return "it is for one scheduler in a partition";
    if (cfg->issue_latch || cfg->all_collect)
        return "without collectors there are no latches before them (sm.issue_latch), and branches need none "
               "(sm.all_collect)";
    return cfg->bank_reads != 1 ? "each bank reads one register a cycle (sm.bank_reads)" : NULL;
}

static void ports_init(void *st, struct part *p)
{
    struct ports *s = st;
    reuse_cache_init(&s->cache, p);
}

static void ports_free(void *st)
{
    struct ports *s = st;
    reuse_cache_free(&s->cache);
}

static void ports_begin(void *st, uint32_t warp, bool again)
{
    (void)again;
    reuse_cache_begin(&((struct ports *)st)->cache, warp);
}

/* The banks that are reserved in cycle t. What was reserved before is forgotten: a partition with reservations sleeps through
 * none of their cycles. */
static uint64_t *banks_in(struct ports *s, uint64_t t)
{
    if (s->seen != t)
        s->busy[s->seen % HORIZON] = 0;
    s->seen = t;
    return &s->busy[t % HORIZON];
}

static uint64_t ports_taken(void *st, uint64_t t) { return *banks_in(st, t); }

/* The first cycle in which an instruction that issues in cycle t can reserve. */
static uint64_t first_turn(const struct ports *s, uint64_t t) { return (s->last > t ? s->last : t) + 1; }

/* Is there a unit that takes such an instruction when it comes there? */
static bool unit_is_free(const struct ports *s, const struct kinsn *k, uint64_t t)
{
    const struct part *p = s->cache.p;
    uint64_t from = first_turn(s, t) + COLLECT_CYC;
    if (across_opens(p->sm, k) >= from)
        return false;
    for (uint32_t i = k->from_unit; i < p->sm->operands.units[k->unit]; i++)
        if (p->unit_free[i][k->unit] < from)
            return true;
    return false;
}

INTO uint64_t ports_may(void *st, uint64_t ready, uint64_t t, uint64_t *holding)
{
    struct ports *s = st;
    const struct collect *c = &s->cache.p->collect;
    uint64_t left = ready & ~(c->wants[KIND_MEMORY] | c->wants[LATCH_UNITS]), held = 0;
    *holding = 0;
    if (t < s->open) {
        held = left;
        s->why = SS_stall_bank;
    }
    for (left &= ~held; left;) {
        uint32_t warp = (uint32_t)__builtin_ctzll(left), kind = c->kind[warp];
        if (!unit_is_free(s, s->cache.p->warps[warp].next.k, t)) {
            held |= left & c->wants[kind];
            s->why = SS_stall_unit;
        }
        left &= ~c->wants[kind];
    }
    if (held)
        s->refused = t + 1;
    return ready & ~held;
}

static unsigned ports_why(const void *st, uint64_t t)
{
    const struct ports *s = st;
    return s->refused == t + 1 ? s->why : 0;
}

/* What an instruction has to read from the banks. */
struct wants {
    uint32_t n, length; /* registers; of the fullest bank */
    struct {
        uint8_t operand, bank;
        uint8_t nth; /* of its bank, from 1 on */
    } of[MAX_OPERANDS];
};

/* Does every bank have room for the reads that it needs, among `length` cycles from t on? */
static inline bool room(const struct ports *s, const struct wants *w, uint64_t t)
{
    for (uint32_t i = 0; i < w->n; i++) {
        uint32_t left = 0;
        for (uint32_t c = 0; c < w->length; c++)
            left += !(s->busy[(t + c) % HORIZON] >> w->of[i].bank & 1);
        if (left < w->of[i].nth)
            return false;
    }
    return true;
}

/* In cycle t, `waited` cycles after it could have been. */
static void will_read(struct part *p, uint32_t f, uint32_t i, uint32_t b, uint64_t t, uint64_t waited)
{
    if (RARE(p->sm->trust.steps))
        step_read(p, f, i, b, t, (uint32_t)waited);
    if (p->check)
        check_read_bank(p, f, i);
    if (!waited)
        return;
    banks_waited(p, b, waited);
    if (p->sm->trust.watch)
        blame_reads(p, f, 1, waited);
}

static void see_wants(const struct part *p, const struct flight *l, uint32_t found, struct wants *w)
{
    const struct kinsn *k = l->i.k;
    w->n = 0;
    w->length = 1;
    for (uint32_t m = ((1u << k->nread) - 1) & ~found; m; m &= m - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(m), b = bank_of(p, k->read_bank[i], l->bank0), nth = 1;
        for (uint32_t j = 0; j < w->n; j++)
            nth += w->of[j].bank == b;
        w->of[w->n].operand = (uint8_t)i;
        w->of[w->n].bank = (uint8_t)b;
        w->of[w->n++].nth = (uint8_t)nth;
        w->length = nth > w->length ? nth : w->length;
        p->sm->stats[SS_reg_read_self] += nth - 1;
    }
}

/* Many registers of one bank are to be read, or somebody wants to know of each. Returns the cycle reserved, from `at` on. */
ASIDE static uint64_t reserve_each(struct ports *s, uint32_t f, uint32_t found, uint64_t at, uint64_t t)
{
    struct part *p = s->cache.p;
    struct wants w;
    see_wants(p, &p->flights[f], found, &w);
    while (!room(s, &w, at))
        at++;
    if (RARE(p->sm->trust.steps))
        step_found(p, f, found, t);
    for (uint32_t i = 0; i < w.n; i++) {
        uint32_t b = w.of[i].bank;
        uint64_t cycle = at;
        while (s->busy[cycle % HORIZON] >> b & 1)
            cycle++;
        s->busy[cycle % HORIZON] |= 1ull << b;
        s->end = cycle + 1 > s->end ? cycle + 1 : s->end;
        will_read(p, f, w.of[i].operand, b, cycle, cycle - t - 1);
    }
    return at;
}

/* These banks are read in that cycle, by an instruction that has issued in cycle t. */
static inline void take_banks(struct ports *s, uint64_t banks, uint64_t at, uint64_t t)
{
    if (!banks)
        return;
    s->busy[at % HORIZON] |= banks;
    s->end = at + 1 > s->end ? at + 1 : s->end;
    for (uint64_t m = at > t + 1 ? banks : 0; m; m &= m - 1)
        banks_waited(s->cache.p, (uint32_t)__builtin_ctzll(m), at - t - 1);
}

/* Each bank is read once, or some twice. Returns as reserve_each. */
static inline uint64_t reserve_few(struct ports *s, const struct reuse_reads *r, uint64_t at, uint64_t t)
{
    uint64_t first, then;
    if (!r->twice) {
        while (s->busy[at % HORIZON] & r->banks)
            at++;
        take_banks(s, r->banks, at, t);
        return at;
    }
    for (;; at++) {
        first = s->busy[at % HORIZON], then = s->busy[(at + 1) % HORIZON];
        if (!((first | then) & r->twice) && !(first & then & r->banks))
            break;
    }
    for (uint64_t m = r->twice; m; m &= m - 1)
        s->cache.p->sm->stats[SS_reg_read_self]++;
    take_banks(s, r->banks & ~first, at, t);
    take_banks(s, r->twice | (r->banks & first), at + 1, t);
    return at;
}

INTO uint64_t ports_reserve(void *st, uint32_t f, uint64_t t)
{
    struct ports *s = st;
    struct part *p = s->cache.p;
    const struct reuse_reads reads = reuse_cache_find(&s->cache, f);
    uint64_t at = first_turn(s, t);
    p->sm->stats[SS_cache_reads] += p->flights[f].i.k->nread;
    p->sm->stats[SS_cache_hits] += reads.nfound;
    s->open = at;
    (void)banks_in(s, t);
    at = RARE(p->check || p->sm->trust.watch || reads.thrice) ? reserve_each(s, f, reads.found, at, t)
                                                              : reserve_few(s, &reads, at, t);
    s->last = at;
    return at + COLLECT_CYC - 1;
}

/* Banks are read in the cycles that were reserved. */
static void ports_idle(void *st, uint64_t t)
{
    struct ports *s = st;
    struct part *p = s->cache.p;
    uint64_t banks = *banks_in(s, t);
    p->banks.read_now |= banks;
    for (; banks; banks &= banks - 1) {
        p->banks.count[__builtin_ctzll(banks)].reads++;
        p->sm->operands.reads_now++;
    }
}

static uint64_t ports_next(const void *st, uint64_t t)
{
    return ((const struct ports *)st)->end > t + 1 ? t + 1 : NEVER;
}

/* What is reserved waits at its bank, too. */
static void ports_queued(const void *st, uint8_t *by_bank)
{
    const struct ports *s = st;
    for (uint64_t t = s->cache.p->sm->clock.now; t < s->end; t++)
        for (uint64_t banks = s->busy[t % HORIZON]; banks; banks &= banks - 1)
            by_bank[__builtin_ctzll(banks)]++;
}

static void ports_write(void *st, uint32_t f, uint32_t i, uint64_t t)
{
    (void)t;
    reuse_cache_write(&((struct ports *)st)->cache, f, i);
}

static void ports_past(void *st, uint32_t warp, const struct kinsn *k)
{
    reuse_cache_past(&((struct ports *)st)->cache, warp, k);
}

STAGES(ports, F_POLICY | F_CHOICE | F_WRITES | F_DELAYS | F_CODES | F_TURNS);

const struct operands_ops operands_ports = {
    .is = {.name = "ports",
           .help = "no collectors but for memory: reads are reserved in the banks, in order; a reuse cache",
           .state_b = sizeof(struct ports),
           .fits = ports_fits,
           .annotate = ports_annotate,
           .forget = free},
    .caches = true,
    .found = "reuse",
    .init = ports_init,
    .free = ports_free,
    .warp_begin = ports_begin,
    .may = ports_may,
    .each = true,
    .why = ports_why,
    .reserve = ports_reserve,
    .taken = ports_taken,
    .queued = ports_queued,
    .idle = ports_idle,
    .next = ports_next,
    .write = ports_write,
    .any_order = true,
    .past = ports_past,
    .stages = &ports_stages};
