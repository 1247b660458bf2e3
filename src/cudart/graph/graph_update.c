/* SPDX-License-Identifier: Apache-2.0 */
/* Parameters of nodes: read, set in a graph, set in an executable graph; whole graphs compared and updated.
 *
 * A node of an executable graph is named by the node of the graph that it was instantiated from. */
#include "cudart/graph/graph.h"

static struct rt_node *get(struct rt *rt, cudaGraphNode_t h) { return rt_obj_get(rt, h, RK_NODE); }

static struct rt_node *get_kind(struct rt *rt, cudaGraphNode_t h, enum rt_op_kind kind)
{
    struct rt_node *n = get(rt, h);
    return n && n->op.kind == kind ? n : NULL;
}

static struct rt_node *in_exec(struct rt *rt, cudaGraphExec_t exec, cudaGraphNode_t h)
{
    const struct rt_exec *x = rt_obj_get(rt, exec, RK_GRAPH_EXEC);
    const struct rt_node *n = get(rt, h);
    return x && n ? graph_find_clone(x->graph, n) : NULL;
}

/* Puts the operation into the node and leaves. */
static cudaError_t set(struct rt *rt, struct rt_node *n, cudaError_t e, struct rt_op *op)
{
    if (e == cudaSuccess)
        e = node_set_op(rt, n, op);
    return rt_leave(rt, e);
}

/* ---- kernels ---- */

RT_API cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t h, struct cudaKernelNodeParams *p)
{
    struct rt *rt = rt_enter(__func__);
    struct rt_node *n = get_kind(rt, h, RO_LAUNCH);
    if (!n || !p)
        return rt_leave(rt, cudaErrorInvalidValue);
    const struct rt_kernel *k = n->op.launch.kernel;
    if (!k->code) /* its module was unloaded */
        return rt_leave(rt, k->failed);
    const uint32_t *grid = n->op.launch.grid, *block = n->op.launch.block;
    vec_clear(&n->args);
    for (uint32_t i = 0; i < k->code->nparams; i++)
        vec_push(&n->args, n->op.launch.params + k->code->params[i].off_b);
    *p = (struct cudaKernelNodeParams){.func = (void *)(uintptr_t)(k->stub ? k->stub : k),
                                       .gridDim = {grid[0], grid[1], grid[2]},
                                       .blockDim = {block[0], block[1], block[2]},
                                       .sharedMemBytes = n->op.launch.dyn_shared_b,
                                       .kernelParams = n->args.at};
    return rt_leave(rt, cudaSuccess);
}

RT_API cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t h, const struct cudaKernelNodeParams *p)
{
    struct rt *rt = rt_enter(__func__);
    struct rt_node *n = get_kind(rt, h, RO_LAUNCH);
    struct rt_op op;
    return set(rt, n, n ? op_from_kernel(rt, &op, p) : cudaErrorInvalidValue, &op);
}

RT_API cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t h,
                                                    const struct cudaKernelNodeParams *p)
{
    struct rt *rt = rt_enter(__func__);
    struct rt_node *n = in_exec(rt, exec, h);
    struct rt_op op;
    return set(rt, n, n ? op_from_kernel(rt, &op, p) : cudaErrorInvalidValue, &op);
}

/* ---- copies ---- */

static void end_params(const struct rt_end *e, uint64_t elem_b, cudaArray_t *array, struct cudaPos *pos,
                       struct cudaPitchedPtr *ptr)
{
    *array = (cudaArray_t)e->array;
    *pos = (struct cudaPos){e->x_b / elem_b, e->y, e->z};
    *ptr = (struct cudaPitchedPtr){.ptr = (void *)(uintptr_t)e->addr, .pitch = e->pitch_b};
    if (e->pitch_b)
        ptr->ysize = e->slice_b / e->pitch_b;
}

