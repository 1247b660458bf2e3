// Allocation with typed pointers, and variables of the device given by their names.
#ifndef BANKSHOT_CPP_MEMORY_H
#define BANKSHOT_CPP_MEMORY_H

#include "../cuda_runtime_api.h"

#define BANKSHOT_HOST static inline __host__

template <class T> BANKSHOT_HOST cudaError_t cudaMalloc(T **ptr, size_t size)
{
    return ::cudaMalloc((void **)ptr, size);
}

template <class T> BANKSHOT_HOST cudaError_t cudaMallocPitch(T **ptr, size_t *pitch, size_t width, size_t height)
{
    return ::cudaMallocPitch((void **)ptr, pitch, width, height);
}

template <class T>
BANKSHOT_HOST cudaError_t cudaMallocManaged(T **ptr, size_t size, unsigned int flags = cudaMemAttachGlobal)
{
    return ::cudaMallocManaged((void **)ptr, size, flags);
}

template <class T> BANKSHOT_HOST cudaError_t cudaHostAlloc(T **ptr, size_t size, unsigned int flags)
{
    return ::cudaHostAlloc((void **)ptr, size, flags);
}

BANKSHOT_HOST cudaError_t cudaMallocHost(void **ptr, size_t size, unsigned int flags)
{
    return ::cudaHostAlloc(ptr, size, flags);
}

template <class T> BANKSHOT_HOST cudaError_t cudaMallocHost(T **ptr, size_t size, unsigned int flags = 0)
{
    return ::cudaHostAlloc((void **)ptr, size, flags);
}

template <class T> BANKSHOT_HOST cudaError_t cudaHostGetDevicePointer(T **device, void *host, unsigned int flags)
{
    return ::cudaHostGetDevicePointer((void **)device, host, flags);
}

template <class T>
BANKSHOT_HOST cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, T *ptr, size_t size = 0,
                                                   unsigned int flags = cudaMemAttachSingle)
{
    return ::cudaStreamAttachMemAsync(stream, (void *)ptr, size, flags);
}

template <class T> BANKSHOT_HOST cudaError_t cudaMallocAsync(T **ptr, size_t size, cudaStream_t stream)
{
    return ::cudaMallocAsync((void **)ptr, size, stream);
}

BANKSHOT_HOST cudaError_t cudaMallocAsync(void **ptr, size_t size, cudaMemPool_t pool, cudaStream_t stream)
{
    return ::cudaMallocFromPoolAsync(ptr, size, pool, stream);
}

template <class T>
BANKSHOT_HOST cudaError_t cudaMallocAsync(T **ptr, size_t size, cudaMemPool_t pool, cudaStream_t stream)
{
    return ::cudaMallocFromPoolAsync((void **)ptr, size, pool, stream);
}

template <class T>
BANKSHOT_HOST cudaError_t cudaMallocFromPoolAsync(T **ptr, size_t size, cudaMemPool_t pool, cudaStream_t stream)
{
    return ::cudaMallocFromPoolAsync((void **)ptr, size, pool, stream);
}

// With a location instead of a device's number, as CUDA 13 has them.
BANKSHOT_HOST cudaError_t cudaMemPrefetchAsync(const void *ptr, size_t size, struct cudaMemLocation location,
                                               unsigned int flags, cudaStream_t stream = NULL)
{
    return ::cudaMemPrefetchAsync_v2(ptr, size, location, flags, stream);
}

BANKSHOT_HOST cudaError_t cudaMemAdvise(const void *ptr, size_t size, enum cudaMemoryAdvise advice,
                                        struct cudaMemLocation location)
{
    return ::cudaMemAdvise_v2(ptr, size, advice, location);
}

// A symbol is the host's stand-in for a device variable; its address is the key the variable was registered with.
template <class T> BANKSHOT_HOST cudaError_t cudaGetSymbolAddress(void **ptr, const T &symbol)
{
    return ::cudaGetSymbolAddress(ptr, (const void *)&symbol);
}

template <class T> BANKSHOT_HOST cudaError_t cudaGetSymbolSize(size_t *size, const T &symbol)
{
    return ::cudaGetSymbolSize(size, (const void *)&symbol);
}

template <class T>
BANKSHOT_HOST cudaError_t cudaMemcpyToSymbol(const T &symbol, const void *src, size_t size, size_t offset = 0,
                                             enum cudaMemcpyKind kind = cudaMemcpyHostToDevice)
{
    return ::cudaMemcpyToSymbol((const void *)&symbol, src, size, offset, kind);
}

template <class T>
BANKSHOT_HOST cudaError_t cudaMemcpyToSymbolAsync(const T &symbol, const void *src, size_t size,
                                                  size_t offset = 0,
                                                  enum cudaMemcpyKind kind = cudaMemcpyHostToDevice,
                                                  cudaStream_t stream = NULL)
{
    return ::cudaMemcpyToSymbolAsync((const void *)&symbol, src, size, offset, kind, stream);
}

template <class T>
BANKSHOT_HOST cudaError_t cudaMemcpyFromSymbol(void *dst, const T &symbol, size_t size, size_t offset = 0,
                                               enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost)
{
    return ::cudaMemcpyFromSymbol(dst, (const void *)&symbol, size, offset, kind);
}

template <class T>
BANKSHOT_HOST cudaError_t cudaMemcpyFromSymbolAsync(void *dst, const T &symbol, size_t size, size_t offset = 0,
                                                    enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
                                                    cudaStream_t stream = NULL)
{
    return ::cudaMemcpyFromSymbolAsync(dst, (const void *)&symbol, size, offset, kind, stream);
}

#undef BANKSHOT_HOST

#endif
/* SPDX-License-Identifier: Apache-2.0 */
