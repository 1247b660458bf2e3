// Graphs: building, changing, instantiating, launching.
#ifndef BANKSHOT_API_GRAPH_H
#define BANKSHOT_API_GRAPH_H

#include "../builtin_types.h"

BANKSHOT_C_BEGIN

extern __host__ cudaError_t CUDARTAPI cudaGraphCreate(cudaGraph_t *graph, unsigned int flags);
extern __host__ cudaError_t CUDARTAPI cudaGraphClone(cudaGraph_t *clone, cudaGraph_t graph);
extern __host__ cudaError_t CUDARTAPI cudaGraphDestroy(cudaGraph_t graph);
extern __host__ cudaError_t CUDARTAPI cudaGraphDebugDotPrint(cudaGraph_t graph, const char *path,
        unsigned int flags);

extern __host__ cudaError_t CUDARTAPI cudaGraphAddKernelNode(cudaGraphNode_t *node, cudaGraph_t graph,
        const cudaGraphNode_t *deps, size_t num_deps, const struct cudaKernelNodeParams *params);
extern __host__ cudaError_t CUDARTAPI cudaGraphKernelNodeGetParams(cudaGraphNode_t node,
        struct cudaKernelNodeParams *params);
extern __host__ cudaError_t CUDARTAPI cudaGraphKernelNodeSetParams(cudaGraphNode_t node,
        const struct cudaKernelNodeParams *params);
extern __host__ cudaError_t CUDARTAPI cudaGraphKernelNodeCopyAttributes(cudaGraphNode_t src,
        cudaGraphNode_t dst);
extern __host__ cudaError_t CUDARTAPI cudaGraphKernelNodeGetAttribute(cudaGraphNode_t node,
        cudaKernelNodeAttrID attr, cudaKernelNodeAttrValue *value);
extern __host__ cudaError_t CUDARTAPI cudaGraphKernelNodeSetAttribute(cudaGraphNode_t node,
        cudaKernelNodeAttrID attr, const cudaKernelNodeAttrValue *value);

extern __host__ cudaError_t CUDARTAPI cudaGraphAddMemcpyNode(cudaGraphNode_t *node, cudaGraph_t graph,
        const cudaGraphNode_t *deps, size_t num_deps, const struct cudaMemcpy3DParms *params);
extern __host__ cudaError_t CUDARTAPI cudaGraphAddMemcpyNode1D(cudaGraphNode_t *node, cudaGraph_t graph,
        const cudaGraphNode_t *deps, size_t num_deps, void *dst, const void *src, size_t size,
        enum cudaMemcpyKind kind);
extern __host__ cudaError_t CUDARTAPI cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t *node, cudaGraph_t graph,
        const cudaGraphNode_t *deps, size_t num_deps, const void *symbol, const void *src, size_t size,
        size_t offset, enum cudaMemcpyKind kind);
extern __host__ cudaError_t CUDARTAPI cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t *node,
        cudaGraph_t graph, const cudaGraphNode_t *deps, size_t num_deps, void *dst, const void *symbol,
        size_t size, size_t offset, enum cudaMemcpyKind kind);
extern __host__ cudaError_t CUDARTAPI cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node,
        struct cudaMemcpy3DParms *params);
extern __host__ cudaError_t CUDARTAPI cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node,
        const struct cudaMemcpy3DParms *params);
extern __host__ cudaError_t CUDARTAPI cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void *dst,
        const void *src, size_t size, enum cudaMemcpyKind kind);
extern __host__ cudaError_t CUDARTAPI cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t node,
        const void *symbol, const void *src, size_t size, size_t offset, enum cudaMemcpyKind kind);
extern __host__ cudaError_t CUDARTAPI cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t node, void *dst,
        const void *symbol, size_t size, size_t offset, enum cudaMemcpyKind kind);

extern __host__ cudaError_t CUDARTAPI cudaGraphAddMemsetNode(cudaGraphNode_t *node, cudaGraph_t graph,
        const cudaGraphNode_t *deps, size_t num_deps, const struct cudaMemsetParams *params);
