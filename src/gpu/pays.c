/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/pays.h"

/* A verdict is over a few of the time slices that systems give to threads; after each failure in a row it is asked for half as
 * often. */
enum { VERDICT_ROUNDS = 16, VERDICT_NS = 10000000, MAX_DOUBLINGS = 6 };

bool pays_call(struct pays *p)
{
    if (!p->alone)
        return true;
    p->alone--;
    return false;
}

void pays_note(struct pays *p, uint32_t own, uint64_t own_ns, uint32_t helped, uint64_t lost_ns)
{
    p->rounds++;
    p->own += own;
    p->own_ns += own_ns;
    p->helped += helped;
    p->lost_ns += lost_ns;
    if (p->rounds < VERDICT_ROUNDS || p->own_ns + p->lost_ns < VERDICT_NS)
        return;
    /* What others did would have taken the caller as long as its own items did. Without any of those it did nothing but wait:
     * then there is no telling, and nothing to lose. */
    double saved = p->own ? (double)p->own_ns / (double)p->own * (double)p->helped : (double)p->lost_ns;
    if (saved < (double)p->lost_ns) {
        p->alone = p->rounds << (p->failures < MAX_DOUBLINGS ? p->failures : MAX_DOUBLINGS);
        p->failures++;
    } else {
        p->failures = 0;
    }
    p->rounds = p->own = p->own_ns = p->helped = p->lost_ns = 0;
}
