/* SPDX-License-Identifier: Apache-2.0 */
/* Streams: made, destroyed, waited for. Work runs at the call, so a stream is always idle when somebody asks; what it keeps
 * is its frontier, for the order that the trace tells.
 *
 * The legacy default stream waits for all blocking streams before each of its operations, and they wait for it after
 * (CUDA runtime API, stream synchronization behavior). Both are done when an operation comes, for changes since the
 * last one only. */
#include "cudart/stream/stream.h"
#include "cudart/graph/graph.h"
#include "cudart/memory/pool.h"

struct rt_stream *stream_new(struct rt *rt, unsigned flags, int priority)
{
    struct rt_stream *s = xcalloc(1, sizeof *s);
    s->id = rt->next_stream++;
    s->flags = flags;
    s->priority = priority;
    rt_obj_add(rt, &s->obj, RK_STREAM);
    vec_push(&rt->streams, s);
    return s;
}

void rt_streams_init(struct rt *rt) { stream_new(rt, cudaStreamDefault, 0); }

/* What ran in it still has to end before what waits for all streams. */
void stream_free(struct rt *rt, struct rt_stream *s)
{
    struct rt_order *o = &rt->order;
    if (front_merge(o, &o->lost[!stream_blocking(s)], &s->front))
        o->lost_tick = o->tick;
    for (uint32_t i = 0, kept = 0; i < rt->streams.n; i++) {
        if (rt->streams.at[i] != s)
            rt->streams.at[kept++] = rt->streams.at[i];
        if (i + 1 == rt->streams.n)
            rt->streams.n = kept;
    }
    rt_obj_remove(rt, &s->obj);
    front_free(&s->front);
    vec_free(&s->heads);
    free(s);
}

static struct rt_stream *per_thread(struct rt *rt)
{
    struct rt_thread *t = rt_thread();
    if (!t->stream)
        t->stream = stream_new(rt, cudaStreamDefault, 0);
    return t->stream;
}

struct rt_stream *rt_stream_get(struct rt *rt, cudaStream_t h)
{
    if (h == cudaStreamPerThread || (!h && rt_thread()->own_default))
        return per_thread(rt);
    if (h == NULL || h == cudaStreamLegacy)
        return rt->streams.at[0];
    return rt_obj_get(rt, h, RK_STREAM);
}

static void take(struct rt *rt, struct rt_stream *s, const struct rt_front *f)
{
    if (front_merge(&rt->order, &s->front, f))
        s->changed = rt->order.tick;
}

/* Brings into s->front what s has to wait for by itself: the host's waits and the legacy stream's rule. */
static void catch_up(struct rt *rt, struct rt_stream *s)
{
    struct rt_order *o = &rt->order;
    uint64_t since = s->merged;
    if (since == UINT64_MAX) /* a graph's node: has all it needs */
        return;
    if (o->joined_tick > since)
        take(rt, s, &o->joined);
    if (s == rt->streams.at[0]) {
        if (o->lost_tick > since)
            take(rt, s, &o->lost[0]);
        for (uint32_t i = 1; i < rt->streams.n; i++) {
            const struct rt_stream *t = rt->streams.at[i];
            if (stream_blocking(t) && t->changed > since)
                take(rt, s, &t->front);
        }
    } else if (stream_blocking(s) && rt->streams.at[0]->changed > since) {
        take(rt, s, &rt->streams.at[0]->front);
    }
    s->merged = o->tick;
}

void rt_stream_before(struct rt *rt, struct rt_stream *s, struct rt_front *after)
{
    catch_up(rt, s);
    if (after)
        front_copy(after, &s->front);
}

void rt_stream_launched(struct rt *rt, struct rt_stream *s, uint32_t launch)
{
    catch_up(rt, s);
    rt_order_launch(&rt->order, &s->front, launch);
    s->changed = rt->order.tick;
    if (s->merged != UINT64_MAX)
        s->merged = rt->order.tick;
}

/* Waiting for the legacy stream is waiting for all blocking streams; waiting for one of these is not waiting for the legacy
 * stream (both measured on an H200). */
void rt_stream_joined(struct rt *rt, struct rt_stream *s)
{
    struct rt_order *o = &rt->order;
    bool changed = false;
    if (s) {
        if (s->id == 0)
            catch_up(rt, s);
        changed = front_merge(o, &o->joined, &s->front);
    } else {
        vec_each (&rt->streams, t)
            changed |= front_merge(o, &o->joined, &(*t)->front);
        changed |= front_merge(o, &o->joined, &o->lost[0]);
        changed |= front_merge(o, &o->joined, &o->lost[1]);
        vec_clear(&o->lost[0].launches);
        vec_clear(&o->lost[1].launches);
    }
    if (changed)
        o->joined_tick = o->tick;
    rt_pool_synchronized(rt);
}

/* ---- API ---- */

static cudaError_t create(struct rt *rt, cudaStream_t *out, unsigned flags, int priority)
{
    if (!out || (flags & ~(unsigned)cudaStreamNonBlocking))
        return cudaErrorInvalidValue;
    *out = (cudaStream_t)stream_new(rt, flags, stream_priority(priority));
    return cudaSuccess;
}

RT_API cudaError_t cudaStreamCreate(cudaStream_t *out)
{
    struct rt *rt = rt_enter(__func__);
    return rt_leave(rt, create(rt, out, cudaStreamDefault, 0));
}

RT_API cudaError_t cudaStreamCreateWithFlags(cudaStream_t *out, unsigned int flags)
{
    struct rt *rt = rt_enter(__func__);
    return rt_leave(rt, create(rt, out, flags, 0));
}

RT_API cudaError_t cudaStreamCreateWithPriority(cudaStream_t *out, unsigned int flags, int priority)
{
    struct rt *rt = rt_enter(__func__);
    return rt_leave(rt, create(rt, out, flags, priority));
}

RT_API cudaError_t cudaStreamDestroy(cudaStream_t h)
{
    struct rt *rt = rt_enter(__func__);
    struct rt_stream *s = rt_obj_get(rt, h, RK_STREAM);
    if (!s || s == rt->streams.at[0] || s == rt_thread()->stream)
        return rt_leave(rt, cudaErrorInvalidResourceHandle);
    if (s->capture)
        capture_leave(rt, s);
    if (s->busy) { /* a host function of its own work got here */
        s->dead = true;
        rt_obj_remove(rt, &s->obj);
    } else {
        stream_free(rt, s);
    }
    return rt_leave(rt, cudaSuccess);
}

static cudaError_t wait_for(struct rt *rt, cudaStream_t h)
{
    struct rt_stream *s = rt_stream_get(rt, h);
    if (!s)
        return cudaErrorInvalidResourceHandle;
    cudaError_t e = rt_capture_no_wait(rt, s);
    if (e == cudaSuccess)
        rt_stream_joined(rt, s);
    return e;
}

RT_API cudaError_t cudaStreamSynchronize(cudaStream_t h)
{
    struct rt *rt = rt_enter(__func__);
    return rt_leave(rt, wait_for(rt, h));
}

/* Everything has run: never cudaErrorNotReady. The program learns so, which is as good as having waited. */
RT_API cudaError_t cudaStreamQuery(cudaStream_t h)
{
    struct rt *rt = rt_enter(__func__);
    return rt_leave(rt, wait_for(rt, h));
}
