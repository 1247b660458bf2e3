/* SPDX-License-Identifier: Apache-2.0 */
/* Executable graphs changed as a whole, nodes switched on and off; the remaining parameters of nodes: child graphs, events,
 * memory, attributes. */
#include "cudart/code/launch.h"
#include "cudart/graph/graph.h"

static struct rt_node *get_kind(struct rt *rt, cudaGraphNode_t h, enum rt_op_kind kind)
{
    struct rt_node *n = rt_obj_get(rt, h, RK_NODE);
    return n && n->op.kind == kind ? n : NULL;
}

static struct rt_node *in_exec(struct rt *rt, cudaGraphExec_t exec, cudaGraphNode_t h)
{
    const struct rt_exec *x = rt_obj_get(rt, exec, RK_GRAPH_EXEC);
    const struct rt_node *n = rt_obj_get(rt, h, RK_NODE);
    return x && n ? graph_find_clone(x->graph, n) : NULL;
}

/* ---- update ---- */

static bool same_edges(const struct rt_node *a, const struct rt_node *b)
{
    if (a->deps.n != b->deps.n)
        return false;
    for (uint32_t i = 0; i < a->deps.n; i++) {
        if (a->deps.at[i]->at != b->deps.at[i]->at)
            return false;
    }
    return true;
}

/* Nodes correspond by their order of creation. What is wrong, with the first node that is. */
static enum cudaGraphExecUpdateResult compare(const struct rt_graph *x, const struct rt_graph *g,
                                              struct rt_node **bad)
{
    *bad = NULL;
    if (x->nodes.n != g->nodes.n)
        return cudaGraphExecUpdateErrorTopologyChanged;
    for (uint32_t i = 0; i < g->nodes.n; i++) {
        const struct rt_node *a = x->nodes.at[i], *b = g->nodes.at[i];
        *bad = g->nodes.at[i];
        if (a->op.kind != b->op.kind)
            return cudaGraphExecUpdateErrorNodeTypeChanged;
        if (!same_edges(a, b))
            return cudaGraphExecUpdateErrorTopologyChanged;
        if ((a->op.kind == RO_ALLOC || a->op.kind == RO_FREE) && a->op.mem.addr != b->op.mem.addr)
            return cudaGraphExecUpdateErrorParametersChanged;
        if (a->op.kind == RO_CHILD) {
            struct rt_node *inner;
            enum cudaGraphExecUpdateResult r = compare(a->op.child, b->op.child, &inner);
            if (r != cudaGraphExecUpdateSuccess)
                return r;
        }
    }
    *bad = NULL;
    return cudaGraphExecUpdateSuccess;
}

/* Equal structure is given. Nodes stay, their operations change; from now on they stand for g's nodes too. */
static void take_over(struct rt *rt, struct rt_graph *x, const struct rt_graph *g)
{
    for (uint32_t i = 0; i < g->nodes.n; i++) {
        struct rt_node *to = x->nodes.at[i];
        const struct rt_node *from = g->nodes.at[i];
        if (from->op.kind == RO_CHILD) {
            take_over(rt, to->op.child, from->op.child);
        } else if (from->op.kind != RO_ALLOC && from->op.kind != RO_FREE) {
            rt_op_free(&to->op);
            rt_op_copy(&to->op, &from->op);
            vec_clear(&to->args);
        }
    }
}

RT_API cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph,
                                       cudaGraphExecUpdateResultInfo *info)
{
    struct rt *rt = rt_enter(__func__);
    struct rt_exec *x = rt_obj_get(rt, exec, RK_GRAPH_EXEC);
    const struct rt_graph *g = rt_obj_get(rt, graph, RK_GRAPH);
    struct rt_node *bad;
    if (!x || !g || !info)
        return rt_leave(rt, cudaErrorInvalidValue);
    enum cudaGraphExecUpdateResult r = compare(x->graph, g, &bad);
    *info = (cudaGraphExecUpdateResultInfo){.result = r, .errorNode = (cudaGraphNode_t)bad};
    if (r != cudaGraphExecUpdateSuccess)
        return rt_leave(rt, cudaErrorGraphExecUpdateFailure);
    take_over(rt, x->graph, g);
    return rt_leave(rt, cudaSuccess);
}

