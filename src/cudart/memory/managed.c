/* SPDX-License-Identifier: Apache-2.0 */
/* Managed memory: advice and prefetching. Host and device see the same memory at all times, so both are hints without effect
 * on what a program computes; they are checked, and kept for cudaMemRangeGetAttribute. Advice about a part of an allocation
 * is taken for all of it. */
#include "cudart/graph/graph.h"

enum { NOWHERE = -2 }; /* cudaInvalidDeviceId; -1 is the host, 0 the device */

/* The allocation that holds the range, NULL: not managed. */
static struct rt_alloc *range(struct rt *rt, const void *ptr, size_t size)
{
    uint64_t addr = (uintptr_t)ptr;
    const struct rt_alloc *a = rt_alloc_at(rt, addr);
    if (!a || a->kind != RM_MANAGED || !size || size > a->base + a->size_b - addr)
        return NULL;
    return (struct rt_alloc *)a;
}

static bool known_place(int device) { return device == 0 || device == cudaCpuDeviceId; }

static cudaError_t advise(struct rt *rt, const void *ptr, size_t size, int advice, int device)
{
    struct rt_alloc *a = range(rt, ptr, size);
    bool placed = advice == cudaMemAdviseSetPreferredLocation || advice == cudaMemAdviseSetAccessedBy ||
                  advice == cudaMemAdviseUnsetAccessedBy;
    if (!a)
        return cudaErrorInvalidValue;
    if (placed && !known_place(device))
        return cudaErrorInvalidDevice;
    switch (advice) {
    case cudaMemAdviseSetReadMostly: a->read_mostly = true; break;
    case cudaMemAdviseUnsetReadMostly: a->read_mostly = false; break;
    case cudaMemAdviseSetPreferredLocation: a->preferred = device + 3; break;
    case cudaMemAdviseUnsetPreferredLocation: a->preferred = 0; break;
    case cudaMemAdviseSetAccessedBy: a->accessed_by |= 1u << (device + 1); break;
    case cudaMemAdviseUnsetAccessedBy: a->accessed_by &= ~(1u << (device + 1)); break;
    default: return cudaErrorInvalidValue;
    }
    return cudaSuccess;
}

static bool place_of(struct cudaMemLocation l, int *device)
{
    *device = l.type == cudaMemLocationTypeDevice ? l.id : cudaCpuDeviceId;
    return l.type >= cudaMemLocationTypeDevice && l.type <= cudaMemLocationTypeHostNumaCurrent;
}

RT_API cudaError_t cudaMemAdvise(const void *ptr, size_t size, enum cudaMemoryAdvise advice, int device)
{
    struct rt *rt = rt_enter(__func__);
    return rt_leave(rt, advise(rt, ptr, size, (int)advice, device));
}

RT_API cudaError_t cudaMemAdvise_v2(const void *ptr, size_t size, enum cudaMemoryAdvise advice,
                                    struct cudaMemLocation location)
{
    struct rt *rt = rt_enter("cudaMemAdvise");
    int device;
    bool good = place_of(location, &device) || advice == cudaMemAdviseSetReadMostly ||
                advice == cudaMemAdviseUnsetReadMostly || advice == cudaMemAdviseUnsetPreferredLocation;
    return rt_leave(rt, good ? advise(rt, ptr, size, (int)advice, device) : cudaErrorInvalidValue);
}

/* Cannot be captured. */
static cudaError_t prefetch(struct rt *rt, const void *ptr, size_t size, int device, cudaStream_t stream)
{
    struct rt_alloc *a = range(rt, ptr, size);
    struct rt_stream *s = rt_stream_get(rt, stream);
    if (!s)
        return cudaErrorInvalidResourceHandle;
    if (!a)
        return cudaErrorInvalidValue;
    if (!known_place(device))
        return cudaErrorInvalidDevice;
    cudaError_t e = rt_capture_check(rt, s);
    if (e == cudaSuccess && s->capture) {
        capture_invalidate(s->capture);
        e = cudaErrorStreamCaptureUnsupported;
    }
    if (e == cudaSuccess)
        a->prefetched = device + 3;
    return e;
}

