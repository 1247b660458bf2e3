/* SPDX-License-Identifier: Apache-2.0 */
/* Memory that graphs allocate: made with the node, given to the program's hands while it is live. */
#include "cudart/graph/graph.h"
#include "cudart/memory/pool.h"

enum { GRAPH_CHUNK_B = 2 << 20 }; /* granularity of what graphs reserve */

static struct rt_pool_mem *find(struct rt *rt, uint64_t addr)
{
    struct rt_pool_mem *m = rt->pools ? rt_map_get(&rt->pools->mems, addr) : NULL;
    return m && !m->pool ? m : NULL;
}

bool pool_is_graph_memory(struct rt *rt, uint64_t addr) { return find(rt, addr) != NULL; }

uint64_t pool_graph_alloc(struct rt *rt, uint64_t size_b)
{
    uint64_t addr = rt_alloc(rt, size_b, RM_DEVICE, 0);
    if (!addr)
        return 0;
    struct rt_pool_mem *m = xcalloc(1, sizeof *m);
    *m = (struct rt_pool_mem){.addr = addr, .size_b = (size_b + 511) / 512 * 512, .refs = 1};
    rt_map_put(&pools(rt)->mems, addr, m);
    return addr;
}

void pool_graph_ref(struct rt *rt, uint64_t addr)
{
    struct rt_pool_mem *m = find(rt, addr);
    if (m)
        m->refs++;
}

static void drop_if_unused(struct rt *rt, struct rt_pool_mem *m)
{
    if (m->refs || m->live)
        return;
    rt_map_remove(&rt->pools->mems, m->addr);
    rt_alloc_free(rt, m->addr);
    free(m);
}

void pool_graph_unref(struct rt *rt, uint64_t addr)
{
    struct rt_pool_mem *m = find(rt, addr);
    if (!m || !m->refs)
        return;
    m->refs--;
    drop_if_unused(rt, m);
}

bool pool_graph_free(struct rt *rt, struct rt_pool_mem *m)
{
    if (!m->live)
        return false;
    m->live = false;
    rt->pools->graph_used_b -= m->size_b;
    drop_if_unused(rt, m);
    return true;
}

cudaError_t rt_pool_execute(struct rt *rt, struct rt_stream *s, const struct rt_op *op)
{
    struct rt_pool_mem *m = find(rt, op->mem.addr);
    struct rt_pools *ps = pools(rt);
    (void)s;
    if (!m)
        return cudaErrorInvalidValue;
    if (op->kind == RO_FREE)
        return pool_graph_free(rt, m) ? cudaSuccess : cudaErrorInvalidValue;
    if (m->live)
        return cudaErrorInvalidValue;
    m->live = true;
    ps->graph_used_b += m->size_b;
    if (ps->graph_used_b > ps->graph_used_high_b)
        ps->graph_used_high_b = ps->graph_used_b;
    if (ps->graph_used_b > ps->graph_reserved_b)
        ps->graph_reserved_b = (ps->graph_used_b + GRAPH_CHUNK_B - 1) / GRAPH_CHUNK_B * GRAPH_CHUNK_B;
    if (ps->graph_reserved_b > ps->graph_reserved_high_b)
        ps->graph_reserved_high_b = ps->graph_reserved_b;
    return cudaSuccess;
}

cudaError_t pool_graph_ready(struct rt *rt, const struct rt_graph *g, bool free_first)
{
    vec_each (&g->nodes, n) {
        struct rt_pool_mem *m = (*n)->op.kind == RO_ALLOC ? find(rt, (*n)->op.mem.addr) : NULL;
        if (!m || !m->live)
            continue;
        if (!free_first)
            return cudaErrorInvalidValue;
        pool_graph_free(rt, m);
    }
    return cudaSuccess;
}

/* ---- API ---- */

static uint64_t *statistic(struct rt_pools *ps, int attr)
{
    switch (attr) {
    case cudaGraphMemAttrUsedMemCurrent: return &ps->graph_used_b;
    case cudaGraphMemAttrUsedMemHigh: return &ps->graph_used_high_b;
    case cudaGraphMemAttrReservedMemCurrent: return &ps->graph_reserved_b;
    case cudaGraphMemAttrReservedMemHigh: return &ps->graph_reserved_high_b;
    default: return NULL;
    }
}

RT_API cudaError_t cudaDeviceGetGraphMemAttribute(int device, enum cudaGraphMemAttributeType attr,
                                                  void *value)
{
    struct rt *rt = rt_enter(__func__);
    const uint64_t *at = statistic(pools(rt), (int)attr);
    if (device != 0)
        return rt_leave(rt, cudaErrorInvalidDevice);
    if (at && value)
        memcpy(value, at, sizeof *at);
    return rt_leave(rt, at && value ? cudaSuccess : cudaErrorInvalidValue);
}

/* High watermarks can be set back to the current value, by writing 0. */
RT_API cudaError_t cudaDeviceSetGraphMemAttribute(int device, enum cudaGraphMemAttributeType attr,
                                                  void *value)
{
    struct rt *rt = rt_enter(__func__);
    struct rt_pools *ps = pools(rt);
    if (device != 0)
        return rt_leave(rt, cudaErrorInvalidDevice);
    if (!value || *(uint64_t *)value != 0)
        return rt_leave(rt, cudaErrorInvalidValue);
    if (attr == cudaGraphMemAttrUsedMemHigh)
        ps->graph_used_high_b = ps->graph_used_b;
    else if (attr == cudaGraphMemAttrReservedMemHigh)
        ps->graph_reserved_high_b = ps->graph_reserved_b;
    else
        return rt_leave(rt, cudaErrorInvalidValue);
    return rt_leave(rt, cudaSuccess);
}

RT_API cudaError_t cudaDeviceGraphMemTrim(int device)
{
    struct rt *rt = rt_enter(__func__);
    struct rt_pools *ps = pools(rt);
    if (device != 0)
        return rt_leave(rt, cudaErrorInvalidDevice);
    ps->graph_reserved_b = (ps->graph_used_b + GRAPH_CHUNK_B - 1) / GRAPH_CHUNK_B * GRAPH_CHUNK_B;
    return rt_leave(rt, cudaSuccess);
}
