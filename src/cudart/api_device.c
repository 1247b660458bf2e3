/* SPDX-License-Identifier: Apache-2.0 */
/* Which device, what it can do, its limits and settings. There is one device, number 0. */
#include "cudart/graph/graph.h"
#include "cudart/rt.h"
#include "sass/sass.h"

enum { VERSION = 12080, PCI_ID_B = 13 }; /* of the API in include/; "dddd:bb:dd.f" with its end */
enum { HEAP_B = 8 << 20, STACK_MAX_B = 512 << 10, FIFO_B = 1 << 20 };

RT_API cudaError_t cudaDriverGetVersion(int *version)
{
    struct rt *rt = rt_enter("cudaDriverGetVersion");
    if (version)
        *version = 13000; /* a driver runs programs of every version up to its own */
    return rt_leave(rt, version ? cudaSuccess : cudaErrorInvalidValue);
}

RT_API cudaError_t cudaRuntimeGetVersion(int *version)
{
    struct rt *rt = rt_enter("cudaRuntimeGetVersion");
    if (version)
        *version = VERSION;
    return rt_leave(rt, version ? cudaSuccess : cudaErrorInvalidValue);
}

RT_API cudaError_t cudaGetDeviceCount(int *count)
{
    struct rt *rt = rt_enter("cudaGetDeviceCount");
    if (count)
        *count = 1;
    return rt_leave(rt, count ? cudaSuccess : cudaErrorInvalidValue);
}

RT_API cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *prop, int device)
{
    struct rt *rt = rt_enter("cudaGetDeviceProperties");
    cudaError_t e = !prop ? cudaErrorInvalidValue : device ? cudaErrorInvalidDevice : cudaSuccess;
    if (!e)
        rt_device_properties(rt, prop);
    return rt_leave(rt, e);
}

RT_API cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attr, int device)
{
    struct rt *rt = rt_enter("cudaDeviceGetAttribute");
    cudaError_t e = !value ? cudaErrorInvalidValue : device ? cudaErrorInvalidDevice : cudaSuccess;
    if (!e && !rt_device_attribute((int)attr, value))
        e = cudaErrorInvalidValue;
    return rt_leave(rt, e);
}

RT_API cudaError_t cudaDeviceGetTexture1DLinearMaxWidth(size_t *elements,
                                                        const struct cudaChannelFormatDesc *desc, int device)
{
    struct rt *rt = rt_enter("cudaDeviceGetTexture1DLinearMaxWidth");
    int width = 0;
    if (!elements || !desc)
        return rt_leave(rt, cudaErrorInvalidValue);
    rt_device_attribute(cudaDevAttrMaxTexture1DLinearWidth, &width);
    *elements = (size_t)width;
    return rt_leave(rt, device ? cudaErrorInvalidDevice : cudaSuccess);
}

RT_API cudaError_t cudaDeviceGetPCIBusId(char *id, int len, int device)
{
    struct rt *rt = rt_enter("cudaDeviceGetPCIBusId");
    if (!id || len < PCI_ID_B || device)
        return rt_leave(rt, device ? cudaErrorInvalidDevice : cudaErrorInvalidValue);
    snprintf(id, (size_t)len, "0000:01:00.0");
    return rt_leave(rt, cudaSuccess);
}

RT_API cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *id)
{
    struct rt *rt = rt_enter("cudaDeviceGetByPCIBusId");
    unsigned domain = 0, bus, dev, fn = 0;
    if (!device || !id)
        return rt_leave(rt, cudaErrorInvalidValue);
    bool read = sscanf(id, "%x:%x:%x.%x", &domain, &bus, &dev, &fn) >= 3 ||
                (domain = 0, sscanf(id, "%x:%x.%x", &bus, &dev, &fn) >= 2);
    if (!read)
        return rt_leave(rt, cudaErrorInvalidValue);
    if (domain || bus != 1 || dev || fn)
        return rt_leave(rt, cudaErrorInvalidDevice);
    *device = 0;
    return rt_leave(rt, cudaSuccess);
}

RT_API cudaError_t cudaChooseDevice(int *device, const struct cudaDeviceProp *wanted)
{
    struct rt *rt = rt_enter("cudaChooseDevice");
    if (device && wanted)
        *device = 0;
    return rt_leave(rt, device && wanted ? cudaSuccess : cudaErrorInvalidValue);
}

RT_API cudaError_t cudaSetDevice(int device)
{
    return rt_leave(rt_enter("cudaSetDevice"), device ? cudaErrorInvalidDevice : cudaSuccess);
}

