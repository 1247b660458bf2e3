/* SPDX-License-Identifier: Apache-2.0 */
/* libcudart.so.13: plain names that CUDA 13 has with the parameters of a later form, and properties without the members
 * that it dropped. */
#include "cudart/versions/abi.h"
#include "cudart/versions/compat.h"

RT_API cudaError_t cudaRuntimeGetVersion(int *version)
{
    if (!version)
        return cudaErrorInvalidValue;
    *version = 13000;
    return cudaSuccess;
}

/* Members from `from` up to and with `to` are the same in both. */
#define SAME(from, to)                                                                                       \
    do {                                                                                                     \
        _Static_assert(offsetof(struct abi13_device_prop, to) - offsetof(struct abi13_device_prop, from) ==  \
                           offsetof(struct cudaDeviceProp, to) - offsetof(struct cudaDeviceProp, from),      \
                       "layout");                                                                            \
        memcpy(&prop->from, &p.from,                                                                         \
               offsetof(struct cudaDeviceProp, to) + sizeof p.to - offsetof(struct cudaDeviceProp, from));   \
    } while (0)

RT_API cudaError_t abi13_get_device_properties(struct abi13_device_prop *prop, int device)
{
    struct cudaDeviceProp p;
    cudaError_t e = prop ? cudaGetDeviceProperties_v2(&p, device) : cudaErrorInvalidValue;
    if (e)
        return e;
    memset(prop, 0, sizeof *prop);
    SAME(name, maxGridSize);
    SAME(totalConstMem, texturePitchAlignment);
    SAME(multiProcessorCount, multiProcessorCount);
    SAME(integrated, canMapHostMemory);
    SAME(maxTexture1D, maxTexture1DMipmap);
    SAME(maxTexture2D, surfaceAlignment);
    SAME(concurrentKernels, unifiedAddressing);
    SAME(memoryBusWidth, localL1CacheSupported);
    SAME(sharedMemPerMultiprocessor, hostNativeAtomicSupported);
    SAME(pageableMemoryAccess, cooperativeLaunch);
    SAME(sharedMemPerBlockOptin, unifiedFunctionPointers);
    prop->deviceNumaId = prop->hostNumaId = -1;
    return cudaSuccess;
}

RT_API cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attr, const void *ptr)
{
    enum { WORDS_13 = 8 }; /* reserved at the end of CUDA 13's structure */
    cudaError_t e = __cudaCorePointerGetAttributes(attr, ptr);
    if (!e)
        memset(attr + 1, 0, WORDS_13 * sizeof(long));
    return e;
}

RT_API cudaError_t abi13_mem_prefetch_async(const void *ptr, size_t size, struct cudaMemLocation location,
                                            unsigned int flags, cudaStream_t stream)
{
    return cudaMemPrefetchAsync_v2(ptr, size, location, flags, stream);
}

RT_API cudaError_t abi13_mem_advise(const void *ptr, size_t size, enum cudaMemoryAdvise advice,
                                    struct cudaMemLocation location)
{
    return cudaMemAdvise_v2(ptr, size, advice, location);
}

RT_API cudaError_t abi13_memcpy_batch_async(void *const *dsts, const void *const *srcs, const size_t *sizes,
                                            size_t count, struct cudaMemcpyAttributes *attrs,
                                            size_t *attr_indices, size_t num_attrs, cudaStream_t stream)
{
    (void)attrs, (void)attr_indices, (void)num_attrs;
    return __cudaCoreMemcpyBatchAsync(dsts, srcs, sizes, count, stream, NULL);
}

RT_API cudaError_t abi13_memcpy_3d_batch_async(size_t count, struct cudaMemcpy3DBatchOp *ops,
                                               unsigned long long flags, cudaStream_t stream)
{
    (void)count, (void)ops, (void)flags, (void)stream;
    return __cudaCoreUnsupported("cudaMemcpy3DBatchAsync");
}

RT_API cudaError_t abi13_stream_get_capture_info(cudaStream_t stream, enum cudaStreamCaptureStatus *status,
                                                 unsigned long long *id, cudaGraph_t *graph,
                                                 const cudaGraphNode_t **deps,
                                                 const cudaGraphEdgeData **edges, size_t *num_deps)
{
    return cudaStreamGetCaptureInfo_v3(stream, status, id, graph, deps, edges, num_deps);
}

