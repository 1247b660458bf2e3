/* SPDX-License-Identifier: Apache-2.0 */
/* Driver API: contexts. */
#include "cudart/driver/driver.h"

static struct rt_context *get(struct rt *rt, CUcontext h) { return rt_obj_get(rt, h, RK_CONTEXT); }

/* Enters the runtime after the checks; what follows is this file's own and leaves by done(). */
static struct rt *begin(const char *name, enum drv_needs needs, CUresult *r)
{
    *r = drv_enter(needs);
    return *r == CUDA_SUCCESS ? rt_enter(name) : NULL;
}

static CUresult done(struct rt *rt, CUresult r)
{
    rt_leave_quiet(rt);
    drv_leave(cudaSuccess);
    return r;
}

static bool push(struct rt_context *c)
{
    struct rt_thread *t = rt_thread();
    if (t->ncontexts == RT_CONTEXTS)
        return false;
    t->contexts[t->ncontexts++] = c;
    return true;
}

static bool flags_ok(unsigned flags)
{
    unsigned sched = flags & CU_CTX_SCHED_MASK;
    return !(flags & ~(unsigned)CU_CTX_FLAGS_MASK) &&
           (sched == 0 || sched == CU_CTX_SCHED_SPIN || sched == CU_CTX_SCHED_YIELD ||
            sched == CU_CTX_SCHED_BLOCKING_SYNC);
}

RT_API CUresult cuCtxCreate(CUcontext *out, unsigned int flags, CUdevice device)
{
    CUresult r;
    struct rt *rt = begin("cuCtxCreate", DRV_INIT, &r);
    if (!rt)
        return r;
    if (!out || !flags_ok(flags))
        return done(rt, CUDA_ERROR_INVALID_VALUE);
    if (device != 0)
        return done(rt, CUDA_ERROR_INVALID_DEVICE);
    if (rt_thread()->ncontexts == RT_CONTEXTS)
        return done(rt, CUDA_ERROR_OUT_OF_MEMORY);
    struct rt_context *c = xcalloc(1, sizeof *c);
    c->flags = flags;
    rt_obj_add(rt, &c->obj, RK_CONTEXT);
    push(c);
    *out = (CUcontext)c;
    return done(rt, CUDA_SUCCESS);
}

/* Other threads that have it current notice at their next call. */
RT_API CUresult cuCtxDestroy(CUcontext h)
{
    CUresult r;
    struct rt *rt = begin("cuCtxDestroy", DRV_INIT, &r);
    struct rt_context *c = rt ? get(rt, h) : NULL;
    struct rt_thread *t = rt_thread();
    if (!rt)
        return r;
    if (!c || c->primary)
        return done(rt, CUDA_ERROR_INVALID_CONTEXT);
    rt_stream_joined(rt, NULL);
    if (t->ncontexts && t->contexts[t->ncontexts - 1] == c)
        t->ncontexts--;
    rt_obj_remove(rt, &c->obj);
    done(rt, CUDA_SUCCESS);
    drv_forget(c);
    free(c);
    return CUDA_SUCCESS;
}

RT_API CUresult cuCtxPushCurrent(CUcontext h)
{
    CUresult r;
    struct rt *rt = begin("cuCtxPushCurrent", DRV_INIT, &r);
    struct rt_context *c = rt ? get(rt, h) : NULL;
    if (!rt)
        return r;
    if (!c)
        return done(rt, CUDA_ERROR_INVALID_CONTEXT);
    return done(rt, push(c) ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY);
}

RT_API CUresult cuCtxPopCurrent(CUcontext *out)
{
    CUresult r;
    struct rt *rt = begin("cuCtxPopCurrent", DRV_INIT, &r);
    struct rt_thread *t = rt_thread();
    if (!rt)
        return r;
    if (!t->ncontexts && !t->use_primary)
        return done(rt, CUDA_ERROR_INVALID_CONTEXT);
    if (out)
        *out = (CUcontext)(t->ncontexts ? t->contexts[t->ncontexts - 1] : &rt->driver->primary);
    if (t->ncontexts)
        t->ncontexts--;
    else
        t->use_primary = false; /* until the runtime API is used again */
    return done(rt, CUDA_SUCCESS);
}

