/* SPDX-License-Identifier: Apache-2.0 */
/* Events: a place in the order of launches, with a time. Times are functional (rt.clock_ns): the same in every run. */
#include "cudart/graph/graph.h"
#include "cudart/stream/stream.h"

enum {
    EVENT_FLAGS = cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess,
    /* What recording itself takes: cudaEventElapsedTime resolves about half a microsecond (CUDA runtime API), and two
     * records are never at the same time. */
    RECORD_NS = 500
};

static struct rt_event *get(struct rt *rt, cudaEvent_t h) { return rt_obj_get(rt, h, RK_EVENT); }

static cudaError_t create(struct rt *rt, const char *name, cudaEvent_t *out, unsigned flags)
{
    if (!out || (flags & ~(unsigned)EVENT_FLAGS))
        return cudaErrorInvalidValue;
    if (flags & cudaEventInterprocess) {
        if (!(flags & cudaEventDisableTiming))
            return cudaErrorInvalidValue;
        return rt_unsupported(rt, name, "cudaEventInterprocess");
    }
    struct rt_event *e = xcalloc(1, sizeof *e);
    e->flags = flags;
    rt_obj_add(rt, &e->obj, RK_EVENT);
    *out = (cudaEvent_t)e;
    return cudaSuccess;
}

void event_free(struct rt *rt, struct rt_event *e)
{
    rt_obj_remove(rt, &e->obj);
    front_free(&e->front);
    vec_free(&e->heads);
    free(e);
}

static void do_record(struct rt *rt, struct rt_stream *s, struct rt_event *e)
{
    rt_stream_before(rt, s, &e->front);
    rt->clock_ns += RECORD_NS;
    e->time_ns = rt->clock_ns;
    e->recorded = true;
    e->capture = 0;
}

static void do_wait(struct rt *rt, struct rt_stream *s, struct rt_event *e)
{
    rt_stream_before(rt, s, NULL);
    if (front_merge(&rt->order, &s->front, &e->front))
        s->changed = rt->order.tick;
}

/* A graph may have outlived its event. */
cudaError_t rt_event_execute(struct rt *rt, struct rt_stream *s, const struct rt_op *op)
{
    struct rt_event *e = rt_obj_get(rt, op->event.event, RK_EVENT);
    if (!e)
        return cudaErrorInvalidResourceHandle;
    if (op->kind == RO_RECORD)
        do_record(rt, s, e);
    else
        do_wait(rt, s, e);
    return cudaSuccess;
}

RT_API cudaError_t cudaEventCreate(cudaEvent_t *out)
{
    struct rt *rt = rt_enter(__func__);
    return rt_leave(rt, create(rt, __func__, out, cudaEventDefault));
}

RT_API cudaError_t cudaEventCreateWithFlags(cudaEvent_t *out, unsigned int flags)
{
    struct rt *rt = rt_enter(__func__);
    return rt_leave(rt, create(rt, __func__, out, flags));
}

RT_API cudaError_t cudaEventDestroy(cudaEvent_t h)
{
    struct rt *rt = rt_enter(__func__);
    struct rt_event *e = get(rt, h);
    if (e)
        event_free(rt, e);
    return rt_leave(rt, e ? cudaSuccess : cudaErrorInvalidResourceHandle);
}

/* In a stream that captures, an event is a set of nodes and no time; cudaEventRecordExternal makes it a node itself. */
static cudaError_t record(struct rt *rt, cudaEvent_t h, cudaStream_t stream, unsigned flags)
{
    struct rt_event *e = get(rt, h);
    struct rt_stream *s = rt_stream_get(rt, stream);
    if (flags & ~(unsigned)cudaEventRecordExternal)
        return cudaErrorInvalidValue;
    if (!e || !s)
        return cudaErrorInvalidResourceHandle;
    if (!s->capture && (flags & cudaEventRecordExternal))
        return cudaErrorIllegalState;
    cudaError_t err = rt_capture_check(rt, s);
    if (err != cudaSuccess)
        return err;
    if (s->capture && !(flags & cudaEventRecordExternal)) {
        e->capture = s->capture->id;
        vec_clear(&e->heads);
        vec_each (&s->heads, n)
            vec_push(&e->heads, *n);
        return cudaSuccess;
    }
    struct rt_op op = {.kind = RO_RECORD, .event.event = &e->obj};
    return rt_submit(rt, s, &op);
}

RT_API cudaError_t cudaEventRecord(cudaEvent_t h, cudaStream_t stream)
{
    struct rt *rt = rt_enter(__func__);
    return rt_leave(rt, record(rt, h, stream, 0));
}