RT_API cudaError_t cudaMemPrefetchAsync(const void *ptr, size_t size, int device, cudaStream_t stream)
{
    struct rt *rt = rt_enter(__func__);
    return rt_leave(rt, prefetch(rt, ptr, size, device, stream));
}

RT_API cudaError_t cudaMemPrefetchAsync_v2(const void *ptr, size_t size, struct cudaMemLocation location,
                                           unsigned int flags, cudaStream_t stream)
{
    struct rt *rt = rt_enter("cudaMemPrefetchAsync");
    int device;
    bool good = place_of(location, &device) && !flags;
    return rt_leave(rt, good ? prefetch(rt, ptr, size, device, stream) : cudaErrorInvalidValue);
}

/* ---- queries ---- */

static int location_type(int device)
{
    return device == 0                 ? cudaMemLocationTypeDevice
           : device == cudaCpuDeviceId ? cudaMemLocationTypeHost
                                       : cudaMemLocationTypeInvalid;
}

static cudaError_t accessed_by(const struct rt_alloc *a, int *list, size_t n)
{
    size_t at = 0;
    for (int device = 0; device >= cudaCpuDeviceId; device--) {
        if (a->accessed_by & 1u << (device + 1) && at < n)
            list[at++] = device;
    }
    while (at < n)
        list[at++] = NOWHERE;
    return cudaSuccess;
}

static cudaError_t get(struct rt *rt, void *data, size_t data_b, int attr, const void *ptr, size_t size)
{
    const struct rt_alloc *a = range(rt, ptr, size);
    int v;
    if (!a || !data || data_b < sizeof v || data_b % sizeof v)
        return cudaErrorInvalidValue;
    int preferred = a->preferred - 3, last = a->prefetched - 3;
    preferred = preferred == -3 ? NOWHERE : preferred;
    last = last == -3 ? NOWHERE : last;
    switch (attr) {
    case cudaMemRangeAttributeReadMostly: v = a->read_mostly; break;
    case cudaMemRangeAttributePreferredLocation: v = preferred; break;
    case cudaMemRangeAttributeAccessedBy: return accessed_by(a, data, data_b / sizeof v);
    case cudaMemRangeAttributeLastPrefetchLocation: v = last; break;
    case cudaMemRangeAttributePreferredLocationType: v = location_type(preferred); break;
    case cudaMemRangeAttributePreferredLocationId: v = preferred; break;
    case cudaMemRangeAttributeLastPrefetchLocationType: v = location_type(last); break;
    case cudaMemRangeAttributeLastPrefetchLocationId: v = last; break;
    default: return cudaErrorInvalidValue;
    }
    if (data_b != sizeof v)
        return cudaErrorInvalidValue;
    memcpy(data, &v, sizeof v);
    return cudaSuccess;
}

RT_API cudaError_t cudaMemRangeGetAttribute(void *data, size_t data_size, enum cudaMemRangeAttribute attr,
                                            const void *ptr, size_t size)
{
    struct rt *rt = rt_enter(__func__);
    return rt_leave(rt, get(rt, data, data_size, (int)attr, ptr, size));
}

RT_API cudaError_t cudaMemRangeGetAttributes(void **data, size_t *sizes, enum cudaMemRangeAttribute *attrs,
                                             size_t n, const void *ptr, size_t size)
{
    struct rt *rt = rt_enter(__func__);
    cudaError_t e = data && sizes && attrs && n ? cudaSuccess : cudaErrorInvalidValue;
    for (size_t i = 0; e == cudaSuccess && i < n; i++)
        e = get(rt, data[i], sizes[i], (int)attrs[i], ptr, size);
    return rt_leave(rt, e);
}
