/* SPDX-License-Identifier: Apache-2.0 */
/* Errors and their names, by one table. */
#include "cudart/error.h"

static const struct rt_error errors[] = {
    {cudaSuccess, "cudaSuccess", "CUDA_SUCCESS", "no error"},
#define ERR(name, driver, text) {cudaError##name, "cudaError" #name, driver, text},
#include "cudart/errors.def"
#undef ERR
};

const struct rt_error *rt_error_info(int code)
{
    for (size_t i = 0; i < sizeof errors / sizeof errors[0]; i++) {
        if (errors[i].code == code)
            return &errors[i];
    }
    return NULL;
}

RT_API const char *cudaGetErrorName(cudaError_t error)
{
    const struct rt_error *e = rt_error_info((int)error);
    return e ? e->name : "unrecognized error code";
}

RT_API const char *cudaGetErrorString(cudaError_t error)
{
    const struct rt_error *e = rt_error_info((int)error);
    return e ? e->text : "unrecognized error code";
}

static cudaError_t last(bool clear)
{
    struct rt *rt = rt_enter_early(); /* does not wait for a kernel: its failure is not told yet */
    cudaError_t e = rt_last_error(rt, clear);
    rt_leave_quiet(rt);
    return e;
}

RT_API cudaError_t cudaGetLastError(void) { return last(true); }

RT_API cudaError_t cudaPeekAtLastError(void) { return last(false); }