RT_API cudaError_t abi13_stream_update_capture_dependencies(cudaStream_t stream, cudaGraphNode_t *deps,
                                                            const cudaGraphEdgeData *edges, size_t num_deps,
                                                            unsigned int flags)
{
    return cudaStreamUpdateCaptureDependencies_v2(stream, deps, edges, num_deps, flags);
}

RT_API cudaError_t abi13_graph_get_edges(cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to,
                                         cudaGraphEdgeData *edges, size_t *count)
{
    return cudaGraphGetEdges_v2(graph, from, to, edges, count);
}

RT_API cudaError_t abi13_graph_node_get_dependencies(cudaGraphNode_t node, cudaGraphNode_t *deps,
                                                     cudaGraphEdgeData *edges, size_t *count)
{
    return cudaGraphNodeGetDependencies_v2(node, deps, edges, count);
}

RT_API cudaError_t abi13_graph_node_get_dependent_nodes(cudaGraphNode_t node, cudaGraphNode_t *nodes,
                                                        cudaGraphEdgeData *edges, size_t *count)
{
    return cudaGraphNodeGetDependentNodes_v2(node, nodes, edges, count);
}

RT_API cudaError_t abi13_graph_add_dependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                                const cudaGraphNode_t *to, const cudaGraphEdgeData *edges,
                                                size_t count)
{
    return cudaGraphAddDependencies_v2(graph, from, to, edges, count);
}

RT_API cudaError_t abi13_graph_remove_dependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                                   const cudaGraphNode_t *to, const cudaGraphEdgeData *edges,
                                                   size_t count)
{
    return cudaGraphRemoveDependencies_v2(graph, from, to, edges, count);
}

RT_API cudaError_t abi13_graph_add_node(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *deps,
                                        const cudaGraphEdgeData *edges, size_t num_deps,
                                        struct cudaGraphNodeParams *params)
{
    return cudaGraphAddNode_v2(node, graph, deps, edges, num_deps, params);
}

RT_API cudaError_t abi13_signal_external_semaphores_async(
    const cudaExternalSemaphore_t *sems, const struct cudaExternalSemaphoreSignalParams *params,
    unsigned int count, cudaStream_t stream)
{
    return cudaSignalExternalSemaphoresAsync(sems, params, count, stream);
}

RT_API cudaError_t abi13_wait_external_semaphores_async(const cudaExternalSemaphore_t *sems,
                                                        const struct cudaExternalSemaphoreWaitParams *params,
                                                        unsigned int count, cudaStream_t stream)
{
    return cudaWaitExternalSemaphoresAsync(sems, params, count, stream);
}

/* Pools of the device are all there are. */
static cudaError_t device_pool(const char *name, const struct cudaMemLocation *location,
                               enum cudaMemAllocationType type)
{
    if (!location)
        return cudaErrorInvalidValue;
    if (location->type != cudaMemLocationTypeDevice || type != cudaMemAllocationTypePinned)
        return __cudaCoreUnsupported(name);
    return cudaSuccess;
}

RT_API cudaError_t abi13_mem_get_default_mem_pool(cudaMemPool_t *pool, struct cudaMemLocation *location,
                                                  enum cudaMemAllocationType type)
{
    cudaError_t e = device_pool("cudaMemGetDefaultMemPool", location, type);
    return e ? e : cudaDeviceGetDefaultMemPool(pool, location->id);
}

RT_API cudaError_t abi13_mem_get_mem_pool(cudaMemPool_t *pool, struct cudaMemLocation *location,
                                          enum cudaMemAllocationType type)
{
    cudaError_t e = device_pool("cudaMemGetMemPool", location, type);
    return e ? e : cudaDeviceGetMemPool(pool, location->id);
}

RT_API cudaError_t abi13_mem_set_mem_pool(struct cudaMemLocation *location, enum cudaMemAllocationType type,
                                          cudaMemPool_t pool)
{
    cudaError_t e = device_pool("cudaMemSetMemPool", location, type);
    return e ? e : cudaDeviceSetMemPool(location->id, pool);
}
