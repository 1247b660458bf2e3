/* SPDX-License-Identifier: Apache-2.0 */
/* Memory pools: cudaMallocAsync and its relatives. */
#include "cudart/memory/pool.h"
#include "cudart/graph/graph.h"

enum {
    POOL_ALIGN_B = 512,     /* what allocations are rounded to */
    POOL_CHUNK_B = 32 << 20 /* what a pool takes from the device at once */
};

static struct rt_pool *pool_new(struct rt *rt)
{
    struct rt_pool *p = xcalloc(1, sizeof *p);
    p->reuse[0] = p->reuse[1] = p->reuse[2] = 1;
    p->access = cudaMemAccessFlagsProtReadWrite;
    rt_obj_add(rt, &p->obj, RK_POOL);
    vec_push(&rt->pools->all, p);
    return p;
}

struct rt_pools *pools(struct rt *rt)
{
    if (!rt->pools) {
        rt->pools = xcalloc(1, sizeof *rt->pools);
        rt->pools->standard = rt->pools->current = pool_new(rt);
    }
    return rt->pools;
}

static uint64_t chunks(uint64_t n_b) { return (n_b + POOL_CHUNK_B - 1) / POOL_CHUNK_B * POOL_CHUNK_B; }

cudaError_t pool_alloc(struct rt *rt, struct rt_pool *p, uint64_t size_b, uint64_t *addr)
{
    uint64_t rounded = (size_b + POOL_ALIGN_B - 1) / POOL_ALIGN_B * POOL_ALIGN_B;
    *addr = 0;
    if (rounded < size_b || (p->max_b && (rounded > p->max_b || p->used_b > p->max_b - rounded)))
        return cudaErrorMemoryAllocation;
    *addr = rt_alloc(rt, size_b, RM_DEVICE, 0);
    if (!*addr)
        return cudaErrorMemoryAllocation;
    struct rt_pool_mem *m = xcalloc(1, sizeof *m);
    *m = (struct rt_pool_mem){.addr = *addr, .size_b = rounded, .pool = p};
    rt_map_put(&pools(rt)->mems, *addr, m);
    p->used_b += rounded;
    if (p->used_b > p->used_high_b)
        p->used_high_b = p->used_b;
    if (p->used_b > p->reserved_b)
        p->reserved_b = chunks(p->used_b);
    if (p->reserved_b > p->reserved_high_b)
        p->reserved_high_b = p->reserved_b;
    return cudaSuccess;
}

static void pool_release(struct rt *rt, struct rt_pool *p)
{
    struct rt_pools *ps = rt->pools;
    for (uint32_t i = 0, kept = 0, n = ps->all.n; i < n; i++) {
        if (ps->all.at[i] != p)
            ps->all.at[kept++] = ps->all.at[i];
        ps->all.n = kept;
    }
    free(p);
}

bool rt_pool_owns(struct rt *rt, uint64_t addr) { return rt->pools && rt_map_get(&rt->pools->mems, addr); }

void rt_pool_reset(struct rt *rt)
{
    struct rt_pools *ps = rt->pools;
    if (!ps)
        return;
    for (uint32_t i = 0; i < ps->mems.cap; i++) {
        if (ps->mems.slots[i].key)
            free(ps->mems.slots[i].value);
    }
    rt_map_free(&ps->mems);
    ps->mems = (struct rt_map){0};
    ps->graph_used_b = ps->graph_reserved_b = 0;
    ps->current = ps->standard;
    for (uint32_t i = ps->all.n; i-- > 0;) {
        struct rt_pool *p = ps->all.at[i];
        p->used_b = p->reserved_b = 0;
        if (p->destroyed)
            pool_release(rt, p);
    }
}

bool rt_pool_free(struct rt *rt, uint64_t addr)
{
    struct rt_pool_mem *m = rt->pools ? rt_map_get(&rt->pools->mems, addr) : NULL;
    if (!m)
        return false;
    struct rt_pool *p = m->pool;
    if (!p)
        return pool_graph_free(rt, m);
    p->used_b -= m->size_b;
    rt_map_remove(&rt->pools->mems, addr);
    rt_alloc_free(rt, addr);
    free(m);
    if (p->destroyed && !p->used_b)
        pool_release(rt, p);
    return true;
}

static void trim(struct rt_pool *p, uint64_t keep_b)
{
    uint64_t least = chunks(p->used_b),
             keep = chunks(keep_b > UINT64_MAX - POOL_CHUNK_B ? p->reserved_b : keep_b);
    if (keep < least)
        keep = least;
    if (p->reserved_b > keep)
        p->reserved_b = keep;
}

void rt_pool_synchronized(struct rt *rt)
{
    if (!rt->pools)
        return;
    vec_each (&rt->pools->all, p)
        trim(*p, (*p)->threshold_b);
}

