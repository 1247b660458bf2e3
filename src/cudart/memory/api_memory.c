/* SPDX-License-Identifier: Apache-2.0 */
/* cudaMalloc and its relatives. */
#include "cudart/graph/graph.h"
#include "cudart/memory/pool.h"
#include "cudart/rt.h"

enum { PITCH_B = 512 }; /* rows start at multiples of it: H200's texture alignment */

static cudaError_t allocate(const char *name, void **ptr, uint64_t size_b, enum rt_mem_kind kind,
                            unsigned flags)
{
    struct rt *rt = rt_enter(name);
    cudaError_t e = ptr ? rt_capture_unsafe(rt) : cudaErrorInvalidValue;
    if (e || rt->sticky)
        return rt_leave(rt, e);
    *ptr = (void *)(uintptr_t)rt_alloc(rt, size_b, kind, flags);
    return rt_leave(rt, *ptr || !size_b ? cudaSuccess : cudaErrorMemoryAllocation);
}

RT_API cudaError_t cudaMalloc(void **ptr, size_t size)
{
    return allocate("cudaMalloc", ptr, size, RM_DEVICE, 0);
}

RT_API cudaError_t cudaMallocManaged(void **ptr, size_t size, unsigned int flags)
{
    if (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost)
        return rt_leave(rt_enter("cudaMallocManaged"), cudaErrorInvalidValue);
    return allocate("cudaMallocManaged", ptr, size, RM_MANAGED, flags);
}

/* Pinned memory is always mapped: addresses are unified. */
RT_API cudaError_t cudaHostAlloc(void **ptr, size_t size, unsigned int flags)
{
    const unsigned known = cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined;
    if (flags & ~known)
        return rt_leave(rt_enter("cudaHostAlloc"), cudaErrorInvalidValue);
    return allocate("cudaHostAlloc", ptr, size, RM_HOST, flags | cudaHostAllocMapped);
}

RT_API cudaError_t cudaMallocHost(void **ptr, size_t size)
{
    return allocate("cudaMallocHost", ptr, size, RM_HOST, cudaHostAllocMapped);
}

static cudaError_t allocate_rows(const char *name, void **ptr, size_t *pitch, size_t width, uint64_t rows)
{
    uint64_t pitch_b = (width + PITCH_B - 1) / PITCH_B * PITCH_B, size_b;
    if (!ptr || !pitch || pitch_b < width || __builtin_mul_overflow(pitch_b, rows, &size_b))
        return rt_leave(rt_enter(name), cudaErrorInvalidValue);
    *pitch = pitch_b;
    return allocate(name, ptr, size_b, RM_DEVICE, 0);
}

RT_API cudaError_t cudaMallocPitch(void **ptr, size_t *pitch, size_t width, size_t height)
{
    return allocate_rows("cudaMallocPitch", ptr, pitch, width, height);
}

RT_API cudaError_t cudaMalloc3D(struct cudaPitchedPtr *p, struct cudaExtent x)
{
    uint64_t rows;
    if (!p || __builtin_mul_overflow((uint64_t)x.height, (uint64_t)x.depth, &rows))
        return rt_leave(rt_enter("cudaMalloc3D"), cudaErrorInvalidValue);
    p->xsize = x.width;
    p->ysize = x.height;
    return allocate_rows("cudaMalloc3D", &p->ptr, &p->pitch, x.width, rows);
}

/* Freeing waits for the device. */
static cudaError_t release(const char *name, void *ptr, bool host)
{
    struct rt *rt = rt_enter(name);
    uint64_t base = (uint64_t)(uintptr_t)ptr;
    cudaError_t e = rt_capture_unsafe(rt);
    if (e || !ptr || rt->sticky)
        return rt_leave(rt, e);
    const struct rt_alloc *a = rt_alloc_at(rt, base);
    bool right = a && a->base == base && a->kind != RM_REGISTERED && (a->kind == RM_HOST) == host &&
                 !rt_is_variable(rt, base);
    if (right) {
        rt_stream_joined(rt, NULL);
        right = rt_pool_owns(rt, base) ? rt_pool_free(rt, base) : rt_alloc_free(rt, base);
    }
    return rt_leave(rt, right ? cudaSuccess : cudaErrorInvalidValue);
}

RT_API cudaError_t cudaFree(void *ptr) { return release("cudaFree", ptr, false); }

