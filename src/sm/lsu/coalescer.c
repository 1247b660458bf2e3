/* The plain load-store unit: memory instructions of all partitions in the order they come, one after the other. A warp's
 * lanes are coalesced into lines when it is fetched; its lines are looked up l1_lines per cycle. */
#include "sm/core.h"

struct coalescer {
    struct sm *s;
    uint32_t *q; /* ring: part << 24 | flight */
    uint32_t head, n;
    uint64_t free;    /* cycle it takes up work again */
    uint64_t blocked; /* cycle since which it waits for a reply; 0: it does not */
};

static void co_init(void *st, struct sm *s)
{
    struct coalescer *c = st;
    c->s = s;
    c->q = xcalloc(s->cfg->lsu_queue, sizeof *c->q);
}

static void co_free(void *st) { free(((struct coalescer *)st)->q); }

static bool co_room(const void *st)
{
    const struct coalescer *c = st;
    return c->n < c->s->cfg->lsu_queue;
}

static void co_push(void *st, uint32_t part, uint32_t flight)
{
    struct coalescer *c = st;
    c->q[(c->head + c->n++) % c->s->cfg->lsu_queue] = part << 24 | flight;
}

static uint64_t co_next(const void *st)
{
    const struct coalescer *c = st;
    return c->n && !c->blocked ? c->free : NEVER;
}

static void pop(struct coalescer *c, uint64_t t)
{
    if (c->n-- == c->s->cfg->lsu_queue)
        lsu_freed(c->s, t);
    c->head = (c->head + 1) % c->s->cfg->lsu_queue;
}

static void count_access(struct sm *s, const struct flight *l)
{
    const uint64_t *at = lines_at(s, &l->i.lines);
    const struct kinsn *k = l->i.k;
    s->stats[l->i.space == SPACE_LOCAL ? SS_local_accesses
             : k->mem & TM_ATOMIC      ? SS_atomics
             : k->mem & TM_LOAD        ? SS_global_loads
                                       : SS_global_stores]++;
    s->stats[SS_mem_lines] += l->i.lines.n;
    for (uint32_t i = 0; i < l->i.lines.n; i++)
        s->stats[SS_mem_sectors] += (uint64_t)__builtin_popcountll(at[i] & 15);
}

/* Global and local memory: some lines this cycle. */
static void step_lines(struct coalescer *c, uint32_t part, uint32_t f, uint64_t t)
{
    struct sm *s = c->s;
    struct part *p = &s->parts[part];
    struct flight *l = &p->flights[f];
    const struct kinsn *k = l->i.k;
    const uint64_t *at = lines_at(s, &l->i.lines);
    if (l->next_line + 1u < l->i.lines.n)
        cache_expect(&s->l1, at[l->next_line + 1] / LINE_B);
    for (uint32_t n = 0; n < s->cfg->l1_lines && l->next_line < l->i.lines.n; n++) {
        uint64_t line = at[l->next_line] & ~15ull;
        uint8_t sectors = at[l->next_line] & 15;
        bool ok = k->mem & TM_ATOMIC ? l1_atomic(s, part, f, line, sectors, t)
                  : k->mem & TM_LOAD ? l1_load(s, part, f, line, sectors, t)
                                     : l1_store(s, line, sectors, l->i.space == SPACE_LOCAL, t);
        if (!ok) {
            if (!l1_port_room(s, t))
                c->free = t + 1;
            else
                c->blocked = t;
            s->stats[SS_l1_stall] += !c->blocked;
            return;
        }
        l->next_line++;
    }
    c->free = t + 1;
    if (l->next_line < l->i.lines.n)
        return;
    count_access(s, l);
    lines_walked(s, &l->i.lines);
    pop(c, t);
    if (l->lines_left)
        return; /* the last reply completes it */
    if (k->mem & TM_LOAD && !(k->mem & TM_ATOMIC)) {
        /* All hits. */
        uint32_t hit = k->unit == UNIT_TEX ? k->exec_cyc + COLLECT_CYC : s->cfg->l1_cyc;
        uint32_t wait = hit > COLLECT_CYC ? hit - COLLECT_CYC : 1;
        load_done(s, part, f, t + wait);
        event_at(s, t + wait, k->cls == TC_LDGSTS ? EV_COPIED : EV_RESULT, part, f);
    } else {
        event_at(s, t + 1, EV_RESULT, part, f);
    }
}

static void step_shared(struct coalescer *c, uint32_t part, uint32_t f, uint64_t t)
{
    struct sm *s = c->s;
    struct flight *l = &s->parts[part].flights[f];
    uint32_t passes = l->i.passes ? l->i.passes : 1;
    uint32_t wait = s->cfg->shared_cyc > COLLECT_CYC ? s->cfg->shared_cyc - COLLECT_CYC : 1;
    s->stats[SS_shared_accesses]++;
    s->stats[SS_shared_conflicts] += passes - 1;
    if (s->watch && passes > 1)
        blame_event(&s->parts[part], f, SS_shared_conflicts, passes - 1);
    c->free = t + passes;
    pop(c, t);
    event_at(s, t + passes - 1 + (l->i.k->nwrite ? wait : 1),
             l->i.k->cls == TC_LDGSTS ? EV_COPIED : EV_RESULT, part, f);
}

static void step_const(struct coalescer *c, uint32_t part, uint32_t f, uint64_t t)
{
    struct sm *s = c->s;
    struct flight *l = &s->parts[part].flights[f];
    const uint64_t *at = lines_at(s, &l->i.lines);
    uint32_t passes = l->i.passes ? l->i.passes : 1, wait = 0;
    for (uint32_t i = 0; i < l->i.lines.n; i++) {
        struct cache_line old;
        uint64_t line =
            at[i] / LINE_B + (1ull << 40); /* apart from operands: those have lines of their kernel's banks */
        if (cache_find(&s->konst, line, true))
            continue;
        cache_alloc(&s->konst, line, &old)->valid = 15;
        s->stats[SS_const_misses]++;
        wait = s->cfg->const_cyc;
    }
    c->free = t + passes;
    pop(c, t);
    event_at(s, t + passes - 1 + wait + l->i.k->exec_cyc, EV_RESULT, part, f);
}

static void co_tick(void *st, uint64_t t)
{
    struct coalescer *c = st;
    if (!c->n || c->blocked || c->free > t)
        return;
    uint32_t part = c->q[c->head] >> 24, f = c->q[c->head] & 0xffffff;
    const struct flight *l = &c->s->parts[part].flights[f];
    if (l->i.space == SPACE_CONST)
        step_const(c, part, f, t);
    else if (l->i.lines.n)
        step_lines(c, part, f, t);
    else
        step_shared(c, part, f, t);
}

static void co_replied(void *st, uint64_t t)
{
    struct coalescer *c = st;
    if (!c->blocked)
        return;
    c->s->stats[SS_l1_stall] += t - c->blocked;
    c->blocked = 0;
    c->free = t;
}

const struct lsu_ops lsu_coalescer = {
    .name = "coalescer",
    .help = "one memory instruction after the other, its lines in order",
    .state_b = sizeof(struct coalescer),
    .init = co_init,
    .free = co_free,
    .room = co_room,
    .push = co_push,
    .tick = co_tick,
    .next = co_next,
    .replied = co_replied,
};
