/* SPDX-License-Identifier: Apache-2.0 */
/* Graphs: made, copied, taken apart; their nodes and edges listed and changed. */
#include "cudart/graph/graph.h"

static struct rt_graph *get(struct rt *rt, cudaGraph_t h) { return rt_obj_get(rt, h, RK_GRAPH); }
static struct rt_node *get_node(struct rt *rt, cudaGraphNode_t h) { return rt_obj_get(rt, h, RK_NODE); }

RT_API cudaError_t cudaGraphCreate(cudaGraph_t *out, unsigned int flags)
{
    struct rt *rt = rt_enter(__func__);
    if (!out || flags)
        return rt_leave(rt, cudaErrorInvalidValue);
    *out = (cudaGraph_t)graph_new(rt);
    return rt_leave(rt, cudaSuccess);
}

RT_API cudaError_t cudaGraphDestroy(cudaGraph_t h)
{
    struct rt *rt = rt_enter(__func__);
    struct rt_graph *g = get(rt, h);
    cudaError_t e = g && !g->nested ? cudaSuccess : cudaErrorInvalidValue;
    vec_each (&rt->captures, c) { /* what is being built is not the program's yet */
        if (e == cudaSuccess && (*c)->graph == g)
            e = cudaErrorInvalidValue;
    }
    if (e == cudaSuccess)
        graph_free(rt, g);
    return rt_leave(rt, e);
}

RT_API cudaError_t cudaGraphClone(cudaGraph_t *out, cudaGraph_t h)
{
    struct rt *rt = rt_enter(__func__);
    const struct rt_graph *g = get(rt, h);
    if (!out || !g)
        return rt_leave(rt, cudaErrorInvalidValue);
    if (graph_has_memory(g)) /* CUDA: graphs with memory nodes cannot be cloned */
        return rt_leave(rt, cudaErrorNotSupported);
    *out = (cudaGraph_t)graph_clone(rt, g);
    return rt_leave(rt, cudaSuccess);
}

RT_API cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t *out, cudaGraphNode_t original, cudaGraph_t clone)
{
    struct rt *rt = rt_enter(__func__);
    const struct rt_node *n = get_node(rt, original);
    const struct rt_graph *g = get(rt, clone);
    struct rt_node *found = n && g ? graph_find_clone(g, n) : NULL;
    if (!out || !found)
        return rt_leave(rt, cudaErrorInvalidValue);
    *out = (cudaGraphNode_t)found;
    return rt_leave(rt, cudaSuccess);
}

RT_API cudaError_t cudaGraphDestroyNode(cudaGraphNode_t h)
{
    struct rt *rt = rt_enter(__func__);
    struct rt_node *n = get_node(rt, h);
    if (!n)
        return rt_leave(rt, cudaErrorInvalidValue);
    if (n->op.kind == RO_ALLOC || n->op.kind == RO_FREE) /* CUDA: memory nodes cannot be removed */
        return rt_leave(rt, cudaErrorNotSupported);
    capture_forget(rt, n);
    node_free(rt, n);
    return rt_leave(rt, cudaSuccess);
}

RT_API cudaError_t cudaGraphNodeGetType(cudaGraphNode_t h, enum cudaGraphNodeType *type)
{
    struct rt *rt = rt_enter(__func__);
    const struct rt_node *n = get_node(rt, h);
    if (n && type)
        *type = node_type(n);
    return rt_leave(rt, n && type ? cudaSuccess : cudaErrorInvalidValue);
}

/* ---- lists ---- *count: room in, number out; entries beyond what there is become NULL. Without room: the number alone. */

static cudaError_t list(cudaGraphNode_t *out, size_t *count, struct rt_node *const *nodes, size_t n)
{
    if (!count)
        return cudaErrorInvalidValue;
    for (size_t i = 0; out && i < *count; i++)
        out[i] = i < n ? (cudaGraphNode_t)nodes[i] : NULL;
    if (!out || n < *count)
        *count = n;
    return cudaSuccess;
}

RT_API cudaError_t cudaGraphGetNodes(cudaGraph_t h, cudaGraphNode_t *nodes, size_t *count)
{
    struct rt *rt = rt_enter(__func__);
    const struct rt_graph *g = get(rt, h);
    return rt_leave(rt, g ? list(nodes, count, g->nodes.at, g->nodes.n) : cudaErrorInvalidValue);
}

RT_API cudaError_t cudaGraphGetRootNodes(cudaGraph_t h, cudaGraphNode_t *nodes, size_t *count)
{
    struct rt *rt = rt_enter(__func__);
    const struct rt_graph *g = get(rt, h);
    VEC(struct rt_node *) roots = {0};
    if (!g)
        return rt_leave(rt, cudaErrorInvalidValue);
    vec_each (&g->nodes, n) {
        if (!(*n)->deps.n)
            vec_push(&roots, *n);
    }
    cudaError_t e = list(nodes, count, roots.at, roots.n);
    vec_free(&roots);
    return rt_leave(rt, e);
}

/* Edges carry no data here: all are full dependencies. */
static void clear_data(cudaGraphEdgeData *data, const void *list_given, size_t n)
{
    if (data && list_given)
        memset(data, 0, sizeof *data * n);
}

