/* The plain load-store unit: memory instructions of all partitions in the order they come, one after the other. A warp's
 * lanes are coalesced into lines when it is fetched; its lines are looked up l1_lines per cycle, the last of them not before all
 * words of a bank but one have been read (l1_words). */
#include "sm/lsu/steps.h"
#include "sm/replies.h"

struct coalescer {
    struct lsu_queue q;
    bool plain;       /* one line a cycle, whatever banks its words are in, and nobody watches them */
    uint64_t free;    /* cycle it takes up work again */
    uint64_t began;   /* cycle in which it took up the lines of the access that it is at; 0: not yet */
    uint64_t blocked; /* cycle since which it waits for a reply; 0: it does not */
};

static void co_init(void *st, struct sm *s)
{
    struct coalescer *c = st;
    lsu_queue_init(st, s);
    c->plain = s->cfg->l1_lines == 1 && !s->cfg->l1_words && !s->cfg->l1_full_waits && !s->check;
}
static void co_free(void *st) { lsu_queue_free(st); }

static uint64_t co_next(const void *st)
{
    const struct coalescer *c = st;
    return c->q.ring.n && !c->blocked ? c->free : NEVER;
}

/* A line that has to wait. False: it cannot go on in the next cycle. */
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

/* Some lines this cycle. False: it cannot go on in the next one. */
static inline bool look_up(struct coalescer *c, uint32_t who, struct flight *l, const uint64_t *at,
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

/* Lines from cycle t on, one cycle after the other, up to `until`; at least those of one cycle. False: it cannot go on in the
 * next one. *t is the last cycle then. */
static inline bool look_up_some(struct coalescer *c, uint32_t who, struct flight *l, const uint64_t *at,
                                uint64_t until, uint64_t *t)
{
    struct sm *s = c->q.s;
    if (c->plain && is_load(l->i.k) && !s->tenants.stalled) {
        uint32_t left = l->i.lines.n - l->next_line;
        uint64_t most = until > *t ? until - *t : 1;
        uint32_t done = l1_load_run(s, l, lsu_part(who), lsu_flight(who), at + l->next_line,
                                    most < left ? (uint32_t)most : left, *t);
        if (done) {
            l->next_line = (uint16_t)(l->next_line + done);
            *t += done - 1;
            c->free = *t + 1;
            return true;
        }
    }
    return look_up(c, who, l, at, *t);
}

/* Global and local memory: lines of one cycle after the other, as long as nobody has anything to do but who takes replies. */
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
    uint64_t quiet = l->next_line + 1u < l->i.lines.n ? sm_quiet(s) : t + 1;
    for (;; t++) {
        bool goes = look_up_some(c, who, l, at, quiet, &t);
        s->now = t;
        if (l->next_line == l->i.lines.n)
            break;
        if (!goes || t + 1 >= quiet || (reply_next(s) <= t + 1 && !replies_take_early(s, t + 1)))
            return;
    }
    c->began = 0;
    lsu_queue_pop(&c->q, t);
    lsu_lines_done(s, who, t);
}

static void co_tick(void *st, uint64_t t)
{
    struct coalescer *c = st;
    if (!c->q.ring.n || c->blocked || c->free > t)
        return;
    uint32_t who = lsu_queue_first(&c->q);
    if (lsu_is_aside(lsu_at(c->q.s, who))) {
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
