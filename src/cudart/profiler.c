/* SPDX-License-Identifier: Apache-2.0 */
/* The profiler's switches. Nothing is profiled here, and the trace is whole: which launches are in the part that the program
 * wants to be measured is noted in it (TL_REGION), for gpu.region. */
#include "cudart/rt.h"

RT_API cudaError_t cudaProfilerStart(void)
{
    struct rt *rt = rt_enter(__func__);
    rt->region = true;
    return rt_leave(rt, cudaSuccess);
}

RT_API cudaError_t cudaProfilerStop(void)
{
    struct rt *rt = rt_enter(__func__);
    rt->region = false;
    return rt_leave(rt, cudaSuccess);
}

/* Of CUDA 11 and before, where it named files for results. */
RT_API cudaError_t cudaProfilerInitialize(const char *config, const char *output, cudaOutputMode_t mode)
{
    struct rt *rt = rt_enter(__func__);
    (void)config, (void)output, (void)mode;
    return rt_leave(rt, rt_unsupported(rt, __func__, NULL));
}
