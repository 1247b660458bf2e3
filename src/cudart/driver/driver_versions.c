/* SPDX-License-Identifier: Apache-2.0 */
/* Driver API: forms of functions that other versions of cuda.h ask for under these names. */
#include "cudart/driver/driver_versions.h"

#undef cuDevicePrimaryCtxRelease
#undef cuEventElapsedTime
#undef cuGetProcAddress

CUresult cuDevicePrimaryCtxRelease(CUdevice device);
CUresult cuEventElapsedTime(float *ms, CUevent from, CUevent to);
CUresult cuGetProcAddress(const char *symbol, void **fn, int version, cuuint64_t flags);

/* Before 11. */
RT_API CUresult cuDevicePrimaryCtxRelease(CUdevice device) { return cuDevicePrimaryCtxRelease_v2(device); }

/* Before 12.8. */
RT_API CUresult cuEventElapsedTime(float *ms, CUevent from, CUevent to)
{
    return cuEventElapsedTime_v2(ms, from, to);
}

/* 11.3 to 11.8. */
RT_API CUresult cuGetProcAddress(const char *symbol, void **fn, int version, cuuint64_t flags)
{
    return cuGetProcAddress_v2(symbol, fn, version, flags, NULL);
}

static cudaError_t refuse(const char *name, const char *what)
{
    struct rt *rt = rt_enter(name);
    return rt_leave(rt, rt_unsupported(rt, name, what));
}

/* 11.4: with an affinity to multiprocessors. */
RT_API CUresult cuCtxCreate_v3(CUcontext *out, void *affinity, int n, unsigned int flags, CUdevice device)
{
    if (affinity && n)
        return DRV_CALL(DRV_INIT, refuse("cuCtxCreate", "execution affinity"));
    return cuCtxCreate_v2(out, flags, device);
}

/* 13: all but flags in a structure. */
RT_API CUresult cuCtxCreate_v4(CUcontext *out, void *params, unsigned int flags, CUdevice device)
{
    if (params)
        return DRV_CALL(DRV_INIT, refuse("cuCtxCreate", "parameters of contexts"));
    return cuCtxCreate_v2(out, flags, device);
}

/* CUmemLocation has the layout of cudaMemLocation. */
RT_API CUresult cuMemAdvise_v2(CUdeviceptr p, size_t size, CUmem_advise advice,
                               struct cudaMemLocation location)
{
    return DRV(cudaMemAdvise_v2((void *)(uintptr_t)p, size, (enum cudaMemoryAdvise)advice, location));
}

RT_API CUresult cuMemPrefetchAsync_v2(CUdeviceptr p, size_t size, struct cudaMemLocation location,
                                      unsigned int flags, CUstream stream)
{
    return DRV(cudaMemPrefetchAsync_v2((void *)(uintptr_t)p, size, location, flags, stream));
}

RT_API CUresult cuMemcpyHtoAAsync_v2(CUarray dst, size_t at, const void *src, size_t n, CUstream s)
{
    return DRV(cudaMemcpyToArrayAsync((cudaArray_t)dst, at, 0, src, n, cudaMemcpyHostToDevice, s));
}

RT_API CUresult cuMemcpyAtoHAsync_v2(void *dst, CUarray src, size_t at, size_t n, CUstream s)
{
    return DRV(cudaMemcpyFromArrayAsync(dst, (cudaArray_t)src, at, 0, n, cudaMemcpyDeviceToHost, s));
}
