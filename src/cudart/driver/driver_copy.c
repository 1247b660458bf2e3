/* SPDX-License-Identifier: Apache-2.0 */
/* Driver API: copies and fills. */
#include "cudart/driver/driver.h"
#include "cudart/memory/copy.h"
#include "cudart/texture/array.h"

static void *ptr_of(CUdeviceptr p) { return (void *)(uintptr_t)p; }

RT_API CUresult cuMemcpy(CUdeviceptr dst, CUdeviceptr src, size_t n)
{
    return DRV(cudaMemcpy(ptr_of(dst), ptr_of(src), n, cudaMemcpyDefault));
}

RT_API CUresult cuMemcpyAsync(CUdeviceptr dst, CUdeviceptr src, size_t n, CUstream s)
{
    return DRV(cudaMemcpyAsync(ptr_of(dst), ptr_of(src), n, cudaMemcpyDefault, s));
}

RT_API CUresult cuMemcpyPeer(CUdeviceptr dst, CUcontext dst_ctx, CUdeviceptr src, CUcontext src_ctx, size_t n)
{
    (void)dst_ctx, (void)src_ctx; /* contexts share their memory */
    return DRV(cudaMemcpy(ptr_of(dst), ptr_of(src), n, cudaMemcpyDeviceToDevice));
}

RT_API CUresult cuMemcpyHtoD(CUdeviceptr dst, const void *src, size_t n)
{
    return DRV(cudaMemcpy(ptr_of(dst), src, n, cudaMemcpyHostToDevice));
}

RT_API CUresult cuMemcpyDtoH(void *dst, CUdeviceptr src, size_t n)
{
    return DRV(cudaMemcpy(dst, ptr_of(src), n, cudaMemcpyDeviceToHost));
}

RT_API CUresult cuMemcpyDtoD(CUdeviceptr dst, CUdeviceptr src, size_t n)
{
    return DRV(cudaMemcpy(ptr_of(dst), ptr_of(src), n, cudaMemcpyDeviceToDevice));
}

RT_API CUresult cuMemcpyHtoDAsync(CUdeviceptr dst, const void *src, size_t n, CUstream s)
{
    return DRV(cudaMemcpyAsync(ptr_of(dst), src, n, cudaMemcpyHostToDevice, s));
}

RT_API CUresult cuMemcpyDtoHAsync(void *dst, CUdeviceptr src, size_t n, CUstream s)
{
    return DRV(cudaMemcpyAsync(dst, ptr_of(src), n, cudaMemcpyDeviceToHost, s));
}

RT_API CUresult cuMemcpyDtoDAsync(CUdeviceptr dst, CUdeviceptr src, size_t n, CUstream s)
{
    return DRV(cudaMemcpyAsync(ptr_of(dst), ptr_of(src), n, cudaMemcpyDeviceToDevice, s));
}

/* ---- arrays of one dimension, by bytes ---- */

RT_API CUresult cuMemcpyHtoA(CUarray dst, size_t at, const void *src, size_t n)
{
    return DRV(cudaMemcpyToArray((cudaArray_t)dst, at, 0, src, n, cudaMemcpyHostToDevice));
}

RT_API CUresult cuMemcpyAtoH(void *dst, CUarray src, size_t at, size_t n)
{
    return DRV(cudaMemcpyFromArray(dst, (cudaArray_t)src, at, 0, n, cudaMemcpyDeviceToHost));
}

RT_API CUresult cuMemcpyDtoA(CUarray dst, size_t at, CUdeviceptr src, size_t n)
{
    return DRV(cudaMemcpyToArray((cudaArray_t)dst, at, 0, ptr_of(src), n, cudaMemcpyDeviceToDevice));
}

RT_API CUresult cuMemcpyAtoD(CUdeviceptr dst, CUarray src, size_t at, size_t n)
{
    return DRV(cudaMemcpyFromArray(ptr_of(dst), (cudaArray_t)src, at, 0, n, cudaMemcpyDeviceToDevice));
}