RT_API cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t h, struct cudaMemcpy3DParms *p)
{
    struct rt *rt = rt_enter(__func__);
    const struct rt_node *n = get_kind(rt, h, RO_COPY);
    if (!n || !p || !op_alive(rt, &n->op))
        return rt_leave(rt, cudaErrorInvalidValue);
    const struct rt_end *dst = &n->op.copy.dst, *src = &n->op.copy.src;
    uint64_t elem_b = dst->array ? rt_array_elem(dst->array) : src->array ? rt_array_elem(src->array) : 1;
    end_params(src, elem_b, &p->srcArray, &p->srcPos, &p->srcPtr);
    end_params(dst, elem_b, &p->dstArray, &p->dstPos, &p->dstPtr);
    p->extent = (struct cudaExtent){n->op.copy.width_b / elem_b, n->op.copy.height, n->op.copy.depth};
    p->kind = n->op.copy.dir;
    return rt_leave(rt, cudaSuccess);
}

RT_API cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t h, const struct cudaMemcpy3DParms *p)
{
    struct rt *rt = rt_enter(__func__);
    struct rt_node *n = get_kind(rt, h, RO_COPY);
    struct rt_op op;
    return set(rt, n, n ? op_from_copy_3d(rt, &op, p) : cudaErrorInvalidValue, &op);
}

RT_API cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t h,
                                                    const struct cudaMemcpy3DParms *p)
{
    struct rt *rt = rt_enter(__func__);
    struct rt_node *n = in_exec(rt, exec, h);
    struct rt_op op;
    return set(rt, n, n ? op_from_copy_3d(rt, &op, p) : cudaErrorInvalidValue, &op);
}

RT_API cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t h, void *dst, const void *src, size_t size,
                                                  enum cudaMemcpyKind kind)
{
    struct rt *rt = rt_enter(__func__);
    struct rt_node *n = get_kind(rt, h, RO_COPY);
    struct rt_op op;
    return set(rt, n, n ? op_from_copy(rt, &op, dst, src, size, kind) : cudaErrorInvalidValue, &op);
}

RT_API cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t exec, cudaGraphNode_t h, void *dst,
                                                      const void *src, size_t size, enum cudaMemcpyKind kind)
{
    struct rt *rt = rt_enter(__func__);
    struct rt_node *n = in_exec(rt, exec, h);
    struct rt_op op;
    return set(rt, n, n ? op_from_copy(rt, &op, dst, src, size, kind) : cudaErrorInvalidValue, &op);
}

static cudaError_t set_symbol(struct rt *rt, struct rt_node *n, bool to, const void *symbol, size_t offset,
                              const void *other, size_t size, enum cudaMemcpyKind kind)
{
    struct rt_op op;
    cudaError_t e = cudaErrorInvalidValue;
    if (n)
        e = op_from_symbol_copy(rt, &op, to, symbol, offset, other, size, kind);
    return set(rt, n, e, &op);
}

RT_API cudaError_t cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t h, const void *symbol,
                                                        const void *src, size_t size, size_t offset,
                                                        enum cudaMemcpyKind kind)
{
    struct rt *rt = rt_enter(__func__);
    return set_symbol(rt, get_kind(rt, h, RO_COPY), true, symbol, offset, src, size, kind);
}

RT_API cudaError_t cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t h, void *dst, const void *symbol,
                                                          size_t size, size_t offset,
                                                          enum cudaMemcpyKind kind)
{
    struct rt *rt = rt_enter(__func__);
    return set_symbol(rt, get_kind(rt, h, RO_COPY), false, symbol, offset, dst, size, kind);
}

RT_API cudaError_t cudaGraphExecMemcpyNodeSetParamsToSymbol(cudaGraphExec_t exec, cudaGraphNode_t h,
                                                            const void *symbol, const void *src, size_t size,
                                                            size_t offset, enum cudaMemcpyKind kind)
{
    struct rt *rt = rt_enter(__func__);
    return set_symbol(rt, in_exec(rt, exec, h), true, symbol, offset, src, size, kind);
}

