/* SPDX-License-Identifier: Apache-2.0 */
/* Driver API: what libraries ask of streams that are being captured and of graphs. */
#include "cudart/driver/driver_versions.h"

#undef cuGraphInstantiate

RT_API CUresult cuStreamGetCaptureInfo(CUstream s, CUstreamCaptureStatus *status, cuuint64_t *id)
{
    return cuStreamGetCaptureInfo_v2(s, status, id, NULL, NULL, NULL);
}

RT_API CUresult cuStreamGetCaptureInfo_v2(CUstream s, CUstreamCaptureStatus *status, cuuint64_t *id,
                                          CUgraph *graph, const CUgraphNode **deps, size_t *ndeps)
{
    return DRV(cudaStreamGetCaptureInfo_v2(s, (enum cudaStreamCaptureStatus *)status,
                                           (unsigned long long *)id, graph, deps, ndeps));
}

RT_API CUresult cuStreamGetCaptureInfo_v3(CUstream s, CUstreamCaptureStatus *status, cuuint64_t *id,
                                          CUgraph *graph, const CUgraphNode **deps,
                                          const cudaGraphEdgeData **edges, size_t *ndeps)
{
    return DRV(cudaStreamGetCaptureInfo_v3(s, (enum cudaStreamCaptureStatus *)status,
                                           (unsigned long long *)id, graph, deps, edges, ndeps));
}

RT_API CUresult cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode *mode)
{
    return DRV_CALL(DRV_INIT, cudaThreadExchangeStreamCaptureMode((enum cudaStreamCaptureMode *)mode));
}

RT_API CUresult cuGraphGetNodes(CUgraph g, CUgraphNode *nodes, size_t *n)
{
    return DRV(cudaGraphGetNodes(g, nodes, n));
}

/* The kinds of node have the same numbers. */
RT_API CUresult cuGraphNodeGetType(CUgraphNode node, int *type)
{
    return DRV(cudaGraphNodeGetType(node, (enum cudaGraphNodeType *)type));
}

/* Until 11.8. */
RT_API CUresult cuGraphInstantiate(CUgraphExec *out, CUgraph g, CUgraphNode *bad, char *log, size_t room)
{
    if (bad)
        *bad = NULL;
    if (log && room)
        *log = 0;
    return cuGraphInstantiateWithFlags(out, g, 0);
}

/* CUDA_KERNEL_NODE_PARAMS, version 1, has the layout of cudaKernelNodeParams. */
RT_API CUresult cuGraphKernelNodeGetParams(CUgraphNode node, struct cudaKernelNodeParams *p)
{
    return DRV(cudaGraphKernelNodeGetParams(node, p));
}

RT_API CUresult cuGraphExecKernelNodeSetParams(CUgraphExec x, CUgraphNode node,
                                               const struct cudaKernelNodeParams *p)
{
    return DRV(cudaGraphExecKernelNodeSetParams(x, node, p));
}

static cudaError_t refuse(const char *name)
{
    struct rt *rt = rt_enter(name);
    return rt_leave(rt, rt_unsupported(rt, name, NULL));
}

RT_API CUresult cuStreamWaitValue32(CUstream s, CUdeviceptr p, uint32_t value, unsigned flags)
{
    (void)s, (void)p, (void)value, (void)flags;
    return DRV(refuse("cuStreamWaitValue32"));
}

RT_API CUresult cuStreamBatchMemOp(CUstream s, unsigned n, void *ops, unsigned flags)
{
    (void)s, (void)n, (void)ops, (void)flags;
    return DRV(refuse("cuStreamBatchMemOp"));
}
