/* Clusters of CTAs: whose shared memory an address means. */
#include "exec/run.h"

unsigned char *shared_host(const struct run *r, const struct warp *w, uint32_t addr, uint32_t n,
                           struct cta **cta)
{
    struct cta *c = w->cta;
    uint32_t rank1 = addr >> 24, at = addr & 0xffffff;
    if (rank1 && rank1 != c->rank + 1) {
        if (!c->cluster || rank1 > c->cluster->n)
            return NULL;
        c = c->cluster->ctas[rank1 - 1];
    }
    if (cta)
        *cta = c;
    return at + n <= r->shared_b ? c->shared + at : NULL;
}
