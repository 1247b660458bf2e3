/* SPDX-License-Identifier: Apache-2.0 */
/* A load-store unit that asks L1 sector by sector, as GPGPU-Sim's does for Volta: L1 has banks, each for every n-th sector, with
 * a pipeline before its tags. The instruction at hand hands its sectors to the banks, the highest address first, one to each bank
 * per cycle, and stops at a bank that has its one already or whose pipeline is full. A sector that finds no miss entry, or too
 * many who wait for it, stops its bank alone. Cycles in which nobody else acts are taken in one turn. */
#include "sm/l1/replies.h"
#include "sm/lsu/steps.h"

enum { BANKS = 4 }; /* sectors of a line */

#define SECTORED_OPTIONS(T, OPT, NAME)                                                                       \
    OPT(T, depth, U32, 20, 1, 64, "stages of the pipeline before the tags of each of L1's banks")
CONF_STRUCT(sectored_cfg, SECTORED_OPTIONS);
CONF_TABLE(sectored_options, "sectored", sectored_cfg, SECTORED_OPTIONS);

struct asked {
    uint64_t ready; /* cycle it comes to the tags */
    uint64_t line;  /* address */
    uint32_t who;
    uint32_t set; /* of L1 */
};

struct sectored {
    struct lsu_queue q;
    struct ring pipe[BANKS];
    struct asked *asked[BANKS];
    uint32_t going;        /* banks, by bit: with sectors, of which the first does not wait for a reply */
    uint32_t for_port;     /* of these: the first waits until L1's port has room for a request */
    uint32_t full;         /* the bank whose pipeline has no room for the next sector of the head; 0: none */
    uint64_t ready[BANKS]; /* by bank that goes: cycle from which L1 may be asked for the first */
    uint64_t blocked[BANKS]; /* cycle since which the first waits for a reply; 0: it does not */
    uint32_t depth;
    bool aside;    /* the head of the queue is done with, and keeps the unit busy */
    uint64_t free; /* cycle it takes up work again */
    uint64_t from; /* cycle after its last turn */
    uint8_t left;  /* sectors of the head's line at hand that no bank has yet; 0: none, or a new line */
    uint32_t set;  /* of that line in L1 */
};

static void se_init(void *st, struct sm *s)
{
    struct sectored *u = st;
    lsu_queue_init(st, s);
    u->depth = ((const struct sectored_cfg *)policy_options(s->cfg, &sectored_options))->depth;
    for (uint32_t b = 0; b < BANKS; b++) {
        u->pipe[b].cap = u->depth;
        u->asked[b] = xcalloc(u->depth, sizeof *u->asked[b]);
    }
    s->l1.array->accesses = BANKS;
}

static void se_free(void *st)
{
    struct sectored *u = st;
    lsu_queue_free(st);
    for (uint32_t b = 0; b < BANKS; b++)
        free(u->asked[b]);
}

static uint64_t se_next(const void *st)
{
    const struct sectored *u = st;
    uint64_t t = u->q.ring.n && !u->full ? u->free : NEVER;
    for (uint32_t m = u->going & ~u->for_port; m; m &= m - 1) {
        uint64_t ready = u->ready[__builtin_ctz(m)];
        t = ready < t ? ready : t;
    }
    if (u->for_port && l1_port_opens(u->q.s) < t)
        t = l1_port_opens(u->q.s);
    return t > u->from ? t : u->from;
}

/* All sectors have been looked up: a load whose data is there has it in the next cycle. */
static void looked_up(struct sm *s, uint32_t who, uint64_t t)
{
    struct flight *l = lsu_at(s, who);
    l->next_line = l->i.lines.n;
    lsu_counted(s, who);
    if (l->lines_left)
        return; /* the last reply completes it */
    if (is_load(l->i.k))
        load_done(s, lsu_part(who), lsu_flight(who), t + 1);
    event_at(s, t + 1, l->i.k->cls == TC_LDGSTS ? EV_COPIED : EV_RESULT, lsu_part(who), lsu_flight(who));
}

