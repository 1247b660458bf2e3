/* Kernels whose lines are looked for in profiles and messages: the numbers are those of test_lines.sh. */
#include "walk.h"

#include <cstdio>
#include <cstdlib>

__device__ int nobody;

static __device__ __forceinline__ float weight(float x)
{
    return x / 7.0f + __shfl_xor_sync(~0u, x, 1);
}

__global__ void walk(float *out, const float *in, int n)
{
    __shared__ float tile[64];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    tile[threadIdx.x] = scaled(in, i);
    __syncthreads();
    if (i < n)
        out[i] = weight(tile[63 - threadIdx.x]);
}

__global__ void stuck()
{
    if (threadIdx.x < 32)
        __syncthreads();
    else
        while (atomicAdd(&nobody, 0) == 0)
            ;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 4096;
    float *in, *out;
    cudaMalloc(&in, 4096 * sizeof(float));
    cudaMalloc(&out, 4096 * sizeof(float));
    if (n)
        walk<<<(n + 63) / 64, 64>>>(out, in, n);
    else
        stuck<<<1, 64>>>();
    cudaError_t e = cudaDeviceSynchronize();
    printf("%s\n", cudaGetErrorString(e));
    return e != cudaSuccess;
}
// SPDX-License-Identifier: Apache-2.0