RT_API CUresult cuMemcpyAtoA(CUarray dst, size_t dst_at, CUarray src, size_t src_at, size_t n)
{
    return DRV(cudaMemcpyArrayToArray((cudaArray_t)dst, dst_at, 0, (cudaArray_t)src, src_at, 0, n,
                                      cudaMemcpyDeviceToDevice));
}

/* ---- boxes ---- */

/* One side. False: the array is none, or the memory type is. */
static bool side(struct rt *rt, struct rt_end *e, CUmemorytype type, const void *host, CUdeviceptr device,
                 CUarray array)
{
    switch ((int)type) {
    case CU_MEMORYTYPE_HOST: e->addr = (uintptr_t)host; return true;
    case CU_MEMORYTYPE_DEVICE:
    case CU_MEMORYTYPE_UNIFIED: e->addr = device; return true;
    case CU_MEMORYTYPE_ARRAY:
        e->array = rt_obj_get(rt, array, RK_ARRAY);
        e->pitch_b = e->slice_b = 0;
        return e->array != NULL;
    default: return false;
    }
}

static enum cudaMemcpyKind direction(CUmemorytype dst, CUmemorytype src)
{
    if (dst == CU_MEMORYTYPE_UNIFIED || src == CU_MEMORYTYPE_UNIFIED)
        return cudaMemcpyDefault;
    if (dst == CU_MEMORYTYPE_HOST)
        return src == CU_MEMORYTYPE_HOST ? cudaMemcpyHostToHost : cudaMemcpyDeviceToHost;
    return src == CU_MEMORYTYPE_HOST ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToDevice;
}

static cudaError_t copy_3d(const char *name, const CUDA_MEMCPY3D *c, CUstream stream, bool wait)
{
    struct rt *rt = rt_enter(name);
    struct rt_op op = {.kind = RO_COPY};
    if (!c || c->srcLOD || c->dstLOD)
        return rt_leave(rt, cudaErrorInvalidValue);
    op.copy.dst = (struct rt_end){.pitch_b = c->dstPitch, .x_b = c->dstXInBytes, .y = c->dstY, .z = c->dstZ};
    op.copy.src = (struct rt_end){.pitch_b = c->srcPitch, .x_b = c->srcXInBytes, .y = c->srcY, .z = c->srcZ};
    if (__builtin_mul_overflow((uint64_t)c->dstPitch, (uint64_t)c->dstHeight, &op.copy.dst.slice_b) ||
        __builtin_mul_overflow((uint64_t)c->srcPitch, (uint64_t)c->srcHeight, &op.copy.src.slice_b) ||
        !side(rt, &op.copy.dst, c->dstMemoryType, c->dstHost, c->dstDevice, c->dstArray) ||
        !side(rt, &op.copy.src, c->srcMemoryType, c->srcHost, c->srcDevice, c->srcArray))
        return rt_leave(rt, cudaErrorInvalidValue);
    op.copy.width_b = c->WidthInBytes;
    op.copy.height = c->Height;
    op.copy.depth = c->Depth;
    op.copy.dir = direction(c->dstMemoryType, c->srcMemoryType);
    return copy_submit(rt, stream, &op, wait);
}

static cudaError_t copy_2d(const char *name, const CUDA_MEMCPY2D *c, CUstream stream, bool wait)
{
    if (!c)
        return cudaErrorInvalidValue;
    const CUDA_MEMCPY3D d = {.srcXInBytes = c->srcXInBytes,
                             .srcY = c->srcY,
                             .srcMemoryType = c->srcMemoryType,
                             .srcHost = c->srcHost,
                             .srcDevice = c->srcDevice,
                             .srcArray = c->srcArray,
                             .srcPitch = c->srcPitch,
                             .dstXInBytes = c->dstXInBytes,
                             .dstY = c->dstY,
                             .dstMemoryType = c->dstMemoryType,
                             .dstHost = c->dstHost,
                             .dstDevice = c->dstDevice,
                             .dstArray = c->dstArray,
                             .dstPitch = c->dstPitch,
                             .WidthInBytes = c->WidthInBytes,
                             .Height = c->Height,
                             .Depth = 1};
    return copy_3d(name, &d, stream, wait);
}