extern __host__ cudaError_t CUDARTAPI cudaGraphMemsetNodeGetParams(cudaGraphNode_t node,
        struct cudaMemsetParams *params);
extern __host__ cudaError_t CUDARTAPI cudaGraphMemsetNodeSetParams(cudaGraphNode_t node,
        const struct cudaMemsetParams *params);

extern __host__ cudaError_t CUDARTAPI cudaGraphAddHostNode(cudaGraphNode_t *node, cudaGraph_t graph,
        const cudaGraphNode_t *deps, size_t num_deps, const struct cudaHostNodeParams *params);
extern __host__ cudaError_t CUDARTAPI cudaGraphHostNodeGetParams(cudaGraphNode_t node,
        struct cudaHostNodeParams *params);
extern __host__ cudaError_t CUDARTAPI cudaGraphHostNodeSetParams(cudaGraphNode_t node,
        const struct cudaHostNodeParams *params);

extern __host__ cudaError_t CUDARTAPI cudaGraphAddChildGraphNode(cudaGraphNode_t *node, cudaGraph_t graph,
        const cudaGraphNode_t *deps, size_t num_deps, cudaGraph_t child);
extern __host__ cudaError_t CUDARTAPI cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node,
        cudaGraph_t *graph);
extern __host__ cudaError_t CUDARTAPI cudaGraphAddEmptyNode(cudaGraphNode_t *node, cudaGraph_t graph,
        const cudaGraphNode_t *deps, size_t num_deps);

extern __host__ cudaError_t CUDARTAPI cudaGraphAddEventRecordNode(cudaGraphNode_t *node, cudaGraph_t graph,
        const cudaGraphNode_t *deps, size_t num_deps, cudaEvent_t event);
extern __host__ cudaError_t CUDARTAPI cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t node,
        cudaEvent_t *event);
extern __host__ cudaError_t CUDARTAPI cudaGraphEventRecordNodeSetEvent(cudaGraphNode_t node,
        cudaEvent_t event);
extern __host__ cudaError_t CUDARTAPI cudaGraphAddEventWaitNode(cudaGraphNode_t *node, cudaGraph_t graph,
        const cudaGraphNode_t *deps, size_t num_deps, cudaEvent_t event);
extern __host__ cudaError_t CUDARTAPI cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t node,
        cudaEvent_t *event);
extern __host__ cudaError_t CUDARTAPI cudaGraphEventWaitNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event);

extern __host__ cudaError_t CUDARTAPI cudaGraphAddExternalSemaphoresSignalNode(cudaGraphNode_t *node,
        cudaGraph_t graph, const cudaGraphNode_t *deps, size_t num_deps,
        const struct cudaExternalSemaphoreSignalNodeParams *params);
extern __host__ cudaError_t CUDARTAPI cudaGraphAddExternalSemaphoresWaitNode(cudaGraphNode_t *node,
        cudaGraph_t graph, const cudaGraphNode_t *deps, size_t num_deps,
        const struct cudaExternalSemaphoreWaitNodeParams *params);

extern __host__ cudaError_t CUDARTAPI cudaGraphAddMemAllocNode(cudaGraphNode_t *node, cudaGraph_t graph,
        const cudaGraphNode_t *deps, size_t num_deps, struct cudaMemAllocNodeParams *params);
extern __host__ cudaError_t CUDARTAPI cudaGraphMemAllocNodeGetParams(cudaGraphNode_t node,
        struct cudaMemAllocNodeParams *params);
extern __host__ cudaError_t CUDARTAPI cudaGraphAddMemFreeNode(cudaGraphNode_t *node, cudaGraph_t graph,
        const cudaGraphNode_t *deps, size_t num_deps, void *ptr);
extern __host__ cudaError_t CUDARTAPI cudaGraphMemFreeNodeGetParams(cudaGraphNode_t node, void *ptr);
extern __host__ cudaError_t CUDARTAPI cudaDeviceGraphMemTrim(int device);
extern __host__ cudaError_t CUDARTAPI cudaDeviceGetGraphMemAttribute(int device,
        enum cudaGraphMemAttributeType attr, void *value);
