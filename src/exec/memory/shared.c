/* SPDX-License-Identifier: Apache-2.0 */
/* Whose shared memory an address means. Bits 24 to 31 are 0 for the executing CTA, else 1 + the rank of a CTA of its cluster; in
 * NVIDIA's code they are the rank. */
#include "exec/run.h"

unsigned char *shared_host(const struct run *r, const struct warp *w, uint32_t addr, uint32_t n,
                           struct cta **cta)
{
    struct cta *c = w->cta;
    uint32_t rank1 = shared_name(r, w, addr) >> SHARED_RANK_BIT, at = addr & SHARED_OFFSET;
    if (rank1 > c->cluster->n || (uint64_t)at + n > r->shared_b)
        return NULL;
    if (rank1)
        c = c->cluster->ctas[rank1 - 1];
    if (cta)
        *cta = c;
    return c->shared + at;
}

unsigned char *shared_own(const struct run *r, const struct warp *w, uint32_t addr, uint32_t n)
{
    struct cta *c;
    unsigned char *p = shared_host(r, w, addr, n, &c);
    return p && c == w->cta ? p : NULL;
}
