/* SPDX-License-Identifier: Apache-2.0 */
/* libcudart.so.11.0: where CUDA 11 has other parameters or shorter structures than CUDA 12. */
#include "cudart/versions/abi.h"
#include "cudart/versions/compat.h"

RT_API cudaError_t cudaRuntimeGetVersion(int *version)
{
    if (!version)
        return cudaErrorInvalidValue;
    *version = 11080;
    return cudaSuccess;
}

RT_API cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attr, const void *func)
{
    struct cudaFuncAttributes a;
    cudaError_t e = __cudaCoreFuncGetAttributes(attr ? &a : NULL, func);
    if (!e && attr)
        memcpy(attr, &a, ABI11_FUNC_ATTRIBUTES_B);
    return e;
}

RT_API cudaError_t cudaStreamGetAttribute(cudaStream_t stream, cudaLaunchAttributeID attr,
                                          cudaLaunchAttributeValue *value)
{
    cudaLaunchAttributeValue v;
    cudaError_t e = __cudaCoreStreamGetAttribute(stream, attr, value ? &v : NULL);
    if (!e && value)
        memcpy(value, &v, ABI11_ATTR_VALUE_B);
    return e;
}

RT_API cudaError_t cudaGraphKernelNodeGetAttribute(cudaGraphNode_t node, cudaLaunchAttributeID attr,
                                                   cudaLaunchAttributeValue *value)
{
    cudaLaunchAttributeValue v;
    cudaError_t e = __cudaCoreGraphKernelNodeGetAttribute(node, attr, value ? &v : NULL);
    if (!e && value)
        memcpy(value, &v, ABI11_ATTR_VALUE_B);
    return e;
}

/* Graphs that can be instantiated have no bad node; there is nothing to write into the log. */
RT_API cudaError_t abi11_graph_instantiate(cudaGraphExec_t *exec, cudaGraph_t graph, cudaGraphNode_t *failed,
                                           char *log, size_t log_b)
{
    if (failed)
        *failed = NULL;
    if (log && log_b)
        *log = 0;
    return cudaGraphInstantiateWithFlags(exec, graph, 0);
}

RT_API cudaError_t abi11_graph_exec_update(cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphNode_t *failed,
                                           enum cudaGraphExecUpdateResult *result)
{
    cudaGraphExecUpdateResultInfo info = {0};
    cudaError_t e = __cudaCoreGraphExecUpdate(exec, graph, &info);
    if (failed)
        *failed = info.errorNode;
    if (result)
        *result = info.result;
    return e;
}

RT_API cudaError_t abi11_get_driver_entry_point(const char *symbol, void **fn, unsigned long long flags)
{
    return __cudaCoreGetDriverEntryPoint(symbol, fn, flags);
}

RT_API cudaError_t cudaCreateTextureObject(cudaTextureObject_t *tex, const struct cudaResourceDesc *res,
                                           const struct cudaTextureDesc *desc,
                                           const struct cudaResourceViewDesc *view)
{
    struct cudaTextureDesc d = {0};
    if (desc)
        memcpy(&d, desc, ABI11_TEXTURE_DESC_B);
    return __cudaCoreCreateTextureObject(tex, res, desc ? &d : NULL, view);
}

RT_API cudaError_t cudaGetTextureObjectTextureDesc(struct cudaTextureDesc *desc, cudaTextureObject_t tex)
{
    struct cudaTextureDesc d;
    cudaError_t e = __cudaCoreGetTextureObjectTextureDesc(desc ? &d : NULL, tex);
    if (!e && desc)
        memcpy(desc, &d, ABI11_TEXTURE_DESC_B);
    return e;
}

RT_API cudaError_t abi11_create_texture_object_v2(cudaTextureObject_t *tex,
                                                  const struct cudaResourceDesc *res,
                                                  const struct cudaTextureDesc *desc,
                                                  const struct cudaResourceViewDesc *view)
{
    return __cudaCoreCreateTextureObject(tex, res, desc, view);
}

RT_API cudaError_t abi11_get_texture_object_texture_desc_v2(struct cudaTextureDesc *desc,
                                                            cudaTextureObject_t tex)
{
    return __cudaCoreGetTextureObjectTextureDesc(desc, tex);
}
