/* SPDX-License-Identifier: Apache-2.0 */
/* cudaMemcpy, cudaMemset and their relatives on linear memory, and cudaMemcpy3D. */
#include "cudart/graph/graph.h"
#include "cudart/memory/copy.h"
#include "cudart/versions/compat.h"

struct rt_op copy_op_rows(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width,
                          size_t height, enum cudaMemcpyKind kind)
{
    return (struct rt_op){.kind = RO_COPY,
                          .copy = {.dst = {.addr = (uint64_t)(uintptr_t)dst, .pitch_b = dpitch},
                                   .src = {.addr = (uint64_t)(uintptr_t)src, .pitch_b = spitch},
                                   .width_b = width,
                                   .height = height,
                                   .depth = 1,
                                   .dir = kind}};
}

/* Does the host wait for the operation? Synchronous copies do unless they stay on the device; asynchronous ones where
 * memory that is not pinned takes part and the device writes to it. Fills never do. */
static bool host_waits(struct rt *rt, const struct rt_op *op, bool wait)
{
    if (op->kind != RO_COPY)
        return false;
    const struct rt_end *d = &op->copy.dst, *s = &op->copy.src;
    bool to = d->array || d->var || rt_device_ptr(rt, d->addr, 1);
    bool from = s->array || s->var || rt_device_ptr(rt, s->addr, 1);
    return wait ? !(to && from) : !to;
}

cudaError_t copy_submit(struct rt *rt, cudaStream_t stream, struct rt_op *op, bool wait)
{
    struct rt_stream *s = rt_stream_get(rt, stream);
    cudaError_t e = s ? cudaSuccess : cudaErrorInvalidResourceHandle;
    if (!e && wait)
        e = rt_capture_no_wait(rt, s);
    bool joins = !e && host_waits(rt, op, wait) && !s->capture;
    if (!e)
        e = rt_submit(rt, s, op);
    if (!e && joins)
        rt_stream_joined(rt, s);
    return rt_leave(rt, e);
}

static cudaError_t copy(const char *name, void *dst, const void *src, size_t size, enum cudaMemcpyKind kind,
                        cudaStream_t stream, bool wait)
{
    struct rt_op op = copy_op_rows(dst, 0, src, 0, size, 1, kind);
    return copy_submit(rt_enter(name), stream, &op, wait);
}

RT_API cudaError_t cudaMemcpy(void *dst, const void *src, size_t size, enum cudaMemcpyKind kind)
{
    return copy("cudaMemcpy", dst, src, size, kind, NULL, true);
}

RT_API cudaError_t cudaMemcpyAsync(void *dst, const void *src, size_t size, enum cudaMemcpyKind kind,
                                   cudaStream_t stream)
{
    return copy("cudaMemcpyAsync", dst, src, size, kind, stream, false);
}

static cudaError_t copy_2d(const char *name, void *dst, size_t dpitch, const void *src, size_t spitch,
                           size_t width, size_t height, enum cudaMemcpyKind kind, cudaStream_t stream,
                           bool wait)
{
    struct rt *rt = rt_enter(name);
    if (dpitch < width || spitch < width)
        return rt_leave(rt, cudaErrorInvalidPitchValue);
    struct rt_op op = copy_op_rows(dst, dpitch, src, spitch, width, height, kind);
    return copy_submit(rt, stream, &op, wait);
}

RT_API cudaError_t cudaMemcpy2D(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width,
                                size_t height, enum cudaMemcpyKind kind)
{
    return copy_2d("cudaMemcpy2D", dst, dpitch, src, spitch, width, height, kind, NULL, true);
}

RT_API cudaError_t cudaMemcpy2DAsync(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width,
                                     size_t height, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    return copy_2d("cudaMemcpy2DAsync", dst, dpitch, src, spitch, width, height, kind, stream, false);
}

/* ---- one device: peers are the device itself ---- */

static cudaError_t copy_peer(const char *name, void *dst, int to, const void *src, int from, size_t size,
                             cudaStream_t stream, bool wait)
{
    if (to || from)
        return rt_leave(rt_enter(name), cudaErrorInvalidDevice);
    return copy(name, dst, src, size, cudaMemcpyDeviceToDevice, stream, wait);
}

