/* SPDX-License-Identifier: Apache-2.0 */
/* libcudart.so.12: the core library has CUDA 12's forms already. */
#include "cudart/rt.h"

RT_API cudaError_t cudaRuntimeGetVersion(int *version)
{
    if (!version)
        return cudaErrorInvalidValue;
    *version = 12080;
    return cudaSuccess;
}
