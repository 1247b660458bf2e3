/* SPDX-License-Identifier: Apache-2.0 */
/* cudaLaunchKernel and its relatives, and what a program may ask and set of a kernel. */
#include "cudart/code/launch.h"
#include "cudart/rt.h"
#include "cudart/stream/stream.h"
#include "ptx/ptx.h"
#include "sass/cubin.h"

static cudaError_t launch(const char *name, const void *func, dim3 grid, dim3 block, void **args,
                          size_t shared, cudaStream_t stream, struct rt_wish w)
{
    struct rt *rt = rt_enter(name);
    if (rt->sticky)
        return rt_leave(rt, rt->sticky);
    struct rt_op op;
    cudaError_t e;
    struct rt_kernel *k = rt_kernel_find(rt, func, &e);
    struct rt_stream *s = rt_stream_get(rt, stream);
    if (!k)
        rt_launch_missed(rt);
    if (!e && !s)
        e = cudaErrorInvalidResourceHandle;
    if (!e)
        e = rt_launch_op(rt, &op, k, (const uint32_t[3]){grid.x, grid.y, grid.z},
                         (const uint32_t[3]){block.x, block.y, block.z}, args, shared, w);
    return rt_leave(rt, e ? e : rt_submit(rt, s, &op));
}

RT_API cudaError_t cudaLaunchKernel(const void *func, dim3 grid, dim3 block, void **args, size_t shared,
                                    cudaStream_t stream)
{
    return launch("cudaLaunchKernel", func, grid, block, args, shared, stream, (struct rt_wish){0});
}

RT_API cudaError_t cudaLaunchCooperativeKernel(const void *func, dim3 grid, dim3 block, void **args,
                                               size_t shared, cudaStream_t stream)
{
    return launch("cudaLaunchCooperativeKernel", func, grid, block, args, shared, stream,
                  (struct rt_wish){.cooperative = true});
}

RT_API cudaError_t cudaLaunchCooperativeKernelMultiDevice(struct cudaLaunchParams *list, unsigned int n,
                                                          unsigned int flags)
{
    struct rt *rt = rt_enter("cudaLaunchCooperativeKernelMultiDevice");
    (void)list, (void)n, (void)flags;
    return rt_leave(rt, rt_unsupported(rt, rt->call, NULL));
}

RT_API cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *c, const void *func, void **args)
{
    struct rt_wish w = {0};
    cudaError_t e = cudaSuccess;
    if (!c || (c->numAttrs && !c->attrs))
        return rt_leave(rt_enter("cudaLaunchKernelExC"), cudaErrorInvalidValue);
    const char *missing = launch_attributes(c->attrs, c->numAttrs, &w, &e);
    if (missing || e) {
        struct rt *rt = rt_enter("cudaLaunchKernelExC");
        if (missing)
            rt_launch_missed(rt);
        return rt_leave(rt, missing ? rt_unsupported(rt, rt->call, missing) : e);
    }
    return launch("cudaLaunchKernelExC", func, c->gridDim, c->blockDim, args, c->dynamicSmemBytes, c->stream,
                  w);
}

/* ---- attributes of kernels ---- */

/* The most threads a CTA of it may have: what registers and the source allow. */
static int max_threads(const struct code *c)
{
    int n = 1024;
    uint32_t per_warp = (c->regs * 32 + 255) / 256 * 256;
    if (per_warp && 65536 / per_warp * 32 < 1024)
        n = (int)(65536 / per_warp * 32);
    return c->maxntid && (int)c->maxntid < n ? (int)c->maxntid : n;
}

static int max_dynamic(const struct rt_kernel *k)
{
    int room = k->code->shared_b < SHARED_DEFAULT_B ? (int)(SHARED_DEFAULT_B - k->code->shared_b) : 0;
    return (int)k->max_dyn_shared_b > room ? (int)k->max_dyn_shared_b : room;
}

RT_API cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *a, const void *func)
{
    struct rt *rt = rt_enter("cudaFuncGetAttributes");
    cudaError_t e = cudaErrorInvalidValue;
    struct rt_kernel *k = a ? rt_kernel_find(rt, func, &e) : NULL;
    if (!k)
        return rt_leave(rt, e);
    memset(a, 0, sizeof *a);
    a->sharedSizeBytes = k->code->shared_b;
    a->constSizeBytes = rt_const_size(k->module);
    a->localSizeBytes = k->code->local_b;
    a->maxThreadsPerBlock = max_threads(k->code);
    a->numRegs = (int)k->code->regs;
    a->ptxVersion = (int)(k->module->ptx ? k->module->ptx->sm : k->module->cubin->sm);
    a->binaryVersion = RT_SM;
    a->cacheModeCA = 0;
    a->maxDynamicSharedSizeBytes = max_dynamic(k);
    a->preferredShmemCarveout = k->carveout;
    a->clusterDimMustBeSet = k->code->explicit_cluster;
    a->requiredClusterWidth = (int)k->code->cluster[0];
    a->requiredClusterHeight = (int)k->code->cluster[1];
    a->requiredClusterDepth = (int)k->code->cluster[2];
    a->nonPortableClusterSizeAllowed = k->non_portable;
    a->clusterSchedulingPolicyPreference = k->cluster_policy;
    return rt_leave(rt, cudaSuccess);
}