RT_API cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t h, cudaGraph_t *out)
{
    struct rt *rt = rt_enter(__func__);
    const struct rt_node *n = get_kind(rt, h, RO_CHILD);
    if (n && out)
        *out = (cudaGraph_t)n->op.child;
    return rt_leave(rt, n && out ? cudaSuccess : cudaErrorInvalidValue);
}

RT_API cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t h,
                                                        cudaGraph_t child)
{
    struct rt *rt = rt_enter(__func__);
    struct rt_node *n = in_exec(rt, exec, h), *bad;
    const struct rt_graph *g = rt_obj_get(rt, child, RK_GRAPH);
    if (!n || !g || n->op.kind != RO_CHILD)
        return rt_leave(rt, cudaErrorInvalidValue);
    if (compare(n->op.child, g, &bad) != cudaGraphExecUpdateSuccess)
        return rt_leave(rt, cudaErrorGraphExecUpdateFailure);
    take_over(rt, n->op.child, g);
    return rt_leave(rt, cudaSuccess);
}

/* ---- on and off ---- kernels, copies and fills only */

RT_API cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t exec, cudaGraphNode_t h, unsigned int enabled)
{
    struct rt *rt = rt_enter(__func__);
    struct rt_node *n = in_exec(rt, exec, h);
    bool can = n && (n->op.kind == RO_LAUNCH || n->op.kind == RO_COPY || n->op.kind == RO_SET);
    if (can)
        n->disabled = !enabled;
    return rt_leave(rt, can ? cudaSuccess : cudaErrorInvalidValue);
}

RT_API cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t exec, cudaGraphNode_t h, unsigned int *enabled)
{
    struct rt *rt = rt_enter(__func__);
    const struct rt_node *n = in_exec(rt, exec, h);
    if (n && enabled)
        *enabled = !n->disabled;
    return rt_leave(rt, n && enabled ? cudaSuccess : cudaErrorInvalidValue);
}

/* ---- events ---- */

static cudaError_t get_event(const char *name, cudaGraphNode_t h, enum rt_op_kind kind, cudaEvent_t *out)
{
    struct rt *rt = rt_enter(name);
    const struct rt_node *n = get_kind(rt, h, kind);
    if (n && out)
        *out = (cudaEvent_t)n->op.event.event;
    return rt_leave(rt, n && out ? cudaSuccess : cudaErrorInvalidValue);
}

static cudaError_t set_event(struct rt *rt, struct rt_node *n, enum rt_op_kind kind, cudaEvent_t event)
{
    struct rt_op op;
    cudaError_t e = n && n->op.kind == kind ? op_from_event(rt, &op, kind, event) : cudaErrorInvalidValue;
    return rt_leave(rt, e == cudaSuccess ? node_set_op(rt, n, &op) : e);
}

RT_API cudaError_t cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t h, cudaEvent_t *out)
{
    return get_event(__func__, h, RO_RECORD, out);
}

RT_API cudaError_t cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t h, cudaEvent_t *out)
{
    return get_event(__func__, h, RO_WAIT, out);
}

RT_API cudaError_t cudaGraphEventRecordNodeSetEvent(cudaGraphNode_t h, cudaEvent_t event)
{
    struct rt *rt = rt_enter(__func__);
    return set_event(rt, rt_obj_get(rt, h, RK_NODE), RO_RECORD, event);
}

RT_API cudaError_t cudaGraphEventWaitNodeSetEvent(cudaGraphNode_t h, cudaEvent_t event)
{
    struct rt *rt = rt_enter(__func__);
    return set_event(rt, rt_obj_get(rt, h, RK_NODE), RO_WAIT, event);
}

RT_API cudaError_t cudaGraphExecEventRecordNodeSetEvent(cudaGraphExec_t exec, cudaGraphNode_t h,
                                                        cudaEvent_t event)
{
    struct rt *rt = rt_enter(__func__);
    return set_event(rt, in_exec(rt, exec, h), RO_RECORD, event);
}

