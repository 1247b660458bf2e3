/* Requests of a window come to the inputs of their slices: SM by SM, each SM's by cycle. They are put in order: by cycle, those
 * of one cycle by SM. */
#include "mem/part.h"

#include <assert.h>

/* So many are put where they belong at once; if more come in a window, all of them are sorted when the last one has come. */
enum { FEW = 16 };

/* It belongs before some of those that have come in this window. */
ASIDE static void insert(struct input *in, const struct mem_req *a)
{
    if (in->come > FEW) {
        in->mixed = true;
        return;
    }
    struct mem_req *q = in->q.at, *to, *before;
    uint32_t last = in->q.cap - 1, i = in->q.head + in->q.n - 1, first = i - (in->come - 1);
    uint64_t at = a->at;
    for (to = &q[i & last]; i != first && (before = &q[(i - 1) & last])->at > at; i--, to = before)
        *to = *before;
    *to = *a;
}

void mpart_push(struct mpart *p, uint32_t slice, const struct mem_req *a)
{
    struct input *in = &p->slices[slice].in;
    ring_push(&in->q, *a);
    in->come++;
    if (a->at < in->last)
        insert(in, a);
    else
        in->last = a->at;
    p->stats[MS_icnt_requests]++;
    p->stats[MS_icnt_request_b] += packet_b(a);
    p->arrived = true;
}

/* A cycle has the places from where those of earlier cycles end. */
ASIDE static void sort(struct mpart *p, struct input *in)
{
    uint32_t n = in->come, last = in->q.cap - 1, begin = in->q.head + in->q.n - n, at[MAX_WINDOW + 1];
    vec_reserve(&p->unsorted, n);
    memset(at, 0, sizeof *at * (1 + mem_window(p->cfg)));
    uint64_t first = UINT64_MAX, end = 0;
    for (uint32_t i = 0; i < n; i++) {
        p->unsorted.at[i] = in->q.at[(begin + i) & last];
        first = sooner(first, p->unsorted.at[i].at);
        end = later(end, p->unsorted.at[i].at);
    }
    assert(end - first < MAX_WINDOW);
    for (uint32_t i = 0; i < n; i++)
        at[p->unsorted.at[i].at - first + 1]++;
    for (uint32_t i = 0; i < end - first; i++)
        at[i + 1] += at[i];
    for (uint32_t i = 0; i < n; i++)
        in->q.at[(begin + at[p->unsorted.at[i].at - first]++) & last] = p->unsorted.at[i];
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
