// Allocation, copies, sets, symbols, managed memory, pools.
#ifndef BANKSHOT_API_MEMORY_H
#define BANKSHOT_API_MEMORY_H

#include "../builtin_types.h"

BANKSHOT_C_BEGIN

extern __host__ cudaError_t CUDARTAPI cudaMalloc(void **ptr, size_t size);
extern __host__ cudaError_t CUDARTAPI cudaMallocPitch(void **ptr, size_t *pitch, size_t width, size_t height);
extern __host__ cudaError_t CUDARTAPI cudaMalloc3D(struct cudaPitchedPtr *ptr, struct cudaExtent extent);
extern __host__ cudaError_t CUDARTAPI cudaMallocManaged(void **ptr, size_t size,
        unsigned int flags CUDART_DEFAULT(cudaMemAttachGlobal));
extern __host__ cudaError_t CUDARTAPI cudaFree(void *ptr);
extern __host__ cudaError_t CUDARTAPI cudaMallocHost(void **ptr, size_t size);
extern __host__ cudaError_t CUDARTAPI cudaHostAlloc(void **ptr, size_t size, unsigned int flags);
extern __host__ cudaError_t CUDARTAPI cudaFreeHost(void *ptr);
extern __host__ cudaError_t CUDARTAPI cudaHostRegister(void *ptr, size_t size, unsigned int flags);
extern __host__ cudaError_t CUDARTAPI cudaHostUnregister(void *ptr);
extern __host__ cudaError_t CUDARTAPI cudaHostGetDevicePointer(void **device, void *host, unsigned int flags);
extern __host__ cudaError_t CUDARTAPI cudaHostGetFlags(unsigned int *flags, void *host);
extern __host__ cudaError_t CUDARTAPI cudaMemGetInfo(size_t *free, size_t *total);
extern __host__ cudaError_t CUDARTAPI cudaPointerGetAttributes(struct cudaPointerAttributes *attr,
        const void *ptr);

extern __host__ cudaError_t CUDARTAPI cudaMemcpy(void *dst, const void *src, size_t size,
        enum cudaMemcpyKind kind);
extern __host__ cudaError_t CUDARTAPI cudaMemcpyAsync(void *dst, const void *src, size_t size,
        enum cudaMemcpyKind kind, cudaStream_t stream CUDART_DEFAULT(NULL));
extern __host__ cudaError_t CUDARTAPI cudaMemcpyPeer(void *dst, int dst_device, const void *src,
        int src_device, size_t size);
extern __host__ cudaError_t CUDARTAPI cudaMemcpyPeerAsync(void *dst, int dst_device, const void *src,
        int src_device, size_t size, cudaStream_t stream CUDART_DEFAULT(NULL));
extern __host__ cudaError_t CUDARTAPI cudaMemcpy2D(void *dst, size_t dpitch, const void *src, size_t spitch,
        size_t width, size_t height, enum cudaMemcpyKind kind);
extern __host__ cudaError_t CUDARTAPI cudaMemcpy2DAsync(void *dst, size_t dpitch, const void *src,
        size_t spitch, size_t width, size_t height, enum cudaMemcpyKind kind,
        cudaStream_t stream CUDART_DEFAULT(NULL));
extern __host__ cudaError_t CUDARTAPI cudaMemcpy3D(const struct cudaMemcpy3DParms *p);
extern __host__ cudaError_t CUDARTAPI cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *p,
        cudaStream_t stream CUDART_DEFAULT(NULL));
extern __host__ cudaError_t CUDARTAPI cudaMemcpy3DPeer(const struct cudaMemcpy3DPeerParms *p);
extern __host__ cudaError_t CUDARTAPI cudaMemcpy3DPeerAsync(const struct cudaMemcpy3DPeerParms *p,
        cudaStream_t stream CUDART_DEFAULT(NULL));
extern __host__ cudaError_t CUDARTAPI cudaMemcpyBatchAsync(void **dsts, void **srcs, size_t *sizes,
        size_t count, struct cudaMemcpyAttributes *attrs, size_t *attr_indices, size_t num_attrs,
        size_t *failed, cudaStream_t stream);
extern __host__ cudaError_t CUDARTAPI cudaMemcpy3DBatchAsync(size_t count, struct cudaMemcpy3DBatchOp *ops,
        size_t *failed, unsigned long long flags, cudaStream_t stream);

extern __host__ cudaError_t CUDARTAPI cudaMemset(void *ptr, int value, size_t size);
extern __host__ cudaError_t CUDARTAPI cudaMemset2D(void *ptr, size_t pitch, int value, size_t width,
        size_t height);
extern __host__ cudaError_t CUDARTAPI cudaMemset3D(struct cudaPitchedPtr ptr, int value,
        struct cudaExtent extent);
extern __host__ cudaError_t CUDARTAPI cudaMemsetAsync(void *ptr, int value, size_t size,
        cudaStream_t stream CUDART_DEFAULT(NULL));
extern __host__ cudaError_t CUDARTAPI cudaMemset2DAsync(void *ptr, size_t pitch, int value, size_t width,
        size_t height, cudaStream_t stream CUDART_DEFAULT(NULL));
extern __host__ cudaError_t CUDARTAPI cudaMemset3DAsync(struct cudaPitchedPtr ptr, int value,
        struct cudaExtent extent, cudaStream_t stream CUDART_DEFAULT(NULL));

