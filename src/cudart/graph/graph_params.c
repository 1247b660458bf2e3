/* SPDX-License-Identifier: Apache-2.0 */
/* Operations out of the parameter structures of graph nodes, and back. */
#include "cudart/graph/graph.h"
#include "cudart/memory/copy.h"
#include "cudart/memory/pool.h"

enum { CHILD_DEPTH_MAX = 64 };

/* A launch's `extra`: parameters as one packed buffer (CU_LAUNCH_PARAM_BUFFER_POINTER, ..._SIZE). */
cudaError_t rt_launch_extra(struct rt *rt, struct rt_op *op, struct rt_kernel *k, const uint32_t grid[3],
                            const uint32_t block[3], void **extra, uint64_t dyn_shared_b, struct rt_wish wish)
{
    unsigned char *buffer = NULL;
    size_t size_b = 0;
    for (int i = 0; extra[i]; i += 2) {
        if (extra[i] == (void *)1 && extra[i + 1])
            buffer = extra[i + 1];
        else if (extra[i] == (void *)2 && extra[i + 1])
            size_b = *(size_t *)extra[i + 1];
        else
            return cudaErrorInvalidValue;
    }
    const struct code *c = k->code;
    if (c->param_b && (!buffer || size_b < c->param_b))
        return cudaErrorInvalidValue;
    VEC(void *) args = {0};
    for (uint32_t i = 0; i < c->nparams; i++)
        vec_push(&args, buffer + c->params[i].off_b);
    cudaError_t e = rt_launch_op(rt, op, k, grid, block, args.at, dyn_shared_b, wish);
    vec_free(&args);
    return e;
}

cudaError_t op_from_kernel(struct rt *rt, struct rt_op *op, const struct cudaKernelNodeParams *p)
{
    cudaError_t e = cudaSuccess;
    if (!p || (p->kernelParams && p->extra))
        return cudaErrorInvalidValue;
    struct rt_kernel *k = rt_kernel_find(rt, p->func, &e);
    if (!k) {
        rt_launch_missed(rt);
        return e;
    }
    const uint32_t grid[3] = {p->gridDim.x, p->gridDim.y, p->gridDim.z};
    const uint32_t block[3] = {p->blockDim.x, p->blockDim.y, p->blockDim.z};
    if (p->extra)
        return rt_launch_extra(rt, op, k, grid, block, p->extra, p->sharedMemBytes, (struct rt_wish){0});
    if (k->code->nparams && !p->kernelParams)
        return cudaErrorInvalidValue;
    return rt_launch_op(rt, op, k, grid, block, p->kernelParams, p->sharedMemBytes, (struct rt_wish){0});
}

cudaError_t op_from_copy_3d(struct rt *rt, struct rt_op *op, const struct cudaMemcpy3DParms *p)
{
    cudaError_t e = p ? copy_op_3d(rt, op, p) : cudaErrorInvalidValue;
    return e ? e : rt_op_check(rt, op);
}

cudaError_t op_from_copy(struct rt *rt, struct rt_op *op, void *dst, const void *src, size_t size,
                         enum cudaMemcpyKind kind)
{
    *op = copy_op_rows(dst, 0, src, 0, size, 1, kind);
    return rt_op_check(rt, op);
}

cudaError_t op_from_symbol_copy(struct rt *rt, struct rt_op *op, bool to_symbol, const void *symbol,
                                size_t offset, const void *other, size_t size, enum cudaMemcpyKind kind)
{
    struct rt_var *v = rt_var_find(rt, symbol);
    uint64_t addr, var_b;
    void *host;
    if (!v)
        return cudaErrorInvalidSymbol;
    cudaError_t e = rt_var_address(rt, v, &addr, &var_b, &host);
    if (e)
        return e;
    if (offset > var_b || size > var_b - offset)
        return cudaErrorInvalidValue;
    *op = copy_op_rows((void *)(uintptr_t)other, 0, other, 0, size, 1, kind);
    *(to_symbol ? &op->copy.dst : &op->copy.src) = (struct rt_end){.var = v, .addr = addr + offset};
    return rt_op_check(rt, op);
}

cudaError_t op_from_memset(struct rt *rt, struct rt_op *op, const struct cudaMemsetParams *p)
{
    if (!p || (p->elementSize != 1 && p->elementSize != 2 && p->elementSize != 4) || !p->width || !p->height)
        return cudaErrorInvalidValue;
    uint64_t row_b;
    if (__builtin_mul_overflow((uint64_t)p->width, p->elementSize, &row_b) ||
        (p->height > 1 && p->pitch < row_b) || (uintptr_t)p->dst % p->elementSize)
        return cudaErrorInvalidValue;
    *op = (struct rt_op){.kind = RO_SET,
                         .set = {.addr = (uintptr_t)p->dst,
                                 .pitch_b = p->height > 1 ? p->pitch : row_b,
                                 .width = p->width,
                                 .height = p->height,
                                 .depth = 1,
                                 .value = p->value,
                                 .elem_b = p->elementSize}};
    return rt_op_check(rt, op);
}

cudaError_t op_from_host(struct rt_op *op, const struct cudaHostNodeParams *p)
{
    if (!p || !p->fn)
        return cudaErrorInvalidValue;
    *op = (struct rt_op){.kind = RO_HOST, .host = {p->fn, p->userData}};
    return cudaSuccess;
}

