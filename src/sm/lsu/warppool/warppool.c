/* SPDX-License-Identifier: Apache-2.0 */
#include "sm/lsu/warppool/warppool.h"

CONF_TABLE(pool_options, "warppool", pool_cfg, POOL_OPTIONS);
STAT_TABLE(pool_stats, "warppool", POOL_STATS);

/* Of the stages that WarpPool adds (thesis, section 3.3.1: six), those that take their cycle by themselves: into a coalescer,
 * into an inter-warp queue, into the write-back queue. The others are spent before an instruction can be taken from its queue. */
enum { OWN_CYC = 3 };

static void wp_init(void *st, struct sm *s)
{
    struct pool *p = st;
    const struct sm_cfg *c = s->cfg;
    p->s = s;
    p->cfg = policy_options(c, &pool_options);
    p->count = s->stats + policy_stats_at(&lsu_warppool.is);
    p->queues = xcalloc(p->cfg->queues, sizeof *p->queues);
    p->insts = xcalloc((size_t)p->cfg->queues * p->cfg->entries, sizeof *p->insts);
    p->backs = xcalloc(p->cfg->writeback, sizeof *p->backs);
    p->back.cap = p->cfg->writeback;
    for (uint32_t i = 0; i < p->cfg->queues; i++)
        p->queues[i].cap = p->cfg->entries;
    lsu_queue_init(&p->aside, s);
    p->free_load = UINT32_MAX;
    p->maps_free = p->cfg->maps;
    pool_merge_init(p);
}

static void wp_free(void *st)
{
    struct pool *p = st;
    free(p->queues);
    free(p->insts);
    free(p->tags);
    free(p->inserted);
    free(p->backs);
    lsu_queue_free(&p->aside);
    vec_free(&p->loads);
}

/* ---- queues ---- */

static uint32_t queue_of(const struct pool *p, uint32_t who)
{
    const struct sm_cfg *c = p->s->cfg;
    return lsu_warp(p->s, who) * p->cfg->queues / (c->warps * c->partitions);
}

static bool wp_room(const void *st, uint32_t part, uint32_t flight)
{
    const struct pool *p = st;
    uint32_t who = lsu_pack(part, flight);
    if (lsu_is_aside(lsu_at(p->s, who)))
        return lsu_queue_room(&p->aside, part, flight);
    return !ring_full(&p->queues[queue_of(p, who)]);
}

static void wp_push(void *st, uint32_t part, uint32_t flight)
{
    struct pool *p = st;
    uint32_t who = lsu_pack(part, flight);
    if (lsu_is_aside(lsu_at(p->s, who))) {
        lsu_queue_push(&p->aside, part, flight);
        return;
    }
    uint32_t i = queue_of(p, who);
    struct ring *q = &p->queues[i];
    lsu_at(p->s, who)->queued = 0;
    p->insts[i * q->cap + ring_push(q)] =
        (struct pool_inst){.who = who, .from = p->s->clock.now + p->cfg->cyc - OWN_CYC};
    p->filled |= 1ull << i;
}

static void take(struct pool *p, struct pool_coalescer *co, uint64_t t)
{
    for (uint64_t m = p->filled; m; m &= m - 1) {
        uint32_t i = (uint32_t)__builtin_ctzll(m);
        struct ring *q = &p->queues[i];
        const struct pool_inst *x = &p->insts[i * q->cap + q->head];
        if (x->from > t)
            continue;
        *co = (struct pool_coalescer){.who = x->who, .turn = lsu_at(p->s, x->who)->turn, .used = true};
        if (ring_full(q))
            lsu_freed(p->s, t);
        ring_pop(q);
        if (!q->n)
            p->filled &= ~(1ull << i);
        p->moved = true;
        return;
    }
}

/* ---- coalescers ---- */

static void step_load(struct pool *p, struct pool_coalescer *co, uint64_t t)
{
    const struct flight *l = lsu_at(p->s, co->who);
    if (!pool_insert(p, co, t))
        return;
    p->moved = true;
    if (l->next_line < l->i.lines.n)
        return;
    lsu_counted(p->s, co->who);
    co->used = false;
}

/* Loads have had the port to L1: one line of a store or an atomic, from the first coalescer that has one. */
static void step_store(struct pool *p, uint64_t t)
{
    struct sm *s = p->s;
    for (uint32_t k = 0; k < p->cfg->coalescers; k++) {
        struct pool_coalescer *co = &p->co[k];
        struct flight *l = co->used ? lsu_at(s, co->who) : NULL;
        if (!l || is_load(l->i.k))
            continue;
        if (!lsu_line(s, co->who, l, lines_at(s, &l->i.lines)[l->next_line], t)) {
            p->moved |= !l1_open(s, t); /* else a reply lets it go on */
            continue;
        }
        p->moved = true;
        if (++l->next_line == l->i.lines.n) {
            co->used = false;
            lsu_lines_done(s, co->who, t);
        }
        return;
    }
}

