/* SPDX-License-Identifier: Apache-2.0 */
/* Driver API: arrays, texture and surface objects. */
#include "cudart/driver/driver.h"
#include "cudart/texture/array.h"

/* Formats have one code where the runtime has bits and a kind. */
static bool channels(CUarray_format format, unsigned n, struct cudaChannelFormatDesc *d)
{
    int bits;
    enum cudaChannelFormatKind kind;
    switch ((int)format) {
    case CU_AD_FORMAT_UNSIGNED_INT8: bits = 8, kind = cudaChannelFormatKindUnsigned; break;
    case CU_AD_FORMAT_UNSIGNED_INT16: bits = 16, kind = cudaChannelFormatKindUnsigned; break;
    case CU_AD_FORMAT_UNSIGNED_INT32: bits = 32, kind = cudaChannelFormatKindUnsigned; break;
    case CU_AD_FORMAT_SIGNED_INT8: bits = 8, kind = cudaChannelFormatKindSigned; break;
    case CU_AD_FORMAT_SIGNED_INT16: bits = 16, kind = cudaChannelFormatKindSigned; break;
    case CU_AD_FORMAT_SIGNED_INT32: bits = 32, kind = cudaChannelFormatKindSigned; break;
    case CU_AD_FORMAT_HALF: bits = 16, kind = cudaChannelFormatKindFloat; break;
    case CU_AD_FORMAT_FLOAT: bits = 32, kind = cudaChannelFormatKindFloat; break;
    default: return false;
    }
    *d = (struct cudaChannelFormatDesc){bits, n > 1 ? bits : 0, n > 2 ? bits : 0, n > 3 ? bits : 0, kind};
    return n == 1 || n == 2 || n == 4;
}

static CUarray_format format_of(const struct cudaChannelFormatDesc *d)
{
    if (d->f == cudaChannelFormatKindFloat)
        return d->x == 16 ? CU_AD_FORMAT_HALF : CU_AD_FORMAT_FLOAT;
    bool is_signed = d->f == cudaChannelFormatKindSigned;
    if (d->x == 8)
        return is_signed ? CU_AD_FORMAT_SIGNED_INT8 : CU_AD_FORMAT_UNSIGNED_INT8;
    if (d->x == 16)
        return is_signed ? CU_AD_FORMAT_SIGNED_INT16 : CU_AD_FORMAT_UNSIGNED_INT16;
    return is_signed ? CU_AD_FORMAT_SIGNED_INT32 : CU_AD_FORMAT_UNSIGNED_INT32;
}

static cudaError_t create(CUarray *out, const CUDA_ARRAY3D_DESCRIPTOR *d)
{
    struct rt *rt = rt_enter("cuArray3DCreate");
    struct cudaChannelFormatDesc desc;
    if (!out || !d)
        return rt_leave(rt, cudaErrorInvalidValue);
    if (!channels(d->Format, d->NumChannels, &desc))
        return rt_leave(rt, rt_unsupported(rt, rt->call, "this format of elements"));
    /* Flags have the runtime's values. */
    cudaError_t e = array_new(rt, (cudaArray_t *)out, &desc,
                              (struct cudaExtent){d->Width, d->Height, d->Depth}, d->Flags);
    return rt_leave(rt, e);
}

RT_API CUresult cuArray3DCreate(CUarray *out, const CUDA_ARRAY3D_DESCRIPTOR *d)
{
    return DRV(create(out, d));
}

RT_API CUresult cuArrayCreate(CUarray *out, const CUDA_ARRAY_DESCRIPTOR *d)
{
    if (!d)
        return DRV(cudaErrorInvalidValue);
    const CUDA_ARRAY3D_DESCRIPTOR x = {
        .Width = d->Width, .Height = d->Height, .Format = d->Format, .NumChannels = d->NumChannels};
    return DRV(create(out, &x));
}

RT_API CUresult cuArray3DGetDescriptor(CUDA_ARRAY3D_DESCRIPTOR *d, CUarray h)
{
    struct cudaChannelFormatDesc desc;
    struct cudaExtent x;
    unsigned flags;
    CUresult r = DRV(d ? cudaArrayGetInfo(&desc, &x, &flags, (cudaArray_t)h) : cudaErrorInvalidValue);
    if (r != CUDA_SUCCESS)
        return r;
    *d = (CUDA_ARRAY3D_DESCRIPTOR){.Width = x.width,
                                   .Height = x.height,
                                   .Depth = x.depth,
                                   .Format = format_of(&desc),
                                   .NumChannels = 1u + (desc.y != 0) + (desc.z != 0) + (desc.w != 0),
                                   .Flags = flags};
    return CUDA_SUCCESS;
}

RT_API CUresult cuArrayGetDescriptor(CUDA_ARRAY_DESCRIPTOR *d, CUarray h)
{
    CUDA_ARRAY3D_DESCRIPTOR x;
    CUresult r = d ? cuArray3DGetDescriptor(&x, h) : CUDA_ERROR_INVALID_VALUE;
    if (r == CUDA_SUCCESS)
        *d = (CUDA_ARRAY_DESCRIPTOR){
            .Width = x.Width, .Height = x.Height, .Format = x.Format, .NumChannels = x.NumChannels};
    return r;
}

