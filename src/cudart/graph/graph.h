/* SPDX-License-Identifier: Apache-2.0 */
/* Inside graphs: nodes, what a capture collects, and executable graphs. API functions in graph_*.c and capture.c.
 *
 * A node is an operation (rt.h) with edges. Operations refer to nothing that the program may free meanwhile: kernel
 * parameters are copied, child graphs are clones. Nodes of a graph are kept in order of creation, and whatever walks
 * them (topological order, dot files) breaks ties by it: the same program always gives the same order. */
#ifndef CUDART_GRAPH_H
#define CUDART_GRAPH_H

#include "cudart/rt.h"

struct rt_user;

struct rt_node {
    struct rt_obj obj;
    struct rt_graph *graph;
    uint32_t at; /* in graph->nodes */
    uint32_t id; /* order of creation in the graph; clones keep it */
    struct rt_op op;
    VEC(struct rt_node *) deps;
    VEC(struct rt_node *) users;
    VEC(void *) args;             /* launches: what cudaKernelNodeParams.kernelParams points at */
    const struct rt_node *origin; /* of a clone; compared, never followed */
    bool disabled;
};

struct rt_graph {
    struct rt_obj obj;
    VEC(struct rt_node *) nodes;
    uint32_t next_id;
    const struct rt_graph *origin;
    VEC(struct rt_user *) users; /* user objects, once for each reference */
    uint32_t depth;              /* of child graphs in it; their own walks are recursive */
    bool nested;                 /* a child node's: not destroyed by the program */
};

struct rt_exec {
    struct rt_obj obj;
    struct rt_graph *graph; /* a clone of what was instantiated */
    unsigned long long flags;
    uint32_t running; /* host functions may call back: destroyed while running, freed afterwards */
    bool dead;
};

/* A capture in progress: the streams that belong to it, each with its heads. */
struct rt_capture {
    uint64_t id;
    int mode; /* enum cudaStreamCaptureMode */
    struct rt_graph *graph;
    bool own_graph; /* false: cudaStreamBeginCaptureToGraph */
    struct rt_stream *origin;
    struct rt_thread *thread;
    bool invalid;
    VEC(struct rt_node *) left; /* heads of streams that were destroyed meanwhile */
};

/* graph.c */
struct rt_graph *graph_new(struct rt *rt);
void graph_free(struct rt *rt, struct rt_graph *g);
/* Nodes keep their ids and remember what they were made from. */
struct rt_graph *graph_clone(struct rt *rt, const struct rt_graph *g);
/* Takes over the operation. deps are nodes of g. */
struct rt_node *graph_add(struct rt *rt, struct rt_graph *g, struct rt_node *const *deps, size_t ndeps,
                          const struct rt_op *op);
void node_free(struct rt *rt, struct rt_node *n); /* with its edges */
bool node_has_edge(const struct rt_node *from, const struct rt_node *to);
void node_add_edge(struct rt_node *from, struct rt_node *to);
void node_drop_edge(struct rt_node *from, struct rt_node *to);
enum cudaGraphNodeType node_type(const struct rt_node *n);
/* The node that was made from this one, NULL: none. */
struct rt_node *graph_find_clone(const struct rt_graph *g, const struct rt_node *origin);
/* Topological order, ties in order of creation; out has room for all nodes. False: a cycle. */
bool graph_sort(const struct rt_graph *g, struct rt_node **out);

/* graph_run.c: do the arrays and variables of a copy still exist? */
bool op_alive(struct rt *rt, const struct rt_op *op);

/* graph_params.c: operations out of the structures of the API. *op owns what it needs only if the result is success. */
cudaError_t op_from_kernel(struct rt *rt, struct rt_op *op, const struct cudaKernelNodeParams *p);
cudaError_t op_from_copy_3d(struct rt *rt, struct rt_op *op, const struct cudaMemcpy3DParms *p);
cudaError_t op_from_copy(struct rt *rt, struct rt_op *op, void *dst, const void *src, size_t size,
                         enum cudaMemcpyKind kind);
cudaError_t op_from_symbol_copy(struct rt *rt, struct rt_op *op, bool to_symbol, const void *symbol,
                                size_t offset, const void *other, size_t size, enum cudaMemcpyKind kind);
cudaError_t op_from_memset(struct rt *rt, struct rt_op *op, const struct cudaMemsetParams *p);
cudaError_t op_from_child(struct rt *rt, struct rt_op *op, cudaGraph_t child);
cudaError_t op_from_event(struct rt *rt, struct rt_op *op, enum rt_op_kind kind, cudaEvent_t event);
cudaError_t op_from_host(struct rt_op *op, const struct cudaHostNodeParams *p);
/* Takes memory at once, and puts its address into p->dptr. */
cudaError_t op_from_alloc(struct rt *rt, struct rt_op *op, struct cudaMemAllocNodeParams *p);
cudaError_t op_from_free(struct rt *rt, struct rt_op *op, void *ptr);
/* Any kind that is not refused by name. */
cudaError_t op_from_any(struct rt *rt, struct rt_op *op, struct cudaGraphNodeParams *p);
/* Full dependencies, nothing programmatic. NULL: the same. */
bool edge_data_plain(const cudaGraphEdgeData *data, size_t n);
bool graph_has_memory(const struct rt_graph *g);
/* A launch whose parameters are one packed buffer (CU_LAUNCH_PARAM_BUFFER_POINTER). */
cudaError_t rt_launch_extra(struct rt *rt, struct rt_op *op, struct rt_kernel *k, const uint32_t grid[3],
                            const uint32_t block[3], void **extra, uint64_t dyn_shared_b,
                            struct rt_wish wish);
/* The operation of a node is replaced by one of the same kind; takes *op over, also when it fails. */
cudaError_t node_set_op(struct rt *rt, struct rt_node *n, struct rt_op *op);

/* graph_user.c */
void user_retain(struct rt_user *u, uint32_t n);
/* Whoever gives back the last reference has the program's function called. */
void user_release(struct rt *rt, struct rt_user *u, uint32_t n);

/* capture.c */
/* Does a stream capture that the legacy stream would have to wait for? An operation in the latter spoils that capture. */
bool capture_implicit(struct rt *rt, bool invalidate);
/* Is an operation on s allowed as far as captures go? Legacy stream: not while a blocking stream captures. */
cudaError_t rt_capture_check(struct rt *rt, struct rt_stream *s);
/* Calls that may not be made while a stream of this thread (global mode: of any thread) captures. */
cudaError_t rt_capture_unsafe(struct rt *rt);
/* Waiting for s, or for all (NULL), which cannot be captured. */
cudaError_t rt_capture_no_wait(struct rt *rt, struct rt_stream *s);
void capture_invalidate(struct rt_capture *c);
struct rt_capture *capture_by_id(struct rt *rt, uint64_t id);
/* s becomes part of c, or goes on in it, after the given nodes too. */
void capture_join(struct rt_stream *s, struct rt_capture *c, struct rt_node *const *heads, size_t n);
/* A node is about to be destroyed: captures go on without it. */
void capture_forget(struct rt *rt, const struct rt_node *n);
/* s is destroyed. Without the stream that it began in, a capture is over. */
void capture_leave(struct rt *rt, struct rt_stream *s);

#endif