static cudaError_t edges(struct rt *rt, cudaGraph_t h, cudaGraphNode_t *from, cudaGraphNode_t *to,
                         cudaGraphEdgeData *data, size_t *count)
{
    const struct rt_graph *g = get(rt, h);
    VEC(struct rt_node *) a = {0};
    VEC(struct rt_node *) b = {0};
    if (!g || !count || !from != !to)
        return cudaErrorInvalidValue;
    vec_each (&g->nodes, n) {
        vec_each (&(*n)->deps, d) {
            vec_push(&a, *d);
            vec_push(&b, *n);
        }
    }
    size_t room = *count;
    list(from, count, a.at, a.n);
    list(to, &room, b.at, b.n);
    clear_data(data, from, room);
    vec_free(&a);
    vec_free(&b);
    return cudaSuccess;
}

RT_API cudaError_t cudaGraphGetEdges(cudaGraph_t h, cudaGraphNode_t *from, cudaGraphNode_t *to, size_t *count)
{
    struct rt *rt = rt_enter(__func__);
    return rt_leave(rt, edges(rt, h, from, to, NULL, count));
}

RT_API cudaError_t cudaGraphGetEdges_v2(cudaGraph_t h, cudaGraphNode_t *from, cudaGraphNode_t *to,
                                        cudaGraphEdgeData *data, size_t *count)
{
    struct rt *rt = rt_enter("cudaGraphGetEdges");
    return rt_leave(rt, edges(rt, h, from, to, data, count));
}

static cudaError_t neighbours(const char *name, bool users, cudaGraphNode_t h, cudaGraphNode_t *out,
                              cudaGraphEdgeData *data, size_t *count)
{
    struct rt *rt = rt_enter(name);
    const struct rt_node *n = get_node(rt, h);
    cudaError_t e = !n      ? cudaErrorInvalidValue
                    : users ? list(out, count, n->users.at, n->users.n)
                            : list(out, count, n->deps.at, n->deps.n);
    if (e == cudaSuccess)
        clear_data(data, out, *count);
    return rt_leave(rt, e);
}

RT_API cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t h, cudaGraphNode_t *deps, size_t *count)
{
    return neighbours(__func__, false, h, deps, NULL, count);
}

RT_API cudaError_t cudaGraphNodeGetDependencies_v2(cudaGraphNode_t h, cudaGraphNode_t *deps,
                                                   cudaGraphEdgeData *data, size_t *count)
{
    return neighbours("cudaGraphNodeGetDependencies", false, h, deps, data, count);
}

RT_API cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t h, cudaGraphNode_t *nodes, size_t *count)
{
    return neighbours(__func__, true, h, nodes, NULL, count);
}

RT_API cudaError_t cudaGraphNodeGetDependentNodes_v2(cudaGraphNode_t h, cudaGraphNode_t *nodes,
                                                     cudaGraphEdgeData *data, size_t *count)
{
    return neighbours("cudaGraphNodeGetDependentNodes", true, h, nodes, data, count);
}

/* ---- edges ---- */

bool edge_data_plain(const cudaGraphEdgeData *data, size_t n)
{
    for (size_t i = 0; data && i < n; i++) {
        if (data[i].type != cudaGraphDependencyTypeDefault || data[i].from_port || data[i].to_port)
            return false;
    }
    return true;
}

/* All or none. */
static cudaError_t change_edges(const char *name, bool add, cudaGraph_t h, const cudaGraphNode_t *from,
                                const cudaGraphNode_t *to, const cudaGraphEdgeData *data, size_t n)
{
    struct rt *rt = rt_enter(name);
    const struct rt_graph *g = get(rt, h);
    if (!g || (n && (!from || !to)))
        return rt_leave(rt, cudaErrorInvalidValue);
    if (!edge_data_plain(data, n))
        return rt_leave(rt, rt_unsupported(rt, name, "edge data (programmatic dependent launch)"));
    for (size_t i = 0; i < n; i++) {
        const struct rt_node *a = get_node(rt, from[i]), *b = get_node(rt, to[i]);
        if (!a || !b || a == b || a->graph != g || b->graph != g || node_has_edge(a, b) == add)
            return rt_leave(rt, cudaErrorInvalidValue);
    }
    for (size_t i = 0; i < n; i++) {
        if (add)
            node_add_edge((struct rt_node *)from[i], (struct rt_node *)to[i]);
        else
            node_drop_edge((struct rt_node *)from[i], (struct rt_node *)to[i]);
    }
    return rt_leave(rt, cudaSuccess);
}

RT_API cudaError_t cudaGraphAddDependencies(cudaGraph_t g, const cudaGraphNode_t *from,
                                            const cudaGraphNode_t *to, size_t n)
{
    return change_edges(__func__, true, g, from, to, NULL, n);
}

RT_API cudaError_t cudaGraphAddDependencies_v2(cudaGraph_t g, const cudaGraphNode_t *from,
                                               const cudaGraphNode_t *to, const cudaGraphEdgeData *data,
                                               size_t n)
{
    return change_edges("cudaGraphAddDependencies", true, g, from, to, data, n);
}

RT_API cudaError_t cudaGraphRemoveDependencies(cudaGraph_t g, const cudaGraphNode_t *from,
                                               const cudaGraphNode_t *to, size_t n)
{
    return change_edges(__func__, false, g, from, to, NULL, n);
}

RT_API cudaError_t cudaGraphRemoveDependencies_v2(cudaGraph_t g, const cudaGraphNode_t *from,
                                                  const cudaGraphNode_t *to, const cudaGraphEdgeData *data,
                                                  size_t n)
{
    return change_edges("cudaGraphRemoveDependencies", false, g, from, to, data, n);
}
