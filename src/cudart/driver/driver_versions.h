/* SPDX-License-Identifier: Apache-2.0 */
/* Driver API: functions that include/cuda.h does not declare: forms of another version of CUDA. */
#ifndef CUDART_DRIVER_VERSIONS_H
#define CUDART_DRIVER_VERSIONS_H

#include "cudart/driver/driver.h"

CUresult cuCtxCreate_v3(CUcontext *out, void *affinity, int n, unsigned int flags, CUdevice device);
CUresult cuCtxCreate_v4(CUcontext *out, void *params, unsigned int flags, CUdevice device);
CUresult cuMemAdvise_v2(CUdeviceptr p, size_t size, CUmem_advise advice, struct cudaMemLocation location);
CUresult cuMemPrefetchAsync_v2(CUdeviceptr p, size_t size, struct cudaMemLocation location,
                               unsigned int flags, CUstream stream);
CUresult cuMemcpyHtoAAsync_v2(CUarray dst, size_t at, const void *src, size_t n, CUstream s);
CUresult cuMemcpyAtoHAsync_v2(void *dst, CUarray src, size_t at, size_t n, CUstream s);

CUresult cuStreamGetCaptureInfo(CUstream s, CUstreamCaptureStatus *status, cuuint64_t *id);
CUresult cuStreamGetCaptureInfo_v2(CUstream s, CUstreamCaptureStatus *status, cuuint64_t *id, CUgraph *graph,
                                   const CUgraphNode **deps, size_t *ndeps);
CUresult cuStreamGetCaptureInfo_v3(CUstream s, CUstreamCaptureStatus *status, cuuint64_t *id, CUgraph *graph,
                                   const CUgraphNode **deps, const cudaGraphEdgeData **edges, size_t *ndeps);
CUresult cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode *mode);
CUresult cuGraphGetNodes(CUgraph g, CUgraphNode *nodes, size_t *n);
CUresult cuGraphNodeGetType(CUgraphNode node, int *type);
#pragma push_macro("cuGraphInstantiate")
#undef cuGraphInstantiate
CUresult cuGraphInstantiate(CUgraphExec *out, CUgraph g, CUgraphNode *bad, char *log, size_t room);
#pragma pop_macro("cuGraphInstantiate")
CUresult cuGraphKernelNodeGetParams(CUgraphNode node, struct cudaKernelNodeParams *p);
CUresult cuGraphExecKernelNodeSetParams(CUgraphExec x, CUgraphNode node,
                                        const struct cudaKernelNodeParams *p);
CUresult cuStreamWaitValue32(CUstream s, CUdeviceptr p, uint32_t value, unsigned flags);
CUresult cuStreamBatchMemOp(CUstream s, unsigned n, void *ops, unsigned flags);
CUresult cuPointerGetAttributes(unsigned n, CUpointer_attribute *attrs, void **data, CUdeviceptr p);
CUresult cuDeviceGetDefaultMemPool(cudaMemPool_t *pool, CUdevice device);
CUresult cuDeviceGetMemPool(cudaMemPool_t *pool, CUdevice device);
CUresult cuDeviceSetMemPool(CUdevice device, cudaMemPool_t pool);
CUresult cuMemPoolCreate(cudaMemPool_t *pool, const struct cudaMemPoolProps *props);
CUresult cuMemPoolDestroy(cudaMemPool_t pool);
CUresult cuMemPoolTrimTo(cudaMemPool_t pool, size_t keep);
CUresult cuMemPoolSetAttribute(cudaMemPool_t pool, int attr, void *value);
CUresult cuMemPoolGetAttribute(cudaMemPool_t pool, int attr, void *value);
CUresult cuMemAllocFromPoolAsync(CUdeviceptr *out, size_t size, cudaMemPool_t pool, CUstream stream);

#endif
