// A counter in global memory that threads of all CTAs increase without an atomic.
#include <cstdio>
__global__ void count(const int *v, int n, int *odd)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && v[i] % 2)
        *odd += 1; // COUNT
}
int main()
{
    int *v, *odd, host[1000];
    for (int i = 0; i < 1000; i++)
        host[i] = 3 * i;
    cudaMalloc(&v, sizeof host);
    cudaMalloc(&odd, 4);
    cudaMemset(odd, 0, 4);
    cudaMemcpy(v, host, sizeof host, cudaMemcpyHostToDevice);
    count<<<8, 128>>>(v, 1000, odd);
    return cudaDeviceSynchronize() != cudaSuccess;
}
// SPDX-License-Identifier: Apache-2.0
