// Arrays, texture and surface objects; memory of other processes and interfaces.
#ifndef BANKSHOT_API_ARRAY_H
#define BANKSHOT_API_ARRAY_H

#include "../builtin_types.h"

#define cudaSignalExternalSemaphoresAsync cudaSignalExternalSemaphoresAsync_v2
#define cudaWaitExternalSemaphoresAsync cudaWaitExternalSemaphoresAsync_v2

BANKSHOT_C_BEGIN

extern __host__ struct cudaChannelFormatDesc CUDARTAPI cudaCreateChannelDesc(int x, int y, int z, int w,
        enum cudaChannelFormatKind f);
extern __host__ cudaError_t CUDARTAPI cudaGetChannelDesc(struct cudaChannelFormatDesc *desc,
        cudaArray_const_t array);

extern __host__ cudaError_t CUDARTAPI cudaMallocArray(cudaArray_t *array,
        const struct cudaChannelFormatDesc *desc, size_t width, size_t height CUDART_DEFAULT(0),
        unsigned int flags CUDART_DEFAULT(0));
extern __host__ cudaError_t CUDARTAPI cudaMalloc3DArray(cudaArray_t *array,
        const struct cudaChannelFormatDesc *desc, struct cudaExtent extent,
        unsigned int flags CUDART_DEFAULT(0));
extern __host__ cudaError_t CUDARTAPI cudaFreeArray(cudaArray_t array);
extern __host__ cudaError_t CUDARTAPI cudaArrayGetInfo(struct cudaChannelFormatDesc *desc,
        struct cudaExtent *extent, unsigned int *flags, cudaArray_t array);
extern __host__ cudaError_t CUDARTAPI cudaArrayGetPlane(cudaArray_t *plane, cudaArray_t array,
        unsigned int index);
extern __host__ cudaError_t CUDARTAPI cudaArrayGetMemoryRequirements(struct cudaArrayMemoryRequirements *req,
        cudaArray_t array, int device);
extern __host__ cudaError_t CUDARTAPI cudaArrayGetSparseProperties(struct cudaArraySparseProperties *props,
        cudaArray_t array);
extern __host__ cudaError_t CUDARTAPI cudaMallocMipmappedArray(cudaMipmappedArray_t *mipmap,
        const struct cudaChannelFormatDesc *desc, struct cudaExtent extent, unsigned int levels,
        unsigned int flags CUDART_DEFAULT(0));
extern __host__ cudaError_t CUDARTAPI cudaGetMipmappedArrayLevel(cudaArray_t *array,
        cudaMipmappedArray_const_t mipmap, unsigned int level);
extern __host__ cudaError_t CUDARTAPI cudaFreeMipmappedArray(cudaMipmappedArray_t mipmap);
extern __host__ cudaError_t CUDARTAPI cudaMipmappedArrayGetMemoryRequirements(
        struct cudaArrayMemoryRequirements *req, cudaMipmappedArray_t mipmap, int device);
extern __host__ cudaError_t CUDARTAPI cudaMipmappedArrayGetSparseProperties(
        struct cudaArraySparseProperties *props, cudaMipmappedArray_t mipmap);

extern __host__ cudaError_t CUDARTAPI cudaMemcpy2DToArray(cudaArray_t dst, size_t x, size_t y,
        const void *src, size_t pitch, size_t width, size_t height, enum cudaMemcpyKind kind);
extern __host__ cudaError_t CUDARTAPI cudaMemcpy2DToArrayAsync(cudaArray_t dst, size_t x, size_t y,
        const void *src, size_t pitch, size_t width, size_t height, enum cudaMemcpyKind kind,
        cudaStream_t stream CUDART_DEFAULT(NULL));
extern __host__ cudaError_t CUDARTAPI cudaMemcpy2DFromArray(void *dst, size_t pitch, cudaArray_const_t src,
        size_t x, size_t y, size_t width, size_t height, enum cudaMemcpyKind kind);
extern __host__ cudaError_t CUDARTAPI cudaMemcpy2DFromArrayAsync(void *dst, size_t pitch,
        cudaArray_const_t src, size_t x, size_t y, size_t width, size_t height, enum cudaMemcpyKind kind,
        cudaStream_t stream CUDART_DEFAULT(NULL));
extern __host__ cudaError_t CUDARTAPI cudaMemcpy2DArrayToArray(cudaArray_t dst, size_t dst_x, size_t dst_y,
        cudaArray_const_t src, size_t src_x, size_t src_y, size_t width, size_t height,
        enum cudaMemcpyKind kind CUDART_DEFAULT(cudaMemcpyDeviceToDevice));

extern __host__ cudaError_t CUDARTAPI cudaCreateTextureObject(cudaTextureObject_t *tex,
        const struct cudaResourceDesc *res, const struct cudaTextureDesc *desc,
        const struct cudaResourceViewDesc *view);
