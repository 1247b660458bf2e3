/* SPDX-License-Identifier: Apache-2.0 */
/* Stream capture: operations of a stream become nodes of a graph. A stream comes into a capture by cudaStreamBeginCapture or
 * by waiting for an event that was recorded in it; its heads are the nodes that its next node depends on.
 *
 * A call that cannot be captured invalidates the capture: every later operation in it fails until cudaStreamEndCapture
 * says so and ends it. Rules: CUDA programming guide, "Creating a graph using stream capture". */
#include "cudart/graph/graph.h"
#include "cudart/stream/stream.h"

void capture_invalidate(struct rt_capture *c) { c->invalid = true; }

struct rt_capture *capture_by_id(struct rt *rt, uint64_t id)
{
    vec_each (&rt->captures, c) {
        if ((*c)->id == id)
            return *c;
    }
    return NULL;
}

static void add_head(struct rt_stream *s, struct rt_node *n)
{
    vec_each (&s->heads, h) {
        if (*h == n)
            return;
    }
    vec_push(&s->heads, n);
}

void capture_join(struct rt_stream *s, struct rt_capture *c, struct rt_node *const *heads, size_t n)
{
    if (s->capture != c)
        vec_clear(&s->heads);
    s->capture = c;
    for (size_t i = 0; i < n; i++)
        add_head(s, heads[i]);
}

void capture_forget(struct rt *rt, const struct rt_node *n)
{
    for (uint32_t i = 0; i < rt->streams.n; i++) {
        struct rt_stream *s = rt->streams.at[i];
        uint32_t kept = 0;
        for (uint32_t k = 0; k < s->heads.n; k++) {
            if (s->heads.at[k] != n)
                s->heads.at[kept++] = s->heads.at[k];
        }
        s->heads.n = kept;
    }
    vec_each (&rt->captures, c) {
        uint32_t kept = 0;
        for (uint32_t k = 0; k < (*c)->left.n; k++) {
            if ((*c)->left.at[k] != n)
                (*c)->left.at[kept++] = (*c)->left.at[k];
        }
        (*c)->left.n = kept;
    }
}

static void end_stream(struct rt_stream *s)
{
    s->capture = NULL;
    vec_free(&s->heads);
}

bool capture_implicit(struct rt *rt, bool invalidate)
{
    bool found = false;
    for (uint32_t i = 0; rt->captures.n && i < rt->streams.n; i++) {
        struct rt_stream *t = rt->streams.at[i];
        if (!t->capture || !stream_blocking(t))
            continue;
        found = true;
        if (invalidate)
            capture_invalidate(t->capture);
    }
    return found;
}

cudaError_t rt_capture_check(struct rt *rt, struct rt_stream *s)
{
    if (s->capture)
        return s->capture->invalid ? cudaErrorStreamCaptureInvalidated : cudaSuccess;
    return s->id == 0 && capture_implicit(rt, true) ? cudaErrorStreamCaptureImplicit : cudaSuccess;
}

cudaError_t rt_capture_unsafe(struct rt *rt)
{
    const struct rt_thread *me = rt_thread();
    cudaError_t e = cudaSuccess;
    vec_each (&rt->captures, at) {
        struct rt_capture *c = *at;
        bool mine = c->thread == me && c->mode != cudaStreamCaptureModeRelaxed;
        bool theirs =
            me->capture_mode == cudaStreamCaptureModeGlobal && c->mode == cudaStreamCaptureModeGlobal;
        if (me->capture_mode != cudaStreamCaptureModeRelaxed && (mine || theirs)) {
            capture_invalidate(c);
            e = cudaErrorStreamCaptureUnsupported;
        }
    }
    return e;
}

cudaError_t rt_capture_no_wait(struct rt *rt, struct rt_stream *s)
{
    if (s) {
        cudaError_t e = rt_capture_check(rt, s);
        if (e != cudaSuccess)
            return e;
        if (s->capture) {
            capture_invalidate(s->capture);
            return cudaErrorStreamCaptureUnsupported;
        }
        return rt_capture_unsafe(rt);
    }
    vec_each (&rt->captures, c)
        capture_invalidate(*c);
    return rt->captures.n ? cudaErrorStreamCaptureUnsupported : cudaSuccess;
}

cudaError_t rt_capture_add(struct rt *rt, struct rt_stream *s, struct rt_op *op)
{
    cudaError_t e = rt_capture_check(rt, s);
    if (e != cudaSuccess) {
        rt_op_free(op);
        return e;
    }
    struct rt_node *n = graph_add(rt, s->capture->graph, s->heads.at, s->heads.n, op);
    vec_clear(&s->heads);
    vec_push(&s->heads, n);
    return cudaSuccess;
}

/* ---- API ---- */

