/* Dispatch to the units, and results. */
#include "sm/core.h"

uint32_t flight_new(struct part *p)
{
    uint32_t f = p->free_flight;
    if (f == UINT32_MAX) {
        uint32_t n = p->nflights ? p->nflights * 2 : 32;
        p->flights = xrealloc(p->flights, sizeof *p->flights * n);
        memset(p->flights + p->nflights, 0, sizeof *p->flights * (n - p->nflights));
        for (uint32_t i = n; i-- > p->nflights;) {
            p->flights[i].i.lines.block = NONE16; /* a list without lines has no block */
            p->flights[i].next = p->free_flight;
            p->free_flight = i;
        }
        p->nflights = n;
        f = p->free_flight;
    }
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
static bool lsu_takes(const struct part *p, uint32_t f)
{
    const struct flight *l = &p->flights[f];
    return l->turn == p->warps[l->warp].mem_left && p->sm->lsu_ops->room(p->sm->lsu, p->id, f);
}

uint64_t flight_earliest(const struct part *p, uint32_t f)
{
    const struct kinsn *k = p->flights[f].i.k;
    uint64_t t = NEVER;
    if (k->route == ROUTE_MEMORY && !lsu_takes(p, f))
        return NEVER; /* lsu_freed wakes the partition, or the one before it leaves */
    for (uint32_t i = 0; i < p->sm->units[k->unit]; i++)
        t = p->unit_free[k->unit][i] < t ? p->unit_free[k->unit][i] : t;
    return t;
}

bool flight_dispatch(struct part *p, uint32_t f, uint64_t t)
{
    struct flight *l = &p->flights[f];
    const struct kinsn *k = l->i.k;
    uint64_t *unit = p->unit_free[k->unit];
    uint32_t n = p->sm->units[k->unit];
    while (n && *unit > t) {
        unit++;
        n--;
    }
    if (!n || (k->route == ROUTE_MEMORY && !lsu_takes(p, f)))
        return false;
    *unit = t + k->ii;
    l->in_collector = false;
    sm_warp_operands_read(p, l->warp, f);
    if (k->route == ROUTE_MEMORY) {
        p->warps[l->warp].mem_left++;
        p->sm->lsu_ops->push(p->sm->lsu, p->id, f);
    } else {
        event_at(p->sm, t + k->exec_cyc, EV_RESULT, p->id, f);
    }
    return true;
}

static void written(struct part *p, uint32_t f)
{
    struct flight *l = &p->flights[f];
    if (l->writes_left)
        return;
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
    written(p, f);
}

void flight_written(struct part *p, uint32_t f, uint32_t i)
{
    if (p->check)
        check_write(p, f, i);
    if (p->sm->ops->write)
        p->sm->ops->write(p->operands, f, i, p->sm->now);
    p->flights[f].writes_left--;
    written(p, f);
}