RT_API cudaError_t cudaMemcpyPeer(void *dst, int dst_device, const void *src, int src_device, size_t size)
{
    return copy_peer("cudaMemcpyPeer", dst, dst_device, src, src_device, size, NULL, true);
}

RT_API cudaError_t cudaMemcpyPeerAsync(void *dst, int dst_device, const void *src, int src_device,
                                       size_t size, cudaStream_t stream)
{
    return copy_peer("cudaMemcpyPeerAsync", dst, dst_device, src, src_device, size, stream, false);
}

/* ---- 3D ---- */

/* One end of cudaMemcpy3D: an array, whose positions count elements, or pitched memory, whose positions count bytes unless
 * the other end is an array. */
static cudaError_t end_3d(struct rt *rt, cudaArray_t array, const struct cudaPitchedPtr *p,
                          struct cudaPos pos, struct rt_end *end)
{
    *end = (struct rt_end){.x_b = pos.x, .y = pos.y, .z = pos.z};
    if ((array != NULL) == (p->ptr != NULL))
        return cudaErrorInvalidValue;
    if (array) {
        end->array = rt_obj_get(rt, array, RK_ARRAY);
        return end->array ? cudaSuccess : cudaErrorInvalidValue;
    }
    end->addr = (uint64_t)(uintptr_t)p->ptr;
    end->pitch_b = p->pitch;
    if (__builtin_mul_overflow((uint64_t)p->pitch, (uint64_t)p->ysize, &end->slice_b))
        return cudaErrorInvalidPitchValue;
    return cudaSuccess;
}

cudaError_t copy_op_3d(struct rt *rt, struct rt_op *op, const struct cudaMemcpy3DParms *p)
{
    *op = (struct rt_op){.kind = RO_COPY};
    if (!p->extent.width || !p->extent.height || !p->extent.depth) /* nothing to copy, wherever it is */
        return cudaSuccess;
    cudaError_t e = end_3d(rt, p->dstArray, &p->dstPtr, p->dstPos, &op->copy.dst);
    if (!e)
        e = end_3d(rt, p->srcArray, &p->srcPtr, p->srcPos, &op->copy.src);
    if (e)
        return e;
    uint64_t elem_b = 1;
    if (op->copy.dst.array)
        elem_b = rt_array_elem(op->copy.dst.array);
    if (op->copy.src.array) {
        uint64_t b = rt_array_elem(op->copy.src.array);
        if (op->copy.dst.array && b != elem_b)
            return cudaErrorInvalidValue;
        elem_b = b;
    }
    if (p->extent.width >> 40 || op->copy.dst.x_b >> 40 || op->copy.src.x_b >> 40)
        return cudaErrorInvalidValue;
    op->copy.width_b = p->extent.width * elem_b;
    op->copy.dst.x_b *= elem_b;
    op->copy.src.x_b *= elem_b;
    op->copy.height = p->extent.height;
    op->copy.depth = p->extent.depth;
    op->copy.dir = p->kind;
    return cudaSuccess;
}

static cudaError_t copy_3d(const char *name, const struct cudaMemcpy3DParms *p, cudaStream_t stream,
                           bool wait)
{
    struct rt *rt = rt_enter(name);
    struct rt_op op;
    if (p && (!p->extent.width || !p->extent.height || !p->extent.depth))
        return rt_leave(rt, cudaSuccess);
    cudaError_t e = p ? copy_op_3d(rt, &op, p) : cudaErrorInvalidValue;
    return e ? rt_leave(rt, e) : copy_submit(rt, stream, &op, wait);
}

RT_API cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *p)
{
    return copy_3d("cudaMemcpy3D", p, NULL, true);
}

RT_API cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *p, cudaStream_t stream)
{
    return copy_3d("cudaMemcpy3DAsync", p, stream, false);
}

static cudaError_t copy_3d_peer(const char *name, const struct cudaMemcpy3DPeerParms *p, cudaStream_t stream,
                                bool wait)
{
    if (!p || p->srcDevice || p->dstDevice)
        return rt_leave(rt_enter(name), p ? cudaErrorInvalidDevice : cudaErrorInvalidValue);
    const struct cudaMemcpy3DParms q = {.srcArray = p->srcArray,
                                        .srcPos = p->srcPos,
                                        .srcPtr = p->srcPtr,
                                        .dstArray = p->dstArray,
                                        .dstPos = p->dstPos,
                                        .dstPtr = p->dstPtr,
                                        .extent = p->extent,
                                        .kind = cudaMemcpyDeviceToDevice};
    return copy_3d(name, &q, stream, wait);
}

