#include "common.h"

static __device__ int own[2] = {7, 7};
static __device__ __noinline__ int step(int x) { return 2 * x; }
static __device__ int three_times(int x) { return 3 * x; }

__device__ int counter = 5;
__constant__ int table[4];
__device__ int twice(int x) { return step(x); }
__device__ int (*chosen)(int) = three_times;

__global__ void bump(int *at)
{
    __shared__ int part[2];
    part[0] = own[0];
    counter++;
    *at += part[0];
}

void fill(int *at)
{
    add<<<1, 1>>>(at, 1);
    bump<<<1, 1>>>(at);
    cudaDeviceSynchronize();
}
// SPDX-License-Identifier: Apache-2.0