cudaError_t op_from_child(struct rt *rt, struct rt_op *op, cudaGraph_t child)
{
    const struct rt_graph *g = rt_obj_get(rt, child, RK_GRAPH);
    if (!g)
        return cudaErrorInvalidValue;
    if (g->depth >= CHILD_DEPTH_MAX)
        return rt_unsupported(rt, rt->call, "child graphs nested deeper than 64");
    if (graph_has_memory(g)) /* CUDA: memory nodes cannot be in child graphs */
        return cudaErrorNotSupported;
    *op = (struct rt_op){.kind = RO_CHILD, .child = graph_clone(rt, g)};
    op->child->nested = true;
    return cudaSuccess;
}

bool graph_has_memory(const struct rt_graph *g)
{
    vec_each (&g->nodes, n) {
        if ((*n)->op.kind == RO_ALLOC || (*n)->op.kind == RO_FREE)
            return true;
    }
    return false;
}

cudaError_t op_from_event(struct rt *rt, struct rt_op *op, enum rt_op_kind kind, cudaEvent_t event)
{
    struct rt_obj *e = rt_obj_get(rt, event, RK_EVENT);
    if (!e)
        return cudaErrorInvalidResourceHandle;
    *op = (struct rt_op){.kind = (uint8_t)kind, .event.event = e};
    return cudaSuccess;
}

cudaError_t op_from_alloc(struct rt *rt, struct rt_op *op, struct cudaMemAllocNodeParams *p)
{
    if (!p || !p->bytesize || p->poolProps.location.type != cudaMemLocationTypeDevice ||
        p->poolProps.location.id != 0)
        return cudaErrorInvalidValue;
    if (p->poolProps.handleTypes != cudaMemHandleTypeNone)
        return cudaErrorInvalidValue;
    uint64_t addr = pool_graph_alloc(rt, p->bytesize);
    if (!addr)
        return cudaErrorMemoryAllocation;
    p->dptr = (void *)(uintptr_t)addr;
    *op = (struct rt_op){.kind = RO_ALLOC, .mem = {.addr = addr, .size_b = p->bytesize}};
    return cudaSuccess;
}

cudaError_t op_from_free(struct rt *rt, struct rt_op *op, void *ptr)
{
    uint64_t addr = (uintptr_t)ptr;
    if (!pool_is_graph_memory(rt, addr))
        return cudaErrorInvalidValue;
    *op = (struct rt_op){.kind = RO_FREE, .mem = {.addr = addr}};
    return cudaSuccess;
}

cudaError_t op_from_any(struct rt *rt, struct rt_op *op, struct cudaGraphNodeParams *p)
{
    switch ((int)p->type) {
    case cudaGraphNodeTypeKernel: {
        struct cudaKernelNodeParams k = {.func = p->kernel.func,
                                         .gridDim = p->kernel.gridDim,
                                         .blockDim = p->kernel.blockDim,
                                         .sharedMemBytes = p->kernel.sharedMemBytes,
                                         .kernelParams = p->kernel.kernelParams,
                                         .extra = p->kernel.extra};
        return op_from_kernel(rt, op, &k);
    }
    case cudaGraphNodeTypeMemcpy: return op_from_copy_3d(rt, op, &p->memcpy.copyParams);
    case cudaGraphNodeTypeMemset: {
        struct cudaMemsetParams m = {.dst = p->memset.dst,
                                     .pitch = p->memset.pitch,
                                     .value = p->memset.value,
                                     .elementSize = p->memset.elementSize,
                                     .width = p->memset.width,
                                     .height = p->memset.height};
        return op_from_memset(rt, op, &m);
    }
    case cudaGraphNodeTypeHost:
        return op_from_host(op, &(struct cudaHostNodeParams){p->host.fn, p->host.userData});
    case cudaGraphNodeTypeGraph: return op_from_child(rt, op, p->graph.graph);
    case cudaGraphNodeTypeEmpty: *op = (struct rt_op){.kind = RO_EMPTY}; return cudaSuccess;
    case cudaGraphNodeTypeWaitEvent: return op_from_event(rt, op, RO_WAIT, p->eventWait.event);
    case cudaGraphNodeTypeEventRecord: return op_from_event(rt, op, RO_RECORD, p->eventRecord.event);
    case cudaGraphNodeTypeMemAlloc: {
        struct cudaMemAllocNodeParams a = {.poolProps = p->alloc.poolProps, .bytesize = p->alloc.bytesize};
        cudaError_t e = op_from_alloc(rt, op, &a);
        p->alloc.dptr = a.dptr;
        return e;
    }
    case cudaGraphNodeTypeMemFree: return op_from_free(rt, op, p->free.dptr);
    case cudaGraphNodeTypeConditional: return rt_unsupported(rt, rt->call, "conditional nodes");
    case cudaGraphNodeTypeExtSemaphoreSignal:
    case cudaGraphNodeTypeExtSemaphoreWait: return rt_unsupported(rt, rt->call, "external semaphores");
    default: return cudaErrorInvalidValue;
    }
}

static void op_release(struct rt *rt, struct rt_op *op)
{
    if (op->kind == RO_ALLOC)
        pool_graph_unref(rt, op->mem.addr);
    if (op->kind == RO_CHILD)
        graph_free(rt, op->child);
    else
        rt_op_free(op);
}

cudaError_t node_set_op(struct rt *rt, struct rt_node *n, struct rt_op *op)
{
    if (n->op.kind != op->kind || op->kind == RO_ALLOC || op->kind == RO_FREE) {
        op_release(rt, op);
        return cudaErrorInvalidValue;
    }
    if (op->kind == RO_LAUNCH)
        op->launch.wish = n->op.launch.wish; /* attributes, not parameters */
    op_release(rt, &n->op);
    n->op = *op;
    vec_clear(&n->args);
    return cudaSuccess;
}
