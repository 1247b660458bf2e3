/* SPDX-License-Identifier: Apache-2.0 */
/* Bulk copies that other CTAs of the cluster receive. One that memory sends to several SMs (multicast) is asked for once, by the
 * SM whose warp wants it, and each line's reply comes to all of them in the same cycle, through the port of each; a CTA's object
 * has the bytes when the last line is there. One from shared memory to that of another CTA goes through the network between
 * SMs. */
#include "sm/async/inside.h"

struct far_cast *sm_cast(struct sm *s, const struct mem_reply *r, bool *last, bool *own)
{
    if (!(r->tag & L1_COPY) || !(r->tag & L1_CAST))
        return NULL;
    struct job *j = &s->async->jobs.at[r->tag & ~(uint32_t)(L1_COPY | L1_CAST)];
    *last = ++j->cast->lines == j->sent && j->asked;
    *own = j->own;
    return j->cast;
}

static uint32_t new_cast(struct async *a, const struct casted *c)
{
    uint32_t n = a->free_cast;
    if (n == UINT32_MAX) {
        n = a->casts.n;
        vec_push(&a->casts, *c);
    } else {
        a->free_cast = a->casts.at[n].next;
        a->casts.at[n] = *c;
    }
    return n;
}

struct mem_reply sm_cast_give(struct sm *s, struct far_cast *c, uint32_t i, const struct mem_reply *r,
                              bool last)
{
    struct async *a = async_of(s);
    if (!c->entry[i])
        c->entry[i] = 1 + new_cast(a, &(struct casted){.slot = c->to[i].slot,
                                                       .serial = c->to[i].serial,
                                                       .object = c->object,
                                                       .bytes = c->bytes});
    struct casted *x = &a->casts.at[c->entry[i] - 1];
    x->left++;
    x->closed = last;
    struct mem_reply own = *r;
    own.tag = L1_CAST | (c->entry[i] - 1);
    own.sm = (uint16_t)s->id;
    return own;
}

void async_cast_reply(struct sm *s, uint32_t tag, uint64_t t)
{
    struct async *a = s->async;
    uint32_t n = tag & ~(uint32_t)L1_CAST;
    struct casted *x = &a->casts.at[n];
    if (--x->left || !x->closed)
        return;
    async_later(a, t + s->cfg->copy_done_cyc, (struct later){.kind = LATER_CAST, .at = n});
}

void cast_finish(struct async *a, uint32_t n, uint64_t t)
{
    struct casted x = a->casts.at[n];
    a->casts.at[n].next = a->free_cast;
    a->free_cast = n;
    if (a->ctas[x.slot].serial == x.serial)
        object_bytes(a, x.slot, x.object, x.bytes, t);
}

void cast_receivers(struct job *j, const struct sm_cta *c, uint32_t ranks)
{
    uint32_t all = c->cluster ? (1u << c->cluster->n) - 1 : 1;
    if (!(ranks & all))
        ranks = 1u << far_rank(c, j->object);
    ranks &= all;
    j->object &= FAR_OFFSET;
    j->own = ranks >> far_own(c) & 1;
    ranks &= ~(1u << far_own(c));
    if (!ranks)
        return;
    j->cast = xcalloc(1, sizeof *j->cast);
    j->cast->object = j->object;
    j->cast->bytes = j->bytes;
    for (; ranks; ranks &= ranks - 1)
        j->cast->to[j->cast->n++] = c->cluster->at[__builtin_ctz(ranks)];
}

void cast_between(struct sm *s, const struct sm_cta *c, const struct job *j, uint64_t t)
{
    uint64_t from = t + s->cfg->copy_cyc > s->far.copy_port ? t + s->cfg->copy_cyc : s->far.copy_port;
    s->far.copy_port = from + (j->bytes + s->cfg->far_b - 1) / s->cfg->far_b;
    s->stats[SS_far_b] += j->bytes;
    far_send(s, c, far_rank(c, j->object),
             &(struct far_msg){.at = s->far.copy_port + s->cfg->far_cyc,
                               .kind = FAR_OBJECT,
                               .op = TMB_COMPLETE,
                               .object = j->object & FAR_OFFSET,
                               .value = j->bytes});
}

void cast_nothing(struct sm *s, const struct job *j, uint64_t t)
{
    for (uint32_t i = 0; j->cast && i < j->cast->n; i++)
        far_send_to(s, &j->cast->to[i],
                    &(struct far_msg){.at = t + s->cfg->copy_cyc + s->cfg->far_cyc,
                                      .kind = FAR_OBJECT,
                                      .op = TMB_COMPLETE,
                                      .object = j->object,
                                      .value = j->bytes});
}