extern __host__ cudaError_t CUDARTAPI cudaMemcpyToSymbol(const void *symbol, const void *src, size_t size,
        size_t offset CUDART_DEFAULT(0), enum cudaMemcpyKind kind CUDART_DEFAULT(cudaMemcpyHostToDevice));
extern __host__ cudaError_t CUDARTAPI cudaMemcpyFromSymbol(void *dst, const void *symbol, size_t size,
        size_t offset CUDART_DEFAULT(0), enum cudaMemcpyKind kind CUDART_DEFAULT(cudaMemcpyDeviceToHost));
extern __host__ cudaError_t CUDARTAPI cudaMemcpyToSymbolAsync(const void *symbol, const void *src,
        size_t size, size_t offset, enum cudaMemcpyKind kind, cudaStream_t stream CUDART_DEFAULT(NULL));
extern __host__ cudaError_t CUDARTAPI cudaMemcpyFromSymbolAsync(void *dst, const void *symbol, size_t size,
        size_t offset, enum cudaMemcpyKind kind, cudaStream_t stream CUDART_DEFAULT(NULL));
extern __host__ cudaError_t CUDARTAPI cudaGetSymbolAddress(void **ptr, const void *symbol);
extern __host__ cudaError_t CUDARTAPI cudaGetSymbolSize(size_t *size, const void *symbol);

// A device by number as in CUDA 8 to 12; the second form, with a location, has the plain name in CUDA 13.
extern __host__ cudaError_t CUDARTAPI cudaMemPrefetchAsync(const void *ptr, size_t size, int device,
        cudaStream_t stream CUDART_DEFAULT(NULL));
extern __host__ cudaError_t CUDARTAPI cudaMemPrefetchAsync_v2(const void *ptr, size_t size,
        struct cudaMemLocation location, unsigned int flags, cudaStream_t stream CUDART_DEFAULT(NULL));
extern __host__ cudaError_t CUDARTAPI cudaMemAdvise(const void *ptr, size_t size,
        enum cudaMemoryAdvise advice, int device);
extern __host__ cudaError_t CUDARTAPI cudaMemAdvise_v2(const void *ptr, size_t size,
        enum cudaMemoryAdvise advice, struct cudaMemLocation location);
extern __host__ cudaError_t CUDARTAPI cudaMemRangeGetAttribute(void *data, size_t data_size,
        enum cudaMemRangeAttribute attr, const void *ptr, size_t size);
extern __host__ cudaError_t CUDARTAPI cudaMemRangeGetAttributes(void **data, size_t *data_sizes,
        enum cudaMemRangeAttribute *attrs, size_t num_attrs, const void *ptr, size_t size);

extern __host__ cudaError_t CUDARTAPI cudaMallocAsync(void **ptr, size_t size, cudaStream_t stream);
extern __host__ cudaError_t CUDARTAPI cudaMallocFromPoolAsync(void **ptr, size_t size, cudaMemPool_t pool,
        cudaStream_t stream);
extern __host__ cudaError_t CUDARTAPI cudaFreeAsync(void *ptr, cudaStream_t stream);
extern __host__ cudaError_t CUDARTAPI cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device);
extern __host__ cudaError_t CUDARTAPI cudaDeviceSetMemPool(int device, cudaMemPool_t pool);
extern __host__ cudaError_t CUDARTAPI cudaDeviceGetMemPool(cudaMemPool_t *pool, int device);
extern __host__ cudaError_t CUDARTAPI cudaMemPoolCreate(cudaMemPool_t *pool,
        const struct cudaMemPoolProps *props);
extern __host__ cudaError_t CUDARTAPI cudaMemPoolDestroy(cudaMemPool_t pool);
extern __host__ cudaError_t CUDARTAPI cudaMemPoolTrimTo(cudaMemPool_t pool, size_t keep);
extern __host__ cudaError_t CUDARTAPI cudaMemPoolSetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attr,
        void *value);
extern __host__ cudaError_t CUDARTAPI cudaMemPoolGetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attr,
        void *value);
extern __host__ cudaError_t CUDARTAPI cudaMemPoolSetAccess(cudaMemPool_t pool,
        const struct cudaMemAccessDesc *list, size_t count);
extern __host__ cudaError_t CUDARTAPI cudaMemPoolGetAccess(enum cudaMemAccessFlags *flags, cudaMemPool_t pool,
        struct cudaMemLocation *location);
extern __host__ cudaError_t CUDARTAPI cudaMemPoolExportToShareableHandle(void *handle, cudaMemPool_t pool,
        enum cudaMemAllocationHandleType type, unsigned int flags);
extern __host__ cudaError_t CUDARTAPI cudaMemPoolImportFromShareableHandle(cudaMemPool_t *pool, void *handle,
        enum cudaMemAllocationHandleType type, unsigned int flags);
extern __host__ cudaError_t CUDARTAPI cudaMemPoolExportPointer(struct cudaMemPoolPtrExportData *data,
        void *ptr);
extern __host__ cudaError_t CUDARTAPI cudaMemPoolImportPointer(void **ptr, cudaMemPool_t pool,
        struct cudaMemPoolPtrExportData *data);

BANKSHOT_C_END

#endif
/* SPDX-License-Identifier: Apache-2.0 */
