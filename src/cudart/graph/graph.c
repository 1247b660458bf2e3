/* SPDX-License-Identifier: Apache-2.0 */
/* Graphs as data: nodes, edges, copies and the order in which they run. */
#include "cudart/graph/graph.h"
#include "cudart/memory/pool.h"

struct rt_graph *graph_new(struct rt *rt)
{
    struct rt_graph *g = xcalloc(1, sizeof *g);
    rt_obj_add(rt, &g->obj, RK_GRAPH);
    return g;
}

static void node_release(struct rt *rt, struct rt_node *n)
{
    rt_obj_remove(rt, &n->obj);
    if (n->op.kind == RO_ALLOC)
        pool_graph_unref(rt, n->op.mem.addr);
    if (n->op.kind == RO_CHILD)
        graph_free(rt, n->op.child);
    else
        rt_op_free(&n->op);
    vec_free(&n->deps);
    vec_free(&n->users);
    vec_free(&n->args);
    free(n);
}

/* User objects last: their functions are the program's, which may do anything but see this graph. */
void graph_free(struct rt *rt, struct rt_graph *g)
{
    rt_obj_remove(rt, &g->obj);
    vec_each (&g->nodes, n)
        node_release(rt, *n);
    vec_free(&g->nodes);
    vec_each (&g->users, u)
        user_release(rt, *u, 1);
    vec_free(&g->users);
    free(g);
}

bool node_has_edge(const struct rt_node *from, const struct rt_node *to)
{
    vec_each (&to->deps, d) {
        if (*d == from)
            return true;
    }
    return false;
}

void node_add_edge(struct rt_node *from, struct rt_node *to)
{
    vec_push(&from->users, to);
    vec_push(&to->deps, from);
}

void node_drop_edge(struct rt_node *from, struct rt_node *to)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < from->users.n; i++) {
        if (from->users.at[i] != to)
            from->users.at[kept++] = from->users.at[i];
    }
    from->users.n = kept;
    kept = 0;
    for (uint32_t i = 0; i < to->deps.n; i++) {
        if (to->deps.at[i] != from)
            to->deps.at[kept++] = to->deps.at[i];
    }
    to->deps.n = kept;
}

void node_free(struct rt *rt, struct rt_node *n)
{
    struct rt_graph *g = n->graph;
    while (n->users.n)
        node_drop_edge(n, n->users.at[0]);
    while (n->deps.n)
        node_drop_edge(n->deps.at[0], n);
    memmove(g->nodes.at + n->at, g->nodes.at + n->at + 1, sizeof n * (g->nodes.n - n->at - 1));
    g->nodes.n--;
    for (uint32_t i = n->at; i < g->nodes.n; i++)
        g->nodes.at[i]->at = i;
    node_release(rt, n);
}

struct rt_node *graph_add(struct rt *rt, struct rt_graph *g, struct rt_node *const *deps, size_t ndeps,
                          const struct rt_op *op)
{
    struct rt_node *n = xcalloc(1, sizeof *n);
    n->graph = g;
    n->at = g->nodes.n;
    n->id = g->next_id++;
    n->op = *op;
    if (op->kind == RO_CHILD && op->child->depth + 1 > g->depth)
        g->depth = op->child->depth + 1;
    rt_obj_add(rt, &n->obj, RK_NODE);
    vec_push(&g->nodes, n);
    for (size_t i = 0; i < ndeps; i++) {
        if (!node_has_edge(deps[i], n))
            node_add_edge(deps[i], n);
    }
    return n;
}

enum cudaGraphNodeType node_type(const struct rt_node *n)
{
    static const uint8_t types[] = {
        [RO_LAUNCH] = cudaGraphNodeTypeKernel,      [RO_COPY] = cudaGraphNodeTypeMemcpy,
        [RO_SET] = cudaGraphNodeTypeMemset,         [RO_HOST] = cudaGraphNodeTypeHost,
        [RO_RECORD] = cudaGraphNodeTypeEventRecord, [RO_WAIT] = cudaGraphNodeTypeWaitEvent,
        [RO_ALLOC] = cudaGraphNodeTypeMemAlloc,     [RO_FREE] = cudaGraphNodeTypeMemFree,
        [RO_EMPTY] = cudaGraphNodeTypeEmpty,        [RO_CHILD] = cudaGraphNodeTypeGraph,
    };
    return (enum cudaGraphNodeType)types[n->op.kind];
}

/* Child graphs nest as deep as the program built them, each from one that existed before: no cycles. */
struct rt_graph *graph_clone(struct rt *rt, const struct rt_graph *g)
{
    struct rt_graph *c = graph_new(rt);
    c->origin = g;
    vec_each (&g->nodes, at) {
        const struct rt_node *n = *at;
        struct rt_op op = n->op;
        if (op.kind == RO_CHILD) {
            op.child = graph_clone(rt, n->op.child);
            op.child->nested = true;
        } else {
            rt_op_copy(&op, &n->op);
        }
        if (op.kind == RO_ALLOC)
            pool_graph_ref(rt, op.mem.addr);
        struct rt_node *m = graph_add(rt, c, NULL, 0, &op);
        m->id = n->id;
        m->origin = n;
        m->disabled = n->disabled;
    }
    vec_each (&g->nodes, n) {
        vec_each (&(*n)->deps, d)
            node_add_edge(c->nodes.at[(*d)->at], c->nodes.at[(*n)->at]);
    }
    vec_each (&g->users, u) {
        user_retain(*u, 1);
        vec_push(&c->users, *u);
    }
    c->next_id = g->next_id;
    return c;
}

struct rt_node *graph_find_clone(const struct rt_graph *g, const struct rt_node *origin)
{
    vec_each (&g->nodes, n) {
        if ((*n)->origin == origin && (*n)->id == origin->id)
            return *n;
        if ((*n)->op.kind == RO_CHILD) {
            struct rt_node *in = graph_find_clone((*n)->op.child, origin);
            if (in)
                return in;
        }
    }
    return NULL;
}

/* Of the nodes that are ready the oldest goes first: a heap of ready nodes by their place in the graph. */
static void heap_push(uint32_t *heap, uint32_t n, uint32_t x)
{
    while (n && heap[(n - 1) / 2] > x) {
        heap[n] = heap[(n - 1) / 2];
        n = (n - 1) / 2;
    }
    heap[n] = x;
}

static uint32_t heap_pop(uint32_t *heap, uint32_t n)
{
    uint32_t top = heap[0], x = heap[n - 1], i = 0;
    for (n--; 2 * i + 1 < n;) {
        uint32_t c = 2 * i + 1;
        if (c + 1 < n && heap[c + 1] < heap[c])
            c++;
        if (heap[c] >= x)
            break;
        heap[i] = heap[c];
        i = c;
    }
    heap[i] = x;
    return top;
}

bool graph_sort(const struct rt_graph *g, struct rt_node **out)
{
    uint32_t n = g->nodes.n, nheap = 0, done = 0;
    uint32_t *heap = xcalloc(2 * (size_t)n + 1, sizeof *heap), *missing = heap + n;
    for (uint32_t i = 0; i < n; i++) {
        missing[i] = g->nodes.at[i]->deps.n;
        if (!missing[i])
            heap_push(heap, nheap++, i);
    }
    while (nheap) {
        struct rt_node *at = g->nodes.at[heap_pop(heap, nheap--)];
        out[done++] = at;
        vec_each (&at->users, u) {
            if (--missing[(*u)->at] == 0)
                heap_push(heap, nheap++, (*u)->at);
        }
    }
    free(heap);
    return done == n;
}
