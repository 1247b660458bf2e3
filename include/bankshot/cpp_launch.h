// Kernels as typed functions: launches, attributes, occupancy.
#ifndef BANKSHOT_CPP_LAUNCH_H
#define BANKSHOT_CPP_LAUNCH_H

#include "../cuda_runtime_api.h"

#define BANKSHOT_HOST static inline __host__

BANKSHOT_HOST cudaError_t cudaEventCreate(cudaEvent_t *event, unsigned int flags)
{
    return ::cudaEventCreateWithFlags(event, flags);
}

template <class T>
BANKSHOT_HOST cudaError_t cudaLaunchKernel(T *func, dim3 grid, dim3 block, void **args, size_t shared = 0,
                                           cudaStream_t stream = NULL)
{
    return ::cudaLaunchKernel((const void *)func, grid, block, args, shared, stream);
}

template <class T>
BANKSHOT_HOST cudaError_t cudaLaunchCooperativeKernel(T *func, dim3 grid, dim3 block, void **args,
                                                      size_t shared = 0, cudaStream_t stream = NULL)
{
    return ::cudaLaunchCooperativeKernel((const void *)func, grid, block, args, shared, stream);
}

#if __cplusplus >= 201103L
// The arguments are converted to the kernel's own parameter types before their addresses are taken.
template <typename... Params, typename... Args>
BANKSHOT_HOST cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *config, void (*kernel)(Params...),
                                             Args &&...args)
{
    return [&](Params... values) {
        void *pointers[sizeof...(Params) + 1] = {(void *)&values...};
        return ::cudaLaunchKernelExC(config, (const void *)kernel, pointers);
    }(static_cast<Args &&>(args)...);
}
#endif

template <class T> BANKSHOT_HOST cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attr, T *func)
{
    return ::cudaFuncGetAttributes(attr, (const void *)func);
}

template <class T> BANKSHOT_HOST cudaError_t cudaFuncSetAttribute(T *func, enum cudaFuncAttribute attr, int value)
{
    return ::cudaFuncSetAttribute((const void *)func, attr, value);
}

template <class T> BANKSHOT_HOST cudaError_t cudaFuncSetCacheConfig(T *func, enum cudaFuncCache config)
{
    return ::cudaFuncSetCacheConfig((const void *)func, config);
}

template <class T> BANKSHOT_HOST cudaError_t cudaFuncSetSharedMemConfig(T *func, enum cudaSharedMemConfig config)
{
    return ::cudaFuncSetSharedMemConfig((const void *)func, config);
}

template <class T> BANKSHOT_HOST cudaError_t cudaFuncGetName(const char **name, T *func)
{
    return ::cudaFuncGetName(name, (const void *)func);
}

template <class T> BANKSHOT_HOST cudaError_t cudaGetKernel(cudaKernel_t *kernel, T *func)
{
    return ::cudaGetKernel(kernel, (const void *)func);
}

template <class T> BANKSHOT_HOST cudaError_t cudaGetFuncBySymbol(cudaFunction_t *out, T *func)
{
    return ::cudaGetFuncBySymbol(out, (const void *)func);
}

template <class T>
BANKSHOT_HOST cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, T func, int block_size,
                                                                        size_t shared)
{
    return ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, (const void *)func, block_size, shared,
                                                                    cudaOccupancyDefault);
}

template <class T>
BANKSHOT_HOST cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, T func,
                                                                                 int block_size, size_t shared,
                                                                                 unsigned int flags)
{
    return ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, (const void *)func, block_size, shared,
                                                                    flags);
}

template <class T>
BANKSHOT_HOST cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *shared, T func, int blocks,
                                                                    int block_size)
{
    return ::cudaOccupancyAvailableDynamicSMemPerBlock(shared, (const void *)func, blocks, block_size);
}

template <class T>
BANKSHOT_HOST cudaError_t cudaOccupancyMaxPotentialClusterSize(int *size, T *func,
                                                               const cudaLaunchConfig_t *config)
{
    return ::cudaOccupancyMaxPotentialClusterSize(size, (const void *)func, config);
}

template <class T>
BANKSHOT_HOST cudaError_t cudaOccupancyMaxActiveClusters(int *clusters, T *func, const cudaLaunchConfig_t *config)
{
    return ::cudaOccupancyMaxActiveClusters(clusters, (const void *)func, config);
}

// The block size that keeps most threads on a multiprocessor, and the grid that fills the device with it.
// Sizes are tried from the largest down, one warp less each time, so that of equals the largest wins.
template <class Shared, class T>
BANKSHOT_HOST cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(int *min_grid, int *block_size,
                                                                                  T func, Shared shared_of,
                                                                                  int limit = 0,
                                                                                  unsigned int flags = 0)
{
    struct cudaFuncAttributes attr;
    int device = 0, warp = 0, sms = 0, threads_per_sm = 0;
    if (!min_grid || !block_size || !func)
        return cudaErrorInvalidValue;
    cudaError_t err = ::cudaGetDevice(&device);
    if (err == cudaSuccess)
        err = ::cudaDeviceGetAttribute(&warp, cudaDevAttrWarpSize, device);
    if (err == cudaSuccess)
        err = ::cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device);
    if (err == cudaSuccess)
        err = ::cudaDeviceGetAttribute(&threads_per_sm, cudaDevAttrMaxThreadsPerMultiProcessor, device);
    if (err == cudaSuccess)
        err = ::cudaFuncGetAttributes(&attr, (const void *)func);
    if (err != cudaSuccess)
        return err;

    int most = attr.maxThreadsPerBlock;
    if (limit > 0 && limit < most)
        most = limit;
    int best_threads = 0, best_size = 0, best_blocks = 0;
    for (int top = (most + warp - 1) / warp * warp; top > 0 && best_threads < threads_per_sm; top -= warp) {
        int size = top < most ? top : most;
        int blocks = 0;
        err = ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, (const void *)func, size,
                                                                       shared_of(size), flags);
        if (err != cudaSuccess)
            return err;
        if (blocks * size > best_threads) {
            best_threads = blocks * size;
            best_size = size;
            best_blocks = blocks;
        }
    }
    *min_grid = best_blocks * sms;
    *block_size = best_size;
    return cudaSuccess;
}

template <class Shared, class T>
BANKSHOT_HOST cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int *min_grid, int *block_size, T func,
                                                                         Shared shared_of, int limit = 0)
{
    return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(min_grid, block_size, func, shared_of, limit,
                                                                   cudaOccupancyDefault);
}

struct bankshot_same_shared {
    size_t size_b;
    __host__ size_t operator()(int) const { return size_b; }
};

template <class T>
BANKSHOT_HOST cudaError_t cudaOccupancyMaxPotentialBlockSizeWithFlags(int *min_grid, int *block_size, T func,
                                                                      size_t shared = 0, int limit = 0,
                                                                      unsigned int flags = 0)
{
    bankshot_same_shared same = {shared};
    return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(min_grid, block_size, func, same, limit, flags);
}

template <class T>
BANKSHOT_HOST cudaError_t cudaOccupancyMaxPotentialBlockSize(int *min_grid, int *block_size, T func,
                                                             size_t shared = 0, int limit = 0)
{
    return cudaOccupancyMaxPotentialBlockSizeWithFlags(min_grid, block_size, func, shared, limit,
                                                       cudaOccupancyDefault);
}

#undef BANKSHOT_HOST

#endif
/* SPDX-License-Identifier: Apache-2.0 */
