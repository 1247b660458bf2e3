/* SPDX-License-Identifier: Apache-2.0 */
/* Driver API: memory. */
#include "cudart/driver/driver_versions.h"

static void *ptr_of(CUdeviceptr p) { return (void *)(uintptr_t)p; }

/* The runtime's out-parameter is a pointer; taken by its address, since C does not say whether it is read before the call that
 * sets it. An allocation of no bytes is an error here. */
static CUresult give(CUresult r, CUdeviceptr *out, void *const *p)
{
    if (r == CUDA_SUCCESS && out)
        *out = (uintptr_t)*p;
    return r;
}

RT_API CUresult cuMemGetInfo(size_t *free_b, size_t *total_b) { return DRV(cudaMemGetInfo(free_b, total_b)); }

RT_API CUresult cuMemAlloc(CUdeviceptr *out, size_t size)
{
    void *p = NULL;
    return give(DRV(out && size ? cudaMalloc(&p, size) : cudaErrorInvalidValue), out, &p);
}

RT_API CUresult cuMemAllocPitch(CUdeviceptr *out, size_t *pitch, size_t width, size_t height,
                                unsigned int element)
{
    void *p = NULL;
    bool good = out && width && height && (element == 4 || element == 8 || element == 16);
    return give(DRV(good ? cudaMallocPitch(&p, pitch, width, height) : cudaErrorInvalidValue), out, &p);
}

RT_API CUresult cuMemAllocManaged(CUdeviceptr *out, size_t size, unsigned int flags)
{
    void *p = NULL;
    return give(DRV(out ? cudaMallocManaged(&p, size, flags) : cudaErrorInvalidValue), out, &p);
}

RT_API CUresult cuMemAllocAsync(CUdeviceptr *out, size_t size, CUstream stream)
{
    void *p = NULL;
    return give(DRV(out ? cudaMallocAsync(&p, size, stream) : cudaErrorInvalidValue), out, &p);
}

RT_API CUresult cuMemFree(CUdeviceptr p) { return DRV(cudaFree(ptr_of(p))); }

RT_API CUresult cuMemFreeAsync(CUdeviceptr p, CUstream stream)
{
    return DRV(cudaFreeAsync(ptr_of(p), stream));
}

RT_API CUresult cuMemAllocHost(void **out, size_t size)
{
    return DRV(out && size ? cudaMallocHost(out, size) : cudaErrorInvalidValue);
}

RT_API CUresult cuMemHostAlloc(void **out, size_t size, unsigned int flags)
{
    return DRV(out && size ? cudaHostAlloc(out, size, flags) : cudaErrorInvalidValue);
}

RT_API CUresult cuMemFreeHost(void *p) { return DRV(cudaFreeHost(p)); }

RT_API CUresult cuMemHostRegister(void *p, size_t size, unsigned int flags)
{
    return DRV(cudaHostRegister(p, size, flags));
}

RT_API CUresult cuMemHostUnregister(void *p) { return DRV(cudaHostUnregister(p)); }

RT_API CUresult cuMemHostGetDevicePointer(CUdeviceptr *out, void *host, unsigned int flags)
{
    void *p = NULL;
    return give(DRV(out ? cudaHostGetDevicePointer(&p, host, flags) : cudaErrorInvalidValue), out, &p);
}

RT_API CUresult cuMemHostGetFlags(unsigned int *flags, void *host)
{
    return DRV(cudaHostGetFlags(flags, host));
}

RT_API CUresult cuMemAdvise(CUdeviceptr p, size_t size, CUmem_advise advice, CUdevice device)
{
    return DRV(cudaMemAdvise(ptr_of(p), size, (enum cudaMemoryAdvise)advice, device));
}

RT_API CUresult cuMemPrefetchAsync(CUdeviceptr p, size_t size, CUdevice device, CUstream stream)
{
    return DRV(cudaMemPrefetchAsync(ptr_of(p), size, device, stream));
}

