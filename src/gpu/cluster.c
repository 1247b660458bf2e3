/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/cluster.h"

#include "gpu/share/share.h"
#include "sm/onchip/onchip.h"

/* SMs come in pairs (TPCs), which are dealt to the GPCs in turn. On an H200 a cluster of 16 has SMs 2, 3, 18, 19, 34, 35, 50, 51,
 * 64, 65, 78, 79, 92, 93, 106, 107, and so on up to 14, ... 119; SMs 0, 1, 16, 17, 32, 33, 48, 49 are never in one with others
 * (silicon/async-h200.csv, places). */
enum { PAIR = 2 };

static uint32_t ngpcs(const struct gpu_cfg *c)
{
    uint32_t first = c->gpc_first_sms && c->gpc_first_sms < c->gpc_sms ? c->gpc_first_sms : c->gpc_sms;
    return c->sms <= first ? 1 : 1 + (c->sms - first + c->gpc_sms - 1) / c->gpc_sms;
}

void gpcs_init(struct gpcs *g, const struct gpu_cfg *c)
{
    *g = (struct gpcs){.n = c->gpc_sms ? ngpcs(c) : 0};
    if (!g->n)
        return;
    g->of = xcalloc(c->sms, sizeof *g->of);
    g->size = xcalloc(g->n, sizeof *g->size);
    for (uint32_t sm = 0, gpc = 0; sm < c->sms; gpc = gpc + 1 < g->n ? gpc + 1 : 0) {
        uint32_t most = !gpc && g->n > 1 && c->gpc_first_sms ? c->gpc_first_sms : c->gpc_sms;
        for (uint32_t i = 0; i < PAIR && sm < c->sms && g->size[gpc] < most; i++, g->size[gpc]++)
            g->of[sm++] = gpc;
    }
}

void gpcs_free(struct gpcs *g)
{
    free(g->of);
    free(g->size);
}

static uint32_t largest(const struct gpu_cfg *c)
{
    struct gpcs g;
    uint32_t most = 0;
    gpcs_init(&g, c);
    for (uint32_t i = 0; i < g.n; i++)
        most = g.size[i] > most ? g.size[i] : most;
    gpcs_free(&g);
    return most;
}

const char *cluster_never(const struct gpu_conf *c, const struct share_ops *share, uint32_t n,
                          struct arena *a)
{
    uint32_t window = mem_window(&c->mem), sms = largest(&c->gpu);
    if (!c->gpu.gpc_sms)
        return arena_printf(a, "clusters of %u CTAs: this GPU has none (gpu.gpc_sms = 0)", n);
    if (!share->clusters)
        return arena_printf(a, "clusters of %u CTAs: gpu.share = %s places CTAs one by one", n, share->name);
    if (onchip_find(c->sm.onchip)->pool)
        return arena_printf(a, "clusters of %u CTAs: with sm.onchip = %s no other SM reaches shared memory",
                            n, c->sm.onchip);
    if (n > sms)
        return arena_printf(a, "clusters of %u CTAs need as many SMs of a GPC, the largest has %u", n, sms);
    if (c->sm.far_cyc < window || c->sm.cluster_cyc < window)
        return arena_printf(
            a,
            "clusters of %u CTAs: sm.far_cyc = %u and sm.cluster_cyc = %u must be no less than "
            "the interconnect's latency (%u), in which SMs do not see each other",
            n, c->sm.far_cyc, c->sm.cluster_cyc, window);
    return NULL;
}

/* The SMs of a GPC that have room for a CTA, those with the fewest CTAs first. */
static uint32_t with_room(const struct gpcs *g, uint32_t gpc, const struct sm_need *need,
                          struct sm *const *sms, uint32_t nsm, uint32_t n, uint32_t *to)
{
    uint32_t found = 0, fewest = 0;
    for (bool more = true; more && found < n; fewest++) {
        more = false;
        for (uint32_t i = 0; i < nsm && found < n; i++) {
            if (g->of[i] != gpc || sm_awaits(sms[i]) || sm_nctas(sms[i]) < fewest)
                continue;
            if (sm_nctas(sms[i]) > fewest)
                more = true;
            else if (sm_has_room(sms[i], need))
                to[found++] = i;
        }
    }
    return found;
}

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

bool cluster_place(struct gpcs *g, const struct sm_need *need, uint32_t n, struct sm *const *sms,
                   uint32_t nsm, uint32_t to[TR_CLUSTER_MAX])
{
    for (uint32_t tried = 0; tried < g->n; tried++) {
        uint32_t gpc = g->next;
        g->next = gpc + 1 < g->n ? gpc + 1 : 0;
        if (g->size[gpc] < n || with_room(g, gpc, need, sms, nsm, n, to) < n)
            continue;
        qsort(to, n, sizeof *to, by_number);
        return true;
    }
    return false;
}

uint64_t cluster_cta(const struct tr_launch *l, uint64_t cluster, uint32_t rank)
{
    uint64_t at[3];
    for (uint32_t i = 0; i < 3; i++) {
        uint32_t size = l->cluster[i] ? l->cluster[i] : 1;
        uint64_t clusters = l->grid[i] / size;
        at[i] = cluster % clusters * size + rank % size;
        cluster /= clusters;
        rank /= size;
    }
    return (at[2] * l->grid[1] + at[1]) * l->grid[0] + at[0];
}
