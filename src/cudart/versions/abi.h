/* SPDX-License-Identifier: Apache-2.0 */
/* Where CUDA 11 and CUDA 13 programs see another interface than CUDA 12's, which include/ declares: structures with another
 * layout, and functions that have the same name but other parameters. Each library of a version has the plain names in its own
 * form; declared here under names of our own, with the exported name as the symbol, so that no two forms meet in one file.
 *
 * Structures that only got longer are not here. A caller's may be shorter than the one in include/, so the library must not write
 * past what that version has, ABI11_…_B bytes; CUDA 13's are longer (reserved words at the end), which nobody reads:
 *   cudaResourceDesc (144 bytes), cudaResourceViewDesc (112), cudaPointerAttributes (88), cudaExternal…Desc.
 * Numbers of enumerations never changed. */
#ifndef CUDART_ABI_H
#define CUDART_ABI_H

#include "cuda_runtime_api.h"

#include <stddef.h>

#define ABI_SYMBOL(name) __asm__(name)

/* ---- CUDA 11 ---- */

/* cudaDeviceProp ends after reservedSharedMemPerBlock, a prefix of CUDA 12's. libcudart.so.12 has this form under the plain name
 * too, for programs of CUDA 11; those of CUDA 12 call cudaGetDeviceProperties_v2. */
#define ABI11_DEVICE_PROP_B offsetof(struct cudaDeviceProp, hostRegisterSupported)
/* cudaFuncAttributes grew in 11.8; programs of 11.0 have room for this much. */
#define ABI11_FUNC_ATTRIBUTES_B offsetof(struct cudaFuncAttributes, clusterDimMustBeSet)
/* cudaTextureDesc without seamlessCubemap (11.8 has it, under cudaCreateTextureObject_v2). */
#define ABI11_TEXTURE_DESC_B offsetof(struct cudaTextureDesc, seamlessCubemap)
/* cudaKernelNodeAttrValue and cudaStreamAttrValue: the largest member is the access policy window. */
#define ABI11_ATTR_VALUE_B sizeof(struct cudaAccessPolicyWindow)

cudaError_t abi11_get_device_properties(void *prop, int device) ABI_SYMBOL("cudaGetDeviceProperties");
cudaError_t abi11_graph_instantiate(cudaGraphExec_t *exec, cudaGraph_t graph, cudaGraphNode_t *failed,
                                    char *log, size_t log_b) ABI_SYMBOL("cudaGraphInstantiate");
cudaError_t abi11_graph_exec_update(cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphNode_t *failed,
                                    enum cudaGraphExecUpdateResult *result) ABI_SYMBOL("cudaGraphExecUpdate");
/* Also in libcudart.so.12; 11.3 and 12 programs call cudaStreamGetCaptureInfo_v2. */
cudaError_t abi11_stream_get_capture_info(cudaStream_t stream, enum cudaStreamCaptureStatus *status,
                                          unsigned long long *id) ABI_SYMBOL("cudaStreamGetCaptureInfo");
cudaError_t abi11_get_driver_entry_point(const char *symbol, void **fn, unsigned long long flags)
    ABI_SYMBOL("cudaGetDriverEntryPoint");
/* 11.8 only; the same as without the suffix. */
cudaError_t abi11_create_texture_object_v2(cudaTextureObject_t *tex, const struct cudaResourceDesc *res,
                                           const struct cudaTextureDesc *desc,
                                           const struct cudaResourceViewDesc *view)
    ABI_SYMBOL("cudaCreateTextureObject_v2");
cudaError_t abi11_get_texture_object_texture_desc_v2(struct cudaTextureDesc *desc, cudaTextureObject_t tex)
    ABI_SYMBOL("cudaGetTextureObjectTextureDesc_v2");

/* ---- every version but 12.8 ---- */

/* Programs of 11.0 to 12.7 and of 13 call the plain name; 12.8's header maps it to cudaEventElapsedTime_v2. Same parameters. */
cudaError_t abi_event_elapsed_time(float *ms, cudaEvent_t start, cudaEvent_t end)
    ABI_SYMBOL("cudaEventElapsedTime");

