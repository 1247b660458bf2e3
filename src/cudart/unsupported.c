/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of the API that do not exist here: mipmapped and sparse arrays, memory of other processes and of other
 * interfaces. Each fails with its name on stderr. */
#include "cudart/rt.h"

static cudaError_t refuse(const char *name)
{
    struct rt *rt = rt_enter(name);
    return rt_leave(rt, rt_unsupported(rt, name, NULL));
}

/* The parameters are not looked at. */
#define REFUSE(function, ...)                                                                                \
    RT_API cudaError_t function(__VA_ARGS__) { return refuse(#function); }

#pragma GCC diagnostic ignored "-Wunused-parameter"

REFUSE(cudaArrayGetPlane, cudaArray_t *plane, cudaArray_t array, unsigned int index)
REFUSE(cudaArrayGetSparseProperties, struct cudaArraySparseProperties *props, cudaArray_t array)
REFUSE(cudaMallocMipmappedArray, cudaMipmappedArray_t *mipmap, const struct cudaChannelFormatDesc *desc,
       struct cudaExtent extent, unsigned int levels, unsigned int flags)
REFUSE(cudaGetMipmappedArrayLevel, cudaArray_t *array, cudaMipmappedArray_const_t mipmap, unsigned int level)
REFUSE(cudaFreeMipmappedArray, cudaMipmappedArray_t mipmap)
REFUSE(cudaMipmappedArrayGetMemoryRequirements, struct cudaArrayMemoryRequirements *req,
       cudaMipmappedArray_t mipmap, int device)
REFUSE(cudaMipmappedArrayGetSparseProperties, struct cudaArraySparseProperties *props,
       cudaMipmappedArray_t mipmap)
REFUSE(cudaIpcGetEventHandle, cudaIpcEventHandle_t *handle, cudaEvent_t event)
REFUSE(cudaIpcOpenEventHandle, cudaEvent_t *event, cudaIpcEventHandle_t handle)
REFUSE(cudaIpcGetMemHandle, cudaIpcMemHandle_t *handle, void *ptr)
REFUSE(cudaIpcOpenMemHandle, void **ptr, cudaIpcMemHandle_t handle, unsigned int flags)
REFUSE(cudaIpcCloseMemHandle, void *ptr)
REFUSE(cudaImportExternalMemory, cudaExternalMemory_t *mem, const struct cudaExternalMemoryHandleDesc *desc)
REFUSE(cudaExternalMemoryGetMappedBuffer, void **ptr, cudaExternalMemory_t mem,
       const struct cudaExternalMemoryBufferDesc *desc)
REFUSE(cudaExternalMemoryGetMappedMipmappedArray, cudaMipmappedArray_t *mipmap, cudaExternalMemory_t mem,
       const struct cudaExternalMemoryMipmappedArrayDesc *desc)
REFUSE(cudaDestroyExternalMemory, cudaExternalMemory_t mem)
REFUSE(cudaImportExternalSemaphore, cudaExternalSemaphore_t *sem,
       const struct cudaExternalSemaphoreHandleDesc *desc)
REFUSE(cudaSignalExternalSemaphoresAsync, const cudaExternalSemaphore_t *sems,
       const struct cudaExternalSemaphoreSignalParams *params, unsigned int count, cudaStream_t stream)
REFUSE(cudaWaitExternalSemaphoresAsync, const cudaExternalSemaphore_t *sems,
       const struct cudaExternalSemaphoreWaitParams *params, unsigned int count, cudaStream_t stream)
REFUSE(cudaDestroyExternalSemaphore, cudaExternalSemaphore_t sem)
REFUSE(cudaGraphicsUnregisterResource, cudaGraphicsResource_t resource)
REFUSE(cudaGraphicsResourceSetMapFlags, cudaGraphicsResource_t resource, unsigned int flags)
REFUSE(cudaGraphicsMapResources, int count, cudaGraphicsResource_t *resources, cudaStream_t stream)
REFUSE(cudaGraphicsUnmapResources, int count, cudaGraphicsResource_t *resources, cudaStream_t stream)
REFUSE(cudaGraphicsResourceGetMappedPointer, void **ptr, size_t *size, cudaGraphicsResource_t resource)
REFUSE(cudaGraphicsSubResourceGetMappedArray, cudaArray_t *array, cudaGraphicsResource_t resource,
       unsigned int index, unsigned int level)
REFUSE(cudaGraphicsResourceGetMappedMipmappedArray, cudaMipmappedArray_t *mipmap,
       cudaGraphicsResource_t resource)
REFUSE(cudaDeviceGetNvSciSyncAttributes, void *list, int device, int flags)
REFUSE(cudaDeviceFlushGPUDirectRDMAWrites, enum cudaFlushGPUDirectRDMAWritesTarget target,
       enum cudaFlushGPUDirectRDMAWritesScope scope)
REFUSE(cudaGetExportTable, const void **table, const cudaUUID_t *id)
