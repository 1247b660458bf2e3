/* SPDX-License-Identifier: Apache-2.0 */
/* What an SM will touch in its turn comes into the host's cache while others have theirs: step by step, since each step reads
 * what the one before it has brought. */
#include "sm/l1/replies.h"

static void expect_from(const void *first, const void *last)
{
    for (const char *at = first; at <= (const char *)last; at += HOST_LINE_B)
        __builtin_prefetch(at, 1);
}

void sm_expect(const struct sm *s) { expect_from(s, &s->l1.clients); }

void sm_expect_parts(const struct sm *s, const mem_replies *in)
{
    for (const struct part *p = s->parts, *end = p + s->cfg->partitions; p < end; p++) {
        expect_from(p, &p->collect.nreading);
        expect_from(&p->issued_insts, p->unit_free);
    }
    __builtin_prefetch(&s->ctas.done);
    __builtin_prefetch(&s->error);
    __builtin_prefetch(&s->stats[SS_warp_insts], 1);
    vec_each (in, r)
        if (r->tag < s->l1.mshrs.nl1)
            __builtin_prefetch(&s->l1.mshrs.at[r->tag], 1);
}

void expect_warps(const struct sm *s)
{
    enum { FEW = 8 };
    const struct mem_reply *r = &s->port.replies.at[s->port.replies.head];
    for (uint32_t n = s->port.replies.n < FEW ? s->port.replies.n : FEW; n; n--, r++) {
        const struct mshr *m = &s->l1.mshrs.at[r->tag];
        if (r->tag >= s->l1.mshrs.nl1 || m->who.client != L1_FLIGHT)
            continue;
        const struct part *p = &s->parts[m->who.part];
        const struct flight *l = &p->flights[m->who.name];
        const struct sm_warp *w = &p->warps[l->warp];
        if (l->lines_left == 1)
            expect_from(w, &w->pend_mem);
    }
}
