/* The allocator that CUB's examples use. Memory here costs nothing to get, so nothing is kept. */
#ifndef BANKSHOT_CUB_UTIL_ALLOCATOR
#define BANKSHOT_CUB_UTIL_ALLOCATOR

#include <cub/util_debug.cuh>

namespace cub
{
struct CachingDeviceAllocator {
    CachingDeviceAllocator(unsigned = 8, unsigned = 3, unsigned = 7, std::size_t = 0, bool = false, bool = false) {}
    explicit CachingDeviceAllocator(bool, bool = false) {}
    cudaError_t DeviceAllocate(void **p, std::size_t bytes, cudaStream_t = 0) { return cudaMalloc(p, bytes); }
    cudaError_t DeviceAllocate(int, void **p, std::size_t bytes, cudaStream_t = 0) { return cudaMalloc(p, bytes); }
    cudaError_t DeviceFree(void *p) { return cudaFree(p); }
    cudaError_t DeviceFree(int, void *p) { return cudaFree(p); }
    cudaError_t FreeAllCached() { return cudaSuccess; }
};
} // namespace cub

#endif
// SPDX-License-Identifier: Apache-2.0
