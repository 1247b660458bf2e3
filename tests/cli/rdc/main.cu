#include "common.h"

#include <cstdio>

static __device__ int own[2] = {1, 2};
static __device__ __noinline__ int step(int x) { return x + own[1]; }

__global__ void use(int *out)
{
    __shared__ int part[2];
    part[threadIdx.x] = threadIdx.x + 1;
    __syncthreads();
    if (threadIdx.x == 0)
        *out = twice(step(part[1])) + counter + table[2] + chosen(5);
}

int main()
{
    int *m, values[4] = {1, 2, 3, 4}, hundred = 100, seen = 0, first = 0;
    cudaMallocManaged(&m, 8);
    if (cudaMemcpyToSymbol(table, values, sizeof values) || cudaMemcpyToSymbol(counter, &hundred, 4) ||
        cudaMemcpyToSymbol(own, &hundred, 4))
        return 1;
    use<<<1, 2>>>(m);
    cudaDeviceSynchronize();
    printf("use %d\n", m[0]); // 2 * (2 + 2) + 100 + 3 + 15
    m[0] = 0;
    add<<<1, 1>>>(m, 4);
    cudaDeviceSynchronize();
    printf("add %d\n", m[0]); // 4 * 10 + 2
    fill(m);
    cudaMemcpyFromSymbol(&seen, counter, 4);
    cudaMemcpyFromSymbol(&first, own, 4);
    printf("fill %d, counter %d, own %d\n", m[0], seen, first); // 42 + 12 + 7
    return 0;
}
// SPDX-License-Identifier: Apache-2.0