/* A bank has another first sector, or goes on with it. */
static inline void go_on(struct sectored *u, uint32_t b)
{
    if (u->pipe[b].n && !u->blocked[b]) {
        u->going |= 1u << b;
        u->ready[b] = u->asked[b][u->pipe[b].head].ready;
    } else {
        u->going &= ~(1u << b);
    }
}

/* L1 has refused the first sector of a bank. If it lacks room in the port, it waits for that, and for nothing else that others
 * could bring: only this bank asks for its sectors. If L1 had to be asked by lines, other banks might. */
static void refused(struct sectored *u, uint32_t b, uint64_t t)
{
    struct sm *s = u->q.s;
    if (l1_open(s, t)) {
        u->blocked[b] = t;
        u->going &= ~(1u << b);
        return;
    }
    s->stats[SS_l1_stall]++;
    u->ready[b] = t + 1;
    if (s->l1.lacks_port && s->cfg->l1_sectors)
        u->for_port |= 1u << b;
}

/* L1 is asked for the sector of bank b. False: ask again. */
static inline bool ask(struct sm *s, const struct asked *a, struct flight *l, uint32_t b, uint64_t t)
{
    if (!is_load(l->i.k))
        return lsu_ask(s, a->who, l, a->line, (uint8_t)(1u << b), t);
    struct mwait waits = {.name = lsu_flight(a->who),
                          .client = L1_FLIGHT,
                          .part = (uint8_t)lsu_part(a->who),
                          .missing = (uint8_t)(1u << b)};
    return l1_load_sector(s, l, waits, a->line, cache_at_in(&s->l1.cache, a->set, a->line / LINE_B), t);
}

/* The first sector of a bank comes to the tags. Returns whether its access has left the unit. */
static inline bool look_up(struct sectored *u, uint32_t b, uint64_t t)
{
    struct sm *s = u->q.s;
    const struct asked *a = &u->asked[b][u->pipe[b].head];
    uint32_t who = a->who;
    struct flight *l = lsu_at(s, who);
    if (u->for_port >> b & 1) {
        u->for_port &= ~(1u << b);
        s->stats[SS_l1_stall] += t - u->ready[b];
    }
    if (!ask(s, a, l, b, t)) {
        refused(u, b, t);
        return false;
    }
    ring_pop(&u->pipe[b]);
    u->full &= ~(1u << b);
    go_on(u, b);
    if (--l->queued || l->i.lines.n != l->handed)
        return false;
    looked_up(s, who, t);
    return true;
}

/* Some sectors of the head go to their banks. Returns whether they were the last. */
static bool hand_out(struct sectored *u, uint32_t who, uint64_t t)
{
    struct sm *s = u->q.s;
    struct flight *l = lsu_at(s, who);
    const uint64_t *at = lines_at(s, &l->i.lines);
    for (uint32_t had = 0; l->handed < l->i.lines.n;) {
        uint64_t row = at[l->i.lines.n - 1u - l->handed], line = line_addr(row);
        if (!u->left) {
            u->left = line_sectors(row);
            u->set = cache_set(&s->l1.cache, line / LINE_B);
            if (s->trust.check)
                order_line(&s->parts[lsu_part(who)], lsu_flight(who), line);
        }
        uint32_t b = 31u - (uint32_t)__builtin_clz(u->left);
        if (had >> b & 1)
            return false;
        if (ring_full(&u->pipe[b])) {
            u->full = 1u << b;
            return false;
        }
        had |= 1u << b;
        u->asked[b][ring_push(&u->pipe[b])] =
            (struct asked){.ready = t + u->depth, .line = line, .who = who, .set = u->set};
        if (u->pipe[b].n == 1)
            go_on(u, b);
        l->queued++;
        u->left &= (uint8_t) ~(1u << b);
        l->handed = (uint16_t)(l->handed + !u->left);
    }
    lsu_queue_pop(&u->q, t);
    return true;
}

/* The head of the queue, which has no lines, claims shared memory or constants, and keeps the unit busy as long as that takes. */
static void go_aside(struct sectored *u, uint32_t who, uint64_t t)
{
    uint64_t until = u->aside ? t + 1 : lsu_aside(u->q.s, who, t);
    u->aside = until > t + 1;
    if (u->aside)
        u->free = until - 1;
    else
        lsu_queue_pop(&u->q, t);
}

