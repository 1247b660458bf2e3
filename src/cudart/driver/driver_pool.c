/* SPDX-License-Identifier: Apache-2.0 */
/* Driver API: pools of device memory. Handles and the numbers of attributes are the runtime's. */
#include "cudart/driver/driver_versions.h"

RT_API CUresult cuDeviceGetDefaultMemPool(cudaMemPool_t *pool, CUdevice device)
{
    return DRV_CALL(DRV_INIT, cudaDeviceGetDefaultMemPool(pool, device));
}

RT_API CUresult cuDeviceGetMemPool(cudaMemPool_t *pool, CUdevice device)
{
    return DRV_CALL(DRV_INIT, cudaDeviceGetMemPool(pool, device));
}

RT_API CUresult cuDeviceSetMemPool(CUdevice device, cudaMemPool_t pool)
{
    return DRV_CALL(DRV_INIT, cudaDeviceSetMemPool(device, pool));
}

RT_API CUresult cuMemPoolCreate(cudaMemPool_t *pool, const struct cudaMemPoolProps *props)
{
    return DRV_CALL(DRV_INIT, cudaMemPoolCreate(pool, props));
}

RT_API CUresult cuMemPoolDestroy(cudaMemPool_t pool) { return DRV_CALL(DRV_INIT, cudaMemPoolDestroy(pool)); }

RT_API CUresult cuMemPoolTrimTo(cudaMemPool_t pool, size_t keep)
{
    return DRV_CALL(DRV_INIT, cudaMemPoolTrimTo(pool, keep));
}

RT_API CUresult cuMemPoolSetAttribute(cudaMemPool_t pool, int attr, void *value)
{
    return DRV_CALL(DRV_INIT, cudaMemPoolSetAttribute(pool, (enum cudaMemPoolAttr)attr, value));
}

RT_API CUresult cuMemPoolGetAttribute(cudaMemPool_t pool, int attr, void *value)
{
    return DRV_CALL(DRV_INIT, cudaMemPoolGetAttribute(pool, (enum cudaMemPoolAttr)attr, value));
}

RT_API CUresult cuMemAllocFromPoolAsync(CUdeviceptr *out, size_t size, cudaMemPool_t pool, CUstream stream)
{
    void *at = NULL;
    CUresult r = DRV(out ? cudaMallocFromPoolAsync(&at, size, pool, stream) : cudaErrorInvalidValue);
    if (r == CUDA_SUCCESS)
        *out = (uintptr_t)at;
    return r;
}
