/* Dispatch to the units, results, and write-back into the register banks. */
#include "sm/core.h"

uint32_t flight_new(struct part *p)
{
    uint32_t f = p->free_flight;
    if (f == UINT32_MAX) {
        uint32_t n = p->nflights ? p->nflights * 2 : 32;
        p->flights = xrealloc(p->flights, sizeof *p->flights * n);
        memset(p->flights + p->nflights, 0, sizeof *p->flights * (n - p->nflights));
        for (uint32_t i = n; i-- > p->nflights;) {
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
    struct warp *w = &p->warps[l->warp];
    lines_free(p->sm, &l->i.lines);
    l->next = p->free_flight;
    p->free_flight = f;
    w->in_flight--;
    if (warp_over(w))
        cta_warp_ended(p, l->warp, p->sm->now);
}

uint64_t exec_next(const struct part *p, uint32_t f)
{
    const struct kinsn *k = p->flights[f].i.k;
    uint64_t t = NEVER;
    if (k->route == ROUTE_MEMORY && !p->sm->lsu_ops->room(p->sm->lsu))
        return NEVER; /* lsu_freed wakes the partition */
    for (uint32_t i = 0; i < p->sm->units[k->unit]; i++)
        t = p->unit_free[k->unit][i] < t ? p->unit_free[k->unit][i] : t;
    return t;
}

bool exec_dispatch(struct part *p, uint32_t f, uint64_t t)
{
    struct flight *l = &p->flights[f];
    const struct kinsn *k = l->i.k;
    uint64_t *unit = p->unit_free[k->unit];
    uint32_t n = p->sm->units[k->unit];
    while (n && *unit > t) {
        unit++;
        n--;
    }
    if (!n || (k->route == ROUTE_MEMORY && !p->sm->lsu_ops->room(p->sm->lsu)))
        return false;
    *unit = t + k->ii;
    l->in_collector = false;
    warp_operands_read(p, l->warp, f);
    if (k->route == ROUTE_MEMORY)
        p->sm->lsu_ops->push(p->sm->lsu, p->id, f);
    else
        event_at(p->sm, t + k->exec_cyc, EV_RESULT, p->id, f);
    return true;
}

/* The result is there: its registers queue for their banks; predicates have ports of their own. */
void exec_result(struct part *p, uint32_t f)
{
    struct flight *l = &p->flights[f];
    const struct kinsn *k = l->i.k;
    l->writes_left = k->nwrite;
    if (!k->nwrite) {
        warp_result(p, l->warp, k);
        flight_free(p, f);
        return;
    }
    for (uint32_t i = 0; i < k->nwrite; i++) {
        uint32_t b = bank_of(p, k->write_bank[i], l->warp);
        vec_push(&p->writes[b].q, f << 4 | i);
        p->write_banks |= 1ull << b;
    }
}

void exec_writeback(struct part *p)
{
    p->bank_used = p->sm->cfg->bank_write_port ? 0 : p->write_banks;
    for (uint64_t m = p->write_banks; m; m &= m - 1) {
        uint32_t b = (uint32_t)__builtin_ctzll(m);
        struct wqueue *q = &p->writes[b];
        uint32_t f = q->q.at[q->head] >> 4, i = q->q.at[q->head] & 15;
        q->head++;
        if (q->head == q->q.n) {
            q->head = 0;
            vec_clear(&q->q);
            p->write_banks &= ~(1ull << b);
        }
        p->bank_counts[b].writes++;
        if (p->check)
            check_write(p, f, i);
        if (p->sm->ops->write)
            p->sm->ops->write(p->operands, f, i, p->sm->now);
        struct flight *l = &p->flights[f];
        if (--l->writes_left == 0) {
            warp_result(p, l->warp, l->i.k);
            flight_free(p, f);
        }
    }
}
