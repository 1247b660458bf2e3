/* Half of a program of two files and a C file: kernels here and in part.cu, a host function in plain.c. */
#include "part.h"

#include <cstdio>

extern "C" int plain_sum(const int *v, int n);

#ifndef FACTOR
#define FACTOR 2
#endif

__constant__ int factor = FACTOR;
static __global__ void scale(int *v) { v[threadIdx.x] *= factor; }

int main(int argc, char **argv)
{
    int h[32], *d;
    for (int i = 0; i < 32; i++)
        h[i] = i;
    if (cudaMalloc(&d, sizeof h) != cudaSuccess)
        return 1;
    cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
    scale<<<1, 32>>>(d);
    add_one(d);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    printf("sum %d %s\n", plain_sum(h, 32), argc > 1 ? argv[1] : "");
    return cudaGetLastError() == cudaSuccess && cudaFree(d) == cudaSuccess ? 0 : 1;
}
// SPDX-License-Identifier: Apache-2.0
