/* SPDX-License-Identifier: Apache-2.0 */
#include "sm/async/inside.h"

struct async *async_of(struct sm *s)
{
    if (s->async)
        return s->async;
    struct async *a = xcalloc(1, sizeof *a);
    uint32_t warps = s->cfg->partitions * s->cfg->warps;
    a->s = s;
    a->ctas = xcalloc(s->cfg->ctas, sizeof *a->ctas);
    a->warps = xcalloc(warps, sizeof *a->warps);
    for (uint32_t i = 0; i < warps; i++)
        a->warps[i].waits = NONE16;
    a->free_later = a->free_job = a->free_cast = UINT32_MAX;
    s->async = a;
    for (uint32_t i = 0; i < s->cfg->ctas; i++)
        if (s->ctas.at[i].used)
            async_begin(s, i);
    copy_init(a);
    return a;
}

void async_free(struct sm *s)
{
    struct async *a = s->async;
    if (!a)
        return;
    for (uint32_t i = 0; i < s->cfg->ctas; i++)
        objects_free(&a->ctas[i]);
    free(a->ctas);
    free(a->warps);
    vec_free(&a->later);
    copy_free(a);
    free(a);
}

void async_begin(struct sm *s, uint32_t slot)
{
    struct async *a = s->async;
    const struct sm_cta *c = &s->ctas.at[slot];
    objects_free(&a->ctas[slot]);
    a->ctas[slot] = (struct async_cta){.serial = c->serial};
    for (uint32_t i = 0; i < c->need.warps; i++)
        *async_warp(a, &s->parts[c->warps[i] >> 8], c->warps[i] & 255) = (struct async_warp){.waits = NONE16};
}

void async_fetched(struct sm *s, const struct tr_insn *i, const struct tr_step *step, struct ientry *e)
{
    uint64_t *to = lines_take_block(s, &e->lines);
    if (i->nparam) {
        tr_params(i, step, to);
        for (uint32_t k = i->nparam; k < TR_PARAMS; k++)
            to[k] = 0; /* traces of other makers have fewer */
    } else {
        _Static_assert(2 * TR_LANES <= MAX_LINES, "addresses and values");
        tr_expand(&step->addr[0], step->mask, to);
        tr_expand(&step->addr[1], step->mask, to + TR_LANES);
    }
}

void async_issue(struct part *p, uint32_t w, struct ientry *e, uint64_t t)
{
    switch ((enum route)e->k->route) {
    case ROUTE_OBJECT: object_issue(p, w, e, t); break;
    case ROUTE_COPY: copy_issue(p, w, e, t); break;
    default: product_issue(p, w, e, t); break;
    }
    lines_free(p->sm, &e->lines);
}

void async_later(struct async *a, uint64_t t, struct later l)
{
    uint32_t i = a->free_later;
    if (i == UINT32_MAX) {
        i = a->later.n;
        vec_push(&a->later, l);
    } else {
        a->free_later = a->later.at[i].next;
        a->later.at[i] = l;
    }
    event_at(a->s, t, EV_ASYNC, 0, i);
}

void async_object(struct sm *s, uint32_t slot, uint32_t at, uint32_t op, uint32_t value, uint64_t t)
{
    struct async *a = async_of(s);
    async_later(a, t + s->cfg->object_cyc,
                (struct later){.kind = LATER_OBJECT,
                               .op = (uint8_t)op,
                               .slot = slot,
                               .serial = a->ctas[slot].serial,
                               .at = at,
                               .value = value});
}

void async_event(struct sm *s, uint32_t arg, uint64_t t)
{
    struct async *a = s->async;
    struct later l = a->later.at[arg];
    a->later.at[arg].next = a->free_later;
    a->free_later = arg;
    if (l.kind == LATER_COPIED)
        copy_finish(a, l.at, t);
    else if (l.kind == LATER_CAST)
        cast_finish(a, l.at, t);
    else if (a->ctas[l.slot].serial == l.serial)
        object_apply(a, &l, t);
}

void async_reply(struct sm *s, uint32_t tag, uint64_t t) { copy_reply(s->async, tag, t); }

void async_sleep(struct part *p, uint32_t w) { p->warps[w].at_object = true; }

void async_wake(struct part *p, uint32_t w, uint32_t cyc, uint64_t t)
{
    p->warps[w].at_object = false;
    sm_warp_hold(p, w, BLOCK_BARRIER, cyc, t);
    sm_warp_refresh(p, w);
    part_wake(p, t);
}