RT_API CUresult cuMemcpy2D(const CUDA_MEMCPY2D *c) { return DRV(copy_2d("cuMemcpy2D", c, NULL, true)); }

RT_API CUresult cuMemcpy2DUnaligned(const CUDA_MEMCPY2D *c)
{
    return DRV(copy_2d("cuMemcpy2DUnaligned", c, NULL, true));
}

RT_API CUresult cuMemcpy2DAsync(const CUDA_MEMCPY2D *c, CUstream s)
{
    return DRV(copy_2d("cuMemcpy2DAsync", c, s, false));
}

RT_API CUresult cuMemcpy3D(const CUDA_MEMCPY3D *c) { return DRV(copy_3d("cuMemcpy3D", c, NULL, true)); }

RT_API CUresult cuMemcpy3DAsync(const CUDA_MEMCPY3D *c, CUstream s)
{
    return DRV(copy_3d("cuMemcpy3DAsync", c, s, false));
}

/* ---- fills ---- */

static cudaError_t fill(const char *name, CUdeviceptr p, size_t pitch, uint32_t value, uint32_t elem_b,
                        size_t width, size_t height, CUstream stream)
{
    struct rt *rt = rt_enter(name);
    struct rt_op op = {.kind = RO_SET,
                       .set = {.addr = p,
                               .pitch_b = pitch,
                               .width = width,
                               .height = height,
                               .depth = 1,
                               .value = value,
                               .elem_b = elem_b}};
    return copy_submit(rt, stream, &op, false);
}

RT_API CUresult cuMemsetD8(CUdeviceptr p, unsigned char v, size_t n)
{
    return DRV(fill("cuMemsetD8", p, 0, v, 1, n, 1, NULL));
}

RT_API CUresult cuMemsetD16(CUdeviceptr p, unsigned short v, size_t n)
{
    return DRV(fill("cuMemsetD16", p, 0, v, 2, n, 1, NULL));
}

RT_API CUresult cuMemsetD32(CUdeviceptr p, unsigned int v, size_t n)
{
    return DRV(fill("cuMemsetD32", p, 0, v, 4, n, 1, NULL));
}

RT_API CUresult cuMemsetD2D8(CUdeviceptr p, size_t pitch, unsigned char v, size_t width, size_t height)
{
    return DRV(fill("cuMemsetD2D8", p, pitch, v, 1, width, height, NULL));
}

RT_API CUresult cuMemsetD2D16(CUdeviceptr p, size_t pitch, unsigned short v, size_t width, size_t height)
{
    return DRV(fill("cuMemsetD2D16", p, pitch, v, 2, width, height, NULL));
}

RT_API CUresult cuMemsetD2D32(CUdeviceptr p, size_t pitch, unsigned int v, size_t width, size_t height)
{
    return DRV(fill("cuMemsetD2D32", p, pitch, v, 4, width, height, NULL));
}

RT_API CUresult cuMemsetD8Async(CUdeviceptr p, unsigned char v, size_t n, CUstream s)
{
    return DRV(fill("cuMemsetD8Async", p, 0, v, 1, n, 1, s));
}

RT_API CUresult cuMemsetD16Async(CUdeviceptr p, unsigned short v, size_t n, CUstream s)
{
    return DRV(fill("cuMemsetD16Async", p, 0, v, 2, n, 1, s));
}

RT_API CUresult cuMemsetD32Async(CUdeviceptr p, unsigned int v, size_t n, CUstream s)
{
    return DRV(fill("cuMemsetD32Async", p, 0, v, 4, n, 1, s));
}