RT_API cudaError_t cudaGraphExecMemcpyNodeSetParamsFromSymbol(cudaGraphExec_t exec, cudaGraphNode_t h,
                                                              void *dst, const void *symbol, size_t size,
                                                              size_t offset, enum cudaMemcpyKind kind)
{
    struct rt *rt = rt_enter(__func__);
    return set_symbol(rt, in_exec(rt, exec, h), false, symbol, offset, dst, size, kind);
}

/* ---- fills, host functions, child graphs, events, memory ---- */

RT_API cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t h, struct cudaMemsetParams *p)
{
    struct rt *rt = rt_enter(__func__);
    const struct rt_node *n = get_kind(rt, h, RO_SET);
    if (n && p)
        *p = (struct cudaMemsetParams){.dst = (void *)(uintptr_t)n->op.set.addr,
                                       .pitch = n->op.set.pitch_b,
                                       .value = n->op.set.value,
                                       .elementSize = n->op.set.elem_b,
                                       .width = n->op.set.width,
                                       .height = n->op.set.height};
    return rt_leave(rt, n && p ? cudaSuccess : cudaErrorInvalidValue);
}

RT_API cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t h, const struct cudaMemsetParams *p)
{
    struct rt *rt = rt_enter(__func__);
    struct rt_node *n = get_kind(rt, h, RO_SET);
    struct rt_op op;
    return set(rt, n, n ? op_from_memset(rt, &op, p) : cudaErrorInvalidValue, &op);
}

RT_API cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t h,
                                                    const struct cudaMemsetParams *p)
{
    struct rt *rt = rt_enter(__func__);
    struct rt_node *n = in_exec(rt, exec, h);
    struct rt_op op;
    return set(rt, n, n ? op_from_memset(rt, &op, p) : cudaErrorInvalidValue, &op);
}

RT_API cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t h, struct cudaHostNodeParams *p)
{
    struct rt *rt = rt_enter(__func__);
    const struct rt_node *n = get_kind(rt, h, RO_HOST);
    if (n && p)
        *p = (struct cudaHostNodeParams){n->op.host.fn, n->op.host.arg};
    return rt_leave(rt, n && p ? cudaSuccess : cudaErrorInvalidValue);
}

RT_API cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t h, const struct cudaHostNodeParams *p)
{
    struct rt *rt = rt_enter(__func__);
    struct rt_node *n = get_kind(rt, h, RO_HOST);
    struct rt_op op;
    return set(rt, n, n ? op_from_host(&op, p) : cudaErrorInvalidValue, &op);
}

RT_API cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t h,
                                                  const struct cudaHostNodeParams *p)
{
    struct rt *rt = rt_enter(__func__);
    struct rt_node *n = in_exec(rt, exec, h);
    struct rt_op op;
    return set(rt, n, n ? op_from_host(&op, p) : cudaErrorInvalidValue, &op);
}

RT_API cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t h, struct cudaGraphNodeParams *p)
{
    struct rt *rt = rt_enter(__func__);
    struct rt_node *n = get(rt, h);
    struct rt_op op;
    bool right = n && p && p->type == node_type(n) && p->type != cudaGraphNodeTypeMemAlloc;
    return set(rt, n, right ? op_from_any(rt, &op, p) : cudaErrorInvalidValue, &op);
}

RT_API cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t h,
                                              struct cudaGraphNodeParams *p)
{
    struct rt *rt = rt_enter(__func__);
    struct rt_node *n = in_exec(rt, exec, h);
    struct rt_op op;
    bool right = n && p && p->type == node_type(n) && p->type != cudaGraphNodeTypeMemAlloc &&
                 p->type != cudaGraphNodeTypeGraph;
    return set(rt, n, right ? op_from_any(rt, &op, p) : cudaErrorInvalidValue, &op);
}