extern __host__ cudaError_t CUDARTAPI cudaDestroyTextureObject(cudaTextureObject_t tex);
extern __host__ cudaError_t CUDARTAPI cudaGetTextureObjectResourceDesc(struct cudaResourceDesc *res,
        cudaTextureObject_t tex);
extern __host__ cudaError_t CUDARTAPI cudaGetTextureObjectTextureDesc(struct cudaTextureDesc *desc,
        cudaTextureObject_t tex);
extern __host__ cudaError_t CUDARTAPI cudaGetTextureObjectResourceViewDesc(struct cudaResourceViewDesc *view,
        cudaTextureObject_t tex);
extern __host__ cudaError_t CUDARTAPI cudaCreateSurfaceObject(cudaSurfaceObject_t *surf,
        const struct cudaResourceDesc *res);
extern __host__ cudaError_t CUDARTAPI cudaDestroySurfaceObject(cudaSurfaceObject_t surf);
extern __host__ cudaError_t CUDARTAPI cudaGetSurfaceObjectResourceDesc(struct cudaResourceDesc *res,
        cudaSurfaceObject_t surf);

extern __host__ cudaError_t CUDARTAPI cudaIpcGetEventHandle(cudaIpcEventHandle_t *handle, cudaEvent_t event);
extern __host__ cudaError_t CUDARTAPI cudaIpcOpenEventHandle(cudaEvent_t *event, cudaIpcEventHandle_t handle);
extern __host__ cudaError_t CUDARTAPI cudaIpcGetMemHandle(cudaIpcMemHandle_t *handle, void *ptr);
extern __host__ cudaError_t CUDARTAPI cudaIpcOpenMemHandle(void **ptr, cudaIpcMemHandle_t handle,
        unsigned int flags);
extern __host__ cudaError_t CUDARTAPI cudaIpcCloseMemHandle(void *ptr);
extern __host__ cudaError_t CUDARTAPI cudaImportExternalMemory(cudaExternalMemory_t *mem,
        const struct cudaExternalMemoryHandleDesc *desc);
extern __host__ cudaError_t CUDARTAPI cudaExternalMemoryGetMappedBuffer(void **ptr, cudaExternalMemory_t mem,
        const struct cudaExternalMemoryBufferDesc *desc);
extern __host__ cudaError_t CUDARTAPI cudaExternalMemoryGetMappedMipmappedArray(cudaMipmappedArray_t *mipmap,
        cudaExternalMemory_t mem, const struct cudaExternalMemoryMipmappedArrayDesc *desc);
extern __host__ cudaError_t CUDARTAPI cudaDestroyExternalMemory(cudaExternalMemory_t mem);
extern __host__ cudaError_t CUDARTAPI cudaImportExternalSemaphore(cudaExternalSemaphore_t *sem,
        const struct cudaExternalSemaphoreHandleDesc *desc);
extern __host__ cudaError_t CUDARTAPI cudaSignalExternalSemaphoresAsync(const cudaExternalSemaphore_t *sems,
        const struct cudaExternalSemaphoreSignalParams *params, unsigned int count,
        cudaStream_t stream CUDART_DEFAULT(NULL));
extern __host__ cudaError_t CUDARTAPI cudaWaitExternalSemaphoresAsync(const cudaExternalSemaphore_t *sems,
        const struct cudaExternalSemaphoreWaitParams *params, unsigned int count,
        cudaStream_t stream CUDART_DEFAULT(NULL));
extern __host__ cudaError_t CUDARTAPI cudaDestroyExternalSemaphore(cudaExternalSemaphore_t sem);
extern __host__ cudaError_t CUDARTAPI cudaGraphicsUnregisterResource(cudaGraphicsResource_t resource);
extern __host__ cudaError_t CUDARTAPI cudaGraphicsResourceSetMapFlags(cudaGraphicsResource_t resource,
        unsigned int flags);
extern __host__ cudaError_t CUDARTAPI cudaGraphicsMapResources(int count, cudaGraphicsResource_t *resources,
        cudaStream_t stream CUDART_DEFAULT(NULL));
extern __host__ cudaError_t CUDARTAPI cudaGraphicsUnmapResources(int count, cudaGraphicsResource_t *resources,
        cudaStream_t stream CUDART_DEFAULT(NULL));
extern __host__ cudaError_t CUDARTAPI cudaGraphicsResourceGetMappedPointer(void **ptr, size_t *size,
        cudaGraphicsResource_t resource);
extern __host__ cudaError_t CUDARTAPI cudaGraphicsSubResourceGetMappedArray(cudaArray_t *array,
        cudaGraphicsResource_t resource, unsigned int index, unsigned int level);
extern __host__ cudaError_t CUDARTAPI cudaGraphicsResourceGetMappedMipmappedArray(
        cudaMipmappedArray_t *mipmap, cudaGraphicsResource_t resource);

BANKSHOT_C_END

#endif
/* SPDX-License-Identifier: Apache-2.0 */
