/* SPDX-License-Identifier: Apache-2.0 */
/* Memory request prioritization buffer (Jia et al., HPCA'14, as the thesis compares with it in section 3.4.1, without bypassing):
 * behind the coalescer each line waits in a FIFO by the warp's number; the first FIFO that is not empty has L1, so one warp after
 * the other gets what it has in the cache. Stores wait in their warp's FIFO, which keeps the warp's order; or, as the thesis has
 * it (section 3.3.8), nothing comes behind a store or an atomic before the FIFOs are empty and it enters. */
#include "sm/lsu/steps.h"

static const char *stores_name(uint32_t i)
{
    static const char *const names[] = {"order", "flush"};
    return i < sizeof names / sizeof names[0] ? names[i] : NULL;
}

#define MRPB_OPTIONS(T, OPT, NAME)                                                                           \
    OPT(T, queues, U32, 48, 1, 64, "queues before L1, warps divided among them")                             \
    OPT(T, entries, U32, 32, 1, 1024, "lines that each of them holds")                                       \
    NAME(T, stores, "order", stores_name,                                                                    \
         "stores and atomics keep their order in the queue of their warp, or wait until all queues are "     \
         "empty")
CONF_STRUCT(mrpb_cfg, MRPB_OPTIONS);
CONF_TABLE(mrpb_options, "mrpb", mrpb_cfg, MRPB_OPTIONS);

struct mrpb {
    struct lsu_queue q; /* before the coalescer */
    const struct mrpb_cfg *cfg;
    uint32_t line;     /* of the first one: how many are in its FIFO */
    uint64_t free;     /* cycle the coalescer takes up work again */
    struct ring *fifo; /* lower warps first */
    /* By FIFO, mrpb.entries each. Lines of an access are together and in order, so an entry is the access, and flight.next_line
     * tells which of its lines it is. */
    uint32_t *entries;
    uint64_t filled;  /* FIFOs that are not empty */
    uint64_t retry;   /* cycle L1 is asked again */
    uint64_t blocked; /* cycle since which the first line waits for a reply; 0: it does not */
    bool full;        /* the coalescer waits for a place in a FIFO, or for all to be empty */
    bool flushes;
};

static void mr_init(void *st, struct sm *s)
{
    struct mrpb *m = st;
    lsu_queue_init(&m->q, s);
    m->cfg = policy_options(s->cfg, &mrpb_options);
    m->flushes = strcmp(m->cfg->stores, "flush") == 0;
    m->fifo = xcalloc(m->cfg->queues, sizeof *m->fifo);
    m->entries = xcalloc((size_t)m->cfg->queues * m->cfg->entries, sizeof *m->entries);
    for (uint32_t i = 0; i < m->cfg->queues; i++)
        m->fifo[i].cap = m->cfg->entries;
}

static void mr_free(void *st)
{
    struct mrpb *m = st;
    lsu_queue_free(&m->q);
    free(m->fifo);
    free(m->entries);
}

static uint64_t mr_next(const void *st)
{
    const struct mrpb *m = st;
    uint64_t t = m->filled && !m->blocked ? m->retry : NEVER;
    return m->q.ring.n && !m->full && m->free < t ? m->free : t;
}

static void pop(struct mrpb *m, uint64_t t)
{
    lsu_queue_pop(&m->q, t);
    m->line = 0;
}

static uint32_t queue_of(const struct mrpb *m, uint32_t who)
{
    uint32_t warps = m->q.s->cfg->warps * m->q.s->cfg->partitions;
    return lsu_warp(m->q.s, who) * m->cfg->queues / warps;
}

/* One line of the first instruction moves into its FIFO. */
static void coalesce(struct mrpb *m, uint64_t t)
{
    uint32_t who = lsu_queue_first(&m->q);
    const struct flight *l = lsu_at(m->q.s, who);
    m->free = t + 1;
    if (lsu_is_aside(l)) {
        m->free = lsu_aside(m->q.s, who, t);
        pop(m, t);
        return;
    }
    uint32_t i = queue_of(m, who);
    struct ring *f = &m->fifo[i];
    m->full = ring_full(f) || (m->flushes && m->filled && !m->line && !is_load(l->i.k));
    if (m->full)
        return;
    m->entries[i * f->cap + ring_push(f)] = who;
    /* A warp of higher priority may find its line where the one that waits does not. */
    if (m->blocked && i < (uint32_t)__builtin_ctzll(m->filled)) {
        m->q.s->stats[SS_l1_stall] += t - m->blocked;
        m->blocked = 0;
        m->retry = t + 1;
    }
    m->filled |= 1ull << i;
    if (++m->line == l->i.lines.n)
        pop(m, t);
}

static void look_up(struct mrpb *m, uint64_t t)
{
    struct sm *s = m->q.s;
    uint32_t i = (uint32_t)__builtin_ctzll(m->filled);
    struct ring *f = &m->fifo[i];
    uint32_t who = m->entries[i * f->cap + f->head];
    struct flight *l = lsu_at(s, who);
    m->retry = t + 1;
    if (!lsu_line(s, who, l, lines_at(s, &l->i.lines)[l->next_line], t)) {
        if (l1_open(s, t))
            m->blocked = t;
        else
            s->stats[SS_l1_stall]++;
        return;
    }
    if (is_load(l->i.k)) {
        s->stats[SS_lsu_requests]++;
        s->stats[SS_lsu_served]++;
        s->stats[SS_lsu_cycles]++;
    }
    ring_pop(f);
    if (!f->n)
        m->filled &= ~(1ull << i);
    m->full = false;
    if (++l->next_line == l->i.lines.n)
        lsu_lines_done(s, who, t);
}

/* L1 first: a line is looked up in the cycle after it entered its FIFO. */
static void mr_tick(void *st, uint64_t t)
{
    struct mrpb *m = st;
    if (m->filled && !m->blocked && m->retry <= t)
        look_up(m, t);
    if (m->q.ring.n && !m->full && m->free <= t)
        coalesce(m, t);
}

static void mr_replied(void *st, uint64_t t)
{
    struct mrpb *m = st;
    if (!m->blocked)
        return;
    m->q.s->stats[SS_l1_stall] += t - m->blocked;
    m->blocked = 0;
    m->retry = t;
}

static const char *mr_fits(const struct sm_cfg *c, struct arena *a)
{
    (void)a;
    const struct mrpb_cfg *own = policy_options(c, &mrpb_options);
    return own->queues > c->warps * c->partitions ? "mrpb.queues are more than there are warps"
           : c->l1_lines > 1                      ? "sm.l1_lines: one line leaves its queues per cycle"
                                                  : NULL;
}

const struct lsu_ops lsu_mrpb = {
    .is = {.name = "mrpb",
           .help = "lines wait in queues by warp; the lowest warps' lines first",
           .state_b = sizeof(struct mrpb),
           .options = {&mrpb_options},
           .fits = mr_fits},
    .reorders = true,
    .holds = LSU_HOLDS_FENCES,
    .init = mr_init,
    .free = mr_free,
    .room = lsu_queue_room,
    .push = lsu_queue_push,
    .tick = mr_tick,
    .next = mr_next,
    .replied = mr_replied,
};
