/* SPDX-License-Identifier: Apache-2.0 */
/* A banked L1 (thesis, section 3.4.1): the sets are divided among banks, each of which looks up one line of the load at the head
 * of the queue per cycle. All that hit are served; misses need the miss entries to be searched, one per cycle. Stores and atomics
 * go out one per cycle too, since they share the port behind L1. */
#include "sm/lsu/steps.h"

#define BANKED_OPTIONS(T, OPT, NAME)                                                                         \
    OPT(T, banks, U32, 8, 2, 64, "banks that L1's sets are divided among, each with a lookup per cycle")
CONF_STRUCT(banked_cfg, BANKED_OPTIONS);
CONF_TABLE(banked_options, "banked", banked_cfg, BANKED_OPTIONS);

struct banked {
    struct lsu_queue q;
    uint32_t banks;
    uint64_t done;    /* lines of the head that have gone to L1 */
    uint64_t free;    /* cycle it takes up work again */
    uint64_t blocked; /* cycle since which it waits for a reply; 0: it does not */
};

static void ba_init(void *st, struct sm *s)
{
    struct banked *b = st;
    lsu_queue_init(st, s);
    b->banks = ((const struct banked_cfg *)policy_options(s->cfg, &banked_options))->banks;
    s->l1.array->accesses = b->banks;
}
static void ba_free(void *st) { lsu_queue_free(st); }

static uint64_t ba_next(const void *st)
{
    const struct banked *b = st;
    return b->q.ring.n && !b->blocked ? b->free : NEVER;
}

/* Each bank's first line of the load that is left. Returns how many were served; *stuck: a miss could not be. */
static uint32_t look_up(struct banked *b, uint32_t who, uint64_t t, bool *stuck)
{
    struct sm *s = b->q.s;
    struct flight *l = lsu_at(s, who);
    const uint64_t *at = lines_at(s, &l->i.lines);
    uint64_t banks = 0;
    uint32_t served = 0;
    bool missed = false;
    for (uint32_t i = 0; i < l->i.lines.n; i++) {
        if (b->done >> i & 1)
            continue;
        uint64_t bank = 1ull << cache_set(&s->l1.cache, at[i] / LINE_B) % b->banks;
        if (banks & bank)
            continue;
        banks |= bank;
        bool hit = l1_holds(s, l, line_addr(at[i]), line_sectors(at[i]));
        if (!hit && missed)
            continue;
        missed |= !hit;
        if (!lsu_line(s, who, l, at[i], t)) {
            *stuck = true;
            continue;
        }
        b->done |= 1ull << i;
        served++;
    }
    return served;
}

static void step_lines(struct banked *b, uint32_t who, uint64_t t)
{
    struct sm *s = b->q.s;
    struct flight *l = lsu_at(s, who);
    bool stuck = false;
    uint32_t n;
    if (is_load(l->i.k)) {
        n = look_up(b, who, t, &stuck);
        s->stats[SS_lsu_requests] += n;
        s->stats[SS_lsu_served] += n;
        s->stats[SS_lsu_cycles] += n != 0;
    } else {
        uint32_t i = (uint32_t)__builtin_ctzll(~b->done);
        stuck = !lsu_line(s, who, l, lines_at(s, &l->i.lines)[i], t);
        n = !stuck;
        b->done |= (uint64_t)!stuck << i;
    }
    b->free = t + 1;
    if ((uint32_t)__builtin_popcountll(b->done) == l->i.lines.n) {
        l->next_line = l->i.lines.n;
        lsu_queue_pop(&b->q, t);
        b->done = 0;
        lsu_lines_done(s, who, t);
    } else if (stuck && !n) {
        if (l1_open(s, t))
            b->blocked = t;
        else
            s->stats[SS_l1_stall]++;
    }
}

static void ba_tick(void *st, uint64_t t)
{
    struct banked *b = st;
    if (!b->q.ring.n || b->blocked || b->free > t)
        return;
    uint32_t who = lsu_queue_first(&b->q);
    if (lsu_is_aside(lsu_at(b->q.s, who))) {
        b->free = lsu_aside(b->q.s, who, t);
        lsu_queue_pop(&b->q, t);
    } else {
        step_lines(b, who, t);
    }
}

static void ba_replied(void *st, uint64_t t)
{
    struct banked *b = st;
    if (!b->blocked)
        return;
    b->q.s->stats[SS_l1_stall] += t - b->blocked;
    b->blocked = 0;
    b->free = t;
}

static const char *ba_fits(const struct sm_cfg *c, struct arena *a)
{
    (void)a;
    return !c->l1_kb ? "sm.l1_kb = 0, there is no L1 to divide into banks"
           : c->l1_lines > 1
               ? "sm.l1_lines is for an L1 without banks; banked.banks tells how many lines are looked up"
               : NULL;
}

const struct lsu_ops lsu_banked = {
    .is = {.name = "banked",
           .help = "lines of one load looked up in parallel, one in each bank of L1's sets",
           .state_b = sizeof(struct banked),
           .options = {&banked_options},
           .fits = ba_fits},
    .init = ba_init,
    .free = ba_free,
    .room = lsu_queue_room,
    .push = lsu_queue_push,
    .tick = ba_tick,
    .next = ba_next,
    .replied = ba_replied};