extern __host__ cudaError_t CUDARTAPI cudaDeviceSetGraphMemAttribute(int device,
        enum cudaGraphMemAttributeType attr, void *value);

// Forms that end in _v2 also carry the data of the edges; in CUDA 13 they have the plain names.
extern __host__ cudaError_t CUDARTAPI cudaGraphAddNode(cudaGraphNode_t *node, cudaGraph_t graph,
        const cudaGraphNode_t *deps, size_t num_deps, struct cudaGraphNodeParams *params);
extern __host__ cudaError_t CUDARTAPI cudaGraphAddNode_v2(cudaGraphNode_t *node, cudaGraph_t graph,
        const cudaGraphNode_t *deps, const cudaGraphEdgeData *edges, size_t num_deps,
        struct cudaGraphNodeParams *params);
extern __host__ cudaError_t CUDARTAPI cudaGraphNodeSetParams(cudaGraphNode_t node,
        struct cudaGraphNodeParams *params);
extern __host__ cudaError_t CUDARTAPI cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle *handle,
        cudaGraph_t graph, unsigned int value CUDART_DEFAULT(0), unsigned int flags CUDART_DEFAULT(0));
extern __host__ cudaError_t CUDARTAPI cudaGraphNodeFindInClone(cudaGraphNode_t *node,
        cudaGraphNode_t original, cudaGraph_t clone);
extern __host__ cudaError_t CUDARTAPI cudaGraphNodeGetType(cudaGraphNode_t node,
        enum cudaGraphNodeType *type);
extern __host__ cudaError_t CUDARTAPI cudaGraphDestroyNode(cudaGraphNode_t node);
extern __host__ cudaError_t CUDARTAPI cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes,
        size_t *count);
extern __host__ cudaError_t CUDARTAPI cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t *nodes,
        size_t *count);
extern __host__ cudaError_t CUDARTAPI cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t *from,
        cudaGraphNode_t *to, size_t *count);
extern __host__ cudaError_t CUDARTAPI cudaGraphGetEdges_v2(cudaGraph_t graph, cudaGraphNode_t *from,
        cudaGraphNode_t *to, cudaGraphEdgeData *edges, size_t *count);
extern __host__ cudaError_t CUDARTAPI cudaGraphNodeGetDependencies(cudaGraphNode_t node,
        cudaGraphNode_t *deps, size_t *count);
extern __host__ cudaError_t CUDARTAPI cudaGraphNodeGetDependencies_v2(cudaGraphNode_t node,
        cudaGraphNode_t *deps, cudaGraphEdgeData *edges, size_t *count);
extern __host__ cudaError_t CUDARTAPI cudaGraphNodeGetDependentNodes(cudaGraphNode_t node,
        cudaGraphNode_t *nodes, size_t *count);
extern __host__ cudaError_t CUDARTAPI cudaGraphNodeGetDependentNodes_v2(cudaGraphNode_t node,
        cudaGraphNode_t *nodes, cudaGraphEdgeData *edges, size_t *count);
extern __host__ cudaError_t CUDARTAPI cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
        const cudaGraphNode_t *to, size_t count);
extern __host__ cudaError_t CUDARTAPI cudaGraphAddDependencies_v2(cudaGraph_t graph,
        const cudaGraphNode_t *from, const cudaGraphNode_t *to, const cudaGraphEdgeData *edges, size_t count);
extern __host__ cudaError_t CUDARTAPI cudaGraphRemoveDependencies(cudaGraph_t graph,
        const cudaGraphNode_t *from, const cudaGraphNode_t *to, size_t count);
extern __host__ cudaError_t CUDARTAPI cudaGraphRemoveDependencies_v2(cudaGraph_t graph,
        const cudaGraphNode_t *from, const cudaGraphNode_t *to, const cudaGraphEdgeData *edges, size_t count);

extern __host__ cudaError_t CUDARTAPI cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph,
        unsigned long long flags CUDART_DEFAULT(0));
extern __host__ cudaError_t CUDARTAPI cudaGraphInstantiateWithFlags(cudaGraphExec_t *exec, cudaGraph_t graph,
        unsigned long long flags CUDART_DEFAULT(0));
