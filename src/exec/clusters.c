/* SPDX-License-Identifier: Apache-2.0 */
/* The life of a cluster: its CTAs start together, and what one of them leaves in shared memory stays until all have ended. */
#include "exec/run.h"

struct cluster *cluster_new(struct run *r)
{
    struct cluster *k = calloc(1, sizeof *k);
    if (!k)
        return NULL;
    for (k->n = 0; k->n < r->cluster[0] * r->cluster[1] * r->cluster[2]; k->n++) {
        struct cta *c = k->ctas[k->n] = cta_new(r);
        if (!c) {
            cluster_free(k);
            return NULL;
        }
        c->cluster = k;
        c->rank = k->n;
    }
    return k;
}

void cluster_free(struct cluster *k)
{
    for (uint32_t i = 0; i < k->n; i++)
        cta_free(k->ctas[i]);
    free(k);
}

/* Clusters are numbered as CTAs are, x first; so are the CTAs in one. */
void cluster_start(struct run *r, struct cluster *k, uint64_t index)
{
    const uint32_t *grid = r->l->grid, *size = r->cluster;
    uint64_t nx = grid[0] / size[0], ny = grid[1] / size[1];
    uint64_t at[3] = {index % nx, index / nx % ny, index / nx / ny};
    k->ndone = 0;
    for (uint32_t i = 0; i < k->n; i++) {
        uint64_t x = at[0] * size[0] + i % size[0], y = at[1] * size[1] + i / size[0] % size[1];
        uint64_t z = at[2] * size[2] + i / size[0] / size[1];
        cta_start(r, k->ctas[i], x + grid[0] * (y + grid[1] * z));
    }
}

bool cluster_runs(const struct run *r, const struct cta *c)
{
    for (uint32_t i = 0; i < c->cluster->n; i++) {
        const struct cta *o = c->cluster->ctas[i];
        if (o != c && cta_count(r, o, WARP_READY))
            return true;
    }
    return false;
}

bool cluster_spins(const struct run *r, const struct cta *c)
{
    for (uint32_t i = 0; i < c->cluster->n; i++)
        if (cta_count(r, c->cluster->ctas[i], WARP_SPINS))
            return true;
    return false;
}

bool cluster_let_go(struct run *r, const struct cta *c)
{
    bool any = false;
    for (uint32_t i = 0; i < c->cluster->n; i++)
        any |= cta_let_go(r, c->cluster->ctas[i]);
    return any;
}
