/* SPDX-License-Identifier: Apache-2.0 */
/* Nodes added to graphs. Each function: an operation out of its parameters (graph_params.c), then a node. */
#include "cudart/graph/graph.h"

static cudaError_t check(struct rt *rt, const cudaGraphNode_t *out, cudaGraph_t graph,
                         const cudaGraphNode_t *deps, size_t n)
{
    const struct rt_graph *g = rt_obj_get(rt, graph, RK_GRAPH);
    if (!out || !g || (n && !deps))
        return cudaErrorInvalidValue;
    for (size_t i = 0; i < n; i++) {
        const struct rt_node *d = rt_obj_get(rt, deps[i], RK_NODE);
        if (!d || d->graph != g)
            return cudaErrorInvalidValue;
        for (size_t k = 0; k < i; k++) {
            if (deps[k] == deps[i])
                return cudaErrorInvalidValue;
        }
    }
    return cudaSuccess;
}

/* Adds if all went well so far, and leaves. */
static cudaError_t add(struct rt *rt, cudaError_t e, cudaGraphNode_t *out, cudaGraph_t graph,
                       const cudaGraphNode_t *deps, size_t n, const struct rt_op *op)
{
    if (e == cudaSuccess)
        *out = (cudaGraphNode_t)graph_add(rt, (struct rt_graph *)graph, (struct rt_node *const *)deps, n, op);
    return rt_leave(rt, e);
}

RT_API cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *out, cudaGraph_t graph, const cudaGraphNode_t *deps,
                                         size_t n)
{
    struct rt *rt = rt_enter(__func__);
    struct rt_op op = {.kind = RO_EMPTY};
    return add(rt, check(rt, out, graph, deps, n), out, graph, deps, n, &op);
}

RT_API cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *out, cudaGraph_t graph,
                                          const cudaGraphNode_t *deps, size_t n,
                                          const struct cudaKernelNodeParams *p)
{
    struct rt *rt = rt_enter(__func__);
    struct rt_op op;
    cudaError_t e = check(rt, out, graph, deps, n);
    return add(rt, e ? e : op_from_kernel(rt, &op, p), out, graph, deps, n, &op);
}

RT_API cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t *out, cudaGraph_t graph,
                                          const cudaGraphNode_t *deps, size_t n,
                                          const struct cudaMemcpy3DParms *p)
{
    struct rt *rt = rt_enter(__func__);
    struct rt_op op;
    cudaError_t e = check(rt, out, graph, deps, n);
    return add(rt, e ? e : op_from_copy_3d(rt, &op, p), out, graph, deps, n, &op);
}

RT_API cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *out, cudaGraph_t graph,
                                            const cudaGraphNode_t *deps, size_t n, void *dst, const void *src,
                                            size_t size, enum cudaMemcpyKind kind)
{
    struct rt *rt = rt_enter(__func__);
    struct rt_op op;
    cudaError_t e = check(rt, out, graph, deps, n);
    return add(rt, e ? e : op_from_copy(rt, &op, dst, src, size, kind), out, graph, deps, n, &op);
}

RT_API cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t *out, cudaGraph_t graph,
                                                  const cudaGraphNode_t *deps, size_t n, const void *symbol,
                                                  const void *src, size_t size, size_t offset,
                                                  enum cudaMemcpyKind kind)
{
    struct rt *rt = rt_enter(__func__);
    struct rt_op op;
    cudaError_t e = check(rt, out, graph, deps, n);
    if (e == cudaSuccess)
        e = op_from_symbol_copy(rt, &op, true, symbol, offset, src, size, kind);
    return add(rt, e, out, graph, deps, n, &op);
}

RT_API cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t *out, cudaGraph_t graph,
                                                    const cudaGraphNode_t *deps, size_t n, void *dst,
                                                    const void *symbol, size_t size, size_t offset,
                                                    enum cudaMemcpyKind kind)
{
    struct rt *rt = rt_enter(__func__);
    struct rt_op op;
    cudaError_t e = check(rt, out, graph, deps, n);
    if (e == cudaSuccess)
        e = op_from_symbol_copy(rt, &op, false, symbol, offset, dst, size, kind);
    return add(rt, e, out, graph, deps, n, &op);
}

RT_API cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t *out, cudaGraph_t graph,
                                          const cudaGraphNode_t *deps, size_t n,
                                          const struct cudaMemsetParams *p)
{
    struct rt *rt = rt_enter(__func__);
    struct rt_op op;
    cudaError_t e = check(rt, out, graph, deps, n);
    return add(rt, e ? e : op_from_memset(rt, &op, p), out, graph, deps, n, &op);
}

