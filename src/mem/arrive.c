/* SPDX-License-Identifier: Apache-2.0 */
/* Requests come to the inputs of their slices: those of a window SM by SM, each SM's by cycle; those of two windows may have come
 * when they are looked at, of SMs that run ahead and of others. They are put in order: by cycle, those of one cycle by SM. */
#include "mem/part.h"

#include <assert.h>

/* So many are put where they belong at once; if more come, all of them are sorted when the last one has come. */
enum { FEW = 16, MAX_SPAN = 2 * MAX_WINDOW };

static inline bool comes_before(const struct mem_req *a, const struct mem_req *b)
{
    return a->at < b->at || (a->at == b->at && a->sm < b->sm);
}

/* The request at place i of the ring goes before those that it comes before, down to place `first`. */
static inline void put_back(struct input *in, uint32_t i, uint32_t first)
{
    uint32_t last = in->q.cap - 1;
    struct mem_req *q = in->q.at, *to = &q[i & last], *before = &q[(i - 1) & last];
    if (i == first || !comes_before(to, before))
        return;
    struct mem_req a = *to;
    for (; i != first && comes_before(&a, before = &q[(i - 1) & last]); i--, to = before)
        *to = *before;
    *to = a;
}

/* The last one may belong before others that have come. */
ASIDE static void insert(struct input *in)
{
    uint32_t i = in->q.head + in->q.n - 1;
    if (in->come > FEW)
        in->mixed = true;
    else
        put_back(in, i, i - (in->come - 1));
}

void mpart_push(struct mpart *p, struct input *in, const struct mem_req *a)
{
    ring_push(&in->q, *a);
    in->come++;
    if (a->at <= in->last)
        insert(in);
    else
        in->last = a->at;
    p->stats[MS_icnt_requests]++;
    p->stats[MS_icnt_request_b] += packet_b(a);
    p->arrived = true;
}

/* A cycle has the places from where those of earlier cycles end. */
ASIDE static void sort(struct mpart *p, struct input *in)
{
    uint32_t n = in->come, last = in->q.cap - 1, begin = in->q.head + in->q.n - n, at[MAX_SPAN + 1];
    vec_reserve(&p->unsorted, n);
    uint64_t first = UINT64_MAX, end = 0;
    for (uint32_t i = 0; i < n; i++) {
        p->unsorted.at[i] = in->q.at[(begin + i) & last];
        first = sooner(first, p->unsorted.at[i].at);
        end = later(end, p->unsorted.at[i].at);
    }
    assert(end - first < MAX_SPAN);
    memset(at, 0, sizeof *at * (2 + end - first));
    for (uint32_t i = 0; i < n; i++)
        at[p->unsorted.at[i].at - first + 1]++;
    for (uint32_t i = 0; i < end - first; i++)
        at[i + 1] += at[i];
    for (uint32_t i = 0; i < n; i++)
        in->q.at[(begin + at[p->unsorted.at[i].at - first]++) & last] = p->unsorted.at[i];
    for (uint32_t i = 1; i < n; i++)
        put_back(in, begin + i, begin);
    in->mixed = false;
}

void mpart_arrive(struct mpart *p)
{
    for (struct slice *s = p->slices, *end = s + p->nslices; s < end; s++) {
        struct input *in = &s->in;
        if (!in->come)
            continue;
        if (in->mixed)
            sort(p, in);
        uint32_t before = in->q.n - in->come;
        in->come = 0;
        if (before > 1)
            continue;
        if (!before) {
            input_expect(s, in, 0, false);
            slice_due(p, s, serve_next(s, in));
        }
        if (in->q.n > 1)
            input_expect(s, in, 1, false);
    }
    p->next = sooner(p->next, p->slices_next);
    p->arrived = false;
}
