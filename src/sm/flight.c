/* Dispatch to the units, and results. */
#include "sm/core.h"

SELDOM static void add_flights(struct part *p)
{
    uint32_t n = p->nflights ? p->nflights * 2 : 32;
    p->flights = xrealloc(p->flights, sizeof *p->flights * n);
    memset(p->flights + p->nflights, 0, sizeof *p->flights * (n - p->nflights));
    for (uint32_t i = n; i-- > p->nflights;) {
        p->flights[i].i.lines.block = NONE16; /* a list without lines has no block */
        p->flights[i].next = p->free_flight;
        p->free_flight = i;
    }
    p->nflights = n;
}

uint32_t flight_new(struct part *p)
{
    if (p->free_flight == UINT32_MAX)
        add_flights(p);
    uint32_t f = p->free_flight;
    p->free_flight = p->flights[f].next;
    return f;
}

void flight_free(struct part *p, uint32_t f)
{
    struct flight *l = &p->flights[f];
    struct sm_warp *w = &p->warps[l->warp];
    if (l->i.lines.n && p->sm->tenants.cyc)
        tenant_served(p, f);
    lines_free(p->sm, &l->i.lines);
    l->next = p->free_flight;
    p->free_flight = f;
    w->in_flight--;
    if (sm_warp_over(w))
        sm_cta_warp_ended(p, l->warp, p->sm->now);
}

/* A memory instruction leaves after those that its warp has issued before, so that a store whose data is there early does not
 * overtake a load. */
static bool in_turn(const struct part *p, const struct flight *l)
{
    return l->i.k->route != ROUTE_MEMORY || l->turn == p->warps[l->warp].mem_left;
}

static inline bool lsu_room(const struct part *p, uint32_t f)
{
    return p->flights[f].i.k->route != ROUTE_MEMORY || p->sm->lsu_ops->room(p->sm->lsu, p->id, f);
}

/* The units that may run an instruction: an isolated scheduler has its share of them. What there are fewer of than schedulers
 * they have in common. */
static inline uint64_t *units_for(struct part *p, const struct flight *l, uint32_t *n)
{
    const struct sm_cfg *c = p->sm->cfg;
    uint32_t unit = l->i.k->unit;
    *n = p->sm->units[unit];
    if (!c->isolated || *n < c->schedulers)
        return p->unit_free[unit];
    *n /= c->schedulers;
    return p->unit_free[unit] + part_scheduler(p, l->warp) * *n;
}

uint64_t flight_earliest(struct part *p, uint32_t f)
{
    const struct flight *l = &p->flights[f];
    uint64_t t = NEVER;
    uint32_t n;
    const uint64_t *unit = units_for(p, l, &n);
    if (!in_turn(p, l) || !lsu_room(p, f))
        return NEVER; /* lsu_freed wakes the partition, or the one before it leaves */
    for (uint32_t i = 0; i < n; i++)
        t = unit[i] < t ? unit[i] : t;
    return t;
}

static inline bool start(struct part *p, uint32_t f, uint64_t t)
{
    const struct flight *l = &p->flights[f];
    const struct kinsn *k = l->i.k;
    uint32_t n;
    uint64_t *unit = units_for(p, l, &n);
    while (n && *unit > t) {
        unit++;
        n--;
    }
    if (!n || !lsu_room(p, f))
        return false;
    *unit = t + k->ii;
    if (k->route != ROUTE_MEMORY) {
        event_at(p->sm, t + k->exec_cyc + l->late, EV_RESULT, p->id, f);
        return true;
    }
    p->sm->lsu_last = p->id;
    p->sm->lsu_ops->push(p->sm->lsu, p->id, f);
    return true;
}

bool flight_start(struct part *p, uint32_t f, uint64_t t) { return start(p, f, t); }

/* Its operands are read. */
static void left(struct part *p, uint32_t f) { sm_warp_operands_read(p, p->flights[f].warp, f); }

void flight_leave(struct part *p, uint32_t f, uint64_t t)
{
    left(p, f);
    (void)start(p, f, t);
}

bool flight_dispatch(struct part *p, uint32_t f, uint64_t t)
{
    const struct flight *l = &p->flights[f];
    if (!in_turn(p, l) || !(p->sm->cfg->unit_latch ? collect_latch(p, f) : start(p, f, t)))
        return false;
    left(p, f);
    if (l->i.k->route == ROUTE_MEMORY)
        p->warps[l->warp].mem_left++;
    return true;
}

/* All of its results are where they belong. */
static void over(struct part *p, uint32_t f)
{
    const struct flight *l = &p->flights[f];
    sm_warp_result(p, l->warp, l->i.k);
    flight_free(p, f);
}

/* The result is there: its registers queue for their banks, unless a policy keeps them; predicates have ports of their own. */
void flight_result(struct part *p, uint32_t f)
{
    struct flight *l = &p->flights[f];
    const struct kinsn *k = l->i.k;
    l->writes_left = k->nwrite;
    if (p->check && k->route == ROUTE_MEMORY)
        order_done(p, f);
    for (uint32_t i = 0; i < k->nwrite; i++) {
        if (p->sm->ops->result && p->sm->ops->result(p->operands, f, i))
            l->writes_left--;
        else
            banks_queue_result(p, f, i);
    }
    if (!l->writes_left)
        over(p, f);
}

void flight_written(struct part *p, uint32_t f, uint32_t i)
{
    if (p->check)
        check_write(p, f, i);
    if (p->sm->ops->write)
        p->sm->ops->write(p->operands, f, i, p->sm->now);
    if (--p->flights[f].writes_left == 0)
        over(p, f);
}