RT_API cudaError_t cudaGetDevice(int *device)
{
    struct rt *rt = rt_enter("cudaGetDevice");
    if (device)
        *device = 0;
    return rt_leave(rt, device ? cudaSuccess : cudaErrorInvalidValue);
}

static cudaError_t set_flags(struct rt *rt, unsigned flags)
{
    unsigned schedule = flags & cudaDeviceScheduleMask;
    if (flags & ~(unsigned)cudaDeviceMask || (schedule & (schedule - 1)))
        return cudaErrorInvalidValue;
    rt->settings.flags = flags;
    return cudaSuccess;
}

RT_API cudaError_t cudaInitDevice(int device, unsigned int device_flags, unsigned int flags)
{
    struct rt *rt = rt_enter("cudaInitDevice");
    cudaError_t e = device                                           ? cudaErrorInvalidDevice
                    : flags & ~(unsigned)cudaInitDeviceFlagsAreValid ? cudaErrorInvalidValue
                                                                     : cudaSuccess;
    if (!e && flags)
        e = set_flags(rt, device_flags);
    return rt_leave(rt, e);
}

RT_API cudaError_t cudaSetValidDevices(int *devices, int count)
{
    struct rt *rt = rt_enter("cudaSetValidDevices");
    if (count < 0 || (count && !devices) || count > 1)
        return rt_leave(rt, cudaErrorInvalidValue);
    return rt_leave(rt, count && devices[0] ? cudaErrorInvalidDevice : cudaSuccess);
}

RT_API cudaError_t cudaSetDeviceFlags(unsigned int flags)
{
    struct rt *rt = rt_enter("cudaSetDeviceFlags");
    return rt_leave(rt, set_flags(rt, flags));
}

RT_API cudaError_t cudaGetDeviceFlags(unsigned int *flags)
{
    struct rt *rt = rt_enter("cudaGetDeviceFlags");
    if (flags)
        *flags = rt->settings.flags | cudaDeviceMapHost;
    return rt_leave(rt, flags ? cudaSuccess : cudaErrorInvalidValue);
}

/* ---- limits and preferences ---- */

cudaError_t rt_limit_set(struct rt *rt, int limit, uint64_t value)
{
    if (limit < 0 || limit > cudaLimitPersistingL2CacheSize)
        return cudaErrorInvalidValue;
    if (limit == cudaLimitDevRuntimeSyncDepth || limit == cudaLimitDevRuntimePendingLaunchCount)
        return cudaErrorUnsupportedLimit; /* there are no launches from kernels */
    if (limit == cudaLimitMallocHeapSize && !exec_set_heap(rt->dev, value < HEAP_B ? HEAP_B : value))
        return cudaErrorInvalidValue;
    if (limit == cudaLimitStackSize && value > STACK_MAX_B)
        return cudaErrorInvalidValue;
    rt->settings.limit[limit] = value ? value : 1; /* 0: never set */
    return cudaSuccess;
}

cudaError_t rt_limit_get(struct rt *rt, int limit, uint64_t *value)
{
    static const uint64_t initial[] = {
        [cudaLimitStackSize] = SASS_STACK_B,  [cudaLimitPrintfFifoSize] = FIFO_B,
        [cudaLimitMallocHeapSize] = HEAP_B,   [cudaLimitMaxL2FetchGranularity] = 128,
        [cudaLimitPersistingL2CacheSize] = 0,
    };
    if (limit < 0 || limit > cudaLimitPersistingL2CacheSize)
        return cudaErrorInvalidValue;
    if (limit == cudaLimitDevRuntimeSyncDepth || limit == cudaLimitDevRuntimePendingLaunchCount)
        return cudaErrorUnsupportedLimit;
    uint64_t set = rt->settings.limit[limit];
    *value = set ? set : initial[limit];
    return cudaSuccess;
}

RT_API cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value)
{
    struct rt *rt = rt_enter("cudaDeviceSetLimit");
    return rt_leave(rt, rt_limit_set(rt, (int)limit, value));
}

RT_API cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit limit)
{
    struct rt *rt = rt_enter("cudaDeviceGetLimit");
    uint64_t v = 0;
    cudaError_t e = value ? rt_limit_get(rt, (int)limit, &v) : cudaErrorInvalidValue;
    if (!e)
        *value = v;
    return rt_leave(rt, e);
}

