/* SPDX-License-Identifier: Apache-2.0 */
/* Streams: what they are, host functions in them, attributes. */
#include "cudart/graph/graph.h"
#include "cudart/stream/stream.h"

static struct rt_stream *get(struct rt *rt, cudaStream_t h) { return rt_stream_get(rt, h); }

RT_API cudaError_t cudaStreamGetFlags(cudaStream_t h, unsigned int *flags)
{
    struct rt *rt = rt_enter(__func__);
    const struct rt_stream *s = get(rt, h);
    if (s && flags)
        *flags = s->flags;
    return rt_leave(rt, !s ? cudaErrorInvalidResourceHandle : flags ? cudaSuccess : cudaErrorInvalidValue);
}

RT_API cudaError_t cudaStreamGetPriority(cudaStream_t h, int *priority)
{
    struct rt *rt = rt_enter(__func__);
    const struct rt_stream *s = get(rt, h);
    if (s && priority)
        *priority = s->priority;
    return rt_leave(rt, !s ? cudaErrorInvalidResourceHandle : priority ? cudaSuccess : cudaErrorInvalidValue);
}

RT_API cudaError_t cudaStreamGetId(cudaStream_t h, unsigned long long *id)
{
    struct rt *rt = rt_enter(__func__);
    const struct rt_stream *s = get(rt, h);
    if (s && id)
        *id = s->id;
    return rt_leave(rt, !s ? cudaErrorInvalidResourceHandle : id ? cudaSuccess : cudaErrorInvalidValue);
}

RT_API cudaError_t cudaStreamGetDevice(cudaStream_t h, int *device)
{
    struct rt *rt = rt_enter(__func__);
    const struct rt_stream *s = get(rt, h);
    if (s && device)
        *device = 0;
    return rt_leave(rt, !s ? cudaErrorInvalidResourceHandle : device ? cudaSuccess : cudaErrorInvalidValue);
}

RT_API cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest)
{
    struct rt *rt = rt_enter(__func__);
    if (least)
        *least = STREAM_PRIORITY_LEAST;
    if (greatest)
        *greatest = STREAM_PRIORITY_GREATEST;
    return rt_leave(rt, cudaSuccess);
}

/* ---- host functions ---- */

RT_API cudaError_t cudaLaunchHostFunc(cudaStream_t h, cudaHostFn_t fn, void *data)
{
    struct rt *rt = rt_enter(__func__);
    struct rt_stream *s = get(rt, h);
    struct rt_op op = {.kind = RO_HOST, .host = {fn, data}};
    if (!s || !fn)
        return rt_leave(rt, s ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle);
    s->busy++;
    cudaError_t e = rt_submit(rt, s, &op);
    if (--s->busy == 0 && s->dead)
        stream_free(rt, s);
    return rt_leave(rt, e);
}

struct callback {
    cudaStreamCallback_t fn;
    cudaStream_t stream;
    void *data;
};

static void run_callback(void *arg)
{
    struct callback *c = arg;
    c->fn(c->stream, cudaSuccess, c->data);
}

/* Cannot be captured (CUDA runtime API). */
RT_API cudaError_t cudaStreamAddCallback(cudaStream_t h, cudaStreamCallback_t fn, void *data,
                                         unsigned int flags)
{
    struct rt *rt = rt_enter(__func__);
    struct rt_stream *s = get(rt, h);
    if (!s || !fn || flags)
        return rt_leave(rt, s ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle);
    cudaError_t e = rt_capture_check(rt, s);
    if (e == cudaSuccess && s->capture) {
        capture_invalidate(s->capture);
        e = cudaErrorStreamCaptureUnsupported;
    }
    if (e != cudaSuccess)
        return rt_leave(rt, e);
    struct callback c = {fn, h, data};
    struct rt_op op = {.kind = RO_HOST, .host = {run_callback, &c}};
    s->busy++;
    e = rt_submit(rt, s, &op);
    if (--s->busy == 0 && s->dead)
        stream_free(rt, s);
    return rt_leave(rt, e);
}

/* ---- managed memory ---- */