static cudaError_t begin(struct rt *rt, cudaStream_t h, int mode, struct rt_graph *g,
                         struct rt_node *const *deps, size_t ndeps)
{
    struct rt_stream *s = rt_stream_get(rt, h);
    if (!s)
        return cudaErrorInvalidResourceHandle;
    if (mode < cudaStreamCaptureModeGlobal || mode > cudaStreamCaptureModeRelaxed)
        return cudaErrorInvalidValue;
    if (s->id == 0)
        return cudaErrorStreamCaptureUnsupported;
    if (s->capture)
        return cudaErrorIllegalState;
    struct rt_capture *c = xcalloc(1, sizeof *c);
    *c = (struct rt_capture){.id = ++rt->next_capture,
                             .mode = mode,
                             .graph = g,
                             .own_graph = !g,
                             .origin = s,
                             .thread = rt_thread()};
    if (!g)
        c->graph = graph_new(rt);
    vec_push(&rt->captures, c);
    capture_join(s, c, deps, ndeps);
    return cudaSuccess;
}

RT_API cudaError_t cudaStreamBeginCapture(cudaStream_t h, enum cudaStreamCaptureMode mode)
{
    struct rt *rt = rt_enter(__func__);
    return rt_leave(rt, begin(rt, h, (int)mode, NULL, NULL, 0));
}

RT_API cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t h, cudaGraph_t graph,
                                                 const cudaGraphNode_t *deps, const cudaGraphEdgeData *data,
                                                 size_t ndeps, enum cudaStreamCaptureMode mode)
{
    struct rt *rt = rt_enter(__func__);
    struct rt_graph *g = rt_obj_get(rt, graph, RK_GRAPH);
    cudaError_t e = g && (deps || !ndeps) ? cudaSuccess : cudaErrorInvalidValue;
    if (e == cudaSuccess && data)
        e = rt_unsupported(rt, __func__, "edge data (programmatic dependent launch)");
    for (size_t i = 0; e == cudaSuccess && i < ndeps; i++) {
        const struct rt_node *n = rt_obj_get(rt, deps[i], RK_NODE);
        if (!n || n->graph != g)
            e = cudaErrorInvalidValue;
    }
    if (e == cudaSuccess)
        e = begin(rt, h, (int)mode, g, (struct rt_node *const *)deps, ndeps);
    return rt_leave(rt, e);
}

/* A node that leads nowhere and is no head of the origin was forked and not joined. */
static bool is_joined(const struct rt_capture *c, const struct rt_node *n)
{
    vec_each (&c->origin->heads, h) {
        if (*h == n)
            return true;
    }
    return n->users.n > 0;
}

static bool all_joined(const struct rt *rt, const struct rt_capture *c)
{
    bool joined = true;
    vec_each (&c->left, n)
        joined &= is_joined(c, *n);
    vec_each (&rt->streams, at) {
        const struct rt_stream *s = *at;
        vec_each (&s->heads, n)
            joined &= s->capture != c || is_joined(c, *n);
    }
    return joined;
}

/* All streams leave it; the graph stays. */
static void close_capture(struct rt *rt, struct rt_capture *c)
{
    vec_each (&rt->streams, t) {
        if ((*t)->capture == c)
            end_stream(*t);
    }
    for (uint32_t i = 0; i < rt->captures.n; i++) {
        if (rt->captures.at[i] == c) {
            memmove(rt->captures.at + i, rt->captures.at + i + 1, sizeof(c) * (rt->captures.n - i - 1));
            rt->captures.n--;
        }
    }
    vec_free(&c->left);
    free(c);
}

void capture_leave(struct rt *rt, struct rt_stream *s)
{
    struct rt_capture *c = s->capture;
    if (s == c->origin) {
        if (c->own_graph)
            graph_free(rt, c->graph);
        close_capture(rt, c);
        return;
    }
    vec_each (&s->heads, n)
        vec_push(&c->left, *n);
    end_stream(s);
}

static cudaError_t finish(struct rt *rt, cudaStream_t h, cudaGraph_t *out)
{
    struct rt_stream *s = rt_stream_get(rt, h);
    if (!s)
        return cudaErrorInvalidResourceHandle;
    if (!out)
        return cudaErrorInvalidValue;
    *out = NULL;
    struct rt_capture *c = s->capture;
    if (!c)
        return cudaErrorIllegalState;
    if (c->origin != s) {
        capture_invalidate(c);
        return cudaErrorStreamCaptureUnmatched;
    }
    if (c->mode != cudaStreamCaptureModeRelaxed && c->thread != rt_thread()) {
        capture_invalidate(c);
        return cudaErrorStreamCaptureWrongThread;
    }
    cudaError_t e = c->invalid ? cudaErrorStreamCaptureInvalidated : cudaSuccess;
    if (e == cudaSuccess && !all_joined(rt, c))
        e = cudaErrorStreamCaptureUnjoined;
    if (e == cudaSuccess)
        *out = (cudaGraph_t)c->graph;
    else if (c->own_graph)
        graph_free(rt, c->graph);
    close_capture(rt, c);
    return e;
}

RT_API cudaError_t cudaStreamEndCapture(cudaStream_t h, cudaGraph_t *out)
{
    struct rt *rt = rt_enter(__func__);
    return rt_leave(rt, finish(rt, h, out));
}
