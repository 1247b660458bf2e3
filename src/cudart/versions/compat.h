/* SPDX-License-Identifier: Apache-2.0 */
/* What the libraries of single CUDA versions call in the core library: see compat.c. */
#ifndef CUDART_COMPAT_H
#define CUDART_COMPAT_H

#include "cudart/rt.h"

cudaError_t __cudaCoreUnsupported(const char *name);
cudaError_t __cudaCoreFuncGetAttributes(struct cudaFuncAttributes *attr, const void *func);
cudaError_t __cudaCoreGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph,
                                      cudaGraphExecUpdateResultInfo *info);
cudaError_t __cudaCoreCreateTextureObject(cudaTextureObject_t *tex, const struct cudaResourceDesc *res,
                                          const struct cudaTextureDesc *desc,
                                          const struct cudaResourceViewDesc *view);
cudaError_t __cudaCoreGetTextureObjectTextureDesc(struct cudaTextureDesc *desc, cudaTextureObject_t tex);
cudaError_t __cudaCoreStreamGetAttribute(cudaStream_t stream, cudaLaunchAttributeID attr,
                                         cudaLaunchAttributeValue *value);
cudaError_t __cudaCoreGraphKernelNodeGetAttribute(cudaGraphNode_t node, cudaLaunchAttributeID attr,
                                                  cudaLaunchAttributeValue *value);
cudaError_t __cudaCoreGetDriverEntryPoint(const char *symbol, void **fn, unsigned long long flags);
cudaError_t __cudaCorePointerGetAttributes(struct cudaPointerAttributes *attr, const void *ptr);
/* *failed (may be NULL): the copy that failed. */
cudaError_t __cudaCoreMemcpyBatchAsync(void *const *dsts, const void *const *srcs, const size_t *sizes,
                                       size_t count, cudaStream_t stream, size_t *failed);

#endif