RT_API cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache config)
{
    struct rt *rt = rt_enter("cudaDeviceSetCacheConfig");
    if ((unsigned)config > cudaFuncCachePreferEqual)
        return rt_leave(rt, cudaErrorInvalidValue);
    rt->settings.cache_config = (int)config;
    return rt_leave(rt, cudaSuccess);
}

RT_API cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache *config)
{
    struct rt *rt = rt_enter("cudaDeviceGetCacheConfig");
    if (config)
        *config = (enum cudaFuncCache)rt->settings.cache_config;
    return rt_leave(rt, config ? cudaSuccess : cudaErrorInvalidValue);
}

/* Banks of shared memory have 4 bytes since compute capability 5.0; setting them has no effect there either. */
RT_API cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig config)
{
    struct rt *rt = rt_enter("cudaDeviceSetSharedMemConfig");
    return rt_leave(rt,
                    (unsigned)config > cudaSharedMemBankSizeEightByte ? cudaErrorInvalidValue : cudaSuccess);
}

RT_API cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *config)
{
    struct rt *rt = rt_enter("cudaDeviceGetSharedMemConfig");
    if (config)
        *config = cudaSharedMemBankSizeFourByte;
    return rt_leave(rt, config ? cudaSuccess : cudaErrorInvalidValue);
}

/* ---- waiting, the end ---- */

static cudaError_t synchronize(const char *name)
{
    struct rt *rt = rt_enter(name);
    cudaError_t e = rt_capture_no_wait(rt, NULL);
    if (!e)
        rt_stream_joined(rt, NULL);
    return rt_leave(rt, e);
}

RT_API cudaError_t cudaDeviceSynchronize(void) { return synchronize("cudaDeviceSynchronize"); }

static cudaError_t reset(const char *name)
{
    struct rt *rt = rt_enter(name);
    rt_stream_joined(rt, NULL);
    rt_reset(rt);
    return rt_leave(rt, cudaSuccess);
}

RT_API cudaError_t cudaDeviceReset(void) { return reset("cudaDeviceReset"); }

/* ---- peers: none ---- */

RT_API cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer)
{
    struct rt *rt = rt_enter("cudaDeviceCanAccessPeer");
    if (can)
        *can = 0;
    return rt_leave(rt, !can ? cudaErrorInvalidValue : device || peer ? cudaErrorInvalidDevice : cudaSuccess);
}

RT_API cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned int flags)
{
    struct rt *rt = rt_enter("cudaDeviceEnablePeerAccess");
    return rt_leave(rt, flags  ? cudaErrorInvalidValue
                        : peer ? cudaErrorInvalidDevice
                               : cudaErrorPeerAccessUnsupported);
}

RT_API cudaError_t cudaDeviceDisablePeerAccess(int peer)
{
    (void)peer;
    return rt_leave(rt_enter("cudaDeviceDisablePeerAccess"), cudaErrorInvalidDevice);
}

RT_API cudaError_t cudaDeviceGetP2PAttribute(int *value, enum cudaDeviceP2PAttr attr, int src, int dst)
{
    struct rt *rt = rt_enter("cudaDeviceGetP2PAttribute");
    (void)value, (void)attr, (void)src, (void)dst;
    return rt_leave(rt, cudaErrorInvalidDevice);
}

/* ---- old names ---- */

RT_API cudaError_t cudaThreadSynchronize(void) { return synchronize("cudaThreadSynchronize"); }

RT_API cudaError_t cudaThreadExit(void) { return reset("cudaThreadExit"); }

RT_API cudaError_t cudaThreadSetLimit(enum cudaLimit limit, size_t value)
{
    return cudaDeviceSetLimit(limit, value);
}

RT_API cudaError_t cudaThreadGetLimit(size_t *value, enum cudaLimit limit)
{
    return cudaDeviceGetLimit(value, limit);
}

RT_API cudaError_t cudaThreadSetCacheConfig(enum cudaFuncCache config)
{
    return cudaDeviceSetCacheConfig(config);
}

RT_API cudaError_t cudaThreadGetCacheConfig(enum cudaFuncCache *config)
{
    return cudaDeviceGetCacheConfig(config);
}

/* Since compute capability 1.3 doubles are doubles. */
RT_API cudaError_t cudaSetDoubleForDevice(double *d)
{
    return rt_leave(rt_enter("cudaSetDoubleForDevice"), d ? cudaSuccess : cudaErrorInvalidValue);
}

RT_API cudaError_t cudaSetDoubleForHost(double *d)
{
    return rt_leave(rt_enter("cudaSetDoubleForHost"), d ? cudaSuccess : cudaErrorInvalidValue);
}
