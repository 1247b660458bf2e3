/* SPDX-License-Identifier: Apache-2.0 */
/* Driver API: streams, events, graphs, the profiler's switches. The handles are the runtime's. */
#include "cudart/driver/driver.h"

RT_API CUresult cuStreamCreate(CUstream *out, unsigned int flags)
{
    return DRV(cudaStreamCreateWithFlags(out, flags));
}

RT_API CUresult cuStreamCreateWithPriority(CUstream *out, unsigned int flags, int priority)
{
    return DRV(cudaStreamCreateWithPriority(out, flags, priority));
}

RT_API CUresult cuStreamDestroy(CUstream s) { return DRV(cudaStreamDestroy(s)); }

RT_API CUresult cuStreamGetPriority(CUstream s, int *priority)
{
    return DRV(cudaStreamGetPriority(s, priority));
}

RT_API CUresult cuStreamGetFlags(CUstream s, unsigned int *flags)
{
    return DRV(cudaStreamGetFlags(s, flags));
}

static cudaError_t context_of(CUstream s, CUcontext *out)
{
    struct rt *rt = rt_enter("cuStreamGetCtx");
    if (!out || !rt_stream_get(rt, s))
        return rt_leave(rt, out ? cudaErrorInvalidResourceHandle : cudaErrorInvalidValue);
    *out = (CUcontext)drv_current(rt);
    return rt_leave(rt, cudaSuccess);
}

RT_API CUresult cuStreamGetCtx(CUstream s, CUcontext *out) { return DRV(context_of(s, out)); }

RT_API CUresult cuStreamSynchronize(CUstream s) { return DRV(cudaStreamSynchronize(s)); }

RT_API CUresult cuStreamQuery(CUstream s) { return DRV(cudaStreamQuery(s)); }

RT_API CUresult cuStreamWaitEvent(CUstream s, CUevent e, unsigned int flags)
{
    return DRV(cudaStreamWaitEvent(s, e, flags));
}

/* The two kinds of callback differ in the type of a number that is zero. */
RT_API CUresult cuStreamAddCallback(CUstream s, CUstreamCallback fn, void *data, unsigned int flags)
{
    return DRV(cudaStreamAddCallback(s, (cudaStreamCallback_t)(void (*)(void))fn, data, flags));
}

RT_API CUresult cuStreamAttachMemAsync(CUstream s, CUdeviceptr p, size_t size, unsigned int flags)
{
    return DRV(cudaStreamAttachMemAsync(s, (void *)(uintptr_t)p, size, flags));
}

/* ---- capture and graphs ---- */

RT_API CUresult cuStreamBeginCapture(CUstream s, CUstreamCaptureMode mode)
{
    return DRV(cudaStreamBeginCapture(s, (enum cudaStreamCaptureMode)mode));
}

RT_API CUresult cuStreamEndCapture(CUstream s, CUgraph *graph) { return DRV(cudaStreamEndCapture(s, graph)); }

RT_API CUresult cuStreamIsCapturing(CUstream s, CUstreamCaptureStatus *status)
{
    return DRV(cudaStreamIsCapturing(s, (enum cudaStreamCaptureStatus *)status));
}

RT_API CUresult cuGraphInstantiateWithFlags(CUgraphExec *out, CUgraph graph, unsigned long long flags)
{
    return DRV(cudaGraphInstantiateWithFlags(out, graph, flags));
}

RT_API CUresult cuGraphLaunch(CUgraphExec x, CUstream s) { return DRV(cudaGraphLaunch(x, s)); }

RT_API CUresult cuGraphExecDestroy(CUgraphExec x) { return DRV(cudaGraphExecDestroy(x)); }

RT_API CUresult cuGraphDestroy(CUgraph g) { return DRV(cudaGraphDestroy(g)); }

/* ---- events ---- */

RT_API CUresult cuEventCreate(CUevent *out, unsigned int flags)
{
    return DRV(cudaEventCreateWithFlags(out, flags));
}

RT_API CUresult cuEventRecord(CUevent e, CUstream s) { return DRV(cudaEventRecord(e, s)); }

RT_API CUresult cuEventQuery(CUevent e) { return DRV(cudaEventQuery(e)); }

RT_API CUresult cuEventSynchronize(CUevent e) { return DRV(cudaEventSynchronize(e)); }

RT_API CUresult cuEventDestroy(CUevent e) { return DRV(cudaEventDestroy(e)); }

RT_API CUresult cuEventElapsedTime(float *ms, CUevent from, CUevent to)
{
    return DRV(cudaEventElapsedTime(ms, from, to));
}

RT_API CUresult cuProfilerStart(void) { return DRV(cudaProfilerStart()); }

RT_API CUresult cuProfilerStop(void) { return DRV(cudaProfilerStop()); }