RT_API cudaError_t cudaMemcpy3DPeer(const struct cudaMemcpy3DPeerParms *p)
{
    return copy_3d_peer("cudaMemcpy3DPeer", p, NULL, true);
}

RT_API cudaError_t cudaMemcpy3DPeerAsync(const struct cudaMemcpy3DPeerParms *p, cudaStream_t stream)
{
    return copy_3d_peer("cudaMemcpy3DPeerAsync", p, stream, false);
}

/* ---- fills ---- */

static cudaError_t set(const char *name, const struct cudaPitchedPtr *p, int value, struct cudaExtent x,
                       cudaStream_t stream)
{
    struct rt *rt = rt_enter(name);
    struct rt_op op = {.kind = RO_SET,
                       .set = {.addr = (uint64_t)(uintptr_t)p->ptr,
                               .pitch_b = p->pitch,
                               .width = x.width,
                               .height = x.height,
                               .depth = x.depth,
                               .value = (unsigned char)value,
                               .elem_b = 1}};
    if ((x.height > 1 && p->pitch < x.width) ||
        __builtin_mul_overflow((uint64_t)p->pitch, (uint64_t)p->ysize, &op.set.slice_b))
        return rt_leave(rt, cudaErrorInvalidValue);
    return copy_submit(rt, stream, &op, false);
}

RT_API cudaError_t cudaMemset(void *ptr, int value, size_t size)
{
    return set("cudaMemset", &(struct cudaPitchedPtr){.ptr = ptr}, value, (struct cudaExtent){size, 1, 1},
               NULL);
}

RT_API cudaError_t cudaMemsetAsync(void *ptr, int value, size_t size, cudaStream_t stream)
{
    return set("cudaMemsetAsync", &(struct cudaPitchedPtr){.ptr = ptr}, value,
               (struct cudaExtent){size, 1, 1}, stream);
}

RT_API cudaError_t cudaMemset2D(void *ptr, size_t pitch, int value, size_t width, size_t height)
{
    return set("cudaMemset2D", &(struct cudaPitchedPtr){.ptr = ptr, .pitch = pitch}, value,
               (struct cudaExtent){width, height, 1}, NULL);
}

RT_API cudaError_t cudaMemset2DAsync(void *ptr, size_t pitch, int value, size_t width, size_t height,
                                     cudaStream_t stream)
{
    return set("cudaMemset2DAsync", &(struct cudaPitchedPtr){.ptr = ptr, .pitch = pitch}, value,
               (struct cudaExtent){width, height, 1}, stream);
}

RT_API cudaError_t cudaMemset3D(struct cudaPitchedPtr ptr, int value, struct cudaExtent extent)
{
    return set("cudaMemset3D", &ptr, value, extent, NULL);
}

RT_API cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr ptr, int value, struct cudaExtent extent,
                                     cudaStream_t stream)
{
    return set("cudaMemset3DAsync", &ptr, value, extent, stream);
}

/* ---- many copies in one call ---- */

RT_API cudaError_t cudaMemcpyBatchAsync(void **dsts, void **srcs, size_t *sizes, size_t count,
                                        struct cudaMemcpyAttributes *attrs, size_t *attr_indices,
                                        size_t num_attrs, size_t *failed, cudaStream_t stream)
{
    (void)attrs, (void)attr_indices, (void)num_attrs; /* hints about when sources are read */
    if (!dsts || !srcs || !sizes || !count)
        return rt_leave(rt_enter("cudaMemcpyBatchAsync"), cudaErrorInvalidValue);
    return __cudaCoreMemcpyBatchAsync(dsts, (const void *const *)srcs, sizes, count, stream, failed);
}

RT_API cudaError_t cudaMemcpy3DBatchAsync(size_t count, struct cudaMemcpy3DBatchOp *ops, size_t *failed,
                                          unsigned long long flags, cudaStream_t stream)
{
    (void)count, (void)ops, (void)failed, (void)flags, (void)stream;
    return __cudaCoreUnsupported("cudaMemcpy3DBatchAsync");
}
