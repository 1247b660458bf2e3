/* SPDX-License-Identifier: Apache-2.0 */
/* A graph runs: its operations one after another, in topological order. For the trace each node has a frontier of its own,
 * so that launches which the graph leaves unordered stay unordered; the stream goes on after the last ones of all. */
#include "cudart/graph/graph.h"
#include "cudart/memory/pool.h"
#include "cudart/stream/stream.h"

static bool end_alive(struct rt *rt, const struct rt_end *e)
{
    if (e->array)
        return rt_obj_get(rt, e->array, RK_ARRAY) != NULL;
    for (uint32_t i = 0; e->var && i < rt->modules.n; i++) {
        vec_each (&rt->modules.at[i]->vars, v) {
            if (*v == e->var)
                return true;
        }
    }
    return !e->var;
}

/* What a copy refers to may have been freed since the node was made. */
bool op_alive(struct rt *rt, const struct rt_op *op)
{
    return op->kind != RO_COPY || (end_alive(rt, &op->copy.dst) && end_alive(rt, &op->copy.src));
}

/* A node's work belongs to the stream by its number, but waits only for what its edges say. */
static cudaError_t run_node(struct rt *rt, const struct rt_stream *s, struct rt_node *n,
                            struct rt_front *fronts, const struct rt_front *base)
{
    struct rt_stream lane = {.id = s->id,
                             .flags = cudaStreamNonBlocking,
                             .priority = s->priority,
                             .one_priority = true,
                             .merged = UINT64_MAX};
    if (!n->deps.n)
        front_copy(&lane.front, base);
    vec_each (&n->deps, d)
        front_merge(&rt->order, &lane.front, &fronts[(*d)->at]);
    cudaError_t e = cudaSuccess;
    if (!n->disabled)
        e = op_alive(rt, &n->op) ? rt_execute(rt, &lane, &n->op) : cudaErrorInvalidValue;
    fronts[n->at] = lane.front;
    return e;
}

cudaError_t rt_graph_execute(struct rt *rt, struct rt_stream *s, struct rt_graph *g)
{
    uint32_t n = g->nodes.n;
    struct rt_node **order = xcalloc(n + 1, sizeof *order);
    struct rt_front *fronts = xcalloc(n + 1, sizeof *fronts), base = {0};
    cudaError_t e = graph_sort(g, order) ? cudaSuccess : cudaErrorInvalidValue;
    rt_stream_before(rt, s, &base);
    for (uint32_t i = 0; i < n && e == cudaSuccess; i++)
        e = run_node(rt, s, order[i], fronts, &base);
    if (n)
        vec_clear(&s->front.launches);
    for (uint32_t i = 0; i < n; i++) {
        if (!g->nodes.at[i]->users.n)
            front_merge(&rt->order, &s->front, &fronts[i]);
    }
    s->changed = ++rt->order.tick;
    if (s->merged != UINT64_MAX)
        s->merged = rt->order.tick;
    for (uint32_t i = 0; i < n; i++)
        front_free(&fronts[i]);
    front_free(&base);
    free(fronts);
    free(order);
    return e;
}

static struct rt_exec *get(struct rt *rt, cudaGraphExec_t h) { return rt_obj_get(rt, h, RK_GRAPH_EXEC); }

static void exec_release(struct rt *rt, struct rt_exec *x)
{
    graph_free(rt, x->graph);
    free(x);
}

/* A launch that is captured becomes a child graph. */
static cudaError_t launch(struct rt *rt, cudaGraphExec_t h, cudaStream_t stream)
{
    struct rt_exec *x = get(rt, h);
    struct rt_stream *s = rt_stream_get(rt, stream);
    if (!x)
        return cudaErrorInvalidValue;
    if (!s)
        return cudaErrorInvalidResourceHandle;
    cudaError_t e = rt_capture_check(rt, s);
    if (e != cudaSuccess)
        return e;
    if (s->capture) {
        struct rt_op op;
        e = op_from_child(rt, &op, (cudaGraph_t)x->graph);
        return e == cudaSuccess ? rt_capture_add(rt, s, &op) : e;
    }
    e = pool_graph_ready(rt, x->graph, x->flags & cudaGraphInstantiateFlagAutoFreeOnLaunch);
    if (e != cudaSuccess)
        return e;
    x->running++;
    s->busy++;
    e = rt_graph_execute(rt, s, x->graph);
    if (--s->busy == 0 && s->dead)
        stream_free(rt, s);
    if (--x->running == 0 && x->dead)
        exec_release(rt, x);
    return e;
}