/* Replaces the top of the stack; NULL removes it. */
RT_API CUresult cuCtxSetCurrent(CUcontext h)
{
    CUresult r;
    struct rt *rt = begin("cuCtxSetCurrent", DRV_INIT, &r);
    struct rt_context *c = rt ? get(rt, h) : NULL;
    struct rt_thread *t = rt_thread();
    if (!rt)
        return r;
    if (h && !c)
        return done(rt, CUDA_ERROR_INVALID_CONTEXT);
    if (t->ncontexts)
        t->ncontexts--;
    t->use_primary = false;
    if (c)
        push(c);
    return done(rt, CUDA_SUCCESS);
}

RT_API CUresult cuCtxGetCurrent(CUcontext *out)
{
    CUresult r;
    struct rt *rt = begin("cuCtxGetCurrent", DRV_INIT, &r);
    if (!rt)
        return r;
    if (out)
        *out = (CUcontext)drv_current(rt);
    return done(rt, out ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE);
}

RT_API CUresult cuCtxGetDevice(CUdevice *device)
{
    CUresult r;
    struct rt *rt = begin("cuCtxGetDevice", DRV_CONTEXT, &r);
    if (!rt)
        return r;
    if (device)
        *device = 0;
    return done(rt, device ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE);
}

RT_API CUresult cuCtxGetFlags(unsigned int *flags)
{
    CUresult r;
    struct rt *rt = begin("cuCtxGetFlags", DRV_CONTEXT, &r);
    if (!rt)
        return r;
    if (flags)
        *flags = drv_current(rt)->flags;
    return done(rt, flags ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE);
}

/* Of the interface at the time of CUDA 3.2 and since. */
RT_API CUresult cuCtxGetApiVersion(CUcontext h, unsigned int *version)
{
    CUresult r;
    struct rt *rt = begin("cuCtxGetApiVersion", DRV_INIT, &r);
    if (!rt)
        return r;
    if ((h && !get(rt, h)) || !version)
        return done(rt, version ? CUDA_ERROR_INVALID_CONTEXT : CUDA_ERROR_INVALID_VALUE);
    *version = 3020;
    return done(rt, CUDA_SUCCESS);
}

/* Deprecated use counts of the current context: it has one. */
RT_API CUresult cuCtxAttach(CUcontext *out, unsigned int flags)
{
    return flags ? CUDA_ERROR_INVALID_VALUE : cuCtxGetCurrent(out);
}

RT_API CUresult cuCtxDetach(CUcontext h)
{
    CUresult r;
    struct rt *rt = begin("cuCtxDetach", DRV_CONTEXT, &r);
    if (!rt)
        return r;
    return done(rt, get(rt, h) == drv_current(rt) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT);
}

/* ---- the primary context ---- */

RT_API CUresult cuDevicePrimaryCtxRetain(CUcontext *out, CUdevice device)
{
    CUresult r;
    struct rt *rt = begin("cuDevicePrimaryCtxRetain", DRV_INIT, &r);
    if (!rt)
        return r;
    if (device != 0 || !out)
        return done(rt, out ? CUDA_ERROR_INVALID_DEVICE : CUDA_ERROR_INVALID_VALUE);
    rt->driver->primary.refs++;
    *out = (CUcontext)&rt->driver->primary;
    return done(rt, CUDA_SUCCESS);
}

