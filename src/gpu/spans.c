/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/spans.h"

void spans_begin(struct spans *s, uint32_t launch, uint64_t at)
{
    vec_push(&s->open, (struct span){.launch = launch, .from = at, .to = UINT64_MAX});
}

void spans_end(struct spans *s, uint32_t launch, uint64_t at)
{
    vec_each (&s->open, k)
        if (k->launch == launch)
            k->to = at;
}

void spans_settle(struct spans *s, uint64_t until)
{
    uint64_t counted = s->settled;
    uint32_t left = 0;
    vec_each (&s->open, k) {
        uint64_t from = k->from > counted ? k->from : counted, to = k->to < until ? k->to : until;
        if (to > from) {
            s->cycles += to - from;
            counted = to;
        }
        if (k->to > until)
            s->open.at[left++] = *k;
    }
    s->open.n = left;
    s->settled = until;
}

uint64_t spans_upto(const struct spans *s, uint64_t at)
{
    return s->cycles + (s->open.n ? at - s->settled : 0);
}

void spans_free(struct spans *s) { vec_free(&s->open); }