extern __host__ cudaError_t CUDARTAPI cudaGraphInstantiateWithParams(cudaGraphExec_t *exec, cudaGraph_t graph,
        cudaGraphInstantiateParams *params);
extern __host__ cudaError_t CUDARTAPI cudaGraphExecGetFlags(cudaGraphExec_t exec, unsigned long long *flags);
extern __host__ cudaError_t CUDARTAPI cudaGraphExecDestroy(cudaGraphExec_t exec);
extern __host__ cudaError_t CUDARTAPI cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t stream);
extern __host__ cudaError_t CUDARTAPI cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream);
extern __host__ cudaError_t CUDARTAPI cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph,
        cudaGraphExecUpdateResultInfo *info);
extern __host__ cudaError_t CUDARTAPI cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec,
        cudaGraphNode_t node, const struct cudaKernelNodeParams *params);
extern __host__ cudaError_t CUDARTAPI cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t exec,
        cudaGraphNode_t node, const struct cudaMemcpy3DParms *params);
extern __host__ cudaError_t CUDARTAPI cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t exec,
        cudaGraphNode_t node, void *dst, const void *src, size_t size, enum cudaMemcpyKind kind);
extern __host__ cudaError_t CUDARTAPI cudaGraphExecMemcpyNodeSetParamsToSymbol(cudaGraphExec_t exec,
        cudaGraphNode_t node, const void *symbol, const void *src, size_t size, size_t offset,
        enum cudaMemcpyKind kind);
extern __host__ cudaError_t CUDARTAPI cudaGraphExecMemcpyNodeSetParamsFromSymbol(cudaGraphExec_t exec,
        cudaGraphNode_t node, void *dst, const void *symbol, size_t size, size_t offset,
        enum cudaMemcpyKind kind);
extern __host__ cudaError_t CUDARTAPI cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t exec,
        cudaGraphNode_t node, const struct cudaMemsetParams *params);
extern __host__ cudaError_t CUDARTAPI cudaGraphExecHostNodeSetParams(cudaGraphExec_t exec,
        cudaGraphNode_t node, const struct cudaHostNodeParams *params);
extern __host__ cudaError_t CUDARTAPI cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t exec,
        cudaGraphNode_t node, cudaGraph_t child);
extern __host__ cudaError_t CUDARTAPI cudaGraphExecEventRecordNodeSetEvent(cudaGraphExec_t exec,
        cudaGraphNode_t node, cudaEvent_t event);
extern __host__ cudaError_t CUDARTAPI cudaGraphExecEventWaitNodeSetEvent(cudaGraphExec_t exec,
        cudaGraphNode_t node, cudaEvent_t event);
extern __host__ cudaError_t CUDARTAPI cudaGraphExecNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
        struct cudaGraphNodeParams *params);
extern __host__ cudaError_t CUDARTAPI cudaGraphNodeSetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node,
        unsigned int enabled);
extern __host__ cudaError_t CUDARTAPI cudaGraphNodeGetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node,
        unsigned int *enabled);

extern __host__ cudaError_t CUDARTAPI cudaUserObjectCreate(cudaUserObject_t *object, void *ptr,
        cudaHostFn_t destroy, unsigned int refs, unsigned int flags);
extern __host__ cudaError_t CUDARTAPI cudaUserObjectRetain(cudaUserObject_t object,
        unsigned int count CUDART_DEFAULT(1));
extern __host__ cudaError_t CUDARTAPI cudaUserObjectRelease(cudaUserObject_t object,
        unsigned int count CUDART_DEFAULT(1));
extern __host__ cudaError_t CUDARTAPI cudaGraphRetainUserObject(cudaGraph_t graph, cudaUserObject_t object,
        unsigned int count CUDART_DEFAULT(1), unsigned int flags CUDART_DEFAULT(0));
extern __host__ cudaError_t CUDARTAPI cudaGraphReleaseUserObject(cudaGraph_t graph, cudaUserObject_t object,
        unsigned int count CUDART_DEFAULT(1));

BANKSHOT_C_END

#endif
/* SPDX-License-Identifier: Apache-2.0 */
