/* SPDX-License-Identifier: Apache-2.0 */
/* Driver API: functions, launches, occupancy. A CUfunction is a kernel. */
#include "cudart/code/launch.h"
#include "cudart/code/occupancy.h"
#include "cudart/driver/driver.h"
#include "cudart/graph/graph.h"

static cudaError_t get_attribute(int *value, CUfunction_attribute attr, CUfunction func)
{
    struct cudaFuncAttributes a;
    if (!value)
        return cudaErrorInvalidValue;
    cudaError_t e = cudaFuncGetAttributes(&a, func);
    if (e != cudaSuccess)
        return e;
    switch ((int)attr) {
    case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK: *value = a.maxThreadsPerBlock; break;
    case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES: *value = (int)a.sharedSizeBytes; break;
    case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES: *value = (int)a.constSizeBytes; break;
    case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES: *value = (int)a.localSizeBytes; break;
    case CU_FUNC_ATTRIBUTE_NUM_REGS: *value = a.numRegs; break;
    case CU_FUNC_ATTRIBUTE_PTX_VERSION: *value = a.ptxVersion; break;
    case CU_FUNC_ATTRIBUTE_BINARY_VERSION: *value = a.binaryVersion; break;
    case CU_FUNC_ATTRIBUTE_CACHE_MODE_CA: *value = a.cacheModeCA; break;
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES: *value = a.maxDynamicSharedSizeBytes; break;
    case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT: *value = a.preferredShmemCarveout; break;
    case CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET: *value = a.clusterDimMustBeSet; break;
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH: *value = a.requiredClusterWidth; break;
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT: *value = a.requiredClusterHeight; break;
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH: *value = a.requiredClusterDepth; break;
    case CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED: *value = a.nonPortableClusterSizeAllowed; break;
    case CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE:
        *value = a.clusterSchedulingPolicyPreference;
        break;
    default: return cudaErrorInvalidValue;
    }
    return cudaSuccess;
}

RT_API CUresult cuFuncGetAttribute(int *value, CUfunction_attribute attr, CUfunction func)
{
    return DRV(get_attribute(value, attr, func));
}

RT_API CUresult cuFuncSetAttribute(CUfunction func, CUfunction_attribute attr, int value)
{
    return DRV(cudaFuncSetAttribute(func, (enum cudaFuncAttribute)attr, value));
}

RT_API CUresult cuFuncSetCacheConfig(CUfunction func, CUfunc_cache config)
{
    return DRV(cudaFuncSetCacheConfig(func, (enum cudaFuncCache)config));
}

RT_API CUresult cuFuncSetSharedMemConfig(CUfunction func, CUsharedconfig config)
{
    return DRV(cudaFuncSetSharedMemConfig(func, (enum cudaSharedMemConfig)config));
}

RT_API CUresult cuFuncGetName(const char **name, CUfunction func) { return DRV(cudaFuncGetName(name, func)); }

static cudaError_t get_module(CUmodule *out, CUfunction func)
{
    struct rt *rt = rt_enter("cuFuncGetModule");
    const struct rt_kernel *k = rt_obj_get(rt, func, RK_KERNEL);
    if (!k || !k->module || !out)
        return rt_leave(rt, out ? cudaErrorInvalidResourceHandle : cudaErrorInvalidValue);
    *out = (CUmodule)k->module;
    return rt_leave(rt, cudaSuccess);
}

RT_API CUresult cuFuncGetModule(CUmodule *out, CUfunction func) { return DRV(get_module(out, func)); }

/* ---- launches ---- */

static cudaError_t launch(const char *name, CUfunction func, const uint32_t grid[3], const uint32_t block[3],
                          unsigned shared, CUstream stream, void **params, void **extra, struct rt_wish wish)
{
    struct rt *rt = rt_enter(name);
    struct rt_kernel *k = rt_obj_get(rt, func, RK_KERNEL);
    struct rt_stream *s = rt_stream_get(rt, stream);
    struct rt_op op;
    if (!k || !s)
        return rt_leave(rt, cudaErrorInvalidResourceHandle);
    if (params && extra)
        return rt_leave(rt, cudaErrorInvalidValue);
    cudaError_t e = rt->sticky ? rt->sticky : rt_kernel_compile(rt, k);
    if (!k->code)
        rt_launch_missed(rt);
    if (e == cudaSuccess)
        e = extra ? rt_launch_extra(rt, &op, k, grid, block, extra, shared, wish)
                  : rt_launch_op(rt, &op, k, grid, block, params, shared, wish);
    return rt_leave(rt, e == cudaSuccess ? rt_submit(rt, s, &op) : e);
}

RT_API CUresult cuLaunchKernel(CUfunction func, unsigned int gx, unsigned int gy, unsigned int gz,
                               unsigned int bx, unsigned int by, unsigned int bz, unsigned int shared,
                               CUstream stream, void **params, void **extra)
{
    const uint32_t grid[3] = {gx, gy, gz}, block[3] = {bx, by, bz};
    return DRV(
        launch("cuLaunchKernel", func, grid, block, shared, stream, params, extra, (struct rt_wish){0}));
}

RT_API CUresult cuLaunchCooperativeKernel(CUfunction func, unsigned int gx, unsigned int gy, unsigned int gz,
                                          unsigned int bx, unsigned int by, unsigned int bz,
                                          unsigned int shared, CUstream stream, void **params)
{
    const uint32_t grid[3] = {gx, gy, gz}, block[3] = {bx, by, bz};
    return DRV(launch("cuLaunchCooperativeKernel", func, grid, block, shared, stream, params, NULL,
                      (struct rt_wish){.cooperative = true}));
}

