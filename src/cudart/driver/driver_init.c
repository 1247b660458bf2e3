/* SPDX-License-Identifier: Apache-2.0 */
/* Driver API: initialisation, errors, the device. */
#include "cudart/driver/driver.h"
#include "cudart/error.h"

/* Runtimes want a driver that is not older than they are; functions of CUDA 13 that are missing are not found. */
enum { DRIVER_VERSION = 13000 };

/* Codes that the driver API does not have. */
CUresult drv_error(cudaError_t e)
{
    const struct rt_error *info = rt_error_info((int)e);
    if (!info)
        return CUDA_ERROR_UNKNOWN;
    if (info->driver_name)
        return (CUresult)e;
    switch ((int)e) {
    case cudaErrorInvalidSymbol: return CUDA_ERROR_NOT_FOUND;
    case cudaErrorInvalidDeviceFunction: return CUDA_ERROR_INVALID_HANDLE;
    default: return CUDA_ERROR_INVALID_VALUE;
    }
}

struct rt_context *drv_current(struct rt *rt)
{
    struct rt_thread *t = rt_thread();
    if (t->ncontexts)
        return rt_obj_get(rt, t->contexts[t->ncontexts - 1], RK_CONTEXT);
    return t->use_primary ? &rt->driver->primary : NULL;
}

static void initialise(struct rt *rt)
{
    if (rt->driver)
        return;
    rt->driver = xcalloc(1, sizeof *rt->driver);
    rt->driver->primary.primary = true;
    rt_obj_add(rt, &rt->driver->primary.obj, RK_CONTEXT);
}

/* A thread that has used the runtime API need not initialise. */
CUresult drv_enter(enum drv_needs needs)
{
    struct rt *rt = rt_enter_early();
    struct rt_thread *t = rt_thread();
    CUresult r = CUDA_SUCCESS;
    if (t->use_primary)
        initialise(rt);
    if (!rt->driver)
        r = CUDA_ERROR_NOT_INITIALIZED;
    else if (needs == DRV_CONTEXT && !drv_current(rt))
        r = t->ncontexts ? CUDA_ERROR_CONTEXT_IS_DESTROYED : CUDA_ERROR_INVALID_CONTEXT;
    rt_leave_quiet(rt);
    if (r == CUDA_SUCCESS) {
        t->last_before = t->last;
        t->in_driver = true;
    }
    return r;
}

CUresult drv_leave(cudaError_t e)
{
    struct rt_thread *t = rt_thread();
    t->last = t->last_before;
    t->in_driver = false;
    return drv_error(e);
}