/* ---- CUDA 13 ---- */

struct abi13_device_prop {
    char name[256];
    cudaUUID_t uuid;
    char luid[8];
    unsigned int luidDeviceNodeMask;
    size_t totalGlobalMem;
    size_t sharedMemPerBlock;
    int regsPerBlock;
    int warpSize;
    size_t memPitch;
    int maxThreadsPerBlock;
    int maxThreadsDim[3];
    int maxGridSize[3];
    size_t totalConstMem;
    int major;
    int minor;
    size_t textureAlignment;
    size_t texturePitchAlignment;
    int multiProcessorCount;
    int integrated;
    int canMapHostMemory;
    int maxTexture1D;
    int maxTexture1DMipmap;
    int maxTexture2D[2];
    int maxTexture2DMipmap[2];
    int maxTexture2DLinear[3];
    int maxTexture2DGather[2];
    int maxTexture3D[3];
    int maxTexture3DAlt[3];
    int maxTextureCubemap;
    int maxTexture1DLayered[2];
    int maxTexture2DLayered[3];
    int maxTextureCubemapLayered[2];
    int maxSurface1D;
    int maxSurface2D[2];
    int maxSurface3D[3];
    int maxSurface1DLayered[2];
    int maxSurface2DLayered[3];
    int maxSurfaceCubemap;
    int maxSurfaceCubemapLayered[2];
    size_t surfaceAlignment;
    int concurrentKernels;
    int ECCEnabled;
    int pciBusID;
    int pciDeviceID;
    int pciDomainID;
    int tccDriver;
    int asyncEngineCount;
    int unifiedAddressing;
    int memoryBusWidth;
    int l2CacheSize;
    int persistingL2CacheMaxSize;
    int maxThreadsPerMultiProcessor;
    int streamPrioritiesSupported;
    int globalL1CacheSupported;
    int localL1CacheSupported;
    size_t sharedMemPerMultiprocessor;
    int regsPerMultiprocessor;
    int managedMemory;
    int isMultiGpuBoard;
    int multiGpuBoardGroupID;
    int hostNativeAtomicSupported;
    int pageableMemoryAccess;
    int concurrentManagedAccess;
    int computePreemptionSupported;
    int canUseHostPointerForRegisteredMem;
    int cooperativeLaunch;
    size_t sharedMemPerBlockOptin;
    int pageableMemoryAccessUsesHostPageTables;
    int directManagedMemAccessFromHost;
    int maxBlocksPerMultiProcessor;
    int accessPolicyMaxWindowSize;
    size_t reservedSharedMemPerBlock;
    int hostRegisterSupported;
    int sparseCudaArraySupported;
    int hostRegisterReadOnlySupported;
    int timelineSemaphoreInteropSupported;
    int memoryPoolsSupported;
    int gpuDirectRDMASupported;
    unsigned int gpuDirectRDMAFlushWritesOptions;
    int gpuDirectRDMAWritesOrdering;
    unsigned int memoryPoolSupportedHandleTypes;
    int deferredMappingCudaArraySupported;
    int ipcEventSupported;
    int clusterLaunch;
    int unifiedFunctionPointers;
    int deviceNumaConfig;
    int deviceNumaId;
    int mpsEnabled;
    int hostNumaId;
    unsigned int gpuPciDeviceID;
    unsigned int gpuPciSubsystemID;
    int hostNumaMultinodeIpcSupported;
    int reserved[56];
};

cudaError_t abi13_get_device_properties(struct abi13_device_prop *prop, int device)
    ABI_SYMBOL("cudaGetDeviceProperties");
cudaError_t abi13_mem_prefetch_async(const void *ptr, size_t size, struct cudaMemLocation location,
                                     unsigned int flags, cudaStream_t stream)
    ABI_SYMBOL("cudaMemPrefetchAsync");
cudaError_t abi13_mem_advise(const void *ptr, size_t size, enum cudaMemoryAdvise advice,
                             struct cudaMemLocation location) ABI_SYMBOL("cudaMemAdvise");
