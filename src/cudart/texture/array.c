/* SPDX-License-Identifier: Apache-2.0 */
/* Arrays: made, freed, described. */
#include "cudart/texture/array.h"
#include "cudart/graph/graph.h"
#include "exec/tex/tex.h"

enum { ARRAY_ROW_ALIGN_B = 32 }; /* a sector */

bool array_format(struct rt *rt, const struct cudaChannelFormatDesc *d, uint32_t *elem_b, struct exec_tex *t,
                  cudaError_t *e)
{
    const int bits[4] = {d->x, d->y, d->z, d->w};
    uint32_t n = 0;
    if ((int)d->f < cudaChannelFormatKindSigned || (int)d->f > cudaChannelFormatKindFloat) {
        *e = d->f == cudaChannelFormatKindNone ? cudaErrorInvalidChannelDescriptor
                                               : rt_unsupported(rt, rt->call, "this kind of channel format");
        return false;
    }
    *e = cudaErrorInvalidChannelDescriptor;
    while (n < 4 && bits[n])
        n++;
    for (uint32_t i = 0; i < 4; i++) {
        if (bits[i] != (i < n ? bits[0] : 0))
            return false;
    }
    if ((n != 1 && n != 2 && n != 4) || (bits[0] != 8 && bits[0] != 16 && bits[0] != 32) ||
        (d->f == cudaChannelFormatKindFloat && bits[0] == 8))
        return false;
    *elem_b = n * (uint32_t)bits[0] / 8;
    for (uint32_t i = 0; t && i < 4; i++)
        t->bits[i] = (uint8_t)bits[i];
    if (t)
        t->chan = d->f == cudaChannelFormatKindSigned     ? TEX_CHAN_SINT
                  : d->f == cudaChannelFormatKindUnsigned ? TEX_CHAN_UINT
                                                          : TEX_CHAN_FLOAT;
    *e = cudaSuccess;
    return true;
}

/* Largest extents of an H200 (cudaDeviceProp: maxTexture...). */
static bool shape_ok(struct cudaExtent x, unsigned flags)
{
    bool layered = flags & cudaArrayLayered, cube = flags & cudaArrayCubemap;
    if (!x.width)
        return false;
    if (cube)
        return x.width == x.height && x.width <= 32768 &&
               (layered ? x.depth && x.depth % 6 == 0 && x.depth <= 2046 : x.depth == 6);
    if (layered)
        return x.depth && x.depth <= 2048 && x.width <= 32768 && x.height <= 32768;
    if (x.depth)
        return x.height && x.width <= 16384 && x.height <= 16384 && x.depth <= 16384;
    if (x.height)
        return x.width <= 131072 && x.height <= 65536;
    return x.width <= 131072;
}

cudaError_t array_new(struct rt *rt, cudaArray_t *out, const struct cudaChannelFormatDesc *desc,
                      struct cudaExtent x, unsigned flags)
{
    const unsigned known =
        cudaArrayLayered | cudaArraySurfaceLoadStore | cudaArrayCubemap | cudaArrayTextureGather;
    uint32_t elem_b;
    cudaError_t e = rt_capture_unsafe(rt);
    if (e != cudaSuccess)
        return e;
    if (!out || !desc)
        return cudaErrorInvalidValue;
    if (flags & (cudaArraySparse | cudaArrayDeferredMapping | cudaArrayColorAttachment))
        return rt_unsupported(rt, rt->call, "sparse, deferred and colour attachment arrays");
    if (flags & ~known || !shape_ok(x, flags))
        return cudaErrorInvalidValue;
    if (!array_format(rt, desc, &elem_b, NULL, &e))
        return e;
    struct rt_array *a = xcalloc(1, sizeof *a);
    *a = (struct rt_array){.desc = *desc, .extent = x, .flags = flags, .elem_b = elem_b};
    a->pitch_b = (x.width * elem_b + ARRAY_ROW_ALIGN_B - 1) / ARRAY_ROW_ALIGN_B * ARRAY_ROW_ALIGN_B;
    a->rows = x.height ? x.height : 1;
    a->slices = x.depth ? x.depth : 1;
    a->addr = rt_alloc(rt, a->pitch_b * a->rows * a->slices, RM_DEVICE, 0);
    if (!a->addr) {
        free(a);
        return cudaErrorMemoryAllocation;
    }
    rt_obj_add(rt, &a->obj, RK_ARRAY);
    *out = (cudaArray_t)a;
    return cudaSuccess;
}

