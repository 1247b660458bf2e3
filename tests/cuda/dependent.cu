/* Programmatic dependent launch: the second kernel may begin early and waits for what the first one wrote. */
#include "check.h"

__global__ void first(int *x)
{
    cudaTriggerProgrammaticLaunchCompletion();
    x[blockIdx.x * blockDim.x + threadIdx.x] = threadIdx.x + 1;
}

__global__ void second(const int *x, int *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    cudaGridDependencySynchronize();
    y[i] = 2 * x[i];
}

int main()
{
    enum { BLOCKS = 4, BLOCK = 64 };
    int *x, *y, got[BLOCKS * BLOCK];
    OK(cudaMalloc(&x, sizeof got));
    OK(cudaMalloc(&y, sizeof got));
    cudaLaunchConfig_t config = {};
    cudaLaunchAttribute early;
    config.gridDim = dim3(BLOCKS);
    config.blockDim = dim3(BLOCK);
    OK(cudaLaunchKernelEx(&config, first, x));
    early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    early.val.programmaticStreamSerializationAllowed = 1;
    config.attrs = &early;
    config.numAttrs = 1;
    OK(cudaLaunchKernelEx(&config, second, (const int *)x, y));
    RAN();
    OK(cudaMemcpy(got, y, sizeof got, cudaMemcpyDeviceToHost));
    for (int i = 0; i < BLOCKS * BLOCK; i++)
        CHECK(got[i] == 2 * (i % BLOCK + 1));
    std::printf("PASS\n");
    return 0;
}
// SPDX-License-Identifier: Apache-2.0