RT_API cudaError_t cudaGraphExecEventWaitNodeSetEvent(cudaGraphExec_t exec, cudaGraphNode_t h,
                                                      cudaEvent_t event)
{
    struct rt *rt = rt_enter(__func__);
    return set_event(rt, in_exec(rt, exec, h), RO_WAIT, event);
}

/* ---- memory ---- */

RT_API cudaError_t cudaGraphMemAllocNodeGetParams(cudaGraphNode_t h, struct cudaMemAllocNodeParams *p)
{
    struct rt *rt = rt_enter(__func__);
    const struct rt_node *n = get_kind(rt, h, RO_ALLOC);
    if (!n || !p)
        return rt_leave(rt, cudaErrorInvalidValue);
    memset(p, 0, sizeof *p);
    p->poolProps.allocType = cudaMemAllocationTypePinned;
    p->poolProps.location.type = cudaMemLocationTypeDevice;
    p->bytesize = n->op.mem.size_b;
    p->dptr = (void *)(uintptr_t)n->op.mem.addr;
    return rt_leave(rt, cudaSuccess);
}

RT_API cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t h, void *out)
{
    struct rt *rt = rt_enter(__func__);
    const struct rt_node *n = get_kind(rt, h, RO_FREE);
    if (n && out)
        *(void **)out = (void *)(uintptr_t)n->op.mem.addr;
    return rt_leave(rt, n && out ? cudaSuccess : cudaErrorInvalidValue);
}

/* ---- attributes of kernel nodes: whether it is a cooperative launch, its clusters; others are refused by name ---- */

static const char other[] = "attributes other than cooperation and clusters";

RT_API cudaError_t cudaGraphKernelNodeSetAttribute(cudaGraphNode_t h, cudaKernelNodeAttrID attr,
                                                   const cudaKernelNodeAttrValue *value)
{
    struct rt *rt = rt_enter(__func__);
    struct rt_node *n = get_kind(rt, h, RO_LAUNCH);
    if (!n || !value)
        return rt_leave(rt, cudaErrorInvalidValue);
    if (attr != cudaLaunchAttributeCooperative && attr != cudaLaunchAttributeClusterDimension)
        return rt_leave(rt, rt_unsupported(rt, __func__, other));
    cudaError_t e;
    launch_attributes(&(cudaLaunchAttribute){.id = attr, .val = *value}, 1, &n->op.launch.wish, &e);
    return rt_leave(rt, e);
}

RT_API cudaError_t cudaGraphKernelNodeGetAttribute(cudaGraphNode_t h, cudaKernelNodeAttrID attr,
                                                   cudaKernelNodeAttrValue *value)
{
    struct rt *rt = rt_enter(__func__);
    const struct rt_node *n = get_kind(rt, h, RO_LAUNCH);
    if (!n || !value)
        return rt_leave(rt, cudaErrorInvalidValue);
    const struct rt_wish *w = &n->op.launch.wish;
    if (attr == cudaLaunchAttributeCooperative) {
        value->cooperative = w->cooperative;
    } else if (attr == cudaLaunchAttributeClusterDimension) {
        value->clusterDim.x = w->cluster[0];
        value->clusterDim.y = w->cluster[1];
        value->clusterDim.z = w->cluster[2];
    } else {
        return rt_leave(rt, rt_unsupported(rt, __func__, other));
    }
    return rt_leave(rt, cudaSuccess);
}

RT_API cudaError_t cudaGraphKernelNodeCopyAttributes(cudaGraphNode_t from, cudaGraphNode_t to)
{
    struct rt *rt = rt_enter(__func__);
    const struct rt_node *a = get_kind(rt, from, RO_LAUNCH);
    struct rt_node *b = get_kind(rt, to, RO_LAUNCH);
    if (a && b)
        b->op.launch.wish = a->op.launch.wish;
    return rt_leave(rt, a && b ? cudaSuccess : cudaErrorInvalidValue);
}
