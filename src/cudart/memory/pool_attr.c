/* SPDX-License-Identifier: Apache-2.0 */
/* Memory pools: attributes, access, the device's pools; sharing with other processes, which does not exist here. */
#include "cudart/memory/pool.h"

static cudaError_t get_attr(struct rt *rt, cudaMemPool_t pool, int attr, void *value)
{
    const struct rt_pool *p = rt_obj_get(rt, pool, RK_POOL);
    uint64_t v;
    if (!p || !value)
        return cudaErrorInvalidValue;
    switch (attr) {
    case cudaMemPoolReuseFollowEventDependencies:
    case cudaMemPoolReuseAllowOpportunistic:
    case cudaMemPoolReuseAllowInternalDependencies:
        memcpy(value, &p->reuse[attr - cudaMemPoolReuseFollowEventDependencies], sizeof(int));
        return cudaSuccess;
    case cudaMemPoolAttrReleaseThreshold: v = p->threshold_b; break;
    case cudaMemPoolAttrReservedMemCurrent: v = p->reserved_b; break;
    case cudaMemPoolAttrReservedMemHigh: v = p->reserved_high_b; break;
    case cudaMemPoolAttrUsedMemCurrent: v = p->used_b; break;
    case cudaMemPoolAttrUsedMemHigh: v = p->used_high_b; break;
    default: return cudaErrorInvalidValue;
    }
    memcpy(value, &v, sizeof v);
    return cudaSuccess;
}

/* High watermarks can only be set back: to the current value, by writing 0. */
static cudaError_t set_attr(struct rt *rt, cudaMemPool_t pool, int attr, const void *value)
{
    struct rt_pool *p = rt_obj_get(rt, pool, RK_POOL);
    uint64_t v;
    int flag;
    if (!p || !value)
        return cudaErrorInvalidValue;
    if (attr >= cudaMemPoolReuseFollowEventDependencies &&
        attr <= cudaMemPoolReuseAllowInternalDependencies) {
        memcpy(&flag, value, sizeof flag);
        p->reuse[attr - cudaMemPoolReuseFollowEventDependencies] = flag != 0;
        return cudaSuccess;
    }
    memcpy(&v, value, sizeof v);
    if (attr == cudaMemPoolAttrReleaseThreshold)
        p->threshold_b = v;
    else if (attr == cudaMemPoolAttrReservedMemHigh && v == 0)
        p->reserved_high_b = p->reserved_b;
    else if (attr == cudaMemPoolAttrUsedMemHigh && v == 0)
        p->used_high_b = p->used_b;
    else
        return cudaErrorInvalidValue;
    return cudaSuccess;
}

RT_API cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attr, void *value)
{
    struct rt *rt = rt_enter(__func__);
    return rt_leave(rt, get_attr(rt, pool, (int)attr, value));
}

RT_API cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attr, void *value)
{
    struct rt *rt = rt_enter(__func__);
    return rt_leave(rt, set_attr(rt, pool, (int)attr, value));
}

/* There is one device; its own access to its memory cannot be taken away. */
RT_API cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const struct cudaMemAccessDesc *list, size_t n)
{
    struct rt *rt = rt_enter(__func__);
    struct rt_pool *p = rt_obj_get(rt, pool, RK_POOL);
    if (!p || (!list && n))
        return rt_leave(rt, cudaErrorInvalidValue);
    for (size_t i = 0; i < n; i++) {
        if (list[i].location.type != cudaMemLocationTypeDevice)
            return rt_leave(rt, cudaErrorInvalidValue);
        if (list[i].location.id != 0)
            return rt_leave(rt, cudaErrorInvalidDevice);
        if (list[i].flags != cudaMemAccessFlagsProtReadWrite)
            return rt_leave(rt, cudaErrorInvalidValue);
    }
    return rt_leave(rt, cudaSuccess);
}

RT_API cudaError_t cudaMemPoolGetAccess(enum cudaMemAccessFlags *flags, cudaMemPool_t pool,
                                        struct cudaMemLocation *location)
{
    struct rt *rt = rt_enter(__func__);
    const struct rt_pool *p = rt_obj_get(rt, pool, RK_POOL);
    if (!p || !flags || !location || location->type != cudaMemLocationTypeDevice)
        return rt_leave(rt, cudaErrorInvalidValue);
    if (location->id != 0)
        return rt_leave(rt, cudaErrorInvalidDevice);
    *flags = p->access;
    return rt_leave(rt, cudaSuccess);
}

/* ---- the device's pools ---- */

static cudaError_t give(struct rt *rt, cudaMemPool_t *out, int device, struct rt_pool *p)
{
    (void)rt;
    if (!out)
        return cudaErrorInvalidValue;
    if (device != 0)
        return cudaErrorInvalidDevice;
    *out = (cudaMemPool_t)p;
    return cudaSuccess;
}

RT_API cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device)
{
    struct rt *rt = rt_enter(__func__);
    return rt_leave(rt, give(rt, pool, device, pools(rt)->standard));
}

RT_API cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int device)
{
    struct rt *rt = rt_enter(__func__);
    return rt_leave(rt, give(rt, pool, device, pools(rt)->current));
}

RT_API cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool)
{
    struct rt *rt = rt_enter(__func__);
    struct rt_pool *p = rt_obj_get(rt, pool, RK_POOL);
    if (device != 0)
        return rt_leave(rt, cudaErrorInvalidDevice);
    if (p)
        pools(rt)->current = p;
    return rt_leave(rt, p ? cudaSuccess : cudaErrorInvalidValue);
}

/* ---- other processes ---- */

static cudaError_t refuse(const char *name)
{
    struct rt *rt = rt_enter(name);
    return rt_leave(rt, rt_unsupported(rt, name, NULL));
}

RT_API cudaError_t cudaMemPoolExportToShareableHandle(void *handle, cudaMemPool_t pool,
                                                      enum cudaMemAllocationHandleType type,
                                                      unsigned int flags)
{
    (void)handle, (void)pool, (void)type, (void)flags;
    return refuse(__func__);
}

RT_API cudaError_t cudaMemPoolImportFromShareableHandle(cudaMemPool_t *pool, void *handle,
                                                        enum cudaMemAllocationHandleType type,
                                                        unsigned int flags)
{
    (void)pool, (void)handle, (void)type, (void)flags;
    return refuse(__func__);
}

RT_API cudaError_t cudaMemPoolExportPointer(struct cudaMemPoolPtrExportData *data, void *ptr)
{
    (void)data, (void)ptr;
    return refuse(__func__);
}

RT_API cudaError_t cudaMemPoolImportPointer(void **ptr, cudaMemPool_t pool,
                                            struct cudaMemPoolPtrExportData *data)
{
    (void)ptr, (void)pool, (void)data;
    return refuse(__func__);
}