/* ---- API: allocation ---- */

static cudaError_t malloc_async(struct rt *rt, void **ptr, size_t size, struct rt_pool *p,
                                cudaStream_t stream)
{
    struct rt_stream *s = rt_stream_get(rt, stream);
    uint64_t addr;
    if (!ptr || !p)
        return cudaErrorInvalidValue;
    if (!s)
        return cudaErrorInvalidResourceHandle;
    *ptr = NULL;
    cudaError_t e = rt_capture_check(rt, s);
    if (e != cudaSuccess || !size)
        return e;
    if (s->capture) {
        addr = pool_graph_alloc(rt, size);
        struct rt_op op = {.kind = RO_ALLOC, .mem = {.addr = addr, .size_b = size}};
        e = addr ? rt_capture_add(rt, s, &op) : cudaErrorMemoryAllocation;
    } else {
        e = pool_alloc(rt, p, size, &addr);
    }
    *ptr = (void *)(uintptr_t)addr;
    return e;
}

RT_API cudaError_t cudaMallocAsync(void **ptr, size_t size, cudaStream_t stream)
{
    struct rt *rt = rt_enter(__func__);
    return rt_leave(rt, malloc_async(rt, ptr, size, pools(rt)->current, stream));
}

RT_API cudaError_t cudaMallocFromPoolAsync(void **ptr, size_t size, cudaMemPool_t pool, cudaStream_t stream)
{
    struct rt *rt = rt_enter(__func__);
    return rt_leave(rt, malloc_async(rt, ptr, size, rt_obj_get(rt, pool, RK_POOL), stream));
}

/* Also frees what cudaMalloc gave, as CUDA allows; then without waiting for the device. */
static cudaError_t free_async(struct rt *rt, void *ptr, cudaStream_t stream)
{
    struct rt_stream *s = rt_stream_get(rt, stream);
    uint64_t addr = (uintptr_t)ptr;
    if (!s)
        return cudaErrorInvalidResourceHandle;
    cudaError_t e = rt_capture_check(rt, s);
    if (e != cudaSuccess || !ptr)
        return e;
    if (s->capture) {
        struct rt_op op = {.kind = RO_FREE, .mem.addr = addr};
        return pool_is_graph_memory(rt, addr) ? rt_capture_add(rt, s, &op) : cudaErrorInvalidValue;
    }
    if (rt_pool_free(rt, addr))
        return cudaSuccess;
    const struct rt_alloc *a = rt_alloc_at(rt, addr);
    if (!a || a->base != addr || a->kind != RM_DEVICE || pool_is_graph_memory(rt, addr))
        return cudaErrorInvalidValue;
    rt_alloc_free(rt, addr);
    return cudaSuccess;
}

RT_API cudaError_t cudaFreeAsync(void *ptr, cudaStream_t stream)
{
    struct rt *rt = rt_enter(__func__);
    return rt_leave(rt, free_async(rt, ptr, stream));
}

/* ---- API: pools ---- */

static cudaError_t create(struct rt *rt, cudaMemPool_t *out, const struct cudaMemPoolProps *props)
{
    if (!out || !props || props->allocType != cudaMemAllocationTypePinned)
        return cudaErrorInvalidValue;
    if (props->location.type != cudaMemLocationTypeDevice)
        return rt_unsupported(rt, rt->call, "pools of host memory");
    if (props->location.id != 0)
        return cudaErrorInvalidDevice;
    if (props->handleTypes != cudaMemHandleTypeNone)
        return rt_unsupported(rt, rt->call, "pools that other processes can use (handleTypes)");
    pools(rt);
    struct rt_pool *p = pool_new(rt);
    p->max_b = props->maxSize;
    *out = (cudaMemPool_t)p;
    return cudaSuccess;
}

RT_API cudaError_t cudaMemPoolCreate(cudaMemPool_t *out, const struct cudaMemPoolProps *props)
{
    struct rt *rt = rt_enter(__func__);
    return rt_leave(rt, create(rt, out, props));
}

RT_API cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool)
{
    struct rt *rt = rt_enter(__func__);
    struct rt_pool *p = rt_obj_get(rt, pool, RK_POOL);
    if (!p || p == pools(rt)->standard)
        return rt_leave(rt, cudaErrorInvalidValue);
    if (rt->pools->current == p)
        rt->pools->current = rt->pools->standard;
    rt_obj_remove(rt, &p->obj);
    p->destroyed = true;
    if (!p->used_b)
        pool_release(rt, p);
    return rt_leave(rt, cudaSuccess);
}

RT_API cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t keep)
{
    struct rt *rt = rt_enter(__func__);
    struct rt_pool *p = rt_obj_get(rt, pool, RK_POOL);
    if (p)
        trim(p, keep);
    return rt_leave(rt, p ? cudaSuccess : cudaErrorInvalidValue);
}
