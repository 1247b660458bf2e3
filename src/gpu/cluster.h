/* SPDX-License-Identifier: Apache-2.0 */
/* Clusters: their CTAs start together, each on an SM of its own, all of them of one GPC (a part of the GPU with a network of its
 * own between its SMs). Which SMs a GPC has, and who of them gets a cluster. */
#ifndef GPU_CLUSTER_H
#define GPU_CLUSTER_H

#include "gpu/gpu.h"

struct gpcs {
    uint32_t n;
    uint32_t *of;   /* by SM */
    uint32_t *size; /* SMs, by GPC */
    uint32_t next;  /* GPC that has its turn */
};

void gpcs_init(struct gpcs *g, const struct gpu_cfg *c);
void gpcs_free(struct gpcs *g);

/* NULL, or why clusters of n CTAs are never placed (in the arena). */
const char *cluster_never(const struct gpu_conf *c, const struct share_ops *share, uint32_t n,
                          struct arena *a);

/* SMs for n CTAs, by rank. False: no GPC has room for all of them now. */
bool cluster_place(struct gpcs *g, const struct sm_need *need, uint32_t n, struct sm *const *sms,
                   uint32_t nsm, uint32_t to[TR_CLUSTER_MAX]);

/* The CTA of a rank of a launch's cluster: its number in the grid. */
uint64_t cluster_cta(const struct tr_launch *l, uint64_t cluster, uint32_t rank);

#endif