cudaError_t abi13_memcpy_batch_async(void *const *dsts, const void *const *srcs, const size_t *sizes,
                                     size_t count, struct cudaMemcpyAttributes *attrs, size_t *attr_indices,
                                     size_t num_attrs, cudaStream_t stream)
    ABI_SYMBOL("cudaMemcpyBatchAsync");
cudaError_t abi13_memcpy_3d_batch_async(size_t count, struct cudaMemcpy3DBatchOp *ops,
                                        unsigned long long flags, cudaStream_t stream)
    ABI_SYMBOL("cudaMemcpy3DBatchAsync");
cudaError_t abi13_stream_get_capture_info(cudaStream_t stream, enum cudaStreamCaptureStatus *status,
                                          unsigned long long *id, cudaGraph_t *graph,
                                          const cudaGraphNode_t **deps, const cudaGraphEdgeData **edges,
                                          size_t *num_deps) ABI_SYMBOL("cudaStreamGetCaptureInfo");
cudaError_t abi13_stream_update_capture_dependencies(cudaStream_t stream, cudaGraphNode_t *deps,
                                                     const cudaGraphEdgeData *edges, size_t num_deps,
                                                     unsigned int flags)
    ABI_SYMBOL("cudaStreamUpdateCaptureDependencies");
cudaError_t abi13_graph_get_edges(cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to,
                                  cudaGraphEdgeData *edges, size_t *count) ABI_SYMBOL("cudaGraphGetEdges");
cudaError_t abi13_graph_node_get_dependencies(cudaGraphNode_t node, cudaGraphNode_t *deps,
                                              cudaGraphEdgeData *edges, size_t *count)
    ABI_SYMBOL("cudaGraphNodeGetDependencies");
cudaError_t abi13_graph_node_get_dependent_nodes(cudaGraphNode_t node, cudaGraphNode_t *nodes,
                                                 cudaGraphEdgeData *edges, size_t *count)
    ABI_SYMBOL("cudaGraphNodeGetDependentNodes");
cudaError_t abi13_graph_add_dependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                         const cudaGraphNode_t *to, const cudaGraphEdgeData *edges,
                                         size_t count) ABI_SYMBOL("cudaGraphAddDependencies");
cudaError_t abi13_graph_remove_dependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                            const cudaGraphNode_t *to, const cudaGraphEdgeData *edges,
                                            size_t count) ABI_SYMBOL("cudaGraphRemoveDependencies");
cudaError_t abi13_graph_add_node(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *deps,
                                 const cudaGraphEdgeData *edges, size_t num_deps,
                                 struct cudaGraphNodeParams *params) ABI_SYMBOL("cudaGraphAddNode");
cudaError_t abi13_signal_external_semaphores_async(const cudaExternalSemaphore_t *sems,
                                                   const struct cudaExternalSemaphoreSignalParams *params,
                                                   unsigned int count, cudaStream_t stream)
    ABI_SYMBOL("cudaSignalExternalSemaphoresAsync");
cudaError_t abi13_wait_external_semaphores_async(const cudaExternalSemaphore_t *sems,
                                                 const struct cudaExternalSemaphoreWaitParams *params,
                                                 unsigned int count, cudaStream_t stream)
    ABI_SYMBOL("cudaWaitExternalSemaphoresAsync");
cudaError_t abi13_mem_get_default_mem_pool(cudaMemPool_t *pool, struct cudaMemLocation *location,
                                           enum cudaMemAllocationType type)
    ABI_SYMBOL("cudaMemGetDefaultMemPool");
cudaError_t abi13_mem_get_mem_pool(cudaMemPool_t *pool, struct cudaMemLocation *location,
                                   enum cudaMemAllocationType type) ABI_SYMBOL("cudaMemGetMemPool");
cudaError_t abi13_mem_set_mem_pool(struct cudaMemLocation *location, enum cudaMemAllocationType type,
                                   cudaMemPool_t pool) ABI_SYMBOL("cudaMemSetMemPool");

#endif
