/* SPDX-License-Identifier: Apache-2.0 */
/* Captures: asked about, steered by hand. */
#include "cudart/graph/graph.h"

static cudaError_t legacy_status(struct rt *rt, const struct rt_stream *s)
{
    return s->id == 0 && capture_implicit(rt, false) ? cudaErrorStreamCaptureImplicit : cudaSuccess;
}

RT_API cudaError_t cudaStreamIsCapturing(cudaStream_t h, enum cudaStreamCaptureStatus *status)
{
    struct rt *rt = rt_enter(__func__);
    struct rt_stream *s = rt_stream_get(rt, h);
    if (!s || !status)
        return rt_leave(rt, s ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle);
    *status = cudaStreamCaptureStatusNone;
    if (!s->capture) /* asking about the legacy stream spoils nothing, but has no answer while others capture */
        return rt_leave(rt, legacy_status(rt, s));
    *status = s->capture->invalid ? cudaStreamCaptureStatusInvalidated : cudaStreamCaptureStatusActive;
    return rt_leave(rt, cudaSuccess);
}

static cudaError_t info(struct rt *rt, cudaStream_t h, enum cudaStreamCaptureStatus *status,
                        unsigned long long *id, cudaGraph_t *graph, const cudaGraphNode_t **deps,
                        size_t *ndeps)
{
    struct rt_stream *s = rt_stream_get(rt, h);
    if (!s)
        return cudaErrorInvalidResourceHandle;
    if (!status)
        return cudaErrorInvalidValue;
    *status = cudaStreamCaptureStatusNone;
    if (!s->capture)
        return legacy_status(rt, s);
    if (s->capture->invalid) {
        *status = cudaStreamCaptureStatusInvalidated;
        return cudaSuccess;
    }
    *status = cudaStreamCaptureStatusActive;
    if (id)
        *id = s->capture->id;
    if (graph)
        *graph = (cudaGraph_t)s->capture->graph;
    if (deps)
        *deps = (const cudaGraphNode_t *)s->heads.at;
    if (ndeps)
        *ndeps = s->heads.n;
    return cudaSuccess;
}

/* Also under its plain name, by the header. */
RT_API cudaError_t cudaStreamGetCaptureInfo_v2(cudaStream_t h, enum cudaStreamCaptureStatus *status,
                                               unsigned long long *id, cudaGraph_t *graph,
                                               const cudaGraphNode_t **deps, size_t *ndeps)
{
    struct rt *rt = rt_enter("cudaStreamGetCaptureInfo");
    return rt_leave(rt, info(rt, h, status, id, graph, deps, ndeps));
}

/* Edges carry no data here. CUDA: NULL for edge data where none of the edges has any. */
RT_API cudaError_t cudaStreamGetCaptureInfo_v3(cudaStream_t h, enum cudaStreamCaptureStatus *status,
                                               unsigned long long *id, cudaGraph_t *graph,
                                               const cudaGraphNode_t **deps, const cudaGraphEdgeData **data,
                                               size_t *ndeps)
{
    struct rt *rt = rt_enter("cudaStreamGetCaptureInfo");
    if (data)
        *data = NULL;
    return rt_leave(rt, info(rt, h, status, id, graph, deps, ndeps));
}

static cudaError_t update(struct rt *rt, cudaStream_t h, cudaGraphNode_t *deps, const cudaGraphEdgeData *data,
                          size_t n, unsigned flags)
{
    struct rt_stream *s = rt_stream_get(rt, h);
    if (!s)
        return cudaErrorInvalidResourceHandle;
    if (!s->capture)
        return cudaErrorIllegalState;
    if ((n && !deps) || flags > cudaStreamSetCaptureDependencies)
        return cudaErrorInvalidValue;
    if (s->capture->invalid)
        return cudaErrorStreamCaptureInvalidated;
    if (!edge_data_plain(data, n))
        return rt_unsupported(rt, rt->call, "edge data (programmatic dependent launch)");
    for (size_t i = 0; i < n; i++) {
        const struct rt_node *d = rt_obj_get(rt, deps[i], RK_NODE);
        if (!d || d->graph != s->capture->graph)
            return cudaErrorInvalidValue;
    }
    if (flags == cudaStreamSetCaptureDependencies)
        vec_clear(&s->heads);
    capture_join(s, s->capture, (struct rt_node *const *)deps, n);
    return cudaSuccess;
}

RT_API cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t h, cudaGraphNode_t *deps, size_t n,
                                                       unsigned int flags)
{
    struct rt *rt = rt_enter(__func__);
    return rt_leave(rt, update(rt, h, deps, NULL, n, flags));
}

RT_API cudaError_t cudaStreamUpdateCaptureDependencies_v2(cudaStream_t h, cudaGraphNode_t *deps,
                                                          const cudaGraphEdgeData *data, size_t n,
                                                          unsigned int flags)
{
    struct rt *rt = rt_enter("cudaStreamUpdateCaptureDependencies");
    return rt_leave(rt, update(rt, h, deps, data, n, flags));
}

RT_API cudaError_t cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode *mode)
{
    struct rt *rt = rt_enter(__func__);
    struct rt_thread *t = rt_thread();
    if (!mode || (int)*mode < cudaStreamCaptureModeGlobal || (int)*mode > cudaStreamCaptureModeRelaxed)
        return rt_leave(rt, cudaErrorInvalidValue);
    int old = t->capture_mode;
    t->capture_mode = (int)*mode;
    *mode = (enum cudaStreamCaptureMode)old;
    return rt_leave(rt, cudaSuccess);
}
