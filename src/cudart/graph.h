/* Inside graphs: nodes, what a capture collects, and executable graphs. API functions in graph_*.c and capture.c.
 *
 * A node is an operation (rt.h) with edges. Operations refer to nothing that the program may free meanwhile: kernel
 * parameters are copied, child graphs are clones. Nodes of a graph are kept in order of creation, and whatever walks
 * them (topological order, dot files) breaks ties by it: the same program always gives the same order. */
#ifndef CUDART_GRAPH_H
#define CUDART_GRAPH_H

#include "cudart/rt.h"

struct rt_node {
    struct rt_obj obj;
    struct rt_graph *graph;
    uint32_t at;   /* in graph->nodes */
    uint32_t id;   /* order of creation in the graph; clones keep it */
    struct rt_op op;
    VEC(struct rt_node *) deps;
    VEC(struct rt_node *) users;
    VEC(void *) args;            /* launches: what cudaKernelNodeParams.kernelParams points at */
    const struct rt_node *origin; /* of a clone; compared, never followed */
    bool disabled;
};

struct rt_graph {
    struct rt_obj obj;
    VEC(struct rt_node *) nodes;
    uint32_t next_id;
    const struct rt_graph *origin;
    bool nested; /* a child node's: not destroyed by the program */
    bool one_exec; /* has memory nodes and is instantiated */
};

struct rt_exec {
    struct rt_obj obj;
    struct rt_graph *graph; /* a clone of what was instantiated */
    VEC(struct rt_node *) order;
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
};

/* graph.c */
struct rt_graph *graph_new(struct rt *rt);
void graph_free(struct rt *rt, struct rt_graph *g);
struct rt_graph *graph_clone(struct rt *rt, const struct rt_graph *g);
/* Takes over the operation. deps are nodes of g. */
struct rt_node *graph_add(struct rt *rt, struct rt_graph *g, struct rt_node *const *deps, size_t ndeps,
                          const struct rt_op *op);
void node_free(struct rt *rt, struct rt_node *n); /* with its edges */
void node_set_op(struct rt_node *n, const struct rt_op *op); /* takes it over, frees the old one */
bool node_add_edge(struct rt_node *from, struct rt_node *to); /* false: there already */
bool node_has_edge(const struct rt_node *from, const struct rt_node *to);
void node_drop_edge(struct rt_node *from, struct rt_node *to);
enum cudaGraphNodeType node_type(const struct rt_node *n);
/* Topological order, ties in order of creation. False: a cycle. */
bool graph_sort(const struct rt_graph *g, struct rt_node **out);

/* graph_run.c: the operations of a graph, in order, as work of s. */
cudaError_t graph_run(struct rt *rt, struct rt_stream *s, struct rt_graph *g, struct rt_node *const *order);

/* capture.c */
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
void capture_end_stream(struct rt_stream *s);

#endif