RT_API CUresult cuInit(unsigned int flags)
{
    struct rt *rt = rt_enter_early();
    if (!flags)
        initialise(rt);
    rt_leave_quiet(rt);
    return flags ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

RT_API CUresult cuDriverGetVersion(int *version)
{
    if (!version)
        return CUDA_ERROR_INVALID_VALUE;
    *version = DRIVER_VERSION;
    return CUDA_SUCCESS;
}

RT_API CUresult cuGetErrorName(CUresult error, const char **name)
{
    const struct rt_error *info = rt_error_info((int)error);
    if (!name)
        return CUDA_ERROR_INVALID_VALUE;
    *name = info ? info->driver_name : NULL;
    return *name ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

RT_API CUresult cuGetErrorString(CUresult error, const char **text)
{
    const struct rt_error *info = rt_error_info((int)error);
    if (!text)
        return CUDA_ERROR_INVALID_VALUE;
    *text = info && info->driver_name ? info->text : NULL;
    return *text ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

/* ---- the device ---- */

static CUresult check(const void *out, CUdevice device)
{
    CUresult r = drv_enter(DRV_INIT);
    if (r != CUDA_SUCCESS)
        return r;
    drv_leave(cudaSuccess);
    if (device != 0)
        return CUDA_ERROR_INVALID_DEVICE;
    return out ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

RT_API CUresult cuDeviceGet(CUdevice *device, int ordinal)
{
    CUresult r = check(device, ordinal);
    if (r == CUDA_SUCCESS)
        *device = 0;
    return r;
}

RT_API CUresult cuDeviceGetCount(int *count)
{
    CUresult r = check(count, 0);
    if (r == CUDA_SUCCESS)
        *count = 1;
    return r;
}

RT_API CUresult cuDeviceGetName(char *name, int len, CUdevice device)
{
    CUresult r = check(name, device);
    if (r == CUDA_SUCCESS && len <= 0)
        r = CUDA_ERROR_INVALID_VALUE;
    if (r == CUDA_SUCCESS)
        snprintf(name, (size_t)len, "%s", rt_device_name);
    return r;
}

RT_API CUresult cuDeviceGetUuid(CUuuid *uuid, CUdevice device)
{
    struct cudaDeviceProp p;
    CUresult r = check(uuid, device);
    if (r == CUDA_SUCCESS)
        r = DRV_CALL(DRV_INIT, cudaGetDeviceProperties(&p, 0));
    if (r == CUDA_SUCCESS)
        memcpy(uuid->bytes, p.uuid.bytes, sizeof uuid->bytes);
    return r;
}

RT_API CUresult cuDeviceGetUuid_v2(CUuuid *uuid, CUdevice device) { return cuDeviceGetUuid(uuid, device); }

RT_API CUresult cuDeviceTotalMem(size_t *size, CUdevice device)
{
    CUresult r = check(size, device);
    size_t unused;
    return r == CUDA_SUCCESS ? DRV_CALL(DRV_INIT, cudaMemGetInfo(&unused, size)) : r;
}

RT_API CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attr, CUdevice device)
{
    CUresult r = check(value, device);
    if (r == CUDA_SUCCESS && !rt_device_attribute((int)attr, value))
        r = CUDA_ERROR_INVALID_VALUE;
    return r;
}

RT_API CUresult cuDeviceComputeCapability(int *major, int *minor, CUdevice device)
{
    CUresult r = check(major, device);
    if (r != CUDA_SUCCESS || !minor)
        return r == CUDA_SUCCESS ? CUDA_ERROR_INVALID_VALUE : r;
    rt_device_attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, major);
    rt_device_attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, minor);
    return CUDA_SUCCESS;
}

RT_API CUresult cuDeviceGetProperties(CUdevprop *prop, CUdevice device)
{
    struct cudaDeviceProp p;
    CUresult r = check(prop, device);
    if (r == CUDA_SUCCESS)
        r = DRV_CALL(DRV_INIT, cudaGetDeviceProperties(&p, 0));
    if (r != CUDA_SUCCESS)
        return r;
    *prop = (CUdevprop){.maxThreadsPerBlock = p.maxThreadsPerBlock,
                        .sharedMemPerBlock = (int)p.sharedMemPerBlock,
                        .totalConstantMemory = (int)p.totalConstMem,
                        .SIMDWidth = p.warpSize,
                        .memPitch = (int)p.memPitch,
                        .regsPerBlock = p.regsPerBlock,
                        .textureAlign = (int)p.textureAlignment};
    rt_device_attribute(CU_DEVICE_ATTRIBUTE_CLOCK_RATE, &prop->clockRate);
    memcpy(prop->maxThreadsDim, p.maxThreadsDim, sizeof prop->maxThreadsDim);
    memcpy(prop->maxGridSize, p.maxGridSize, sizeof prop->maxGridSize);
    return CUDA_SUCCESS;
}

RT_API CUresult cuDeviceGetByPCIBusId(CUdevice *device, const char *id)
{
    return DRV_CALL(DRV_INIT, cudaDeviceGetByPCIBusId(device, id));
}

RT_API CUresult cuDeviceGetPCIBusId(char *id, int len, CUdevice device)
{
    return DRV_CALL(DRV_INIT, cudaDeviceGetPCIBusId(id, len, device));
}

RT_API CUresult cuDeviceCanAccessPeer(int *can, CUdevice device, CUdevice peer)
{
    return DRV_CALL(DRV_INIT, cudaDeviceCanAccessPeer(can, device, peer));
}

RT_API CUresult cuDeviceGetP2PAttribute(int *value, CUdevice_P2PAttribute attr, CUdevice src, CUdevice dst)
{
    return DRV_CALL(DRV_INIT, cudaDeviceGetP2PAttribute(value, (enum cudaDeviceP2PAttr)attr, src, dst));
}