RT_API cudaError_t cudaGraphLaunch(cudaGraphExec_t h, cudaStream_t stream)
{
    struct rt *rt = rt_enter(__func__);
    return rt_leave(rt, launch(rt, h, stream));
}

/* Nothing is left to be prepared. */
RT_API cudaError_t cudaGraphUpload(cudaGraphExec_t h, cudaStream_t stream)
{
    struct rt *rt = rt_enter(__func__);
    struct rt_stream *s = rt_stream_get(rt, stream);
    cudaError_t e = !get(rt, h) ? cudaErrorInvalidValue
                    : s         ? rt_capture_check(rt, s)
                                : cudaErrorInvalidResourceHandle;
    if (e == cudaSuccess && s->capture) {
        capture_invalidate(s->capture);
        e = cudaErrorStreamCaptureUnsupported;
    }
    return rt_leave(rt, e);
}

RT_API cudaError_t cudaGraphExecDestroy(cudaGraphExec_t h)
{
    struct rt *rt = rt_enter(__func__);
    struct rt_exec *x = get(rt, h);
    if (!x)
        return rt_leave(rt, cudaErrorInvalidValue);
    rt_obj_remove(rt, &x->obj);
    x->dead = true;
    if (!x->running)
        exec_release(rt, x);
    return rt_leave(rt, cudaSuccess);
}

/* ---- instantiation ---- */

/* Nodes' operations were checked when they were made; edges are what is left to be wrong. */
static cudaError_t instantiate(struct rt *rt, cudaGraphExec_t *out, cudaGraph_t graph,
                               unsigned long long flags)
{
    const struct rt_graph *g = rt_obj_get(rt, graph, RK_GRAPH);
    const unsigned long long known = cudaGraphInstantiateFlagAutoFreeOnLaunch |
                                     cudaGraphInstantiateFlagUpload | cudaGraphInstantiateFlagDeviceLaunch |
                                     cudaGraphInstantiateFlagUseNodePriority;
    if (!out || !g || (flags & ~known))
        return cudaErrorInvalidValue;
    if (flags & cudaGraphInstantiateFlagDeviceLaunch)
        return rt_unsupported(rt, rt->call, "cudaGraphInstantiateFlagDeviceLaunch");
    struct rt_node **order = xcalloc(g->nodes.n + 1, sizeof *order);
    bool sorted = graph_sort(g, order);
    free(order);
    if (!sorted)
        return cudaErrorInvalidValue;
    struct rt_exec *x = xcalloc(1, sizeof *x);
    x->graph = graph_clone(rt, g);
    x->flags = flags;
    rt_obj_add(rt, &x->obj, RK_GRAPH_EXEC);
    *out = (cudaGraphExec_t)x;
    return cudaSuccess;
}

RT_API cudaError_t cudaGraphInstantiate(cudaGraphExec_t *out, cudaGraph_t graph, unsigned long long flags)
{
    struct rt *rt = rt_enter(__func__);
    return rt_leave(rt, instantiate(rt, out, graph, flags));
}

RT_API cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *out, cudaGraph_t graph,
                                                 unsigned long long flags)
{
    struct rt *rt = rt_enter(__func__);
    return rt_leave(rt, instantiate(rt, out, graph, flags));
}

RT_API cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t *out, cudaGraph_t graph,
                                                  cudaGraphInstantiateParams *p)
{
    struct rt *rt = rt_enter(__func__);
    cudaError_t e = p ? instantiate(rt, out, graph, p->flags) : cudaErrorInvalidValue;
    if (p) {
        p->errNode_out = NULL;
        p->result_out = e == cudaSuccess             ? cudaGraphInstantiateSuccess
                        : e == cudaErrorNotSupported ? cudaGraphInstantiateNodeOperationNotSupported
                                                     : cudaGraphInstantiateInvalidStructure;
    }
    return rt_leave(rt, e);
}

RT_API cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t h, unsigned long long *flags)
{
    struct rt *rt = rt_enter(__func__);
    const struct rt_exec *x = get(rt, h);
    if (x && flags)
        *flags = x->flags;
    return rt_leave(rt, x && flags ? cudaSuccess : cudaErrorInvalidValue);
}
