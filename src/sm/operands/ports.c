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
#include "sm/operands/reuse.h"

enum { HORIZON = 64 }; /* cycles ahead that banks are reserved for */

struct ports {
    struct reuse_cache cache;
    uint64_t *busy; /* by bank: cycles that are reserved, from `base` on, by bit */
    uint64_t base;
    uint64_t last;    /* cycle in which the last instruction has reserved, or will */
    uint64_t open;    /* ... in which it has left the stage behind issue */
    uint64_t refused; /* cycle + 1 in which a ready warp was kept from issuing; why */
    enum sm_stat why;
};

/* What goes past the collectors needs none. */
static void *ports_annotate(struct sm_kernel *k, const struct sm_cfg *cfg)
{
    for (uint32_t n = 0; n < k->tr->n; n++)
        k->insns[n].collects = k->insns[n].route == ROUTE_MEMORY;
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
    s->busy = xcalloc(p->banks.n, sizeof *s->busy);
}

static void ports_free(void *st)
{
    struct ports *s = st;
    reuse_cache_free(&s->cache);
    free(s->busy);
}

/* Cycles before t are forgotten. */
static void forget_until(struct ports *s, uint64_t t)
{
    uint64_t by = t - s->base;
    for (uint32_t b = 0; b < s->cache.p->banks.n; b++)
        s->busy[b] = by < HORIZON ? s->busy[b] >> by : 0;
    s->base = t;
}

static uint64_t ports_taken(void *st, uint64_t t)
{
    struct ports *s = st;
    uint64_t banks = 0;
    forget_until(s, t);
    for (uint32_t b = 0; b < s->cache.p->banks.n; b++)
        banks |= (s->busy[b] & 1) << b;
    return banks;
}

/* The first cycle in which an instruction that issues in cycle t can reserve. */
static uint64_t first_turn(const struct ports *s, uint64_t t) { return (s->last > t ? s->last : t) + 1; }

/* Is there a unit that takes such an instruction when it comes there? */
static bool unit_is_free(const struct ports *s, uint32_t unit, uint64_t t)
{
    const struct part *p = s->cache.p;
    for (uint32_t i = 0; i < p->sm->units[unit]; i++)
        if (p->unit_free[i][unit] < first_turn(s, t) + COLLECT_CYC)
            return true;
    return false;
}

static uint64_t ports_may(void *st, uint64_t ready, uint64_t t, uint64_t *holding)
{
    struct ports *s = st;
    const struct part *p = s->cache.p;
    *holding = 0;
    for (uint64_t m = ready; m; m &= m - 1) {
        const struct sm_warp *w = &p->warps[__builtin_ctzll(m)];
        const struct kinsn *k = w->next.k;
        if (k->route != ROUTE_UNIT || (t >= s->open && unit_is_free(s, k->unit, t)))
            continue;
        ready &= ~(m & -m);
        s->refused = t + 1;
        s->why = t < s->open ? SS_stall_bank : SS_stall_unit;
    }
    return ready;
}

static unsigned ports_why(const void *st, uint64_t t)
{
    const struct ports *s = st;
    return s->refused == t + 1 ? s->why : 0;
}

/* Does every bank have room for the reads that it needs, among `length` cycles from `at` (counted from base) on? */
static inline bool room(const struct ports *s, const uint8_t *need, uint32_t at, uint32_t length)
{
    uint64_t window = (~0ull >> (64 - length)) << at;
    for (uint32_t b = 0; b < s->cache.p->banks.n; b++)
        if ((uint32_t)__builtin_popcountll(window & ~s->busy[b]) < need[b])
            return false;
    return true;
}

/* In cycle t, `waited` cycles after it could have been. */
static void will_read(struct part *p, uint32_t f, uint32_t i, uint32_t b, uint64_t t, uint64_t waited)
{
    if (RARE(p->sm->steps))
        step_read(p, f, i, b, t, (uint32_t)waited);
    if (p->check)
        check_read_bank(p, f, i);
    if (!waited)
        return;
    banks_waited(p, b, waited);
    if (p->sm->watch)
        blame_reads(p, f, 1, waited);
}

static uint64_t ports_reserve(void *st, uint32_t f, uint64_t t)
{
    struct ports *s = st;
    struct part *p = s->cache.p;
    const struct flight *l = &p->flights[f];
    const struct kinsn *k = l->i.k;
    uint32_t found = reuse_cache_find(&s->cache, f), length = 1;
    uint8_t need[64] = {0};
    for (uint32_t i = 0; i < k->nread; i++)
        if (!(found >> i & 1)) {
            uint32_t n = ++need[bank_of(p, k->read_bank[i], l->bank0)];
            length = n > length ? n : length;
            p->sm->stats[SS_reg_read_self] += n - 1;
        }
    p->sm->stats[SS_cache_reads] += k->nread;
    p->sm->stats[SS_cache_hits] += (uint32_t)__builtin_popcount(found);
    forget_until(s, t);
    s->open = first_turn(s, t);
    uint32_t at = (uint32_t)(s->open - t);
    while (!room(s, need, at, length))
        at++;
    s->last = t + at;
    if (RARE(p->sm->steps))
        step_found(p, f, found, t);
    for (uint32_t i = 0; i < k->nread; i++)
        if (!(found >> i & 1)) {
            uint32_t b = bank_of(p, k->read_bank[i], l->bank0);
            uint32_t cycle = at + (uint32_t)__builtin_ctzll(~(s->busy[b] >> at));
            s->busy[b] |= 1ull << cycle;
            will_read(p, f, i, b, t + cycle, cycle - 1);
        }
    return s->last + COLLECT_CYC - 1;
}

/* Banks are read in the cycles that were reserved. */
static void ports_idle(void *st, uint64_t t)
{
    for (uint64_t banks = ports_taken(st, t); banks; banks &= banks - 1)
        banks_read(((struct ports *)st)->cache.p, (uint32_t)__builtin_ctzll(banks), 0);
}

static uint64_t ports_next(const void *st, uint64_t t)
{
    const struct ports *s = st;
    for (uint32_t b = 0; b < s->cache.p->banks.n; b++)
        if (s->busy[b] >> 1) /* it was awake in cycle t, which is the first */
            return t + 1;
    return NEVER;
}

/* What is reserved waits at its bank, too. */
static void ports_queued(const void *st, uint8_t *by_bank)
{
    const struct ports *s = st;
    uint64_t gone = s->cache.p->sm->now - s->base;
    for (uint32_t b = 0; b < s->cache.p->banks.n; b++)
        by_bank[b] = (uint8_t)(by_bank[b] + (gone < HORIZON ? __builtin_popcountll(s->busy[b] >> gone) : 0));
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
    .may = ports_may,
    .why = ports_why,
    .reserve = ports_reserve,
    .taken = ports_taken,
    .queued = ports_queued,
    .idle = ports_idle,
    .next = ports_next,
    .write = ports_write,
    .past = ports_past};