RT_API cudaError_t cudaFreeHost(void *ptr) { return release("cudaFreeHost", ptr, true); }

RT_API cudaError_t cudaHostRegister(void *ptr, size_t size, unsigned int flags)
{
    const unsigned known = cudaHostRegisterPortable | cudaHostRegisterMapped | cudaHostRegisterReadOnly;
    struct rt *rt = rt_enter("cudaHostRegister");
    cudaError_t e = rt_capture_unsafe(rt);
    if (!e && (flags & cudaHostRegisterIoMemory))
        e = rt_unsupported(rt, "cudaHostRegister", "cudaHostRegisterIoMemory");
    if (!e && (!ptr || !size || flags & ~known))
        e = cudaErrorInvalidValue;
    if (!e && !rt_register_host(rt, ptr, size, flags))
        e = cudaErrorHostMemoryAlreadyRegistered;
    return rt_leave(rt, e);
}

RT_API cudaError_t cudaHostUnregister(void *ptr)
{
    struct rt *rt = rt_enter("cudaHostUnregister");
    uint64_t base = (uint64_t)(uintptr_t)ptr;
    const struct rt_alloc *a = rt_alloc_at(rt, base);
    if (!ptr)
        return rt_leave(rt, cudaErrorInvalidValue);
    if (!a || a->base != base || a->kind != RM_REGISTERED)
        return rt_leave(rt, cudaErrorHostMemoryNotRegistered);
    rt_alloc_free(rt, base);
    return rt_leave(rt, cudaSuccess);
}

RT_API cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned int flags)
{
    struct rt *rt = rt_enter("cudaHostGetDevicePointer");
    const struct rt_alloc *a = rt_alloc_at(rt, (uint64_t)(uintptr_t)host);
    if (!device || flags || !a || (a->kind != RM_HOST && a->kind != RM_REGISTERED))
        return rt_leave(rt, cudaErrorInvalidValue);
    *device = host;
    return rt_leave(rt, cudaSuccess);
}

RT_API cudaError_t cudaHostGetFlags(unsigned int *flags, void *host)
{
    struct rt *rt = rt_enter("cudaHostGetFlags");
    const struct rt_alloc *a = rt_alloc_at(rt, (uint64_t)(uintptr_t)host);
    if (!flags || !a || (a->kind != RM_HOST && a->kind != RM_REGISTERED))
        return rt_leave(rt, cudaErrorInvalidValue);
    *flags = a->flags | cudaHostAllocMapped;
    return rt_leave(rt, cudaSuccess);
}

RT_API cudaError_t cudaMemGetInfo(size_t *free_b, size_t *total_b)
{
    struct rt *rt = rt_enter("cudaMemGetInfo");
    uint64_t f, t;
    rt_memory_info(rt, &f, &t);
    if (free_b)
        *free_b = f;
    if (total_b)
        *total_b = t;
    return rt_leave(rt, cudaSuccess);
}

RT_API cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attr, const void *ptr)
{
    static const uint8_t type[] = {
        [RM_DEVICE] = cudaMemoryTypeDevice,
        [RM_MANAGED] = cudaMemoryTypeManaged,
        [RM_HOST] = cudaMemoryTypeHost,
        [RM_REGISTERED] = cudaMemoryTypeHost,
    };
    struct rt *rt = rt_enter("cudaPointerGetAttributes");
    const struct rt_alloc *a = rt_alloc_at(rt, (uint64_t)(uintptr_t)ptr);
    if (!attr)
        return rt_leave(rt, cudaErrorInvalidValue);
    memset(attr, 0, sizeof *attr);
    attr->type = cudaMemoryTypeUnregistered;
    attr->device = -2; /* cudaInvalidDeviceId, as for memory the runtime does not know */
    attr->hostPointer = (void *)(uintptr_t)ptr;
    if (a) {
        attr->type = type[a->kind];
        attr->device = 0;
        attr->devicePointer = (void *)(uintptr_t)ptr;
        attr->hostPointer = a->kind == RM_DEVICE ? NULL : (void *)(uintptr_t)ptr;
    } else if (rt_device_ptr(rt, (uint64_t)(uintptr_t)ptr, 1)) { /* a variable of a module */
        attr->type = cudaMemoryTypeDevice;
        attr->device = 0;
        attr->devicePointer = (void *)(uintptr_t)ptr;
        attr->hostPointer = NULL;
    }
    return rt_leave(rt, cudaSuccess);
}