/* The banks that have to wait for L1's port in cycle t. */
static inline uint32_t waits_for_port(const struct sectored *u, uint64_t t)
{
    return u->for_port && !l1_port(u->q.s, t) ? u->for_port : 0;
}

/* What the unit does in cycle t. Returns whether others than L1 have seen something of that. */
static inline bool step(struct sectored *u, uint64_t t)
{
    struct sm *s = u->q.s;
    bool seen = false;
    u->from = t + 1;
    for (uint32_t m = u->going & ~waits_for_port(u, t); m;) {
        uint32_t b = (uint32_t)__builtin_ctz(m);
        m &= m - 1;
        if (u->ready[b] > t)
            continue;
        seen |= look_up(u, b, t);
        m &= ~waits_for_port(u, t);
    }
    if (!u->q.ring.n || u->full || u->free > t)
        return seen;
    uint32_t who = lsu_queue_first(&u->q);
    u->free = t + 1;
    if (!u->aside && !lsu_is_aside(lsu_at(s, who)))
        return hand_out(u, who, t) || seen;
    go_aside(u, who, t);
    return true;
}

/* Replies that come before the unit's next cycle, which is before `until`. Returns that cycle; NEVER: one of the replies has done
 * something in its cycle, or the unit has nothing to do. */
static uint64_t next_step(struct sectored *u, uint64_t until)
{
    struct sm *s = u->q.s;
    for (;;) {
        uint64_t next = se_next(u), end = next < until ? next + 1 : until;
        if (reply_next(s) >= end)
            return next;
        struct reply_run r = reply_run(s);
        while (r.t < end && reply_run_on(&r))
            ;
        reply_run_end(s, &r);
        s->clock.now = r.n ? r.last : s->clock.now;
        if (r.t >= end)
            return next;
        s->clock.now = r.t - 1;
        if (!replies_take_early(s, r.t))
            return NEVER;
        s->clock.now = r.t;
    }
}

static void se_tick(void *st, uint64_t t)
{
    struct sectored *u = st;
    struct sm *s = u->q.s;
    if (step(u, t))
        return;
    uint64_t quiet = sm_quiet(s);
    /* Beyond the window the answers to its own requests set the end (run_on_until). */
    if (s->clock.until != s->clock.must && quiet > t + MAX_LINES)
        quiet = t + MAX_LINES;
    while ((t = next_step(u, quiet)) < quiet) {
        s->clock.now = t;
        if (step(u, t))
            return;
    }
}

static void se_push(void *st, uint32_t part, uint32_t flight)
{
    struct sectored *u = st;
    struct flight *l = &u->q.s->parts[part].flights[flight];
    l->queued = l->handed = 0;
    lsu_queue_push(st, part, flight);
}

static void se_replied(void *st, uint64_t t)
{
    struct sectored *u = st;
    for (uint32_t b = 0; b < BANKS; b++) {
        if (!u->blocked[b])
            continue;
        u->q.s->stats[SS_l1_stall] += t - u->blocked[b];
        u->blocked[b] = 0;
        go_on(u, b);
    }
}

static const char *se_fits(const struct sm_cfg *c, struct arena *a)
{
    (void)a;
    return !c->l1_kb         ? "sm.l1_kb = 0, there is no L1 to ask"
           : c->l1_lines > 1 ? "sm.l1_lines is for an L1 that is asked by lines"
                             : NULL;
}

const struct lsu_ops lsu_sectored = {
    .is = {.name = "sectored",
           .help = "sectors of one access after the other, one per cycle to each of four banks of L1",
           .state_b = sizeof(struct sectored),
           .options = {&sectored_options},
           .fits = se_fits},
    .by_sector = true,
    .alone = true,
    .init = se_init,
    .free = se_free,
    .room = lsu_queue_room,
    .push = se_push,
    .tick = se_tick,
    .next = se_next,
    .replied = se_replied};