void array_free(struct rt *rt, struct rt_array *a)
{
    rt_obj_remove(rt, &a->obj);
    rt_alloc_free(rt, a->addr);
    free(a);
}

void *rt_array_row(struct rt *rt, struct rt_array *a, uint64_t x_b, uint64_t y, uint64_t z, uint64_t width_b)
{
    uint64_t row_b = a->extent.width * a->elem_b;
    if (y >= a->rows || z >= a->slices || x_b > row_b || width_b > row_b - x_b)
        return NULL;
    return rt_device_ptr(rt, a->addr + (z * a->rows + y) * a->pitch_b + x_b, width_b);
}

uint64_t rt_array_address(const struct rt_array *a) { return a->addr; }

uint32_t rt_array_elem(const struct rt_array *a) { return a->elem_b; }

/* ---- API ---- */

RT_API struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                          enum cudaChannelFormatKind f)
{
    return (struct cudaChannelFormatDesc){x, y, z, w, f};
}

RT_API cudaError_t cudaMallocArray(cudaArray_t *out, const struct cudaChannelFormatDesc *desc, size_t width,
                                   size_t height, unsigned int flags)
{
    struct rt *rt = rt_enter(__func__);
    if (flags & (cudaArrayLayered | cudaArrayCubemap))
        return rt_leave(rt, cudaErrorInvalidValue);
    return rt_leave(rt, array_new(rt, out, desc, (struct cudaExtent){width, height, 0}, flags));
}

RT_API cudaError_t cudaMalloc3DArray(cudaArray_t *out, const struct cudaChannelFormatDesc *desc,
                                     struct cudaExtent extent, unsigned int flags)
{
    struct rt *rt = rt_enter(__func__);
    return rt_leave(rt, array_new(rt, out, desc, extent, flags));
}

/* Waits for the device, as cudaFree does. */
RT_API cudaError_t cudaFreeArray(cudaArray_t h)
{
    struct rt *rt = rt_enter(__func__);
    struct rt_array *a = rt_obj_get(rt, h, RK_ARRAY);
    cudaError_t e = rt_capture_unsafe(rt);
    if (e != cudaSuccess || !h)
        return rt_leave(rt, e);
    if (!a)
        return rt_leave(rt, cudaErrorInvalidValue);
    rt_stream_joined(rt, NULL);
    array_free(rt, a);
    return rt_leave(rt, cudaSuccess);
}

RT_API cudaError_t cudaGetChannelDesc(struct cudaChannelFormatDesc *desc, cudaArray_const_t h)
{
    struct rt *rt = rt_enter(__func__);
    const struct rt_array *a = rt_obj_get(rt, h, RK_ARRAY);
    if (a && desc)
        *desc = a->desc;
    return rt_leave(rt, a && desc ? cudaSuccess : cudaErrorInvalidValue);
}

RT_API cudaError_t cudaArrayGetInfo(struct cudaChannelFormatDesc *desc, struct cudaExtent *extent,
                                    unsigned int *flags, cudaArray_t h)
{
    struct rt *rt = rt_enter(__func__);
    const struct rt_array *a = rt_obj_get(rt, h, RK_ARRAY);
    if (!a)
        return rt_leave(rt, cudaErrorInvalidResourceHandle);
    if (desc)
        *desc = a->desc;
    if (extent)
        *extent = a->extent;
    if (flags)
        *flags = a->flags;
    return rt_leave(rt, cudaSuccess);
}

RT_API cudaError_t cudaArrayGetMemoryRequirements(struct cudaArrayMemoryRequirements *req, cudaArray_t h,
                                                  int device)
{
    struct rt *rt = rt_enter(__func__);
    const struct rt_array *a = rt_obj_get(rt, h, RK_ARRAY);
    if (device != 0)
        return rt_leave(rt, cudaErrorInvalidDevice);
    if (!a || !req)
        return rt_leave(rt, cudaErrorInvalidValue);
    *req = (struct cudaArrayMemoryRequirements){.size = a->pitch_b * a->rows * a->slices,
                                                .alignment = TEXTURE_ALIGN_B};
    return rt_leave(rt, cudaSuccess);
}