RT_API cudaError_t cudaGraphAddHostNode(cudaGraphNode_t *out, cudaGraph_t graph, const cudaGraphNode_t *deps,
                                        size_t n, const struct cudaHostNodeParams *p)
{
    struct rt *rt = rt_enter(__func__);
    struct rt_op op;
    cudaError_t e = check(rt, out, graph, deps, n);
    return add(rt, e ? e : op_from_host(&op, p), out, graph, deps, n, &op);
}

RT_API cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t *out, cudaGraph_t graph,
                                              const cudaGraphNode_t *deps, size_t n, cudaGraph_t child)
{
    struct rt *rt = rt_enter(__func__);
    struct rt_op op;
    cudaError_t e = check(rt, out, graph, deps, n);
    return add(rt, e ? e : op_from_child(rt, &op, child), out, graph, deps, n, &op);
}

RT_API cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t *out, cudaGraph_t graph,
                                               const cudaGraphNode_t *deps, size_t n, cudaEvent_t event)
{
    struct rt *rt = rt_enter(__func__);
    struct rt_op op;
    cudaError_t e = check(rt, out, graph, deps, n);
    return add(rt, e ? e : op_from_event(rt, &op, RO_RECORD, event), out, graph, deps, n, &op);
}

RT_API cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t *out, cudaGraph_t graph,
                                             const cudaGraphNode_t *deps, size_t n, cudaEvent_t event)
{
    struct rt *rt = rt_enter(__func__);
    struct rt_op op;
    cudaError_t e = check(rt, out, graph, deps, n);
    return add(rt, e ? e : op_from_event(rt, &op, RO_WAIT, event), out, graph, deps, n, &op);
}

RT_API cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t *out, cudaGraph_t graph,
                                            const cudaGraphNode_t *deps, size_t n,
                                            struct cudaMemAllocNodeParams *p)
{
    struct rt *rt = rt_enter(__func__);
    struct rt_op op;
    cudaError_t e = check(rt, out, graph, deps, n);
    return add(rt, e ? e : op_from_alloc(rt, &op, p), out, graph, deps, n, &op);
}

RT_API cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t *out, cudaGraph_t graph,
                                           const cudaGraphNode_t *deps, size_t n, void *ptr)
{
    struct rt *rt = rt_enter(__func__);
    struct rt_op op;
    cudaError_t e = check(rt, out, graph, deps, n);
    return add(rt, e ? e : op_from_free(rt, &op, ptr), out, graph, deps, n, &op);
}

static cudaError_t add_any(const char *name, cudaGraphNode_t *out, cudaGraph_t graph,
                           const cudaGraphNode_t *deps, const cudaGraphEdgeData *data, size_t n,
                           struct cudaGraphNodeParams *p)
{
    struct rt *rt = rt_enter(name);
    struct rt_op op;
    cudaError_t e = p ? check(rt, out, graph, deps, n) : cudaErrorInvalidValue;
    if (e == cudaSuccess && !edge_data_plain(data, n))
        e = rt_unsupported(rt, name, "edge data (programmatic dependent launch)");
    return add(rt, e ? e : op_from_any(rt, &op, p), out, graph, deps, n, &op);
}

RT_API cudaError_t cudaGraphAddNode(cudaGraphNode_t *out, cudaGraph_t graph, const cudaGraphNode_t *deps,
                                    size_t n, struct cudaGraphNodeParams *p)
{
    return add_any(__func__, out, graph, deps, NULL, n, p);
}

RT_API cudaError_t cudaGraphAddNode_v2(cudaGraphNode_t *out, cudaGraph_t graph, const cudaGraphNode_t *deps,
                                       const cudaGraphEdgeData *data, size_t n, struct cudaGraphNodeParams *p)
{
    return add_any("cudaGraphAddNode", out, graph, deps, data, n, p);
}

/* ---- what does not exist here ---- */

static cudaError_t refuse(const char *name)
{
    struct rt *rt = rt_enter(name);
    return rt_leave(rt, rt_unsupported(rt, name, NULL));
}

RT_API cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle *handle, cudaGraph_t graph,
                                                    unsigned int value, unsigned int flags)
{
    (void)handle, (void)graph, (void)value, (void)flags;
    return refuse(__func__);
}

RT_API cudaError_t
cudaGraphAddExternalSemaphoresSignalNode(cudaGraphNode_t *out, cudaGraph_t graph, const cudaGraphNode_t *deps,
                                         size_t n, const struct cudaExternalSemaphoreSignalNodeParams *p)
{
    (void)out, (void)graph, (void)deps, (void)n, (void)p;
    return refuse(__func__);
}

RT_API cudaError_t cudaGraphAddExternalSemaphoresWaitNode(cudaGraphNode_t *out, cudaGraph_t graph,
                                                          const cudaGraphNode_t *deps, size_t n,
                                                          const struct cudaExternalSemaphoreWaitNodeParams *p)
{
    (void)out, (void)graph, (void)deps, (void)n, (void)p;
    return refuse(__func__);
}