/* Whose stream may touch managed memory: host and device share it at all times here, so nothing is left to do. */
RT_API cudaError_t cudaStreamAttachMemAsync(cudaStream_t h, void *ptr, size_t size, unsigned int flags)
{
    struct rt *rt = rt_enter(__func__);
    const struct rt_stream *s = get(rt, h);
    const struct rt_alloc *a = rt_alloc_at(rt, (uintptr_t)ptr);
    if (!s)
        return rt_leave(rt, cudaErrorInvalidResourceHandle);
    if (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost && flags != cudaMemAttachSingle)
        return rt_leave(rt, cudaErrorInvalidValue);
    if (!a || a->kind != RM_MANAGED || a->base != (uintptr_t)ptr || (size && size != a->size_b))
        return rt_leave(rt, cudaErrorInvalidValue);
    if (flags == cudaMemAttachSingle && s->id == 0)
        return rt_leave(rt, cudaErrorInvalidValue);
    cudaError_t e = s->capture ? cudaErrorStreamCaptureUnsupported : cudaSuccess;
    if (s->capture)
        capture_invalidate(s->capture);
    return rt_leave(rt, e);
}

/* ---- attributes ----
 * The access policy window is a hint about the L2 cache: kept and given back, without effect on what a kernel computes; it
 * is not in the trace. The synchronisation policy tells how a host thread waits, which never happens here. */

RT_API cudaError_t cudaStreamSetAttribute(cudaStream_t h, cudaStreamAttrID attr,
                                          const cudaStreamAttrValue *value)
{
    struct rt *rt = rt_enter(__func__);
    struct rt_stream *s = get(rt, h);
    if (!s || !value)
        return rt_leave(rt, s ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle);
    switch ((int)attr) {
    case cudaLaunchAttributeAccessPolicyWindow:
        if (value->accessPolicyWindow.hitRatio < 0 || value->accessPolicyWindow.hitRatio > 1 ||
            value->accessPolicyWindow.missProp == cudaAccessPropertyPersisting)
            return rt_leave(rt, cudaErrorInvalidValue);
        s->window = value->accessPolicyWindow;
        return rt_leave(rt, cudaSuccess);
    case cudaLaunchAttributeSynchronizationPolicy: s->sync_policy = (int)value->syncPolicy; break;
    case cudaLaunchAttributePriority: s->priority = stream_priority(value->priority); break;
    default: return rt_leave(rt, rt_unsupported(rt, __func__, "this attribute"));
    }
    return rt_leave(rt, cudaSuccess);
}

RT_API cudaError_t cudaStreamGetAttribute(cudaStream_t h, cudaStreamAttrID attr, cudaStreamAttrValue *value)
{
    struct rt *rt = rt_enter(__func__);
    const struct rt_stream *s = get(rt, h);
    if (!s || !value)
        return rt_leave(rt, s ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle);
    switch ((int)attr) {
    case cudaLaunchAttributeAccessPolicyWindow: value->accessPolicyWindow = s->window; break;
    case cudaLaunchAttributeSynchronizationPolicy:
        value->syncPolicy =
            (enum cudaSynchronizationPolicy)(s->sync_policy ? s->sync_policy : cudaSyncPolicyAuto);
        break;
    case cudaLaunchAttributePriority: value->priority = s->priority; break;
    default: return rt_leave(rt, rt_unsupported(rt, __func__, "this attribute"));
    }
    return rt_leave(rt, cudaSuccess);
}

RT_API cudaError_t cudaStreamCopyAttributes(cudaStream_t dst, cudaStream_t src)
{
    struct rt *rt = rt_enter(__func__);
    struct rt_stream *d = get(rt, dst);
    const struct rt_stream *s = get(rt, src);
    if (!d || !s)
        return rt_leave(rt, cudaErrorInvalidResourceHandle);
    d->window = s->window;
    d->sync_policy = s->sync_policy;
    d->priority = s->priority;
    return rt_leave(rt, cudaSuccess);
}

/* The L2 cache persists nothing. */
RT_API cudaError_t cudaCtxResetPersistingL2Cache(void)
{
    struct rt *rt = rt_enter(__func__);
    return rt_leave(rt, cudaSuccess);
}
