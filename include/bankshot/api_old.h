// Names that programs of the last fifteen years use and newer CUDA no longer has: cudaThread… (until 12),
// copies between arrays and memory by offset, texture and surface references (until 11).
#ifndef BANKSHOT_API_OLD_H
#define BANKSHOT_API_OLD_H

#include "../builtin_types.h"

BANKSHOT_C_BEGIN

extern __host__ cudaError_t CUDARTAPI cudaThreadExit(void);
extern __host__ cudaError_t CUDARTAPI cudaThreadSynchronize(void);
extern __host__ cudaError_t CUDARTAPI cudaThreadSetLimit(enum cudaLimit limit, size_t value);
extern __host__ cudaError_t CUDARTAPI cudaThreadGetLimit(size_t *value, enum cudaLimit limit);
extern __host__ cudaError_t CUDARTAPI cudaThreadSetCacheConfig(enum cudaFuncCache config);
extern __host__ cudaError_t CUDARTAPI cudaThreadGetCacheConfig(enum cudaFuncCache *config);

extern __host__ cudaError_t CUDARTAPI cudaSetDoubleForDevice(double *d);
extern __host__ cudaError_t CUDARTAPI cudaSetDoubleForHost(double *d);
extern __host__ cudaError_t CUDARTAPI cudaProfilerInitialize(const char *config, const char *output,
        cudaOutputMode_t mode);

extern __host__ cudaError_t CUDARTAPI cudaMemcpyToArray(cudaArray_t dst, size_t x, size_t y, const void *src,
        size_t size, enum cudaMemcpyKind kind);
extern __host__ cudaError_t CUDARTAPI cudaMemcpyFromArray(void *dst, cudaArray_const_t src, size_t x,
        size_t y, size_t size, enum cudaMemcpyKind kind);
extern __host__ cudaError_t CUDARTAPI cudaMemcpyArrayToArray(cudaArray_t dst, size_t dst_x, size_t dst_y,
        cudaArray_const_t src, size_t src_x, size_t src_y, size_t size,
        enum cudaMemcpyKind kind CUDART_DEFAULT(cudaMemcpyDeviceToDevice));
extern __host__ cudaError_t CUDARTAPI cudaMemcpyToArrayAsync(cudaArray_t dst, size_t x, size_t y,
        const void *src, size_t size, enum cudaMemcpyKind kind, cudaStream_t stream CUDART_DEFAULT(NULL));
extern __host__ cudaError_t CUDARTAPI cudaMemcpyFromArrayAsync(void *dst, cudaArray_const_t src, size_t x,
        size_t y, size_t size, enum cudaMemcpyKind kind, cudaStream_t stream CUDART_DEFAULT(NULL));

extern __host__ cudaError_t CUDARTAPI cudaBindTexture(size_t *offset, const struct textureReference *ref,
        const void *ptr, const struct cudaChannelFormatDesc *desc, size_t size CUDART_DEFAULT(UINT_MAX));
extern __host__ cudaError_t CUDARTAPI cudaBindTexture2D(size_t *offset, const struct textureReference *ref,
        const void *ptr, const struct cudaChannelFormatDesc *desc, size_t width, size_t height, size_t pitch);
extern __host__ cudaError_t CUDARTAPI cudaBindTextureToArray(const struct textureReference *ref,
        cudaArray_const_t array, const struct cudaChannelFormatDesc *desc);
extern __host__ cudaError_t CUDARTAPI cudaBindTextureToMipmappedArray(const struct textureReference *ref,
        cudaMipmappedArray_const_t mipmap, const struct cudaChannelFormatDesc *desc);
extern __host__ cudaError_t CUDARTAPI cudaUnbindTexture(const struct textureReference *ref);
extern __host__ cudaError_t CUDARTAPI cudaGetTextureAlignmentOffset(size_t *offset,
        const struct textureReference *ref);
extern __host__ cudaError_t CUDARTAPI cudaGetTextureReference(const struct textureReference **ref,
        const void *symbol);
extern __host__ cudaError_t CUDARTAPI cudaBindSurfaceToArray(const struct surfaceReference *ref,
        cudaArray_const_t array, const struct cudaChannelFormatDesc *desc);
extern __host__ cudaError_t CUDARTAPI cudaGetSurfaceReference(const struct surfaceReference **ref,
        const void *symbol);

BANKSHOT_C_END

#endif
/* SPDX-License-Identifier: Apache-2.0 */