static void step_aside(struct pool *p, uint64_t t)
{
    if (!p->aside.ring.n || p->aside_free > t)
        return;
    p->aside_free = lsu_aside(p->s, lsu_queue_first(&p->aside), t);
    lsu_queue_pop(&p->aside, t);
}

/* From the back to the front, so that each stage costs a cycle. */
static void wp_tick(void *st, uint64_t t)
{
    struct pool *p = st;
    struct sm *s = p->s;
    p->last = t;
    p->moved = false;
    pool_count_quantum(p, t);
    p->moved |= pool_back_tick(p, t);
    if (pool_send(p, t))
        p->moved = true;
    else
        step_store(p, t);
    for (uint32_t k = 0; k < p->cfg->coalescers; k++)
        if (p->co[k].used && is_load(lsu_at(s, p->co[k].who)->i.k))
            step_load(p, &p->co[k], t);
    for (uint32_t k = 0; k < p->cfg->coalescers; k++)
        if (!p->co[k].used)
            take(p, &p->co[k], t);
    step_aside(p, t);
    p->moved |= p->back.n != 0;
    if (pool_back_full(p) && s->port.free < t + 2)
        replies_hold(s, t + 2); /* no reply is taken in the next cycle */
}

static uint64_t wp_next(const void *st)
{
    const struct pool *p = st;
    if (p->moved)
        return p->last + 1;
    uint64_t t = p->aside.ring.n ? p->aside_free : NEVER;
    bool free = false;
    for (uint32_t k = 0; k < p->cfg->coalescers; k++)
        free |= !p->co[k].used;
    for (uint64_t m = free ? p->filled : 0; m; m &= m - 1) {
        uint32_t i = (uint32_t)__builtin_ctzll(m);
        uint64_t from = p->insts[i * p->cfg->entries + p->queues[i].head].from;
        t = from < t ? from : t;
    }
    return t;
}

static void wp_replied(void *st, uint64_t t)
{
    struct pool *p = st;
    p->replying = false;
    pool_unblock(p, t);
}

static const char *wp_fits(const struct sm_cfg *c, struct arena *a)
{
    (void)a;
    const struct pool_cfg *own = policy_options(c, &pool_options);
    return own->queues > c->warps * c->partitions ? "warppool.queues are more than there are warps"
           : c->l1_lines > 1                      ? "sm.l1_lines: one request leaves its queues per cycle"
                                                  : NULL;
}

/* Bits of an entry are those of the thesis's Table 3.1; a tag's are 32 and 23 for each load that it takes. */
uint32_t pool_storage(const struct sm_cfg *c, struct storage_row rows[STORAGE_MAX])
{
    enum { LOAD_BITS = 23 };
    const struct pool_cfg *own = policy_options(c, &pool_options);
    uint32_t n = 0;
    rows[n++] = (struct storage_row){"instruction queues", (int64_t)own->queues * own->entries, 37};
    rows[n++] = (struct storage_row){"intra-warp coalescers", own->coalescers, 8 * 256};
    rows[n++] = (struct storage_row){"inter-warp coalescing queues", (int64_t)own->sets * own->tags,
                                     32 + LOAD_BITS * own->merges};
    rows[n++] = (struct storage_row){"thread map table", own->maps, 1 + 32 * 10};
    rows[n++] =
        (struct storage_row){"miss metadata", (int64_t)c->l1_mshrs * c->l1_merges * own->merges, LOAD_BITS};
    return n;
}

const struct lsu_ops lsu_warppool = {.is = {.name = "warppool",
                                            .help = "loads of several warps merged before L1",
                                            .state_b = sizeof(struct pool),
                                            .options = {&pool_options},
                                            .stats = &pool_stats,
                                            .fits = wp_fits,
                                            .storage = pool_storage},
                                     .reorders = true,
                                     .holds = LSU_HOLDS_ALL,
                                     .maps = true,

                                     .init = wp_init,
                                     .free = wp_free,
                                     .each = true,
                                     .room = wp_room,
                                     .push = wp_push,
                                     .tick = wp_tick,
                                     .next = wp_next,
                                     .replied = wp_replied,
                                     .arrived = pool_arrived};
