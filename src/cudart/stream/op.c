/* SPDX-License-Identifier: Apache-2.0 */
/* The funnel: every operation of the API and of graphs is checked, captured or executed here. */
#include "cudart/code/launch.h"
#include "cudart/graph/graph.h"
#include "cudart/memory/copy.h"
#include "cudart/rt.h"

cudaError_t rt_op_check(struct rt *rt, const struct rt_op *op)
{
    switch ((enum rt_op_kind)op->kind) {
    case RO_LAUNCH: return launch_check(rt, op);
    case RO_COPY: return copy_check(rt, op);
    case RO_SET: return set_check(rt, op);
    case RO_HOST: return op->host.fn ? cudaSuccess : cudaErrorInvalidValue;
    default: return cudaSuccess;
    }
}

cudaError_t rt_execute(struct rt *rt, struct rt_stream *s, struct rt_op *op)
{
    if (rt->fault) /* of an earlier operation of the same call */
        return rt->sticky;
    /* Whatever it is, what follows in the stream waits for what it waits for. */
    rt_stream_before(rt, s, NULL);
    switch ((enum rt_op_kind)op->kind) {
    case RO_LAUNCH: return launch_execute(rt, s, op);
    case RO_COPY: return copy_execute(rt, s, op);
    case RO_SET: return set_execute(rt, s, op);
    case RO_HOST: {
        void (*fn)(void *) = op->host.fn;
        void *arg = op->host.arg;
        unsigned depth = rt_pause(rt);
        fn(arg);
        rt_resume(rt, depth);
        return cudaSuccess;
    }
    case RO_RECORD:
    case RO_WAIT: return rt_event_execute(rt, s, op);
    case RO_ALLOC:
    case RO_FREE: return rt_pool_execute(rt, s, op);
    case RO_EMPTY: return cudaSuccess;
    case RO_CHILD: return rt_graph_execute(rt, s, op->child);
    }
    return cudaErrorUnknown;
}

cudaError_t rt_submit(struct rt *rt, struct rt_stream *s, struct rt_op *op)
{
    cudaError_t e = rt->sticky ? rt->sticky : rt_op_check(rt, op);
    if (!e)
        e = rt_capture_check(rt, s);
    if (!e && s->capture)
        return rt_capture_add(rt, s, op);
    if (!e)
        e = rt_execute(rt, s, op);
    rt_op_free(op);
    return e;
}

void rt_op_copy(struct rt_op *dst, const struct rt_op *src)
{
    *dst = *src;
    if (src->kind == RO_LAUNCH && src->launch.params) {
        size_t n = src->launch.kernel->param_b;
        dst->launch.params = memcpy(xmalloc(n ? n : 1), src->launch.params, n);
    }
}

void rt_op_free(struct rt_op *op)
{
    if (op->kind == RO_LAUNCH) {
        free(op->launch.params);
        op->launch.params = NULL;
    }
}
