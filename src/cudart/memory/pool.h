/* SPDX-License-Identifier: Apache-2.0 */
/* Memory in the order of a stream: pools (cudaMallocAsync) and graph memory (allocation nodes).
 *
 * Addresses are never given out twice (exec/memory/memory.h), so a pool orders nothing; what is left of it are its statistics.
 * Graph memory has its address from the moment the node is made, as CUDA promises, and its contents from then on too. */
#ifndef CUDART_POOL_H
#define CUDART_POOL_H

#include "cudart/rt.h"

struct rt_pool {
    struct rt_obj obj;
    uint64_t used_b, used_high_b, reserved_b, reserved_high_b;
    uint64_t threshold_b; /* keeps so much at synchronisation */
    uint64_t max_b;       /* 0: no bound */
    int reuse[3];         /* follow events, opportunistic, internal dependencies: kept, without effect */
    enum cudaMemAccessFlags access;
    bool destroyed; /* freed with its last allocation */
};

/* One allocation of a pool, or of graphs (pool NULL). */
struct rt_pool_mem {
    uint64_t addr, size_b;
    struct rt_pool *pool;
    uint32_t refs; /* graph memory: nodes that allocate it */
    bool live;     /* graph memory: allocated now */
};

struct rt_pools {
    struct rt_pool *standard, *current;
    VEC(struct rt_pool *) all;
    struct rt_map mems; /* struct rt_pool_mem by address */
    uint64_t graph_used_b, graph_used_high_b, graph_reserved_b, graph_reserved_high_b;
};

struct rt_pools *pools(struct rt *rt); /* made at the first call */
/* From a pool, now. *addr 0: error. */
cudaError_t pool_alloc(struct rt *rt, struct rt_pool *p, uint64_t size_b, uint64_t *addr);
/* Is it memory of a pool or of a graph? For cudaFree, which frees that, too. */
bool rt_pool_owns(struct rt *rt, uint64_t addr);
/* False: addr is neither, or graph memory that is not allocated now. */
bool rt_pool_free(struct rt *rt, uint64_t addr);
/* All memory was freed (cudaDeviceReset). */
void rt_pool_reset(struct rt *rt);
/* The host has waited: pools give back what they need not keep. */
void rt_pool_synchronized(struct rt *rt);

/* pool_graph.c */
uint64_t pool_graph_alloc(struct rt *rt, uint64_t size_b); /* an address; 0: no room. One reference */
void pool_graph_ref(struct rt *rt, uint64_t addr);
void pool_graph_unref(struct rt *rt, uint64_t addr);
bool pool_is_graph_memory(struct rt *rt, uint64_t addr);
bool pool_graph_free(struct rt *rt, struct rt_pool_mem *m); /* false: not allocated */
/* May the graph be launched? Not while what it allocates is allocated, unless it is to be freed first. */
cudaError_t pool_graph_ready(struct rt *rt, const struct rt_graph *g, bool free_first);

#endif