RT_API CUresult cuArrayDestroy(CUarray h)
{
    return DRV(h ? cudaFreeArray((cudaArray_t)h) : cudaErrorInvalidResourceHandle);
}

/* ---- objects ---- */

static bool resource(const CUDA_RESOURCE_DESC *d, struct cudaResourceDesc *r)
{
    memset(r, 0, sizeof *r);
    switch ((int)d->resType) {
    case CU_RESOURCE_TYPE_ARRAY:
        r->resType = cudaResourceTypeArray;
        r->res.array.array = (cudaArray_t)d->res.array.hArray;
        return true;
    case CU_RESOURCE_TYPE_MIPMAPPED_ARRAY: r->resType = cudaResourceTypeMipmappedArray; return true;
    case CU_RESOURCE_TYPE_LINEAR:
        r->resType = cudaResourceTypeLinear;
        r->res.linear.devPtr = (void *)(uintptr_t)d->res.linear.devPtr;
        r->res.linear.sizeInBytes = d->res.linear.sizeInBytes;
        return channels(d->res.linear.format, d->res.linear.numChannels, &r->res.linear.desc);
    case CU_RESOURCE_TYPE_PITCH2D:
        r->resType = cudaResourceTypePitch2D;
        r->res.pitch2D.devPtr = (void *)(uintptr_t)d->res.pitch2D.devPtr;
        r->res.pitch2D.width = d->res.pitch2D.width;
        r->res.pitch2D.height = d->res.pitch2D.height;
        r->res.pitch2D.pitchInBytes = d->res.pitch2D.pitchInBytes;
        return channels(d->res.pitch2D.format, d->res.pitch2D.numChannels, &r->res.pitch2D.desc);
    default: return false;
    }
}

/* Integers are read as fractions unless the flags say otherwise; 32-bit ones always as integers. */
static bool reads_normalized(const CUDA_TEXTURE_DESC *d, const struct cudaResourceDesc *r)
{
    struct cudaChannelFormatDesc c = r->res.linear.desc;
    if (d->flags & CU_TRSF_READ_AS_INTEGER)
        return false;
    if (r->resType == cudaResourceTypePitch2D)
        c = r->res.pitch2D.desc;
    else if (r->resType == cudaResourceTypeArray && cudaGetChannelDesc(&c, r->res.array.array) != cudaSuccess)
        return false;
    return c.f != cudaChannelFormatKindFloat && c.x < 32;
}

static cudaError_t texture(CUtexObject *out, const CUDA_RESOURCE_DESC *res, const CUDA_TEXTURE_DESC *d,
                           const CUDA_RESOURCE_VIEW_DESC *view)
{
    struct cudaResourceDesc r;
    struct cudaTextureDesc t = {0};
    cudaTextureObject_t h;
    if (!out || !res || !d || !resource(res, &r))
        return cudaErrorInvalidValue;
    for (int i = 0; i < 3; i++)
        t.addressMode[i] = (enum cudaTextureAddressMode)d->addressMode[i];
    t.filterMode = (enum cudaTextureFilterMode)d->filterMode;
    t.readMode = reads_normalized(d, &r) ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
    t.sRGB = (d->flags & CU_TRSF_SRGB) != 0;
    t.normalizedCoords = (d->flags & CU_TRSF_NORMALIZED_COORDINATES) != 0;
    memcpy(t.borderColor, d->borderColor, sizeof t.borderColor);
    cudaError_t e = cudaCreateTextureObject(&h, &r, &t, (const struct cudaResourceViewDesc *)view);
    if (e == cudaSuccess)
        *out = h;
    return e;
}

RT_API CUresult cuTexObjectCreate(CUtexObject *out, const CUDA_RESOURCE_DESC *res,
                                  const CUDA_TEXTURE_DESC *desc, const CUDA_RESOURCE_VIEW_DESC *view)
{
    return DRV(texture(out, res, desc, view));
}

RT_API CUresult cuTexObjectDestroy(CUtexObject h) { return DRV(cudaDestroyTextureObject(h)); }

static cudaError_t surface(CUsurfObject *out, const CUDA_RESOURCE_DESC *res)
{
    struct cudaResourceDesc r;
    cudaSurfaceObject_t h;
    if (!out || !res || !resource(res, &r))
        return cudaErrorInvalidValue;
    cudaError_t e = cudaCreateSurfaceObject(&h, &r);
    if (e == cudaSuccess)
        *out = h;
    return e;
}

RT_API CUresult cuSurfObjectCreate(CUsurfObject *out, const CUDA_RESOURCE_DESC *res)
{
    return DRV(surface(out, res));
}

RT_API CUresult cuSurfObjectDestroy(CUsurfObject h) { return DRV(cudaDestroySurfaceObject(h)); }
