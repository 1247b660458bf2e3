// What kernels may ask of the runtime. They cannot launch kernels here, and nothing of this can fail, so that there is never an
// error to tell: what is kept is that code for both sides compiles and runs.
#ifndef __CUDA_DEVICE_RUNTIME_API_H__
#define __CUDA_DEVICE_RUNTIME_API_H__

#include "builtin_types.h"

#if defined(__cplusplus) && defined(__CUDACC__)

static inline __device__ cudaError_t cudaGetLastError(void)
{
    return cudaSuccess;
}
static inline __device__ cudaError_t cudaPeekAtLastError(void)
{
    return cudaSuccess;
}
static inline __device__ cudaError_t cudaGetDevice(int *device)
{
    *device = 0;
    return cudaSuccess;
}
static inline __device__ const char *cudaGetErrorName(cudaError_t error)
{
    return error == cudaSuccess ? "cudaSuccess" : "cudaError";
}
static inline __device__ const char *cudaGetErrorString(cudaError_t error)
{
    return error == cudaSuccess ? "no error" : "an error; its number tells which";
}

#endif
#endif
/* SPDX-License-Identifier: Apache-2.0 */