cudaError_t rt_kernel_set(struct rt *rt, struct rt_kernel *k, int attr, int value)
{
    switch (attr) {
    case cudaFuncAttributeMaxDynamicSharedMemorySize:
        if (value < 0 || (uint64_t)value + k->code->shared_b > SHARED_OPTIN_B)
            return cudaErrorInvalidValue;
        k->max_dyn_shared_b = (uint32_t)value;
        return cudaSuccess;
    case cudaFuncAttributePreferredSharedMemoryCarveout:
        if (value < -1 || value > 100)
            return cudaErrorInvalidValue;
        k->carveout = value;
        return cudaSuccess;
    case cudaFuncAttributeNonPortableClusterSizeAllowed: k->non_portable = value != 0; return cudaSuccess;
    case cudaFuncAttributeClusterSchedulingPolicyPreference: /* which SMs they go to: no difference here */
        if (value < 0 || value > cudaClusterSchedulingPolicyLoadBalancing)
            return cudaErrorInvalidValue;
        k->cluster_policy = value;
        return cudaSuccess;
    case cudaFuncAttributeClusterDimMustBeSet:
    case cudaFuncAttributeRequiredClusterWidth:
    case cudaFuncAttributeRequiredClusterHeight:
    case cudaFuncAttributeRequiredClusterDepth:
        return rt_unsupported(rt, rt->call, "cluster sizes of kernels (a launch may have one)");
    default: return cudaErrorInvalidValue;
    }
}

RT_API cudaError_t cudaFuncSetAttribute(const void *func, enum cudaFuncAttribute attr, int value)
{
    struct rt *rt = rt_enter("cudaFuncSetAttribute");
    cudaError_t e;
    struct rt_kernel *k = rt_kernel_find(rt, func, &e);
    return rt_leave(rt, k ? rt_kernel_set(rt, k, attr, value) : e);
}

/* A preference: the functional executor has no caches to configure, but the kernel must exist. */
RT_API cudaError_t cudaFuncSetCacheConfig(const void *func, enum cudaFuncCache config)
{
    struct rt *rt = rt_enter("cudaFuncSetCacheConfig");
    cudaError_t e;
    struct rt_kernel *k = rt_kernel_find(rt, func, &e);
    if (k && (unsigned)config > cudaFuncCachePreferEqual)
        e = cudaErrorInvalidValue;
    if (k && !e)
        k->cache_config = config;
    return rt_leave(rt, e);
}

RT_API cudaError_t cudaFuncSetSharedMemConfig(const void *func, enum cudaSharedMemConfig config)
{
    struct rt *rt = rt_enter("cudaFuncSetSharedMemConfig");
    cudaError_t e;
    if (rt_kernel_find(rt, func, &e) && (unsigned)config > cudaSharedMemBankSizeEightByte)
        e = cudaErrorInvalidValue;
    return rt_leave(rt, e);
}

RT_API cudaError_t cudaFuncGetName(const char **name, const void *func)
{
    struct rt *rt = rt_enter("cudaFuncGetName");
    cudaError_t e = cudaErrorInvalidValue;
    struct rt_kernel *k = name ? rt_kernel_find(rt, func, &e) : NULL;
    if (k)
        *name = k->name;
    return rt_leave(rt, e);
}

RT_API cudaError_t cudaFuncGetParamInfo(const void *func, size_t index, size_t *offset, size_t *size)
{
    struct rt *rt = rt_enter("cudaFuncGetParamInfo");
    cudaError_t e = cudaErrorInvalidValue;
    struct rt_kernel *k = offset ? rt_kernel_find(rt, func, &e) : NULL;
    if (k && index >= k->code->nparams)
        e = cudaErrorInvalidValue;
    if (!k || e)
        return rt_leave(rt, e);
    *offset = k->code->params[index].off_b;
    if (size)
        *size = k->code->params[index].size_b;
    return rt_leave(rt, cudaSuccess);
}

static cudaError_t handle_of(const char *name, void **out, const void *func)
{
    struct rt *rt = rt_enter(name);
    cudaError_t e = cudaErrorInvalidValue;
    struct rt_kernel *k = out ? rt_kernel_find(rt, func, &e) : NULL;
    if (k)
        *out = k;
    return rt_leave(rt, e);
}

RT_API cudaError_t cudaGetFuncBySymbol(cudaFunction_t *func, const void *symbol)
{
    return handle_of("cudaGetFuncBySymbol", (void **)func, symbol);
}

RT_API cudaError_t cudaGetKernel(cudaKernel_t *kernel, const void *func)
{
    return handle_of("cudaGetKernel", (void **)kernel, func);
}