RT_API CUresult cuDevicePrimaryCtxRelease(CUdevice device)
{
    CUresult r;
    struct rt *rt = begin("cuDevicePrimaryCtxRelease", DRV_INIT, &r);
    if (!rt)
        return r;
    if (device != 0 || !rt->driver->primary.refs)
        return done(rt, device ? CUDA_ERROR_INVALID_DEVICE : CUDA_ERROR_INVALID_CONTEXT);
    rt->driver->primary.refs--;
    return done(rt, CUDA_SUCCESS);
}

RT_API CUresult cuDevicePrimaryCtxSetFlags(CUdevice device, unsigned int flags)
{
    CUresult r;
    struct rt *rt = begin("cuDevicePrimaryCtxSetFlags", DRV_INIT, &r);
    if (!rt)
        return r;
    if (device != 0 || !flags_ok(flags))
        return done(rt, device ? CUDA_ERROR_INVALID_DEVICE : CUDA_ERROR_INVALID_VALUE);
    rt->driver->primary.flags = flags;
    return done(rt, CUDA_SUCCESS);
}

RT_API CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned int *flags, int *active)
{
    CUresult r;
    struct rt *rt = begin("cuDevicePrimaryCtxGetState", DRV_INIT, &r);
    if (!rt)
        return r;
    if (device != 0 || !flags || !active)
        return done(rt, device ? CUDA_ERROR_INVALID_DEVICE : CUDA_ERROR_INVALID_VALUE);
    *flags = rt->driver->primary.flags;
    *active = rt->driver->primary.refs > 0 || rt_thread()->use_primary;
    return done(rt, CUDA_SUCCESS);
}

RT_API CUresult cuDevicePrimaryCtxReset(CUdevice device)
{
    if (device != 0)
        return CUDA_ERROR_INVALID_DEVICE;
    CUresult r;
    struct rt *rt = begin("cuDevicePrimaryCtxReset", DRV_INIT, &r);
    if (!rt)
        return r;
    struct rt_context *primary = &rt->driver->primary;
    done(rt, CUDA_SUCCESS);
    drv_forget(primary);
    return DRV_CALL(DRV_INIT, cudaDeviceReset());
}

/* ---- what a context is asked to do ---- */

RT_API CUresult cuCtxSynchronize(void) { return DRV(cudaDeviceSynchronize()); }

RT_API CUresult cuCtxSetLimit(CUlimit limit, size_t value)
{
    return DRV(cudaDeviceSetLimit((enum cudaLimit)limit, value));
}

RT_API CUresult cuCtxGetLimit(size_t *value, CUlimit limit)
{
    return DRV(cudaDeviceGetLimit(value, (enum cudaLimit)limit));
}

RT_API CUresult cuCtxGetCacheConfig(CUfunc_cache *config)
{
    return DRV(cudaDeviceGetCacheConfig((enum cudaFuncCache *)config));
}

RT_API CUresult cuCtxSetCacheConfig(CUfunc_cache config)
{
    return DRV(cudaDeviceSetCacheConfig((enum cudaFuncCache)config));
}

RT_API CUresult cuCtxGetSharedMemConfig(CUsharedconfig *config)
{
    return DRV(cudaDeviceGetSharedMemConfig((enum cudaSharedMemConfig *)config));
}

RT_API CUresult cuCtxSetSharedMemConfig(CUsharedconfig config)
{
    return DRV(cudaDeviceSetSharedMemConfig((enum cudaSharedMemConfig)config));
}

RT_API CUresult cuCtxGetStreamPriorityRange(int *least, int *greatest)
{
    return DRV(cudaDeviceGetStreamPriorityRange(least, greatest));
}

/* There is one device, and no context is another's peer. */
RT_API CUresult cuCtxEnablePeerAccess(CUcontext peer, unsigned int flags)
{
    (void)peer, (void)flags;
    return DRV(cudaErrorPeerAccessUnsupported);
}

RT_API CUresult cuCtxDisablePeerAccess(CUcontext peer)
{
    (void)peer;
    return DRV(cudaErrorPeerAccessNotEnabled);
}