/* ---- questions ---- */

static cudaError_t address_range(CUdeviceptr *base, size_t *size, CUdeviceptr p)
{
    struct rt *rt = rt_enter("cuMemGetAddressRange");
    const struct rt_alloc *a = rt_alloc_at(rt, p);
    if (!a)
        return rt_leave(rt, cudaErrorSymbolNotFound); /* CUDA_ERROR_NOT_FOUND */
    if (base)
        *base = a->base;
    if (size)
        *size = a->size_b;
    return rt_leave(rt, cudaSuccess);
}

RT_API CUresult cuMemGetAddressRange(CUdeviceptr *base, size_t *size, CUdeviceptr p)
{
    return DRV(address_range(base, size, p));
}

static bool attribute(struct rt *rt, const struct rt_alloc *a, CUpointer_attribute attr, CUdeviceptr p,
                      uint64_t *value, size_t *size_b)
{
    bool host = a->kind == RM_HOST || a->kind == RM_REGISTERED;
    *size_b = sizeof(unsigned);
    switch ((int)attr) {
    case CU_POINTER_ATTRIBUTE_CONTEXT:
        *value = (uintptr_t)drv_current(rt);
        *size_b = sizeof(CUcontext);
        return true;
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
        *value = host ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
        return true;
    case CU_POINTER_ATTRIBUTE_HOST_POINTER:
        *size_b = sizeof(void *);
        *value = p;
        return a->kind != RM_DEVICE;
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
        *size_b = sizeof(CUdeviceptr);
        *value = p;
        return true;
    case CU_POINTER_ATTRIBUTE_BUFFER_ID:
        *size_b = sizeof(unsigned long long);
        *value = a->id;
        return true;
    case CU_POINTER_ATTRIBUTE_IS_MANAGED: *value = a->kind == RM_MANAGED; return true;
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL: *value = 0; return true;
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
        *size_b = sizeof(CUdeviceptr);
        *value = a->base;
        return true;
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
        *size_b = sizeof(size_t);
        *value = a->size_b;
        return true;
    case CU_POINTER_ATTRIBUTE_MAPPED: *value = 1; return true;
    default: return false;
    }
}

static cudaError_t pointer_attribute(void *data, CUpointer_attribute attr, CUdeviceptr p)
{
    struct rt *rt = rt_enter("cuPointerGetAttribute");
    const struct rt_alloc *a = rt_alloc_at(rt, p);
    uint64_t value = 0;
    size_t size_b;
    if (!data || !a || !attribute(rt, a, attr, p, &value, &size_b))
        return rt_leave(rt, cudaErrorInvalidValue);
    memcpy(data, &value, size_b); /* little-endian */
    return rt_leave(rt, cudaSuccess);
}

RT_API CUresult cuPointerGetAttribute(void *data, CUpointer_attribute attr, CUdeviceptr p)
{
    return DRV(pointer_attribute(data, attr, p));
}

/* What a pointer does not have is 0 and no error. */
static cudaError_t pointer_attributes(unsigned n, const CUpointer_attribute *attrs, void **data,
                                      CUdeviceptr p)
{
    struct rt *rt = rt_enter("cuPointerGetAttributes");
    const struct rt_alloc *a = rt_alloc_at(rt, p), none = {.kind = RM_DEVICE};
    if (n && (!attrs || !data))
        return rt_leave(rt, cudaErrorInvalidValue);
    for (unsigned i = 0; i < n; i++) {
        uint64_t value = 0;
        size_t size_b;
        if (!attribute(rt, a ? a : &none, attrs[i], p, &value, &size_b) || !a)
            value = 0;
        memcpy(data[i], &value, size_b); /* little-endian */
    }
    return rt_leave(rt, cudaSuccess);
}

RT_API CUresult cuPointerGetAttributes(unsigned n, CUpointer_attribute *attrs, void **data, CUdeviceptr p)
{
    return DRV(pointer_attributes(n, attrs, data, p));
}