RT_API cudaError_t cudaEventRecordWithFlags(cudaEvent_t h, cudaStream_t stream, unsigned int flags)
{
    struct rt *rt = rt_enter(__func__);
    return rt_leave(rt, record(rt, h, stream, flags));
}

/* Waiting for an event of a capture brings the stream into that capture. */
static cudaError_t wait_captured(struct rt *rt, struct rt_stream *s, struct rt_event *e)
{
    struct rt_capture *c = capture_by_id(rt, e->capture);
    if (!c)
        return cudaErrorCapturedEvent;
    if (s->capture && s->capture != c) {
        capture_invalidate(s->capture);
        capture_invalidate(c);
        return cudaErrorStreamCaptureMerge;
    }
    if (c->invalid)
        return cudaErrorStreamCaptureInvalidated;
    if (s->id == 0) { /* the legacy stream cannot be captured */
        capture_invalidate(c);
        return cudaErrorStreamCaptureImplicit;
    }
    capture_join(s, c, NULL, 0);
    vec_each (&e->heads, n) { /* nodes may have been destroyed since */
        if (rt_obj_get(rt, *n, RK_NODE) && (*n)->graph == c->graph)
            capture_join(s, c, n, 1);
    }
    return cudaSuccess;
}

static cudaError_t wait(struct rt *rt, cudaStream_t stream, cudaEvent_t h, unsigned flags)
{
    struct rt_event *e = get(rt, h);
    struct rt_stream *s = rt_stream_get(rt, stream);
    bool external = flags & cudaEventWaitExternal;
    if (flags & ~(unsigned)cudaEventWaitExternal)
        return cudaErrorInvalidValue;
    if (!e || !s)
        return cudaErrorInvalidResourceHandle;
    if (external && !s->capture)
        return cudaErrorIllegalState;
    if (e->capture && !external)
        return wait_captured(rt, s, e);
    cudaError_t err = rt_capture_check(rt, s);
    if (err != cudaSuccess)
        return err;
    /* What the event stands for is outside of the graph, unless it is nothing. */
    if (s->capture && !external) {
        if (!e->recorded)
            return cudaSuccess;
        capture_invalidate(s->capture);
        return cudaErrorStreamCaptureIsolation;
    }
    struct rt_op op = {.kind = RO_WAIT, .event.event = &e->obj};
    return rt_submit(rt, s, &op);
}

RT_API cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t h, unsigned int flags)
{
    struct rt *rt = rt_enter(__func__);
    return rt_leave(rt, wait(rt, stream, h, flags));
}

/* An event that was never recorded counts as done. Waiting for one of a capture that has ended is another mistake than for
 * one of a capture in progress (measured on an H200, CUDA 13.0). */
static cudaError_t host_wait(struct rt *rt, cudaEvent_t h, cudaError_t if_ended)
{
    struct rt_event *e = get(rt, h);
    if (!e)
        return cudaErrorInvalidResourceHandle;
    if (e->capture) {
        struct rt_capture *c = capture_by_id(rt, e->capture);
        if (c)
            capture_invalidate(c);
        return c ? cudaErrorCapturedEvent : if_ended;
    }
    cudaError_t err = rt_capture_unsafe(rt);
    if (err == cudaSuccess && front_merge(&rt->order, &rt->order.joined, &e->front))
        rt->order.joined_tick = rt->order.tick;
    return err;
}

RT_API cudaError_t cudaEventSynchronize(cudaEvent_t h)
{
    struct rt *rt = rt_enter(__func__);
    return rt_leave(rt, host_wait(rt, h, cudaErrorInvalidValue));
}

/* Everything has run: never cudaErrorNotReady. */
RT_API cudaError_t cudaEventQuery(cudaEvent_t h)
{
    struct rt *rt = rt_enter(__func__);
    return rt_leave(rt, host_wait(rt, h, cudaErrorCapturedEvent));
}

static cudaError_t elapsed(struct rt *rt, float *ms, cudaEvent_t from, cudaEvent_t to)
{
    const struct rt_event *a = get(rt, from), *b = get(rt, to);
    if (!ms)
        return cudaErrorInvalidValue;
    if (!a || !b)
        return cudaErrorInvalidResourceHandle;
    if (a->capture || b->capture)
        return cudaErrorCapturedEvent;
    if ((a->flags | b->flags) & cudaEventDisableTiming || !a->recorded || !b->recorded)
        return cudaErrorInvalidResourceHandle;
    *ms = (float)((double)(int64_t)(b->time_ns - a->time_ns) / 1e6);
    return cudaSuccess;
}

RT_API cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t from, cudaEvent_t to)
{
    struct rt *rt = rt_enter("cudaEventElapsedTime");
    return rt_leave(rt, elapsed(rt, ms, from, to));
}
