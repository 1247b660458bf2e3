/* SPDX-License-Identifier: Apache-2.0 */
/* Plain names that CUDA 11 and 12 have in an older form than the one of include/, and what the libraries of single versions
 * (abi_*.c) reach by other names, as theirs stand in front of ours. The core library binds its own calls to itself, so a
 * call here is never one of theirs. */
#include "cudart/versions/compat.h"

#include "cudart/versions/abi.h"

RT_API cudaError_t abi11_get_device_properties(void *prop, int device)
{
    struct cudaDeviceProp p;
    cudaError_t e = prop ? cudaGetDeviceProperties(&p, device) : cudaErrorInvalidValue;
    if (!e)
        memcpy(prop, &p, ABI11_DEVICE_PROP_B);
    return e;
}

RT_API cudaError_t abi_event_elapsed_time(float *ms, cudaEvent_t start, cudaEvent_t end)
{
    return cudaEventElapsedTime(ms, start, end);
}

RT_API cudaError_t abi11_stream_get_capture_info(cudaStream_t stream, enum cudaStreamCaptureStatus *status,
                                                 unsigned long long *id)
{
    return cudaStreamGetCaptureInfo(stream, status, id, NULL, NULL, NULL);
}

RT_API cudaError_t __cudaCoreUnsupported(const char *name)
{
    struct rt *rt = rt_enter(name);
    return rt_leave(rt, rt_unsupported(rt, name, NULL));
}

RT_API cudaError_t __cudaCoreFuncGetAttributes(struct cudaFuncAttributes *attr, const void *func)
{
    return cudaFuncGetAttributes(attr, func);
}

RT_API cudaError_t __cudaCoreGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph,
                                             cudaGraphExecUpdateResultInfo *info)
{
    return cudaGraphExecUpdate(exec, graph, info);
}

RT_API cudaError_t __cudaCoreCreateTextureObject(cudaTextureObject_t *tex, const struct cudaResourceDesc *res,
                                                 const struct cudaTextureDesc *desc,
                                                 const struct cudaResourceViewDesc *view)
{
    return cudaCreateTextureObject(tex, res, desc, view);
}

RT_API cudaError_t __cudaCoreGetTextureObjectTextureDesc(struct cudaTextureDesc *desc,
                                                         cudaTextureObject_t tex)
{
    return cudaGetTextureObjectTextureDesc(desc, tex);
}

RT_API cudaError_t __cudaCoreStreamGetAttribute(cudaStream_t stream, cudaLaunchAttributeID attr,
                                                cudaLaunchAttributeValue *value)
{
    return cudaStreamGetAttribute(stream, attr, value);
}

RT_API cudaError_t __cudaCoreGraphKernelNodeGetAttribute(cudaGraphNode_t node, cudaLaunchAttributeID attr,
                                                         cudaLaunchAttributeValue *value)
{
    return cudaGraphKernelNodeGetAttribute(node, attr, value);
}

RT_API cudaError_t __cudaCoreGetDriverEntryPoint(const char *symbol, void **fn, unsigned long long flags)
{
    return cudaGetDriverEntryPoint(symbol, fn, flags, NULL);
}

RT_API cudaError_t __cudaCorePointerGetAttributes(struct cudaPointerAttributes *attr, const void *ptr)
{
    return cudaPointerGetAttributes(attr, ptr);
}

RT_API cudaError_t __cudaCoreMemcpyBatchAsync(void *const *dsts, const void *const *srcs, const size_t *sizes,
                                              size_t count, cudaStream_t stream, size_t *failed)
{
    for (size_t i = 0; i < count; i++) {
        if (failed)
            *failed = i;
        cudaError_t e = cudaMemcpyAsync(dsts[i], srcs[i], sizes[i], cudaMemcpyDefault, stream);
        if (e)
            return e;
    }
    return cudaSuccess;
}
