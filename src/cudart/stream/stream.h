/* SPDX-License-Identifier: Apache-2.0 */
/* Streams and events as the files of cudart/ see them. */
#ifndef CUDART_STREAM_H
#define CUDART_STREAM_H

#include "cudart/rt.h"

struct rt_event {
    struct rt_obj obj;
    unsigned flags;
    bool recorded;
    uint64_t time_ns;
    struct rt_front front;
    uint64_t capture; /* last recorded in this capture (0: in none), when these were its heads: */
    VEC(struct rt_node *) heads;
};

/* Things made and destroyed; flags and priority already checked. */
struct rt_stream *stream_new(struct rt *rt, unsigned flags, int priority);
void stream_free(struct rt *rt, struct rt_stream *s);
/* Does the legacy stream wait for s, and s for it? */
static inline bool stream_blocking(const struct rt_stream *s) { return !(s->flags & cudaStreamNonBlocking); }

void event_free(struct rt *rt, struct rt_event *e);

enum { STREAM_PRIORITY_LEAST = 0, STREAM_PRIORITY_GREATEST = -5 }; /* H200 */
/* Out of range: the nearest that exists. */
static inline int stream_priority(int p)
{
    return p > STREAM_PRIORITY_LEAST      ? STREAM_PRIORITY_LEAST
           : p < STREAM_PRIORITY_GREATEST ? STREAM_PRIORITY_GREATEST
                                          : p;
}

#endif
