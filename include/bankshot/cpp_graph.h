// Graph functions with symbols by name, and in the forms of CUDA 11 and 13 next to those of CUDA 12.
#ifndef BANKSHOT_CPP_GRAPH_H
#define BANKSHOT_CPP_GRAPH_H

#include "../cuda_runtime_api.h"

#define BANKSHOT_HOST static inline __host__

template <class T>
BANKSHOT_HOST cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t *node, cudaGraph_t graph,
                                                         const cudaGraphNode_t *deps, size_t num_deps,
                                                         const T &symbol, const void *src, size_t size,
                                                         size_t offset, enum cudaMemcpyKind kind)
{
    return ::cudaGraphAddMemcpyNodeToSymbol(node, graph, deps, num_deps, (const void *)&symbol, src, size, offset,
                                            kind);
}

template <class T>
BANKSHOT_HOST cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t *node, cudaGraph_t graph,
                                                           const cudaGraphNode_t *deps, size_t num_deps, void *dst,
                                                           const T &symbol, size_t size, size_t offset,
                                                           enum cudaMemcpyKind kind)
{
    return ::cudaGraphAddMemcpyNodeFromSymbol(node, graph, deps, num_deps, dst, (const void *)&symbol, size,
                                              offset, kind);
}

template <class T>
BANKSHOT_HOST cudaError_t cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t node, const T &symbol,
                                                               const void *src, size_t size, size_t offset,
                                                               enum cudaMemcpyKind kind)
{
    return ::cudaGraphMemcpyNodeSetParamsToSymbol(node, (const void *)&symbol, src, size, offset, kind);
}

template <class T>
BANKSHOT_HOST cudaError_t cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t node, void *dst, const T &symbol,
                                                                 size_t size, size_t offset,
                                                                 enum cudaMemcpyKind kind)
{
    return ::cudaGraphMemcpyNodeSetParamsFromSymbol(node, dst, (const void *)&symbol, size, offset, kind);
}

template <class T>
BANKSHOT_HOST cudaError_t cudaGraphExecMemcpyNodeSetParamsToSymbol(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                                   const T &symbol, const void *src, size_t size,
                                                                   size_t offset, enum cudaMemcpyKind kind)
{
    return ::cudaGraphExecMemcpyNodeSetParamsToSymbol(exec, node, (const void *)&symbol, src, size, offset, kind);
}

template <class T>
BANKSHOT_HOST cudaError_t cudaGraphExecMemcpyNodeSetParamsFromSymbol(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                                     void *dst, const T &symbol, size_t size,
                                                                     size_t offset, enum cudaMemcpyKind kind)
{
    return ::cudaGraphExecMemcpyNodeSetParamsFromSymbol(exec, node, dst, (const void *)&symbol, size, offset,
                                                        kind);
}

// CUDA 11: where it failed and a log.
BANKSHOT_HOST cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph,
                                               cudaGraphNode_t *failed, char *log, size_t log_size)
{
    if (failed)
        *failed = NULL;
    if (log && log_size)
        log[0] = '\0';
    return ::cudaGraphInstantiate(exec, graph, 0);
}

// CUDA 11: the result in two variables.
BANKSHOT_HOST cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphNode_t *failed,
                                              enum cudaGraphExecUpdateResult *result)
{
    cudaGraphExecUpdateResultInfo info = cudaGraphExecUpdateResultInfo();
    cudaError_t err = ::cudaGraphExecUpdate(exec, graph, &info);
    if (failed)
        *failed = info.errorNode;
    if (result)
        *result = info.result;
    return err;
}

// CUDA 13: edges have data.
BANKSHOT_HOST cudaError_t cudaGraphAddNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *deps,
                                           const cudaGraphEdgeData *edges, size_t num_deps,
                                           struct cudaGraphNodeParams *params)
{
    return ::cudaGraphAddNode_v2(node, graph, deps, edges, num_deps, params);
}

BANKSHOT_HOST cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to,
                                            cudaGraphEdgeData *edges, size_t *count)
{
    return ::cudaGraphGetEdges_v2(graph, from, to, edges, count);
}

BANKSHOT_HOST cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t *deps,
                                                       cudaGraphEdgeData *edges, size_t *count)
{
    return ::cudaGraphNodeGetDependencies_v2(node, deps, edges, count);
}

BANKSHOT_HOST cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t *nodes,
                                                         cudaGraphEdgeData *edges, size_t *count)
{
    return ::cudaGraphNodeGetDependentNodes_v2(node, nodes, edges, count);
}

BANKSHOT_HOST cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                                   const cudaGraphNode_t *to, const cudaGraphEdgeData *edges,
                                                   size_t count)
{
    return ::cudaGraphAddDependencies_v2(graph, from, to, edges, count);
}

BANKSHOT_HOST cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                                      const cudaGraphNode_t *to, const cudaGraphEdgeData *edges,
                                                      size_t count)
{
    return ::cudaGraphRemoveDependencies_v2(graph, from, to, edges, count);
}

BANKSHOT_HOST cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t *deps,
                                                              const cudaGraphEdgeData *edges, size_t num_deps,
                                                              unsigned int flags = 0)
{
    return ::cudaStreamUpdateCaptureDependencies_v2(stream, deps, edges, num_deps, flags);
}

BANKSHOT_HOST cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, enum cudaStreamCaptureStatus *status,
                                                   unsigned long long *id, cudaGraph_t *graph,
                                                   const cudaGraphNode_t **deps, const cudaGraphEdgeData **edges,
                                                   size_t *num_deps)
{
    return ::cudaStreamGetCaptureInfo_v3(stream, status, id, graph, deps, edges, num_deps);
}

template <class T> static __host__ void bankshot_delete(void *object) { delete (T *)object; }

template <class T>
BANKSHOT_HOST cudaError_t cudaUserObjectCreate(cudaUserObject_t *object, T *wrapped, unsigned int refs,
                                               unsigned int flags)
{
    return ::cudaUserObjectCreate(object, (void *)wrapped, bankshot_delete<T>, refs, flags);
}

#undef BANKSHOT_HOST

#endif
/* SPDX-License-Identifier: Apache-2.0 */
