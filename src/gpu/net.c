/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/net.h"

void net_free(struct net *n) { vec_free(&n->heap); }

static bool before(const struct net_msg *a, const struct net_msg *b)
{
    return a->m.at != b->m.at ? a->m.at < b->m.at : a->number < b->number;
}

static void push(struct net *n, const struct net_msg *m)
{
    uint32_t i = n->heap.n;
    vec_push(&n->heap, *m);
    for (; i && before(m, &n->heap.at[(i - 1) / 2]); i = (i - 1) / 2)
        n->heap.at[i] = n->heap.at[(i - 1) / 2];
    n->heap.at[i] = *m;
}

static struct net_msg pop(struct net *n)
{
    struct net_msg top = n->heap.at[0], last = n->heap.at[--n->heap.n];
    uint32_t i = 0;
    for (uint32_t k; (k = 2 * i + 1) < n->heap.n; i = k) {
        k += k + 1 < n->heap.n && before(&n->heap.at[k + 1], &n->heap.at[k]);
        if (!before(&n->heap.at[k], &last))
            break;
        n->heap.at[i] = n->heap.at[k];
    }
    if (n->heap.n)
        n->heap.at[i] = last;
    return top;
}

void net_take(struct net *n, struct sm *from)
{
    vec_each (sm_far_sent(from), m)
        push(n, &(struct net_msg){.m = *m, .number = n->taken++});
    vec_clear(sm_far_sent(from));
}

bool net_pop(struct net *n, uint64_t until, struct far_msg *m)
{
    if (net_next(n) >= until)
        return false;
    *m = pop(n).m;
    return true;
}

uint64_t net_next(const struct net *n) { return n->heap.n ? n->heap.at[0].m.at : UINT64_MAX; }

void net_cast(struct sm **sms, uint32_t nsm, mem_replies *replies)
{
    for (uint32_t sm = 0; sm < nsm; sm++)
        vec_each (&replies[sm], r) {
            bool last = false, receives = true;
            struct far_cast *c = sm_cast(sms[sm], r, &last, &receives);
            for (uint32_t i = 0; c && i < c->n; i++)
                vec_push(&replies[c->to[i].sm], sm_cast_give(sms[c->to[i].sm], c, i, r, last));
            if (!receives)
                r->sectors = 0; /* an SM that asks for others only has the packet without data */
        }
}