static cudaError_t launch_config(const CUlaunchConfig *c, CUfunction func, void **params, void **extra)
{
    struct rt_wish w = {0};
    cudaError_t e = cudaErrorInvalidValue;
    const char *missing = NULL;
    /* Attributes have the layout of the runtime's. */
    if (c && (!c->numAttrs || c->attrs))
        missing = launch_attributes((const cudaLaunchAttribute *)(const void *)c->attrs, c->numAttrs, &w, &e);
    if (missing || e) {
        struct rt *rt = rt_enter("cuLaunchKernelEx");
        if (missing)
            rt_launch_missed(rt);
        return rt_leave(rt, missing ? rt_unsupported(rt, rt->call, missing) : e);
    }
    const uint32_t grid[3] = {c->gridDimX, c->gridDimY, c->gridDimZ};
    const uint32_t block[3] = {c->blockDimX, c->blockDimY, c->blockDimZ};
    return launch("cuLaunchKernelEx", func, grid, block, c->sharedMemBytes, c->hStream, params, extra, w);
}

RT_API CUresult cuLaunchKernelEx(const CUlaunchConfig *config, CUfunction func, void **params, void **extra)
{
    return DRV(launch_config(config, func, params, extra));
}

RT_API CUresult cuLaunchHostFunc(CUstream stream, CUhostFn fn, void *data)
{
    return DRV(cudaLaunchHostFunc(stream, fn, data));
}

/* ---- occupancy ---- */

RT_API CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *out, CUfunction func, int threads,
                                                            size_t shared)
{
    return DRV(cudaOccupancyMaxActiveBlocksPerMultiprocessor(out, func, threads, shared));
}

RT_API CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *out, CUfunction func, int threads,
                                                                     size_t shared, unsigned int flags)
{
    return DRV(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(out, func, threads, shared, flags));
}

RT_API CUresult cuOccupancyAvailableDynamicSMemPerBlock(size_t *out, CUfunction func, int ctas, int threads)
{
    return DRV(cudaOccupancyAvailableDynamicSMemPerBlock(out, func, ctas, threads));
}

static cudaError_t clusters_of(cudaError_t (*ask)(int *, const void *, const cudaLaunchConfig_t *), int *out,
                               CUfunction func, const CUlaunchConfig *c)
{
    if (!c)
        return cudaErrorInvalidValue;
    const cudaLaunchConfig_t config = {.gridDim = {c->gridDimX, c->gridDimY, c->gridDimZ},
                                       .blockDim = {c->blockDimX, c->blockDimY, c->blockDimZ},
                                       .dynamicSmemBytes = c->sharedMemBytes,
                                       .stream = c->hStream,
                                       .attrs = (cudaLaunchAttribute *)(void *)c->attrs,
                                       .numAttrs = c->numAttrs};
    return ask(out, func, &config);
}

RT_API CUresult cuOccupancyMaxPotentialClusterSize(int *size, CUfunction func, const CUlaunchConfig *config)
{
    return DRV(clusters_of(cudaOccupancyMaxPotentialClusterSize, size, func, config));
}

RT_API CUresult cuOccupancyMaxActiveClusters(int *clusters, CUfunction func, const CUlaunchConfig *config)
{
    return DRV(clusters_of(cudaOccupancyMaxActiveClusters, clusters, func, config));
}

/* The CTA size with the most threads on a multiprocessor, the largest of several; whole warps, except that the limit itself
 * need not be one. */
static cudaError_t best_size(int *min_grid, int *size, CUfunction func, CUoccupancyB2DSize shared_of,
                             size_t shared, int limit)
{
    struct cudaFuncAttributes a;
    int most = 0, sms = 0;
    if (!min_grid || !size || limit < 0)
        return cudaErrorInvalidValue;
    cudaError_t e = cudaFuncGetAttributes(&a, func);
    if (e != cudaSuccess)
        return e;
    if (limit == 0 || limit > a.maxThreadsPerBlock)
        limit = a.maxThreadsPerBlock;
    *min_grid = *size = 0;
    rt_device_attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, &sms);
    for (int rounded = (limit + 31) / 32 * 32; rounded > 0; rounded -= 32) {
        int threads = rounded < limit ? rounded : limit, ctas = 0;
        e = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&ctas, func, threads,
                                                          shared_of ? shared_of(threads) : shared);
        if (e != cudaSuccess)
            return e;
        if (threads * ctas > most) {
            most = threads * ctas;
            *size = threads;
            *min_grid = ctas * sms;
        }
    }
    return cudaSuccess;
}

RT_API CUresult cuOccupancyMaxPotentialBlockSize(int *min_grid, int *size, CUfunction func,
                                                 CUoccupancyB2DSize shared_of, size_t shared, int limit)
{
    return DRV(best_size(min_grid, size, func, shared_of, shared, limit));
}

RT_API CUresult cuOccupancyMaxPotentialBlockSizeWithFlags(int *min_grid, int *size, CUfunction func,
                                                          CUoccupancyB2DSize shared_of, size_t shared,
                                                          int limit, unsigned int flags)
{
    if (flags & ~(unsigned)CU_OCCUPANCY_DISABLE_CACHING_OVERRIDE)
        return CUDA_ERROR_INVALID_VALUE;
    return DRV(best_size(min_grid, size, func, shared_of, shared, limit));
}
