/* SPDX-License-Identifier: Apache-2.0 */
/* The plain load-store unit: memory instructions of all partitions in the order they come, one after the other. A warp's
 * lanes are coalesced into lines when it is fetched; its lines are looked up l1_lines per cycle, the last of them not before all
 * words of a bank but one have been read (l1_words). */
#include "sm/l1/replies.h"
#include "sm/lsu/steps.h"

struct coalescer {
    struct lsu_queue q;
    bool plain;       /* one line a cycle, whatever banks its words are in */
    uint64_t free;    /* cycle in which the unit goes on with its first access */
    bool walked;      /* all lines of the first access were looked up, the last of them in cycle `free` */
    uint64_t began;   /* cycle of the first lookup of the first access; 0: there was none */
    uint64_t blocked; /* cycle since which the unit waits for a reply; 0: it does not wait */
};

static void co_init(void *st, struct sm *s)
{
    struct coalescer *c = st;
    lsu_queue_init(st, s);
    c->plain = s->cfg->l1_lines == 1 && !s->cfg->l1_words && !s->cfg->l1_full_waits;
}
static void co_free(void *st) { lsu_queue_free(st); }

static uint64_t co_next(const void *st)
{
    const struct coalescer *c = st;
    return c->q.ring.n && !c->blocked ? c->free : NEVER;
}

/* L1 has refused a line in cycle t. False: the unit cannot ask again in the next cycle, but waits for a reply. */
ASIDE static bool refused(struct coalescer *c, uint64_t t)
{
    struct sm *s = c->q.s;
    bool next = !l1_open(s, t);
    if (!next)
        c->blocked = t;
    s->stats[SS_l1_stall] += next;
    if (s->tenants.cyc && !s->tenants.stalled)
        tenants_stalled(s, t, true);
    c->free = next ? t + 1 : c->free;
    return next;
}

/* Looks up lines of the access in cycle t, sm.l1_lines at most. False: the unit cannot go on in the next cycle. */
static inline bool look_up_lines(struct coalescer *c, uint32_t who, struct flight *l, const uint64_t *at,
                                 uint64_t t)
{
    struct sm *s = c->q.s;
    uint32_t waits = l->lines_left; /* a line that is not in L1 is the last of its cycle, if L1 has banks */
    bool words = s->cfg->l1_words;
    for (uint32_t left = s->cfg->l1_lines; left && l->next_line < l->i.lines.n; left--) {
        if (words && l->next_line + 1u == l->i.lines.n && t + 1 < c->began + l->i.passes && is_load(l->i.k)) {
            c->free = c->began + l->i.passes - 1;
            return false;
        }
        if (!lsu_line(s, who, l, at[l->next_line], t))
            return refused(c, t);
        l->next_line++;
        if (s->tenants.stalled)
            tenants_stalled(s, t, false);
        if (words && l->lines_left != waits)
            break;
    }
    c->free = t + 1;
    return true;
}

/* All lines of the first access were looked up, the last in cycle t: the access leaves the queue. */
FLAT ASIDE static void walked(struct coalescer *c, uint32_t who, uint64_t t)
{
    c->began = 0;
    c->walked = false;
    c->free = t + 1;
    lsu_at(c->q.s, who)->next_line = lsu_at(c->q.s, who)->i.lines.n;
    lsu_queue_pop(&c->q, t);
    lsu_lines_done(c->q.s, who, t);
}

/* Looks up lines of a load in cycles from t on, one in each, all in this call: as far as nobody else acts in these cycles. The
 * end of the access, which others see, is left for its own cycle. False: the first line needs more than lookups (l1_load_run). */
static inline bool look_ahead(struct coalescer *c, uint32_t who, struct flight *l, const uint64_t *at,
                              uint64_t t)
{
    struct sm *s = c->q.s;
    uint32_t left = l->i.lines.n - l->next_line;
    struct l1_run r = {.who = {.name = lsu_flight(who), .client = L1_FLIGHT, .part = (uint8_t)lsu_part(who)},
                       .t = t,
                       .until = s->clock.ahead ? s->clock.until
                                : left > 1     ? sm_quiet(s)
                                               : t + 1};
    /* Beyond the window the answers to its own requests set the end, which is not known before these (run_on_until). */
    if (s->clock.until != s->clock.must && r.until > t + MAX_LINES)
        r.until = t + MAX_LINES;
    uint32_t done = l1_load_run(s, l, at + l->next_line, left, &r);
    if (s->trust.check)
        order_lines(&s->parts[lsu_part(who)], lsu_flight(who), at + l->next_line, done);
    l->next_line = (uint16_t)(l->next_line + done);
    if (done == left && (r.last == t || r.last < sm_quiet(s))) {
        s->clock.now = r.last;
        walked(c, who, r.last);
        return true;
    }
    c->free = r.t;
    if (done == left) {
        c->walked = true;
        c->free = r.last;
        l->next_line--; /* a reply before that does not complete it */
    } else if (r.blocked) {
        c->blocked = r.t;
        s->l1.refused = true;
    }
    return r.t > t || r.blocked;
}

/* Global and local memory: looks up lines of one cycle after the other in this call, as long as only replies come meanwhile. */
static void step_lines(struct coalescer *c, uint32_t who, uint64_t t)
{
    struct sm *s = c->q.s;
    struct flight *l = lsu_at(s, who);
    const uint64_t *at = lines_at(s, &l->i.lines);
    if (s->onchip.follows && rows_line_waits(s, who, t)) {
        c->free = t + 1;
        return;
    }
    if (!c->began)
        c->began = t;
    bool plain = c->plain && is_load(l->i.k) && !s->tenants.cyc;
    bool last = l->next_line + 1u == l->i.lines.n;
    if (plain && !(last && l1_open(s, t) && s->l1.mshrs.nspare[MSHR_L1]) && look_ahead(c, who, l, at, t))
        return;
    uint64_t quiet = last ? t + 1 : sm_quiet(s);
    for (;; t++) {
        bool goes = look_up_lines(c, who, l, at, t);
        s->clock.now = t;
        if (l->next_line == l->i.lines.n)
            break;
        if (plain || !goes || t + 1 >= quiet || (reply_next(s) <= t + 1 && !replies_take_early(s, t + 1)))
            return;
    }
    walked(c, who, t);
}

FLAT static void co_tick(void *st, uint64_t t)
{
    struct coalescer *c = st;
    if (!c->q.ring.n || c->blocked || c->free > t)
        return;
    uint32_t who = lsu_queue_first(&c->q);
    if (c->walked) {
        walked(c, who, t);
    } else if (lsu_is_aside(lsu_at(c->q.s, who))) {
        if (c->q.s->onchip.follows && rows_shared_waits(c->q.s, who, t)) {
            c->free = t + 1;
            return;
        }
        c->free = lsu_aside(c->q.s, who, t);
        lsu_queue_pop(&c->q, t);
    } else {
        step_lines(c, who, t);
    }
}

static void co_replied(void *st, uint64_t t)
{
    struct coalescer *c = st;
    if (!c->blocked)
        return;
    c->q.s->stats[SS_l1_stall] += t - c->blocked;
    c->blocked = 0;
    c->free = t;
}

const struct lsu_ops lsu_coalescer = {
    .is = {.name = "coalescer",
           .help = "one memory instruction after the other, its lines in order",
           .state_b = sizeof(struct coalescer)},
    .in_rows = true,
    .alone = true,
    .tells = true,
    .init = co_init,
    .free = co_free,
    .room = lsu_queue_room,
    .push = lsu_queue_push,
    .tick = co_tick,
    .next = co_next,
    .replied = co_replied};
